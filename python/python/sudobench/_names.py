"""The names that options accept as values."""

from __future__ import annotations

from typing import Literal, TypeAlias

Solver: TypeAlias = Literal[
    "auto",
    "bitboard",
    "bitslice",
    "mrv",
    "blank-scan",
    "bool-table",
    "cell-scan",
    "candidate-list",
    "bitmask",
    "dlx",
]
"""The name of a solver. `sudobench solvers` describes the solvers."""

SingleSolver: TypeAlias = Literal[
    "bitboard",
    "mrv",
    "blank-scan",
    "bool-table",
    "cell-scan",
    "candidate-list",
    "bitmask",
    "dlx",
]
"""A solver that solves one puzzle at a time, and counts the nodes of each puzzle."""

AnswerChoice: TypeAlias = Literal["smallest", "first"]
"""Which of several solutions is reported."""

Difficulty: TypeAlias = Literal["singles", "locked", "pairs", "depth1", "depth2", "depth3"]
"""The easiest class of techniques that solves a puzzle."""

Symmetry: TypeAlias = Literal["none", "rotational", "rotational90", "horizontal", "vertical", "diagonal", "antidiagonal", "full"]
"""The symmetry of the clues of a generated puzzle: which cells have clues, whatever their digits."""

Method: TypeAlias = Literal["top-down", "bottom-up", "controlled-bias", "climb", "tridagon"]
"""A method to generate puzzles."""

Kind: TypeAlias = Literal["digits", "rows", "columns", "transpose"]
"""A kind of change that can make a random form of a puzzle."""

OverlapKind: TypeAlias = Literal["text", "isomorph", "solution", "solution_isomorph"]
"""A kind of overlap between rows of two datasets."""

ClassKind: TypeAlias = Literal["text", "isomorph", "solution", "solution_isomorph"]
"""The property by which a split groups puzzles. Puzzles with equal values of this property are always on the same
side."""

CandidateLevel: TypeAlias = Literal["clues", "singles", "locked", "exact"]
"""How impossible candidates are eliminated."""

Tokens: TypeAlias = Literal["digits", "hrm"]
"""The form of boards: digits with 0 for blanks, or tokens of HRM."""

RewardKind: TypeAlias = Literal["exact", "valid", "valid_or_clues", "cell_accuracy", "blank_accuracy", "reasoning_gym"]
"""The formula of a reward."""

BLANKS: dict[str, int] = {"digits": 0, "hrm": 1}
"""For each name of `Tokens`, the number that stands for a blank. A digit is stored as this number + the digit."""


def blank_of(tokens: str) -> int:
    """Returns the number that stands for a blank. Raises `ValueError` if `tokens` is not a name in `BLANKS`."""
    if tokens not in BLANKS:
        raise ValueError(f"tokens={tokens!r}: choose 'digits' or 'hrm'")
    return BLANKS[tokens]
