"""`solutions`, of one puzzle and of many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from . import _sudobench
from ._puzzles import columns_of, one_or_many, solving_options

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class Solutions:
    """The solutions of many puzzles, those of each in ascending order."""

    solution: npt.NDArray[np.uint8]
    """Of shape (M, 81): the solutions of all puzzles, one behind the other."""
    row: npt.NDArray[np.int64]
    """Of shape (M,): the puzzle that each of them solves, by its number from 0."""
    complete: npt.NDArray[np.bool_]
    """Of shape (N,), for each puzzle: whether these are all solutions that it has."""
    notes: dict[int, str]
    """Why puzzles are malformed, by their numbers from 0. They have no solutions."""

    def __len__(self) -> int:
        """How many solutions there are."""
        return len(self.solution)

    def __repr__(self) -> str:
        return f"<sudobench.Solutions: {len(self):,} of {len(self.complete):,} puzzles>"


@overload
def solutions(
    puzzles: str | bytes, *, limit: int = 1000, threads: int | None = None, restore_zeros: bool = False
) -> npt.NDArray[np.uint8]: ...
@overload
def solutions(
    puzzles: npt.NDArray[np.integer[Any]], *, limit: int = 1000, threads: int | None = None, restore_zeros: bool = False
) -> Any: ...
@overload
def solutions(puzzles: Iterable[Any], *, limit: int = 1000, threads: int | None = None, restore_zeros: bool = False) -> Solutions: ...
def solutions(
    puzzles: Any, *, limit: int = 1000, threads: int | None = None, restore_zeros: bool = False
) -> npt.NDArray[np.uint8] | Solutions:
    """All solutions of one puzzle, or of each of many, in ascending order: as numbers of 81 digits, the smallest first.

    Puzzles are of the kinds that `solve` takes, one or many. Of one, the result is an array of shape (N, 81); of many it is `Solutions`.

    - `limit`: so many of each puzzle at most.
    - `threads`, `restore_zeros`: as in `solve`.

    A puzzle alone that is malformed raises `ValueError`; among many its note says why. Files: `solutions_file`.

    >>> import sudobench
    >>> len(sudobench.solutions("." * 81, limit=5))
    5
    """
    import numpy as np

    puzzles, is_one = one_or_many(puzzles)
    columns = columns_of(puzzles, "dedupe", ["puzzle", "note"], solving_options(threads, restore_zeros))
    notes = dict(columns["note"])
    if is_one and notes:
        raise ValueError(notes[0])
    found = _sudobench.solutions(np.asarray(columns["puzzle"]), list(notes), limit, threads)
    solution, row, complete = (np.asarray(part) for part in found)
    return solution if is_one else Solutions(solution, row, complete, notes)
