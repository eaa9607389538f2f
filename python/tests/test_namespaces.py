"""`.sudoku` of polars and pandas, and the functions for DuckDB and for `Dataset.map` of Hugging Face: all return the
same values as the functions on tables."""

import pathlib
import pickle
import subprocess
import sys
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sudobench
import sudobench.datasets
import sudobench.duckdb
import sudobench.pandas
import sudobench.polars
from conftest import Known
from datasets import Dataset  # type: ignore[attr-defined, unused-ignore]
from sudobench._namespaces import FUNCTIONS

PACKAGES = ["polars", "pandas", "duckdb", "datasets", "pyarrow", "IPython"]
COLUMNS = {
    "solve": ["status", "solution", "count", "note"],
    "check": ["minimal", "redundant", "clues"],
    "rate": ["difficulty", "guesses", "depth"],
    "canonical": ["canonical", "automorphisms", "note"],
}


@pytest.fixture(scope="module")
def puzzles(known: list[Known]) -> list[str | None]:
    """Returns puzzles. The first two are malformed, so they have no answers."""
    return [None, "x", *(row.puzzle for row in known)]


def wanted(name: str, puzzles: list[str | None], columns: str | list[str]) -> list[dict[str, Any]]:
    """Returns the expected values: the ones that the function on tables returns, as a dictionary for each puzzle."""
    rows: list[dict[str, Any]] = FUNCTIONS[name].table(pa.table({"puzzle": puzzles}), "puzzle", columns).to_pylist()
    return [{key: value for key, value in row.items() if key != "puzzle"} for row in rows]


def test_no_package_is_imported_before_it_is_asked_for() -> None:
    words = [sys.executable, "-c", "import sudobench, sys; print([name for name in sys.argv[1:] if name in sys.modules])", *PACKAGES]
    assert subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout == "[]\n"


def test_the_list_is_the_one_that_is_tested() -> None:
    assert list(COLUMNS) == list(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_polars(name: str, puzzles: list[str | None]) -> None:
    several, one = wanted(name, puzzles, COLUMNS[name]), wanted(name, puzzles, FUNCTIONS[name].column)
    frame = pl.DataFrame({"q": puzzles})
    of_one, of_several = getattr(pl.col("q").sudoku, name)(), getattr(pl.col("q").sudoku, name)(COLUMNS[name])  # type: ignore[attr-defined]
    query = frame.lazy().select(of_one, several=of_several)
    for engine in ("in-memory", "streaming"):
        made = query.collect(engine=engine)
        assert made.schema == query.collect_schema()
        assert made["several"].to_list() == several
        assert [{FUNCTIONS[name].column: value} for value in made["q"].to_list()] == one
    series = frame["q"]
    assert getattr(series.sudoku, name)(COLUMNS[name]).to_list() == several  # type: ignore[attr-defined]
    assert getattr(series.sudoku, name)().name == "q"  # type: ignore[attr-defined]
    # The schema is the same if no row has an answer.
    assert query.head(1).collect().schema == query.head(0).collect().schema == query.collect_schema()
    assert set(COLUMNS[name]) < set(getattr(series.sudoku, name)("all").struct.fields)  # type: ignore[attr-defined]


def test_polars_takes_boards_as_lists(known: list[Known]) -> None:
    boards = sudobench.generate(5, seed=3)
    query = pl.DataFrame({"board": boards.puzzle.tolist()}).lazy().select(pl.col("board").sudoku.solve())  # type: ignore[attr-defined]
    assert query.collect().schema == query.collect_schema()
    assert query.collect()["board"].to_list() == boards.solution.tolist()


@pytest.mark.parametrize("numbers", [[1.5, 2.0, 3.0], [1], [1, 2]])
def test_polars_says_that_numbers_are_no_puzzles(numbers: list[float]) -> None:
    with pytest.raises(ValueError, match="cannot contain puzzles: a number cannot store 81 digits"):
        pl.DataFrame({"q": numbers}).select(pl.col("q").sudoku.solve())  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_pandas(name: str, puzzles: list[str | None]) -> None:
    labels = [f"row {number % 50}" for number in range(len(puzzles))]
    for kind in ("str", object):
        series = pd.Series(puzzles, index=labels, name="q", dtype=kind)
        frame = getattr(series.sudoku, name)(COLUMNS[name])
        assert list(frame.index) == labels and list(frame) == COLUMNS[name]
        rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
        assert rows == wanted(name, puzzles, COLUMNS[name])
        one = getattr(series.sudoku, name)()
        assert (one.name, list(one.index)) == ("q", labels)
        values = one.astype(object).where(one.notna(), None).tolist()
        assert [{FUNCTIONS[name].column: value} for value in values] == wanted(name, puzzles, FUNCTIONS[name].column)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_duckdb(name: str, puzzles: list[str | None]) -> None:
    many = puzzles * 60
    with duckdb.connect() as connection:
        sudobench.duckdb.register(connection)
        sudobench.duckdb.register(connection, name, COLUMNS[name], name="several")
        connection.sql("create table puzzles as select unnest(?) as puzzle", params=[many])
        rows = connection.sql(f"select sudoku_{name}(puzzle), several(puzzle) from puzzles").fetchall()
        assert [{FUNCTIONS[name].column: row[0]} for row in rows] == wanted(name, many, FUNCTIONS[name].column)
        assert [row[1] for row in rows] == wanted(name, many, COLUMNS[name])
        assert connection.sql(f"select sudoku_{name}(puzzle) from puzzles limit 0").fetchall() == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_datasets(name: str, puzzles: list[str | None], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path)
    dataset = Dataset.from_dict({"id": list(range(len(puzzles))), "puzzle": puzzles, "status": ["mine"] * len(puzzles)})
    columns = ["status", *(column for column in COLUMNS[name] if column != "status")]
    if name in ("rate", "canonical"):
        columns.pop(0)
    # The two puzzles of the first batch are malformed, so the batch has no answers. Its columns must still have the right types.
    mapper = sudobench.datasets.mapper(name, "puzzle", columns, threads=1)
    made = dataset.with_format("arrow").map(pickle.loads(pickle.dumps(mapper)), batched=True, batch_size=2).with_format(None)
    names = ["sudobench_status" if column == "status" else column for column in columns]
    assert made.column_names == ["id", "puzzle", "status", *names]
    assert set(made["status"]) == {"mine"}
    rows = [dict(zip(columns, values)) for values in zip(*(made[column] for column in names))]
    assert rows == wanted(name, puzzles, columns)
    with pytest.raises(TypeError, match="call dataset.with_format\\('arrow'\\) before map"):
        dataset.map(mapper, batched=True)


def test_options_are_those_of_tables() -> None:
    series = pl.Series(["." * 81])
    assert series.sudoku.solve("count", max_solutions=7).to_list() == [7]  # type: ignore[attr-defined]
    nulls = pl.DataFrame({"q": [None, None]}).with_columns(pl.col("q").sudoku.solve("status"))  # type: ignore[attr-defined]
    assert nulls["q"].to_list() == ["malformed"] * 2
    assert pd.Series(["." * 81]).sudoku.solve("count", max_solutions=7).tolist() == [7]  # type: ignore[attr-defined]
    with duckdb.connect() as connection:
        sudobench.duckdb.register(connection, "solve", "count", name="count_up_to_7", max_solutions=7)
        assert connection.sql("select count_up_to_7(repeat('.', 81))").fetchall() == [(7,)]
        # Registering a function again replaces it, because a cell of a notebook may run twice.
        sudobench.duckdb.register(connection, "solve", "status", name="count_up_to_7")
        assert connection.sql("select count_up_to_7(repeat('.', 81))").fetchall() == [("multiple",)]
        for call in (
            lambda **options: series.sudoku.rate(**options),  # type: ignore[attr-defined]
            lambda **options: pl.col("q").sudoku.rate(**options),  # type: ignore[attr-defined]
            lambda **options: pd.Series(["." * 81]).sudoku.rate(**options),  # type: ignore[attr-defined]
            lambda **options: sudobench.duckdb.register(connection, "rate", **options),
            lambda **options: sudobench.datasets.mapper("rate", **options),
        ):
            # `stratify` is not an option here, because it would change the number of rows.
            with pytest.raises(TypeError, match="rate has no option 'stratify'; choose from isomorphs, seed"):
                call(stratify=3)
        with pytest.raises(ValueError, match="there is no function 'solv'; choose from solve, check"):
            sudobench.duckdb.register(connection, "solv")
        with pytest.raises(ValueError, match="need function="):
            sudobench.duckdb.register(connection, columns="count")
    with pytest.raises(ValueError, match="there is no function 'solv'"):
        sudobench.datasets.mapper("solv")
    with pytest.raises(ValueError, match="sollution"):
        pl.col("q").sudoku.solve("sollution")  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="max_solutions=0: give 1 or more"):
        pl.col("q").sudoku.solve(max_solutions=0)  # type: ignore[attr-defined]
