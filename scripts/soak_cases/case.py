"""A case: its folder, its log, how it runs the program, and the conditions that every run must meet."""

import collections
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ZSTD = shutil.which("zstd")
# A program counts as hanging if it uses more than this number of seconds of processor time, or if it uses none for this number of seconds.
# A case without a hang uses less than a tenth of this processor time.
BOUND = 90
# Environment variable that marks all processes that a case starts. Child processes inherit it.
MARK = "SUDOBENCH_SOAK"
BITS = {signal.SIGINT: 1 << 1, signal.SIGTERM: 1 << 14}


class Failure(Exception):
    """A result that is not allowed."""


class Hang(Exception):
    """A program that does not end."""


# Line in the log of a case whose program got a second signal after a pause. Such a signal may end the program immediately, like SIGKILL.
SECOND = "    a second signal was sent"

Ran = collections.namedtuple("Ran", "code stdout stderr seconds signal")


class Case:
    """One test case: a folder, a source of random numbers, and a log."""

    def __init__(self, binary, seed, number):
        self.binary, self.number = binary, number
        self.random = random.Random(f"{seed}/{number}")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="soak-"))
        self.mark = f"{os.getpid()}-{number}-{self.folder.name}"
        self.log, self.counts = [], collections.Counter()
        for name in ("in", "whole", "tried"):
            (self.folder / name).mkdir()

    def fail(self, words):
        raise Failure(words)

    def count(self, what):
        self.counts[what] += 1

    def chance(self, share):
        return self.random.random() < share

    def run(self, words, where="tried", kill=None, after=None, stdin=None, stdout=None, prepare=None, program=None):
        """Runs the program in a folder of the case until it ends. If `kill` is given, sends this signal after `after`
        seconds. Checks the conditions that every run must meet."""
        command = [*(program or [str(self.binary)]), *words]
        shown = shlex.join(command)
        if stdin is not None:
            fed, pieces = stdin
            shown += f" < {shlex.quote(str(fed))}"
        self.log.append(f"cd {shlex.quote(str(self.folder / where))} && {MARK}={self.mark} {shown}")
        environment = {**os.environ, MARK: self.mark, "NO_COLOR": "1", "RUST_BACKTRACE": "0"}
        started, sent = time.monotonic(), None
        with open(self.folder / "stdout", "w+b") as out, open(self.folder / "stderr", "w+b") as err:
            child = subprocess.Popen(
                command, cwd=self.folder / where, env=environment, stderr=err, preexec_fn=prepare,
                stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
                stdout=out if stdout is None else stdout,
            )
            if stdin is not None:
                threading.Thread(target=feed, args=(child.stdin, fed, pieces), daemon=True).start()
            try:
                if kill is not None:
                    sent = self.kill(child, kill, after)
                code = end_of(child, self.mark)
            except Hang as hang:
                stacks(child.pid)
                child.kill()
                child.wait()
                self.fail(str(hang))
            out.seek(0), err.seek(0)
            stdout, stderr = out.read(), err.read()
        seconds = time.monotonic() - started
        ran = Ran(code, stdout, stderr, seconds, sent)
        self.count("runs")
        if sent and code not in (0, 4):
            self.count(f"ended by {signal.Signals(kill).name}")
        name = f", {signal.Signals(kill).name} after {after:.3f} s" if sent else ""
        self.log.append(f"    ended with {code} after {seconds:.3f} s{name}: {stderr[-300:]!r}")
        self.hold(ran)
        return ran

    def kill(self, child, kill, after):
        """Waits for `after` seconds, and then sends the signal `kill`, sometimes twice. Returns None if the program ended before the
        signal. Otherwise, returns the number of the signal; the number is negative if the program had no handler for the signal yet."""
        try:
            child.wait(after)
            return None
        except subprocess.TimeoutExpired:
            pass
        taken = kill in BITS and catches(child.pid) & BITS[kill]
        child.send_signal(kill)
        if taken and self.chance(0.2):
            # Some users don't wait and press Ctrl-C again. Within a tenth of a second, the second signal is ignored.
            pause = self.random.choice([0, 0.02, 0.12, 0.2])
            time.sleep(pause)
            child.send_signal(kill)
            self.count("second signals")
            # On a busy machine, the program may receive the signals more than a tenth of a second apart even if `pause` is shorter. Then it
            # does not ignore the second signal.
            if pause > 0:
                self.log.append(SECOND)
        return kill if taken else -kill

    def hold(self, ran):
        """Checks the conditions that every run must meet."""
        allowed = {0, 1, 3, 4, 5, 130}
        if is_out_of_memory(ran):
            allowed.add(ran.code)
        if ran.signal is not None:
            allowed.add(-abs(ran.signal) if ran.signal < 0 else 130)
        if ran.code not in allowed:
            self.fail(f"exit code {ran.code}")
        for word in (b"panicked at", b"RUST_BACKTRACE"):
            if word in ran.stderr and not is_out_of_memory(ran):
                self.fail(f"a panic: {ran.stderr[-2000:]!r}")
        if harm := re.search(r"[^\n\t\x20-\x7e\xa0-\U0010ffff]", ran.stderr.decode(errors="replace")):
            self.fail(f"a raw control character on standard error: {ran.stderr[max(0, harm.start() - 80):][:200]!r}")
        # The watchdog of a killed program needs a moment to end the other processes.
        until = time.monotonic() + BOUND
        while left := with_mark(self.mark):
            if time.monotonic() > until:
                self.fail(f"processes are left: {left}")
            time.sleep(0.01)

    def files(self, allowed, where="tried"):
        """Checks that a folder contains only the files of `allowed` and their records for --resume (`NAME.resume.json`)."""
        kept = {f"{name}.resume.json" for name in allowed}
        for path in (self.folder / where).iterdir():
            if path.name not in allowed | kept:
                self.fail(f"{where}/{path.name} is left")

    def read(self, name, where="tried"):
        """Returns the decompressed content of a file, or None if there is no file."""
        path = self.folder / where / name
        if not path.exists():
            return None
        return decompressed(path.read_bytes(), name)

    def same(self, name, where="tried"):
        """Checks that an output equals the output of the undisturbed run."""
        if name.endswith((".parquet.partial", ".arrow.partial")):
            # A partial table can't be compared: its row groups or record batches end at the interrupt, and it has no footer yet.
            return
        if content(self, name, where) != content(self, name, "whole"):
            self.fail(f"{where}/{name} differs from whole/{name}")


def is_out_of_memory(ran):
    """Returns whether the run ended because an allocation failed, and its standard error says so. The library that writes Parquet panics
    if zstd gets no memory."""
    is_aborted = ran.code == -signal.SIGABRT and b"memory allocation of " in ran.stderr
    return is_aborted or ran.code == 101 and b"zstd returned null pointer" in ran.stderr


def end_of(child, mark):
    """Waits for the end of a program, and returns its exit code. Raises `Hang` if the processes of its case use too much processor time,
    or none for too long. So a program that is slow because the machine is busy does not count as hanging."""
    used, changed = 0, time.monotonic()
    while True:
        try:
            return child.wait(1)
        except subprocess.TimeoutExpired:
            now = sum(processor_time(process) for process, _ in with_mark(mark))
        if now > BOUND:
            raise Hang(f"it uses more than {BOUND} s of processor time")
        if now != used:
            used, changed = now, time.monotonic()
        elif time.monotonic() - changed > BOUND:
            raise Hang(f"it has used no processor time for {BOUND} s")


def processor_time(process):
    """Returns the processor time of a process in seconds; 0 if the process has ended."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return 0


def feed(pipe, path, pieces):
    """Writes a file into a pipe, in `pieces` pieces. If there are several pieces, waits 0.02 s after each."""
    data = path.read_bytes()
    size = len(data) // pieces + 1
    try:
        for at in range(0, len(data), size):
            pipe.write(data[at:at + size])
            pipe.flush()
            if pieces > 1:
                time.sleep(0.02)
        pipe.close()
    except OSError:
        pass


def catches(process):
    """Returns the signals for which a process has a handler, as bits."""
    try:
        text = pathlib.Path(f"/proc/{process}/status").read_text()
        return int(re.search(r"SigCgt:\s*(\w+)", text).group(1), 16)
    except (OSError, AttributeError):
        return 0


def with_mark(mark):
    """Returns the process ID and the start of the command line of each process of a case, except zombies."""
    entry, found = f"{MARK}={mark}".encode(), []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if entry in (process / "environ").read_bytes().split(b"\0"):
                if "Z" != re.search(r"State:\s*(\w)", (process / "status").read_text()).group(1):
                    found.append((process.name, (process / "cmdline").read_bytes().replace(b"\0", b" ")[:200]))
        except (OSError, AttributeError):
            pass
    return found


def stacks(process):
    """Prints the kernel function in which each thread of a hanging process waits."""
    for task in pathlib.Path(f"/proc/{process}/task").glob("*/wchan"):
        print(f"soak: {task}: {task.read_text()}", file=sys.stderr)


def decompressed(data, name):
    """Decompresses an output. If the output is cut off, returns the part that can be decompressed."""
    if ".gz" in name:
        text = b""
        while data:
            member = zlib.decompressobj(wbits=31)
            text += member.decompress(data)
            data = member.unused_data
        return text
    if ".zst" in name:
        return subprocess.run([ZSTD, "-dc"], input=data, capture_output=True, check=False).stdout
    return data


def rows_of_table(binary, path):
    """Returns the columns and rows of a Parquet or Arrow file as JSON, which distinguishes numbers, texts and lists. Returns None if
    there is no such file. The result does not depend on where row groups end."""
    if not path.exists():
        return None
    words = [binary, "convert", path, "--output-format", "jsonl", "--quiet"]
    # If no row is a puzzle, the program cannot find the column of the puzzles. So the second attempt names a column.
    for more in ([], ["--puzzle-column", "1"]):
        ran = subprocess.run([*words, *more], capture_output=True, check=False, timeout=10 * BOUND)
        if ran.returncode in (0, 4):
            return ran.stdout
    raise Failure(f"{path} cannot be read: {ran.stderr[-1000:]!r}")


def content(case, name, where):
    """Returns an output in a form that can be compared: the rows of a table as JSON, other outputs decompressed."""
    if name.endswith((".parquet", ".arrow")):
        return rows_of_table(case.binary, case.folder / where / name)
    return case.read(name, where)
