"""Tests the results of `solve` for many kinds of input."""

import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sudobench
from conftest import Known

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def cells(rows: list[Known]) -> np.ndarray:
    """The puzzles as an array of shape (N, 81)."""
    texts = ["".join(c if c in "123456789" else "0" for c in row.puzzle) for row in rows]
    return np.array([[int(c) for c in text] for text in texts], dtype=np.uint8)


def texts(rows: list[Known]) -> list[str]:
    return [row.puzzle for row in rows]


def check(answers: sudobench.Answers, rows: list[Known]) -> None:
    assert len(answers) == len(rows)
    assert answers.solution.shape == (len(rows), 81)
    assert answers.solution.dtype == np.uint8
    assert answers.status.tolist() == [row.status for row in rows]
    assert [answer.solution or "" for answer in answers] == [row.solution for row in rows]
    for answer in answers:
        assert (answer.note is not None) == (answer.status == "malformed")


ARRAYS = {
    "uint8": cells,
    "boards": lambda rows: cells(rows).reshape(-1, 9, 9),
    "int64": lambda rows: cells(rows).astype(np.int64),
    "big-endian": lambda rows: cells(rows).astype(">u2"),
    "Fortran order": lambda rows: np.asfortranarray(cells(rows)),
    "every second": lambda rows: np.repeat(cells(rows), 2, axis=0)[::2],
    "lists of numbers": lambda rows: cells(rows).tolist(),
    "list of arrays": lambda rows: list(cells(rows)),
    "list of boards": lambda rows: cells(rows).reshape(-1, 9, 9).tolist(),
    "Arrow fixed lists": lambda rows: pa.FixedSizeListArray.from_arrays(pa.array(cells(rows).reshape(-1)), 81),
    "Arrow lists of int64": lambda rows: pa.array(cells(rows).tolist()),
    "polars array": lambda rows: pl.Series(cells(rows)),
}

TEXTS = {
    "list": texts,
    "tuple": lambda rows: tuple(texts(rows)),
    "iterator": lambda rows: iter(texts(rows)),
    "bytes": lambda rows: [row.puzzle.encode() for row in rows],
    "numpy U": lambda rows: np.array(texts(rows)),
    "numpy U, big-endian": lambda rows: np.array(texts(rows)).astype(">U100"),
    "numpy S": lambda rows: np.array([row.puzzle.encode() for row in rows]),
    "numpy object": lambda rows: np.array(texts(rows), dtype=object),
    "Arrow string": lambda rows: pa.array(texts(rows)),
    "Arrow large_string": lambda rows: pa.array(texts(rows), pa.large_string()),
    "Arrow string_view": lambda rows: pa.array(texts(rows), pa.string_view()),
    "Arrow binary": lambda rows: pa.array([row.puzzle.encode() for row in rows]),
    "Arrow dictionary": lambda rows: pa.array(texts(rows)).dictionary_encode(),
    "Arrow slice": lambda rows: pa.array(["x", *texts(rows), "y"])[1:-1],
    "Arrow chunks": lambda rows: pa.chunked_array([texts(rows)[:7], [], texts(rows)[7:]]),
    "polars": lambda rows: pl.Series(texts(rows)),
    "polars chunks": lambda rows: pl.concat([pl.Series(texts(rows[:7])), pl.Series(texts(rows[7:]))], rechunk=False),
    "polars categorical": lambda rows: pl.Series(texts(rows)).cast(pl.Categorical),
    "pandas": lambda rows: pd.Series(texts(rows)),
    "pandas object": lambda rows: pd.Series(texts(rows), dtype=object),
    "pandas string": lambda rows: pd.Series(texts(rows), dtype="string"),
    "pandas category": lambda rows: pd.Series(texts(rows)).astype("category"),
    "pandas index": lambda rows: pd.Series(texts(rows), index=range(5, 5 + len(rows))),
}

NULLS = {
    "list": [PUZZLE, None],
    "NaN": [PUZZLE, float("nan")],
    "Arrow": pa.array([PUZZLE, None]),
    "polars": pl.Series([PUZZLE, None]),
    "pandas": pd.Series([PUZZLE, None]),
    "pandas object": pd.Series([PUZZLE, pd.NA], dtype=object),
    "numpy": np.array([PUZZLE, None]),
}


@pytest.mark.parametrize("kind", ARRAYS)
def test_numbers_of_every_kind(kind: str, whole: list[Known]) -> None:
    check(sudobench.solve(ARRAYS[kind](whole)), whole)


@pytest.mark.parametrize("kind", TEXTS)
def test_texts_of_every_kind(kind: str, known: list[Known]) -> None:
    rows = known
    if kind.startswith("numpy") and "object" not in kind:
        # NumPy strings lose NUL bytes at their end.
        rows = [row for row in known if not row.puzzle.endswith("\0")]
    check(sudobench.solve(TEXTS[kind](rows)), rows)


@pytest.mark.parametrize("kind", NULLS)
def test_null_is_malformed(kind: str) -> None:
    answers = sudobench.solve(NULLS[kind])
    assert answers.status.tolist() == ["unique", "malformed"]
    assert answers.notes == {1: "the puzzle is null"}
    assert answers[1] == sudobench.Answer("malformed", None, 0, 0, 0, "the puzzle is null")


@pytest.mark.parametrize("nothing", [[], np.empty((0, 81), np.uint8), np.array([], dtype="U81"), pa.array([], pa.string())])
def test_nothing_is_answered_by_nothing(nothing: object) -> None:
    answers = sudobench.solve(nothing)
    assert len(answers) == 0
    assert answers.solution.shape == (0, 81)
    assert list(answers) == []
    assert pa.table(answers).num_rows == 0
    assert len(answers.to_pandas()) == 0


def test_one_puzzle() -> None:
    answer = sudobench.solve(PUZZLE)
    assert answer == sudobench.Answer("unique", SOLUTION, 1, 0, 0)
    assert sudobench.solve(PUZZLE.encode()) == answer
    many = sudobench.solve("." * 81, max_solutions=5000)
    assert (many.status, many.count) == ("multiple", 5000)
    assert sudobench.solve("11" + "." * 79).solution is None
    first = sudobench.solve("." * 81, max_solutions=1)
    assert first.status == "solved"
    assert sudobench.solve("." * 81, max_solutions=2, answer="smallest").solution.startswith("123456789")
    assert sudobench.solve("." * 81, max_nodes=5).status == "aborted"
    assert sudobench.solve("." * 81, max_solutions=10**15, max_time_per_puzzle=0.01).status == "aborted"


class ArrayLike:
    """An object that only `numpy.asarray` converts to an array."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        return self.array


BOARD = cells([Known(PUZZLE, "", "")])[0]

BOARDS = {
    "81": BOARD,
    "9x9": BOARD.reshape(9, 9),
    "int64": BOARD.astype(np.int64),
    "big-endian": BOARD.astype(">i2").reshape(9, 9),
    "Fortran order": np.asfortranarray(BOARD.reshape(9, 9)),
    "every second": np.repeat(BOARD, 2)[::2],
    "array-like": ArrayLike(BOARD.reshape(9, 9)),
}

OF_ONE = {
    "solve": sudobench.solve,
    "solve, zeros restored": lambda puzzle: sudobench.solve(puzzle, restore_zeros=True),
    "canonical": sudobench.canonical,
    "check": sudobench.check,
    "rate": sudobench.rate,
    "minimals": lambda puzzle: sudobench.minimals(puzzle, limit_per_puzzle=3).tolist(),
    "vicinity": lambda puzzle: sudobench.vicinity(puzzle, "-1+1", limit_per_puzzle=3).tolist(),
}


@pytest.mark.parametrize("function", OF_ONE)
def test_one_board_is_one_puzzle(function: str) -> None:
    expected = OF_ONE[function](PUZZLE)
    for kind, board in BOARDS.items():
        assert OF_ONE[function](board) == expected, kind
    for cell, value in [(0, 10), (80, 255), (40, 300), (40, -1)]:
        wrong = BOARD.astype(np.int64)
        wrong[cell] = value
        with pytest.raises(ValueError, match=f"^r{cell // 9 + 1}c{cell % 9 + 1} holds {value}, which is neither a digit nor 0 for a blank$"):
            OF_ONE[function](wrong)


LINES = [PUZZLE[at : at + 9] for at in range(0, 81, 9)]
CELLS = BOARD.tolist()

ONE = {
    "line end": PUZZLE + "\r\n",
    "bytes": PUZZLE.encode(),
    "bytearray": bytearray(PUZZLE.encode()),
    "nine lines": "\n".join(LINES),
    "spaced": "\n".join(" ".join(line) for line in LINES),
    "drawn, with words around": "Puzzle:\n" + "\n".join(" | ".join([line[:3], line[3:6], line[6:]]) for line in LINES),
    "list of 81": CELLS,
    "tuple of 81": tuple(CELLS),
    "nine lists": BOARD.reshape(9, 9).tolist(),
    "NumPy's numbers": list(BOARD),
}

FUNCTIONS = {
    "solve": sudobench.solve,
    "check": sudobench.check,
    "rate": sudobench.rate,
    "canonical": sudobench.canonical,
    "minimals": lambda puzzles: sudobench.minimals(puzzles, limit_per_puzzle=1),
    "dedupe": sudobench.dedupe,
    "overlap": lambda puzzles: sudobench.overlap([PUZZLE], puzzles),
}


@pytest.mark.parametrize("kind", ONE)
def test_one_puzzle_is_read_in_every_way(kind: str) -> None:
    for function in OF_ONE.values():
        assert function(ONE[kind]) == function(PUZZLE)
    # A puzzle of this kind can also be a row in a list of puzzles.
    for name, function in FUNCTIONS.items():
        assert function([PUZZLE, ONE[kind]]).notes == {}, name


BAD_ROWS = {
    "null in a list of lists": ([CELLS, None], "the puzzle is null"),
    "a null cell": ([CELLS, [None, *CELLS[1:]]], "a cell of the puzzle is null"),
    "too few cells": ([CELLS, CELLS[:80]], "80 cells where a puzzle has 81"),
    "too few lines": ([BOARD.reshape(9, 9).tolist(), BOARD.reshape(9, 9).tolist()[:8]], "a grid of 8 rows instead of 9"),
    "a short line": ([CELLS, [*BOARD.reshape(9, 9).tolist()[:8], [1]]], "row 9 of the grid has 1 cell instead of 9"),
    "another type": ([PUZZLE, 3], "the puzzle is neither a text nor 81 cells"),
    "a fraction": ([CELLS, [0.5, *CELLS[1:]]], "the puzzle is neither a text nor 81 cells"),
    "objects": (np.array([PUZZLE, None], dtype=object), "the puzzle is null"),
    "rows of objects": (np.array([CELLS, [None] * 81], dtype=object), "a cell of the puzzle is null"),
    "a huge number": ([CELLS, [10**30, *CELLS[1:]]], "the puzzle is neither a text nor 81 cells"),
    "nine texts": ([PUZZLE, "\n".join(LINES[:8])], "a grid of 8 rows instead of 9"),
}


@pytest.mark.parametrize("kind", BAD_ROWS)
def test_a_bad_row_is_a_malformed_row(kind: str) -> None:
    puzzles, note = BAD_ROWS[kind]
    for name, function in FUNCTIONS.items():
        assert function(puzzles).notes == {1: note}, name
    with pytest.raises(ValueError, match=f"puzzle 1 .counted from 0.: {note}"):
        sudobench.transform(puzzles, random=1)


def test_nulls_alone_are_malformed_rows() -> None:
    for puzzles in ([None, None], np.array([None, None]), pa.nulls(2), pd.Series([None, None], dtype=object)):
        assert sudobench.solve(puzzles).notes == {0: "the puzzle is null", 1: "the puzzle is null"}


def test_wrong_options_are_named_with_their_value() -> None:
    boards = np.zeros((2, 81), np.uint8)
    for function, option, value, error in [
        (sudobench.rate, "seed", -1, ValueError),
        (sudobench.rate, "seed", "a", TypeError),
        (sudobench.rate, "isomorphs", 2.5, TypeError),
        (sudobench.solve, "max_solutions", 2**64, ValueError),
        (sudobench.solve, "max_nodes", "many", TypeError),
        (sudobench.solve, "max_time_per_puzzle", "long", TypeError),
        (sudobench.solve, "solver", 5, TypeError),
        (sudobench.solve, "restore_zeros", "yes", TypeError),
        (sudobench.canonical, "threads", 1.5, TypeError),
        (sudobench.minimals, "threads", "all", TypeError),
        (sudobench.minimals, "seed", "a", ValueError),
        (sudobench.minimals, "seed", np.array([1, 2]), TypeError),
    ]:
        with pytest.raises(error) as raised:
            function(boards, **{option: value})
        assert str(raised.value).startswith(option), str(raised.value)
        assert repr(value) in str(raised.value).replace('"', "'"), str(raised.value)
    for option, value in [("seed", -1), ("seed", "a"), ("seed", 2.5), ("seed", [1, -1]), ("random", "x"), ("threads", 0)]:
        with pytest.raises((TypeError, ValueError), match=f"^{option}="):
            sudobench.transform(boards, **{"random": 1, option: value})
    with pytest.raises(TypeError, match="^apply=5: give"):
        sudobench.transform(boards, apply=5)
    with pytest.raises(TypeError, match="^column=2.5: give a name, or a number from 1"):
        sudobench.solve_table(pa.table({"puzzle": [PUZZLE]}), 2.5)


@pytest.mark.parametrize("name", ["bitboard", "mrv", "dlx", "bitmask", "auto", "bitslice"])
def test_every_solver_agrees(name: str, whole: list[Known]) -> None:
    rows = whole[:20]
    check(sudobench.solve(texts(rows), solver=name), rows)
    assert [sudobench.solve(row.puzzle, solver=name).solution for row in rows] == [row.solution for row in rows]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("53..7", "5 characters where a puzzle has 81"),
        ("", "0 characters where a puzzle has 81"),
        (PUZZLE[:-1] + "?", "byte '?' at position 81 is neither a digit nor a blank"),
    ],
)
def test_one_malformed_puzzle_raises(text: str, words: str) -> None:
    with pytest.raises(ValueError) as raised:
        sudobench.solve(text)
    assert str(raised.value) == words


def test_numbers_out_of_range_are_malformed_and_never_wrap() -> None:
    boards = np.array([[int(c) for c in SOLUTION]] * 4, dtype=np.int64)
    boards[0, 0], boards[1, 80], boards[2, 3] = 256, -1, 10
    for puzzles in (boards, boards.astype(np.int32), boards.astype(">i8"), boards[:, ::-1][:, ::-1], boards.tolist()):
        answers = sudobench.solve(puzzles)
        assert answers.status.tolist() == ["malformed", "malformed", "malformed", "unique"]
        for row, words in [(0, "r1c1 holds 256"), (1, "r9c9 holds -1"), (2, "r1c4 holds 10")]:
            assert answers.notes[row] == f"{words}, which is neither a digit nor 0 for a blank"


@pytest.mark.parametrize(
    ("puzzles", "error", "words"),
    [
        (np.zeros((3, 80), int), ValueError, "(N, 81) or (N, 9, 9)"),
        (np.zeros((3, 81)), TypeError, "an array of float64"),
        (np.zeros(81), TypeError, "an array of float64"),
        (np.array([["a"]]), ValueError, "texts are of shape (N,)"),
        (pd.Series([53007]), TypeError, "dtype=str"),
        (pd.DataFrame({"a": [PUZZLE]}), TypeError, "solve_table"),
        (pa.array([53007]), TypeError, "Int64 cannot contain puzzles"),
        (pa.table({"a": [PUZZLE]}), TypeError, "solve_table"),
        (pl.Series([1.5]), TypeError, "Float64 cannot contain puzzles"),
        (pl.Series([1], dtype=pl.Int128), TypeError, "Int64 cannot contain puzzles"),
        (pl.Series([{"a": None}]), TypeError, "this is a table"),
        ([53007], TypeError, "item 0 (counted from 0) is of type int"),
        (5, TypeError, "a value of type int cannot contain puzzles"),
        (pl.LazyFrame({"a": [PUZZLE]}), TypeError, "collect() it first"),
        (np.zeros((2, 81), bool), TypeError, "an array of bool"),
    ],
)
def test_what_holds_no_puzzles_is_told_with_the_remedy(puzzles: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as raised:
        sudobench.solve(puzzles)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("max_solutions", 0, "give 1 or more"),
        ("answer", "any", "choose 'smallest' or 'first'"),
        ("max_nodes", 0, "give 1 or more"),
        ("max_time_per_puzzle", -1.0, "give seconds above 0"),
        ("max_time_per_puzzle", float("nan"), "give seconds above 0"),
        ("solver", "magic", "bitslice"),
        ("threads", 0, "1 to 1024"),
        ("threads", 1025, "1 to 1024"),
    ],
)
@pytest.mark.parametrize("puzzles", [PUZZLE, [PUZZLE]])
def test_options_are_validated(puzzles: object, option: str, value: object, words: str) -> None:
    with pytest.raises(ValueError) as raised:
        sudobench.solve(puzzles, **{option: value})
    assert words in str(raised.value)
    assert option in str(raised.value)


def test_statuses_are_numbers_that_behave_like_words(known: list[Known]) -> None:
    answers = sudobench.solve(texts(known))
    status, words = answers.status, np.array([row.status for row in known])
    assert status.codes.nbytes == len(known) and status.codes is answers.status.codes
    assert list(status) == status.tolist() == words.tolist()
    assert ((status == "unique") == (words == "unique")).all() and ((status != "unique") == (words != "unique")).all()
    assert not (status == "never").any() and (status == words).all()
    assert status[0] == words[0] and status[words == "multiple"].counts() == {"multiple": (words == "multiple").sum()}
    assert (np.unique(status) == np.unique(words)).all() and np.asarray(status).dtype.kind == "U"
    assert pd.Series(status).tolist() == pl.Series(status).to_list() == pa.array(status).to_pylist() == words.tolist()
    assert pd.Categorical.from_codes(status.codes, status.categories).tolist() == words.tolist()
    assert np.asarray(sudobench.solve([]).status).tolist() == []
    # arrow-rs doesn't know this type of polars.
    requested = pl.Schema({"a": pl.Int128}).__arrow_c_schema__()
    for export in (status.__arrow_c_array__, answers.__arrow_c_stream__):
        with pytest.raises(ValueError, match="_pli128.* not supported"):
            export(requested)


def test_answers_are_indexed_and_sliced(known: list[Known]) -> None:
    answers = sudobench.solve(texts(known))
    assert answers[-1] == list(answers)[-1]
    assert answers[np.int64(2)] == answers[2]
    check(answers[10:70:3], known[10:70:3])
    check(answers[::-1], known[::-1])
    check(answers[[3, 80, 3]], [known[3], known[80], known[3]])
    unique = answers.status == "unique"
    check(answers[unique], [row for row in known if row.status == "unique"])
    assert answers.statuses == {name: [row.status for row in known].count(name) for name in answers.statuses}
    assert sum(answers.statuses.values()) == len(known)
    with pytest.raises(IndexError):
        answers[len(known)]
    assert "malformed" in repr(answers)


def test_answers_are_columns_of_pandas_arrow_and_polars(known: list[Known]) -> None:
    answers = sudobench.solve(texts(known))
    frame = answers.to_pandas()
    assert list(frame) == ["solution", "status", "count", "nodes", "guesses", "note"]
    assert frame["solution"].fillna("").tolist() == [row.solution for row in known]
    assert frame["status"].tolist() == [row.status for row in known]
    assert frame["note"].isna().tolist() == [row.status != "malformed" for row in known]
    table = pa.table(answers)
    table.validate(full=True)
    assert table.column_names == list(frame)
    assert table["status"].to_pylist() == [row.status for row in known]
    digits = ["" if row is None else "".join(map(str, row)) for row in table["solution"].to_pylist()]
    assert digits == [row.solution for row in known]
    assert table["count"].null_count == table["status"].to_pylist().count("malformed")
    assert pl.DataFrame(answers)["note"].to_list() == table["note"].to_pylist()
    # A part of the answers can be converted in the same way.
    part = pa.table(answers[::-3])
    assert part["note"].to_pylist() == table["note"].to_pylist()[::-3]
    assert len(answers[::-3].to_pandas()) == len(part)


INDEXES = {
    "shuffled": lambda rows: pd.RangeIndex(rows)[::-1][np.random.default_rng(1).permutation(rows)],
    "every second": lambda rows: pd.RangeIndex(0, 2 * rows, 2),
    "texts": lambda rows: pd.Index([f"row {row}" for row in range(rows)], name="name"),
    "several levels": lambda rows: pd.MultiIndex.from_arrays([np.arange(rows) % 3, np.arange(rows)[::-1]], names=["a", None]),
    "duplicates": lambda rows: pd.Index(np.arange(rows) % 5, name="group"),
    "dates": lambda rows: pd.date_range("2026-01-01", periods=rows),
}


@pytest.mark.parametrize("kind", INDEXES)
def test_frames_of_answers_have_the_index_of_the_series(kind: str, known: list[Known]) -> None:
    frame = pd.DataFrame({"puzzle": texts(known), "wanted": [row.solution or None for row in known]})
    frame.index = INDEXES[kind](len(known))
    for dtype in (object, "string", "category"):
        answers = sudobench.solve(frame["puzzle"].astype(dtype))
        pd.testing.assert_index_equal(answers.to_pandas().index, frame.index)
    columns = answers.to_pandas()
    assert columns["solution"].fillna("").tolist() == [row.solution for row in known]
    columns.index.names = [None] * columns.index.nlevels
    pd.testing.assert_index_equal(answers.to_pandas().index, frame.index)
    unique = answers.status == "unique"
    for key in (unique, unique.tolist(), np.flatnonzero(unique), [5, 3, 5], [], slice(3, 60, 7), slice(None, None, -1)):
        rows = np.arange(len(known))[key] if len(np.atleast_1d(key)) else []
        part = answers[key].to_pandas()
        pd.testing.assert_index_equal(part.index, frame.index.take(rows))
        assert part["solution"].fillna("").tolist() == [known[row].solution for row in rows]
    assert answers[unique][1:3].to_pandas().index.equals(frame.index[unique][1:3])
    # Inputs other than series have no index.
    assert answers.to_pandas().index is not sudobench.solve(frame["puzzle"].tolist()).to_pandas().index
    assert sudobench.solve(frame["puzzle"].to_numpy(object)).to_pandas().index.equals(pd.RangeIndex(len(known)))
    assert sudobench.solve(pd.Index(frame["puzzle"])).to_pandas().index.equals(pd.RangeIndex(len(known)))


def test_frames_hold_strings_as_pandas_does(known: list[Known], monkeypatch: pytest.MonkeyPatch) -> None:
    answers = sudobench.solve(texts(known))
    frame = answers.to_pandas()
    expected = pd.Series([row.solution or None for row in known], dtype=str)
    pd.testing.assert_series_equal(frame["solution"], expected, check_names=False)
    assert frame["solution"].str.len().dropna().eq(81).all()
    # Without pyarrow, the values are the same.
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert answers.to_pandas()["solution"].fillna("").tolist() == expected.fillna("").tolist()


def test_rows_of_frames_get_their_own_answers(known: list[Known]) -> None:
    frame = pd.DataFrame({"puzzle": texts(known), "wanted": [row.solution or None for row in known]})

    class Series(pd.Series):
        """A user's own subclass of the series of pandas."""

    for some in (frame.sample(frac=1, random_state=1), frame[frame["wanted"].notna()], frame.sort_values("puzzle"), frame[10:0:-3]):
        some = some.copy()
        for puzzles in (some["puzzle"], Series(some["puzzle"])):
            answers = sudobench.solve(puzzles)
            some["mine"] = answers.to_pandas()["solution"]
            assert some["mine"].fillna("").tolist() == some["wanted"].fillna("").tolist()
        # The answers can also be joined to the frame from which the puzzles came.
        back = frame.join(answers[answers.status == "unique"].to_pandas()["solution"])
        wanted = back["wanted"].where(back.index.isin(some.index[answers.status == "unique"]), None)
        assert back["solution"].fillna("").tolist() == wanted.fillna("").tolist()


def test_arrays_are_numpys_own_and_can_be_written(whole: list[Known]) -> None:
    boards = cells(whole)
    before = boards.copy()
    answers = sudobench.solve(boards)
    answers.solution[0, 0] = 0
    answers.count[0] = 7
    assert (boards == before).all()
    boards.flags.writeable = False
    check(sudobench.solve(boards), whole)


def test_zeros_that_were_lost_come_back_where_that_is_asked() -> None:
    whole = "0" + PUZZLE.replace(".", "0")[1:]
    short = whole.lstrip("0")
    assert sudobench.solve([short]).status[0] == "malformed"
    wanted = sudobench.solve(whole)
    assert sudobench.solve(short, restore_zeros=True).solution == wanted.solution
    assert sudobench.solve([short, whole], restore_zeros=True)[0].solution == wanted.solution
    table = pa.table({"puzzle": [short]})
    solved = sudobench.solve_table(table, "puzzle", restore_zeros=True)
    assert solved["solution"][0].as_py() == wanted.solution
    with pytest.raises(ValueError, match="5 characters"):
        sudobench.solve("53..7", restore_zeros=True)
