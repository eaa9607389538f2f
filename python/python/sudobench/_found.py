"""`minimals` and `vicinity`, of one puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _sudobench
from ._puzzles import one_or_many

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def minimals(
    puzzle: str | bytes | npt.NDArray[np.integer[Any]],
    *,
    limit: int = 1000,
    random: int | None = None,
    seed: int = 1,
) -> npt.NDArray[np.uint8]:
    """The minimal puzzles inside one: some of its clues, the same one solution, and no clue that could be left out.

    The puzzle is a `str`, `bytes` or an array of one board, as in `solve`. The result is an array of shape (N, 81), 0 for a blank, in
    ascending order: all of them, or where there are more than `limit` the first. With `random` clues are taken out in that many random
    orders instead, which the `seed` and the puzzle decide; what several orders leave comes once. A puzzle without exactly one solution has
    none. What is no puzzle raises `ValueError`. Files: `minimals_file`.
    """
    import numpy as np

    return np.asarray(_sudobench.minimals(_text(puzzle), _checked(limit), random and _checked(random, "random"), seed))


def vicinity(
    puzzle: str | bytes | npt.NDArray[np.integer[Any]],
    distance: str,
    *,
    minimal: bool = False,
    limit: int = 10_000,
) -> npt.NDArray[np.uint8]:
    """The puzzles with exactly one solution that come about where some clues of one go and then some come, in any blank.

    - `puzzle`: a `str`, `bytes` or an array of one board, as in `solve`.
    - `distance`: how many, each from 0 to 3, such as `"-1+1"`. A clue may come back, so that `"-2+2"` has all of `"-1+1"`. Of a puzzle with
      17 clues -1+1 takes milliseconds, -2+2 seconds, -3+3 hours; Ctrl-C ends it.
    - `minimal`: only those without a redundant clue.

    They come as an array of shape (N, 81), 0 for a blank, nearer ones before others: all of them, or where there are more than `limit` the
    first. Of isomorphic ones the first is there, and none that is isomorphic to the puzzle, which may have any number of solutions. What is
    no puzzle or no distance raises `ValueError`. Files: `vicinity_file`.
    """
    import numpy as np

    return np.asarray(_sudobench.vicinity(_text(puzzle), distance, minimal, _checked(limit)))


def _text(puzzle: Any) -> bytes:
    puzzles, is_one = one_or_many(puzzle)
    if not is_one:
        raise TypeError(
            f"this {type(puzzle).__name__} is not one puzzle: give a str or bytes of 81 characters, or an array of whole numbers"
            " of shape (81,) or (9, 9)"
        )
    text: bytes = puzzles[0]
    return text


def _checked(limit: int, name: str = "limit") -> int:
    if limit < 1:
        raise ValueError(f"{name}={limit}: give 1 or more")
    return limit
