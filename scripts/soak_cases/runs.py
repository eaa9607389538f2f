"""Runs that write to a file. Signals interrupt these runs, `--resume` continues them, and the results are compared with the results of an undisturbed run."""

import json
import re
import signal

from .case import SECOND


def threads(case):
    return ["--threads", str(case.random.choice([1, 2, 2, 3, 8]))]


def of_signal(case):
    return case.random.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM])


RECORD = ["--export-json", "record.json", "--hash"]


def partial_of(name):
    return {f"{name}.partial", f"{name}.partial.json"}


def undisturbed(case, words, name, fed):
    """Makes and returns the undisturbed run with which other runs are compared."""
    ran = case.run([*words, "-o", name, *threads(case)], "whole", stdin=fed)
    left = partial_of(name) if ran.code == 1 else set()
    case.files({name, "record.json"} | left, "whole")
    return ran


def record_of(case, where):
    """Returns the counts in the record of a run, without times and threads."""
    path = case.folder / where / "record.json"
    if not path.exists():
        return None
    record = json.loads(path.read_bytes())
    names = ("solver", "max_solutions", "rows", "statuses", "left_out", "compared", "mismatches", "refused", "interrupted")
    counts = {name: record[name] for name in names}
    asked = " ".join(record["arguments"])
    if record["solver"] not in ("auto", "bitslice") or re.search(r"max-nodes|columns \S*(nodes|guesses)", asked):
        # The nodes and guesses of a batch solver depend on its batches. An interrupt may change the batches, unless the run has a node
        # limit, or a column with nodes or guesses. So the counts of a batch solver are compared only if the run has this limit or this
        # column.
        counts |= {name: record[name] for name in ("nodes", "guesses", "without_guess")}
    counts["timed"] = record["latency_ns"]["puzzles"]
    counts["budgets"] = [(budget["label"], budget["of"]) for budget in record["budgets"]]
    counts["inputs"] = [(entry["path"], entry.get("sha256")) for entry in record["inputs"]]
    return counts


def same_record(case, where="tried"):
    """Checks that the record of a run equals the record of the undisturbed run."""
    if record_of(case, where) != record_of(case, "whole"):
        case.fail(f"its record has {record_of(case, where)}, undisturbed {record_of(case, 'whole')}")


def words_of(ran):
    """Returns the lines `sudobench: ...` of a run's standard error, without times."""
    times = re.compile(r" rows in [0-9.]+ s(, .* from an earlier run, whose time is included)?$")
    lines = ran.stderr.decode(errors="replace").splitlines()
    return [times.sub(" rows", line) for line in lines if line.startswith("sudobench: ")]


# The message of a run with --resume, if the output is complete and an earlier run without --resume wrote it.
UNKNOWN = b".resume.json is missing: a run with --resume writes this file beside its output"

# The message of `overlap` and `score` if there are no rows. The run fails, but its output is complete.
NO_ROWS = b", so there is no result"


def is_complete(ran):
    """Returns whether a run with --resume found a complete output."""
    return b"is complete; nothing was done" in ran.stderr or UNKNOWN in ran.stderr


def resumed(case, words, name, fed, whole):
    """Resumes the run, and compares its output and record with the undisturbed run."""
    ran = case.run([*words, "-o", name, *threads(case), "--resume"], stdin=fed)
    if is_complete(ran) and (whole.code != 1 or NO_ROWS in whole.stderr):
        # The earlier run was killed after its output was complete, so its record is complete too.
        case.files({name, "record.json"})
        if ran.code != (1 if UNKNOWN in ran.stderr else whole.code):
            case.fail(f"exit code {ran.code}, undisturbed {whole.code}: {ran.stderr[-1000:]!r}")
        same_record(case)
        return case.same(name)
    if fed and fed[1] > 1 and b"is from a run with different" in ran.stderr:
        # The interrupted run detected the layout from an incomplete part of the input. With the whole input, another layout is detected.
        return case.count("layouts refused")
    if ran.code != whole.code:
        case.fail(f"exit code {ran.code}, undisturbed {whole.code}: {ran.stderr[-1000:]!r}")
    left = partial_of(name) if ran.code == 1 else set()
    case.files({name, "record.json"} | left)
    for file in (name, f"{name}.partial"):
        case.same(file)
    if words_of(ran) != words_of(whole):
        case.fail(f"it says {words_of(ran)}, undisturbed {words_of(whole)}")
    same_record(case)


def disturbed(case, words, name, fed, seconds):
    """Makes a run that gets a signal. Returns whether there is a partial output to continue."""
    kill = of_signal(case)
    ran = case.run(
        [*words, "-o", name, *threads(case)], kill=kill, after=case.random.uniform(0, seconds * 1.1), stdin=fed)
    allowed = {name, "record.json"}
    if ran.code not in (0, 4):
        allowed |= partial_of(name)
    if ran.code == -signal.SIGKILL or SECOND in case.log:
        # A killed run may leave temporary files. A resumed run overwrites the temporary file of the checkpoint, but not the temporary files
        # of the record, so these are removed here.
        allowed |= {f"{name}.partial.json.new", f"{name}.resume.json.new"}
        for path in (case.folder / "tried").glob(".sudobench-*"):
            path.unlink()
    case.files(allowed)
    left = case.folder / "tried" / f"{name}.partial"
    if left.exists() and left.stat().st_size > 1000:
        case.count("parts left")
    return left.exists()


def broken_off(case, words, name, fed, most):
    """Kills or interrupts a run, and up to `most` further runs that resume it. Then resumes it until the output is complete."""
    whole = undisturbed(case, words, name, fed)
    if disturbed(case, words, name, fed, whole.seconds):
        for _ in range(case.random.randint(0, most)):
            disturbed(case, [*words, "--resume"], name, fed, whole.seconds)
    resumed(case, words, name, fed, whole)
