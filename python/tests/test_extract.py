"""Tests `extract`, and `score` with the grids that `extract` finds."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sudobench

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = [SOLUTION[at : at + 9] for at in range(0, 81, 9)]
TEXTS = [
    f"<think>Easy.</think>\n<answer>{SOLUTION}</answer>",
    "Solution:\n" + "\n".join(" ".join(row) for row in ROWS),
    str([list(map(int, row)) for row in ROWS]),
    f"I only have the puzzle: {PUZZLE}",
    "I cannot solve it.",
    None,
]
FOUND = ["digits", "lines", "list", "digits", "", ""]


def test_one_text_has_one_result() -> None:
    found = sudobench.extract("\n".join("|".join(row) for row in ROWS))
    assert found == sudobench.Extraction(SOLUTION, "table", None)
    assert sudobench.extract(b"none") == sudobench.Extraction(None, None, "no grid in the text")


def test_texts_of_every_kind() -> None:
    kinds: list[Any] = [TEXTS, iter(TEXTS), pd.Series(TEXTS), pl.Series(TEXTS), pa.array(TEXTS), np.array(TEXTS, dtype=object)]
    for texts in kinds:
        found = sudobench.extract(texts)
        assert found.found.tolist() == FOUND
        assert found.text() == [SOLUTION] * 3 + [PUZZLE, None, None]
        assert found.notes == {4: "no grid in the text", 5: "the puzzle is null"}
    assert found.grid.shape == (6, 81) and found[0].grid == SOLUTION
    labelled = sudobench.extract(pd.Series(TEXTS, index=range(7, 13))).to_pandas()
    assert list(labelled.index) == list(range(7, 13)) and labelled["grid"].isna().sum() == 2
    assert len(sudobench.extract([])) == len(sudobench.extract(np.array([]))) == 0
    wrong: Any
    for wrong in ([1], [TEXTS]):
        with pytest.raises(TypeError, match=r"item 0 \(counted from 0\) is of type .*, not a text"):
            sudobench.extract(wrong)
    for wrong, words in (
        (pd.DataFrame({"text": TEXTS}), "this is a table: pass one of its columns"),
        (pl.DataFrame({"text": TEXTS}), "this is a table: pass one of its columns"),
        (pa.table({"text": TEXTS}), "this is a table: pass one of its columns"),
        (5, "a value of type int cannot contain texts: pass a list of texts"),
        ({"text": SOLUTION}, "a value of type dict cannot contain texts"),
    ):
        with pytest.raises(TypeError, match=words):
            sudobench.extract(wrong)


def test_items_that_are_no_texts_have_no_grid() -> None:
    texts: list[Any] = [SOLUTION, 7, [1, 2], None, float("nan"), 2.5, bytearray(SOLUTION.encode())]
    found = sudobench.extract(texts)
    assert found.text() == [SOLUTION, None, None, None, None, None, SOLUTION]
    notes = {row: f"an item of type {kind}, not a text" for row, kind in ((1, "int"), (2, "list"), (5, "float"))}
    assert found.notes == {**notes, 3: "the puzzle is null", 4: "the puzzle is null"} and list(found.notes) == [1, 2, 3, 4, 5]
    scores = sudobench.score([PUZZLE] * 5 + ["x", PUZZLE], texts, extract=True)
    assert scores.exact.tolist() == [True, *[False] * 5, True] and scores.accuracies.puzzles == 6
    assert scores.malformed.tolist() == [False, *[True] * 4, False, False]
    assert scores.notes[1] == f"prediction: {notes[1]}" and scores.notes[5].startswith("1 character")


def test_threads_do_not_change_the_grids() -> None:
    texts = TEXTS * 200
    one, two = (sudobench.extract(texts, threads=threads) for threads in (1, 2))
    assert one.found.tolist() == two.found.tolist() == FOUND * 200
    assert np.array_equal(one.grid, two.grid) and one.notes == two.notes
    scores = sudobench.score(PUZZLE, texts, extract=True, threads=2)
    assert scores.exact.tolist() == ([True] * 3 + [False] * 3) * 200


def test_score_of_texts_is_that_of_their_grids() -> None:
    scores = sudobench.score(PUZZLE, TEXTS, extract=True)
    assert scores.exact.tolist() == [True] * 3 + [False] * 3
    assert scores.right_cells.tolist() == [81] * 3 + [30, 0, 0]
    assert scores.malformed.tolist() == [False] * 4 + [True] * 2
    assert scores.found is not None and scores.found.tolist() == FOUND
    assert scores.notes[4] == "prediction: no grid in the text"
    assert sudobench.score(PUZZLE, TEXTS[0], extract=True).exact.tolist() == [True]
    assert scores.to_pandas()["found"].isna().sum() == 2
    assert sudobench.score(PUZZLE, [SOLUTION]).found is None


def test_score_of_tables_and_files(tmp_path: pathlib.Path) -> None:
    rows = [{"puzzle": PUZZLE, "completion": text} for text in TEXTS]
    tables: list[Any] = [pd.DataFrame(rows), pl.DataFrame(rows), pa.Table.from_pylist(rows)]
    for table in tables:
        scored = sudobench.score_table(table, "puzzle", "all", prediction_column="completion", extract=True)
        scored = pa.table(scored)
        assert scored["exact"].to_pylist() == [True] * 3 + [False] * 3
        assert scored["found"].to_pylist() == [word or None for word in FOUND]
        with pytest.raises(ValueError, match="there is no column `found`"):
            sudobench.score_table(table, "puzzle", "found", prediction_column="completion")
    file = tmp_path / "completions.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    output = tmp_path / "scored.csv"
    finished = sudobench.score_file(file, output, prediction_column="completion", extract=True, columns="exact,found")
    assert finished is not None and finished.accuracies == sudobench.score(PUZZLE, TEXTS, extract=True).accuracies
    assert [word if isinstance(word, str) else "" for word in pd.read_csv(output)["found"]] == FOUND


def test_tags_may_be_in_capitals() -> None:
    rows = ["".join(str((3 * row + row // 3 + column) % 9 + 1) for column in range(9)) for row in range(9)]
    for text in ("<BR>".join(rows), "<br/>".join(rows)):
        assert sudobench.extract(text).found == "lines"
