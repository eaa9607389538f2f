"""Tables of several libraries. For an object of pyarrow, polars or pandas, the result has the type of this object. For any other object,
the result is a `SolvedTable`.

`add_columns` and `through_arrow` accept any stream of Arrow. `column_of`, `rows_of` and `with_columns` need a table of
pyarrow, polars or pandas."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, cast, overload

from . import _sudobench
from ._progress import shown
from ._puzzles import is_arrow, is_of, labels_of, names_of, readable
from ._results import for_pandas

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
    """For type checkers: a function whose result has the type of its table. For a relation of DuckDB, the result is a `SolvedTable`."""

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
    names = names_of(columns)
    return through_arrow(
        table,
        lambda rows, whole, count, told: _sudobench.add_columns(
            rows, column, solution_column, verb, names, options, whole, count, told
        ),
        progress,
    )


def through_arrow(
    table: Any,
    work: Callable[[Any, bool, int | None, OnProgress | None], _sudobench.SolvedTable],
    progress: bool | OnProgress,
    makes_forms: bool = False,
) -> Any:
    """Returns the result of `work` for a table, with the type of the table. For a frame, a table, a record batch or a
    relation of DuckDB, the result is computed now. For any other stream, each batch is computed when it is read.

    The arguments of `work` are the table as an object of Arrow, whether to compute the result now, the number of rows if it
    is known, and the function to call with the progress. `work` returns all columns of the table, followed by added columns.

    Without `makes_forms`, `work` returns the rows of the table. With `makes_forms`, it returns one or more forms of each row.
    If the table is a frame, the forms then contain only boards and nulls, and a column directly before the added columns has
    the number of the row that each form was made from."""
    if not is_arrow(table):
        raise _refused(table, "has no __arrow_c_stream__, so it cannot be read as a table")
    is_pandas, kind = is_frame(table, "pandas"), type(table).__name__
    # A connection of DuckDB runs one query at a time, so a relation is read completely now, before the caller's next query. In DuckDB
    # 1.5, the class of relations is in `_duckdb`.
    is_relation = is_of("duckdb", table) or is_of("_duckdb", table)
    is_whole = is_frame(table) or kind in ("Table", "RecordBatch") or is_relation
    count = None
    if is_frame(table) or is_of("pyarrow", table):
        count = len(table) if hasattr(table, "__len__") else getattr(table, "num_rows", None)
    given = _as_arrow(table, makes_forms)
    made = shown(progress, lambda told: work(given, is_whole, count, told))
    if is_frame(table, "polars"):
        import polars as pl

        result = pl.DataFrame(made)
        frame = table
        if makes_forms:
            frame = table[result[:, table.width]]
            for forms, column in zip(result, frame):
                if forms.null_count() < len(forms):
                    frame = frame.with_columns(forms.zip_with(forms.is_not_null(), column.cast(forms.dtype)))
        return frame.hstack(result[:, table.width + makes_forms :])
    if is_pandas:
        import pyarrow as pa

        result = pa.table(made)
        frame = _with_forms(table, result) if makes_forms else table
        added = result.select(list(range(given.num_columns + makes_forms, result.num_columns))).to_pandas()
        return _appended(frame, {name: added[name].array for name in added})
    if is_of("pyarrow", table):
        import pyarrow as pa

        if kind == "RecordBatch":
            batches = list(pa.RecordBatchReader.from_stream(made))
            return batches[0] if len(batches) == 1 else pa.table(made).combine_chunks().to_batches()[0]
        return pa.RecordBatchReader.from_stream(made) if kind == "RecordBatchReader" else pa.table(made)
    return made


def _as_arrow(table: Any, makes_forms: bool) -> Any:
    """Returns a frame as an object of Arrow, and any other table as it is. For a frame of pandas, the named levels of the
    index come after the columns, so that the columns keep their numbers. With `makes_forms`, these levels are left out."""
    if is_frame(table, "polars"):
        return table.with_columns([readable(column) for column in table])
    if not is_frame(table, "pandas"):
        return table
    import pyarrow as pa

    columns = [(name, table.iloc[:, at]) for at, name in enumerate(table.columns)]
    if not makes_forms:
        levels = enumerate(table.index.names)
        columns += [(name, table.index.get_level_values(level)) for level, name in levels if name is not None]
    return pa.Table.from_arrays([_array_of(values) for _, values in columns], names=[_name_of(name) for name, _ in columns])


def _name_of(name: Any) -> str:
    """Returns the name of a column as a text that Arrow can hold."""
    return str(name).encode(errors="replace").decode()


def _array_of(series: Any) -> Any:
    """Returns a column of pandas as an array of pyarrow.

    If the values have no common Arrow type, lists become texts, and all other values except texts become null. If all values
    become null, the array has a number type, so it is refused as a column of puzzles."""
    import pyarrow as pa

    try:
        array = pa.array(series)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        texts = [value if _is_text(value) else _text_of(value) for value in series]
        return pa.array(texts, None if any(text is not None for text in texts) else pa.int64())
    return array.cast(pa.string()) if pa.types.is_null(array.type) else array


def _is_text(value: Any) -> bool:
    """Returns whether a value is a text that Arrow can hold."""
    try:
        return isinstance(value, bytes) or isinstance(value, str) and value.encode() is not None
    except UnicodeEncodeError:
        return False


def _text_of(value: Any) -> str | None:
    """Returns a board in lists as a text. A cell that is not one ASCII character becomes `?`, and so do all cells if there
    are not 81 of them. Returns `None` if the value is no list."""
    if not _is_list(value):
        return None
    cells = [str(cell) for row in value for cell in (row if _is_list(row) else [row])]
    is_board = len(cells) == 81
    return "".join(cell if is_board and len(cell) == 1 and cell.isascii() else "?" for cell in cells)


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or is_of("numpy", value) and getattr(value, "ndim", 0) > 0


def _appended(frame: Any, columns: dict[str, Any]) -> Any:
    """Returns a frame of pandas with these columns after its own."""
    frame = frame.copy(deep=False)
    other_levels = ("",) * (frame.columns.nlevels - 1)
    for name, values in columns.items():
        frame[(name, *other_levels) if other_levels else name] = values
    return frame


def _with_forms(table: Any, result: Any) -> Any:
    """Returns a frame of pandas with a row for each form. A value that is not a board comes
    from the row that the form was made from."""
    import pandas as pd

    width = len(table.columns)
    frame = table.iloc[result.column(width).to_numpy()]
    for at, forms in enumerate(result.columns[:width]):
        if forms.null_count == len(forms):
            continue
        column = frame.iloc[:, at]
        # A categorical column cannot hold forms, because they are not among its categories. So the column gets the type of the categories.
        kind = column.dtype.categories.dtype if isinstance(column.dtype, pd.CategoricalDtype) else column.dtype
        values = forms.to_pandas().set_axis(frame.index).astype(kind)
        frame.isetitem(at, values.where(values.notna(), column.astype(kind)))
    return frame


def column_of(table: Any, column: Any, added: list[str]) -> Any:
    """Returns a column of a table, given its name or its number (counted from 1).

    Raises `TypeError` if the table has an unsupported type. Raises `ValueError` if the column doesn't exist, if
    several columns have this name, or if the table already has a column with the name of an added column."""
    check_rows(table)
    names = list(table.schema.names if is_of("pyarrow", table) else table.columns)
    try:
        number = operator.index(column)
    except TypeError:
        if column not in names:
            raise ValueError(f"there is no column {column!r}; choose from {', '.join(map(str, names))}") from None
        if names.count(column) > 1:
            raise ValueError(f"{names.count(column)} columns are named {column!r}: give the number of the column instead, from 1") from None
        number = names.index(column) + 1
    if not 1 <= number <= len(names):
        raise ValueError(f"column={number}: the table has {len(names)} columns, numbered from 1")
    for other in added:
        if other in names:
            raise ValueError(f"the table has a column {other!r} already: rename it, or choose another name for the new column if the function has an option for it")
    return _column_at(table, number - 1)


def check_rows(table: Any) -> None:
    """Raises `TypeError` unless rows of the table can be selected."""
    kind = type(table).__name__
    if not is_frame(table) and not (is_of("pyarrow", table) and kind in ("Table", "RecordBatch")):
        raise _refused(table, "is no table of pyarrow, and no frame of polars or pandas")


def last_values(table: Any) -> list[Any]:
    """Returns the values of the last column, with `None` for missing values."""
    return labels_of(_column_at(table, -1))


def _column_at(table: Any, place: int) -> Any:
    if is_of("pandas", table):
        return table.iloc[:, place]
    return table.to_series(place) if is_of("polars", table) else table.column(place)


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
        return _appended(table, {name: for_pandas(values, ~missing, len(table)) for name, (values, missing) in added.items()})
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


def is_frame(table: Any, *packages: str) -> bool:
    """Returns whether a table is a frame of one of these packages. If no package is given: of polars or pandas."""
    is_one = any(base.__name__ == "DataFrame" for base in type(table).__mro__)
    return is_one and any(is_of(package, table) for package in packages or ("polars", "pandas"))


def _refused(table: Any, why: str) -> TypeError:
    kind = type(table).__name__
    return TypeError(f"{kind} {why}{'; collect() it first' if kind == 'LazyFrame' else ''}")
