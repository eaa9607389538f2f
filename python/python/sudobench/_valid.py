"""`is_valid` and `is_solution`: check filled grids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from . import _sudobench
from ._puzzles import boards_of, read

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt

BLANK = "." * 81


@overload
def is_valid(grid: str | bytes) -> bool: ...
@overload
def is_valid(grid: npt.NDArray[np.integer[Any]]) -> Any: ...
@overload
def is_valid(grid: Iterable[Any]) -> npt.NDArray[np.bool_]: ...
def is_valid(grid: Any) -> Any:
    """Returns whether a grid is filled, with each digit once in each row, column and box.

    Grids are of the kinds that `solve` takes, one or many. The result for one is a `bool`, the result for many is a
    mask. A grid with a blank is not valid, and a malformed row is not valid either. Use `check` to find out whether a
    puzzle has exactly one solution.

    >>> import sudobench
    >>> sudobench.is_valid("534678912672195348198342567859761423426853791713924856961537284287419635345286179")
    True
    """
    return is_solution(BLANK, grid)


@overload
def is_solution(puzzle: str | bytes, grid: str | bytes) -> bool: ...
@overload
def is_solution(puzzle: npt.NDArray[np.integer[Any]], grid: Any) -> Any: ...
@overload
def is_solution(puzzle: Any, grid: npt.NDArray[np.integer[Any]]) -> Any: ...
@overload
def is_solution(puzzle: Iterable[Any], grid: Iterable[Any]) -> npt.NDArray[np.bool_]: ...
def is_solution(puzzle: Any, grid: Any) -> Any:
    """Returns whether a grid solves a puzzle: it is valid (see `is_valid`), and it has the digits of the puzzle's
    clues.

    Puzzles and grids are of the kinds that `solve` takes, one or many. The result for one puzzle and one grid is a
    `bool`, otherwise it is a mask. One puzzle is compared with all grids, such as several attempts of a model. One grid is
    compared with all puzzles. A puzzle may have several solutions. Nothing is a solution of a malformed puzzle."""
    import numpy as np

    boards, are_single = [], []
    for side in (puzzle, grid):
        rows = read(side, "is_solution")
        cells, notes = boards_of(rows)
        # Malformed rows get a value that never occurs in puzzles and grids.
        cells[list(notes)] = 255
        boards.append(cells)
        are_single.append(rows.is_one)
    found = np.asarray(_sudobench.are_solutions(*boards))
    return bool(found[0]) if all(are_single) else found
