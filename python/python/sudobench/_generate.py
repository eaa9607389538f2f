"""`generate`, of arrays and tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from . import _sudobench
from ._files import keywords_as_text
from ._progress import shown
from ._results import Boards, Column, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import numpy.typing as npt

    from ._names import Difficulty, Method, SingleSolver, Symmetry
    from ._progress import OnProgress


Made = TypeVar("Made")


@dataclass(frozen=True, eq=False, repr=False)
class Generated(Boards[dict[str, Any]]):
    """Puzzles that were made, in the order of their numbers."""

    puzzle: npt.NDArray[np.uint8]
    """Of shape (N, 81), 0 for a blank."""
    solution: npt.NDArray[np.uint8]
    """Of shape (N, 81): the smallest solution; zeros if there is none."""
    count: npt.NDArray[np.uint64]
    """How many solutions each has."""
    weight: npt.NDArray[np.float64] | None
    """What each counts for in a mean over all minimal puzzles, where the method says that: `controlled-bias` does."""

    def __repr__(self) -> str:
        return f"<sudobench.Generated: {len(self):,} puzzles>"

    def _columns(self) -> dict[str, Column]:
        return {
            "puzzle": Column(self.puzzle),
            "solution": Column(self.solution, self.solution[:, 0] > 0),
            "count": Column(self.count),
            "weight": Column(self.weight),
        }

    def _clues(self, column: str, row: int) -> Sequence[int] | None:
        return self.puzzle[row].tobytes()


def generate(
    count: int,
    *,
    seed: int = 1,
    skip: int = 0,
    clues: int | tuple[int, int] | None = None,
    minimal: bool = False,
    symmetry: Symmetry = "none",
    difficulty: str | Sequence[Difficulty] = (),
    guesses: int | None = None,
    technique: str | Sequence[str] = (),
    hardest_technique: str | Sequence[str] = (),
    min_se: float | None = None,
    max_se: float | None = None,
    solutions: int | tuple[int, int] = 1,
    pattern: str | None = None,
    method: Method = "top-down",
    attempts: int | None = None,
    hardest: SingleSolver | None = None,
    steps: int = 200,
    max_nodes: int = 1_000_000,
    max_solutions: int = 2,
    threads: int | None = None,
    progress: bool | OnProgress = False,
) -> Generated:
    """Makes that many puzzles, on all cores.

    Puzzle number N of a seed, from 0, depends on the seed, on N and on the options, and on nothing else; the command
    `sudobench generate` makes the same.

    - `seed`, `skip`: which: those of the seed, without the first `skip`.
    - `clues`: how many: a number, or the least and the most. Without it as many as are left when none can be taken out any more, so that
      puzzles are minimal (with a symmetry: none together with those that lie with it).
    - `minimal`: puzzles without a redundant clue.
    - `symmetry`: how the cells with clues lie: `none`, `rotational`, `rotational90`, `horizontal`, `vertical`, `diagonal`, `antidiagonal` or
      `full`.
    - `difficulty`: what it takes to solve them: one or several of `singles`, `locked`, `pairs`, `depth1`, `depth2` and `depth3`, such as
      `["pairs", "depth1"]`.
    - `guesses`: minimum number of guesses: the column `guesses` of `rate`, with its defaults.
    - `technique`, `hardest_technique`: techniques that must all occur in the steps of `explain`, and allowed techniques of the
      hardest step, such as `"swordfish"` or `["x-wing", "naked pair"]`.
    - `min_se`, `max_se`: lowest and highest allowed rating by Sudoku Explainer: the column `se` of `rate`.
    - `solutions`: how many: a number, or the least and the most; 0 for puzzles without any which do not give that away.
    - `pattern`: where clues stand: 81 characters, `x`, `#` or a digit for a clue, `. 0 _ -` for none; with `clues` or `minimal` in some of
      these cells.
    - `method`: how they are made: `top-down`, `bottom-up`, `controlled-bias`, whose puzzles have weights, or `climb`, for rare puzzles.
    - `attempts`: number of attempts for each puzzle; by default 100,000, with `pattern` 100.
    - `hardest`: climb, from each puzzle, to ones that take this solver more and more nodes: `bitboard`, `mrv`, `blank-scan`, `bool-table`,
      `cell-scan`, `candidate-list`, `bitmask` or `dlx`. `steps` puzzles are tried one after the other,
      none takes more than `max_nodes`, and nodes are counted until so many solutions are found (`max_solutions`: 1 or 2).
    - `threads`, `progress`: as in `solve_file`.

    An impossible request raises `ValueError` with the reason before any work. If a puzzle is not found in all of its attempts,
    `NotGenerated` is raised. This is a `ValueError` too, and its `made` holds the puzzles before the missing one. Each puzzle is solved and checked before it is handed on. Ctrl-C raises `KeyboardInterrupt`. Tables: `generate_table`.
    Files: `generate_file`.

    >>> import sudobench
    >>> made = sudobench.generate(3, seed=7, clues=(24, 28))
    >>> sudobench.solve(made.puzzle).status.tolist()
    ['unique', 'unique', 'unique']
    """
    try:
        return _generated(_make(_sudobench.generate, locals(), ("solution", "count", "weight")))
    except _sudobench.NotGenerated as stopped:
        stopped.made = _generated(stopped.made)
        raise


def _generated(made: dict[str, Any]) -> Generated:
    # A weight is above 0, and 0 stands for none.
    weight = made["weight"] if made["weight"].any() else None
    return Generated(made["puzzle"], made["solution"], made["count"], weight, _origin=Origin(are_texts=True))


def generate_table(
    count: int,
    columns: str | Sequence[str] = ("solution",),
    *,
    seed: int = 1,
    skip: int = 0,
    clues: int | tuple[int, int] | None = None,
    minimal: bool = False,
    symmetry: Symmetry = "none",
    difficulty: str | Sequence[Difficulty] = (),
    guesses: int | None = None,
    technique: str | Sequence[str] = (),
    hardest_technique: str | Sequence[str] = (),
    min_se: float | None = None,
    max_se: float | None = None,
    solutions: int | tuple[int, int] = 1,
    pattern: str | None = None,
    method: Method = "top-down",
    attempts: int | None = None,
    hardest: SingleSolver | None = None,
    steps: int = 200,
    max_nodes: int = 1_000_000,
    max_solutions: int = 2,
    threads: int | None = None,
    progress: bool | OnProgress = False,
) -> _sudobench.SolvedTable:
    """Makes that many puzzles, as a table with the column `puzzle` and those that are named in `columns`.

    The table is a `SolvedTable`, which pyarrow, polars, DuckDB and all others that read Arrow's streams take: `pyarrow.table(made)`,
    `polars.DataFrame(made)`, `pyarrow.table(made).to_pandas()`. It may be read any number of times.

    - `columns`: those to add, of solution, clues, status, count, weight, difficulty, depth, backdoor, se, se_pearl, se_diamond,
      hardest_technique, techniques, steps and, with `hardest`, nodes; or `"all"`, or `"none"`. Boards are texts of 81
      characters, in which `.` is a blank. A value that a puzzle does not have is null.

    The other options are those of `generate`, which makes the same puzzles.
    """
    return _make(_sudobench.generate_table, locals(), columns)


def _make(
    make: Callable[[str, int | None, OnProgress | None], Made],
    options: dict[str, Any],
    columns: str | Sequence[str],
) -> Made:
    """Calls a function of `_sudobench` with the options of `generate`, and returns its result."""
    threads, progress = options.pop("threads"), options.pop("progress")
    return shown(progress, lambda told: make(keywords_as_text({**options, "columns": columns}), threads, told))
