"""`solutions`, `minimals` and `vicinity`: boards that are found for puzzles."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from . import _sudobench
from ._files import keywords_as_text
from ._progress import shown
from ._puzzles import accepts_one, boards_of, chosen, origin_of
from ._results import Boards, Column, are_boards, taken, texts_of
from ._tables import column_of, keeps_type, rows_of, with_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import numpy.typing as npt

    from ._progress import OnProgress
    from ._sudobench import Rows


@dataclass(frozen=True, eq=False, repr=False)
class Found(Boards[dict[str, Any]]):
    """The boards that were found for many puzzles, in the order of the puzzles."""

    board: npt.NDArray[np.uint8]
    """Boards of all puzzles, shape (M, 81), 0 for a blank."""
    row: npt.NDArray[np.int64]
    """Number of the puzzle that each board was found for, from 0; shape (M,)."""
    complete: npt.NDArray[np.bool_]
    """For each puzzle, whether all of its boards were found; shape (N,)."""
    notes: dict[int, str]
    """For each malformed puzzle, its number from 0 and the reason. Nothing is found for malformed puzzles."""

    _of_all: ClassVar[tuple[str, ...]] = ("complete", "notes")

    def _columns(self) -> dict[str, Column]:
        return {"board": Column(self.board), "row": Column(self.row), "complete": Column(self.complete[self.row])}

    def __repr__(self) -> str:
        return f"<sudobench.Found: {len(self):,} boards of {len(self.complete):,} puzzles>"


def _board(found: Found) -> npt.NDArray[np.uint8]:
    return found.board


@accepts_one(_board)
def solutions(
    puzzles: Any,
    limit_per_puzzle: int = 1000,
    *,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Found:
    """Lists all solutions of one puzzle or many, in ascending order.

    Takes the same kinds of puzzles as `solve`. The result for one is an array of shape (N, 81), the result for many is
    `Found`.

    - `limit_per_puzzle`: at most this number of solutions is listed for each puzzle.
    - `threads`, `restore_zeros`, `progress`: as in `solve`.

    A single malformed puzzle raises `ValueError`. With many puzzles, `notes` of the result says why a puzzle is malformed. Tables:
    `solutions_table`. Files: `solutions_file`.

    >>> import sudobench
    >>> len(sudobench.solutions("." * 81, 5))
    5
    """
    return _found(puzzles, *found_for(puzzles, "solutions", {"limit_per_puzzle": limit_per_puzzle}, threads, progress))


@accepts_one(_board)
def minimals(
    puzzles: Any,
    *,
    limit_per_puzzle: int = 1000,
    random: int | None = None,
    seed: int = 1,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Found:
    """Finds the minimal puzzles inside one puzzle or many.

    A minimal puzzle has some of the clues and the same single solution, and needs each of its clues. Results are in
    ascending order, except with `random`: then they are in the order in which they are found. A puzzle without exactly one
    solution has no minimal puzzles.

    Takes the same kinds of puzzles as `solve`. The result for one is an array of shape (N, 81), 0 for a blank. The
    result for many is `Found`.

    - `limit_per_puzzle`: at most this number of results is returned for each puzzle. Not allowed with `random`.
    - `random`: instead of finding the first `limit_per_puzzle` minimal puzzles in ascending order, remove clues in this number of
      random orders. The orders depend on the `seed` and the puzzle. If several orders have the same result, it is returned once.
    - `threads`, `restore_zeros`, `progress`: as in `solve`.

    Tables: `minimals_table`. Files: `minimals_file`.
    """
    keywords = {"limit_per_puzzle": limit_per_puzzle, "random": random, "seed": seed}
    return _found(puzzles, *found_for(puzzles, "minimals", keywords, threads, progress))


@accepts_one(_board)
def vicinity(
    puzzles: Any,
    distance: str,
    *,
    minimal: bool = False,
    limit_per_puzzle: int = 10_000,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Found:
    """Finds the puzzles with exactly one solution that differ from a puzzle by a few clues.

    Removes as many clues as `distance` says, in every possible way, and then adds as many clues as `distance` says, in every
    possible way. Puzzles with fewer removed clues come first. If results are isomorphic, only the first is returned.
    Puzzles that are isomorphic to the given one are left out. The given puzzle may have any number of solutions.

    Takes the same kinds of puzzles as `solve`. The result for one is an array of shape (N, 81), 0 for a blank. The
    result for many is `Found`.

    - `distance`: how many clues are removed and added, each from 0 to 3, such as `"-1+1"`. A removed clue may be
      added again, so `"-2+2"` contains `"-1+1"`. For a puzzle with 17 clues, -1+1 takes milliseconds, -2+2 seconds and
      -3+3 hours. Ctrl-C ends the search.
    - `minimal`: only puzzles without a redundant clue.
    - `limit_per_puzzle`: at most this number of results is returned for each puzzle.
    - `threads`, `restore_zeros`, `progress`: as in `solve`.

    Tables: `vicinity_table`. Files: `vicinity_file`.
    """
    keywords = {"distance": distance, "minimal": minimal, "limit_per_puzzle": limit_per_puzzle}
    return _found(puzzles, *found_for(puzzles, "vicinity", keywords, threads, progress))


@keeps_type
def solutions_table(
    table: Any,
    column: str | int,
    columns: str | Sequence[str] = ("solution", "number"),
    *,
    limit_per_puzzle: int = 1000,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Any:
    """Returns a table with a row for each solution of each puzzle in a column. The solutions of a puzzle are in ascending order.

    Takes `Table` and `RecordBatch` of pyarrow, and frames of polars and pandas. The result has the same type, and
    pandas frames keep their index. A row without a solution is returned once, with null for `solution` and `number`.

    - `column`: the column of puzzles, by its name or its number from 1.
    - `columns`: the columns to add: solution, number (from 1), complete.

    The other options are those of `solutions`.
    """
    find = functools.partial(solutions, limit_per_puzzle=limit_per_puzzle, threads=threads, restore_zeros=restore_zeros, progress=progress)
    return expanded_table(table, column, columns, _known("solution"), find)


@keeps_type
def minimals_table(
    table: Any,
    column: str | int,
    columns: str | Sequence[str] = ("minimal", "number"),
    *,
    limit_per_puzzle: int = 1000,
    random: int | None = None,
    seed: int = 1,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Any:
    """Returns a table with a row for each minimal puzzle inside the puzzles in a column. See `solutions_table`.

    - `columns`: the columns to add: minimal, number (from 1), complete.

    The other options are those of `minimals`.
    """
    find = functools.partial(minimals, limit_per_puzzle=limit_per_puzzle, random=random, seed=seed, threads=threads, restore_zeros=restore_zeros, progress=progress)
    return expanded_table(table, column, columns, _known("minimal"), find)


@keeps_type
def vicinity_table(
    table: Any,
    column: str | int,
    distance: str,
    columns: str | Sequence[str] = ("neighbour", "number"),
    *,
    minimal: bool = False,
    limit_per_puzzle: int = 10_000,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Any:
    """Returns a table with a row for each neighbour of the puzzles in a column. See `solutions_table`.

    - `columns`: the columns to add: neighbour, number (from 1), complete.

    The other options are those of `vicinity`.
    """
    find = functools.partial(vicinity, distance=distance, minimal=minimal, limit_per_puzzle=limit_per_puzzle, threads=threads, restore_zeros=restore_zeros, progress=progress)
    return expanded_table(table, column, columns, _known("neighbour"), find)


def found_for(
    rows: Rows, verb: str, keywords: dict[str, Any], threads: int | None, progress: bool | OnProgress
) -> tuple[dict[int, str], Sequence[Any], Sequence[Any]]:
    """Returns the results of a verb for many puzzles: the notes of malformed puzzles, the boards as in `Found`, and the
    technique, rating, marks and texts of each step, if the verb finds steps."""
    boards, notes = boards_of(rows, threads)
    text = keywords_as_text(keywords)
    return notes, *shown(progress, lambda told: _sudobench.find(verb, text, boards, list(notes), threads, told))


def _found(puzzles: Rows, notes: dict[int, str], boards: Sequence[Any], _: Sequence[Any]) -> Found:
    import numpy as np

    board, row, complete = map(np.asarray, boards)
    return Found(board, row, complete, notes, _origin=taken(origin_of(puzzles), row))


def _known(board: str) -> dict[str, str]:
    """Returns the columns that a table of boards can have, each with the name of its field in `Found`. `board` is the name of the column
    of boards."""
    return {board: "board", "number": "number", "complete": "complete"}


def expanded_table(
    table: Any,
    column: str | int,
    columns: str | Sequence[str],
    known: dict[str, str],
    find: Callable[[Any], Any],
) -> Any:
    """Returns a table with a row for each board or step that is found for the puzzles in a column. `known` maps the
    name of each possible column to the name of its field in the results. The columns `number` and `complete` are
    computed here."""
    import numpy as np

    names = chosen(columns, list(known))
    puzzles = column_of(table, column, names)
    found = find(puzzles)
    if not hasattr(found, "row") or len(found.complete) != len(puzzles):
        raise TypeError(f"the values of the column {column!r} together were read as one board: put a whole puzzle into each row")
    counts = np.bincount(found.row, minlength=len(found.complete))
    # A row for which nothing was found is returned once.
    index = np.repeat(np.arange(len(counts)), np.maximum(counts, 1))
    missing = counts[index] == 0
    starts = np.cumsum(np.maximum(counts, 1)) - np.maximum(counts, 1)

    def values_of(name: str) -> tuple[Any, npt.NDArray[np.bool_]]:
        if name == "number":
            return np.arange(len(index)) - starts[index] + 1, missing
        if name == "complete":
            return np.where(found.complete[index], "yes", "no"), np.isin(index, list(found.notes))
        values = getattr(found, known[name])
        values = np.array(texts_of(values), dtype=str) if are_boards(values) else np.asarray(values)
        all_values = np.zeros(len(index), dtype=values.dtype)
        all_values[~missing] = values
        # A step may lack a text, and `Guess` and `Backtrack` have no rating.
        lacks = {"U": lambda: all_values == "", "f": lambda: missing | np.isnan(all_values)}
        return all_values, lacks.get(values.dtype.kind, lambda: missing)()

    return with_columns(rows_of(table, index), {name: values_of(name) for name in names})
