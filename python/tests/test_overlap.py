"""`overlap`: masks and counts, for puzzles of every kind."""

import csv
import pathlib
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sudobench
from conftest import REPOSITORY, Known
from test_canonical import equivalent
from test_solve import INDEXES

COLUMNS = ["overlap", "train_input", "train_line"]
KINDS = ["text", "isomorph", "solution", "solution_isomorph"]


def cells(puzzle: str) -> list[int]:
    return [int(cell) if cell in "123456789" else 0 for cell in puzzle]


@pytest.fixture(scope="module")
def sample() -> list[tuple[str, str]]:
    """Puzzles that are pairwise not equivalent, and their solutions."""
    with open(REPOSITORY / "datasets/sample.csv", newline="") as file:
        return [(row["puzzle"], row["solution"]) for row in csv.DictReader(file)]


@pytest.fixture(scope="module")
def split(sample: list[tuple[str, str]]) -> tuple[list[str], list[str], list[str]]:
    """Returns the puzzles of TRAIN, the puzzles of TEST, and the strongest kind of overlap of each puzzle of TEST ("" for no overlap)."""
    train = [puzzle for puzzle, _ in sample[:30]]
    blanks = [next(cell for cell, value in enumerate(cells(puzzle)) if not value) for puzzle in train]
    with_a_clue = [
        puzzle[:blank] + solution[blank] + puzzle[blank + 1 :]
        for puzzle, blank, (_, solution) in zip(train, blanks, sample)
    ]
    test = [puzzle for puzzle, _ in sample[30:]]
    strongest = [""] * len(test)
    for row, other in enumerate([train[3], equivalent(train[7], 1), with_a_clue[9], equivalent(with_a_clue[11], 2)]):
        test[5 * row] = other
        strongest[5 * row] = KINDS[row]
    return train, test, strongest


def test_planted_rows_are_found(split: tuple[list[str], list[str], list[str]]) -> None:
    train, test, strongest = split
    found = sudobench.overlap(train, test)
    assert found.strongest.tolist() == strongest
    assert found.train_row[[0, 5, 10, 15]].tolist() == [3, 7, 9, 11]
    assert found.any.tolist() == [kind != "" for kind in strongest]
    assert (found.train_row < 0).tolist() == (~found.any).tolist()
    assert found.counts == {"text": 1, "isomorph": 2, "solution": 2, "solution_isomorph": 4, "any": 4}
    assert found.shares["any"] == 4 / 30
    assert found.distinct == dict.fromkeys(KINDS, 30)
    assert list(found.masks) == KINDS and all(mask.dtype == bool for mask in found.masks.values())
    assert repr(found) == (
        "<sudobench.Overlap of 30 puzzles: 1 text, 2 isomorph, 2 solution, 4 solution_isomorph, 4 any>"
    )


def test_puzzles_of_every_kind_are_the_same_puzzles(split: tuple[list[str], list[str], list[str]]) -> None:
    train, test, strongest = split
    kinds = [
        lambda puzzles: puzzles,
        lambda puzzles: (puzzle.encode() for puzzle in puzzles),
        lambda puzzles: np.array(puzzles),
        lambda puzzles: np.array([cells(puzzle) for puzzle in puzzles], dtype=np.uint8),
        lambda puzzles: np.array([cells(puzzle) for puzzle in puzzles], dtype=np.int64).reshape(-1, 9, 9),
        lambda puzzles: pa.table({"puzzle": puzzles})["puzzle"],
        lambda puzzles: pl.DataFrame({"puzzle": puzzles})["puzzle"],
        lambda puzzles: pd.DataFrame({"puzzle": puzzles})["puzzle"],
        lambda puzzles: pa.chunked_array([puzzles[:7], puzzles[7:]]),
    ]
    for one, other in zip(kinds, kinds[1:] + kinds[:1]):
        assert sudobench.overlap(one(train), other(test), threads=2).strongest.tolist() == strongest


def test_a_mask_takes_the_rows_of_a_table(split: tuple[list[str], list[str], list[str]]) -> None:
    train, test, strongest = split
    clean = [puzzle for puzzle, kind in zip(test, strongest) if not kind]
    frame = pl.DataFrame({"puzzle": test})
    found = sudobench.overlap(train, frame["puzzle"])
    assert frame.filter(~found.any)["puzzle"].to_list() == clean
    table = pa.table({"puzzle": test})
    assert table.filter(pa.array(~found.any))["puzzle"].to_pylist() == clean
    assert pd.DataFrame({"puzzle": test})[~found.any]["puzzle"].tolist() == clean


@pytest.mark.parametrize("kind", [pa.table, lambda columns: pa.table(columns).to_batches()[0], pl.DataFrame, pd.DataFrame])
def test_a_table_says_how_each_row_overlaps(
    kind: Callable[[Any], Any], split: tuple[list[str], list[str], list[str]], tmp_path: pathlib.Path
) -> None:
    train, test, strongest = split
    table = kind({"id": range(len(test)), "puzzle": [*test[:-1], None]})
    found = sudobench.overlap_table(kind({"puzzle": train}), table, "puzzle")
    assert type(found) is type(table)
    rows = pl.DataFrame(found).to_dicts()
    assert list(rows[0]) == ["id", "puzzle", "overlap", "train_input", "train_line"]
    assert [row["id"] for row in rows] == list(range(len(test))) and rows[-1]["puzzle"] is None
    assert [row["overlap"] or "" for row in rows] == strongest
    assert [row["train_line"] for row in rows if row["overlap"]] == [4, 8, 10, 12]
    assert [row["train_input"] for row in rows] == [1 if kind else None for kind in strongest]
    # Several tables, also of different libraries, count as separate inputs, like several files.
    trains = [pa.table({"other": [1] * 8, "sudoku": train[:8]}), pl.DataFrame({"id": 1, "sudoku": train[8:]})]
    found = sudobench.overlap_table(trains, table, 2, "train_line, train_input", train_column="sudoku", threads=2)
    in_two = pl.DataFrame(found).to_dicts()
    assert list(in_two[0]) == ["id", "puzzle", "train_line", "train_input"]
    places = [(row["train_input"], row["train_line"]) for row in in_two if row["train_input"]]
    assert places == [(1, 4), (1, 8), (2, 2), (2, 4)]
    # The result is the same as for files.
    for number, puzzles in enumerate([train[:8], train[8:], test]):
        pq.write_table(pa.table({"puzzle": puzzles}), tmp_path / f"{number}.parquet")
    files = [tmp_path / f"{number}.parquet" for number in range(3)]
    sudobench.overlap_file(files[:2], files[2], tmp_path / "out.parquet", keep="all")
    written = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert [(row["train_input"], row["train_line"]) for row in written if row["overlap"]] == places
    by = sudobench.overlap_table(kind({"puzzle": train}), table, "puzzle", ["overlap"], by=["text"])
    assert [row["overlap"] for row in pl.DataFrame(by).to_dicts() if row["overlap"]] == ["text"]


def test_a_table_of_overlaps_keeps_the_index(split: tuple[list[str], list[str], list[str]]) -> None:
    train, test, strongest = split
    for kind, index in INDEXES.items():
        frame = pd.DataFrame({"puzzle": test}, index=index(len(test)))
        found = sudobench.overlap_table(pd.DataFrame({"puzzle": train}), frame, "puzzle")
        pd.testing.assert_frame_equal(found[["puzzle"]], frame, obj=kind)
        assert found["overlap"].fillna("").tolist() == strongest
    some = frame.sample(frac=0.5, random_state=1)
    again = sudobench.overlap_table(pd.DataFrame({"puzzle": train}), some, "puzzle")
    assert again["overlap"].fillna("").tolist() == found.loc[some.index, "overlap"].fillna("").tolist()
    empty = pa.table({"puzzle": test})[:0]
    none = sudobench.overlap_table(empty, empty, "puzzle")
    assert none.num_rows == 0 and none.column_names == ["puzzle", *COLUMNS]


def test_wrong_tables_and_options_are_named(split: tuple[list[str], list[str], list[str]]) -> None:
    table = pa.table({"puzzle": split[1], "train_line": split[1]})
    for options, kind, words in [
        ({"column": "nothing"}, ValueError, "there is no column 'nothing'; choose from puzzle, train_line"),
        ({"column": 3}, ValueError, "column=3: the table has 2 columns, numbered from 1"),
        ({"train_column": "nothing"}, ValueError, "there is no column 'nothing'"),
        ({}, ValueError, "the table has a column 'train_line' already"),
        ({"columns": "line"}, ValueError, "there is no column `line`; choose from overlap, train_input, train_line, or `all`"),
        ({"columns": "overlap", "by": "texts"}, ValueError, "choose from text, isomorph, solution, solution_isomorph"),
        ({"columns": "overlap", "threads": 0}, ValueError, "threads=0"),
        ({"columns": "overlap", "keep": "all"}, TypeError, "keep"),
        ({"train": split[0]}, TypeError, "str is no table of pyarrow, and no frame of polars or pandas"),
        ({"test": pl.LazyFrame({"puzzle": split[1]})}, TypeError, "collect\\(\\) it first"),
        ({"train": []}, ValueError, "train is an empty list: give at least one table"),
    ]:
        with pytest.raises(kind, match=words):
            sudobench.overlap_table(**{"train": table, "test": table, "column": 1, **options})
    both = sudobench.overlap_table(table, table.select(["puzzle"]), "puzzle", "all", by="text")
    assert both["train_line"].to_pylist() == list(range(1, len(table) + 1))


def test_only_what_was_asked_for_is_looked_for(split: tuple[list[str], list[str], list[str]]) -> None:
    train, test, _ = split
    found = sudobench.overlap(train, test, by="solution, text")
    assert found.counts == {"text": 1, "solution": 2, "any": 2}
    assert found.isomorph is None and found.solution_isomorph is None
    assert found.distinct == {"text": 30, "solution": 30}
    for wrong in ["", "texts", ["text", "form"], []]:
        with pytest.raises(ValueError, match="choose from text, isomorph, solution, solution_isomorph"):
            sudobench.overlap(train, test, by=wrong)


def test_rows_without_a_puzzle_overlap_with_nothing(known: list[Known]) -> None:
    puzzles = [row.puzzle for row in known]
    found = sudobench.overlap([*puzzles, None], [*puzzles, None])
    statuses = np.array([*(row.status for row in known), "malformed"])
    assert (found.text == (statuses != "malformed")).all() and (found.isomorph == found.text).all()
    assert (found.solution == (statuses == "unique")).all() and (found.solution_isomorph == found.solution).all()
    assert sorted(found.notes) == np.flatnonzero(statuses == "malformed").tolist()
    assert found.notes == found.train_notes
    assert found.any.sum() == (statuses != "malformed").sum()


def test_nothing_overlaps_with_nothing(sample: list[tuple[str, str]]) -> None:
    empty = np.zeros((0, 81), dtype=np.uint8)
    puzzles = [puzzle for puzzle, _ in sample]
    for train, test in [(empty, puzzles), (puzzles, empty), ([], []), (empty, empty)]:
        found = sudobench.overlap(train, test)
        assert len(found) == len(test) and found.counts["any"] == 0 and found.shares["any"] == 0.0


def test_what_is_no_list_of_puzzles_is_refused(sample: list[tuple[str, str]]) -> None:
    puzzles = [puzzle for puzzle, _ in sample]
    with pytest.raises(TypeError, match="one puzzle"):
        sudobench.overlap(puzzles[0], puzzles)
    for table in [pl.DataFrame({"puzzle": puzzles}), pd.DataFrame({"puzzle": puzzles}), pa.table({"puzzle": puzzles})]:
        with pytest.raises(TypeError, match="overlap_table"):
            sudobench.overlap(puzzles, table)


def test_the_command_finds_the_same(split: tuple[list[str], list[str], list[str]], tmp_path: pathlib.Path) -> None:
    train, test, strongest = split
    for name, puzzles in [("train.csv", train), ("test.csv", test)]:
        (tmp_path / name).write_text("puzzle\n" + "".join(f"{puzzle}\n" for puzzle in puzzles))
    words = ["overlap", "train.csv", "--with", "test.csv", "--keep", "all", "-o", "-", "-q"]
    ran = subprocess.run([sys.executable, "-m", "sudobench", *words], cwd=tmp_path, capture_output=True, text=True)
    rows = list(csv.DictReader(ran.stdout.splitlines()))
    assert [row["overlap"] for row in rows] == strongest


def test_a_hundred_thousand_rows(sample: list[tuple[str, str]]) -> None:
    draw = random.Random(1)
    puzzles = [puzzle for puzzle, _ in sample]
    train = np.array([cells(equivalent(draw.choice(puzzles[:30]), seed)) for seed in range(2000)], dtype=np.uint8)
    chosen = [draw.randrange(60) for _ in range(2000)]
    test = np.array([cells(equivalent(puzzles[row], 5000 + seed)) for seed, row in enumerate(chosen)], dtype=np.uint8)
    train, test = np.tile(train, (50, 1)), np.tile(test, (50, 1))
    found = sudobench.overlap(train, test)
    assert found.isomorph is not None
    assert (found.isomorph == np.tile(np.array(chosen) < 30, 50)).all()
    assert found.distinct["isomorph"] == 30 and found.distinct["text"] <= 2000


def test_train_rows_that_the_test_set_has_are_a_mask(split: tuple[list[str], list[str], list[str]]) -> None:
    train, test, strongest = split
    found = sudobench.overlap(train, test)
    # The mask has only the rows of TRAIN that the fixture put into TEST, because no two puzzles of the sample are equivalent.
    assert np.flatnonzero(found.train_mask).tolist() == sorted(set(found.train_row[found.any].tolist())) == [3, 7, 9, 11]
    assert np.flatnonzero(sudobench.overlap(train, test, by="text,isomorph").train_mask).tolist() == [3, 7]
    left = [puzzle for puzzle, is_in_test in zip(train, found.train_mask) if not is_in_test]
    assert not sudobench.overlap(left, test).any.any()
    # Nulls and malformed rows of TRAIN never overlap.
    assert sudobench.overlap([None, "none", test[0]], test).train_mask.tolist() == [False, False, True]
