"""`candidates`: the digits that each cell may hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _sudobench
from ._display import candidates_html
from ._progress import shown
from ._puzzles import accepts_one, boards_of, origin_of
from ._results import Column, Results

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._names import CandidateLevel
    from ._progress import OnProgress


@dataclass(frozen=True, eq=False, repr=False)
class Candidates(Results[dict[str, Any]]):
    """The digits that each cell of many boards may hold. In tables and rows, `candidates` is a text with the digits of each cell, such
    as `147`, and spaces between the cells; `-` stands for no digit. Notebooks show grids."""

    mask: npt.NDArray[np.bool_]
    """Of shape (N, 81, 9): whether the cell may hold the digit. The digit 1 has the index 0. All False if the board is malformed."""
    notes: dict[int, str]
    """For each malformed row, its number from 0 and the reason."""

    def _columns(self) -> dict[str, Column]:
        import numpy as np

        sets = self.mask @ (1 << np.arange(9))
        names = np.array(["".join(str(digit + 1) for digit in range(9) if number >> digit & 1) or "-" for number in range(512)])
        texts = np.array([" ".join(words) for words in names[sets].tolist()], dtype=str)
        are_puzzles = np.ones(len(self), dtype=bool)
        are_puzzles[list(self.notes)] = False
        return {"candidates": Column(texts, are_puzzles), "note": Column(self.notes)}

    def _html_columns(self) -> dict[str, Column]:
        return {"candidates": Column(self.mask), "note": Column(self.notes)}

    def _html_cell(self, row: int, name: str, column: Column) -> str:
        if name != "candidates":
            return super()._html_cell(row, name, column)
        return "" if row in self.notes else candidates_html(self.mask[row].tolist())


def _mask(found: Candidates) -> npt.NDArray[np.bool_]:
    return found.mask[0]


@accepts_one(_mask)
def candidates(
    puzzles: Any,
    *,
    level: CandidateLevel = "clues",
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Candidates:
    """Returns the possible digits of each cell, for one board or many.

    Boards are of the kinds that `solve` takes, one or many. The result for one is a mask of shape (81, 9), in which the digit 1 has the
    index 0. The result for many is `Candidates`, whose `mask` has the shape (N, 81, 9). The only candidate of a filled cell is its digit.

    - `level`: how impossible digits are eliminated.

      - `"clues"`: the digits that the row, the column and the box do not have yet.
      - `"singles"`: naked and hidden singles are filled in until there are none.
      - `"locked"`: singles and locked candidates (pointing and claiming) are applied until neither finds anything.
      - `"exact"`: the digits that occur in some solution. If there is one solution, these are its digits.

      If a level other than `"clues"` shows that there is no solution, no cell has a candidate.

    `threads`, `restore_zeros` and `progress` are as in `solve`. A single malformed board raises `ValueError`. Among
    many boards, a malformed board gets a note with the reason.

    >>> import sudobench
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> (sudobench.candidates(puzzle)[2].nonzero()[0] + 1).tolist()
    [1, 2, 4]
    """
    import numpy as np

    boards, notes = boards_of(puzzles, threads)
    found = shown(progress, lambda told: _sudobench.candidates(boards, list(notes), level, threads, told))
    mask = np.asarray(found)
    return Candidates(mask.reshape(-1, 81, 9), notes, _origin=origin_of(puzzles))
