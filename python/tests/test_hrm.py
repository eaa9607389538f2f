"""Tests `export_hrm`, which writes training data for the models HRM and TRM.

The tests read the folder as the loaders of HRM and TRM do."""

import csv
import fcntl
import json
import os
import pathlib
import signal
import subprocess
import sys
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import sudobench
from conftest import Known

Boards = npt.NDArray[np.uint8]


def write_csv(path: pathlib.Path, rows: list[tuple[str, str, int]]) -> pathlib.Path:
    """Writes a CSV file with the columns of sudoku-extreme: source, question, answer, rating."""
    with open(path, "w", newline="") as file:
        lines = [("source", "question", "answer", "rating"), *(("made", *row) for row in rows)]
        csv.writer(file).writerows(lines)
    return path


def read_set(folder: pathlib.Path) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Asserts that the arrays in the folder have the shapes and values that HRM's loader expects. Returns the metadata and the arrays."""
    metadata = json.loads((folder / "dataset.json").read_text())
    assert metadata["sets"] == ["all"]
    fields = ("inputs", "labels", "puzzle_identifiers", "puzzle_indices", "group_indices")
    arrays = {field: np.load(folder / f"all__{field}.npy", mmap_mode="r") for field in fields}
    boards = len(arrays["inputs"])
    assert arrays["inputs"].shape == arrays["labels"].shape == (boards, metadata["seq_len"])
    assert arrays["inputs"].dtype == arrays["labels"].dtype == np.uint8
    assert arrays["inputs"].min() >= 1 and arrays["labels"].min() >= 2
    assert max(arrays["inputs"].max(), arrays["labels"].max()) < metadata["vocab_size"]
    for field in fields[2:]:
        assert arrays[field].dtype == np.int32
    assert arrays["puzzle_identifiers"].tolist() == [0] * boards
    assert arrays["puzzle_indices"].tolist() == list(range(boards + 1))
    groups = arrays["group_indices"]
    assert len(groups) == metadata["total_groups"] + 1 == metadata["total_puzzles"] + 1
    assert groups[0] == 0 and groups[-1] == boards
    return metadata, arrays


def tokens(text: str) -> list[int]:
    return [int(cell) + 1 if cell.isdigit() else 1 for cell in text]


@pytest.fixture
def rows(known: list[Known]) -> list[tuple[str, str, int]]:
    different = {"".join(map(str, tokens(row.puzzle))): row for row in known if row.status == "unique"}
    return [(row.puzzle, row.solution, at % 7) for at, row in enumerate(different.values())]


def test_a_folder_has_the_contents_that_their_script_writes(
    tmp_path: pathlib.Path, rows: list[tuple[str, str, int]]
) -> None:
    train, test = write_csv(tmp_path / "train.csv", rows), write_csv(tmp_path / "test.csv", rows[:9])
    made = sudobench.export_hrm(train, test, tmp_path / "data")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "test.csv", "train.csv"]
    assert json.loads((tmp_path / "data/identifiers.json").read_text()) == ["<blank>"]
    for name, exported, expected in (("train", made.train, rows), ("test", made.test, rows[:9])):
        _, arrays = read_set(tmp_path / "data" / name)
        assert arrays["inputs"].tolist() == [tokens(puzzle) for puzzle, _, _ in expected]
        assert arrays["labels"].tolist() == [tokens(solution) for _, solution, _ in expected]
        assert (exported.groups, exported.boards, exported.left_out) == (len(expected), len(expected), 0)


def test_augmented_forms_follow_their_puzzle_and_are_equivalent(
    tmp_path: pathlib.Path, rows: list[tuple[str, str, int]]
) -> None:
    train = write_csv(tmp_path / "train.csv", rows)
    options: dict[str, Any] = {"num_aug": 3, "subsample_size": 20, "min_difficulty": 2, "seed": 5}
    made = sudobench.export_hrm(train, train, tmp_path / "a", **options)
    again = sudobench.export_hrm(train, train, tmp_path / "b", threads=1, **options)
    other = sudobench.export_hrm(train, train, tmp_path / "c", **{**options, "seed": 6})
    assert made == again == other and (made.train.groups, made.train.boards) == (20, 80)
    hard = [row for row in rows if row[2] >= 2]
    assert made.test.groups == made.test.boards == len(hard)

    _, arrays = read_set(tmp_path / "a/train")
    assert arrays["group_indices"].tolist() == list(range(0, 81, 4))
    inputs, labels = (arrays[field].reshape(20, 4, 81) - 1 for field in ("inputs", "labels"))
    drawn = [tuple(board) for board in (inputs[:, 0] + 1).tolist()]
    assert len(set(drawn)) == 20 and set(drawn) <= {tuple(tokens(puzzle)) for puzzle, _, _ in hard}
    for group, solved in zip(inputs, labels):
        assert len({board.tobytes() for board in group}) == 4
        assert len(np.unique(sudobench.canonical(group).canonical, axis=0)) == 1
        assert (sudobench.solve(group).solution == solved).all()
    for field in ("inputs", "labels"):
        bytes_of = [(tmp_path / name / f"train/all__{field}.npy").read_bytes() for name in "abc"]
        assert bytes_of[0] == bytes_of[1] != bytes_of[2]


def test_rows_without_one_known_solution_are_left_out_and_counted(
    tmp_path: pathlib.Path, known: list[Known], rows: list[tuple[str, str, int]]
) -> None:
    others = [(row.puzzle, "", 9) for row in known if row.status != "unique"]
    wrong = (rows[0][0], rows[1][1], 9)
    unsolved = (rows[2][0], "", 9)
    mixed = write_csv(tmp_path / "mixed.csv", [rows[0], *others, wrong, unsolved])
    made = sudobench.export_hrm(mixed, mixed, tmp_path / "data").train
    assert (made.groups, made.left_out, made.mismatches) == (2, len(others) + 1, 1)
    # A puzzle with several solutions is a mismatch if its solution in the file is not its smallest solution.
    blank = sudobench.solutions("." * 81, limit_per_puzzle=2)
    several = [("." * 81, "".join(map(str, board)), 9) for board in blank.tolist()]
    counted = sudobench.export_hrm(write_csv(tmp_path / "several.csv", [rows[0], *several]), mixed, tmp_path / "counted").train
    assert (counted.groups, counted.left_out, counted.mismatches, counted.statuses["multiple"]) == (1, 2, 1, 2)
    assert sum(made.statuses.values()) == len(others) + 3
    _, arrays = read_set(tmp_path / "data/train")
    assert arrays["labels"].tolist() == [tokens(rows[0][1]), tokens(rows[2][1])]

    # If every row can be exported, `export_hrm` does not solve the puzzles a second time. It must draw the same rows as from a file that
    # also has rows that can't be exported.
    right = write_csv(tmp_path / "right.csv", rows)
    followed = write_csv(tmp_path / "followed.csv", [*rows, *others])
    drawn = {}
    for path in (right, followed):
        sudobench.export_hrm(path, right, tmp_path / path.stem, subsample_size=20, num_aug=1)
        drawn[path.stem] = [(tmp_path / path.stem / f"train/all__{field}.npy").read_bytes() for field in ("inputs", "labels")]
    assert drawn["right"] == drawn["followed"]


def test_what_cannot_be_exported_is_refused_and_leaves_nothing(
    tmp_path: pathlib.Path, rows: list[tuple[str, str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    train = write_csv(tmp_path / "train.csv", rows)
    folder = tmp_path / "data"
    for options, error, words in (
        ({"min_difficulty": 100}, ValueError, "the train set is empty"),
        ({"min_difficulty": 1, "rating_column": "stars"}, ValueError, "no column `stars`"),
        ({"num_aug": -1}, ValueError, "num_aug=-1: it must be a whole number, 0 or more"),
        ({"subsample_size": 2.5}, ValueError, "subsample_size=2.5: it must be a whole number, 1 or more"),
        ({"num_aug": 2**31}, ValueError, "lower num_aug or subsample_size"),
    ):
        with pytest.raises(error, match=words):
            sudobench.export_hrm(train, train, folder, **options)
        assert [path.name for path in tmp_path.iterdir()] == ["train.csv"], options
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(ValueError, match="reads each input twice, which .*pipe does not allow: store it in a file first"):
        sudobench.export_hrm(pipe, train, folder)
    pipe.unlink()
    folder.mkdir()
    (folder / "mine").write_text("kept")
    with pytest.raises(FileExistsError, match="force=True"):
        sudobench.export_hrm(train, train, folder)
    assert (folder / "mine").read_text() == "kept"
    with pytest.raises(ValueError, match="train.csv is in .*, which this call replaces: choose another folder"):
        sudobench.export_hrm(train, train, tmp_path, force=True)
    sudobench.export_hrm(train, train, folder, num_aug=np.int64(1), force=True)
    assert not (folder / "mine").exists() and read_set(folder / "test")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "train.csv"]
    (tmp_path / "data.old").write_text("mine")
    with pytest.raises(FileExistsError, match="rename or remove .*data.old"):
        sudobench.export_hrm(train, train, folder, force=True)
    (tmp_path / "data.old").unlink()
    with pytest.raises(FileExistsError, match="train.csv is not a folder"):
        sudobench.export_hrm(train, train, train, force=True)
    with pytest.raises(ValueError, match="train.csv is in .*, which this call replaces"):
        sudobench.export_hrm(train, train, f"{tmp_path}/.", force=True)
    inside = folder / "inside"
    inside.mkdir()
    monkeypatch.chdir(inside)
    for name in (".", ".."):
        with pytest.raises(ValueError, match="the current folder is in "):
            sudobench.export_hrm(train, train, name, force=True)


KILLED = """
import os, signal, sys
import sudobench
from sudobench import _hrm
_hrm._put_in_place = lambda *arguments: os.kill(os.getpid(), signal.SIGKILL)
sudobench.export_hrm(sys.argv[1], sys.argv[1], sys.argv[2])
"""


def test_the_files_of_a_killed_process_are_removed(tmp_path: pathlib.Path, rows: list[tuple[str, str, int]]) -> None:
    train = write_csv(tmp_path / "train.csv", rows)
    folder = tmp_path / "data"
    ended = subprocess.run([sys.executable, "-c", KILLED, train, folder], check=False)
    assert ended.returncode == -signal.SIGKILL
    (left,) = (path for path in tmp_path.iterdir() if path != train)
    assert left.name.startswith(".data.export_hrm-") and (left / "folder" / "identifiers.json").exists()
    # The next export must keep three folders: one that is locked by a running process, an empty one whose process has just started, and one
    # of an export to another folder.
    kept = [tmp_path / name for name in (".data.export_hrm-running1", ".data.export_hrm-started1", ".other.export_hrm-abcd1234")]
    for path in kept:
        path.mkdir()
    for path in (kept[0], kept[2]):
        (path / "puzzles.npy").write_text("")
    running = os.open(kept[0], os.O_RDONLY)
    fcntl.flock(running, fcntl.LOCK_EX)
    sudobench.export_hrm(train, train, folder)
    assert set(tmp_path.iterdir()) == {train, folder, *kept}
    os.close(running)
    sudobench.export_hrm(train, train, folder, force=True)
    assert set(tmp_path.iterdir()) == {train, folder, *kept[1:]}


def test_the_old_folder_exists_until_the_new_folder_has_its_name(
    tmp_path: pathlib.Path, rows: list[tuple[str, str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    train = write_csv(tmp_path / "train.csv", rows)
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "mine").write_text("kept")
    rename = os.rename
    names: list[str] = []

    def failing(source: pathlib.Path, target: pathlib.Path) -> None:
        names.append(target.name)
        if len(names) == 2:
            assert (tmp_path / "data.old" / "mine").read_text() == "kept", "what a kill at this moment leaves"
            raise OSError("the disk is broken")
        rename(source, target)

    monkeypatch.setattr(os, "rename", failing)
    with pytest.raises(OSError, match="the disk is broken"):
        sudobench.export_hrm(train, train, folder, force=True)
    assert names == ["data.old", "data", "data"]
    assert (folder / "mine").read_text() == "kept"

