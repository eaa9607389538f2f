"""Runs a notebook and tests the output of its cells."""

import html.parser
import re
from typing import Any

import numpy as np
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
    """The boards of a page. Each cell is its digit and its kind: `plain`, `clue`, `filled` or `error`."""

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
    """Returns the outputs of each cell, by type."""
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    nbformat.validate(notebook)
    return [cell.outputs[-1].data for cell in notebook.cells]


def test_solutions_show_clues_and_filled_cells(outputs: list[dict[str, Any]]) -> None:
    page = Page(outputs[0]["text/html"])
    solved, of_wrong = page.boards[0], page.boards[1:]
    assert digits(solved) == sudobench.solve(PUZZLE).solution
    assert [kind for _, kind in solved] == ["filled" if cell == "." else "clue" for cell in PUZZLE]
    # The other two puzzles have no solution, so no boards are drawn for them.
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
