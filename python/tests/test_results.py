"""Tests what results of different functions have in common: rows, slices, masks, frames, tables, pickles and what a notebook shows."""

import pickle
from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sudobench
from conftest import Known

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
MADE: dict[str, Callable[[Any], Any]] = {
    "solve": sudobench.solve,
    "check": lambda puzzles: sudobench.check(puzzles, columns="all"),
    "check some": lambda puzzles: sudobench.check(puzzles, columns="minimal"),
    "rate": lambda puzzles: sudobench.rate(puzzles, columns="all"),
    "canonical": lambda puzzles: sudobench.canonical(puzzles, transform=True, automorphisms=True, canonical_solution=True),
    "dedupe": sudobench.dedupe,
    "overlap": lambda puzzles: sudobench.overlap([PUZZLE], puzzles),
    "solutions": lambda puzzles: sudobench.solutions(puzzles, limit_per_puzzle=2),
    "explain": sudobench.explain,
    "generate": lambda puzzles: sudobench.generate(7),
    "score": lambda puzzles: sudobench.score(PUZZLE, puzzles),
}


@pytest.fixture(scope="module")
def puzzles(known: list[Known]) -> list[str]:
    return [row.puzzle for row in known[::4]] + [row.puzzle for row in known[-25:]] + [PUZZLE, PUZZLE, "<q>"]


def plain(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Returns the rows of a frame, with `None` for a missing value."""
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


@pytest.mark.parametrize("name", MADE)
def test_all_results_are_alike(name: str, puzzles: list[str]) -> None:
    results = MADE[name](puzzles)
    rows = pa.table(results).to_pylist()
    assert len(results) == len(rows) > 5
    pa.table(results).validate(full=True)
    # A single row, iteration over rows, and frames have the same values as the table.
    one = results[-1]
    as_dict = one if isinstance(one, dict) else vars(one)
    assert {key: as_dict[key] for key in rows[-1] if key not in ("redundant", *"count nodes guesses".split())} == {
        key: value for key, value in rows[-1].items() if key not in ("redundant", *"count nodes guesses".split())
    }
    assert list(results)[-1] == one and results[np.int64(0)] == results[0] == next(iter(results))
    assert plain(results.to_pandas()) == rows
    assert isinstance(results.to_polars(), pl.DataFrame) and results.to_polars().to_dicts() == rows
    assert duckdb.sql("select count(*) from results").fetchall() == [(len(rows),)]
    # Slices, masks and arrays of positions give results of the same class.
    mask = np.arange(len(rows)) % 3 == 1
    for key in (slice(4, 1, -1), slice(0, 0), mask, mask.tolist(), [2, 0, 2], np.array([-1, 1])):
        part = results[key]
        assert type(part) is type(results)
        if name != "dedupe" or not isinstance(key, list):
            assert pa.table(part).to_pylist() == [rows[at] for at in np.arange(len(rows))[key]]
    with pytest.raises(IndexError):
        results[len(rows)]
    # A result that is pickled and unpickled equals the original.
    again = pickle.loads(pickle.dumps(results))
    assert pa.table(again).equals(pa.table(results)) and repr(again) == repr(results)
    page = results._repr_html_()
    assert page.count("<tr>") == min(len(rows), 10) + (2 if len(rows) > 10 else 1)
    # The text of a malformed puzzle must not be in the page as a tag.
    assert "<q>" not in page


def test_a_table_holds_boards_as_the_puzzles_were(whole: list[Known]) -> None:
    texts = [row.puzzle for row in whole if len(row.puzzle) == 81][:20]
    boards = np.array([[int(cell) if cell.isdigit() else 0 for cell in text] for text in texts], dtype=np.uint8)
    as_text, as_lists = pa.string(), pa.list_(pa.field("item", pa.uint8(), False), 81)
    kinds: list[tuple[Any, pa.DataType]] = [
        (texts, as_text), (np.array(texts), as_text), (np.array(texts, dtype="S"), as_text), (np.array(texts, dtype=object), as_text),
        (pl.Series(texts), as_text), (pa.array(texts).dictionary_encode(), as_text), (pd.Series(texts), as_text),
        (pd.Series(texts, dtype="category"), as_text), (boards, as_lists), (boards.tolist(), as_lists), (pa.array(boards.tolist()), as_lists),
    ]
    for given, kind in kinds:
        for results, column in (
            (sudobench.solve(given), "solution"), (sudobench.canonical(given), "canonical"), (sudobench.minimals(given, random=1), "board"),
        ):
            table = pa.table(results)
            assert table.schema.field(column).type == kind
            assert results.to_pandas()[column].tolist() == results.text() == results.text(column)
            if kind == as_text:
                assert table[column].to_pylist() == results.text()
    answers = sudobench.solve([PUZZLE, "none"])
    assert answers.text() == [answers[0].solution, None]
    with pytest.raises(ValueError, match="column='count': choose from solution"):
        answers.text("count")
    made = sudobench.generate(2)
    assert made.text("solution") == sudobench.solve(made.puzzle).text()
    # If puzzles are strings, the results are strings too, so functions over batches of a data frame or a database work.
    frame = pl.DataFrame({"puzzle": texts})
    solved = frame.with_columns(solution=pl.col("puzzle").map_batches(lambda column: sudobench.solve(column).to_polars()["solution"]))
    assert solved["solution"].to_list() == sudobench.solve(boards).text()


def test_frames_have_the_labels_of_the_series() -> None:
    series = pd.Series([PUZZLE, "." * 81, PUZZLE], index=["a", "b", "c"])
    for results, labels in (
        (sudobench.check(series), "abc"), (sudobench.rate(series), "abc"), (sudobench.canonical(series), "abc"),
        (sudobench.dedupe(series), "ab"), (sudobench.overlap([PUZZLE], series), "abc"), (sudobench.check(series)[::-1], "cba"),
        (sudobench.solutions(series, limit_per_puzzle=2), "abbc"),
    ):
        assert "".join(results.to_pandas().index) == labels


def test_what_does_not_exist_is_missing_in_frames() -> None:
    frame = sudobench.rate([PUZZLE, "." * 81], columns=["difficulty", "depth", "singles", "guesses"]).to_pandas()
    assert frame["depth"].tolist() == [0, pd.NA] and frame["singles"].isna().tolist() == [False, True]
    assert frame["guesses"].isna().tolist() == [False, True] and frame["difficulty"].tolist() == ["singles", np.nan]
    ratings = sudobench.rate([PUZZLE, "." * 81, "none"], columns="depth")
    assert [(row.status, row.depth, row.guesses, row.note) for row in ratings] == [
        ("unique", 0, None, None), ("multiple", None, None, None), ("malformed", None, None, "4 characters where a puzzle has 81"),
    ]


def test_classes_that_a_slice_leaves_out_are_told() -> None:
    deduped = sudobench.dedupe([PUZZLE, "." * 81, PUZZLE, "none"])
    several = deduped[deduped.count > 1]
    assert (several.index.tolist(), several.inverse.tolist()) == ([0], [0, -1, 0, -1])
    assert deduped[::-1].inverse.tolist() == [2, 1, 2, 0]
    assert deduped.duplicate.tolist() == [False, False, True, False]
    assert several.duplicate.tolist() == [False, False, True, False], "the rows of the other classes are no duplicates of a row"
    # If the first slice leaves out a class, `inverse` has -1 for the rows of this class, also after the second slice.
    last = deduped[1:][1:]
    assert (last.index.tolist(), last.inverse.tolist()) == ([3], [-1, -1, -1, 0])
    assert deduped[:0][:0].inverse.tolist() == [-1, -1, -1, -1]
    assert deduped[2]["note"] == "4 characters where a puzzle has 81"


def test_scores_become_tables() -> None:
    scores = sudobench.score(PUZZLE, [PUZZLE, "none"], extract=True)
    for table in (pa.table(scores).to_pandas(), scores.to_polars().to_pandas(), scores.to_pandas()):
        assert table["right_cells"].tolist() == [30, 0] and table["conflicts"].tolist() == [0, 0]
    assert list(scores.by(["easy", None])) == ["easy", None]


def test_words_without_a_value_are_null() -> None:
    joined = sudobench._words.Words.distinct(np.array([0, 2, -1, 1], np.int8), ["a", "b", "a"])
    assert np.asarray(joined).tolist() == ["a", "a", "", "b"]
    found = sudobench.overlap([PUZZLE], [PUZZLE, "." * 81])
    assert pa.array(found.strongest).to_pylist() == ["text", None]
    assert pl.Series(found.strongest).to_list() == ["text", None]
