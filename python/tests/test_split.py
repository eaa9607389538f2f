"""`split` puts all puzzles of a class on the same side, and does what the command does."""

from __future__ import annotations

import pathlib
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sudobench
from conftest import Known


@pytest.fixture
def texts(known: list[Known]) -> list[str]:
    """Returns the known puzzles, and other forms of the puzzles that are not malformed."""
    puzzles = [row.puzzle for row in known if row.status != "malformed"]
    return [row.puzzle for row in known] + sudobench.transform(puzzles, random=3)


@pytest.mark.parametrize("by", ["text", "isomorph", "solution", "solution_isomorph"])
def test_no_class_is_on_both_sides(texts: list[str], by: Any, tmp_path: pathlib.Path) -> None:
    found = sudobench.split(texts, test="40%", by=by, seed=3)
    assert len(found) == len(texts) and not (found.train & found.test).any()
    answers = sudobench.solve(texts)
    malformed = answers.status == "malformed"
    assert (found.train | found.test).tolist() == (~malformed).tolist()
    assert found.side[malformed].tolist() == [""] * malformed.sum()
    unique = answers.status == "unique"
    forms = sudobench.canonical(texts, canonical_solution=True)
    boards = {
        "text": np.array([list(text.ljust(81)[:81]) for text in texts]),
        "isomorph": forms.canonical,
        "solution": answers.solution,
        "solution_isomorph": forms.canonical_solution,
    }[by]
    sides: dict[bytes, str] = {}
    rows = np.flatnonzero(unique if "solution" in by else ~malformed)
    for row in rows.tolist():
        assert sides.setdefault(boards[row].tobytes(), found.side[row]) == found.side[row]
    assert {"train", "test"} == set(sides.values())
    assert by == "text" or len(sides) < len(rows)

    # A row has the same side if other rows are removed, if only one thread is used, or if `split_file` splits the rows.
    assert sudobench.split(texts[::2], test=0.4, by=by, seed=3, threads=1).side.tolist() == found.side[::2].tolist()
    path = tmp_path / "all.csv"
    pd.DataFrame({"puzzle": texts}).to_csv(path, index=False)
    sudobench.split_file(path, tmp_path / "sides.csv", test=0.4, by=by, seed=3)
    sides_of_file = pd.read_csv(tmp_path / "sides.csv", dtype=str, keep_default_na=False)["side"]
    assert sides_of_file.tolist() == found.side.tolist()
    assert sudobench.split(texts, test="40%", by=by, seed=4).side.tolist() != found.side.tolist()


def test_tables_are_split_into_two_of_their_kind(texts: list[str]) -> None:
    frame = pd.DataFrame({"row": range(len(texts)), "puzzle": texts}).sample(frac=1, random_state=1)
    for table in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        train, test = sudobench.split_table(table, "puzzle", test=0.3)
        assert type(train) is type(test) is type(table)
        rows = [list(part["row"].to_pylist() if isinstance(part, pa.Table) else part["row"]) for part in (train, test)]
        found = sudobench.split(frame["puzzle"], test=0.3)
        assert rows == [frame["row"][~found.test].tolist(), frame["row"][found.test].tolist()] and rows[1]
    assert sudobench.split_table(frame, "puzzle")[1].index.tolist() == frame.index[sudobench.split(frame["puzzle"]).test].tolist()


def test_two_files_have_all_rows_between_them(tmp_path: pathlib.Path, texts: list[str]) -> None:
    path, train, test = (tmp_path / name for name in ("all.csv", "train.parquet", "test.parquet"))
    pd.DataFrame({"puzzle": texts, "row": range(len(texts))}).to_csv(path, index=False)
    finished = sudobench.split_file(path, train, test="30%", test_output=test)
    assert finished is not None
    parts = [pd.read_parquet(part) for part in (train, test)]
    assert [list(part.columns) for part in parts] == [["puzzle", "row"]] * 2
    assert finished.rows == len(texts) and finished.left_out == finished.test_rows == len(parts[1]) > 0
    assert isinstance(finished, sudobench.FinishedSplit) and finished.classes is finished.groups is None and finished.found == finished.test == {}
    rows = [int(row) for part in parts for row in part["row"]]
    assert sorted(rows) == list(range(len(texts)))
    for options, error, words in (
        ({"output": tmp_path / "new.csv", "test_output": test}, FileExistsError, "test.parquet already exists"),
        ({"output": tmp_path / "new.csv", "test_output": tmp_path / "new.csv"}, ValueError, "choose another file"),
        ({"input": "/dev/null", "output": tmp_path / "new.csv", "test_output": tmp_path / "newer.csv"}, ValueError, "twice"),
        ({"output": tmp_path / "new.csv", "test": 2}, ValueError, "10% or 0.1"),
        ({"output": tmp_path / "new.csv", "by": "rows"}, ValueError, "solution_isomorph"),
    ):
        with pytest.raises(error, match=words):
            sudobench.split_file(**{"input": path, **options})  # type: ignore[arg-type]
        assert not (tmp_path / "new.csv").exists()
    with pytest.raises(ValueError, match="test=1.5.*10% or 0.1"):
        sudobench.split(texts, test=1.5)
    with pytest.raises(ValueError, match="by='rows': choose from text"):
        sudobench.split(texts, by="rows")  # type: ignore[arg-type]


def test_each_label_has_its_share() -> None:
    puzzles = sudobench.generate(600, seed=5).puzzle
    # The labels have 400, 150 and 50 rows.
    labels = np.repeat(["easy", "medium", "hard"], [400, 150, 50])
    for given in (labels, labels.tolist(), pd.Series(labels), pl.Series(labels), (label for label in labels)):
        found = sudobench.split(puzzles, test=0.1, seed=2, stratify=given)
        assert [found.test[labels == label].sum() for label in ("easy", "medium", "hard")] == [40, 15, 5]
        assert found.test_share == {"easy": 0.1, "medium": 0.1, "hard": 0.1}
    # Without labels, chance decides the share of each label. Most rows are on the same side as with labels.
    plain = sudobench.split(puzzles, test=0.1, seed=2)
    assert plain.test_share == {} and (plain.test != found.test).sum() < 30
    assert [plain.test[labels == label].sum() for label in ("easy", "medium", "hard")] != [40, 15, 5]
    assert found[:10].test_share == found.test_share
    other = sudobench.split(puzzles, test=0.1, seed=3, stratify=labels)
    assert other.test.sum() == 60 and (other.test != found.test).any()


def test_labels_do_not_divide_a_class() -> None:
    puzzles = np.repeat(sudobench.generate(300, seed=5).puzzle, 3, axis=0)
    labels = np.arange(900) // 3 % 7
    labels[::90] = 7
    found = sudobench.split(sudobench.transform(puzzles, random=1, by="row"), test="20%", stratify=labels, by="isomorph")
    assert (found.test.reshape(300, 3).sum(axis=1) % 3 == 0).all()
    assert all(0.15 < share < 0.25 for label, share in found.test_share.items() if label < 7)


def test_rows_without_a_label_are_a_label_and_malformed_rows_are_none(texts: list[str]) -> None:
    texts = [text for text in texts if len(text) == 81] + ["x"] * 7
    labels = [None, float("nan"), pd.NA, pd.NaT, "b"] * (len(texts) // 5 + 1)
    found = sudobench.split(texts, test=0.3, stratify=labels[: len(texts)])
    assert set(found.test_share) == {None, "b"}
    assert not found.test[-7:].any() and not found.train[-7:].any()
    # For tables, `stratify` is the name of the column.
    frame = pd.DataFrame({"puzzle": texts, "level": ["a", "b"] * (len(texts) // 2) + ["a"] * (len(texts) % 2)})
    wanted = sudobench.split(texts, test=0.3, stratify=frame["level"])
    for table in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        for stratify in ("level", 2, frame["level"].tolist()):
            _, test = sudobench.split_table(table, "puzzle", test=0.3, stratify=stratify)
            assert len(test) == wanted.test.sum()


def test_labels_that_cannot_have_their_share_are_refused() -> None:
    puzzles = sudobench.generate(30, seed=5).puzzle
    with pytest.raises(ValueError, match="stratify has 30 different labels, but the test data has about 3 rows: merge labels"):
        sudobench.split(puzzles, stratify=np.arange(30) / 7)
    with pytest.raises(ValueError, match="seed=-1: give a whole number from 0"):
        sudobench.split(puzzles, seed=-1)
    with pytest.raises(ValueError, match="stratify has 29 labels for 30 puzzles"):
        sudobench.split(puzzles, stratify=["a"] * 29)
    with pytest.raises(ValueError, match="there is no column 'level'"):
        sudobench.split_table(pd.DataFrame({"puzzle": ["." * 81]}), "puzzle", stratify="level")


@pytest.mark.parametrize("by", ["isomorph", "solution_isomorph"])
def test_files_are_stratified_as_tables(texts: list[str], by: Any, tmp_path: pathlib.Path) -> None:
    texts = texts + sudobench.transform(list(sudobench.generate(300, seed=5).text()), random=2)
    frame = pd.DataFrame({"puzzle": texts, "row": range(len(texts))})
    frame["level"] = [["a", "b", "c"][row % 7 % 3] for row in frame["row"]]
    frame["difficulty"] = sudobench.rate(texts).difficulty.tolist()
    frame["clues"] = [sum(cell in "123456789" for cell in text) // 2 % 3 for text in texts]
    path = tmp_path / "all.parquet"
    frame.to_parquet(path)
    options: dict[str, Any] = {"test": 0.2, "by": by, "seed": 4}
    malformed = sudobench.split(texts, **options).notes
    # The file has other difficulties in its column `difficulty` than `rate` computes, so that the test fails if the two are confused.
    frame.assign(difficulty=frame["level"]).to_parquet(tmp_path / "other.parquet")
    for column, file, labels in (
        ("level", path, frame["level"]),
        ("input.level", path, frame["level"]),
        ("input.clues", path, frame["clues"]),
        ("difficulty", tmp_path / "other.parquet", frame["difficulty"]),
        ("input.difficulty", tmp_path / "other.parquet", frame["level"]),
    ):
        _, test = sudobench.split_table(frame, "puzzle", stratify=labels, **options)
        finished = sudobench.split_file(
            file, tmp_path / "train.csv", test_output=tmp_path / "test.csv", stratify=column, force=True, **options
        )
        assert finished is not None and finished.left_out == finished.test_rows == len(test) > 0
        assert pd.read_csv(tmp_path / "test.csv")["row"].tolist() == test["row"].tolist(), column
        assert len(pd.read_csv(tmp_path / "train.csv")) == len(frame) - len(test)
        sides = [labels.drop(index=list(malformed)), labels[test["row"].to_numpy()]]
        counts = [Counter(map(str, side)) for side in sides]
        assert finished.found == counts[0] and Counter(finished.test) == counts[1]
        assert finished.classes and finished.groups and finished.groups <= finished.classes <= len(frame)
    plain = sudobench.split_table(frame, "puzzle", **options)[1]
    assert plain["row"].tolist() != sudobench.split_table(frame, "puzzle", stratify="level", **options)[1]["row"].tolist()


def test_columns_that_cannot_be_strata_of_a_file_are_refused(texts: list[str], tmp_path: pathlib.Path) -> None:
    path = tmp_path / "all.csv"
    pd.DataFrame({"puzzle": texts, "row": range(len(texts))}).to_csv(path, index=False)
    for stratify, words in (
        ("level", "the input has no column `level`; its columns are puzzle, row; computed columns are difficulty, singles"),
        ("row", "row has .* different values, but the test data has about .* rows, fewer than one for each: choose a column with fewer values"),
    ):
        with pytest.raises(ValueError, match=words):
            sudobench.split_file(path, tmp_path / "new.csv", test_output=tmp_path / "newer.csv", stratify=stratify)
        assert [file.name for file in tmp_path.iterdir()] == ["all.csv"]
