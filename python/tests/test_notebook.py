"""Runs a notebook and tests the output of its cells."""

import html
import html.parser
import pickle
import re
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sudobench
from sudobench._display import board_html, errors
from test_solve import PUZZLE

CELLS = [
    """
import numpy as np, sudobench
puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
sudobench.solve([puzzle, "<script>alert(1)</script>", "11" + "." * 79])
""",
    "sudobench.generate(30)",
    "sudobench.canonical([puzzle, '11' + '.' * 79], canonical_solution=True)",
    "sudobench.rate([puzzle] * 30)",
]


class Page(html.parser.HTMLParser):
    """The boards of a page. Each cell is a pair of its digit and its kind: `plain`, `clue`, `filled` or `error`."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.boards: list[list[tuple[str, str]]] = []
        self.tags: set[str] = set()
        self.feed(page)
        assert self.open == [], "all tags are closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.open.append((tag, dict(attrs).get("style") or ""))
        if tag == "pre":
            self.boards.append([])

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        if any(tag == "pre" for tag, _ in self.open):
            tag, style = self.open[-1]
            kind = {"pre": "plain", "b": "clue", "span": "error" if "#d62728" in style else "filled"}[tag]
            self.boards[-1] += [(cell, kind) for cell in re.findall(r"[1-9.]", data)]


def digits(board: list[tuple[str, str]]) -> str:
    return "".join(cell for cell, _ in board)


@pytest.fixture(scope="module")
def outputs() -> list[dict[str, Any]]:
    """Returns, for each notebook cell, the data of its last output, by MIME type."""
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    nbformat.validate(notebook)
    return [cell.outputs[-1].data for cell in notebook.cells]


def test_solutions_show_clues_and_filled_cells(outputs: list[dict[str, Any]]) -> None:
    page = Page(outputs[0]["text/html"])
    solved, of_wrong = page.boards[0], page.boards[1:]
    assert digits(solved) == sudobench.solve(PUZZLE).solution
    assert [kind for _, kind in solved] == ["filled" if cell == "." else "clue" for cell in PUZZLE]
    # The notebook solves two further puzzles. They have no solution, so no boards are drawn for them.
    assert of_wrong == []
    assert "script" not in page.tags and "&lt;" in outputs[0]["text/html"]
    assert outputs[0]["text/plain"] == "<sudobench.Answers to 3 puzzles: 1 unique, 1 unsolvable, 1 malformed>"
    # The text of the drawn grid can be read as a grid again.
    text = re.sub("<[^>]*>", "", re.findall("<pre.*?</pre>", outputs[0]["text/html"], re.DOTALL)[0])
    assert sudobench.solve(text).solution == digits(solved)


def test_generated_puzzles_show_which_cells_are_given(outputs: list[dict[str, Any]]) -> None:
    page, made = Page(outputs[1]["text/html"]), sudobench.generate(30)
    assert len(page.boards) == 20, "the puzzles and the solutions of ten rows"
    for row, puzzle, solution in zip([*range(5), *range(25, 30)], page.boards[::2], page.boards[1::2]):
        assert (digits(puzzle), digits(solution)) == (made[row]["puzzle"], made[row]["solution"])
        assert [kind for _, kind in solution] == ["filled" if cell == "." else "clue" for cell in made[row]["puzzle"]]


def test_cells_that_break_the_rules_are_red(outputs: list[dict[str, Any]]) -> None:
    page = Page(outputs[2]["text/html"])
    good, of_good, broken = page.boards
    assert {kind for _, kind in good} == {"plain"} and {kind for _, kind in of_good} == {"plain"}
    assert [(cell, kind) for cell, kind in broken if cell != "."] == [("1", "error")] * 2


def test_results_without_boards_are_tables(outputs: list[dict[str, Any]]) -> None:
    assert Page(outputs[3]["text/html"]).boards == []
    assert outputs[3]["text/html"].count("<td>singles</td>") == 10


def test_errors_are_repeated_digits_and_changed_clues() -> None:
    solution = [int(cell) for cell in sudobench.solve(PUZZLE).solution or ""]
    clues = [int(cell) if cell != "." else 0 for cell in PUZZLE]
    assert errors(solution, clues) == errors(solution, None) == errors([0] * 81, None) == set()
    assert errors(clues, clues) == set()
    # If a board lacks a clue of the puzzle, the cell of this clue is an error.
    assert errors([0, *solution[1:]], clues) == {0}
    twice = [*solution[:2], solution[1], *solution[3:]]
    places = {at for at in range(81) if twice[at] == twice[2] and (at // 9 == 0 or at % 9 == 2 or (at // 27 == 0 and at % 9 < 3))}
    assert errors(twice, clues) == places and 2 in places and len(places) > 2
    page = Page(board_html(twice, clues))
    assert {at for at, (_, kind) in enumerate(page.boards[0]) if kind == "error"} == places


def test_slices_show_the_clues_that_are_known() -> None:
    answers = sudobench.solve([PUZZLE, "x", *["." * 81] * 20, PUZZLE, "." * 81])
    for part, row in ((answers, 0), (answers, 22), (answers[::-1], 1), (answers[answers.status == "unique"], 1), (answers[[22, 0]], 0)):
        kinds = {kind for _, kind in Page(part._html_row(row, part._columns())).boards[0]}
        assert kinds == {"clue", "filled"}
    # Boards without a known puzzle are drawn without marked clues.
    assert {kind for _, kind in Page(answers[6:9]._repr_html_()).boards[0]} == {"plain"}
    boards = np.zeros((12, 81), dtype=np.int64)
    boards[:, 0] = 3
    of_array = Page(sudobench.solve(boards)._repr_html_())
    assert [kind for _, kind in of_array.boards[9]] == ["clue", *["filled"] * 80]


def kinds_of(page: str) -> list[str]:
    return [kind for _, kind in Page(page).boards[0]]


def test_predictions_are_drawn_as_boards() -> None:
    right = sudobench.solve(PUZZLE).solution or ""
    blanks = [at for at in range(81) if PUZZLE[at] == "."]
    # The first blank has a wrong digit, the second is not filled, and the first clue is changed.
    changed = list(right)
    changed[blanks[0]] = "9" if right[blanks[0]] != "9" else "8"
    changed[blanks[1]] = "."
    changed[0] = "9" if right[0] != "9" else "8"
    predictions: list[Any] = [right, "".join(changed), "<script>alert(1)</script>", None]
    puzzles = [PUZZLE] * 4
    expected = ["clue" if cell != "." else "filled" for cell in PUZZLE]
    wrong = ["error" if at in (0, *blanks[:2]) else kind for at, kind in enumerate(expected)]
    for options in ({}, {"solutions": [right] * 4}, {"solutions": right}, {"solutions": [right[::-1]] * 4}, {"extract": True}):
        scores = sudobench.score(puzzles, predictions, **options)
        text = scores._repr_html_()
        page = Page(text)
        assert [digits(board) for board in page.boards] == [right, "".join(changed)], options
        assert [[kind for _, kind in board] for board in page.boards] == [expected, wrong]
        assert "script" not in page.tags and html.escape(repr(scores)) in text
        assert "<td>81</td>" in text and text.count("<th>prediction</th>") == 1
    # A slice shows the boards of its own rows, also if they come from the middle of the scores.
    many = sudobench.score(PUZZLE, [right] * 40 + ["".join(changed)] + [right] * 40)
    for part in (many[~many.exact], many[30:][~many.exact[30:]], many[[40, 0]], many[::-1][40:41]):
        assert kinds_of(part._repr_html_()) == wrong
    # Pickled scores contain the boards that a notebook would show.
    for part in (many, many[38:43]):
        again = pickle.loads(pickle.dumps(part))
        assert again._repr_html_() == part._repr_html_()
        assert again[1:]._html_row(0, again._html_columns()) == part[1:]._html_row(0, part._html_columns())
    assert len(pickle.dumps(sudobench.score(np.zeros((9000, 81), np.uint8), np.zeros((9000, 81), np.uint8)))) < 9000 * 81


def test_predictions_without_a_solution_have_conflicts_in_red() -> None:
    board = [1, 1, *[0] * 79]
    scores = sudobench.score(["." * 81, "x"], [board, board])
    page = Page(scores._repr_html_())
    assert [[kind for _, kind in drawn] for drawn in page.boards] == [["error", "error", *["plain"] * 79]] * 2


@pytest.mark.parametrize("kind", ["uint8", "int64", "tokens", "outputs", "lists", "iterator", "pandas", "polars", "arrow", "tuple", "texts"])
def test_predictions_of_every_kind_are_drawn(kind: str) -> None:
    made = sudobench.generate(30, seed=2)
    boards, puzzles, solutions, texts = made.solution.copy(), made.puzzle, made.solution, made.text("solution")
    boards[7] = boards[8]
    given: Any = {
        "uint8": boards, "int64": boards.astype(np.int64).reshape(-1, 9, 9), "tokens": boards + 1, "outputs": np.eye(10)[boards],
        "lists": boards.tolist(), "iterator": iter(boards.tolist()), "pandas": pd.Series(texts[:7] + texts[8:9] + texts[8:], index=range(30, 0, -1)),
        "polars": pl.Series(boards.tolist()), "arrow": pa.chunked_array([boards[:7].tolist(), boards[7:].tolist()]),
        "tuple": tuple(boards), "texts": np.array(texts[:7] + texts[8:9] + texts[8:]),
    }[kind]  # fmt: skip
    sides = (puzzles + 1, solutions + 1) if kind == "tokens" else (puzzles, solutions)
    scores = sudobench.score(sides[0], given, sides[1], tokens="hrm" if kind == "tokens" else "digits")
    assert np.flatnonzero(~scores.exact).tolist() == [7]
    page = Page(scores[5:15]._repr_html_())
    assert [digits(board) for board in page.boards] == ["".join(map(str, board)) for board in boards[5:15].tolist()]
    is_wrong = [[kind == "error" for _, kind in board] for board in page.boards]
    assert is_wrong == (boards != solutions)[5:15].tolist()


def test_what_cannot_be_read_again_is_not_drawn() -> None:
    right = sudobench.solve(PUZZLE).solution

    class WithoutSlices:
        def __init__(self, array: Any) -> None:
            self.array = array

        def __arrow_c_array__(self, requested_schema: object | None = None) -> Any:
            return self.array.__arrow_c_array__(requested_schema)

    scores = sudobench.score(WithoutSlices(pa.array([PUZZLE])), WithoutSlices(pa.array([right])))
    assert scores.exact.all() and Page(scores._repr_html_()).boards == []


def test_candidates_are_drawn_as_grids() -> None:
    found = sudobench.candidates([PUZZLE, "<q>"])
    page = found._repr_html_()
    grid = re.sub("<[^>]*>", "", re.findall("<pre.*?</pre>", page, re.DOTALL)[0]).splitlines()
    assert len(grid) == 11 and {len(line) for line in grid} == {len(grid[0])}
    cells = [cell for line in grid if "-+-" not in line for cell in line.replace("|", " ").split()]
    assert cells == str(found[0]["candidates"]).split() and page.count("<pre") == 1 and "<q>" not in page
    assert page.count("<b>") == sum(len(cell) == 1 for cell in cells)
    nothing = sudobench.candidates(["11" + "." * 79], level="exact")
    assert Page(nothing._repr_html_()).boards[0] == [] and "- - - | - - -" in nothing._repr_html_()


def test_one_answer_is_drawn() -> None:
    answer = sudobench.solve(PUZZLE)
    assert digits(Page(answer._repr_html_()).boards[0]) == answer.solution
    none = sudobench.solve("11" + "." * 79)._repr_html_()
    assert Page(none).boards == [] and "status=&#x27;unsolvable&#x27;" in none
