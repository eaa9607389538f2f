"""The dataset folder that the Sudoku models HRM and TRM are trained with."""

from __future__ import annotations

import contextlib
import glob
import json
import numbers
import os
import pathlib
import shutil
import sys
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from ._files import Finished, Path, Paths, _several
from ._transform import transform
from ._verb_files import check_file, solve_file

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import numpy.typing as npt


BLOCK = 1 << 16
"""Number of boards that are in memory at a time."""

MOST = 2**31 - 1
"""Maximum number of boards in a set, because its indices have 32 bits."""


@dataclass(frozen=True)
class HrmSet:
    """One of the two sets of an exported folder."""

    groups: int
    """Number of puzzles that were taken from the input."""
    boards: int
    """Number of boards in the set: the puzzles and their augmented forms."""
    left_out: int
    """Number of rows of the input that were not taken."""
    statuses: dict[str, int]
    """Number of rows of the input with each status. Rows with a status other than `unique` are never taken."""
    mismatches: int
    """Number of rows of the input whose solution is not the one that `solve_file` finds, which is the smallest one if the puzzle has several
    solutions. Such rows are never taken."""


@dataclass(frozen=True)
class HrmFolder:
    """An exported folder."""

    train: HrmSet
    test: HrmSet


def export_hrm(
    train: Paths,
    test: Paths,
    folder: Path,
    *,
    subsample_size: int | None = None,
    num_aug: int = 0,
    min_difficulty: float | None = None,
    rating_column: str = "rating",
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    seed: int = 1,
    force: bool = False,
    threads: int | None = None,
) -> HrmFolder:
    """Writes the dataset folder that HRM and TRM read, as their `build_sudoku_dataset.py` does.

    Puzzles of `train` and `test` come from files of any format that `solve_file` reads, such as the CSV files of
    sudoku-extreme. Every puzzle is solved. A row is left out if its puzzle does not have exactly one solution, or if
    the solution in the row differs from this solution. The result says how many rows were left out.

    - `subsample_size`: take this many puzzles of `train`, drawn at random; all of them if there are fewer.
    - `num_aug`: number of augmented forms of each puzzle of `train`. The forms come directly after their puzzle. In a
      form, rows, columns, bands, stacks and digits are permuted. About half of the forms are also transposed.
    - `min_difficulty`: take only rows with at least this number in the column `rating_column`, in both sets.
    - `puzzle_column`, `solution_column`: names or numbers (from 1) of the columns. By default, they are found by name
      and content.
    - `seed`: decides which puzzles are drawn and which forms are made. The same input and arguments give the same
      bytes.
    - `force`: replace the folder if it exists. If the process ends just while it replaces the folder, the old folder
      remains as `FOLDER.old`.

    The folder contains `identifiers.json` and the folders `train` and `test`, each with `dataset.json` and five arrays.
    `all__inputs.npy` and `all__labels.npy` are `uint8` with the shape (boards, 81): 1 is a blank, and a digit is stored as digit + 1.
    `all__group_indices.npy` has the number of the first board of each puzzle, and at its end the total number of boards.

    The folder appears under its name only when it is complete. If the process is killed before that, the next call for the same
    folder removes the unfinished files, except on Windows. A set without puzzles raises `ValueError`.

    Source: dataset/build_sudoku_dataset.py of https://github.com/sapientinc/HRM.
    """
    for name, number, least in (("num_aug", num_aug, 0), ("subsample_size", subsample_size, 1)):
        if number is not None and (isinstance(number, bool) or not isinstance(number, numbers.Integral) or number < least):
            raise ValueError(f"{name}={number!r}: it must be a whole number, {least} or more")
    target = pathlib.Path(os.path.abspath(folder))
    _check_target(target, force)
    for path in (*_several(train), *_several(test)):
        if pathlib.Path(path).resolve().is_relative_to(target.resolve()):
            raise ValueError(f"{path} is in {target}, which this call replaces: choose another folder")
        if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            raise ValueError(f"export_hrm reads each input twice, which {path} does not allow: store it in a file first")
    wanted = [] if min_difficulty is None else [f"input.{rating_column}={min_difficulty}.."]
    reading: dict[str, Any] = {
        "puzzle_column": puzzle_column,
        "solution_column": solution_column,
        "threads": threads,
        "force": True,
        "no_sync": True,
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    with _work_folder(target) as work:
        made = work / "folder"
        made.mkdir()
        sets = []
        for name, paths, size, forms in (("train", train, subsample_size, num_aug), ("test", test, None, 0)):
            reading.update(sample=size, seed=None if size is None else seed)
            finished = _read_set(paths, work, wanted, reading)
            sets.append(_write_set(name, made / name, work, forms, seed, finished, threads))
        (made / "identifiers.json").write_text(json.dumps(["<blank>"]))
        _put_in_place(made, target, work, force)
    return HrmFolder(*sets)


@contextlib.contextmanager
def _work_folder(target: pathlib.Path) -> Iterator[pathlib.Path]:
    """Makes a temporary folder, which is removed at the end. It is beside the target, so that the finished folder only has to be renamed.

    A killed process can't remove its folder, so a later call for the same target removes it. A process locks its folder before it writes
    into the folder. So a folder without a lock is left over, unless it is empty: a running process may have just made it."""
    prefix = f".{target.name}.export_hrm-"
    for left in target.parent.glob(f"{glob.escape(prefix)}????????"):
        with _locked(left, wait=False) as is_locked:
            if is_locked and any(left.iterdir()):
                shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=prefix, dir=target.parent) as work, _locked(pathlib.Path(work), wait=True):
        yield pathlib.Path(work)


@contextlib.contextmanager
def _locked(folder: pathlib.Path, wait: bool) -> Iterator[bool]:
    """Locks a folder during a `with` block. Yields whether this process has the lock. If another process has the lock, this waits for it if
    `wait` is true, and yields False otherwise. Where folders can't be locked, as on Windows, this always yields False."""
    if sys.platform == "win32":
        yield False
        return
    with contextlib.ExitStack() as stack:
        try:
            opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            stack.callback(os.close, opened)
            fcntl.flock(opened, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            is_locked = False
        else:
            is_locked = True
        yield is_locked


def _check_target(target: pathlib.Path, force: bool) -> None:
    """Checks whether the finished folder can be renamed to `target`. Raises an error if not."""
    if not os.path.lexists(target):
        return
    if not force:
        raise FileExistsError(f"{target} exists: choose another name, or replace it with force=True")
    if not target.is_dir():
        raise FileExistsError(f"{target} is not a folder: choose another name")
    if pathlib.Path.cwd().is_relative_to(target.resolve()):
        raise ValueError(f"the current folder is in {target}, which this call replaces: choose another name")
    old = _old_folder(target)
    if os.path.lexists(old):
        raise FileExistsError(f"{old} exists, but this call needs that name while it replaces {target}: rename or remove {old}")


def _put_in_place(made: pathlib.Path, target: pathlib.Path, work: pathlib.Path, force: bool) -> None:
    """Renames the complete folder `made` to `target`. If there was an old folder, moves it into `work`."""
    _check_target(target, force)
    old = _old_folder(target)
    if not os.path.lexists(target):
        os.rename(made, target)
        return
    try:
        os.rename(target, old)
        os.rename(made, target)
    except BaseException:
        if os.path.lexists(old) and not os.path.lexists(target):
            os.rename(old, target)
        raise
    os.rename(old, work / "old")


def _old_folder(target: pathlib.Path) -> pathlib.Path:
    """Returns the name that the old folder has while the new folder is put in its place."""
    return target.with_name(f"{target.name}.old")


def _read_set(paths: Paths, boards: pathlib.Path, wanted: list[str], reading: dict[str, Any]) -> Finished:
    """Writes the puzzles of one set and their solutions to two arrays in `boards`. `wanted` has further conditions for the rows, and
    `reading` the options of `check_file` and `solve_file`."""
    right = ["unique", "match!=no"]
    # The result is `None` only after a call with resume=True.
    finished = cast(Finished, solve_file(paths, boards / "solutions.npy", only=[*right, *wanted], **reading))
    if finished.statuses["unique"] == finished.rows and not finished.mismatches:
        # All rows meet the conditions in `right`, so `check_file` need not solve the puzzles again to choose the same rows. Counting clues
        # takes less time than solving, so `right` becomes `clues=17..`, which is true for every puzzle with one solution.
        right = ["clues=17.."]
    check_file(paths, boards / "puzzles.npy", columns="none", only=[*right, *wanted], **reading)
    return finished


def _write_set(
    name: str,
    folder: pathlib.Path,
    boards: pathlib.Path,
    forms: int,
    seed: int,
    finished: Finished,
    threads: int | None,
) -> HrmSet:
    """Writes the files of one set from the puzzles and solutions in `boards`."""
    import numpy as np

    puzzles, solutions = (np.load(boards / f"{which}.npy", mmap_mode="r") for which in ("puzzles", "solutions"))
    groups = len(puzzles)
    in_group = 1 + forms
    count = groups * in_group
    if groups == 0:
        raise ValueError(f"the {name} set is empty: none of {finished.rows} rows was taken; numbers of rows with each status: {finished.statuses}")
    if count > MOST:
        raise ValueError(f"the {name} set would have {count} boards, but a set can have at most {MOST}: lower num_aug or subsample_size, or give fewer puzzles")
    folder.mkdir()
    step = max(1, BLOCK // in_group)
    with open(folder / "all__inputs.npy", "wb") as inputs, open(folder / "all__labels.npy", "wb") as labels:
        for file in (inputs, labels):
            np.lib.format.write_array_header_1_0(file, {"descr": "|u1", "fortran_order": False, "shape": (count, 81)})
        for start in range(0, groups, step):
            block = slice(start, start + step)
            for file, made in zip((inputs, labels), _forms(puzzles[block], solutions[block], forms, seed, threads)):
                made += 1
                file.write(made.data)
    indices = np.arange(count + 1, dtype=np.int32)
    for which, array in (
        ("puzzle_identifiers", np.zeros(count, dtype=np.int32)),
        ("puzzle_indices", indices),
        ("group_indices", indices[::in_group]),
    ):
        np.save(folder / f"all__{which}.npy", array)
    (folder / "dataset.json").write_text(
        json.dumps(
            {
                "pad_id": 0,
                "ignore_label_id": 0,
                "blank_identifier_id": 0,
                "vocab_size": 11,
                "seq_len": 81,
                "num_puzzle_identifiers": 1,
                "total_groups": groups,
                "mean_puzzle_examples": 1.0,
                "total_puzzles": groups,
                "sets": ["all"],
            }
        )
    )
    return HrmSet(groups, count, finished.left_out, finished.statuses, finished.mismatches)


def _forms(
    puzzles: npt.NDArray[np.uint8], solutions: npt.NDArray[np.uint8], forms: int, seed: int, threads: int | None
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Returns each puzzle followed by its augmented forms, and the same for the solutions. The arrays are new."""
    import numpy as np

    if forms == 0:
        return np.array(puzzles), np.array(solutions)
    return transform(
        np.asarray(puzzles), random=forms, include_original=True, seed=seed, solutions=np.asarray(solutions), threads=threads
    )
