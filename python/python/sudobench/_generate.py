"""`generate`, in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _sudobench
from ._files import keywords_as_text
from ._progress import Progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt


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
    hardest: str | None = None,
    steps: int = 200,
    max_nodes: int = 1_000_000,
    max_solutions: int = 2,
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
    - `hardest`: climb, from each puzzle, to ones that take this solver more and more nodes. `steps` puzzles are tried one after the other,
      none takes more than `max_nodes`, and nodes are counted until so many solutions are found (`max_solutions`: 1 or 2).
    - `threads`, `progress`: as in `solve_file`.

    What is known to be impossible raises `ValueError` before any work, with the reason; so does, later, what is not found in all of its
    attempts. Each puzzle is solved and checked before it is handed on. Ctrl-C raises `KeyboardInterrupt`.

    >>> import sudobench
    >>> made = sudobench.generate(3, seed=7, clues=(24, 28))
    >>> sudobench.solve(made.puzzle).status.tolist()
    ['unique', 'unique', 'unique']
    """
    import numpy as np

    keywords = {
        "count": count,
        "seed": seed,
        "skip": skip,
        "clues": clues,
        "minimal": minimal,
        "symmetry": symmetry,
        "difficulty": difficulty,
        "solutions": solutions,
        "pattern": pattern,
        "method": method,
        "attempts": attempts,
        "hardest": hardest,
        "steps": steps,
        "max_nodes": max_nodes,
        "max_solutions": max_solutions,
    }
    with Progress(progress) as told:
        made = _sudobench.generate(keywords_as_text(keywords), threads, told)
    puzzle, solution, solutions_of_each, weight = made
    return Generated(
        np.asarray(puzzle),
        np.asarray(solution),
        np.asarray(solutions_of_each),
        None if weight is None else np.asarray(weight),
    )
