"""Tables of several libraries. Results have the type of the input.

Functions that add columns to all rows in order accept any stream of Arrow (`add_columns`, `as_it_came`). Functions that
select rows need a table of pyarrow, polars or pandas (`column_of`, `rows_of`, `with_columns`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, cast, overload

from . import _sudobench
from ._progress import shown
from ._puzzles import NO_NUMBERS, is_arrow, is_of, names_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import numpy.typing as npt

    from ._progress import OnProgress
    from ._types import SolvingOptions


P = ParamSpec("P")
Table = TypeVar("Table")


class Relation(Protocol):
    """A relation of DuckDB."""

    def fetchall(self) -> Any: ...


class KeepsType(Protocol[P]):
    """A function that returns a table of the type that it was given. A relation of DuckDB becomes a `SolvedTable`."""

    @overload
    def __call__(self, table: Relation, *args: P.args, **options: P.kwargs) -> _sudobench.SolvedTable: ...
    @overload
    def __call__(self, table: Table, *args: P.args, **options: P.kwargs) -> Table: ...


def keeps_type(function: Callable[Concatenate[Any, P], Any]) -> KeepsType[P]:
    """Tells type checkers that a function is `KeepsType`, and does nothing else."""
    return cast("KeepsType[P]", function)


def add_columns(
    table: Any,
    column: str | int | None,
    solution_column: str | int | None,
    verb: str,
    columns: str | Sequence[str],
    options: SolvingOptions,
    progress: bool | OnProgress = False,
) -> Any:
    """Returns the table with the columns of a verb as additional columns. See `solve_table`."""
    names, rows, count = names_of(columns), as_arrow(_with_text_names(table)), number_of_rows(table)
    return shown(
        progress,
        lambda told: as_it_came(
            table,
            lambda whole: _sudobench.add_columns(rows, column, solution_column, verb, names, options, whole, count, told),
            rows,
        ),
    )


def number_of_rows(table: Any) -> int | None:
    """Returns the number of rows of a table, or `None` for a stream."""
    if not _is_frame(table) and not is_of("pyarrow", table):
        return None
    return len(table) if hasattr(table, "__len__") else getattr(table, "num_rows", None)


def as_arrow(table: Any, keeps_index: bool | None = None) -> Any:
    """Returns a frame of pandas as a table of pyarrow, and any other table as it is.

    If a frame has a range index, the table stores only its start, end and step, unless `keeps_index` is true."""
    if not (is_of("pandas", table) and hasattr(table, "columns")):
        return table
    import pyarrow as pa

    try:
        return pa.Table.from_pandas(table, preserve_index=keeps_index)
    except (pa.ArrowException, OverflowError, TypeError, ValueError) as error:
        columns = ", ".join(str(name) for name, kind in table.dtypes.items() if kind == object)
        if not columns or not table.columns.is_unique:
            raise
        raise TypeError(
            f"a column of objects ({columns}) cannot be read as values of one type: {NO_NUMBERS} ({error})"
        ) from None


def as_it_came(table: Any, make: Callable[[bool], _sudobench.SolvedTable], given: Any = None) -> Any:
    """Converts the result for a table to the type of the table. For a frame, a table, a record batch or a relation of
    DuckDB, the result is computed now. For any other stream, each batch is computed when it is read.

    If `given` is not `None`, the result has all columns of the table `given`, and more columns after these. Then a frame
    of pandas keeps its columns as they are, because not all of them could be converted to Arrow and back."""
    if not is_arrow(table):
        raise _refused(table, "has no __arrow_c_stream__, by which tables are read")
    kind = type(table).__name__
    # A connection of DuckDB does one thing at a time, so a relation is read completely before another query. In DuckDB
    # 1.5, the class of relations is in `_duckdb`.
    is_relation = is_of("duckdb", table) or is_of("_duckdb", table)
    is_whole = _is_frame(table) or kind in ("Table", "RecordBatch") or is_relation
    made = make(is_whole)
    if is_of("polars", table) and is_whole:
        import polars as pl

        return pl.DataFrame(made)
    if is_of("pyarrow", table) or _is_frame(table):
        import pyarrow as pa

        if kind == "RecordBatch":
            batches = list(pa.RecordBatchReader.from_stream(made))
            return batches[0] if len(batches) == 1 else pa.table(made).combine_chunks().to_batches()[0]
        if kind == "RecordBatchReader":
            return pa.RecordBatchReader.from_stream(made)
        if kind != "DataFrame":
            return pa.table(made)
        result = pa.table(made)
        if given is None:
            return result.to_pandas()
        import pandas as pd

        added = result.select(list(range(given.num_columns, result.num_columns)))
        # Without the metadata of the frame, which describes the types of its column names.
        frame = added.replace_schema_metadata(None).to_pandas().set_axis(table.index)
        return pd.concat([table, frame], axis=1)
    return made


def column_of(table: Any, column: str | int, added: list[str]) -> Any:
    """Returns a column of a table: the one with this name, or with this number from 1.

    Raises `TypeError` if the table has an unsupported type. Raises `ValueError` if the column doesn't exist, or if the
    table already has a column with the name of an added column."""
    check_rows(table)
    names = list(table.schema.names if is_of("pyarrow", table) else table.columns)
    if isinstance(column, int) and not 1 <= column <= len(names):
        raise ValueError(f"column={column}: the table has {len(names)} columns, numbered from 1")
    name = names[column - 1] if isinstance(column, int) else column
    if name not in names:
        raise ValueError(f"there is no column {name!r}; choose from {', '.join(map(str, names))}")
    for other in added:
        if other in names:
            raise ValueError(f"the table has a column {other!r} already: rename it, or choose another name for the new column if the function has an option for it")
    return table.column(name) if is_of("pyarrow", table) else table[name]


def check_rows(table: Any) -> None:
    """Raises `TypeError` unless rows of the table can be selected."""
    kind = type(table).__name__
    if not _is_frame(table) and not (is_of("pyarrow", table) and kind in ("Table", "RecordBatch")):
        raise _refused(table, "is no table of pyarrow, and no frame of polars or pandas")


def last_values(table: Any) -> list[Any]:
    """Returns the values of the last column, with `None` for missing values."""
    if is_of("pyarrow", table):
        values: list[Any] = table.column(table.num_columns - 1).to_pylist()
        return values
    if is_of("polars", table):
        return list(table[table.columns[-1]].to_list())
    column = table.iloc[:, -1].astype(object)
    return list(column.where(column.notna(), None))


def rows_of(table: Any, index: npt.NDArray[np.int64]) -> Any:
    """Returns the rows with these numbers, from 0."""
    if is_of("pandas", table):
        return table.iloc[index]
    if is_of("polars", table):
        return table[index]
    import pyarrow as pa

    return table.take(pa.array(index))


def with_columns(table: Any, added: dict[str, tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]]) -> Any:
    """Appends columns to a table. `added` has for each column its values, and a mask of the rows without a value."""
    import numpy as np

    if is_of("pandas", table):
        import pandas as pd

        arrays: dict[str, Any] = {}
        for name, (values, missing) in added.items():
            if values.dtype.kind in "iu":
                arrays[name] = pd.arrays.IntegerArray(values.astype(np.int64), missing)
            elif values.dtype.kind == "f":
                arrays[name] = pd.arrays.FloatingArray(values.copy(), missing)
            elif values.dtype.kind == "b":
                arrays[name] = pd.arrays.BooleanArray(values.copy(), missing)
            else:
                arrays[name] = pd.array(values, dtype="string")
                arrays[name][missing] = pd.NA
        return table.assign(**arrays)
    if is_of("polars", table):
        import polars as pl

        columns = [
            pl.Series(name, values).scatter(np.flatnonzero(missing), None) if missing.any() else pl.Series(name, values)
            for name, (values, missing) in added.items()
        ]
        return table.with_columns(columns)
    import pyarrow as pa

    for name, (values, missing) in added.items():
        table = table.append_column(name, pa.array(values, mask=missing))
    return table


def _with_text_names(table: Any) -> Any:
    """Returns a frame of pandas with texts as the names of its columns, because other names don't exist in Arrow."""
    if not (is_of("pandas", table) and _is_frame(table)) or all(isinstance(name, str) for name in table.columns):
        return table
    return table.set_axis([str(name) for name in table.columns], axis=1)


def _is_frame(table: Any) -> bool:
    return type(table).__name__ == "DataFrame" and (is_of("polars", table) or is_of("pandas", table))


def _refused(table: Any, why: str) -> TypeError:
    kind = type(table).__name__
    return TypeError(f"{kind} {why}{'; collect() it first' if kind == 'LazyFrame' else ''}")
