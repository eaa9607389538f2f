"""`solvable`: whether partial boards can be completed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from ._puzzles import columns_of, read, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt

    from ._progress import OnProgress


@overload
def solvable(
    boards: str | bytes, *, threads: int | None = None, restore_zeros: bool = False, progress: bool | OnProgress = False
) -> bool: ...
@overload
def solvable(
    boards: npt.NDArray[np.integer[Any]],
    *,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Any: ...
@overload
def solvable(
    boards: Iterable[Any], *, threads: int | None = None, restore_zeros: bool = False, progress: bool | OnProgress = False
) -> npt.NDArray[np.bool_]: ...
def solvable(
    boards: Any,
    *,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Any:
    """Returns whether each board can be completed to a solution.

    A board is a puzzle in which some blanks may already be filled, for example by a model that fills one cell at a time.
    Boards are of the kinds that `solve` takes, one or many. The result for one is a `bool`; for many it is an array of truth
    values. A single malformed board raises `ValueError`. Among many boards, a malformed board gets the result `False`.

    In a decoding loop, `solvable` shows whether the last digit was a mistake, `candidates(board, level="exact")` shows
    the digits that lead to a solution, and `solutions(board, limit_per_puzzle=2)` lists up to two solutions of the board.

    `threads`, `restore_zeros` and `progress` are as in `solve`.

    >>> import sudobench
    >>> board = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> sudobench.solvable(board.replace(".", "4", 1)), sudobench.solvable([board, board[:2] + "1" + board[3:]]).tolist()
    (True, [True, False])
    """
    rows = read(boards, "solvable", restore_zeros)
    options: Any = {"threads": threads, "restore_zeros": restore_zeros, "max_solutions": 1}
    columns = columns_of(rows, "solve", ["status", "note"], options, progress)
    if rows.is_one and columns["note"]:
        raise ValueError(columns["note"][0])
    statuses = words_of(columns["status"])
    found: npt.NDArray[np.bool_] = (statuses == "solved") | (statuses == "unique") | (statuses == "multiple")
    return bool(found[0]) if rows.is_one else found
