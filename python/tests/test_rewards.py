"""Tests `solvable`, and `rewards` with the calls that TRL and verl make. The expected values are computed by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sudobench
from sudobench import rewards

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = [" ".join(SOLUTION[at : at + 9]) for at in range(0, 81, 9)]
GRID = "\n".join(ROWS)
# The puzzle has 30 clues and 51 blanks. Cell 2 is a blank, and cell 0 is a clue.
ONE_BLANK_WRONG = SOLUTION[:2] + "9" + SOLUTION[3:]
ONE_CLUE_WRONG = "9" + SOLUTION[1:]
TEXTS = [f"<answer>{SOLUTION}</answer>", f"Done: {ONE_BLANK_WRONG}", ONE_CLUE_WRONG, PUZZLE, "I cannot solve it."]
VALUES: list[tuple[Any, list[float]]] = [
    ("exact", [1, 0, 0, 0, 0]),
    ("valid", [1, 0, 0, 0, 0]),
    ("valid_or_clues", [1, 0.1, 0, 0.1, 0]),
    ("cell_accuracy", [1, 80 / 81, 80 / 81, 30 / 81, 0]),
    ("blank_accuracy", [1, 50 / 51, 1, 0, 0]),
]


@pytest.mark.parametrize(("kind", "values"), VALUES)
def test_trl_gets_a_reward_for_each_completion(kind: Any, values: list[float]) -> None:
    columns = {"prompts": TEXTS, "completion_ids": [[1]] * 5, "puzzle": [PUZZLE] * 5, "board": [PUZZLE] * 5, "answer": [SOLUTION] * 5}
    messages = [[{"role": "assistant", "content": text}] for text in TEXTS]
    parts = [[{"role": "assistant", "content": [{"type": "text", "text": text}]}] for text in TEXTS]
    for completions in (TEXTS, messages, parts):
        for reward in (rewards.trl(kind), rewards.trl(kind, puzzle="board", solution="answer")):
            found = reward(completions=completions, **columns)
            assert found == pytest.approx(values) and all(type(value) is float for value in found)
    assert rewards.trl(kind).__name__ == f"sudoku_{kind}"


@pytest.mark.parametrize(("kind", "values"), VALUES)
def test_verl_gets_one_reward(kind: Any, values: list[float]) -> None:
    compute_score = rewards.verl(kind)
    for text, value in zip(TEXTS, values):
        for truth in (SOLUTION, None):
            found = compute_score(data_source="sudoku", solution_str=text, ground_truth=truth, extra_info={"puzzle": PUZZLE, "index": 3})
            assert found == pytest.approx(value)
    if kind in ("exact", "cell_accuracy"):
        assert [compute_score("sudoku", text, SOLUTION, None) for text in TEXTS] == pytest.approx(values)
    else:
        with pytest.raises(ValueError, match="extra_info has no 'puzzle'"):
            compute_score("sudoku", TEXTS[0], SOLUTION)


def test_reasoning_gym_reads_lines() -> None:
    reward = rewards.trl("reasoning_gym", solution="solution")
    wrong = GRID.replace("5 3 4", "5 3 9", 1)
    packed = SOLUTION[:9] + "\n" + SOLUTION[9:18]
    # The last `<answer>` with an `</answer>` counts, even if an `<answer>` without an end follows.
    closed = f"Hm.\n<answer>5 3 4</answer><answer>\n{GRID}\n</answer> Or <answer>"
    texts = [GRID, closed, wrong, packed, f"{GRID}\n{'x' * len(GRID)}", "5 3 4", SOLUTION]
    # The solution has 9 lines of 17 characters: 161 with the line ends. The longer text has 161 + 1 + 161.
    values = [1, 1, 0.9 * 80 / 81, 0.9 * 18 / 81, 0.9 * 161 / 323, 0, 0]
    for solutions in ([SOLUTION] * 7, None):
        columns = {"puzzle": [PUZZLE] * 7, **({} if solutions is None else {"solution": solutions})}
        function = reward if solutions else rewards.trl("reasoning_gym")
        assert function(completions=texts, **columns) == pytest.approx(values)
    assert rewards.verl("reasoning_gym")("sudoku", wrong, SOLUTION, {}) == pytest.approx(0.9 * 80 / 81)


def test_a_ground_truth_that_is_no_solution_is_an_error() -> None:
    for kind in ("exact", "cell_accuracy", "reasoning_gym"):
        for truth in ("garbage", "", ONE_BLANK_WRONG):
            with pytest.raises(ValueError, match="solution 0 .counted from 0. does not solve its puzzle"):
                rewards.verl(kind)("sudoku", SOLUTION, truth)
    assert rewards.trl("reasoning_gym")(completions=[GRID, "x"], puzzle=[PUZZLE]) == [1.0, 0.0]


def test_wrong_arguments_are_named() -> None:
    wrong: Any = "accuracy"
    for make in (rewards.trl, rewards.verl):
        with pytest.raises(ValueError, match="kind='accuracy': choose from exact, valid, "):
            make(wrong)
    with pytest.raises(ValueError, match="the data set has no column 'puzzle'"):
        rewards.trl("exact")(completions=TEXTS, prompts=TEXTS)
    with pytest.raises(ValueError, match=r"puzzle 1 \(counted from 0\): 1 characters"):
        rewards.trl("exact")(completions=TEXTS[:2], puzzle=[PUZZLE, "x"])
    assert rewards.trl("valid")(completions=[], puzzle=[]) == []
    full = rewards.trl("blank_accuracy")(completions=TEXTS[:1], puzzle=[SOLUTION])
    assert full == [0.0]


def test_solvable_boards_can_be_completed() -> None:
    boards = [PUZZLE, SOLUTION, ONE_BLANK_WRONG, PUZZLE[:2] + "1" + PUZZLE[3:], PUZZLE[:2] + "4" + PUZZLE[3:], "." * 81, "x"]
    values = [True, True, False, False, True, True, False]
    found = sudobench.solvable(boards)
    assert found.tolist() == values and found.dtype == bool
    assert [sudobench.solvable(board) for board in boards[:6]] == values[:6]
    with pytest.raises(ValueError, match="1 characters"):
        sudobench.solvable("x")
    # `score` with `solvable=True` gives the same results as `solvable`.
    arrays = np.array([list(map(int, board.replace(".", "0"))) for board in boards[:6]], dtype=np.uint8)
    scores = sudobench.score(PUZZLE, arrays, solvable=True)
    assert scores.solvable is not None and (sudobench.solvable(arrays)[:5] == scores.solvable[:5]).all()
    # A loop that fills one cell at a time with an exact candidate always leads to a solution.
    board = arrays[0].copy()
    for cell in np.flatnonzero(board == 0):
        allowed = sudobench.candidates(board, level="exact")[cell]
        board[cell] = allowed.argmax() + 1
        assert sudobench.solvable(board)
    assert "".join(map(str, board)) == SOLUTION
