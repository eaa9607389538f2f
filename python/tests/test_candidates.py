"""Checks the results of `candidates`, `is_valid` and `is_solution` against their definitions."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import sudobench
from conftest import Known

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
LEVELS = ["clues", "singles", "locked", "exact"]


def test_levels_leave_fewer_and_fewer_digits(whole: list[Known]) -> None:
    texts = [row.puzzle for row in whole if row.status == "unique"]
    solutions = sudobench.solve(texts).solution.astype(np.intp)
    masks = [sudobench.candidates(texts, level=level).mask for level in LEVELS]
    for larger, smaller in zip(masks, masks[1:]):
        assert larger.shape == (len(texts), 81, 9) and not (smaller & ~larger).any() and (smaller < larger).any()
    # If a puzzle has one solution, its exact candidates are the digits of this solution.
    assert (masks[-1] == np.eye(9, dtype=bool)[solutions - 1]).all()


def test_exact_candidates_are_the_digits_of_all_solutions() -> None:
    puzzles = [PUZZLE[:63] + "." * 18, "." * 81, "11" + "." * 79, "none"]
    found = sudobench.candidates(puzzles, level="exact", threads=2)
    grids = sudobench.solutions(puzzles[0], 1000)
    assert 100 < len(grids) < 1000
    expected = (grids[:, :, None] == np.arange(1, 10)).any(axis=0)
    assert (found.mask[0] == expected).all() and (sudobench.candidates(puzzles[0], level="exact") == expected).all()
    assert found.mask[1].all() and not found.mask[2:].any()
    assert found.notes == {3: "4 characters where a puzzle has 81"}
    assert found[0]["candidates"].split()[0] == "".join(str(digit + 1) for digit in np.flatnonzero(expected[0]))
    assert pa.table(found)["candidates"].to_pylist() == [found[row]["candidates"] for row in range(4)]


def test_one_board_gives_one_mask() -> None:
    board = np.array([int(cell) for cell in PUZZLE.replace(".", "0")])
    for given in (PUZZLE, board, board.reshape(9, 9)):
        mask = sudobench.candidates(given)
        assert mask.shape == (81, 9) and (np.flatnonzero(mask[2]) + 1).tolist() == [1, 2, 4]
    with pytest.raises(ValueError, match="level: `all` is not a level of candidates; choose from clues, singles"):
        sudobench.candidates(PUZZLE, level="all")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="4 characters"):
        sudobench.candidates("none")


def test_valid_grids_have_each_digit_once() -> None:
    swapped = SOLUTION[1] + SOLUTION[0] + SOLUTION[2:]
    assert [sudobench.is_valid(grid) for grid in (SOLUTION, SOLUTION.encode(), swapped, PUZZLE, "none")] == [True, True, False, False, False]
    grids = [SOLUTION, swapped, None, "0" * 81, "1" * 81]
    assert sudobench.is_valid(grids).tolist() == sudobench.is_valid(pd.Series(grids)).tolist() == [True, False, False, False, False]
    boards = sudobench.solve([PUZZLE] * 3).solution
    boards[1, 80] = 0
    assert sudobench.is_valid(boards).tolist() == [True, False, True] and sudobench.is_valid(boards[0].reshape(9, 9)) is True
    assert sudobench.is_valid([]).tolist() == []


def test_solutions_keep_the_clues() -> None:
    other = SOLUTION.translate(str.maketrans("12", "21"))
    assert sudobench.is_solution(PUZZLE, SOLUTION) is True and sudobench.is_solution(PUZZLE, other) is False
    assert sudobench.is_solution([PUZZLE, "." * 81, "none"], [SOLUTION, other, SOLUTION]).tolist() == [True, True, False]
    # Several grids are checked against one puzzle, then one grid against several puzzles.
    assert sudobench.is_solution(PUZZLE, [other, SOLUTION]).tolist() == [False, True]
    assert sudobench.is_solution([PUZZLE, "." * 81, other], SOLUTION).tolist() == [True, True, False]
    answers = sudobench.solve([PUZZLE])
    assert sudobench.is_solution(np.zeros((1, 81), dtype=np.uint8), answers.solution).tolist() == [True]
    with pytest.raises(ValueError, match="2 grids for 3 puzzles"):
        sudobench.is_solution([PUZZLE] * 3, [SOLUTION] * 2)


def test_a_table_is_refused_without_a_function_that_does_not_exist() -> None:
    for table in (pd.DataFrame({"puzzle": [PUZZLE]}), pa.table({"puzzle": [PUZZLE]})):
        with pytest.raises(TypeError, match="this is a table: pass one of its columns$"):
            sudobench.candidates(table)
        with pytest.raises(TypeError, match="this is a table: pass one of its columns, or call check_table$"):
            sudobench.check(table)
