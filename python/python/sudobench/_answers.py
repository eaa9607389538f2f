"""Results of `solve` for puzzles in memory."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ._display import board_html
from ._results import Boards, Column
from ._words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True)
class Answer:
    """The answer to one puzzle."""

    status: str
    """`unique`, `multiple`, `solved` (one solution found, others not searched), `unsolvable`, `aborted`
    (given up at a limit) or `malformed` (not a puzzle)."""
    solution: str | None
    """81 digits. If there are several solutions, the option `answer` decides which of them. `None` if the puzzle is unsolvable
    or was given up."""
    count: int
    """Number of solutions found, up to `max_solutions`."""
    nodes: int
    """Number of alternatives that the search tried. `auto`, `bitboard` and `bitslice` count only alternatives of guesses; the
    other solvers also count digits that follow without a guess."""
    guesses: int
    """Number of decisions at which several alternatives were open."""
    note: str | None = None
    """Why the puzzle is malformed, or a remark about the answer."""

    def _repr_html_(self) -> str:
        """Returns the answer for notebooks: its text, and the solution as a grid."""
        board = "" if self.solution is None else board_html(list(map(int, self.solution)))
        return f"<p>{html.escape(repr(self))}</p>{board}"


@dataclass(frozen=True, eq=False, repr=False)
class Answers(Boards[Answer]):
    """The answers to many puzzles, in their order."""

    solution: npt.NDArray[np.uint8]
    """Of shape (N, 81): digits; zeros if the puzzle is unsolvable or malformed, or was given up."""
    status: Words
    """The status of each row, see `Answer.status`. `Words` behaves like an array of strings and uses one byte of memory
    for each row."""
    count: npt.NDArray[np.uint64]
    """Solutions found, up to `max_solutions`."""
    nodes: npt.NDArray[np.uint64]
    """See `Answer.nodes`."""
    guesses: npt.NDArray[np.uint64]
    """See `Answer.guesses`."""
    notes: dict[int, str]
    """Remarks about rows, by row number from 0, such as the reason why a row is malformed."""

    _record: ClassVar[type[Answer]] = Answer

    @property
    def statuses(self) -> dict[str, int]:
        """Number of rows with each status."""
        return self.status.counts()

    def __repr__(self) -> str:
        statuses = ", ".join(f"{count:,} {status}" for status, count in self.statuses.items())
        return f"<sudobench.Answers to {len(self):,} puzzles: {statuses or 'none'}>"

    def _columns(self) -> dict[str, Column]:
        are_puzzles = self.status != "malformed"
        return {
            "solution": Column(self.solution, self.solution[:, 0] > 0),
            "status": Column(self.status),
            "count": Column(self.count, are_puzzles),
            "nodes": Column(self.nodes, are_puzzles),
            "guesses": Column(self.guesses, are_puzzles),
            "note": Column(self.notes),
        }

    def _clues(self, column: str, row: int) -> Sequence[int] | None:
        return self._origin.shown.get(row)

    def _row(self, row: int, columns: Mapping[str, Column]) -> Answer:
        # For a malformed row, these three numbers are null in a table, but 0 in an `Answer`.
        numbers = {name: Column(columns[name].values) for name in ("count", "nodes", "guesses")}
        return super()._row(row, {**columns, **numbers})
