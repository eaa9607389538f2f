"""`explain`: the steps to the solutions of puzzles."""

from __future__ import annotations

import html
import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sudobench
from test_solve import PUZZLE

# A puzzle that the known techniques do not solve.
BEYOND = "57....9..........8.1.........168..4......28.9..2.9416.....2.....6.9.82.4...41.6.."

# A puzzle that needs a forcing chain.
CHAIN = ".4..2...76........9.2..84..2......7......7..3.69.......136........9..5....78.53.2"


def test_the_steps_of_one_puzzle_lead_to_its_solution() -> None:
    steps = sudobench.explain(PUZZLE)
    assert len(steps) == 51 and steps.complete.tolist() == [True]
    frame = steps.to_pandas()
    assert frame["chain"].isna().all() and frame["eliminations"].isna().all() and frame["placement"].notna().all()
    step = steps[0]
    assert (step.row, step.technique, step.board, step.units, step.digits, step.chain, step.eliminations) == (0, "Hidden Single", PUZZLE, "b2", "8", None, None)
    assert step.step == f"Hidden Single: 8 in b2 => {step.placement}" and step.placement == f"{step.cells}=8"
    filled = (steps.board > 0).sum(axis=1)
    assert (np.diff(filled) == 1).all() and filled[-1] == 80
    solution = sudobench.solve([PUZZLE]).solution[0]
    assert all(((board == solution) | (board == 0)).all() for board in steps.board)
    assert steps.technique.counts() == {"Hidden Single": 51}
    with pytest.raises(ValueError, match="5 characters"):
        sudobench.explain("53..7")


def test_many_puzzles_have_their_steps_in_order() -> None:
    puzzles = [CHAIN, "." * 81, "none", BEYOND, PUZZLE]
    steps = sudobench.explain(puzzles, threads=2)
    assert steps.complete.tolist() == [True, False, True, False, True]
    assert list(steps.notes) == [2]
    assert set(steps.row.tolist()) >= {0, 4} and not {1, 2} & set(steps.row.tolist())
    assert (np.diff(steps.row) >= 0).all()
    ratings = sudobench.rate(puzzles, columns=["se", "steps", "hardest_technique", "techniques"])
    for row in (0, 4):
        of_row = steps[steps.row == row]
        assert of_row.rating.max() == ratings.se[row] and len(of_row) == ratings.steps[row]
        assert ratings.hardest_technique[row] in of_row.technique.tolist()
        counts = ";".join(f"{name}:{count}" for name, count in of_row.technique.counts().items())
        assert counts == ratings.techniques[row]
    assert np.isnan(ratings.se[[1, 2, 3]]).all() and ratings.steps[[1, 2, 3]].tolist() == [-1, -1, -1]
    assert "beyond" in ratings.notes[3]
    assert sudobench.rate(BEYOND).se is None and "beyond" in (sudobench.rate(BEYOND).note or "")


def test_hints_go_from_digit_to_digit() -> None:
    whole = sudobench.explain(CHAIN)
    board, marks, taken = CHAIN, None, 0
    while "." in board:
        steps = sudobench.hint(board, marks, CHAIN)
        assert steps.complete.tolist() == [True]
        assert steps.step.tolist() == whole.step[taken : taken + len(steps)].tolist()
        taken += len(steps)
        marks = sudobench.candidates(board) if marks is None else marks
        for step in steps.step:
            for row, column, sign, digits in changes(step.split("=> ")[1]):
                kept = [int(digit) - 1 for digit in digits]
                if sign == "=":
                    board = board[: 9 * row + column] + digits + board[9 * row + column + 1 :]
                    continue
                marks[9 * row + column, kept] = False
    filled = sudobench.solve([CHAIN]).solution.reshape(9, 9)
    assert taken == len(whole)
    for steps in (sudobench.hint(board), sudobench.hint(filled, puzzle=CHAIN)):
        assert len(steps) == 0 and steps.complete.tolist() == [True]


def changes(text: str) -> list[tuple[int, int, str, str]]:
    """Returns row, column, sign and digits of each cell in the text after the arrow of a step."""
    found = []
    for part in re.findall(r"((?:r\d+c\d+,?)+)(=|<>)(\d+)", text):
        for rows, columns in re.findall(r"r(\d+)c(\d+)", part[0]):
            found += [(int(row) - 1, int(column) - 1, part[1], part[2]) for row in rows for column in columns]
    return found


def test_grids_that_lead_nowhere_have_no_hint() -> None:
    wrong = "532" + PUZZLE[3:]
    for words, board, options in [
        ("wrong: r1c3", wrong, {"puzzle": PUZZLE}),
        ("wrong: r1c1", "." + PUZZLE[1:], {"puzzle": PUZZLE}),
        ("the grid has no solution", wrong, {}),
        ("several solutions", "." * 81, {}),
        ("these cells lack the right digit as a candidate: r1c3", PUZZLE, {"candidates": sudobench.candidates(PUZZLE) & (np.arange(9) != 3)}),
        (r"shape \(9, 81\)", PUZZLE, {"candidates": np.ones((9, 81))}),
        ("5 characters", "53..7", {}),
    ]:
        with pytest.raises(ValueError, match=words):
            sudobench.hint(board, **options)
    with pytest.raises(TypeError, match="one grid"):
        sudobench.hint([PUZZLE, PUZZLE])


def test_frames_get_a_row_for_each_step() -> None:
    frame = pd.DataFrame({"puzzle": [CHAIN, "none", PUZZLE]}, index=["a", "b", "c"])
    texts = ["step", "units", "cells", "digits", "chain", "placement", "eliminations", "changes"]
    columns = ["number", "technique", "rating", *texts, "board", "complete"]
    made = sudobench.explain_table(frame, "puzzle", columns)
    steps = sudobench.explain([CHAIN, PUZZLE])
    assert list(made.columns) == ["puzzle", *columns] and len(made) == len(steps) + 1
    rest = made.drop(index="b")
    assert rest["board"].tolist() == steps.text("board") and steps.chain[1:].any()
    for name in texts:
        assert rest[name].isna().tolist() == (getattr(steps, name) == "").tolist()
        assert rest[name].fillna("").tolist() == getattr(steps, name).tolist()
    assert rest["rating"].tolist() == steps.rating.tolist()
    assert made.loc["b", columns].isna().all() and set(rest["complete"]) == {"yes"}
    table = pa.Table.from_pandas(frame, preserve_index=False)
    assert sudobench.explain_table(table, "puzzle").column_names == ["puzzle", "number", "technique", "rating", "step"]
    assert sudobench.explain_table(pl.from_arrow(table), "puzzle").height == len(made)
    # The columns have the same types even if no puzzle has a step, or if there are no rows.
    for rows in (table, table.slice(1, 1), table.slice(0, 0)):
        for kind in (lambda table: table, pl.from_arrow, lambda table: table.to_pandas()):
            whole, part = (sudobench.explain_table(kind(some), "puzzle", columns) for some in (table, rows))
            assert pa.table(part).select(columns).schema.equals(pa.table(whole).select(columns).schema), rows


def test_a_search_guesses_where_the_allowed_techniques_end() -> None:
    ended, searched = (sudobench.explain([BEYOND, CHAIN], max_se=2.3, search=search) for search in (False, True))
    assert ended.complete.tolist() == [False, False] and searched.complete.tolist() == [True, True]
    assert {"Guess", "Backtrack"} <= set(searched.technique.tolist()) and not {"Guess", "Backtrack"} & set(ended.technique.tolist())
    assert np.nanmax(searched.rating) <= 2.3 and np.isnan(searched.rating[searched.technique == "Guess"]).all()
    row = sudobench.explain_table(pl.DataFrame({"puzzle": [BEYOND]}), "puzzle", ["technique", "complete"], max_se=2.3, search=True)
    assert "Backtrack" in row["technique"].to_list() and set(row["complete"]) == {"yes"}
    rated = sudobench.explain_table(pl.DataFrame({"puzzle": [BEYOND]}), "puzzle", max_se=2.3, search=True)
    for frame in (rated, searched.to_polars()):
        is_searched = frame["technique"].cast(pl.String).is_in(["Guess", "Backtrack"])
        assert is_searched.any() and frame["rating"].is_null().to_list() == is_searched.to_list()
    with pytest.raises(ValueError, match="max_se"):
        sudobench.explain(PUZZLE, max_se="high")


def test_each_step_can_be_drawn() -> None:
    searched = sudobench.explain([BEYOND, CHAIN], max_se=2.3, search=True)
    whole = sudobench.explain(CHAIN)
    for steps in (whole, whole[10:], searched[::25], searched[searched.technique == "Backtrack"][:3], sudobench.hint(CHAIN)):
        for step in steps:
            svg = step.to_svg()
            assert svg.startswith("<svg xmlns=") and f"<title>{html.escape(step.step, quote=False)}</title>" in svg
            assert step._repr_svg_() == svg
    drawing = whole[0].to_svg()
    assert drawing.count('class="clue"') == 9 and pickle.loads(pickle.dumps(whole))[0].to_svg() == drawing
    made = sudobench.Step(0, "Hidden Single", 1.2, *[""] * 8, PUZZLE)
    assert made._repr_svg_() is None
    with pytest.raises(ValueError, match="cannot be drawn"):
        made.to_svg()
