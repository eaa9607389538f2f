"""Cases that run verbs. In each case, a verb writes an output while something goes wrong."""

import functools
import json
import os
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time

from .case import BOUND, Failure, MARK, Ran, content, is_out_of_memory
from .inputs import as_predictions, asked, flags_of_rows, inputs, question
from .runs import (
    RECORD, broken_off, disturbed, is_complete, of_signal, partial_of, resumed, same_record, threads,
    undisturbed, words_of,
)

# For each verb over rows: its columns, the number of rows per second that determines the size of inputs, and choices of options.
VERBS = {
    "canonical": (["canonical", "transform", "automorphisms", "canonical_solution", "note"], 100_000, [[]]),
    "check": (["status", "minimal", "redundant", "redundant_count", "clues", "count"], 20_000, [[], ["--max-solutions", "100"]]),
    "rate": (["difficulty", "singles", "pairs", "depth", "backdoor", "guesses", "status"], 3_000, [[], ["--isomorphs", "2"], ["--stratify", "30"]]),
    "explain": (["number", "technique", "rating", "step", "board", "complete"], 300, [[], ["--search"], ["--max-se", "2.3"]]),
    "minimals": (["minimal", "clues"], 2_000, [["--random", "3"], []]),
    "vicinity -1+1": (["neighbour", "clues"], 100, [[], ["--minimal"]]),
    "solutions": (["solution", "number"], 3_000, [["--limit-per-puzzle", "3"], []]),
    "transform": (["transform"], 30_000, [["--random", "3"], ["--to", "canonical"]]),
    "dedupe": (["count"], 100_000, [[], ["--isomorph"]]),
    "overlap": (["overlap", "train_input", "train_line"], 100_000, [["--keep", "clean"], ["--keep", "all"]]),
    "split": (["side", "note"], 20_000, [[], ["--by", "text"], ["--stratify", "clues", "--test", "0.3"]]),
    "score": (["exact", "valid", "right_cells", "first_error", "solvable", "note"], 20_000, [[], ["--bucket-by", "clues"], ["--extract"]]),
    "convert": ([], 100_000, [[]]),
}
# The other commands that `sudobench --help` lists in the same groups as the verbs above. The cases `kills`, `generated` and `parts` run
# these other commands.
OTHER_VERBS = {"solve", "generate", "merge"}
# Verbs whose outputs have one board per row, so that formats without columns can contain them.
BOARDS = ("canonical", "minimals", "vicinity", "solutions", "transform")
REQUESTS = [
    ["--minimal"], ["--clues", "24..30", "--difficulty", "singles,locked"], ["--symmetry", "rotational"], ["--solutions", "2..50"], ["--unsolvable"],
    ["--method", "bottom-up"], ["--hardest", "mrv", "--steps", "5"],
]


def check_verbs(binary):
    """Ends the script if `sudobench --help` lists a verb that has no cases, or does not list a verb that has cases."""
    text = subprocess.run([binary, "--help"], capture_output=True, check=True, text=True).stdout
    groups = [text.split(f"\n{title}:\n")[1].split("\n\n")[0] for title in ("Puzzles", "Sets of puzzles")]
    listed = {line.split()[0] for group in groups for line in group.splitlines()}
    known = OTHER_VERBS | {verb.split()[0] for verb in VERBS}
    if listed != known:
        sys.exit(f"soak: VERBS in soak_cases/rows.py must be the verbs of --help; these are only in one of the two: {sorted(listed ^ known)}")


def kills(case):
    """Kills or interrupts several runs of `solve`, and resumes until the output is complete."""
    words, name, fed = question(case)
    words += RECORD
    broken_off(case, words, name, fed, 4)


def verbs(case):
    """Kills or interrupts runs of a verb in VERBS, and resumes them."""
    verb = case.random.choice(list(VERBS))
    columns, speed, more = VERBS[verb]
    forms = [None, None, "csv", "jsonl", "parquet", "arrow"] + ["lines", "npy"] * (verb.split()[0] in BOARDS)
    # `rate` refuses `--only` together with `--stratify`, because both choose rows.
    options = case.random.choice(more)
    statuses = [] if verb == "rate" and "--stratify" in options else ["unique", "multiple", "unsolvable", "malformed", "mismatch"]
    words, name = flags_of_rows(case, forms, columns, statuses)
    paths = inputs(case, speed, as_predictions if verb == "score" else None)
    if verb == "overlap":
        # The first input is the test set, and all inputs are the training set.
        words += ["--with", os.path.join("..", "in", paths[0].name)]
    words, name, fed = asked(case, verb, paths, ([*options, *words], name), may_be_fed=verb != "overlap")
    broken_off(case, [*verb.split(), *words[1:]], name, fed, 2)


def generated(case):
    """Kills or interrupts runs of `generate`, and resumes them."""
    pick = case.random
    request = pick.choice(REQUESTS)
    name = pick.choice(["out.csv", "out.jsonl", "out.csv.gz", "out.txt", "out.npy", "out.parquet", "out.arrow"])
    count = pick.choice([1, 300] if "--hardest" in request else [1, 100, 3000, 20_000])
    words = ["generate", "--count", str(count), "--seed", str(pick.randint(0, 9)), *request, "--progress", "never"]
    if name.startswith(("out.csv", "out.j")) and case.chance(0.5):
        words += ["--columns", pick.choice(["solution,clues", "clues,status", "none", "difficulty"])]
    broken_off(case, words, name, None, 2)


def parts(case):
    """Runs shards in any order. Some shards are killed and resumed. Then merges them; the merge may be killed, too."""
    pick = case.random
    words, name, _ = question(case, may_be_fed=False)
    for flag in ("--skip", "--limit"):
        if flag in words:
            at = words.index(flag)
            words = words[:at] + words[at + 2:]
    words += ["--export-json", "record.json"]
    whole = undisturbed(case, words, name, None)
    of = pick.choice([1, 2, 2, 3, 5, 17])
    folder, failed = case.folder / "tried", False
    for number in pick.sample(range(1, of + 1), of):
        shard = [*words, "-o", name, "--shard", f"{number}/{of}"]
        again = []
        if case.chance(0.3):
            kill, after = of_signal(case), pick.uniform(0, whole.seconds / of)
            ran = case.run([*shard, *threads(case)], kill=kill, after=after)
            again = [pick.choice(["--resume", "--force"])]
            case.count("shards again")
        ran = case.run([*shard, *threads(case), *again])
        if ran.code not in (0, 1, 4):
            case.fail(f"a shard ends with {ran.code}")
        failed |= ran.code == 1
    if failed != (whole.code == 1):
        case.fail(f"undisturbed {whole.code}, and {'a' if failed else 'no'} shard fails")
    for left in folder.glob(".sudobench-*"):
        left.unlink()
    (folder / "record.json").unlink(missing_ok=True)
    made = [path.name for path in folder.glob("*.shard-*") if not re.search(r"\.(json|partial|new)$", path.name)]
    pick.shuffle(made)
    merge = ["merge", *made, "-o", name, "--export-json", "record.json", "--progress", "never"]
    if failed:
        if made and case.run(merge).code != 1:
            case.fail("merge accepts the parts of a failed run")
        return case.count("merges refused")
    if case.chance(0.3):
        case.run(merge, kill=of_signal(case), after=pick.uniform(0, 0.05))
        if (folder / name).exists():
            # If a killed merge has left a file with the name of its output, the output must be complete.
            case.same(name)
        left = [file for file in (f"{name}.partial", name) if (folder / file).exists()]
        if left:
            ran = case.run(merge)
            if ran.code != 1 or f"{left[0]} ".encode() not in ran.stderr or b"--force" not in ran.stderr:
                case.fail(f"{left[0]} is there, and merge ends with {ran.code}: {ran.stderr[-1000:]!r}")
            case.count("merges killed")
            merge.append("--force")
        for file in folder.glob(".sudobench-*"):
            file.unlink()
    ran = case.run(merge)
    if ran.code != whole.code:
        case.fail(f"merge ends with {ran.code}, undisturbed {whole.code}: {ran.stderr[-1000:]!r}")
    case.same(name)
    said = [words_of(of) for of in (ran, whole)]
    if said[0] != said[1]:
        case.fail(f"it says {said[0]}, undisturbed {said[1]}")
    same_record(case)


def can_mount():
    """Returns whether a small disk can be made here, and enlarged."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            command = ["unshare", "-rm", "sh", "-c", f"mount -t tmpfs soak {shlex.quote(folder)} && mount -o remount,size=1g {shlex.quote(folder)}"]
            return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


MOUNTS = can_mount()


DISK = """
mount -t tmpfs -o size="$1" soak "$2" && cd "$2" || exit 99
shift 2
"$@" 2>../first.stderr; echo $? >../first.code
cp -R . ../first
mount -o remount,size=1g .
"$@" --resume 2>../second.stderr; echo $? >../second.code
cp -R . ../second
"""


def no_room(case):
    """Runs with a small disk, which may become full, or with a limit of file sizes, which may be reached. Then there is room again, and
    --resume must complete the output."""
    words, name, fed = question(case)
    words += RECORD
    fed = fed and (fed[0], 1)
    whole = undisturbed(case, words, name, fed)
    written = sum(path.stat().st_size for path in (case.folder / "whole").iterdir())
    room = int(case.random.uniform(0, written * 1.2)) + 1
    if fed is None and MOUNTS and case.chance(0.7):
        (case.folder / "disk").mkdir()
        command = [str(case.binary), *words, "-o", name, *threads(case)]
        outer = ["unshare", "-rm", "sh", "-c", DISK, "sh", str(max(4096, room)), str(case.folder / "disk")]
        # The folder `disk` is beside `tried`, so the relative paths of the inputs are the same in both.
        case.run(command, "disk", program=outer)
        runs = []
        for which in ("first", "second"):
            code, said = int(case.read(f"{which}.code", ".")), case.read(f"{which}.stderr", ".")
            runs.append(Ran(code, b"", said, 0, None))
            case.log.append(f"    {which}: {code}: {said[-300:]!r}")
            case.hold(runs[-1])
            allowed = {name, "record.json"} | (partial_of(name) if code == 1 else set())
            if is_complete(runs[-1]):
                allowed |= partial_of(name)
            case.files(allowed, which)
        first, second = runs
        if first.code != 1 and (first.code, b"exists" in first.stderr) != (whole.code, False):
            case.fail(f"exit code {first.code}, undisturbed {whole.code}")
        if (case.folder / "second" / name).exists() or whole.code == 1:
            case.same(name, "second")
            same_record(case, "second")
        else:
            case.fail(f"there is room again, and no output: {second.stderr[-1000:]!r}")
        return

    ran = case.run(
        [*words, "-o", name, *threads(case)], stdin=fed,
        prepare=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)))
    if ran.code not in (1, whole.code):
        case.fail(f"exit code {ran.code}, undisturbed {whole.code}")
    case.files({name, "record.json"} | (partial_of(name) if ran.code == 1 else set()))
    resumed(case, words, name, fed, whole)


def closed(case):
    """Lets a reader of the output close its pipe early, or runs with standard output or standard error closed or full (`/dev/full`)."""
    words, _, fed = question(case)
    if "npy" in words:
        # Arrays can only be written to files, so lines are used instead.
        words[words.index("npy")] = "lines"
    whole = case.run([*words, *threads(case)], "whole", stdin=fed)
    taken, length = [], int(case.random.choice([0, 1, case.random.uniform(0, len(whole.stdout) * 1.1 + 1)]))
    which = case.random.choice(["reader", "reader", "reader", "no stderr", "full stderr", "full stdout", "no stdout"])
    case.log.append(f"    {which}, {length} bytes are read")
    if which == "reader":
        ours, theirs = os.pipe()

        def take():
            while (size := length - sum(map(len, taken))) > 0 and (piece := os.read(ours, min(size, 1 << 16))):
                taken.append(piece)
            os.close(ours)

        reader = threading.Thread(target=take)
        reader.start()
        # Tables are not interrupted: an interrupted table ends with its footer, so it is not the beginning of the whole table.
        kill = None if {"parquet", "arrow"} & set(words) else case.random.choice([None, None, signal.SIGINT])
        # This process must close its end for writing, or the reader would never see the end of the pipe.
        with os.fdopen(theirs, "wb") as pipe:
            after = case.random.uniform(0, whole.seconds)
            ran = case.run([*words, *threads(case)], kill=kill, after=after, stdin=fed, stdout=pipe)
        reader.join(10 * BOUND)
        if not whole.stdout.startswith(b"".join(taken)):
            case.fail("what was read is not the beginning of the undisturbed output")
        if ran.code not in {0, whole.code} and ran.signal is None:
            case.fail(f"exit code {ran.code}, undisturbed {whole.code}")
    elif which == "no stdout":
        case.run([*words, *threads(case)], stdin=fed, prepare=lambda: os.close(1))
    elif which == "full stdout":
        with open("/dev/full", "wb") as full:
            ran = case.run([*words, *threads(case)], stdin=fed, stdout=full)
        if whole.stdout and ran.code != 1:
            case.fail(f"exit code {ran.code} where nothing can be written")
    else:

        def muted():
            os.close(2)
            if which == "full stderr":
                os.open("/dev/full", os.O_WRONLY)

        ran = case.run([*words, *threads(case)], stdin=fed, prepare=muted)
        if (ran.code, ran.stdout) != (whole.code, whole.stdout):
            case.fail(f"exit code {ran.code}, undisturbed {whole.code}, or another output")
    case.files(set())


def limits(case):
    """Draws a limit of the system. Returns which resource it limits, as one of the numbers `resource.RLIMIT_...`, and the limit."""
    kind = case.random.choice(["descriptors", "stack", "memory", "memory", *["processes"] * (os.getuid() != 0)])
    if kind == "descriptors":
        return resource.RLIMIT_NOFILE, case.random.randrange(4, 13)
    if kind == "stack":
        return resource.RLIMIT_STACK, case.random.choice([64 << 10, 200 << 10])
    if kind == "memory":
        return resource.RLIMIT_AS, least_memory(case.binary) + int(case.random.choice([8, 32, 128, 512]) * case.random.random() * (1 << 20))
    # The limit counts the threads of all processes of this user. Python needs one more thread to start the program.
    return resource.RLIMIT_NPROC, threads_of_user() + case.random.randint(1, 14)


@functools.cache
def least_memory(binary):
    """Returns how many bytes of address space the program needs to start, in steps of 4 MiB. With less address space, the dynamic loader
    fails before the program starts."""
    step = 4 << 20
    for size in range(step, 4 << 30, step):
        limit = lambda size=size: resource.setrlimit(resource.RLIMIT_AS, (size, size))
        if subprocess.run([binary, "--version"], preexec_fn=limit, capture_output=True, check=False).returncode == 0:
            return size
    raise Failure("the program does not start with 4 GiB")


def threads_of_user():
    """Returns the number of threads that this user has."""
    count = 0
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if process.stat().st_uid == os.getuid():
                count += len(list((process / "task").iterdir()))
        except OSError:
            pass
    return count


def few_resources(case):
    """Limits file descriptors, threads or memory. The run must be completed, or it must name what is missing, and --resume must continue
    it."""
    words, name, fed = question(case)
    words += RECORD
    whole = undisturbed(case, words, name, fed)
    limit, value = limits(case)
    case.log.append(f"    limit {limit} is {value}")
    ran = case.run(
        [*words, "-o", name, *threads(case)], stdin=fed, prepare=lambda: resource.setrlimit(limit, (value, value)))
    failed = ran.code == 1 or (limit == resource.RLIMIT_AS and is_out_of_memory(ran))
    if not failed and ran.code != whole.code:
        case.fail(f"exit code {ran.code}, undisturbed {whole.code}")
    if ran.code == 1 and not words_of(ran):
        case.fail("it fails without a message")
    case.count("runs without resources" if failed else "runs with just enough resources")
    if is_out_of_memory(ran):
        # If the program aborts, it leaves the same files as after a kill.
        case.count("runs out of memory")
        for path in (case.folder / "tried").glob(".sudobench-*"):
            path.unlink()
    left = {f"{name}.partial.json.new", f"{name}.resume.json.new"} if is_out_of_memory(ran) else set()
    case.files({name, "record.json"} | (partial_of(name) | left if failed else set()))
    resumed(case, words, name, fed, whole)


def meddled(case):
    """Cuts, extends, overwrites or replaces an input while it is read. The run must report the change, or its output must be the output for
    one of the two versions. """
    verb = case.random.choice(["solve", "solve", "dedupe", "convert"])
    if verb == "solve":
        words, name, _ = question(case, may_be_fed=False)
    else:
        # `dedupe` is one of the verbs because it reads its inputs twice.
        flags = flags_of_rows(case, [None, "csv", "jsonl", "parquet", "arrow"], VERBS[verb][0], ["unique", "multiple", "unsolvable", "malformed"])
        words, name, _ = asked(case, verb, inputs(case, VERBS[verb][1]), flags, may_be_fed=False)
    whole = undisturbed(case, words, name, None)
    path = case.random.choice(list((case.folder / "in").iterdir()))
    how = case.random.choice(["cut", "grown", "written over", "replaced"])
    data = path.read_bytes()

    def meddle():
        if how == "cut":
            os.truncate(path, len(data) // 2)
        elif how == "replaced":
            other = path.with_name("other")
            other.write_bytes(data[:len(data) // 2])
            other.replace(path)
        else:
            with open(path, "ab" if how == "grown" else "r+b") as file:
                file.write(data[:len(data) // 2][::-1])

    meddling = threading.Timer(case.random.uniform(0, whole.seconds), meddle)
    meddling.start()
    ran = case.run([*words, "-o", name, *threads(case)])
    meddling.join()
    case.log.append(f"    {path}: {how}")
    if ran.code == 1:
        case.count("changes told" if b" changed while it was read" in ran.stderr else "changes that are faults")
        return case.files(partial_of(name))
    (case.folder / "changed").mkdir()
    case.run([*words, "-o", name, *threads(case)], "changed")
    outputs = [content(case, name, where) for where in ("tried", "whole", "changed")]
    if outputs[0] not in outputs[1:]:
        case.fail(f"exit code {ran.code}, but its output differs from the outputs for the input before and after the change")
    case.count("changes beside the reading")


def rivals(case):
    """Starts several runs with the same output. One of them may be killed."""
    words, name, _ = question(case, may_be_fed=False)
    whole = undisturbed(case, words, name, None)
    starts = []
    for number in range(case.random.randint(2, 4)):
        how = case.random.choice([[], ["--resume"], ["--resume"], ["--force"]])
        starts.append((case.random.uniform(0, whole.seconds), [*words, "-o", name, *threads(case), *how]))
    kill = case.random.randrange(len(starts)) if case.chance(0.3) else None
    ends, started = {}, time.monotonic()

    def write(number, after, command):
        time.sleep(after)
        environment = {**os.environ, MARK: case.mark, "NO_COLOR": "1"}
        child = subprocess.Popen(
            [case.binary, *command], cwd=case.folder / "tried", env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if number == kill:
            time.sleep(whole.seconds / 2)
            child.kill()
        out, err = child.communicate(timeout=10 * BOUND)
        ends[number] = Ran(child.returncode, out, err, 0, -signal.SIGKILL if number == kill else None)
        case.log.append(f"    {shlex.join(command)} from {after:.3f} to {time.monotonic() - started:.3f} s ended with "
                        f"{child.returncode}: {err[-300:]!r}")

    rivals = [threading.Thread(target=write, args=(number, *start)) for number, start in enumerate(starts)]
    for rival in rivals:
        rival.start()
    for rival in rivals:
        rival.join(10 * BOUND)
    if len(ends) < len(starts):
        case.fail("one of the runs does not end")
    for ran in ends.values():
        case.hold(ran)
    won = [ran for ran in ends.values() if ran.code == whole.code]
    if not won and kill is None:
        case.fail("no run wrote the output")
    left = {*partial_of(name), f"{name}.partial.json.new", f"{name}.resume.json.new"} if kill is not None or whole.code == 1 else set()
    case.files({name} | left)
    if (case.folder / "tried" / name).exists() or whole.code != 1:
        if kill is not None:
            case.run([*words, "-o", name, "--resume"])
        case.same(name)


def changed(case):
    """Changes a file between an interrupt and --resume: an input, the partial output, or its checkpoint."""
    words, name, fed = question(case)
    words += RECORD
    case.run([*words, "-o", name, *threads(case)], "whole", stdin=fed)
    begun = (case.folder / "whole" / "record.json").exists()
    seconds = json.loads((case.folder / "whole" / "record.json").read_bytes())["wall_ns"] / 1e9 + 0.01 if begun else 0.01
    if not disturbed(case, words, name, fed, seconds):
        return
    partial = case.folder / "tried" / f"{name}.partial"
    state = partial.with_name(partial.name + ".json")
    which = case.random.choice([*(case.folder / "in").iterdir(), partial, state])
    if not which.exists():
        return
    how = change(case, which)
    case.log.append(f"    {which}: {how}")
    for path in (case.folder / "whole").iterdir():
        path.unlink()
    whole = case.run([*words, "-o", name, *threads(case)], "whole", stdin=fed)
    ran = case.run([*words, "-o", name, *threads(case), "--resume"], stdin=fed)
    if ran.code == 1 and (ran.stderr != b"" and not (case.folder / "tried" / name).exists()):
        # --resume was refused, or the changed input has a fault. In both cases there is a message, and no file with the name of the output.
        case.count("changes refused")
        return case.files({"record.json", *partial_of(name), f"{name}.partial.json.new"})
    if ran.code != whole.code:
        case.fail(f"exit code {ran.code}, undisturbed {whole.code}: {ran.stderr[-1000:]!r}")
    case.files({name, "record.json"})
    case.same(name)
    if words_of(ran) != words_of(whole):
        case.fail(f"it says {words_of(ran)}, undisturbed {words_of(whole)}")
    same_record(case)


def change(case, path):
    """Changes a file. In half of the cases, its modification time stays the same. Returns a description of the change."""
    pick, data, before = case.random, path.read_bytes(), path.stat()
    # "digit" replaces one digit with another digit, so that a checkpoint or an output can be wrong but still look valid.
    how = pick.choice(["flipped", "flipped", "digit", "digit", "cut", "longer", "touched", "deleted", "emptied"])
    if path.parent.name == "in" and how == "deleted":
        how = "cut"
    at = pick.randrange(len(data)) if data else 0
    if how == "deleted":
        path.unlink()
        return how
    if how == "flipped" and data:
        mask = 1 << pick.randrange(8)
        path.write_bytes(data[:at] + bytes([data[at] ^ mask]) + data[at + 1:])
        how = f"flipped by {mask} at {at}"
    elif how == "digit" and (digits := [found.start() for found in re.finditer(rb"[1-9]", data)]):
        at, digit = pick.choice(digits), pick.choice(b"123456789")
        path.write_bytes(data[:at] + bytes([digit]) + data[at + 1:])
        how = f"{chr(digit)} at {at}"
    elif how == "cut":
        path.write_bytes(data[:at])
        how = f"cut at {at}"
    elif how == "longer":
        path.write_bytes(data + pick.choice([data[-100:], b"\n", b"x", b"\0" * 100]))
    elif how == "emptied":
        path.write_bytes(b"")
    if how != "touched" and case.chance(0.5):
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        how += ", its time unchanged"
    else:
        os.utime(path)
    return how
