"""Tests of `solve_file`, which runs the same pipeline as the command."""

import csv
import io
import os
import pathlib
import signal
import subprocess
import sys
import time

import pandas
import polars
import pyarrow as pa
import pyarrow.feather
import pytest
import sudobench
from conftest import REPOSITORY, Known, command

SAMPLE = REPOSITORY / "datasets/sample.csv"
STATUSES = REPOSITORY / "datasets/statuses.csv"


def test_a_file_is_that_of_the_command(tmp_path: pathlib.Path) -> None:
    finished = sudobench.solve_file(STATUSES, tmp_path / "a.csv", columns=["solution", "status", "count", "note"])
    assert command("solve", STATUSES, "-o", tmp_path / "b.csv", "--columns", "solution,status,count,note").returncode == 4
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert finished is not None
    assert finished.rows == sum(finished.statuses.values()) == 26
    assert finished.statuses["malformed"] == len([row for row in csv.DictReader(open(tmp_path / "a.csv")) if row["status"] == "malformed"])
    assert finished.mismatches == 0 < finished.compared
    assert any(":malformed:" in notice.replace(" ", "") for notice in finished.notices)
    assert finished.resumed_after == finished.left_out == 0
    assert finished.seconds > 0


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_arrow_files_are_those_of_other_programs(tmp_path: pathlib.Path, compression: str) -> None:
    """sudobench reads the Feather files of pyarrow, pandas and polars, and these packages read the Feather files of sudobench."""
    rows = list(csv.DictReader(open(SAMPLE)))
    table = pa.table({"id": list(range(len(rows))), "puzzle": [row["puzzle"] for row in rows]})
    pyarrow.feather.write_feather(table, tmp_path / "arrow.feather", compression=compression, chunksize=17)
    table.to_pandas().to_feather(tmp_path / "pandas.feather", compression=compression)
    polars.DataFrame(table).write_ipc(tmp_path / "polars.arrow", compression=compression)
    expected = [row["solution"] for row in rows]
    for name in ("arrow.feather", "pandas.feather", "polars.arrow"):
        finished = sudobench.solve_file(tmp_path / name, tmp_path / "out.arrow", force=True)
        assert finished is not None and finished.rows == len(rows)
        written = pyarrow.feather.read_table(tmp_path / "out.arrow")
        written.validate(full=True)
        assert written["id"].to_pylist() == list(range(len(rows))) and written["id"].type == pa.int64()
        assert written["solution"].to_pylist() == expected
        frame = pandas.read_feather(tmp_path / "out.arrow")
        assert frame["solution"].tolist() == expected and set(frame["status"]) == {"unique"}
        assert polars.read_ipc(tmp_path / "out.arrow")["solution"].to_list() == expected


def test_conditions_are_those_of_the_command(tmp_path: pathlib.Path) -> None:
    conditions = ["minimal=no", "clues=..33", "unique", "multiple"]
    finished = sudobench.check_file(STATUSES, tmp_path / "a.csv", only=conditions)
    words = ["--only", "minimal=no", "--only", "clues=..33", "--only", "unique,multiple"]
    assert command("check", STATUSES, "-o", tmp_path / "b.csv", *words).returncode == 4
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert finished is not None
    assert 0 < finished.rows - finished.left_out == len(list(csv.DictReader(open(tmp_path / "a.csv"))))
    with pytest.raises(ValueError, match="only: the column `minimal` never has the value `perhaps`"):
        sudobench.check_file(STATUSES, tmp_path / "c.csv", only="minimal=perhaps")


def test_options_are_those_of_the_command(tmp_path: pathlib.Path) -> None:
    finished = sudobench.solve_file(
        [SAMPLE, SAMPLE], tmp_path / "a.csv.gz", columns="status,match", only="unique", input_format="csv", header=True,
        puzzle_column="puzzle", solution_column=3, skip=10, limit=70, max_solutions=3, answer="smallest", max_nodes=10**6,
        max_time_per_puzzle=60, solver="mrv", threads=2,
    )
    words = f"solve {SAMPLE} {SAMPLE} -o {tmp_path}/b.csv.gz --columns status,match --only unique --input-format csv --header "
    words += "yes --puzzle-column puzzle --solution-column 3 --skip 10 --limit 70 --max-solutions 3 --max-nodes 1000000 "
    words += "--max-time-per-puzzle 60s --solver mrv --threads 2"
    assert command(*words.split()).returncode == 0
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()
    assert finished is not None and finished.rows == 70


def test_names_say_the_format(tmp_path: pathlib.Path) -> None:
    sudobench.solve_file(str(SAMPLE), str(tmp_path / "a.jsonl.zst"))
    assert (tmp_path / "a.jsonl.zst").read_bytes()[:4] == b"\x28\xb5\x2f\xfd"
    sudobench.solve_file(SAMPLE, tmp_path / "a.data", output_format="jsonl")
    assert (tmp_path / "a.data").read_bytes().startswith(b"{")


def test_errors_are_pythons_with_the_words_of_the_command(tmp_path: pathlib.Path) -> None:
    there = tmp_path / "there.csv"
    there.write_text("x")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "closed").mkdir(mode=0o500)
    for source, target, error, words in [
        (tmp_path / "none.csv", tmp_path / "a.csv", FileNotFoundError, "cannot open"),
        (tmp_path, tmp_path / "a.csv", IsADirectoryError, "is a directory"),
        (tmp_path / "empty.csv", tmp_path / "a.csv", ValueError, "is empty"),
        (SAMPLE, there, FileExistsError, "exists"),
        (SAMPLE, tmp_path, IsADirectoryError, "is a folder"),
        (SAMPLE, tmp_path / "no/a.csv", FileNotFoundError, "cannot write"),
        (SAMPLE, pathlib.Path("/dev/full"), OSError, "No space left"),
    ]:
        with pytest.raises(error) as raised:
            sudobench.solve_file(source, target)
        said = command("solve", source, "-o", target).stderr.strip()
        assert words in str(raised.value)
        assert str(raised.value).split(";")[0] in said, said
    with pytest.raises(ValueError, match="same file"):
        sudobench.solve_file(there, there, force=True)
    assert there.read_text() == "x"
    sudobench.solve_file(SAMPLE, there, force=True)
    assert there.read_text().startswith("id,puzzle")
    if os.getuid() != 0:
        with pytest.raises(PermissionError):
            sudobench.solve_file(SAMPLE, tmp_path / "closed/a.csv")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"columns": "time"}, "there is no column `time`"),
        ({"columns": "status", "output_format": "boj2580"}, "has no columns"),
        ({"only": "never"}, "never"),
        ({"input_format": "xml"}, "choose from"),
        ({"output_format": "xml"}, "choose from"),
        ({"force": True, "resume": True}, "force=True and resume=True cannot be combined"),
        ({"solver": "magic"}, "choose from"),
        ({"threads": 0}, "threads=0"),
    ],
)
def test_options_are_validated(options: dict[str, object], words: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(ValueError) as raised:
        sudobench.solve_file(SAMPLE, tmp_path / "a.csv", **options)
    assert words in str(raised.value)
    assert list(tmp_path.iterdir()) == []


def test_progress_is_shown(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    sudobench.solve_file(SAMPLE, tmp_path / "a.csv")
    assert capsys.readouterr().err == ""
    sudobench.solve_file(SAMPLE, tmp_path / "b.csv", progress=True)
    assert "60/60" in capsys.readouterr().err.replace(".0", "")
    # Imitates a terminal, in an environment without tqdm.
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    sudobench.solve_file(SAMPLE, tmp_path / "c.csv", progress=True)
    assert "100%, 60 rows" in capsys.readouterr().err


SLOW ="""
import signal, sys
import sudobench
try:
    sudobench.solve_file(sys.argv[1], sys.argv[2], max_solutions=100_000, solver="bitboard", threads=2)
except KeyboardInterrupt as interrupt:
    print(interrupt)
    sys.exit(7)
"""


def test_a_call_with_another_answer_does_not_resume(tmp_path: pathlib.Path) -> None:
    sudobench.solve_file(SAMPLE, tmp_path / "a.csv", answer="smallest", resume=True)
    with pytest.raises(ValueError, match="different max_solutions or answer: it had `smallest`, but this run has `first`"):
        sudobench.solve_file(SAMPLE, tmp_path / "a.csv", answer="first", resume=True)


def test_ctrl_c_leaves_what_resume_goes_on_with(tmp_path: pathlib.Path) -> None:
    source, output = tmp_path / "slow.txt", tmp_path / "out.csv"
    # Each puzzle takes some milliseconds, because 100,000 of its solutions are counted. A block has about 50 puzzles.
    source.write_text(("12345678." + "." * 72 + "\n") * 600)
    with subprocess.Popen([sys.executable, "-c", SLOW, source, output], stdout=subprocess.PIPE, text=True) as process:
        partial = tmp_path / "out.csv.partial"
        limit = time.monotonic() + 60
        while not (partial.exists() and partial.stat().st_size > 100) and time.monotonic() < limit:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 7, said
    assert "continue with the same options and resume=True" in said
    assert not output.exists()
    with pytest.raises(FileExistsError, match="from a run that did not finish"):
        sudobench.solve_file(source, output, max_solutions=100_000, solver="bitboard")
    finished = sudobench.solve_file(source, output, max_solutions=100_000, solver="bitboard", resume=True)
    assert finished is not None
    assert 0 < finished.resumed_after < finished.rows == 600
    rows = list(csv.DictReader(io.StringIO(output.read_text())))
    assert len(rows) == 600 and {row["status"] for row in rows} == {"multiple"}
    with pytest.warns(UserWarning, match="is complete; nothing was done. Its record says") as warned:
        assert sudobench.solve_file(source, output, max_solutions=100_000, solver="bitboard", resume=True) is None
    assert warned[0].filename == __file__, "the warning points at the caller"


def test_answers_in_memory_are_those_of_the_command(tmp_path: pathlib.Path, known: list[Known]) -> None:
    """Compares 100,000 rows byte for byte."""
    # An empty line of a file is not a row.
    rows = [row.puzzle for row in known if row.puzzle]
    assert not any(mark in row for row in rows for mark in '",')
    rows = (rows * (100_000 // len(rows) + 1))[:100_000]
    source = tmp_path / "in.csv"
    source.write_text("puzzle\n" + "".join(f"{row}\n" for row in rows))
    assert command("solve", source, "-o", tmp_path / "out.csv", "--columns", "solution,status,count,note").returncode == 4
    with open(tmp_path / "out.csv", newline="") as file:
        wanted = file.read()

    def text(puzzles: list[str], table: pa.Table) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["puzzle", "solution", "status", "count", "note"])
        columns = [table[name].to_pylist() for name in ("solution", "status", "count", "note")]
        writer.writerows(zip(puzzles, *columns))
        return out.getvalue()

    answers = sudobench.solve(rows)
    frame = answers.to_pandas()
    frame["count"] = frame["count"].astype(object).where(frame["status"] != "malformed", None)
    in_memory = pa.Table.from_pandas(frame.astype(object).where(frame.notna(), None), preserve_index=False)
    assert text(rows, in_memory) == wanted
    table = sudobench.solve_table(pa.table({"puzzle": rows}), columns="solution,status,count,note")
    assert text(rows, table) == wanted
    sudobench.solve_file(source, tmp_path / "file.csv", columns="solution,status,count,note")
    assert (tmp_path / "file.csv").read_text() == wanted
