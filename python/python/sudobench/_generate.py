"""The functions `generate` and `generate_table`."""

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
    """Generated puzzles, in the order of their numbers."""

    puzzle: npt.NDArray[np.uint8]
    """Of shape (N, 81), 0 for a blank."""
    solution: npt.NDArray[np.uint8]
    """Of shape (N, 81): the smallest solution; zeros if there is none."""
    count: npt.NDArray[np.uint64]
    """Number of solutions of each puzzle; with `hardest`, counted up to `max_solutions`."""
    weight: npt.NDArray[np.float64] | None
    """Weight of each puzzle. A mean with these weights estimates the mean over all minimal puzzles that exist. `None` for methods other
    than `controlled-bias`."""

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
    """Generates `count` puzzles, by default on all cores.

    Puzzle number N of a seed, from 0, depends only on the seed, on N and on the options. The command `sudobench
    generate` makes the same puzzles.

    - `seed`, `skip`: the seed, and how many puzzles to skip at the start.
    - `clues`: number of clues, or the smallest and the largest number. If neither `clues` nor `pattern` is
      given, puzzles with one solution are minimal; with a symmetry, no group of symmetric clues can be removed.
    - `minimal`: puzzles without a redundant clue.
    - `symmetry`: symmetry of the cells with clues: `none`, `rotational`, `rotational90`, `horizontal`, `vertical`,
      `diagonal`, `antidiagonal` or `full`.
    - `difficulty`: allowed difficulties, one or several of `singles`, `locked`, `pairs`, `depth1`, `depth2` and
      `depth3`, such as `["pairs", "depth1"]`.
    - `guesses`: minimum number of guesses, as the column `guesses` of `rate` counts them by default.
    - `technique`, `hardest_technique`: techniques that must all occur in the steps of `explain`, and allowed
      techniques of the hardest step, such as `"swordfish"` or `["x-wing", "naked pair"]`.
    - `min_se`, `max_se`: lowest and highest allowed rating by Sudoku Explainer: the column `se` of `rate`.
    - `solutions`: number of solutions, or the smallest and the largest number. 0 makes puzzles without a solution
      that have no obvious contradiction.
    - `pattern`: cells that have clues: 81 characters, `x`, `#` or a digit from 1 to 9 for a clue, `. 0 _ -` for a blank.
      All these cells have clues, unless you pass `clues` or `minimal`.
    - `method`: method of generation: `top-down`, `bottom-up`, `controlled-bias` (with weights), `climb` (for rare
      puzzles), or `tridagon` (for puzzles of `depth2`, or rated 8.5 or more).
    - `attempts`: number of attempts for each puzzle; by default 100,000, with `pattern` 100.
    - `hardest`: search for puzzles for which this solver needs many nodes: `bitboard`, `mrv`, `blank-scan`, `bool-table`,
      `cell-scan`, `candidate-list`, `bitmask` or `dlx`. The search tries `steps` puzzles, one after the other. Puzzles
      that need more than `max_nodes` nodes are not used. Nodes are counted until `max_solutions` (1 or 2) solutions are
      found.
    - `threads`, `progress`: as in `solve_file`.

    A request that is known to be impossible raises `ValueError` with the reason. If none of the attempts for a puzzle
    succeeds, `NotGenerated` is raised. This is a `ValueError` too, and its `made` holds the puzzles before the missing
    one. Each puzzle is solved and checked before it is returned. Ctrl-C raises `KeyboardInterrupt`. Tables:
    `generate_table`. Files: `generate_file`.

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
    # Weights are above 0. A 0 means that the puzzle has no weight.
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
    """Makes `count` puzzles, as a table with the column `puzzle` and the `columns`.

    The table is a `SolvedTable`, which pyarrow, polars, DuckDB and everything that reads Arrow streams accept:
    `pyarrow.table(made)`, `polars.DataFrame(made)`, `pyarrow.table(made).to_pandas()`. It can be read several times.

    - `columns`: the columns to add: solution, clues, status, count, weight, difficulty, depth, backdoor, se,
      se_pearl, se_diamond, hardest_technique, techniques, steps and, with `hardest`, nodes; or `"all"`, or `"none"`.
      Boards are texts of 81 characters, in which `.` is a blank. A value that a puzzle does not have is null.

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
