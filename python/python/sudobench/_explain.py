"""`explain`: the steps to the solutions of puzzles."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from . import _sudobench
from ._found import expanded_table, found_for
from ._puzzles import accepts_one, origin_of, read
from ._results import Boards, Column, taken
from ._tables import keeps_type
from ._words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from ._progress import OnProgress
    from ._sudobench import Rows


_TEXTS = ("step", "units", "cells", "digits", "chain", "placement", "eliminations", "changes")
"""The fields of a step that are texts, in the order in which the Rust module returns them."""


@dataclass(frozen=True)
class Step:
    """One step on the way to the solution of a puzzle."""

    row: int
    """Number of the puzzle, from 0."""
    technique: str
    """Name of the technique, such as `Naked Pair`, or `Guess` or `Backtrack`."""
    rating: float | None
    """Rating of the step by Sudoku Explainer 1.2.1, such as 3.0; `None` for `Guess` and `Backtrack`."""
    step: str
    """The step as text, such as `Naked Pair: 3,7 in r4c15 => r4c2<>3`."""
    units: str | None
    """The boxes, rows and columns of the step, such as `b1/r2`; `None` if the step has none."""
    cells: str | None
    """The cells of the step's pattern, such as `r4c15`; `None` if the step has none."""
    digits: str | None
    """The digits of the step's pattern, such as `37`; `None` if the step has none."""
    chain: str | None
    """The nodes of the step's chains, in order, such as `r1c2=5 -> r1c8<>5`; `None` if the step has none."""
    placement: str | None
    """The cell that the step fills and its digit, such as `r4c1=9`; `None` if it fills none."""
    eliminations: str | None
    """The candidates that the step eliminates, such as `r4c2<>3`; `None` if it eliminates none."""
    changes: str
    """The changed cells with their candidates before and after the step, such as `r1c6:2468>8 r1c9:248>24`."""
    board: str
    """The board before the step: 81 characters, `.` for a blank."""
    _marks: tuple[int, ...] = dataclasses.field(default=(), repr=False, compare=False)

    def to_svg(self) -> str:
        """Returns a drawing of the step as the text of an SVG file: the board before the step with its candidates. Marks show the cells and
        candidates that the step uses, and those that it changes. A step that was not made by `explain` or `hint` raises a `ValueError`."""
        if not self._marks:
            raise ValueError("this step cannot be drawn: its candidates are not known")
        return _sudobench.step_svg(list(self._marks), self.board, self.technique, self.step)

    def _repr_svg_(self) -> str | None:
        """Returns the drawing, for notebooks."""
        return self.to_svg() if self._marks else None


@dataclass(frozen=True, eq=False, repr=False)
class Steps(Boards[Step]):
    """The steps to the solutions of puzzles. The steps of a puzzle are together and in order."""

    row: npt.NDArray[np.int64]
    """Of shape (M,), for each step: the number of its puzzle, from 0."""
    technique: Words
    """The technique of each step."""
    rating: npt.NDArray[np.float64]
    """The rating of each step by Sudoku Explainer 1.2.1; NaN for `Guess` and `Backtrack`."""
    step: npt.NDArray[np.str_]
    """Each step as text."""
    units: npt.NDArray[np.str_]
    """The boxes, rows and columns of each step; empty if it has none. The next five texts are also empty if a step has no such part."""
    cells: npt.NDArray[np.str_]
    """The cells of each step's pattern."""
    digits: npt.NDArray[np.str_]
    """The digits of each step's pattern."""
    chain: npt.NDArray[np.str_]
    """The nodes of each step's chains, in order."""
    placement: npt.NDArray[np.str_]
    """The cell that each step fills and its digit."""
    eliminations: npt.NDArray[np.str_]
    """The candidates that each step eliminates."""
    changes: npt.NDArray[np.str_]
    """For each step: the changed cells with their candidates before and after it."""
    board: npt.NDArray[np.uint8]
    """Of shape (M, 81), 0 for a blank: the board before each step."""
    complete: npt.NDArray[np.bool_]
    """Of shape (N,), for each puzzle: whether the steps solve it (see also `hint`). True for a malformed puzzle. False for a puzzle without
    exactly one solution, which has no steps."""
    notes: dict[int, str]
    """For each malformed puzzle, its number from 0 and the reason."""
    _marks: npt.NDArray[np.uint16]

    _record: ClassVar[type[Step]] = Step
    _of_all: ClassVar[tuple[str, ...]] = ("complete", "notes")

    def _columns(self) -> dict[str, Column]:
        import numpy as np

        texts = {name: Column(getattr(self, name), getattr(self, name) != "") for name in _TEXTS}
        rating = Column(self.rating, ~np.isnan(self.rating))
        return {"row": Column(self.row), "technique": Column(self.technique), "rating": rating, **texts, "board": Column(self.board)}

    def _row(self, row: int, columns: Mapping[str, Column]) -> Step:
        return dataclasses.replace(super()._row(row, columns), _marks=tuple(self._marks[row].tolist()))

    def __repr__(self) -> str:
        return f"<sudobench.Steps: {len(self):,} steps of {len(self.complete):,} puzzles>"


def _itself(steps: Steps) -> Steps:
    return steps


@accepts_one(_itself)
def explain(
    puzzles: Any,
    *,
    max_se: float | None = None,
    search: bool = False,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Steps:
    """Explains how one puzzle or many are solved: returns the steps of Sudoku Explainer 1.2.1, in its order.

    Puzzles are of the kinds that `solve` takes. Only puzzles with exactly one solution have steps. If a puzzle needs a
    technique that sudobench does not know, its steps end before this technique (except with `search`), and its
    `complete` is False.

    - `max_se`: the highest rating of a step, such as 2.3 for singles. If no technique up to this rating is found, the
      steps end.
    - `search`: if no technique is found, guess the smallest candidate of the first cell with the fewest candidates,
      and backtrack after a contradiction. So the steps always end with the solution.
    - `threads`, `restore_zeros`, `progress`: as in `solve`.

    A notebook shows a single step as a drawing, and `Step.to_svg` returns it. To rate whole puzzles, call
    `rate(puzzles, columns="se")`. Tables: `explain_table`. Files: `explain_file`.

    >>> import sudobench
    >>> steps = sudobench.explain("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    >>> steps[0].technique, steps[0].rating
    ('Hidden Single', 1.2)
    """
    keywords = {"max_se": max_se, "search": search}
    return _steps(puzzles, *found_for(puzzles, "explain", keywords, threads, progress))


def _steps(puzzles: Rows, notes: dict[int, str], boards: Sequence[Any], steps: Sequence[Any]) -> Steps:
    import numpy as np

    (board, row, complete), (technique, rating, marks, texts) = map(np.asarray, boards), steps
    words = Words(np.asarray(technique), _sudobench.technique_names())
    arrays = [np.array(text, dtype=str) if text else np.zeros(0, dtype="U1") for text in texts]
    step, units, cells, digits, chain, placement, eliminations, changes = arrays
    return Steps(
        row,
        words,
        np.asarray(rating),
        step,
        units,
        cells,
        digits,
        chain,
        placement,
        eliminations,
        changes,
        board,
        complete,
        notes,
        np.asarray(marks),
        _origin=taken(origin_of(puzzles), row),
    )


def hint(board: Any, candidates: Any = None, puzzle: Any = None) -> Steps:
    """Returns the next steps for a half-filled grid, up to the first step that fills a cell.

    A step that only eliminates candidates does not change the grid. So the following steps are returned too, and the
    last one fills a cell. If no technique that sudobench knows leads to a step that fills a cell, `complete` is False.
    A filled grid has no steps, and `complete` of the result is True.

    - `board`: the grid, one of the kinds that `solve` takes. It must have exactly one solution.
    - `candidates`: the remaining candidates, a mask of shape (81, 9) like the one from `candidates(board)`. By
      default, these are all digits that the filled cells allow.
    - `puzzle`: the clues alone. If it is given, wrong cells and missing clues raise a `ValueError` that names them.

    >>> import sudobench
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> sudobench.hint(puzzle).step.tolist()
    ['Hidden Single: 8 in b2 => r1c6=8']
    >>> sudobench.hint("532" + puzzle[3:], puzzle=puzzle)
    Traceback (most recent call last):
    ...
    ValueError: these cells are wrong: r1c3
    """
    import numpy as np

    sets = None
    if candidates is not None:
        mask = np.asarray(candidates)
        if mask.shape != (81, 9):
            raise ValueError(f"candidates of shape {mask.shape}: pass a mask of shape (81, 9)")
        sets = (mask.astype(bool) @ (1 << np.arange(9))).tolist()
    rows, clues = (None if grid is None else read(grid, "hint") for grid in (board, puzzle))
    if rows is None or not rows.is_one or not (clues is None or clues.is_one):
        raise TypeError("hint takes one grid, and at most one puzzle: pass each as a text of 81 characters or an array of 81 numbers")
    return _steps(rows, {}, *_sudobench.hint(rows, sets, clues))


@keeps_type
def explain_table(
    table: Any,
    column: str | int,
    columns: str | Sequence[str] = ("number", "technique", "rating", "step"),
    *,
    max_se: float | None = None,
    search: bool = False,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Any:
    """Returns a table with a row for each step to the solutions of the puzzles in a column. See `solutions_table` and
    `explain`.

    - `columns`: the columns to add: number (from 1), technique, rating, step, units, cells, digits, chain, placement,
      eliminations, changes, board and complete.
    - `max_se`, `search`: as in `explain`.
    """
    known = {name: name for name in ("number", "technique", "rating", *_TEXTS, "board", "complete")}
    steps_of = functools.partial(explain, max_se=max_se, search=search, threads=threads, restore_zeros=restore_zeros, progress=progress)
    return expanded_table(table, column, columns, known, steps_of)
