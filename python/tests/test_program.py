"""Tests the commands `sudobench` and `python -m sudobench`, which run in the process of the Python interpreter."""

import errno
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import pytest
import sudobench
from conftest import MODULE, REPOSITORY, command

SAMPLE = REPOSITORY / "datasets/sample.csv"


def test_both_names_are_the_program() -> None:
    script = pathlib.Path(sys.executable).with_name("sudobench")
    for name in ([script], MODULE):
        said = subprocess.run([*name, "--version"], capture_output=True, text=True, check=True)
        assert said.stdout == f"sudobench {sudobench.__version__}\n"
    assert "Usage: sudobench solve" in command("solve", "--help").stdout


def test_rows_go_to_standard_output() -> None:
    solved = command("solve", SAMPLE, "-o", "-")
    assert solved.returncode == 0
    assert len(solved.stdout.splitlines()) == 61
    assert "60 rows" in solved.stderr
    piped = command("solve", "-q", input=SAMPLE.read_text())
    assert piped.stdout == solved.stdout


def test_exit_codes_are_the_programs() -> None:
    assert command("solve", REPOSITORY / "datasets/statuses.csv", "-q").returncode == 4
    usage = command("solve", "--unknown")
    assert usage.returncode == 2 and "unexpected argument" in usage.stderr
    hostile = command("solve", "--unknown\x1b[31m")
    assert hostile.returncode == 2 and "\x1b[31m" not in hostile.stderr and "--unknown" in hostile.stderr
    missing = command("solve", "nothing.csv")
    assert missing.returncode == 1 and missing.stderr.startswith("sudobench: cannot open nothing.csv")


def test_a_reader_that_goes_away_is_a_success(tmp_path: pathlib.Path) -> None:
    source = tmp_path / "long.csv"
    source.write_text("puzzle\n" + "".join(f"{line.split(',')[1]}\n" for line in SAMPLE.read_text().splitlines()[1:]) * 2000)
    with subprocess.Popen([*MODULE, "solve", source, "-q"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline() == "puzzle,solution,status\n"
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=60) == 0


def test_bench_measures_and_its_record_knows_what_was_typed(tmp_path: pathlib.Path) -> None:
    record = tmp_path / "record.json"
    words = ["bench", str(SAMPLE), "--solvers", "mrv", "--rounds", "1", "--min-time", "1ms", "--export-json", str(record)]
    measured = command(*words)
    assert measured.returncode == 0, measured.stderr
    assert json.loads(record.read_text())["arguments"] == words


def test_gate_starts_this_program_again() -> None:
    script = shutil.which("sudobench", path=pathlib.Path(sys.executable).parent)
    gated = command(
        "gate", SAMPLE, "--base", script, "--solvers", "mrv", "--min-trials", "2", "--max-trials", "2", "--leg", "5ms",
        "--warm-up-time", "20s",
    )
    assert gated.returncode in (0, 3), gated.stderr
    assert "mrv" in gated.stdout


@pytest.mark.skipif(not pathlib.Path("/proc/self").exists(), reason="this system has no /proc")
def test_engines_end_where_the_program_is_killed(tmp_path: pathlib.Path) -> None:
    """If the program is killed, its watchdog ends the engines. The watchdog is this program, started a second time."""
    engine, told = tmp_path / "engine.py", tmp_path / "told"
    engine.write_text(f"import os, time\nopen({str(told)!r}, 'w').write(str(os.getpid()))\ntime.sleep(1000)\n")
    words = ["bench", SAMPLE, "--solvers", "mrv", "--engine", f"stuck={sys.executable} {engine}"]
    limit = time.monotonic() + 60
    with subprocess.Popen([*MODULE, *map(str, words)], stderr=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        while not (told.exists() and told.read_text()) and time.monotonic() < limit:
            time.sleep(0.01)
        process.kill()
    running = pathlib.Path(f"/proc/{told.read_text()}")
    while running.exists() and time.monotonic() < limit:
        time.sleep(0.01)
    assert not running.exists()


@pytest.mark.parametrize("count", [1, 2])
def test_ctrl_c_ends_it_with_130(tmp_path: pathlib.Path, count: int) -> None:
    source = tmp_path / "slow.txt"
    source.write_text(("." * 81 + "\n") * 10)
    output = tmp_path / "out.csv"
    words = [*MODULE, "solve", source, "-o", output, "--max-solutions", str(10**15), "--threads", "1"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        limit = time.monotonic() + 60
        while not (tmp_path / "out.csv.partial").exists() and time.monotonic() < limit:
            time.sleep(0.01)
        for _ in range(count):
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "Traceback" not in said


def opened_by_a_reader(pipe: pathlib.Path) -> int:
    """Waits until a process has opened a pipe for reading, and opens the pipe for writing."""
    limit = time.monotonic() + 60
    while True:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            assert error.errno == errno.ENXIO and time.monotonic() < limit, error
            time.sleep(0.01)


def test_ctrl_c_ends_what_has_no_handler(tmp_path: pathlib.Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([*MODULE, "report", pipe], stderr=subprocess.PIPE, text=True) as process:
        writer = opened_by_a_reader(pipe)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    os.close(writer)
    assert process.returncode in (-signal.SIGINT, 130), said
    assert "Traceback" not in said


def test_closed_streams_are_not_taken_for_files(tmp_path: pathlib.Path) -> None:
    output = tmp_path / "out.csv"
    words = " ".join(f"'{word}'" for word in [*MODULE, "solve", SAMPLE, "-o", output])
    assert subprocess.run(["sh", "-c", f"{words} <&- >&- 2>&-"]).returncode == 0
    assert len(output.read_text().splitlines()) == 61
