"""Tests the results of `dedupe`, `dedupe_table` and `dedupe_file` for several kinds of input."""

import os
import pathlib
import threading
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sudobench
from conftest import Known
from test_canonical import equivalent
from test_solve import ARRAYS, PUZZLE, SOLUTION, TEXTS, cells

ROWS = [PUZZLE, SOLUTION, PUZZLE.replace(".", "0"), "none", PUZZLE, "none", equivalent(PUZZLE, 3)]


def known(*puzzles: str) -> list[Known]:
    return [Known(puzzle, "", "unique") for puzzle in puzzles]


def told(deduped: sudobench.Deduped) -> tuple[list[int], list[int], list[int]]:
    return deduped.index.tolist(), deduped.count.tolist(), deduped.inverse.tolist()


def test_the_first_of_equal_puzzles_is_kept() -> None:
    deduped = sudobench.dedupe(ROWS)
    assert told(deduped) == ([0, 1, 3, 5, 6], [3, 1, 0, 0, 1], [0, 1, 0, 2, 0, 3, 4])
    assert deduped.notes == dict.fromkeys([3, 5], "4 characters where a puzzle has 81")
    assert deduped.duplicate.tolist() == [False, False, True, False, True, False, False]
    assert len(deduped) == 5 and repr(deduped) == "<sudobench.Deduped: 5 of 7 rows>"
    assert (deduped.index.dtype, deduped.count.dtype) == (np.int64, np.uint64)
    assert told(sudobench.dedupe(ROWS, isomorph=True)) == ([0, 1, 3, 5], [4, 1, 0, 0], [0, 1, 0, 2, 0, 3, 0])
    assert told(sudobench.dedupe([])) == ([], [], [])


@pytest.mark.parametrize("kind", TEXTS)
def test_texts_of_every_kind(kind: str) -> None:
    puzzles = TEXTS[kind](known(PUZZLE, SOLUTION, PUZZLE))
    assert told(sudobench.dedupe(puzzles)) == ([0, 1], [2, 1], [0, 1, 0])


@pytest.mark.parametrize("kind", ARRAYS)
def test_arrays_of_every_kind(kind: str) -> None:
    puzzles = ARRAYS[kind](known(PUZZLE, SOLUTION, PUZZLE))
    assert told(sudobench.dedupe(puzzles, threads=2)) == ([0, 1], [2, 1], [0, 1, 0])


def test_it_is_what_numpy_finds() -> None:
    draw = np.random.default_rng(1)
    boards = draw.integers(0, 10, (500, 81), dtype=np.uint8)[draw.integers(0, 500, 5000)]
    deduped = sudobench.dedupe(boards)
    _, index, count = np.unique(boards, axis=0, return_index=True, return_counts=True)
    order = np.argsort(index)
    assert np.array_equal(deduped.index, index[order]) and np.array_equal(deduped.count, count[order])
    assert np.array_equal(boards[deduped.index][deduped.inverse], boards)
    frame = pd.Series(list(map(bytes, boards)))
    assert np.array_equal(deduped.duplicate, frame.duplicated())


def test_planted_isomorphs_are_found() -> None:
    draw = np.random.default_rng(2)
    bases = [equivalent("".join(draw.choice(list("...123456789"), 81)), 0) for _ in range(40)]
    classes = draw.integers(0, 40, 2000)
    deduped = sudobench.dedupe([equivalent(bases[number], seed) for seed, number in enumerate(classes)], isomorph=True)
    _, index, inverse, count = np.unique(classes, return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(index)
    assert np.array_equal(deduped.index, index[order]) and np.array_equal(deduped.count, count[order])
    assert np.array_equal(np.argsort(order)[inverse], deduped.inverse)


COUNTS = [3, 1, None, None, 1]


def test_tables_come_back_as_what_they_were() -> None:
    columns = {"id": list(range(7)), "puzzle": ROWS}
    table = pa.table(columns)
    kept = sudobench.dedupe_table(table, "puzzle")
    assert isinstance(kept, pa.Table)
    assert kept.to_pydict() == {"id": [0, 1, 3, 5, 6], "puzzle": [ROWS[row] for row in (0, 1, 3, 5, 6)], "count": COUNTS}
    batch = sudobench.dedupe_table(table.to_batches()[0], 2, count="times")
    assert isinstance(batch, pa.RecordBatch) and batch.column("times").to_pylist() == COUNTS
    chunked = pa.concat_tables([table.slice(0, 3), table.slice(3)])
    assert sudobench.dedupe_table(chunked, "puzzle", isomorph=True)["count"].to_pylist() == [4, 1, None, None]

    frame = pl.DataFrame(columns)
    kept = sudobench.dedupe_table(frame, "puzzle")
    assert isinstance(kept, pl.DataFrame) and kept["count"].to_list() == COUNTS
    assert sudobench.dedupe_table(frame, "puzzle", count=None).equals(frame[[0, 1, 3, 5, 6]])

    pandas = pd.DataFrame(columns, index=list("abcdefg"))
    kept = sudobench.dedupe_table(pandas, "puzzle")
    assert kept.index.tolist() == list("abdfg") and kept["id"].tolist() == [0, 1, 3, 5, 6]
    assert kept["count"].isna().tolist() == [False, False, True, True, False]
    assert kept["count"].dropna().tolist() == [3, 1, 1]
    # If no row is malformed, `drop_duplicates` of pandas gives the same result.
    whole = pandas[pandas["puzzle"] != "none"]
    whole = whole.assign(puzzle=whole["puzzle"].str.replace("0", "."))
    pd.testing.assert_frame_equal(
        sudobench.dedupe_table(whole, "puzzle", count=None), whole.drop_duplicates(subset="puzzle")
    )


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: sudobench.dedupe_table(pa.table({"puzzle": ROWS}), "board"), ValueError, "there is no column 'board'"),
        (lambda: sudobench.dedupe_table(pa.table({"puzzle": ROWS}), 2), ValueError, "numbered from 1"),
        (lambda: sudobench.dedupe_table(pa.table({"puzzle": ROWS, "count": ROWS}), 1), ValueError, "another name"),
        (lambda: sudobench.dedupe_table(pl.LazyFrame({"puzzle": ROWS}), "puzzle"), TypeError, "collect"),
        (lambda: sudobench.dedupe_table({"puzzle": ROWS}, "puzzle"), TypeError, "no table of pyarrow"),
        (lambda: sudobench.dedupe(pd.DataFrame({"puzzle": ROWS})), TypeError, "dedupe_table"),
        (lambda: sudobench.dedupe(np.zeros((2, 80), np.uint8)), ValueError, "shape"),
        (lambda: sudobench.dedupe(np.zeros((9, 9), np.uint8)), TypeError, "dedupe takes several"),
        (lambda: sudobench.dedupe([1.5]), TypeError, "float"),
        (lambda: sudobench.dedupe_file("in.csv", "out.csv", part="0/2"), ValueError, "part: there is no part 0 of 2"),
    ],
)
def test_what_cannot_be_says_why(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()


def test_files_are_read_twice_and_come_out_whole(tmp_path: pathlib.Path) -> None:
    source, output = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("".join(f"{row}\n" for row in ["puzzle", *ROWS]))
    finished = sudobench.dedupe_file(source, output, resume=True)
    assert isinstance(finished, sudobench.FinishedDedupe)
    assert output.read_text().split()[1:] == [f"{ROWS[row]},{count}" for row, count in [(0, 3), (1, 1), (3, ""), (5, ""), (6, 1)]]
    found = (finished.rows, finished.distinct, finished.duplicates, finished.groups, finished.largest, finished.left_out)
    assert found == (7, 3, 2, 1, 3, 2)
    assert finished.statuses["malformed"] == 2 and "4 characters" in finished.notices[0]
    with pytest.raises(FileExistsError):
        sudobench.dedupe_file(source, output)
    with pytest.warns(UserWarning, match="is complete; nothing was done. Its record says") as warned:
        assert sudobench.dedupe_file(source, output, resume=True) is None
    assert warned[0].filename == __file__, "the warning points at the caller"
    parts = [sudobench.dedupe_file(source, tmp_path / f"{part}.csv", part=f"{part}/2", isomorph=True) for part in (1, 2)]
    assert sum(part.distinct for part in parts if part) == 2
    rows = [(tmp_path / f"{part}.csv").read_text().split()[1:] for part in (1, 2)]
    assert sorted(rows[0] + rows[1]) == sorted([f"{PUZZLE},4", f"{SOLUTION},1", "none,", "none,"])
    forms = sudobench.dedupe_file(source, tmp_path / "forms.parquet", columns="all", limit=5, progress=True)
    assert forms is not None and forms.rows == 5


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="os.mkfifo makes named pipes only on Unix")
def test_pipes_are_kept_for_the_second_pass(tmp_path: pathlib.Path) -> None:
    pipe, output = tmp_path / "pipe", tmp_path / "out.npy"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("".join(f"{row}\n" for row in [PUZZLE, SOLUTION, PUZZLE])))
    writer.start()
    assert sudobench.dedupe_file(pipe, output).duplicates == 1  # type: ignore[union-attr]
    writer.join()
    assert np.array_equal(np.load(output), cells(known(PUZZLE, SOLUTION)))
