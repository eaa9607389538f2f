"""The display of results in notebooks."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

FILLED = "color:#1f77b4"
ERROR = "color:#d62728;font-weight:bold;text-decoration:underline"

UNITS = [
    *(range(9 * row, 9 * row + 9) for row in range(9)),
    *(range(column, 81, 9) for column in range(9)),
    *([top + left + cell for cell in (0, 1, 2, 9, 10, 11, 18, 19, 20)] for top in (0, 27, 54) for left in (0, 3, 6)),
]
"""The cells of each row, column and box."""


def board_html(board: Sequence[int], clues: Sequence[int] | None = None, wrong: set[int] | None = None) -> str:
    """Returns a board as HTML: a grid of text. `board` has 81 numbers, 0 for a blank. If `clues` has the puzzle that the board solves,
    clues are bold and filled cells are blue. The cells in `wrong` are red; by default, these are the cells that differ from their clue, or
    whose digit occurs twice in a row, column or box."""
    wrong = errors(board, clues) if wrong is None else wrong

    def cell(at: int) -> str:
        digit = "." if board[at] == 0 else html.escape(str(board[at]))
        if at in wrong:
            return f'<span style="{ERROR}">{digit}</span>'
        if clues is None or board[at] == 0:
            return digit
        return f"<b>{digit}</b>" if clues[at] else f'<span style="{FILLED}">{digit}</span>'

    lines = [" | ".join(" ".join(cell(9 * row + stack + at) for at in range(3)) for stack in (0, 3, 6)) for row in range(9)]
    for at in (6, 3):
        lines.insert(at, "------+-------+------")
    return _grid_html(lines)


def candidates_html(mask: Sequence[Sequence[bool]]) -> str:
    """Returns the candidates of 81 cells as HTML: a grid of text. `mask` has nine truth values for each cell. The digit of a cell with only
    one candidate is bold, and `-` stands for no candidate."""
    cells = ["".join(str(digit) for digit in range(1, 10) if cell[digit - 1]) or "-" for cell in mask]
    widths = [max(map(len, cells[column::9])) for column in range(9)]

    def cell(at: int) -> str:
        space = " " * (widths[at % 9] - len(cells[at]))
        return (f"<b>{cells[at]}</b>" if cells[at].isdigit() and len(cells[at]) == 1 else cells[at]) + space

    lines = [" | ".join(" ".join(cell(9 * row + stack + at) for at in range(3)) for stack in (0, 3, 6)) for row in range(9)]
    bars = ["-" * (sum(widths[stack : stack + 3]) + 2) for stack in (0, 3, 6)]
    for at in (6, 3):
        lines.insert(at, "-+-".join(bars))
    return _grid_html(lines)


def _grid_html(lines: list[str]) -> str:
    return '<pre style="margin:0;line-height:1.1">' + "\n".join(lines) + "</pre>"


def errors(board: Sequence[int], clues: Sequence[int] | None) -> set[int]:
    """Returns the cells that differ from their clue, or whose digit occurs twice in a row, column or box."""
    wrong = set() if clues is None else {at for at in range(81) if clues[at] and clues[at] != board[at]}
    for unit in UNITS:
        digits = [board[at] for at in unit]
        wrong.update(at for at in unit if board[at] and digits.count(board[at]) > 1)
    return wrong
