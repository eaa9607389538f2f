"""Tests functions on tables, mainly `solve_table`: the result has the type of the input."""

from collections.abc import Iterator

import datasets
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import polars.testing
import pyarrow as pa
import pytest
import sudobench
from conftest import Known
from test_solve import INDEXES, PUZZLE

NAMES = ["id", "puzzle", "answer", "solution", "status"]
THERE = "tr465123879c132789546d612845739"


@pytest.fixture(scope="module")
def table(known: list[Known]) -> pa.Table:
    return pa.table(
        {
            "id": range(len(known)),
            "puzzle": [row.puzzle for row in known],
            "answer": [row.solution for row in known],
        }
    )


def check(solved: pa.Table, known: list[Known]) -> None:
    solved.validate(full=True)
    assert solved.column_names == NAMES
    assert solved["id"].to_pylist() == list(range(len(known)))
    assert [text or "" for text in solved["solution"].to_pylist()] == [row.solution for row in known]
    assert solved["status"].to_pylist() == [row.status for row in known]


def test_tables_of_pyarrow_come_back_as_such(table: pa.Table, known: list[Known]) -> None:
    solved = sudobench.solve_table(table, column="puzzle", columns=["solution", "status"], max_solutions=2)
    assert isinstance(solved, pa.Table)
    assert solved.schema.field("status").type == pa.dictionary(pa.int8(), pa.string())
    check(solved, known)
    parts = pa.concat_tables([table[:5], table[5:5], table[5:]])
    check(sudobench.solve_table(parts), known)
    batch = sudobench.solve_table(table.to_batches()[0])
    assert isinstance(batch, pa.RecordBatch)
    check(pa.table(batch), known)
    assert sudobench.solve_table(table.to_batches()[0][:0]).num_rows == 0
    assert sudobench.solve_table(table[:0]).column_names == NAMES


def test_readers_come_back_as_readers_that_solve_what_is_read(table: pa.Table, known: list[Known]) -> None:
    read = []

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in table.to_batches(max_chunksize=10):
            read.append(batch.num_rows)
            yield batch

    reader = pa.RecordBatchReader.from_batches(table.schema, batches())
    solved = sudobench.solve_table(reader)
    assert isinstance(solved, pa.RecordBatchReader)
    first = solved.read_next_batch()
    assert sum(read) < len(known)
    check(pa.concat_tables([pa.table(first), solved.read_all()]), known)


def test_any_stream_comes_back_as_one(table: pa.Table, known: list[Known]) -> None:
    class Stream:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return table.__arrow_c_stream__(requested_schema)

    solved = sudobench.solve_table(Stream())
    assert isinstance(solved, sudobench.SolvedTable)
    assert "status: Dictionary" in repr(solved)
    assert pa.schema(solved).names == NAMES
    check(pa.table(solved), known)
    with pytest.raises(ValueError, match="already read"):
        pa.table(solved)


def test_frames_come_back_as_frames(table: pa.Table, known: list[Known]) -> None:
    solved = sudobench.solve_table(pl.from_arrow(table), "puzzle")
    assert isinstance(solved, pl.DataFrame)
    assert solved.columns == NAMES
    assert solved["status"].to_list() == [row.status for row in known]
    frame = table.to_pandas().set_index(pd.Index(range(100, 100 + len(known)), name="row"))
    solved = sudobench.solve_table(frame, "puzzle")
    assert isinstance(solved, pd.DataFrame)
    assert solved.index.equals(frame.index)
    assert list(solved) == NAMES
    assert solved["solution"].fillna("").tolist() == [row.solution for row in known]
    pd.testing.assert_frame_equal(solved[["id", "puzzle", "answer"]], frame)
    for kind, index in INDEXES.items():
        some = frame.set_axis(index(len(known)))
        for of_table in (sudobench.solve_table, sudobench.canonical_table, sudobench.check_table, sudobench.rate_table):
            answered = of_table(some, "puzzle")
            # Arrow does not store the frequency of dates.
            pd.testing.assert_frame_equal(answered[list(some)], some, check_freq=False, obj=kind)
    some = frame.sample(frac=0.5, random_state=1)
    pd.testing.assert_frame_equal(sudobench.solve_table(some, "puzzle"), solved.loc[some.index])
    rows = pl.from_arrow(table).sample(fraction=0.5, shuffle=True, seed=1)
    answered = sudobench.solve_table(rows, "puzzle")
    assert answered.select(rows.columns).equals(rows)
    assert answered["status"].to_list() == [known[row].status for row in rows["id"]]


@pytest.mark.parametrize("kind", INDEXES)
def test_every_function_keeps_the_index(kind: str, known: list[Known]) -> None:
    unique = [row for row in known if row.status == "unique"][:12]
    frame = pd.DataFrame({"puzzle": [row.puzzle for row in unique]}, index=INDEXES[kind](len(unique)))
    # The rows are not in the order of `unique`, and one row occurs twice.
    frame = frame.iloc[[5, 3, 3, *range(6, 12), 0]]
    one_row_each = {
        "solve": lambda: sudobench.solve_table(frame, "puzzle"),
        "check": lambda: sudobench.check_table(frame, "puzzle"),
        "rate": lambda: sudobench.rate_table(frame, "puzzle"),
        "canonical": lambda: sudobench.canonical_table(frame, "puzzle"),
        "transform": lambda: sudobench.transform_table(frame, "puzzle", to="canonical"),
        "overlap": lambda: sudobench.overlap_table(frame, frame, "puzzle"),
        "solutions": lambda: sudobench.solutions_table(frame, "puzzle"),
        "minimals": lambda: sudobench.minimals_table(frame, "puzzle", limit_per_puzzle=1),
        "vicinity": lambda: sudobench.vicinity_table(frame, "puzzle", "-1+1", limit_per_puzzle=1),
    }
    for name, call in one_row_each.items():
        pd.testing.assert_index_equal(call().index, frame.index, obj=name)
    assert sudobench.transform_table(frame, "puzzle", random=2).index.equals(frame.index.repeat(2))
    assert sudobench.dedupe_table(frame, "puzzle").index.equals(frame.index.delete(2))


def test_numbers_of_81_digits_are_refused_in_words() -> None:
    with pytest.raises(ValueError, match="read the original as text, e.g. with `dtype=str` in pandas"):
        sudobench.solve_table(pd.DataFrame({"puzzle": [10**80]}), "puzzle")
    with pytest.raises(TypeError, match="collect\\(\\) it first"):
        sudobench.solve_table(pl.LazyFrame({"puzzle": ["." * 81]}))
    with pytest.raises(TypeError, match="columns=5: give a name"):
        sudobench.solve_table(pa.table({"puzzle": ["." * 81]}), columns=5)


def test_relations_of_duckdb(table: pa.Table, known: list[Known]) -> None:
    connection = duckdb.connect()
    relation = connection.from_arrow(table)
    solved = sudobench.solve_table(relation)
    for _ in range(2):
        rows = connection.sql("select status, count(*) from solved group by status").fetchall()
        assert dict(rows) == sudobench.solve([row.puzzle for row in known]).statuses
    check(pa.table(solved), known)


def test_datasets_of_hugging_face(table: pa.Table, known: list[Known]) -> None:
    dataset = datasets.Dataset.from_dict(table.to_pydict())
    solved = dataset.with_format("arrow").map(lambda rows: sudobench.solve_table(rows, "puzzle"), batched=True, batch_size=20)
    assert solved.column_names == NAMES
    assert [row["status"] for row in solved.with_format(None)] == [row.status for row in known]
    assert sudobench.solve(dataset["puzzle"]).status.tolist() == [row.status for row in known]


def test_the_columns_that_were_asked_for(table: pa.Table) -> None:
    every = ["solution", "status", "count", "clues", "nodes", "guesses", "time_ns", "match", "note"]
    assert sudobench.solve_table(table, columns="all").column_names == ["id", "puzzle", "answer", *every]
    assert sudobench.solve_table(table, columns="note,status").column_names[3:] == ["note", "status"]
    matched = sudobench.solve_table(table, solution_column="answer", columns=["match"])
    assert set(matched["match"].to_pylist()) == {"yes", None}
    twice = sudobench.solve_table(sudobench.solve_table(table, "puzzle"), "puzzle", solution_column="answer")
    assert twice.column_names == [*NAMES, "sudobench_solution", "sudobench_status"]
    assert sudobench.solve_table(table, 2).column_names == NAMES


def test_faults_are_told_in_the_words_of_the_command(table: pa.Table) -> None:
    for options, words in [
        ({"column": "nothing"}, "has no column named 'nothing'; its columns are"),
        ({"column": 9}, "has no column number 9"),
        ({"column": "id"}, "id"),
        ({"columns": "time"}, "there is no column `time`"),
        ({"columns": []}, "no column is named"),
        ({"columns": ["note", "note"]}, "named twice"),
        ({"threads": 0}, "threads=0"),
    ]:
        with pytest.raises(ValueError) as raised:
            sudobench.solve_table(table, **options)
        assert words in str(raised.value), options
    with pytest.raises(TypeError, match="has no __arrow_c_stream__"):
        sudobench.solve_table([1, 2])
    with pytest.raises(TypeError, match="collect"):
        sudobench.solve_table(pl.from_arrow(table).lazy())


def test_a_stream_that_fails_tells_why(table: pa.Table) -> None:
    def batches() -> Iterator[pa.RecordBatch]:
        yield from table.to_batches()
        raise RuntimeError("the disk is gone")

    solved = sudobench.solve_table(pa.RecordBatchReader.from_batches(table.schema, batches()))
    solved.read_next_batch()
    with pytest.raises(Exception, match="the disk is gone"):
        solved.read_next_batch()


def test_frames_keep_all_of_their_columns() -> None:
    puzzle, big = PUZZLE, 2**60 + 1
    frame = pd.DataFrame({0: [puzzle, puzzle], "id": pd.Series([big, None], dtype=object), "tags": [[1], [2, 3]]})
    solved = sudobench.solve_table(frame, 1)
    assert list(solved.columns) == [0, "id", "tags", "solution", "status"]
    assert solved["id"].tolist() == [big, None] and solved["tags"].tolist() == [[1], [2, 3]]
    assert solved["status"].tolist() == ["unique", "unique"] and solved.index.equals(frame.index)
    formed = sudobench.transform_table(frame, 1, apply=THERE)
    assert list(formed.columns) == [0, "id", "tags", "transform"] and formed[0].dtype == frame[0].dtype
    assert formed[0].tolist() == [sudobench.transform(puzzle, apply=THERE)] * 2
    assert formed["id"].tolist() == [big, None] and formed["tags"].tolist() == [[1], [2, 3]]
    category = pd.Series([puzzle, puzzle], dtype="category")
    assert sudobench.transform(category, random=1).tolist() == sudobench.transform(category.astype(str), random=1).tolist()


def test_frames_of_any_columns_and_labels() -> None:
    # Values of several types, two levels of columns, and labels that Arrow has no type for.
    for column, name in (("puzzle", "mix"), (("a", "puzzle"), ("a", "mix")), (pd.Timestamp("2020"), 5)):
        frame = pd.DataFrame({column: [PUZZLE, 5], name: [1, "a"]}, index=pd.Index([1, "b"], name=7))
        solved, formed = sudobench.solve_table(frame, 1), sudobench.transform_table(frame, 1, random=2)
        assert solved["status"].tolist() == ["unique", "malformed"]
        pd.testing.assert_frame_equal(solved.iloc[:, :2].set_axis(frame.columns, axis=1), frame)
        assert formed.iloc[:, 0].tolist() == [*sudobench.transform(PUZZLE, random=2), 5]
        assert formed.iloc[:, 1].tolist() == [1, 1, "a"] and formed.index.equals(frame.index.take([0, 0, 1]))

    class Frame(pd.DataFrame):
        pass

    assert isinstance(sudobench.solve_table(Frame({"puzzle": [PUZZLE]}), "puzzle"), pd.DataFrame)
    assert len(sudobench.dedupe_table(Frame({"puzzle": [PUZZLE] * 2}), "puzzle")) == 1


def test_lists_among_texts_are_boards_too() -> None:
    board = [int(cell) for cell in PUZZLE.replace(".", "0")]
    grid = np.array(board).reshape(9, 9)
    puzzles = [PUZZLE, board, grid, grid.tolist(), board[:80], [12, *board[1:]], [12, *board[1:80]], 7.5]
    frame = pd.DataFrame({"puzzle": pd.Series(puzzles, dtype=object)})
    solved = sudobench.solve_table(frame, "puzzle", columns=["solution", "status", "note"])
    assert solved["status"].tolist() == sudobench.solve(puzzles).status.tolist() == ["unique"] * 4 + ["malformed"] * 4
    assert solved["solution"].nunique() == 1
    assert solved["note"].tolist()[4:7] == [
        "80 characters where a puzzle has 81",
        "byte '?' at position 1 is neither a digit nor a blank",
        "80 characters where a puzzle has 81",
    ]
    formed = sudobench.transform_table(frame, "puzzle", apply=THERE)["puzzle"]
    assert formed[0].replace(".", "0") == formed[1] == formed[2] == formed[3]
    assert all(formed[row] is puzzles[row] for row in range(4, 8))
    for puzzles in (["", 5], [[], 5]):
        solved = sudobench.solve_table(pd.DataFrame({"puzzle": puzzles}), "puzzle")
        assert solved["status"].tolist() == ["malformed"] * 2


def test_frames_with_puzzles_in_the_index_or_several_levels_of_columns() -> None:
    for indexed in (pd.DataFrame({"puzzle": [PUZZLE], "x": [1]}).set_index("puzzle"), pd.DataFrame({"x": [1]}, index=pd.Index([PUZZLE], name="puzzle"))):
        solved = sudobench.solve_table(indexed, "puzzle")
        assert list(solved.columns) == ["x", "solution", "status"] and solved.index.equals(indexed.index)
        assert solved["status"].tolist() == ["unique"]
    levels = pd.DataFrame([[PUZZLE, 1]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("c", "d")]))
    levels.attrs = {"source": "a"}
    for function, added in ((sudobench.solve_table, "status"), (sudobench.dedupe_table, "count"), (sudobench.solutions_table, "number")):
        result = function(levels, 1)
        assert list(result.columns[:2]) == list(levels.columns) and result.columns[-1] == (added, "") and result.attrs == levels.attrs
    # Half of a pair of surrogates is no character of UTF-8.
    odd = pd.DataFrame({"puzzle": [PUZZLE], "x": pd.Series(["\udcff"], dtype=object)})
    assert sudobench.solve_table(odd, "puzzle")["x"].tolist() == ["\udcff"]


def test_a_column_that_is_one_board_is_refused() -> None:
    lines = pd.DataFrame({"puzzle": [[0] * 9] * 9})
    for function in (sudobench.solutions_table, sudobench.explain_table):
        with pytest.raises(TypeError, match="the values of the column 'puzzle' together were read as one board"):
            function(lines, "puzzle")


def test_columns_without_values_are_malformed_rows() -> None:
    for series in (pl.Series([None, None]), pd.Series([None, None], dtype=object), pa.nulls(2)):
        assert sudobench.solve(series).status.tolist() == ["malformed"] * 2
    for frame in (pl.DataFrame({"puzzle": [None, None]}), pd.DataFrame({"puzzle": [None, None]})):
        solved = sudobench.solve_table(frame, "puzzle")
        assert list(solved["status"]) == ["malformed"] * 2 and solved["puzzle"].dtype == frame["puzzle"].dtype
        assert len(sudobench.dedupe_table(frame, "puzzle")) == len(sudobench.transform_table(frame, "puzzle", random=1)) == 2
    assert sudobench.solve_table(pd.DataFrame({"puzzle": pd.Series([], dtype=object)}), "puzzle").shape == (0, 3)
    assert sudobench.solve(pl.Series([[], [None] * 81])).status.tolist() == ["malformed"] * 2


def test_columns_of_polars_that_arrow_rs_does_not_know_are_kept() -> None:
    others = {"null": [None], "list": [[None]], "struct": [{"a": [None], "b": 1}], "array": pl.Series([[None]], dtype=pl.Array(pl.Null, 1))}
    frame = pl.DataFrame({"puzzle": [PUZZLE], **others, "sum": pl.Series([2**100], dtype=pl.Int128)})
    for table in (sudobench.solve_table(frame, "puzzle"), sudobench.transform_table(frame, "puzzle", random=1)):
        pl.testing.assert_frame_equal(table[:, 1 : frame.width], frame[:, 1:])
    with pytest.raises(ValueError, match="the column `sum` of the table has the type Int64, which cannot contain puzzles"):
        sudobench.solve_table(frame, "sum")
    board = pl.Series([[int(cell) for cell in PUZZLE.replace(".", "0")]], dtype=pl.List(pl.Int128))
    assert sudobench.solve(board).status.tolist() == ["unique"]


def test_a_number_names_one_of_two_columns_with_the_same_name() -> None:
    other = PUZZLE[::-1]
    twice = pa.table([pa.array([PUZZLE]), pa.array([other])], names=["a", "a"])
    frame = pd.DataFrame([[PUZZLE, other]], columns=["a", "a"])
    solution = sudobench.solve(other).solution
    for table in (twice, twice.to_batches()[0], frame):
        for number in (2, np.int64(2)):
            for solved in (sudobench.solve_table(table, number), sudobench.solutions_table(table, number)):
                assert list(pa.table(solved)["solution"].to_pylist() if table is not frame else solved["solution"]) == [solution]
        with pytest.raises(ValueError, match="2 columns are named 'a': give the number of the column instead, from 1"):
            sudobench.dedupe_table(table, "a")
