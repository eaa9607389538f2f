"""Functions for SQL of DuckDB: `select sudoku_solve(puzzle) from puzzles`.

    import duckdb
    import sudobench.duckdb

    connection = duckdb.connect()
    sudobench.duckdb.register(connection)
    connection.sql("select puzzle, sudoku_solve(puzzle), sudoku_rate(puzzle) from 'sudoku.csv'")
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from duckdb import DuckDBPyConnection, InvalidInputException, struct_type

from ._namespaces import FUNCTIONS, is_one, with_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["register"]


def register(
    connection: DuckDBPyConnection,
    function: str | None = None,
    columns: str | Sequence[str] | None = None,
    *,
    name: str | None = None,
    **options: Any,
) -> None:
    """Adds functions to a connection. They take a text and return the columns that functions such as
    `sudobench.solve_table` add.

    Without `function`, this adds `sudoku_solve` (the solution), `sudoku_check` (the status), `sudoku_rate` (the
    difficulty) and `sudoku_canonical` (the canonical form).

    - `function`: add only `solve`, `check`, `rate` or `canonical`.
    - `columns`: what this function returns: the name of one column, or a list of names for a `STRUCT`.
    - `name`: the name of the function in SQL. Default: `sudoku_` and the name of the function.
    - Other options are as in functions such as `solve_table`, for example `max_solutions=1`.

    >>> import duckdb, sudobench.duckdb
    >>> connection = duckdb.connect()
    >>> sudobench.duckdb.register(connection, "solve", ["status", "count"], name="answer", max_solutions=10)
    >>> connection.sql(f"select a.status, a.count from (select answer('{81 * '.'}') as a)").fetchall()
    [('multiple', 10)]

    A function that was added before under the same name is replaced. pyarrow must be installed. A puzzle that is null
    or malformed has the `status` `malformed` and a `note`; other columns are null."""
    import pyarrow as pa

    if function is None:
        if columns is not None or name is not None or options:
            raise ValueError("columns, name and other options need function=")
        for each in FUNCTIONS:
            register(connection, each)
        return

    # DuckDB evaluates the annotations outside this function, where `pa` is not defined.
    def answers(puzzles: Any) -> Any:
        table = with_columns(function, pa.table({"puzzle": puzzles}), columns, options)
        arrays = [_without_dictionary(column).combine_chunks() for column in table.columns[1:]]
        return arrays[0] if is_one(columns) else pa.StructArray.from_arrays(arrays, table.column_names[1:])

    nothing = answers(pa.array([], pa.string()))
    fields = [nothing.field(at) for at in range(nothing.type.num_fields)] if pa.types.is_struct(nothing.type) else [nothing]
    types = connection.from_arrow(pa.table(fields, [str(at) for at in range(len(fields))])).types
    returned = types[0] if is_one(columns) else struct_type({field.name: kind for field, kind in zip(nothing.type, types)})
    # The types of the options `type` and `null_handling` depend on the version of DuckDB, so the connection is not
    # typed here.
    untyped: Any = connection
    in_sql = name or f"sudoku_{function}"
    with contextlib.suppress(InvalidInputException):
        untyped.remove_function(in_sql)
    untyped.create_function(in_sql, answers, ["VARCHAR"], returned, type="arrow", null_handling="special")


def _without_dictionary(column: Any) -> Any:
    """Converts a dictionary-encoded column to texts, because functions of DuckDB don't return dictionaries."""
    import pyarrow as pa

    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
