"""Tables: of whatever kind they are, they come back as that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _sudobench
from ._puzzles import is_arrow, is_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ._types import SolvingOptions


def add_columns(
    table: Any,
    column: str | int | None,
    solution_column: str | int | None,
    verb: str,
    columns: str | Sequence[str],
    options: SolvingOptions,
) -> Any:
    """The table with columns of a verb behind its own. See `solve_table`."""
    names = [columns] if isinstance(columns, str) else list(columns)
    return as_it_came(
        table, lambda whole: _sudobench.add_columns(table, column, solution_column, verb, names, options, whole)
    )


def as_it_came(table: Any, make: Callable[[bool], _sudobench.SolvedTable]) -> Any:
    """What is made of a table, as a table of its kind. It is made now, or, if it is not taken as a whole, as it is read."""
    if not is_arrow(table):
        hint = "; collect() it first" if type(table).__name__ == "LazyFrame" else ""
        raise TypeError(f"{type(table).__name__} has no __arrow_c_stream__, by which tables are read{hint}")
    kind = type(table).__name__
    is_frame = kind == "DataFrame" and (is_of("polars", table) or is_of("pandas", table))
    # A connection of DuckDB does one thing at a time: its relation is read before anything else is asked of it.
    is_whole = is_frame or kind in ("Table", "RecordBatch") or is_of("duckdb", table)
    made = make(is_whole)
    if is_of("polars", table) and is_whole:
        import polars as pl

        return pl.DataFrame(made)
    if is_of("pyarrow", table) or is_frame:
        import pyarrow as pa

        if kind == "RecordBatch":
            batches = list(pa.RecordBatchReader.from_stream(made))
            return batches[0] if len(batches) == 1 else pa.table(made).combine_chunks().to_batches()[0]
        if kind == "RecordBatchReader":
            return pa.RecordBatchReader.from_stream(made)
        return pa.table(made).to_pandas() if kind == "DataFrame" else pa.table(made)
    return made
