"""`dedupe`, of puzzles, tables and files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _sudobench
from ._puzzles import columns_of, is_of, solving_options

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class Deduped:
    """Which of many puzzles are the first of their class: what `numpy.unique` returns, but in the puzzles' own order."""

    index: npt.NDArray[np.int64]
    """The positions of the rows that are kept, from 0, ascending: `puzzles[deduped.index]` are the puzzles of an array without
    duplicates, `series.iloc[deduped.index]` those of a pandas series."""
    count: npt.NDArray[np.uint64]
    """How many rows are of the class of each that is kept; 0 where it holds no puzzle."""
    inverse: npt.NDArray[np.int64]
    """For each row where its class stands in `index` and `count`."""
    notes: dict[int, str]
    """Why rows are malformed, by their numbers from 0. They are no duplicates of each other: all are kept."""

    @property
    def duplicate(self) -> npt.NDArray[np.bool_]:
        """For each row whether an earlier one is of its class, as `pandas.DataFrame.duplicated` tells."""
        import numpy as np

        duplicate = np.ones(len(self.inverse), dtype=bool)
        duplicate[self.index] = False
        return duplicate

    def __len__(self) -> int:
        """How many are kept."""
        return len(self.index)

    def __repr__(self) -> str:
        return f"<sudobench.Deduped: {len(self):,} of {len(self.inverse):,} rows>"


def dedupe(
    puzzles: Iterable[Any],
    *,
    isomorph: bool = False,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> Deduped:
    """Finds the first of all equal puzzles, and how often each stands there.

    Puzzles are of the kinds that `solve` takes many of. They are equal where their 81 cells are, however blanks are written.

    - `isomorph`: those are equal too that rows, columns, bands, stacks, a transposition and new names for the digits make of
      each other: whose forms by `canonical` are equal.

    `threads` and `restore_zeros` are as in `solve`. Puzzles are known by 128 bits of their cells: that any two of n different
    ones are taken for the same has a probability of about n^2 / 2^129.
    """
    import numpy as np

    grid = "canonical" if isomorph else "puzzle"
    columns = columns_of(puzzles, "dedupe", [grid, "note"], solving_options(threads, restore_zeros))
    grids, notes = np.asarray(columns["canonical"] if isomorph else columns["puzzle"]), dict(columns["note"])
    index, count, inverse = _sudobench.classes(grids, list(notes))
    return Deduped(np.asarray(index), np.asarray(count), np.asarray(inverse), notes)


def dedupe_table(
    table: Any,
    column: str | int,
    *,
    isomorph: bool = False,
    count: str | None = "count",
    threads: int | None = None,
    restore_zeros: bool = False,
) -> Any:
    """Keeps the first of all rows whose puzzles are equal. Returns the rows that are kept, as `drop_duplicates` does.

    Tables are those of pyarrow (`Table`, `RecordBatch`), and frames of polars and pandas, whose index stays. They come back as
    what they were.

    - `column`: the puzzles' column, by its name or its number from 1.
    - `isomorph`: see `dedupe`.
    - `count`: the name of a column that tells how often each puzzle stands there, null where a row holds none. With `None`
      there is no such column.
    """
    import numpy as np

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
    if count is not None and count in names:
        raise ValueError(f"the table has a column {count!r}: give count=... another name, or None")
    puzzles = table.column(name) if is_of("pyarrow", table) else table[name]
    deduped = dedupe(puzzles, isomorph=isomorph, threads=threads, restore_zeros=restore_zeros)
    is_malformed = deduped.count == 0
    if is_of("pandas", table):
        import pandas as pd

        kept = table.iloc[deduped.index]
        counts = deduped.count.astype(np.int64)
        return kept if count is None else kept.assign(**{count: pd.arrays.IntegerArray(counts, is_malformed)})
    if is_of("polars", table):
        import polars as pl

        kept = table[deduped.index]
        if count is None:
            return kept
        counted = pl.Series(count, deduped.count).scatter(np.flatnonzero(is_malformed), None)
        return kept.with_columns(counted)
    import pyarrow as pa

    kept = table.take(pa.array(deduped.index))
    return kept if count is None else kept.append_column(count, pa.array(deduped.count, mask=is_malformed))
