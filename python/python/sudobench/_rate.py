"""`rate`, of puzzles, tables and files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._puzzles import OfMany, accepts_one, chosen, columns_of, words_of
from ._tables import add_columns, keeps_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from ._types import SolvingOptions


@dataclass(frozen=True)
class Rating:
    """How hard one puzzle is. All but `status` is `None` where it has not exactly one solution."""

    status: str
    """`unique`, `multiple` or `unsolvable`."""
    difficulty: str | None
    """The least that solves it: `singles`, `locked`, `pairs`, `depth1`, `depth2`, `depth3`."""
    singles: bool | None
    """Whether naked and hidden singles solve it."""
    locked: bool | None
    """The same with locked candidates: pointing and claiming."""
    pairs: bool | None
    """The same with naked and hidden pairs too."""
    depth: int | None
    """The depth of trial and error over singles that solves it: 0, 1, 2; 3 where that is not enough."""
    backdoor: int | None
    """The fewest blanks that, filled rightly, let singles solve it: 0, 1, 2; 3 where that is not enough."""
    guesses: float | None
    """Guesses of the solver `mrv`: the mean over random forms."""
    rounds: int | None
    """Rounds of singles: all naked ones at once, or where there is none all hidden ones."""
    naked_singles: int | None
    """Blanks that these rounds fill as naked singles."""
    hidden_singles: int | None
    """Blanks that they fill as hidden singles."""
    fewest_choices: int | None
    """The fewest blanks that a round before the last fills; 0 where singles do not solve the puzzle."""


@dataclass(frozen=True, eq=False, repr=False)
class Ratings(OfMany):
    """How hard many puzzles are, a value for each and in their order. What was not asked for is `None`. Only puzzles with
    exactly one solution are rated, whose `status` is `unique`."""

    status: npt.NDArray[np.str_]
    """`unique`, `multiple`, `unsolvable` or `malformed`."""
    difficulty: npt.NDArray[np.str_] | None
    """See `Rating.difficulty`; empty where there is none."""
    singles: npt.NDArray[np.bool_] | None
    """See `Rating.singles`; False where there is no rating, and so in the next two."""
    locked: npt.NDArray[np.bool_] | None
    """See `Rating.locked`."""
    pairs: npt.NDArray[np.bool_] | None
    """See `Rating.pairs`."""
    depth: npt.NDArray[np.int8] | None
    """See `Rating.depth`; -1 where there is none."""
    backdoor: npt.NDArray[np.int8] | None
    """See `Rating.backdoor`; -1 where there is none."""
    guesses: npt.NDArray[np.float64] | None
    """See `Rating.guesses`; NaN where there is none."""
    rounds: npt.NDArray[np.int8] | None
    """See `Rating.rounds`; -1 where there is none, and so in the next three."""
    naked_singles: npt.NDArray[np.int8] | None
    """See `Rating.naked_singles`."""
    hidden_singles: npt.NDArray[np.int8] | None
    """See `Rating.hidden_singles`."""
    fewest_choices: npt.NDArray[np.int8] | None
    """See `Rating.fewest_choices`."""
    notes: dict[int, str]
    """Why rows are malformed, by their numbers from 0."""


COLUMNS = [
    *["difficulty", "singles", "locked", "pairs", "depth", "backdoor", "guesses"],
    *["rounds", "naked_singles", "hidden_singles", "fewest_choices"],
]


def _one(ratings: Ratings) -> Rating:
    status = str(ratings.status[0])
    if status != "unique":
        return Rating(status, *[None] * len(COLUMNS))
    # `item` makes numbers and words of Python of NumPy's.
    return Rating(status, *[getattr(ratings, name)[0].item() for name in COLUMNS])


@accepts_one(_one, columns="all")
def rate(
    puzzles: Any,
    *,
    columns: str | Sequence[str] = ("difficulty",),
    isomorphs: int = 10,
    seed: int = 1,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> Ratings:
    """How hard one puzzle is, or many, by measures that are the same for all equivalent forms of it; `Rating` tells what they are.

    Puzzles are of the kinds that `solve` takes, one or many. Rated are those with exactly one solution. Of one, the result is a `Rating`
    with all measures; of many it is `Ratings`, with

    - `columns`: those of difficulty, singles, locked, pairs, depth, backdoor, guesses, rounds, naked_singles, hidden_singles and
      fewest_choices that are asked for, or `"all"`.
    - `isomorphs`, `seed`: over how many random forms of each puzzle guesses are averaged, and what decides which: those that
      `transform` draws.

    `threads` and `restore_zeros` are as in `solve`. A puzzle alone that is malformed raises `ValueError`; among many its note says why.
    """
    names = chosen(columns, COLUMNS, ("status", "note"))
    raw = columns_of(puzzles, "rate", names, _options(isomorphs, seed, threads, restore_zeros))
    import numpy as np

    status = words_of(raw["status"])
    is_rated = status == "unique"

    def is_so(name: str) -> npt.NDArray[np.bool_] | None:
        return (words_of(raw[name]) == "yes") & is_rated if name in raw else None

    def number(name: str) -> npt.NDArray[np.int8] | None:
        return np.where(is_rated, raw[name].astype(np.int8), np.int8(-1)) if name in raw else None

    return Ratings(
        status=status,
        difficulty=np.where(is_rated, words_of(raw["difficulty"]), "") if "difficulty" in raw else None,
        singles=is_so("singles"),
        locked=is_so("locked"),
        pairs=is_so("pairs"),
        depth=number("depth"),
        backdoor=number("backdoor"),
        guesses=np.where(is_rated, raw["guesses"], np.nan) if "guesses" in raw else None,
        rounds=number("rounds"),
        naked_singles=number("naked_singles"),
        hidden_singles=number("hidden_singles"),
        fewest_choices=number("fewest_choices"),
        notes=raw["note"],
    )


def _options(isomorphs: int, seed: int, threads: int | None, restore_zeros: bool) -> SolvingOptions:
    return {"isomorphs": isomorphs, "seed": seed, "threads": threads, "restore_zeros": restore_zeros}


@keeps_type
def rate_table(
    table: Any,
    column: str | int | None = None,
    columns: str | Sequence[str] = ("difficulty",),
    *,
    isomorphs: int = 10,
    seed: int = 1,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> Any:
    """Adds how hard the puzzles in a column of a table are behind its own columns.

    Tables are those that `solve_table` takes, and come back as they do there. Where a puzzle has not exactly one solution, all but
    status and note is null.

    - `column`: the puzzles' column, by its name or its number from 1. Without it, it is found by name and content.
    - `columns`: those to add, of difficulty, singles, locked, pairs, depth, backdoor, guesses, rounds, naked_singles, hidden_singles,
      fewest_choices, status and note, or `"all"`: see `Rating`. singles, locked and pairs are `yes` or `no`.

    The other options are those of `rate`.
    """
    options = _options(isomorphs, seed, threads, restore_zeros)
    return add_columns(table, column, None, "rate", columns, options)
