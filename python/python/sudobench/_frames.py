"""Tables whose rows are taken: those of pyarrow, and frames of polars and pandas. They come back as what they were."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._puzzles import is_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def column_of(table: Any, column: str | int, added: list[str]) -> Any:
    """The puzzles of a table: its column of that name, or of that number from 1.

    Raises `TypeError` for what is no such table, and `ValueError` if there is no such column, or one of those that are added."""
    kind = type(table).__name__
    is_frame = kind == "DataFrame" and (is_of("polars", table) or is_of("pandas", table))
    if not is_frame and not (is_of("pyarrow", table) and kind in ("Table", "RecordBatch")):
        hint = "; collect() it first" if kind == "LazyFrame" else ""
        raise TypeError(f"{kind} is no table of pyarrow, and no frame of polars or pandas{hint}")
    names = list(table.schema.names if is_of("pyarrow", table) else table.columns)
    if isinstance(column, int) and not 1 <= column <= len(names):
        raise ValueError(f"column={column}: the table has {len(names)} columns, numbered from 1")
    name = names[column - 1] if isinstance(column, int) else column
    if name not in names:
        raise ValueError(f"no column is called {name!r}; there are {', '.join(map(str, names))}")
    for other in added:
        if other in names:
            raise ValueError(f"the table has a column {other!r} already: rename it, or give the new one another name if you can")
    return table.column(name) if is_of("pyarrow", table) else table[name]


def rows_of(table: Any, index: npt.NDArray[np.int64]) -> Any:
    """The rows of these numbers."""
    if is_of("pandas", table):
        return table.iloc[index]
    if is_of("polars", table):
        return table[index]
    import pyarrow as pa

    return table.take(pa.array(index))


def with_columns(table: Any, added: dict[str, tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]]) -> Any:
    """The table with columns behind its own: values, and where there are none."""
    import numpy as np

    if is_of("pandas", table):
        import pandas as pd

        arrays: dict[str, Any] = {}
        for name, (values, missing) in added.items():
            if values.dtype.kind in "iu":
                arrays[name] = pd.arrays.IntegerArray(values.astype(np.int64), missing)
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
