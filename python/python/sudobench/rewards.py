"""Rewards for reinforcement learning: functions for TRL and verl that score the grid in each completion.

`extract` finds the grid, and `score` scores it. A kind is a formula:

- `"exact"`: 1 if the grid is the solution (any solution, if the puzzle has several and none is given), otherwise 0.
- `"valid"`: 1 if the grid is complete, keeps the clues and obeys the rules, otherwise 0. A puzzle may have several solutions.
- `"valid_or_clues"`: 1 if the grid is valid, 0.1 if it is invalid but keeps all clues, otherwise 0.
- `"cell_accuracy"`: right cells / 81, clues included. A model that copies the puzzle already gets clues / 81.
- `"blank_accuracy"`: right blanks / blanks of the puzzle; 0 for a puzzle without blanks.
- `"reasoning_gym"`: the formula of reasoning-gym. It reads the lines of the last closed `<answer>`, or of the whole text if no
  `<answer>` is closed, and does not use `extract`. The reward is 1 if these lines are the solution: nine lines of digits with spaces between them.
  Otherwise, the lines with exactly nine digits are taken as the rows 1, 2, 3 and so on, and the reward is 0.9 x right cells / 81. If the
  text is longer than the solution, this reward is multiplied by the length of the solution / the length of the text.

A text without a grid gets 0, except that `"reasoning_gym"` counts single lines. A malformed puzzle raises
`ValueError`, and so does a solution that does not solve its puzzle.

>>> from sudobench import rewards
>>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
>>> reward = rewards.trl("cell_accuracy")
>>> reward(completions=[f"<answer>{puzzle}</answer>", "No."], puzzle=[puzzle, puzzle])
[0.37037037037037035, 0.0]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._puzzles import columns_of, read
from ._score import score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy.typing as npt

    from ._names import RewardKind

__all__ = ["trl", "verl"]

KINDS = ("exact", "valid", "valid_or_clues", "cell_accuracy", "blank_accuracy", "reasoning_gym")

WITHOUT_PUZZLE = ("exact", "cell_accuracy", "reasoning_gym")
"""The formulas that need no puzzle if there is a solution."""


def trl(kind: RewardKind, *, puzzle: str = "puzzle", solution: str | None = None) -> Callable[..., list[float]]:
    """Returns a reward function for TRL, such as for `GRPOTrainer(reward_funcs=...)`.

    The function takes `completions`, which are texts or lists of messages, and the columns of the data set as keywords. It returns a
    reward for each completion. The content of the last message counts.

    - `kind`: the formula; see the module.
    - `puzzle`, `solution`: the columns with the puzzles and with the solutions. Without `solution`, the puzzles are solved.
    """
    _check(kind)

    def reward(completions: Sequence[Any], **columns: Any) -> list[float]:
        for name in (puzzle, solution):
            if name is not None and name not in columns:
                raise ValueError(f"the data set has no column {name!r}: name the columns with puzzle= and solution=")
        texts = [_text(completion) for completion in completions]
        return _rewards(kind, texts, columns[puzzle], None if solution is None else columns[solution])

    reward.__name__ = f"sudoku_{kind}"
    return reward


def verl(kind: RewardKind, *, puzzle: str = "puzzle") -> Callable[..., float]:
    """Returns a reward function for verl's `custom_reward_function`.

    The function takes `data_source`, `solution_str` (the text of the model), `ground_truth` (the solution, or `None` to solve the
    puzzle) and `extra_info`. It returns the reward.

    - `kind`: the formula; see the module.
    - `puzzle`: the key of the puzzle in `extra_info`. `"exact"`, `"cell_accuracy"` and `"reasoning_gym"` need no puzzle if there is a
      solution.
    """
    _check(kind)

    def compute_score(
        data_source: str, solution_str: str, ground_truth: Any, extra_info: Mapping[str, Any] | None = None, **_: Any
    ) -> float:
        given = (extra_info or {}).get(puzzle)
        if given is None:
            if ground_truth is None or kind not in WITHOUT_PUZZLE:
                needed = "the puzzle or a ground_truth" if kind in WITHOUT_PUZZLE else "the puzzle"
                raise ValueError(f"extra_info has no {puzzle!r}, and {kind!r} needs {needed}")
            given = "." * 81
        solutions = None if ground_truth is None else [ground_truth]
        return _rewards(kind, [solution_str], [given], solutions)[0]

    return compute_score


def _check(kind: str) -> None:
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r}: choose from {', '.join(KINDS)}")


def _text(completion: Any) -> str:
    """Returns the text of a completion: a text, or the content of the last of several messages."""
    if isinstance(completion, str):
        return completion
    content = completion[-1]["content"] if completion else ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text") or "" for part in content or ())


def _rewards(kind: RewardKind, texts: list[str], puzzles: Any, solutions: Any) -> list[float]:
    import numpy as np

    scores = score(puzzles, texts, solutions, extract=True)
    if not scores.scored.all():
        row = int(scores.scored.argmin())
        raise ValueError(f"puzzle {row} (counted from 0): {scores.notes[row]}")
    if scores.wrong_solution.any():
        raise ValueError(f"solution {int(scores.wrong_solution.argmax())} (counted from 0) does not solve its puzzle")
    keeps_clues = ~scores.malformed & (scores.clues_kept == 81 - scores.blanks)
    values: npt.NDArray[Any]
    if kind == "exact":
        values = scores.exact
    elif kind == "valid":
        values = scores.valid
    elif kind == "valid_or_clues":
        values = np.where(scores.valid, 1.0, np.where(keeps_clues, 0.1, 0.0))
    elif kind == "cell_accuracy":
        values = scores.right_cells / 81
    elif kind == "blank_accuracy":
        values = scores.right_blanks / np.maximum(scores.blanks, 1)
    else:
        boards = _solutions(puzzles, solutions)
        boards = boards * len(texts) if len(boards) == 1 else boards
        return [_reasoning_gym(text, board) for text, board in zip(texts, boards, strict=True)]
    rewards: list[float] = values.astype(float).tolist()
    return rewards


def _solutions(puzzles: Any, solutions: Any) -> list[list[int]]:
    """Returns the cells of each solution."""
    if solutions is None:
        cells = columns_of(read(puzzles, "trl"), "solve", ["solution"], {})["solution"]
    else:
        cells = columns_of(read(solutions, "trl"), "dedupe", ["puzzle"], {})["puzzle"]
    boards: list[list[int]] = cells.tolist()
    return boards


def _reasoning_gym(text: str, solution: list[int]) -> float:
    rows = [solution[start : start + 9] for start in range(0, 81, 9)]
    oracle = "\n".join(" ".join(map(str, row)) for row in rows)
    end = text.rfind("</answer>")
    start = text.rfind("<answer>", 0, max(end, 0))
    answer = text[start + len("<answer>") : end].strip() if start >= 0 else text.strip()
    if [line.rstrip() for line in answer.splitlines()] == oracle.splitlines():
        return 1.0
    lines = ([int(digit) for digit in line if digit in "0123456789"] for line in answer.splitlines())
    found = zip((line for line in lines if len(line) == 9), rows)
    right = sum(one == other for line, row in found for one, other in zip(line, row))
    return 0.9 * right / 81 * min(1.0, len(oracle) / max(len(answer), 1))
