"""Tables: of whatever kind they are, they come back as that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _sudobench
from ._puzzles import is_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._types import SolvingOptions, Verb


def add_columns(
    table: Any,
    column: str | int | None,
    solution_column: str | int | None,
    verb: Verb,
    columns: str | Sequence[str],
    options: SolvingOptions,
) -> Any:
    """The table with columns of a verb behind its own. See `solve_table`."""
    if not hasattr(table, "__arrow_c_stream__") and not hasattr(table, "__arrow_c_array__"):
        hint = "; collect() it first" if type(table).__name__ == "LazyFrame" else ""
        raise TypeError(f"{type(table).__name__} has no __arrow_c_stream__, by which tables are read{hint}")
    kind = type(table).__name__
    is_frame = kind == "DataFrame" and (is_of("polars", table) or is_of("pandas", table))
    # A connection of DuckDB does one thing at a time: its relation is read before anything else is asked of it.
    is_whole = is_frame or kind in ("Table", "RecordBatch") or is_of("duckdb", table)
    names = [columns] if isinstance(columns, str) else list(columns)
    added = _sudobench.add_columns(table, column, solution_column, verb, names, options, is_whole)
    if is_of("polars", table) and is_whole:
        import polars as pl

        return pl.DataFrame(added)
    if is_of("pyarrow", table) or is_frame:
        import pyarrow as pa

        if kind == "RecordBatch":
            return pa.RecordBatchReader.from_stream(added).read_next_batch()
        if kind == "RecordBatchReader":
            return pa.RecordBatchReader.from_stream(added)
        return pa.table(added).to_pandas() if kind == "DataFrame" else pa.table(added)
    return added
