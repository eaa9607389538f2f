"""Cases that run `bench`, `judge` and `gate` with programs that misbehave."""

import json
import re
import shlex
import shutil
import signal
import sys
import time

from .case import MARK, ROOT
from .inputs import SAMPLE

ANSWER = f"sed s/.*/{SAMPLE[0][1]}/"
ZOO = [
    "yes", "yes >&2", "cat /dev/zero", "$SLEEP; true", "$SLEEP & $SLEEP & wait", "trap '' TERM INT HUP; $SLEEP; true",
    "(trap '' TERM; setsid $SLEEP) & $SLEEP", "exec >&-; cat >/dev/null; $SLEEP", "kill -SEGV $$", "kill -STOP $$",
    "exec 3<&0; $ANSWER <&3 &", "(setsid sh -c '$SLEEP & wait' &); $ANSWER", "head -c 10000000 /dev/zero >&2; $ANSWER",
    "head -c 81 /dev/urandom; echo; head -n 3", "exit 3", "exec <&-; sleep 0.2; $ANSWER", "exec 2>&1; echo $$ >&2; $ANSWER",
    "setsid setsid $SLEEP >/dev/null 2>&1 </dev/null & $ANSWER", "env -i setsid sleep 3 >/dev/null 2>&1 & $ANSWER",
]
READY = '{"protocol":1,"pairs":[{"solver":"mrv","dataset":"sample.csv","puzzles":20,"pass_ns":100000}]}'


def stranger(case, answer):
    """Makes a random shell script. It may answer rightly, wrongly or not at all, and may do what programs must not do, such as leaving
    processes behind."""
    pick = case.random
    if case.chance(0.4):
        script = pick.choice(ZOO)
    else:
        before = pick.choice(["", "", "echo Solver 2.0", "printf '\\033[31mred\\n' >&2", "$SLEEP &", "setsid $SLEEP &", "trap '' TERM"])
        middle = pick.choice([answer, answer, "head -n 3", "read line; echo $line", "cat", "head -c 50", f"{answer} | tail -n 2", "yes | head -n 9"])
        after = pick.choice(["", "", "echo done", "$SLEEP", "exit 4", "kill -ABRT $$", "echo '\033]0;x\007' >&2; exit 1", "kill -9 $$"])
        script = "\n".join([before, middle, after])
    return "#!/bin/sh\n" + script.replace("$SLEEP", "sleep 1000").replace("$ANSWER", answer) + "\n"


def engines(case):
    """Runs `bench` with engines that misbehave."""
    tried = case.folder / "tried"
    (tried / "puzzles.txt").write_text("".join(f"{SAMPLE[0][0]}\n" for _ in range(case.random.choice([1, 4, 50]))))
    words = ["bench", "puzzles.txt", "--solvers", "null", "--rounds", "3", "--min-time", "0s", "--max-time-per-pair", "600ms"]
    names = [f"engine{number}" for number in range(case.random.randint(1, 2))]
    for name in names:
        (tried / name).write_text(text := stranger(case, ANSWER))
        case.log.append(f"    {name}: {text!r}")
        words += ["--engine", f"{name}=sh {name}"]
    kill = case.random.choice([None, None, signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
    ran = case.run([*words, "--export-json", "record.json"], kill=kill, after=case.random.uniform(0, 2))
    case.files({"puzzles.txt", "record.json", *names})
    harmless(case, ran.stdout)
    # If a second signal was sent, the program may end without a record.
    if ran.code in (0, 4) or (ran.code == 130 and not case.counts["second signals"]):
        pairs = {pair["solver"] for pair in json.loads((tried / "record.json").read_bytes())["pairs"]}
        if not pairs.issuperset(names):
            case.fail(f"the record has {pairs}")
    elif ran.signal is None:
        case.fail(f"exit code {ran.code}")


# A program that reads the answers of a solver. From run number `first` on, it prints the answers in a wrong order, or too many or too few
# of them. If it changes the answers in a run with all puzzles of the case, it creates the file `disordered`. sudobench also sends a few
# test puzzles of its own; runs on these do not create the file.
DISORDERED = """
import pathlib, sys
how, puzzles, first = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
answers = [line.rstrip() + " nodes=7" for line in sys.stdin]
runs = pathlib.Path("runs")
number = len(runs.read_text()) + 1 if runs.exists() else 1
runs.write_text("x" * number)
changed = {
    "in order": answers,
    "reversed": answers[::-1],
    "one late": answers[1:] + answers[:1],
    "two swapped": answers[:-2] + answers[:-3:-1],
    "all twice": [answer for answer in answers for _ in range(2)],
    "first twice": answers[:1] + answers,
    "last twice": answers + answers[-1:],
    "one left out": answers[1:],
}[how] if number >= first else answers
if changed != answers and len(answers) == puzzles:
    pathlib.Path("disordered").touch()
print("".join(answer + "\\n" for answer in changed), end="", flush=True)
"""
# The first order is right and must be accepted, because otherwise the refusals of the other orders would prove nothing.
ORDERS = ["in order", "reversed", "one late", "two swapped", "all twice", "first twice", "last twice", "one left out"]


def disordered(case):
    """Runs `bench` and `gate` with engines that answer out of order or twice, perhaps only after their first run. Such engines must be
    refused, without a measurement."""
    tried, pick = case.folder / "tried", case.random
    puzzles = pick.sample(sorted({puzzle for puzzle, _ in SAMPLE}), pick.choice([2, 3, 40]))
    (tried / "puzzles.txt").write_text("".join(f"{puzzle}\n" for puzzle in puzzles))
    (tried / "reorder.py").write_text(DISORDERED)
    how, first = pick.choice(ORDERS), pick.choice([1, 1, pick.randint(2, 9)])
    reorder = shlex.join([sys.executable, "reorder.py", how, str(len(puzzles)), str(first)])
    (tried / "engine").write_text(f"'{case.binary}' solve --quiet --output-format lines | {reorder}\n")
    engine = ["--engine", "e=sh engine"]
    if case.chance(0.5):
        words = ["--rounds", "3", "--min-time", "0s", "--max-time-per-pair", "60s", "--export-json", "record.json"]
        ran = case.run(["bench", "puzzles.txt", "--solvers", "mrv", *engine, *words])
        pairs = {pair["solver"]: pair for pair in json.loads((tried / "record.json").read_bytes())["pairs"]}
        told = {name: "error" not in pair for name, pair in pairs.items()}
    else:
        ran = case.run(["gate", "puzzles.txt", *engine, "--baseline", "baseline.txt", "--update-baseline", "--allow-missing"])
        baseline = tried / "baseline.txt"
        told = {"e": baseline.exists() and b"\npair e " in baseline.read_bytes()}
    is_right = not (tried / "disordered").exists()
    if told.pop("e") != is_right or (ran.code == 0) != is_right or not all(told.values()):
        case.fail(f"an engine whose answers are {how} from run {first} on ends with {ran.code}: {ran.stdout[-3000:].decode()}")
    case.files({"puzzles.txt", "reorder.py", "engine", "runs", "disordered", "record.json", "baseline.txt"})
    case.count("engines in order" if is_right else "engines out of order")


def judged(case):
    """Runs `judge` with programs that misbehave."""
    tried, temporary, pick = case.folder / "tried", case.folder / "tmp", case.random
    temporary.mkdir()
    puzzle, solution = SAMPLE[0]
    (tried / "puzzles.txt").write_text(f"{puzzle}\n" * pick.choice([1, 2, 5]))
    problem, between = pick.choice([("boj2580", " "), ("boj2239", "")])
    rows = [between.join(solution[row * 9 : row * 9 + 9]) for row in range(9)]
    (tried / "answer").write_text("\n".join(rows) + "\n")
    # Programs do not inherit the environment, except the mark by which a case finds its processes.
    words = ["judge", "--problem", problem, "puzzles.txt", "--all-puzzles", "--env", f"{MARK}={case.mark}", "--export-json", "record.json"]
    words += ["--time-limit", "200ms", "--wall-limit", "400ms", "--jobs", str(pick.randint(1, 3)), "--repeat", str(pick.randint(1, 2))]
    words += ["--stop-at-first"] * case.chance(0.3)
    names = [f"program{number}" for number in range(pick.randint(1, 2))]
    for name in names:
        (tried / name).write_text(text := stranger(case, f"cat '{tried / 'answer'}'"))
        case.log.append(f"    {name}: {text!r}")
        words += ["--program", f"{name}=sh {name}"]
    kill = pick.choice([None, None, signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
    started = ["env", f"TMPDIR={temporary}", str(case.binary)]
    ran = case.run(words, kill=kill, after=pick.uniform(0, 2), program=started)
    case.files({"puzzles.txt", "answer", "record.json", *names})
    until = time.monotonic() + 10
    while left := list(temporary.iterdir()):
        if time.monotonic() > until:
            case.fail(f"folders are left: {left}")
        time.sleep(0.01)
    harmless(case, ran.stdout)
    if ran.code in (0, 4) or (ran.code == 130 and not case.counts["second signals"]):
        pairs = json.loads((tried / "record.json").read_bytes())["pairs"]
        if {pair["solver"] for pair in pairs} != set(names):
            case.fail(f"the record has {pairs}")
        verdicts = {pair["judge"]["verdict"] for pair in pairs if "judge" in pair}
        if ran.code != 130 and (ran.code == 0) != (verdicts == {"AC"}):
            case.fail(f"exit code {ran.code}, but {verdicts}")
        case.counts.update(f"verdict {verdict}" for verdict in verdicts)
    elif ran.signal is None:
        case.fail(f"exit code {ran.code}")


def bases(case):
    """Runs `gate` with a base that misbehaves."""
    tried = case.folder / "tried"
    shutil.copy(ROOT / "datasets" / "sample.csv", tried)
    (tried / "base").write_text(text := stranger(case, case.random.choice([
        f"echo '{READY}'; read line", f"echo '{READY}'; while read line; do echo '{{\"pass_ns\":[100000]}}'; done", "echo hello",
        f"exec '{case.binary}' \"$@\"", f"echo '{READY}'; cat", "printf '{\"protocol\":1,'",
    ])))
    (tried / "base").chmod(0o755)
    case.log.append(f"    base: {text!r}")
    words = ["gate", "sample.csv", "--solvers", "mrv", "--sample", "20", "--base", "./base", "--warm-up-time", "50ms", "--leg", "1ms"]
    words += ["--min-trials", "2", "--max-trials", "4", "--max-silence", "1s", "--export-json", "verdict.json"]
    kill = case.random.choice([None, None, signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
    ran = case.run(words, kill=kill, after=case.random.uniform(0, 2))
    case.files({"sample.csv", "base", "verdict.json"})
    harmless(case, ran.stdout)
    if ran.code in (0, 3, 4, 5):
        json.loads((tried / "verdict.json").read_bytes())


def builds(case):
    """Runs `gate` with two builds of an engine that misbehave, or with one build and a baseline."""
    tried, pick = case.folder / "tried", case.random
    (tried / "puzzles.txt").write_text(f"{SAMPLE[0][0]}\n" * pick.choice([1, 4, 50]))
    told = pick.choice(["", "", " nodes=7", " nodes=7 guesses=1", " nodes=$$"])
    answer = f'sed "s/.*/{SAMPLE[0][1]}{told}/"'
    for name in ("head", "base"):
        (tried / name).write_text(text := stranger(case, answer))
        case.log.append(f"    {name}: {text!r}")
    words = ["gate", "puzzles.txt", "--engine", "e=sh head", "--max-silence", "1s"]
    files = {"puzzles.txt", "head", "base", "verdict.json", "baseline.txt"}
    kill = pick.choice([None, None, signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
    after = pick.uniform(0, 2)
    stored = b"# sudobench baseline 2\nquestion max_solutions=2 max_nodes=1000000 seed=1 sample=500\n"
    if case.chance(0.4):
        (tried / "baseline.txt").write_bytes(stored)
        ran = case.run([*words, "--baseline", "baseline.txt", "--update-baseline"], kill=kill, after=after)
        case.files(files)
        text = (tried / "baseline.txt").read_bytes()
        if ran.code == 0 and b"\npair e puzzles.txt puzzles=" not in text:
            case.fail(f"nothing was stored: {text!r}")
        if text != stored and (not text.startswith(stored) or not text.endswith(b"\n")):
            case.fail(f"a torn baseline: {text!r}")
        return
    words += ["--base-engine", "e=sh base", "--leg", "1ms", "--min-trials", "2", "--max-trials", "4"]
    words += pick.choice([[], ["--limits", "nodes=0%,memory=5%,startup=5%"], ["--allow-missing"]])
    ran = case.run([*words, "--export-json", "verdict.json"], kill=kill, after=after)
    case.files(files)
    harmless(case, ran.stdout)
    if ran.code in (0, 3, 4):
        verdict = json.loads((tried / "verdict.json").read_bytes())["verdict"]
        case.count(f"verdict {verdict}")
        if (ran.code == 0) != (verdict in ("pass", "inconclusive")):
            case.fail(f"exit code {ran.code}, but {verdict}")
    elif ran.signal is None and ran.code != 130:
        case.fail(f"exit code {ran.code}")


def harmless(case, text):
    """Checks that tables contain no control characters that affect a terminal."""
    if harm := re.search(r"[^\n\t\x20-\x7e\xa0-\U0010ffff]", text.decode(errors="replace")):
        case.fail(f"a raw control character in a table: {harm.group()!r}")
