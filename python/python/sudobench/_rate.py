"""The functions `rate` and `rate_table`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from . import _sudobench
from ._puzzles import accepts_one, chosen, columns_of, first, origin_of, texts_of, words_of
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
    """The rating of one puzzle. If the puzzle does not have exactly one solution, all fields but `status` and `note` are
    `None`."""

    status: str
    """`unique`, `multiple` or `unsolvable`. If many puzzles are rated, also `malformed`."""
    difficulty: str | None
    """The easiest class of techniques that solves the puzzle: `singles`, `locked`, `pairs`, `depth1`, `depth2` or `depth3`."""
    singles: bool | None
    """Whether naked and hidden singles solve the puzzle."""
    locked: bool | None
    """Whether singles and locked candidates (pointing, claiming) solve the puzzle."""
    pairs: bool | None
    """Whether singles, locked candidates, and naked and hidden pairs solve the puzzle."""
    depth: int | None
    """The depth of trial and error that solves the puzzle: 0 (singles alone), 1, 2, or 3 for 3 and more."""
    backdoor: int | None
    """The smallest number of blanks to fill correctly so that singles solve the rest: 0, 1, 2, or 3 for 3 and more."""
    guesses: float | None
    """Number of guesses of the solver `mrv`: the mean over random equivalent forms."""
    rounds: int | None
    """Number of rounds of singles. A round fills all naked singles, or all hidden singles if there are no naked
    ones."""
    naked_singles: int | None
    """Number of blanks that the rounds of singles fill as naked singles."""
    hidden_singles: int | None
    """Number of blanks that the rounds of singles fill as hidden singles."""
    fewest_choices: int | None
    """The smallest number of blanks that a round fills. The last round is left out, unless it is the only round. 0 if singles do not solve
    the puzzle."""
    se: float | None
    """ER of Sudoku Explainer 1.2.1: the rating of the hardest step, such as 2.6. `None` if the puzzle needs a technique
    that is not known; `note` then says so. This also applies to the next five fields."""
    se_pearl: float | None
    """EP of Sudoku Explainer: the highest rating up to the first step that fills a cell."""
    se_diamond: float | None
    """ED of Sudoku Explainer: the rating of the first step."""
    hardest_technique: str | None
    """The technique of the first step with the highest rating."""
    techniques: str | None
    """The techniques of the steps, each with the number of steps that use it, such as `Hidden Single:52;Pointing:2`."""
    steps: int | None
    """The number of steps to the solution. `explain` lists them."""
    note: str | None = None
    """Why the row is malformed, or why `se` has no value."""


@dataclass(frozen=True, eq=False, repr=False)
class Ratings(Results[Rating]):
    """The ratings of many puzzles, in their order. A measure that was not requested is `None`. Only puzzles with
    exactly one solution are rated; their `status` is `unique`."""

    status: Words
    """`unique`, `multiple`, `unsolvable` or `malformed`."""
    difficulty: Words | None
    """See `Rating.difficulty`; empty if the puzzle is not rated."""
    singles: npt.NDArray[np.bool_] | None
    """See `Rating.singles`; False if the puzzle is not rated. This also applies to the next two fields."""
    locked: npt.NDArray[np.bool_] | None
    """See `Rating.locked`."""
    pairs: npt.NDArray[np.bool_] | None
    """See `Rating.pairs`."""
    depth: npt.NDArray[np.int8] | None
    """See `Rating.depth`; -1 if the puzzle is not rated."""
    backdoor: npt.NDArray[np.int8] | None
    """See `Rating.backdoor`; -1 if the puzzle is not rated."""
    guesses: npt.NDArray[np.float64] | None
    """See `Rating.guesses`; NaN if the puzzle is not rated."""
    rounds: npt.NDArray[np.int8] | None
    """See `Rating.rounds`; -1 if the puzzle is not rated. This also applies to the next three fields."""
    naked_singles: npt.NDArray[np.int8] | None
    """See `Rating.naked_singles`."""
    hidden_singles: npt.NDArray[np.int8] | None
    """See `Rating.hidden_singles`."""
    fewest_choices: npt.NDArray[np.int8] | None
    """See `Rating.fewest_choices`."""
    se: npt.NDArray[np.float64] | None
    """See `Rating.se`; NaN if there is no rating. This also applies to the next two fields."""
    se_pearl: npt.NDArray[np.float64] | None
    """See `Rating.se_pearl`."""
    se_diamond: npt.NDArray[np.float64] | None
    """See `Rating.se_diamond`."""
    hardest_technique: Words | None
    """See `Rating.hardest_technique`; empty if there is no rating."""
    techniques: npt.NDArray[np.str_] | None
    """See `Rating.techniques`; empty if there is no rating."""
    steps: npt.NDArray[np.int64] | None
    """See `Rating.steps`; -1 if there is no rating."""
    notes: dict[int, str]
    """For each row that is malformed or lacks a rating of Sudoku Explainer, its number from 0 and the reason."""


    _record: ClassVar[type[Rating]] = Rating

    def stratify(self, rows: int, *, seed: int = 1, by: str = "difficulty") -> npt.NDArray[np.int64]:
        """Draws `rows` rows of each difficulty at random. If a difficulty has fewer rows, all of them are drawn. Returns the
        positions of the drawn rows, ascending. If `by` names another column, such as `se`, draws `rows` rows of each value
        of this column instead.

        `boards[drawn]` and `series.iloc[drawn]` are the drawn puzzles, and `ratings[drawn]` their ratings. Every choice
        of rows is equally likely, and the `seed` decides which rows are drawn. With the same seed, `rate_file` and the
        command draw the same rows of a file."""
        import numpy as np

        _check_by(by, COLUMNS)
        values, present = self._columns()[by]
        if values is None:
            raise ValueError(f"the column {by} was not computed: add it to columns")
        codes = values.codes if isinstance(values, Words) else np.unique(np.asarray(values), return_inverse=True)[1]
        strata: npt.NDArray[np.int64] = np.array(codes, dtype=np.int64)
        if present is not None:
            strata[~present] = -1
        return np.asarray(_sudobench.stratify(strata, rows, seed))

    def _columns(self) -> dict[str, Column]:
        is_rated = self.status == "unique"
        has_se = _has_se(is_rated, self.notes)
        masks = {name: has_se if name in OF_EXPLAINER else is_rated for name in COLUMNS[1:]}
        measures = {name: Column(getattr(self, name), mask) for name, mask in masks.items()}
        return {
            "status": Column(self.status),
            "difficulty": Column(self.difficulty),
            **measures,
            "note": Column(self.notes),
        }


OF_EXPLAINER = ["se", "se_pearl", "se_diamond", "hardest_technique", "techniques", "steps"]
"""The columns of Sudoku Explainer."""

COLUMNS = [
    *["difficulty", "singles", "locked", "pairs", "depth", "backdoor", "guesses"],
    *["rounds", "naked_singles", "hidden_singles", "fewest_choices"],
    *OF_EXPLAINER,
]

CLUES = "clues"
"""A column of `solve`. In tables and files, but not in `Ratings`, its values can define the groups of `stratify`."""


def _has_se(is_rated: npt.NDArray[np.bool_], notes: dict[int, str]) -> npt.NDArray[np.bool_]:
    """Returns a mask of the puzzles for which the columns of Sudoku Explainer have values. A rated puzzle with a note lacks
    these values."""
    import numpy as np

    return is_rated & ~np.isin(np.arange(len(is_rated)), list(notes))


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
    """Rates the difficulty of one puzzle or many. `Rating` describes the measures. Equivalent forms of a puzzle have the same
    values, except in `guesses` and in the measures of Sudoku Explainer (`se` and the fields after it).

    Puzzles are of the kinds that `solve` takes, one or many. Only puzzles with exactly one solution are rated. The
    result for one puzzle is a `Rating` with all measures. The result for many is `Ratings` with the measures in `columns`.

    - `columns`: the measures to compute: difficulty, singles, locked, pairs, depth, backdoor, guesses, rounds,
      naked_singles, hidden_singles, fewest_choices, se, se_pearl, se_diamond, hardest_technique, techniques, steps, or
      `"all"`.
    - `isomorphs`: number of random forms of each puzzle over which guesses are averaged.
    - `seed`: decides the forms. With the same seed, `transform` draws the same forms.

    `threads`, `restore_zeros` and `progress` are as in `solve`. A single malformed puzzle raises `ValueError`. If there
    are many puzzles, the note of a malformed puzzle gives the reason."""
    names = chosen(columns, COLUMNS, ("status", "note"))
    raw = columns_of(puzzles, "rate", names, _options(isomorphs, seed, threads, restore_zeros), progress)
    import numpy as np

    status = words_of(raw["status"])
    is_rated = status == "unique"
    has_se = _has_se(is_rated, raw["note"])

    def is_so(name: str) -> npt.NDArray[np.bool_] | None:
        return (words_of(raw[name]) == "yes") & is_rated if name in raw else None

    def number(name: str) -> npt.NDArray[np.int8] | None:
        return np.where(is_rated, raw[name].astype(np.int8), np.int8(-1)) if name in raw else None

    def rating(name: str) -> npt.NDArray[np.float64] | None:
        return np.where(has_se, raw[name], np.nan) if name in raw else None

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
        se=rating("se"),
        se_pearl=rating("se_pearl"),
        se_diamond=rating("se_diamond"),
        hardest_technique=words_of(raw["hardest_technique"]).where(has_se) if "hardest_technique" in raw else None,
        techniques=texts_of(raw["techniques"], len(status)) if "techniques" in raw else None,
        steps=np.where(has_se, raw["steps"].astype(np.int64), np.int64(-1)) if "steps" in raw else None,
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
    stratify_by: str = "difficulty",
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Any:
    """Adds to a table the ratings of the puzzles in one of its columns.

    Takes the same tables as `solve_table`, and returns the same types. If a puzzle does not have exactly one solution,
    all values but status and note are null.

    - `column`: the column of puzzles, by its name or its number from 1. By default, it is detected from names and
      content.
    - `columns`: the columns to add: difficulty, singles, locked, pairs, depth, backdoor, guesses, rounds,
      naked_singles, hidden_singles, fewest_choices, se, se_pearl, se_diamond, hardest_technique, techniques, steps,
      status and note, or `"all"`: see `Rating`. singles, locked and pairs are `yes` or `no`.
    - `stratify`: return only this number of random rows of each difficulty, or all if there are fewer. The `seed`
      decides which rows. The table must be a `Table` or `RecordBatch` of pyarrow, or a frame of polars or pandas.
    - `stratify_by`: the column of measures whose values define the groups of `stratify`, such as `se`, or `clues`, the number of clues.

    The other options are as in `rate`."""
    options = _options(isomorphs, seed, threads, restore_zeros)
    _check_by(stratify_by, [*COLUMNS, CLUES])
    if stratify is None:
        if stratify_by != "difficulty":
            raise ValueError("stratify_by: add stratify, the number of rows to draw per value")
        return add_columns(table, column, None, "rate", columns, options, progress)
    check_rows(table)
    # Only a few rows are drawn. Therefore the first call computes only the column `stratify_by`, for all rows. The second call computes
    # `columns` for the drawn rows.
    rated = add_columns(table, column, None, "solve" if stratify_by == CLUES else "rate", stratify_by, options, progress)
    drawn = _draw(last_values(rated), stratify, seed)
    return add_columns(rows_of(table, drawn), column, None, "rate", columns, options)


def _check_by(column: str, known: list[str]) -> None:
    if column not in known:
        raise ValueError(f"cannot group rows by {column!r}; choose from {', '.join(known)}")


def _draw(values: list[Any], rows: int, seed: int) -> npt.NDArray[np.int64]:
    import numpy as np

    numbers = {value: number for number, value in enumerate(dict.fromkeys(values)) if value is not None}
    strata = np.array([numbers.get(value, -1) for value in values], dtype=np.int64)
    return np.asarray(_sudobench.stratify(strata, rows, seed))
