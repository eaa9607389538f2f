"""`explain`: the steps to the solutions of puzzles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from . import _sudobench
from ._found import expanded_table, found_for
from ._puzzles import accepts_one, origin_of
from ._results import Boards, Column, taken
from ._tables import keeps_type
from ._words import Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from ._progress import OnProgress


@dataclass(frozen=True)
class Step:
    """One step on the way to the solution of a puzzle."""

    row: int
    """The puzzle, by its number from 0."""
    technique: str
    """Name of the technique, such as `Naked Pair`."""
    rating: float
    """Rating of the step by Sudoku Explainer 1.2.1, such as 3.0."""
    step: str
    """The step as text, such as `Naked Pair: 3,7 in r4c15 => r4c2<>3`."""
    board: str
    """The board before the step: 81 characters, `.` for a blank."""


@dataclass(frozen=True, eq=False, repr=False)
class Steps(Boards[Step]):
    """The steps to the solutions of puzzles. The steps of a puzzle are together and in order."""

    row: npt.NDArray[np.int64]
    """Of shape (M,), for each step: the puzzle, by its number from 0."""
    technique: Words
    """The technique of each step."""
    rating: npt.NDArray[np.float64]
    """The rating of each step by Sudoku Explainer 1.2.1."""
    step: npt.NDArray[np.str_]
    """Each step as text."""
    board: npt.NDArray[np.uint8]
    """Of shape (M, 81), 0 for a blank: the board before each step."""
    complete: npt.NDArray[np.bool_]
    """Of shape (N,), for each puzzle: whether the steps solve it. A puzzle without exactly one solution has no steps."""
    notes: dict[int, str]
    """Why puzzles are malformed, by their numbers from 0."""

    _record: ClassVar[type[Step]] = Step
    _of_all: ClassVar[tuple[str, ...]] = ("complete", "notes")

    def _columns(self) -> dict[str, Column]:
        return {name: Column(getattr(self, name)) for name in ("row", "technique", "rating", "step", "board")}

    def __repr__(self) -> str:
        return f"<sudobench.Steps: {len(self):,} steps of {len(self.complete):,} puzzles>"


def _itself(steps: Steps) -> Steps:
    return steps


@accepts_one(_itself)
def explain(
    puzzles: Any,
    *,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Steps:
    """Explains how one puzzle is solved, or each of many: the steps of Sudoku Explainer 1.2.1, in its order.

    Puzzles are of the kinds that `solve` takes. Only puzzles with exactly one solution have steps. If a puzzle needs a technique that is
    not known, its steps end before it, and its `complete` is False. `threads`, `restore_zeros` and `progress` are as in `solve`. The ratings
    of whole puzzles: `rate(puzzles, columns="se")`. Tables: `explain_table`. Files: `explain_file`.

    >>> import sudobench
    >>> steps = sudobench.explain("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    >>> steps[0].technique, steps[0].rating
    ('Hidden Single', 1.2)
    """
    import numpy as np

    notes, (board, row, complete), (technique, rating, step) = found_for(puzzles, "explain", {}, threads, restore_zeros, progress)
    words = Words(technique, _sudobench.technique_names())
    texts = np.array(step, dtype=str) if step else np.zeros(0, dtype="U1")
    return Steps(row, words, rating, texts, board, complete, notes, _origin=taken(origin_of(puzzles), row))


@keeps_type
def explain_table(
    table: Any,
    column: str | int,
    columns: str | Sequence[str] = ("number", "technique", "rating", "step"),
    *,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Any:
    """A row for each step to the solutions of the puzzles in a column of a table: see `solutions_table` and `explain`.

    - `columns`: those to add, of number (from 1), technique, rating, step, board and complete.
    """
    steps_of = explain.__wrapped__  # type: ignore[attr-defined]
    known = {name: name for name in ("number", "technique", "rating", "step", "board", "complete")}
    return expanded_table(
        table, column, columns, known, "explain", restore_zeros, lambda rows: steps_of(rows, threads=threads, progress=progress)
    )
