"""Tests `score`, for example by comparing its measures with those that plain NumPy finds."""

from __future__ import annotations

import csv
import json
import pathlib
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sudobench
from conftest import command

PREDICTIONS = pathlib.Path(__file__).resolve().parents[2] / "datasets/predictions.csv"
COLUMNS = ["exact", "valid", "right_cells", "right_blanks", "blanks", "clues_kept", "conflicts", "filled", "first_error", "solvable", "note"]

Boards = npt.NDArray[np.uint8]


@pytest.fixture(scope="module")
def boards() -> tuple[Boards, Boards, Boards]:
    """Puzzles, solutions, and predictions with wrong and empty cells."""
    draw = np.random.default_rng(3)
    puzzles = sudobench.generate(300, seed=4).puzzle
    solutions = sudobench.solve(puzzles).solution
    predictions = np.where(draw.random(puzzles.shape) < draw.choice([0, 0.02, 0.3], (300, 1)), draw.integers(0, 10, puzzles.shape), solutions)
    return puzzles, solutions, predictions.astype(np.uint8)


def conflicts_of(board: Boards) -> int:
    """Counts the pairs of equal digits in the same row, column or box, one pair at a time."""
    houses = [(cell // 9, cell % 9, cell // 27 * 3 + cell % 9 // 3) for cell in range(81)]
    return sum(
        board[one] == board[other] != 0 and any(a == b for a, b in zip(houses[one], houses[other]))
        for one in range(81)
        for other in range(one)
    )


def bootstrapped(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Returns the 95 % interval of the mean by the percentile bootstrap, with many resamples."""
    draw = np.random.default_rng(1)
    means = values[draw.integers(0, len(values), (20_000, len(values)))].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def test_measures_are_those_of_numpy(boards: tuple[Boards, Boards, Boards]) -> None:
    puzzles, solutions, predictions = boards
    scores = sudobench.score(puzzles, predictions, solutions, solvable=True)
    right, blanks = predictions == solutions, puzzles == 0
    expected = {
        "exact": right.all(axis=1),
        "valid": right.all(axis=1),
        "right_cells": right.sum(axis=1),
        "right_blanks": (right & blanks).sum(axis=1),
        "blanks": blanks.sum(axis=1),
        "clues_kept": ((predictions == puzzles) & ~blanks).sum(axis=1),
        "filled": (predictions != 0).sum(axis=1),
        "conflicts": [conflicts_of(board) for board in predictions],
        "first_error": np.where(right.all(axis=1), -1, (~right).argmax(axis=1)),
        "solvable": (right | (predictions == 0)).all(axis=1),
    }
    for name, values in expected.items():
        np.testing.assert_array_equal(getattr(scores, name), values, err_msg=name)
    assert 0 < scores.exact.sum() < 300 and scores.compared.all()
    means = scores.accuracies
    assert means.puzzles == 300 and means.exact and means.cell_accuracy and means.blank_accuracy and means.blank_accuracy_pooled
    assert means.exact.mean == pytest.approx(right.all(axis=1).mean())
    assert means.cell_accuracy.mean == pytest.approx(right.mean())
    assert means.blank_accuracy.mean == pytest.approx(((right & blanks).sum(axis=1) / blanks.sum(axis=1)).mean())
    assert means.blank_accuracy_pooled == pytest.approx(right[blanks].mean())
    assert means.bootstrap == sudobench.Bootstrap(resamples=1_000, seed=1)
    ratios = (right & blanks).sum(axis=1) / blanks.sum(axis=1)
    for mean, values in ((means.cell_accuracy, right.mean(axis=1)), (means.blank_accuracy, ratios)):
        low, high = bootstrapped(values)
        assert (mean.low, mean.high) == pytest.approx((low, high), abs=0.07 * (high - low))
    for counts, cells in zip(scores.cell_errors, (~blanks, ~right & ~blanks, blanks, ~right & blanks), strict=True):
        np.testing.assert_array_equal(counts, cells.sum(axis=0).reshape(9, 9))
    assert scores[:2].cell_errors is scores.cell_errors
    # If no solutions are given, `score` solves the puzzles itself.
    without = sudobench.score(puzzles, predictions, threads=2)
    for name in COLUMNS[:9]:
        np.testing.assert_array_equal(getattr(without, name), getattr(scores, name), err_msg=name)
    assert without.accuracies == means and without.solvable is None


def test_means_over_many_predictions_have_normal_intervals(boards: tuple[Boards, Boards, Boards]) -> None:
    puzzles, solutions, predictions = (np.resize(each, (100_000, 81)) for each in boards)
    scores = sudobench.score(puzzles, predictions, solutions)
    shares = (predictions == solutions).mean(axis=1)
    half = 1.96 * shares.std(ddof=1) / len(shares) ** 0.5
    means = scores.accuracies
    assert means.bootstrap is None and means.cell_accuracy is not None
    assert (means.cell_accuracy.low, means.cell_accuracy.high) == pytest.approx((shares.mean() - half, shares.mean() + half), abs=1e-6)
    assert "bootstrap" not in scores.to_dict()["all"]
    # The number of all predictions decides which kind of interval is used, also for the means of a bucket.
    few = np.arange(len(shares)) < 300
    assert scores.by(few)[True].bootstrap is None and scores[few].accuracies.bootstrap is not None


def test_buckets_are_scored_apart(boards: tuple[Boards, Boards, Boards]) -> None:
    puzzles, solutions, predictions = boards
    scores = sudobench.score(puzzles, predictions, solutions)
    clues = (puzzles != 0).sum(axis=1)
    buckets = scores.by(clues)
    assert list(buckets) == np.unique(clues).tolist()
    for value, means in buckets.items():
        assert means == scores[clues == value].accuracies
    # Difficulties are ordered from easy to hard. Other labels are sorted.
    levels = ["singles", "locked", "pairs", "depth1", "depth2", "depth3", None]
    mixed: list[Any] = [levels[3 * row % 7] for row in range(300)]
    assert list(scores.by(mixed)) == levels and list(scores.by(mixed[2:9] * 42 + mixed[:6])) == levels
    assert list(scores.by([*mixed[:299], "easy"])) == [*sorted(["easy", *levels[:6]]), None]
    assert list(scores.by([5, 1, 4, "a", 2] * 60)) == [5, 1, 4, "a", 2], "values that can't be sorted keep their order"
    words = scores.by(["a", "b"] * 150)
    assert {value: means.puzzles for value, means in words.items()} == {"a": 150, "b": 150}
    with pytest.raises(ValueError, match="by: 2 values for 300 predictions"):
        scores.by([1, 2])


def test_predictions_of_every_kind(boards: tuple[Boards, Boards, Boards]) -> None:
    puzzles, solutions, predictions = (each[:40] for each in boards)
    wanted = sudobench.score(puzzles, predictions, solutions).right_cells
    texts = ["".join(map(str, board)) for board in predictions.tolist()]
    outputs = np.eye(10, dtype=np.float32)[predictions]
    kinds: dict[str, tuple[Any, dict[str, Any]]] = {
        "int64": (predictions.astype(np.int64).reshape(-1, 9, 9), {}),
        "texts": (texts, {}),
        "series": (pd.Series(texts), {}),
        "arrow": (pa.chunked_array([texts[:7], texts[7:]]), {}),
        "polars": (pl.Series(texts), {}),
        "ten classes": (outputs, {}),
        "half precision": (outputs.astype(np.float16), {}),
        "eleven classes": (np.concatenate([np.zeros_like(outputs[..., :1]), outputs], axis=-1), {}),
    }
    for name, (given, options) in kinds.items():
        np.testing.assert_array_equal(sudobench.score(puzzles, given, solutions, **options).right_cells, wanted, err_msg=name)
    # Nine classes are the digits 1 to 9, so no class stands for a blank. If the largest outputs are equal, the first one is the
    # prediction. A digit whose output is NaN is never the prediction.
    filled = np.where(predictions == 0, 1, predictions)
    nine = outputs[..., 1:].copy()
    nine[0, 0] = np.nan
    nine[0, 0, filled[0, 0] - 1] = -5
    for given, options in ((nine, {}), (np.where(outputs == outputs, outputs, 0), {"digits_only": True})):
        found = sudobench.score(puzzles, given, solutions, **options)
        np.testing.assert_array_equal(found.right_cells, (filled == solutions).sum(axis=1))
    # A cell is blank if all its outputs are NaN. Otherwise NaN is never chosen, even if all other outputs are -inf.
    nothing = np.full((1, 81, 9), np.nan)
    assert sudobench.score(puzzles[:1], nothing, solutions[:1]).filled.tolist() == [0]
    nothing[..., 3] = -np.inf
    assert sudobench.score(puzzles[:1], nothing, solutions[:1]).right_cells.tolist() == [(solutions[0] == 4).sum()]
    # NaN at the start, at the end and in the middle of the outputs.
    for at in ((0, 0, 0), (299, 80, 8), (150, 40, 3)):
        many = np.tile(outputs[:, :, 1:], (8, 1, 1))[:300]
        many[at] = np.nan
        without = np.where(np.isnan(many), -np.inf, many)
        for kind in (np.float16, np.float32, np.float64):
            ours = [sudobench.score(boards[0], each.astype(kind), boards[1]) for each in (many, without)]
            np.testing.assert_array_equal(ours[0].right_cells, ours[1].right_cells)
            np.testing.assert_array_equal(ours[1].right_cells, (without.argmax(axis=-1) + 1 == boards[1]).sum(axis=1))
    # A cell for which the model predicts padding or a blank is wrong.
    padded = np.zeros((1, 81, 11))
    padded[..., 0] = 1
    assert sudobench.score(puzzles[:1], padded, solutions[:1]).right_cells.tolist() == [0]


def test_tokens_of_hrm_are_read_in_every_argument(boards: tuple[Boards, Boards, Boards]) -> None:
    puzzles, solutions, predictions = (each[:40] for each in boards)
    digits = [puzzles, predictions, solutions]
    wanted = sudobench.score(*digits)
    assert 0 < wanted.exact.sum() < 40
    tokens = [each + 1 for each in digits]
    texts = ["".join(map(str, row)) for row in digits[0].tolist()]
    kinds: dict[str, Callable[[Boards], Any]] = {
        "uint8": lambda array: array,
        "int64": lambda array: array.astype(np.int64),
        "nine rows": lambda array: array.astype(np.int32).reshape(-1, 9, 9),
        "transposed": lambda array: np.asfortranarray(array.astype(np.int16)),
        "lists": lambda array: array.tolist(),
        "iterator": lambda array: iter(array.tolist()),
        "list of arrays": list,
        "objects": lambda array: np.array([*array.tolist(), None], dtype=object)[:-1],
        "series": lambda array: pd.Series(array.tolist()),
        "arrow": lambda array: pa.array(array.tolist()),
        "polars": lambda array: pl.Series(array.tolist()),
    }
    for name, made in kinds.items():
        for found in (
            sudobench.score(*map(made, tokens), tokens="hrm"),
            sudobench.score(texts, *map(made, tokens[1:]), tokens="hrm"),
        ):
            assert found.notes == {}, name
            np.testing.assert_array_equal(found.right_cells, wanted.right_cells, err_msg=name)
    # The outputs of a model have a number for each class of a cell, not one token per cell.
    outputs = np.eye(11, dtype=np.float32)[tokens[1]]
    np.testing.assert_array_equal(sudobench.score(tokens[0], outputs, tokens[2], tokens="hrm").exact, wanted.exact)
    # One board is used for all rows.
    one = sudobench.score(tokens[0][0].tolist(), tokens[2][:2], tokens="hrm")
    assert one.exact.tolist() == [True, False]
    right = ["".join(map(str, row)) for row in solutions.tolist()]
    # Texts stay texts, and rows without a board have the same notes as in a call without `tokens`.
    mixed = [tokens[2][0].tolist(), None, [5] * 80, right[3], tokens[2][4], 7]
    plain = [solutions[0].tolist(), None, [5] * 80, right[3], solutions[4], 7]
    found, wanted = sudobench.score(tokens[0][:6], mixed, tokens="hrm"), sudobench.score(digits[0][:6], plain)
    assert found.exact.tolist() == wanted.exact.tolist() == [True, False, False, True, True, False]
    assert found.notes == wanted.notes and list(found.notes) == [1, 2, 5]
    for what, wrong in (("puzzles", [digits[0], tokens[1]]), ("solutions", [*tokens[:2], digits[0]])):
        with pytest.raises(ValueError, match=f"{what}: a cell is 0, but with tokens"):
            sudobench.score(*wrong, tokens="hrm")


def test_tokens_of_hrm_that_are_read_as_digits_have_a_warning(boards: tuple[Boards, Boards, Boards]) -> None:
    puzzles, solutions, _ = boards
    with pytest.warns(UserWarning, match=r'^predictions, solutions: the numbers are 0 to 10.*pass tokens="hrm"'):
        scores = sudobench.score(puzzles, solutions + 1, solutions.astype(np.int64) + 1)
    assert not scores.exact.any() and "holds 10" in scores.notes[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sudobench.score(puzzles, solutions + 2)
        sudobench.score(puzzles, ["x"] * 300)


def test_wide_integers_are_read_as_bytes_are(boards: tuple[Boards, Boards, Boards]) -> None:
    puzzles, _, predictions = (np.tile(each, (10, 1)) for each in boards)
    wanted = sudobench.score(puzzles, predictions)
    for kind in ("i1", "<i2", ">i4", "<u4", "<i8", ">u8"):
        wide = predictions.astype(kind)
        for given in (wide, wide.reshape(-1, 9, 9), np.asfortranarray(wide), np.repeat(wide, 2, axis=0)[::2]):
            np.testing.assert_array_equal(sudobench.score(puzzles, given).right_cells, wanted.right_cells, err_msg=kind)
    # If a row has a number that is not a digit, its note names the number. This also works for a row outside of the first block of rows.
    for kind, number in (("i8", -(2**63)), ("i8", 2**40 + 5), ("i4", -1), ("i2", 256), ("i1", -128), ("i8", 127), ("u8", 2**64 - 1), ("i8", 11)):
        wide = predictions.astype(kind)
        wide[2900, 3] = number
        notes = sudobench.score(puzzles, wide).notes
        assert list(notes) == [2900] and str(number) in notes[2900]
        assert list(sudobench.solve(wide[2900:2901]).notes) == [0]


def test_bad_predictions_are_wrong_and_bad_puzzles_do_not_count(boards: tuple[Boards, Boards, Boards]) -> None:
    puzzle, solution = ("".join(map(str, side[0].tolist())) for side in boards[:2])
    other = "".join(map(str, boards[1][1].tolist()))
    scores = sudobench.score([puzzle] * 4 + ["x"], [solution, None, solution[:-1], other, solution], [solution] * 3 + [other, solution])
    assert scores.exact.tolist() == [True, False, False, False, False]
    assert scores.malformed.tolist() == [False, True, True, False, False]
    assert scores.scored.tolist() == [True, True, True, True, False]
    assert scores.accuracies.puzzles == 4
    assert list(scores.notes) == [1, 2, 3, 4]
    assert scores.notes[3] == "the expected solution does not solve the puzzle"
    # A puzzle with several solutions has no solution to compare with.
    several = sudobench.score(["." * 81], [solution])
    assert several.exact[0] and several.valid[0] and not several.compared[0] and several.accuracies.cell_accuracy is None
    assert several.to_pandas()["right_cells"].isna().all()
    # A single puzzle is used for all predictions, such as several attempts of a model.
    for single in (puzzle, [puzzle], boards[0][:1], boards[0][0]):
        assert sudobench.score(single, [other, solution]).exact.tolist() == [False, True]


def test_tables_keep_their_kind_and_their_index() -> None:
    with open(PREDICTIONS, newline="") as file:
        rows = list(csv.DictReader(file))
    frame = pd.DataFrame(rows, index=range(5, 5 + len(rows)))
    tables: list[Any] = [frame, pl.DataFrame(rows), pa.Table.from_pylist(rows)]
    ours = [sudobench.score_table(table, "puzzle", "all", solution_column="solution") for table in tables]
    assert ours[0].index.equals(frame.index)
    first = pa.Table.from_pandas(ours[0], preserve_index=False)
    for table in ours[1:]:
        table = pa.table(table)
        assert table.column_names == [*frame.columns, *COLUMNS]
        for name in COLUMNS:
            assert table[name].to_pylist() == first[name].to_pylist(), name
    assert [type(table) for table in ours] == [type(table) for table in tables]
    with pytest.raises(ValueError, match="there is no column 'answer'; choose from puzzle, solution, prediction"):
        sudobench.score_table(frame, "puzzle", prediction_column="answer")


def test_files_have_the_means_of_arrays(tmp_path: pathlib.Path) -> None:
    frame = pd.read_csv(PREDICTIONS, dtype=str, keep_default_na=False)
    scores = sudobench.score(frame["puzzle"], frame["prediction"], frame["solution"])
    for output in (None, tmp_path / "scored.parquet"):
        finished = sudobench.score_file(PREDICTIONS, output, bucket_by="model")
        assert finished is not None and finished.accuracies == scores.accuracies
        assert finished.buckets == scores.by(frame["model"])
        for counts, wanted in zip(finished.cell_errors, scores.cell_errors, strict=True):
            np.testing.assert_array_equal(counts, wanted)
    assert (tmp_path / "scored.parquet").exists()


@pytest.mark.parametrize(
    ("predictions", "options", "error", "words"),
    [
        (np.zeros((3, 81), dtype=np.uint8), {}, ValueError, "2 puzzles for 3 predictions"),
        (np.zeros((2, 81, 8)), {}, ValueError, r"outputs of shape \(2, 81, 8\)"),
        (np.zeros((2, 81), dtype=np.int64), {"tokens": "words"}, ValueError, "tokens='words': choose 'digits' or 'hrm'"),
        (np.full((2, 81), 11), {"tokens": "hrm"}, ValueError, "tokens of HRM are 0 to 10"),
        ([[11] * 81] * 2, {"tokens": "hrm"}, ValueError, "tokens of HRM are 0 to 10"),
        (7, {}, TypeError, "cannot contain puzzles"),
    ],
)
def test_wrong_arguments_are_named(predictions: Any, options: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        sudobench.score(["." * 81] * 2, predictions, **options)


def test_pass_at_is_the_mean_over_groups() -> None:
    puzzles = sudobench.generate(3, seed=9).puzzle
    right = sudobench.solve(puzzles).solution
    wrong = puzzles
    # The exact predictions: 1 of 2 for the first puzzle, 0 of 3 for the second, 1 of 1 for the third.
    asked, given = puzzles[[0, 1, 1, 0, 1, 2]], np.stack([right[0], wrong[1], wrong[1], wrong[0], wrong[1], right[2]])
    scores = sudobench.score(asked, given, pass_at=[1, 2])
    first, second = scores.pass_at[1], scores.pass_at[2]
    assert first.accuracy is not None and first.accuracy.mean == pytest.approx((1 / 2 + 0 + 1) / 3)
    assert (first.groups, first.too_small) == (3, 0)
    # 1 in 27 resamples draws only the second puzzle, and 1 in 27 draws only the third. Both are more than 2.5 %, so the interval
    # reaches from 0 to 1.
    assert first.accuracy[1:] == (0, 1) and first.bootstrap == sudobench.Bootstrap(resamples=1_000, seed=1)
    assert second == sudobench.PassAt(None, 3, 1)
    # 1 of 4 predictions is exact. There are 6 ways to choose 2 predictions, and 3 of them include the exact one.
    one = sudobench.score(puzzles[0], [right[0], *[wrong[0]] * 3], pass_at=2).pass_at[2]
    assert one.accuracy is not None and one.accuracy.mean == pytest.approx(1 / 2) and one.groups == 1
    assert one.accuracy[1:] == (0, 1) and one.bootstrap is None
    unknown = sudobench.score(["." * 81], ["." * 81])
    assert unknown.accuracies.cell_accuracy is None and unknown.accuracies.bootstrap is None
    grouped = sudobench.score(asked, given, pass_at=(2,), group_by=["a", "a", "b", "b", "b", "a"])
    # In group a, 2 of 3 predictions are exact; in group b, 0 of 3.
    assert grouped.pass_at[2].accuracy is not None and grouped.pass_at[2].accuracy.mean == pytest.approx(1 / 2)
    assert grouped[:2].pass_at == grouped.pass_at and sudobench.score(asked, given).pass_at == {}
    options: dict[str, Any]
    for options, words in (
        ({"group_by": [1] * 6}, "add pass_at"),
        ({"pass_at": 1, "group_by": [1]}, "1 values for 6 predictions"),
        ({"pass_at": [0]}, "each k must be 1 or more"),
        ({"pass_at": 2**32}, "each k must be 1 or more, and less than"),
    ):
        with pytest.raises(ValueError, match=words):
            sudobench.score(asked, given, **options)
    for number in (np.int64(2), np.array(2), [np.uint8(2)], np.array([2]), iter([2])):
        assert sudobench.score(asked, given, pass_at=number).pass_at == {2: second}
    for number in ("1", [1.5], 1.5, None, [[1]]):
        with pytest.raises(TypeError, match=r"pass_at=.*: give a whole number or a list of whole numbers"):
            sudobench.score(asked, given, pass_at=number)


def test_files_have_the_pass_at_of_arrays() -> None:
    frame = pd.read_csv(PREDICTIONS, dtype=str, keep_default_na=False)
    scores = sudobench.score(frame["puzzle"], frame["prediction"], frame["solution"], pass_at=[1, 2])
    finished = sudobench.score_file(PREDICTIONS, pass_at=[1, 2])
    assert finished is not None and finished.pass_at == scores.pass_at and scores.pass_at[2].accuracy is not None
    by_model = sudobench.score_file(PREDICTIONS, pass_at=1, group_by="model")
    grouped = sudobench.score(frame["puzzle"], frame["prediction"], frame["solution"], pass_at=1, group_by=frame["model"])
    assert by_model is not None and by_model.pass_at == grouped.pass_at and by_model.pass_at[1].groups == 2


def test_means_as_json_are_those_of_the_record(tmp_path: pathlib.Path) -> None:
    frame = pd.read_csv(PREDICTIONS, dtype=str, keep_default_na=False)
    scores = sudobench.score(frame["puzzle"], frame["prediction"], frame["solution"], pass_at=[1, 2])
    record = tmp_path / "record.json"
    command("score", PREDICTIONS, "--pass-at", "1,2", "--export-json", record, "--quiet", check=True)
    assert json.loads(json.dumps(scores.to_dict())) == json.loads(record.read_text())["scores"]
    means = scores.accuracies
    assert means.exact is not None and means.to_dict()["exact"] == {"mean": means.exact.mean, "low": means.exact.low, "high": means.exact.high}
    assert means.to_dict().items() <= scores.to_dict()["all"].items()
    empty = scores[:0].to_dict()["all"]
    assert empty["puzzles"] == 0 and empty["exact"] is None
    assert "pass_at" not in sudobench.score("." * 81, ["." * 81]).to_dict()


def test_reports_are_those_of_the_command(tmp_path: pathlib.Path) -> None:
    frame = pd.read_csv(PREDICTIONS, dtype=str, keep_default_na=False)
    scores = sudobench.score(frame["puzzle"], frame["prediction"], frame["solution"], pass_at=1)
    record, page, tables = (tmp_path / name for name in ("record.json", "page.html", "tables.md"))
    exports = ("--export-json", record, "--export-html", page, "--export-markdown", tables)
    command("score", PREDICTIONS, "--pass-at", "1", "--bucket-by", "model", *exports, "--quiet", check=True)
    by_model = {"by": frame["model"], "name": "model"}
    assert json.loads(json.dumps(scores.to_dict(**by_model))) == json.loads(record.read_text())["scores"]
    of_tables = scores.to_markdown(**by_model)
    assert of_tables[of_tables.index("### ") :] == tables.read_text()[tables.read_text().index("### ") :]
    of_page = scores.to_html(**by_model)
    start, end = "<table>", "<h2>Conditions</h2>"
    shown, expected = (text[text.index(start) : text.index(end)] for text in (of_page, page.read_text()))
    assert shown == expected and "<dt>command</dt>" not in of_page
    mixed = scores[:4].to_dict(by=[1, "1", None, ""])["buckets"]
    assert {text: means["puzzles"] for text, means in mixed.items()} == {"1": 2, "": 2}
    assert mixed == scores[:4].to_dict(by=["1", "1", "", ""])["buckets"]
    hostile = scores[:1].to_html(by=["<script>"], name="<b>")
    assert "<script" not in hostile and "<b>" not in hostile and "&lt;script&gt;" in hostile
    empty = sudobench.score([], [])
    assert "Scores of 0 predictions" in empty.to_html() and "Scores of 0 predictions" in empty.to_markdown(by=[])
