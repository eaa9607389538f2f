"""`generate`, in memory and into files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _sudobench
from ._files import Finished, fields_of, file_options, warn_not_compared
from ._progress import Progress
from ._puzzles import solving_options

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from ._types import RequestOptions


@dataclass(frozen=True, eq=False)
class Generated:
    """Puzzles that were made, in the order of their numbers."""

    puzzle: npt.NDArray[np.uint8]
    """Of shape (N, 81), 0 for a blank."""
    solution: npt.NDArray[np.uint8]
    """Of shape (N, 81): of several solutions the smallest, or zeros where there is none."""
    count: npt.NDArray[np.uint64]
    """How many solutions each has."""
    weight: npt.NDArray[np.float64] | None
    """What each counts for in a mean over all minimal puzzles, where the method says that: `controlled-bias` does."""

    def __len__(self) -> int:
        return len(self.puzzle)

    def __repr__(self) -> str:
        return f"<sudobench.Generated: {len(self):,} puzzles>"


def generate(
    count: int,
    *,
    seed: int = 1,
    skip: int = 0,
    clues: int | tuple[int, int] | None = None,
    minimal: bool = False,
    symmetry: str = "none",
    difficulty: str | Sequence[str] = (),
    solutions: int | tuple[int, int] = 1,
    pattern: str | None = None,
    method: str = "top-down",
    attempts: int = 100_000,
    threads: int | None = None,
    progress: bool = False,
) -> Generated:
    """Makes that many puzzles, on all cores.

    Puzzle number N of a seed, from 0, depends on the seed, on N and on what is asked for, and on nothing else; the command
    `sudobench generate` makes the same.

    - `seed`, `skip`: which: those of the seed, without the first `skip`.
    - `clues`: how many: a number, or the least and the most. Without it as many as are left when none can be taken out any more, so that
      puzzles are minimal (with a symmetry: none together with those that lie with it).
    - `minimal`: puzzles without a redundant clue.
    - `symmetry`: how the cells with clues lie.
    - `difficulty`: what it takes to solve them, by the words of `rate`: one or several, such as `["pairs", "depth1"]`.
    - `solutions`: how many: a number, or the least and the most; 0 for puzzles without any which do not give that away.
    - `pattern`: where clues stand: 81 characters, `x`, `#` or a digit for a clue, `. 0 _ -` for none; with `clues` or `minimal` in some of
      these cells.
    - `method`: how they are made: `top-down`, `bottom-up` or `controlled-bias`, whose puzzles have weights.
    - `attempts`: how often each is tried to be made.
    - `threads`, `progress`: as in `solve_file`.

    What is known to be impossible raises `ValueError` before any work, with the reason; so does, later, what is not found in all of its
    attempts. Each puzzle is solved and checked before it is handed on. Ctrl-C raises `KeyboardInterrupt`.

    >>> import sudobench
    >>> made = sudobench.generate(3, seed=7, clues=(24, 28))
    >>> sudobench.solve(made.puzzle).status.tolist()
    ['unique', 'unique', 'unique']
    """
    import numpy as np

    request = _request(count, skip, clues, minimal, symmetry, difficulty, solutions, pattern, method, attempts)
    with Progress(progress) as told:
        made = _sudobench.generate(request, solving_options(threads, False, seed=seed), told)
    puzzle, solution, solutions_of_each, weight = made
    return Generated(
        np.asarray(puzzle),
        np.asarray(solution),
        np.asarray(solutions_of_each),
        None if weight is None else np.asarray(weight),
    )


def _request(
    count: int,
    skip: int,
    clues: int | tuple[int, int] | None,
    minimal: bool,
    symmetry: str,
    difficulty: str | Sequence[str],
    solutions: int | tuple[int, int],
    pattern: str | None,
    method: str,
    attempts: int,
) -> RequestOptions:
    return {
        "count": count,
        "skip": skip,
        "clues": None if clues is None else _range(clues),
        "minimal": minimal,
        "symmetry": symmetry,
        "pattern": pattern,
        "difficulty": difficulty.split(",") if isinstance(difficulty, str) else list(difficulty),
        "solutions": _range(solutions),
        "method": method,
        "attempts": attempts,
    }


def _range(numbers: int | tuple[int, int]) -> tuple[int, int]:
    if isinstance(numbers, int):
        return numbers, numbers
    least, most = numbers
    return least, most


def generate_file(
    output: str | os.PathLike[str],
    count: int,
    *,
    seed: int = 1,
    skip: int = 0,
    clues: int | tuple[int, int] | None = None,
    minimal: bool = False,
    symmetry: str = "none",
    difficulty: str | Sequence[str] = (),
    solutions: int | tuple[int, int] = 1,
    pattern: str | None = None,
    method: str = "top-down",
    attempts: int = 100_000,
    columns: str | Sequence[str] | None = None,
    resume: bool = False,
    force: bool = False,
    progress: bool = False,
    output_format: str | None = None,
    threads: int | None = None,
) -> Finished | None:
    """Makes that many puzzles into a file, as the command `sudobench generate` does.

    - `columns`: those behind the column puzzle, `["solution"]` where nothing is said: see `sudobench generate --help`. A file of lines
      (`.txt`) and an array (`.npy`) hold the puzzles alone.

    What is asked for is as in `generate`, and files are as in `solve_file`: `resume=True` makes nothing again that is written.
    """
    files = file_options(
        columns=columns,
        only=None,
        input_format=None,
        output_format=output_format,
        puzzle_column=None,
        header=None,
        skip=0,
        limit=None,
        force=force,
        resume=resume,
    )
    request = _request(count, skip, clues, minimal, symmetry, difficulty, solutions, pattern, method, attempts)
    with Progress(progress) as told:
        finished = _sudobench.generate_file(output, request, solving_options(threads, False, seed=seed), files, told)
    if finished is None:
        warn_not_compared(output, 3)
        return None
    return Finished(**fields_of(finished))
