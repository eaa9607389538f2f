"""`dedupe`, of puzzles, tables and files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _sudobench
from ._files import Finished, fields_of, file_options, inputs_of, warn_not_compared
from ._progress import Progress
from ._puzzles import columns_of, is_of, solving_options

if TYPE_CHECKING:
    import os
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


@dataclass(frozen=True)
class FinishedDedupe(Finished):
    """What became of a file whose duplicates were left out. `left_out` tells of them and of what `only` left out."""

    distinct: int
    """Puzzles that are different, or with `isomorph` not isomorphic."""
    duplicates: int
    """Rows whose puzzle stands in an earlier one."""
    groups: int
    """Puzzles that stand in several rows."""
    largest: int
    """The most rows that one of them stands in."""
    of_other_parts: int
    """Rows whose puzzle is of another part."""


def dedupe_file(
    input: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    isomorph: bool = False,
    part: str | None = None,
    columns: str | Sequence[str] | None = None,
    only: str | Sequence[str] | None = None,
    resume: bool = False,
    force: bool = False,
    progress: bool = False,
    input_format: str | None = None,
    output_format: str | None = None,
    puzzle_column: str | int | None = None,
    header: bool | None = None,
    skip: int = 0,
    limit: int | None = None,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> FinishedDedupe | None:
    """Keeps the first of all equal puzzles of a file, or of several, as the command `sudobench dedupe` does.

    The files are read twice. Each different puzzle takes about 36 bytes of memory.

    - `isomorph`: see `dedupe`.
    - `part`: such as `"3/16"`, looks at that part of all different puzzles alone, wherever they stand, in that part of the
      memory. What all parts keep is together what is kept without parts.
    - `columns`: those to add, of count, canonical and note, or `"all"`; `["count"]` where nothing is said.
    - `only`: of what is kept, write only the rows that meet these conditions; see `solve_file`.

    The rest is as in `solve_file`.
    """
    files = file_options(
        columns=columns,
        only=only,
        input_format=input_format,
        output_format=output_format,
        puzzle_column=puzzle_column,
        header=header,
        skip=skip,
        limit=limit,
        force=force,
        resume=resume,
    )
    options = solving_options(threads, restore_zeros)
    with Progress(progress) as told:
        finished = _sudobench.dedupe_file(inputs_of(input), output, isomorph, part, options, files, told)
    if finished is None:
        warn_not_compared(output, 3)
        return None
    answers, found = finished
    return FinishedDedupe(**fields_of(answers), **found)
