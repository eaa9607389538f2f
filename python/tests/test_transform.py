"""Tests `transform` and `transform_table`."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sudobench
from conftest import REPOSITORY, Known, command

THERE = "tr465123879c132789546d612845739"
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


@pytest.fixture(scope="module")
def solved(known: list[Known]) -> list[Known]:
    return [row for row in known if row.status == "unique"]


def cells(texts: list[str]) -> np.ndarray:
    return np.array([[int(c) if c in "123456789" else 0 for c in text] for text in texts], dtype=np.uint8)


def test_arrays_and_their_solutions_go_along(solved: list[Known]) -> None:
    puzzles, solutions = cells([row.puzzle for row in solved]), cells([row.solution for row in solved])
    forms, of_solutions = sudobench.transform(puzzles, random=7, seed=3, solutions=solutions)
    assert forms.shape == of_solutions.shape == (7 * len(solved), 81)
    assert forms.dtype == of_solutions.dtype == np.uint8
    assert forms.flags.writeable
    answers = sudobench.solve(forms)
    assert set(answers.status) == {"unique"}
    assert np.array_equal(answers.solution, of_solutions)
    # If only two forms are requested, each puzzle gets the first two of its seven forms. The number of threads, the order of puzzles and
    # the type of numbers do not matter.
    fewer = sudobench.transform(puzzles[::-1].astype(np.int64).reshape(-1, 9, 9), random=2, seed=3, threads=1)
    assert np.array_equal(fewer.reshape(-1, 2, 81)[::-1], forms.reshape(-1, 7, 81)[:, :2])
    assert not np.array_equal(sudobench.transform(puzzles, random=7, seed=4), forms)
    assert sudobench.transform(puzzles[:0], random=7).shape == (0, 81)


def test_equal_puzzles_get_other_forms_by_seed_or_row() -> None:
    boards = np.repeat(cells([PUZZLE]), 3, axis=0)
    forms = sudobench.transform(boards, random=2, seed=7)
    assert (forms[:2] == forms[2:4]).all()
    # A row with its own seed gets the same forms as if all rows had this seed. Seeds may be numbers of any kind.
    for seeds in ([7, 8, 7], np.array([7, 8, 7]), np.array([7, 8, 7], dtype=np.uint8)):
        own = sudobench.transform(boards, random=2, seed=seeds)
        assert (own[:2] == forms[:2]).all() and (own[4:] == forms[:2]).all()
        assert (own[2:4] == sudobench.transform(boards[0], random=2, seed=8)).all()
    by_row = sudobench.transform(boards, random=2, seed=7, by="row")
    assert len(np.unique(by_row, axis=0)) == 6
    assert (by_row[:4] == sudobench.transform(boards[:2], random=2, seed=7, by="row", threads=1)).all()
    # For tables, the same forms are drawn, however the rows are divided into batches.
    rows = pa.table({"puzzle": [PUZZLE] * 3})
    batches = pa.RecordBatchReader.from_batches(rows.schema, rows.to_batches(max_chunksize=2))
    for options, expected in [({"seed": 7, "by": "row"}, by_row), ({"seed": [7, 8, 7]}, own)]:
        for table in (rows, batches if "by" in options else rows):
            formed = sudobench.transform_table(table, random=2, **options)
            assert np.array_equal(cells(pa.table(formed)["puzzle"].to_pylist()), expected)
    for call, words in [
        (lambda: sudobench.transform(boards, random=2, seed=[1, 2]), "seed has 2 numbers for 3 puzzles"),
        (lambda: sudobench.transform_table(rows, random=2, seed=[1, 2]), "seed has 2 numbers, but the table has more rows"),
        (lambda: sudobench.transform_table(rows, random=2, seed=[1] * 4), "seed has 4 numbers for 3 puzzles"),
        (lambda: sudobench.transform(boards, random=2, by="column"), "by=\"column\": choose 'puzzle' or 'row'"),
    ]:
        with pytest.raises(ValueError, match=words):
            call()


def test_texts_keep_their_blanks(solved: list[Known]) -> None:
    texts = [row.puzzle for row in solved]
    forms = sudobench.transform(texts, random=2)
    assert isinstance(forms, list) and len(forms) == 2 * len(texts)
    assert [sorted(form.translate(str.maketrans("123456789", "d" * 9))) for form in forms[::2]] == [
        sorted(text.translate(str.maketrans("123456789", "d" * 9))) for text in texts
    ]
    assert sudobench.transform([text.encode() for text in texts], random=2) == [form.encode() for form in forms]
    assert sudobench.transform(iter(texts), random=2) == forms
    for array in (np.array(texts), np.array(texts).astype("S81"), np.array(texts, dtype=object)):
        made = sudobench.transform(array, random=2)
        assert made.dtype.kind == array.dtype.kind
        assert [form if isinstance(form, str) else form.decode() for form in made.tolist()] == forms
    assert np.array_equal(sudobench.transform(cells(texts), random=2), cells(forms))


def test_one_puzzle_is_one_text() -> None:
    form = sudobench.transform(PUZZLE, apply=THERE)
    assert isinstance(form, str) and form != PUZZLE
    pair = sudobench.transform(PUZZLE, apply=THERE, solutions=SOLUTION)
    assert pair[0] == form and sudobench.solve(form).solution == pair[1]
    assert sudobench.transform(PUZZLE.encode(), apply=THERE) == form.encode()
    several = sudobench.transform(PUZZLE, random=3)
    assert isinstance(several, list) and len(several) == 3
    board, grid = cells([PUZZLE])[0], cells([SOLUTION])[0]
    for puzzle, solution in [(board, grid), (board.reshape(9, 9).astype(np.int64), grid.reshape(9, 9))]:
        made = sudobench.transform(puzzle, apply=THERE, solutions=solution)
        assert [array.tolist() for array in made] == cells(list(pair)).tolist()
        assert sudobench.transform(puzzle, random=3).tolist() == cells(several).tolist()
    canonical = {sudobench.transform(each, to="canonical") for each in [PUZZLE, form, *several]}
    assert len(canonical) == 1
    assert sudobench.transform(next(iter(canonical)), to="canonical") in canonical


def test_the_command_draws_the_same(solved: list[Known]) -> None:
    lines = "\n".join(row.puzzle for row in solved)
    words = ["transform", "--random", "3", "--seed", "9", "--output-format", "lines", "-q"]
    ran = command(*words, input=lines, check=True)
    assert ran.stdout.split() == [
        form.translate(str.maketrans("0_*xX-", "......"))
        for form in sudobench.transform([row.puzzle for row in solved], random=3, seed=9)
    ]


def test_what_cannot_be_is_told(solved: list[Known]) -> None:
    board = np.zeros((2, 81), dtype=np.uint8)
    wrong = board.copy()
    wrong[1, 5] = 10
    for call, words in [
        (lambda: sudobench.transform(board), "choose the forms with one of random, apply and to"),
        (lambda: sudobench.transform(board, random=2, to="canonical"), "choose the forms with one of random, apply and to"),
        (lambda: sudobench.transform(board, random=0), "random=0: give 1 or more"),
        (lambda: sudobench.transform(board, apply="r1"), "apply=\"r1\": write a transformation as r, c and d"),
        (lambda: sudobench.transform(board, to="minlex"), "to=\"minlex\": the only choice is 'canonical'"),
        (lambda: sudobench.transform(wrong[1], random=2), "r1c6 holds 10"),
        (lambda: sudobench.transform(wrong, random=2), "puzzle 1 \\(counted from 0\\): r1c6 holds 10"),
        (lambda: sudobench.transform(board, random=2, solutions=wrong), "solution 1 \\(counted"),
        (lambda: sudobench.transform(board, random=2, solutions=board[:1]), "1 solution for 2 puzzles"),
        (lambda: sudobench.transform(board[:, :80], random=2), "shape \\(2, 80\\)"),
        (lambda: sudobench.transform(["." * 81, "." * 80], random=2), "puzzle 1 .*80 characters"),
        (lambda: sudobench.transform(["." * 81, "?" * 81], random=2), "puzzle 1 .*neither a digit nor a blank"),
        (lambda: sudobench.transform_table(pa.table({"puzzle": [PUZZLE]}), random=2, columns=["x"]), "there is no column"),
    ]:
        with pytest.raises(ValueError, match=words):
            call()
    with pytest.raises(MemoryError, match="request fewer forms"):
        sudobench.transform(board, random=2**60)
    with pytest.raises(ValueError, match="puzzle 1 \\(counted from 0\\): the puzzle is null"):
        sudobench.transform(["." * 81, None], random=2)
    with pytest.raises(TypeError, match="pass a table to transform_table"):
        sudobench.transform(pa.table({"puzzle": ["." * 81]}), random=2)
    with pytest.raises(TypeError, match="no __arrow_c_stream__"):
        sudobench.transform_table([PUZZLE], random=2)


def test_forms_are_taken_back(solved: list[Known]) -> None:
    boards = cells([row.puzzle for row in solved])
    solutions = cells([row.solution for row in solved])
    forms, of_solutions, transforms = sudobench.transform(boards, random=4, seed=3, solutions=solutions, return_transforms=True)
    assert transforms.shape == (4 * len(boards),) and np.array_equal(forms, sudobench.transform(boards, random=4, seed=3))
    # Imitates a model that predicts the solution of each form. The predictions are then transformed back.
    predictions = sudobench.solve(forms).solution
    back = sudobench.transform(predictions, apply=transforms, inverse=True).reshape(-1, 4, 81)
    assert (back == solutions[:, None, :]).all() and np.array_equal(predictions, of_solutions)
    assert np.array_equal(sudobench.transform(boards.repeat(4, axis=0), apply=transforms.tolist()), forms)
    pair = sudobench.transform(forms, solutions=of_solutions, apply=transforms, inverse=True)
    assert np.array_equal(pair[0], boards.repeat(4, axis=0)) and np.array_equal(pair[1], solutions.repeat(4, axis=0))
    assert sudobench.transform(sudobench.transform(PUZZLE, apply=THERE), apply=THERE, inverse=True) == PUZZLE
    canonical, (transform,) = sudobench.transform(PUZZLE, to="canonical", return_transforms=True)
    assert sudobench.transform(PUZZLE, apply=transform) == canonical
    assert sudobench.transform(canonical, apply=[transform], inverse=True, return_transforms=True)[0] == PUZZLE
    back, (taken,) = sudobench.transform(canonical, apply=transform, inverse=True, return_transforms=True)
    assert sudobench.transform(canonical, apply=taken) == back == PUZZLE
    by_row, drawn = sudobench.transform([PUZZLE] * 2, random=1, by="row", return_transforms=True)
    assert drawn[0] != drawn[1] and sudobench.transform([PUZZLE] * 2, apply=drawn) == by_row
    for call, words in [
        (lambda: sudobench.transform(boards, apply=transforms[:3]), "apply has 3 transformations for"),
        (lambda: sudobench.transform(boards, random=2, inverse=True), "inverse=True needs apply"),
        (lambda: sudobench.transform([PUZZLE], apply=["r1"]), "write a transformation as r, c and d"),
        (lambda: sudobench.transform([PUZZLE], apply=[THERE], random=2), "choose the forms with one of random, apply and to"),
        (lambda: sudobench.transform([PUZZLE], apply=[THERE], kinds="digits"), "kinds and include_original need random"),
        (lambda: sudobench.transform([PUZZLE], apply=THERE, inverse=True, include_original=True), "kinds and include_original need random"),
        (lambda: sudobench.transform([PUZZLE], apply=[THERE], by="column"), "by=\"column\": choose 'puzzle' or 'row'"),
        (lambda: sudobench.transform([PUZZLE], apply=[THERE], seed=[1]), "only random=N uses seed and by"),
        (lambda: sudobench.transform(PUZZLE, to="canonical", seed=4), "only random=N uses seed and by: add it, or leave them out"),
        (lambda: sudobench.transform(PUZZLE, to="canonical", by="row"), "only random=N uses seed and by"),
        (lambda: sudobench.transform([PUZZLE], apply=[THERE], solutions=["x"]), "solution 0 \\(counted from 0\\): 1 characters"),
        (lambda: sudobench.transform([PUZZLE], apply=[THERE], solutions=[SOLUTION] * 2), "2 solutions for 1 puzzle"),
        (lambda: sudobench.transform(boards, apply=[THERE] * len(boards), solutions=boards + 10), "solution 0 \\(counted from 0\\): r1c1 holds"),
    ]:
        with pytest.raises(ValueError, match=words):
            call()


def test_rows_of_tables_are_taken_back() -> None:
    rows = pa.table({"id": [1, 2, 3], "puzzle": [PUZZLE, "not a puzzle", PUZZLE], "solution": [SOLUTION, "none", SOLUTION]})
    drawn = sudobench.transform_table(rows, random=2, seed=3)
    notations = drawn["transform"].to_pylist()
    assert notations[2] is None
    # Each row is transformed back by its own transformation, which is in a column or in a list. The tables are of several
    # kinds, and one has several batches.
    once = pa.table({name: drawn[name] for name in ("id", "puzzle", "solution", "transform")})
    expected = rows.take([0, 0, 1, 2, 2])
    reader = pa.RecordBatchReader.from_batches(once.schema, once.to_batches(max_chunksize=2))
    encoded = once.set_column(3, "transform", once["transform"].dictionary_encode())
    for table in (once, reader, encoded, pl.DataFrame(once), once.to_pandas()):
        back = sudobench.transform_table(table, apply_column="transform", inverse=True)
        back = pa.Table.from_pandas(back, preserve_index=False) if isinstance(back, pd.DataFrame) else pa.table(back)
        assert back.column_names == once.column_names
        assert back.select(expected.column_names).to_pylist() == expected.to_pylist()
        assert back["transform"].to_pylist() == notations
    there = sudobench.transform_table(back.set_column(3, "transform", once["transform"]), apply_column=4, threads=1)
    assert there.to_pylist() == once.to_pylist()
    two = once.take([0, 4])
    pair = [notations[0], notations[4]]
    for given in (pair, tuple(pair), np.array(pair), pd.Series(pair)):
        back = sudobench.transform_table(two.drop_columns("transform"), apply=given, inverse=True)
        assert back.to_pylist() == rows.take([0, 2]).to_pylist()
    # The applied transformation can be added as a column.
    back = sudobench.transform_table(two, "puzzle", "transform", apply=pair)
    assert back["sudobench_transform"].to_pylist() == pair
    # A single transformation is applied to all rows.
    there = sudobench.transform_table(rows, apply=THERE)
    assert sudobench.transform_table(there, columns=(), apply=THERE, inverse=True).drop_columns("transform").equals(rows)
    lost = once.set_column(3, "transform", [["r1", *notations[1:]]])
    null = once.set_column(3, "transform", pa.array([None, *notations[1:]]))
    for call, words in [
        (lambda: sudobench.transform_table(two, apply=pair[:1]), "apply has 1 transformation, but the table has more rows"),
        (lambda: sudobench.transform_table(two, apply=pair * 2), "apply has 4 transformations for 2 boards"),
        (lambda: sudobench.transform_table(two, apply_column="turned"), "the table has no column named .turned.; its columns are 1 `id`"),
        (lambda: sudobench.transform_table(rows, apply_column="id"), "the column `id` holds no transformations"),
        (lambda: sudobench.transform_table(lost, apply_column="transform"), 'row 0 .* has "r1" in the column `transform`: write a'),
        (lambda: sudobench.transform_table(null, apply_column="transform"), 'row 0 .* has "" in the column `transform`: write a'),
        (lambda: sudobench.transform_table(two, inverse=True), "inverse=True needs apply"),
        (lambda: sudobench.transform_table(two, random=1, apply_column="transform"), "pass one of random=N"),
        (lambda: sudobench.transform_table(two, apply_column="transform", seed=4), "only random=N uses seed and by"),
        (lambda: sudobench.transform_table(two, apply=pair, apply_column="transform"), "pass one of random=N"),
        (lambda: sudobench.transform_table(two, apply=pair, include_original=True), "kinds and include_original need random"),
        (lambda: sudobench.transform_table(two, apply=pair, by="column"), "by=\"column\": choose 'puzzle' or 'row'"),
    ]:
        with pytest.raises(ValueError, match=words):
            call()
    with pytest.raises(TypeError, match="apply=3: give a transformation"):
        sudobench.transform_table(two, apply=3)


def test_some_kinds_of_changes_and_the_original(solved: list[Known]) -> None:
    boards = cells([row.puzzle for row in solved])
    forms, transforms = sudobench.transform(boards, random=3, kinds="digits", include_original=True, return_transforms=True)
    forms = forms.reshape(-1, 4, 81)
    assert (forms[:, 0] == boards).all() and ((forms > 0) == (boards[:, None] > 0)).all() and (forms[:, 1] != boards).any()
    same = "r123456789c123456789d123456789"
    assert set(transforms[::4]) == {same} and {text[:21] for text in transforms} == {same[:21]}
    moved = sudobench.transform(boards, random=3, kinds=["rows", "columns", "transpose"])
    assert (np.sort(moved) == np.sort(boards.repeat(3, axis=0))).all()
    rows = sudobench.transform_table(pa.table({"puzzle": [PUZZLE]}), random=2, kinds="transpose", include_original=True)
    assert rows["puzzle"].to_pylist() == sudobench.transform([PUZZLE], random=2, kinds="transpose", include_original=True)
    words = "transform --random 2 --kinds transpose --include-original --output-format lines -q"
    ran = command(*words.split(), input=PUZZLE, check=True)
    assert ran.stdout.split() == rows["puzzle"].to_pylist()
    with pytest.raises(ValueError, match="kinds: `bands` is not a list of kinds of changes; choose from digits, rows"):
        sudobench.transform(boards, random=1, kinds="bands")
    with pytest.raises(ValueError, match="kinds and include_original need random"):
        sudobench.transform(boards, to="canonical", include_original=True)


def test_series_come_back_as_series() -> None:
    texts = [PUZZLE, "." * 81]
    forms = sudobench.transform(texts, random=2)
    series = pd.Series(texts, index=["a", "b"], name="puzzle")
    made, solved = sudobench.transform(series, random=2, solutions=series)
    assert isinstance(made, pd.Series) and made.tolist() == solved.tolist() == forms
    assert "".join(made.index) == "aabb" and made.name == "puzzle" and made.dtype == series.dtype
    of_polars = sudobench.transform(pl.Series("puzzle", texts), random=2)
    assert isinstance(of_polars, pl.Series) and of_polars.name == "puzzle" and of_polars.to_list() == forms
    lists = pl.Series(cells(texts).tolist(), dtype=pl.List(pl.UInt8))
    assert sudobench.transform(lists, random=2).to_list() == cells(forms).tolist()
    for array in (pa.array(texts), pa.chunked_array([texts]), pa.array(texts).dictionary_encode()):
        assert sudobench.transform(array, random=2).to_pylist() == forms
    assert sudobench.transform(pa.array(cells(texts).tolist()), random=2).to_pylist() == cells(forms).tolist()


def table() -> pa.Table:
    return pa.table(
        {
            "id": [1, 2, 3],
            "puzzle": [PUZZLE, "none", SOLUTION],
            "solution": [SOLUTION, None, SOLUTION],
            "board": pa.array([cells([SOLUTION])[0].tolist(), None, [1, 2]]),
        }
    )


def check(formed: pa.Table) -> None:
    formed.validate(full=True)
    rows = formed.to_pylist()
    assert [row["id"] for row in rows] == [1, 1, 2, 3, 3]
    assert rows[2]["puzzle"] == "none" and rows[2]["transform"] is None
    for row in rows[:2]:
        assert row["puzzle"] == sudobench.transform(PUZZLE, apply=row["transform"])
        assert row["solution"] == sudobench.transform(SOLUTION, apply=row["transform"]) == "".join(map(str, row["board"]))
    assert list(rows[4]["board"]) == [1, 2]
    assert [row["puzzle"] for row in rows[:2]] == sudobench.transform(PUZZLE, random=2)


def test_tables_come_back_as_what_they_were() -> None:
    formed = sudobench.transform_table(table(), random=2)
    assert isinstance(formed, pa.Table)
    assert formed.schema.field("board").type == table().schema.field("board").type
    check(formed)
    plain = sudobench.transform_table(table(), random=2, columns=())
    assert plain.equals(formed.drop_columns(["transform"]))
    batch = sudobench.transform_table(table().to_batches()[0], random=2)
    assert isinstance(batch, pa.RecordBatch)
    check(pa.table(batch))
    empty = sudobench.transform_table(table().to_batches()[0][:0], "puzzle", random=2)
    assert isinstance(empty, pa.RecordBatch) and empty.num_rows == 0
    reader = pa.RecordBatchReader.from_batches(table().schema, table().to_batches() * 2)
    formed = sudobench.transform_table(reader, random=2)
    assert isinstance(formed, pa.RecordBatchReader)
    check(formed.read_all()[5:])
    frame = sudobench.transform_table(pl.DataFrame(table()), random=2)
    assert isinstance(frame, pl.DataFrame)
    check(frame.to_arrow())
    pandas = sudobench.transform_table(table().to_pandas().drop(columns="board"), random=2)
    assert isinstance(pandas, pd.DataFrame) and pandas["id"].tolist() == [1, 1, 2, 3, 3]
    # Each form has the index label of its row, for all kinds of pandas indexes.
    own = table().to_pandas().drop(columns="board")
    for index in (own.index, pd.RangeIndex(0, 6, 2), pd.Index([2, 0, 1], name="label"), pd.MultiIndex.from_arrays([[1, 1, 2], list("aba")])):
        rows = own.set_axis(index)
        formed = sudobench.transform_table(rows, random=2)
        assert formed.index.equals(index.take([0, 0, 1, 2, 2])) and formed.index.names == index.names
        assert rows.loc[formed.index[[0, 2, 3]], "id"].tolist() == [1, 2, 3]
        assert list(formed) == [*own, "transform"]
    # A dictionary-encoded column of puzzles becomes a plain column with the type of the dictionary's values.
    encoded = table().set_column(1, "puzzle", table()["puzzle"].dictionary_encode())
    check(sudobench.transform_table(encoded, random=2))


def test_frames_keep_every_value_that_is_no_board() -> None:
    values = {"puzzle": [PUZZLE, "none", SOLUTION], "board": [cells([SOLUTION])[0].tolist(), None, [1, 2]]}
    frame = pd.DataFrame({**values, "other": pd.Series([["a"], 7, None], dtype=object)})
    formed = sudobench.transform_table(frame, "puzzle", random=2)
    assert formed.dtypes[:3].tolist() == frame.dtypes.tolist()
    assert "".join(map(str, formed["board"].iloc[0])) == sudobench.transform(SOLUTION, apply=formed["transform"].iloc[0])
    assert all(formed["board"].iloc[row + 1] is frame["board"][row] for row in (1, 2))
    assert all(value is frame["other"][row // 2] for row, value in zip((0, 1, 2, 4, 5), formed["other"]))
    columns = {"row": [1, 2, 3], "nothing": [None] * 3, "other": pl.Series([object()] * 3, dtype=pl.Object)}
    polars = pl.DataFrame({**values, **columns})
    for rows, kept in ((polars, [1, 1, 2, 3, 3]), (polars[1:2], [2]), (polars[:0], [])):
        formed_rows = sudobench.transform_table(rows, "puzzle", random=2, columns=())
        assert formed_rows.schema == rows.schema and formed_rows["row"].to_list() == kept


def test_many_rows_are_as_few() -> None:
    many = pa.concat_tables([table()] * 5_000)
    formed = sudobench.transform_table(many, random=2, threads=2)
    assert formed.num_rows == 25_000
    assert formed[-5:].equals(sudobench.transform_table(table(), random=2))


def test_the_repository_s_puzzles(solved: list[Known]) -> None:
    sample = pl.read_csv(REPOSITORY / "datasets/sample.csv", infer_schema=False)
    formed = sudobench.transform_table(sample, to="canonical")
    again = sudobench.transform_table(formed.drop("transform"), to="canonical")
    assert formed.drop("transform").equals(again.drop("transform"))
    answers = sudobench.solve(formed["puzzle"])
    assert [answer.solution for answer in answers] == formed["solution"].to_list()
