"""The boards of scored rows, for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ._display import board_html
from ._puzzles import is_of, read
from ._results import SHOWN
from ._solve import solve

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt

    from ._sudobench import Rows


class Source:
    """Boards as they were passed to a function. They are not copied: a row is read when it is shown."""

    def __init__(self, given: Any, is_one: bool, read_part: Callable[[Any], Rows]) -> None:
        """Keeps `given`. `is_one`: whether `given` is one board, not several. `read_part` reads a slice of `given`, or the only board."""
        self.given, self.is_one, self.read_part = given, is_one, read_part

    def board(self, row: int) -> bytes | None:
        """Returns the cells of a row, or `None` if they cannot be read. A single board is used for all rows."""
        try:
            part = self.given
            if not self.is_one:
                row = 0 if len(part) == 1 else row
                part = (part.iloc if is_of("pandas", part) and hasattr(part, "iloc") else part)[row : row + 1]
            ends = self.read_part(part).ends(1)
        except Exception:  # A type may have no slices, or a stream was already read. A display must not fail.
            return None
        return ends[0][1] if ends else None


class RowBoards(NamedTuple):
    """The boards of a row as cells; `None` if a board cannot be read or was not passed."""

    puzzle: bytes | None
    prediction: bytes | None
    solution: bytes | None

    def html(self, is_compared: bool, is_solution_wrong: bool) -> str:
        """Returns the prediction as HTML, or an empty text if it cannot be read. If it was compared with a solution, cells that differ
        from the solution are red."""
        if self.prediction is None:
            return ""
        solution = None
        if is_compared and self.solution is not None and not is_solution_wrong:
            solution = self.solution
        elif is_compared and self.puzzle is not None:
            digits = solve("".join(map(str, self.puzzle))).solution
            solution = None if digits is None else bytes(map(int, digits))
        wrong = None
        if solution is not None:
            wrong = {cell for cell in range(81) if self.prediction[cell] != solution[cell]}
        return board_html(self.prediction, self.puzzle, wrong)


class ScoredBoards:
    """The puzzles, predictions and solutions of scored rows."""

    def __init__(self, puzzles: Source, predictions: Source, solutions: Source | None, rows: int) -> None:
        self._sources = (puzzles, predictions, solutions)
        self._rows: range | npt.NDArray[np.intp] = range(rows)
        self._stored: dict[int, RowBoards] = {}

    def __getitem__(self, rows: npt.NDArray[np.intp]) -> ScoredBoards:
        """Returns the rows with these positions."""
        taken = ScoredBoards.__new__(ScoredBoards)
        taken._sources, taken._stored = self._sources, self._stored
        taken._rows = rows if isinstance(self._rows, range) else self._rows[rows]
        return taken

    def row(self, position: int) -> RowBoards:
        """Returns the boards of a row."""
        row = int(self._rows[position])
        if row in self._stored:
            return self._stored[row]
        return RowBoards(*(None if source is None else source.board(row) for source in self._sources))

    def __getstate__(self) -> dict[str, Any]:
        """Returns what is pickled: the boards of the first and the last rows."""
        rows = range(len(self._rows))
        stored = {row: self.row(row) for row in {*rows[:SHOWN], *rows[-SHOWN:]}}
        return {"_sources": (), "_rows": rows, "_stored": stored}


def source_of(given: Any, rows: Rows) -> Source:
    """Returns the boards that `rows` was read from."""
    return Source(given, rows.is_one, _read)


def _read(part: Any) -> Rows:
    return read(part, "score")
