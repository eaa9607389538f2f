"""`rate`, of puzzles, tables and files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from . import _sudobench
from ._puzzles import accepts_one, chosen, columns_of, first, origin_of, words_of
from ._results import Column, Results
from ._words import Words
from ._tables import add_columns, check_rows, keeps_type, last_values, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from ._progress import OnProgress
    from ._types import SolvingOptions


@dataclass(frozen=True)
class Rating:
    """How hard one puzzle is. All but `status` and `note` is `None` where it has not exactly one solution."""

    status: str
    """`unique`, `multiple`, `unsolvable`; among many also `malformed`."""
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
    note: str | None = None
    """Why the row is malformed."""


@dataclass(frozen=True, eq=False, repr=False)
class Ratings(Results[Rating]):
    """How hard many puzzles are, a value for each and in their order. What was not asked for is `None`. Only puzzles with
    exactly one solution are rated, whose `status` is `unique`."""

    status: Words
    """`unique`, `multiple`, `unsolvable` or `malformed`."""
    difficulty: Words | None
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


    _record: ClassVar[type[Rating]] = Rating

    def stratify(self, rows: int, *, seed: int = 1) -> npt.NDArray[np.int64]:
        """Draws `rows` rows of each difficulty, or all if there are fewer. Returns their positions, ascending.

        `boards[drawn]` and `series.iloc[drawn]` are the drawn puzzles, and `ratings[drawn]` their ratings. Each choice is as likely as any
        other. The `seed` decides, and `rate_file` and the command draw the same rows of a file.
        """
        import numpy as np

        if self.difficulty is None:
            raise ValueError("the difficulty was not rated: add it to columns")
        difficulty = np.ascontiguousarray(self.difficulty.codes)
        return np.asarray(_sudobench.stratify(difficulty, self.difficulty.categories, rows, seed))

    def _columns(self) -> dict[str, Column]:
        are_rated = self.status == "unique"
        measures = {name: Column(getattr(self, name), are_rated) for name in COLUMNS[1:]}
        return {
            "status": Column(self.status),
            "difficulty": Column(self.difficulty),
            **measures,
            "note": Column(self.notes),
        }


COLUMNS = [
    *["difficulty", "singles", "locked", "pairs", "depth", "backdoor", "guesses"],
    *["rounds", "naked_singles", "hidden_singles", "fewest_choices"],
]


@accepts_one(first, columns="all")
def rate(
    puzzles: Any,
    *,
    columns: str | Sequence[str] = ("difficulty",),
    isomorphs: int = 10,
    seed: int = 1,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Ratings:
    """How hard one puzzle is, or many, by measures that are the same for all equivalent forms of it; `Rating` tells what they are.

    Puzzles are of the kinds that `solve` takes, one or many. Rated are those with exactly one solution. Of one, the result is a `Rating`
    with all measures; of many it is `Ratings`, with

    - `columns`: those of difficulty, singles, locked, pairs, depth, backdoor, guesses, rounds, naked_singles, hidden_singles and
      fewest_choices that are asked for, or `"all"`.
    - `isomorphs`, `seed`: over how many random forms of each puzzle guesses are averaged, and what decides which: those that
      `transform` draws.

    `threads`, `restore_zeros` and `progress` are as in `solve`. A puzzle alone that is malformed raises `ValueError`; among many its note says why.
    """
    names = chosen(columns, COLUMNS, ("status", "note"))
    raw = columns_of(puzzles, "rate", names, _options(isomorphs, seed, threads, restore_zeros), progress)
    import numpy as np

    status = words_of(raw["status"])
    is_rated = status == "unique"

    def is_so(name: str) -> npt.NDArray[np.bool_] | None:
        return (words_of(raw[name]) == "yes") & is_rated if name in raw else None

    def number(name: str) -> npt.NDArray[np.int8] | None:
        return np.where(is_rated, raw[name].astype(np.int8), np.int8(-1)) if name in raw else None

    return Ratings(
        status=status,
        difficulty=words_of(raw["difficulty"]).where(is_rated) if "difficulty" in raw else None,
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
        _origin=origin_of(puzzles),
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
    stratify: int | None = None,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Any:
    """Adds how hard the puzzles in a column of a table are behind its own columns.

    Tables are those that `solve_table` takes, and come back as they do there. Where a puzzle has not exactly one solution, all but
    status and note is null.

    - `column`: the puzzles' column, by its name or its number from 1. Without it, it is found by name and content.
    - `columns`: those to add, of difficulty, singles, locked, pairs, depth, backdoor, guesses, rounds, naked_singles, hidden_singles,
      fewest_choices, status and note, or `"all"`: see `Rating`. singles, locked and pairs are `yes` or `no`.
    - `stratify`: return only that many random rows of each difficulty, or all if there are fewer; the `seed` decides which. The table must
      be one of pyarrow (`Table`, `RecordBatch`), or a frame of polars or pandas.

    The other options are those of `rate`.
    """
    options = _options(isomorphs, seed, threads, restore_zeros)
    if stratify is None:
        return add_columns(table, column, None, "rate", columns, options, progress)
    check_rows(table)
    # Few rows are drawn, so that the other columns are made of these alone.
    rated = add_columns(table, column, None, "rate", "difficulty", options, progress)
    drawn = _draw(last_values(rated), stratify, seed)
    return add_columns(rows_of(table, drawn), column, None, "rate", columns, options)


def _draw(difficulties: list[str | None], rows: int, seed: int) -> npt.NDArray[np.int64]:
    import numpy as np

    names = [name for name in dict.fromkeys(difficulties) if name is not None]
    numbers = {name: number for number, name in enumerate(names)}
    column = np.array([-1 if name is None else numbers[name] for name in difficulties], dtype=np.int8)
    return np.asarray(_sudobench.stratify(column, names, rows, seed))
