"""The functions `dedupe` and `dedupe_table`."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from . import _sudobench
from ._puzzles import columns_of, origin_of, read_many
from ._results import Column, Results, taken
from ._tables import column_of, keeps_type, rows_of, with_columns

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt

    from ._progress import OnProgress
    from ._types import SolvingOptions


@dataclass(frozen=True, eq=False, repr=False)
class Deduped(Results[dict[str, Any]]):
    """The classes of equal puzzles. This is like the result of `numpy.unique`, but in the order of the puzzles."""

    index: npt.NDArray[np.int64]
    """The positions of the kept rows, from 0, in ascending order. `puzzles[deduped.index]` are the puzzles of an array
    without duplicates, and `series.iloc[deduped.index]` the puzzles of a pandas series."""
    count: npt.NDArray[np.uint64]
    """For each kept row, the number of rows of its class; 0 for a malformed row."""
    inverse: npt.NDArray[np.int64]
    """For each row, the position of its class in `index` and `count`; -1 if a slice or a mask left out the class."""
    notes: dict[int, str]
    """For each malformed row, its number from 0 and the reason. All malformed rows are kept."""

    _of_all: ClassVar[tuple[str, ...]] = ("inverse", "notes")

    @property
    def duplicate(self) -> npt.NDArray[np.bool_]:
        """For each row, whether an earlier row belongs to the same class, like `pandas.DataFrame.duplicated`. False for
        the rows of classes that a slice or a mask left out."""
        import numpy as np

        duplicate = self.inverse >= 0
        duplicate[self.index] = False
        return duplicate

    def _columns(self) -> dict[str, Column]:
        notes = {at: self.notes[row] for at, row in enumerate(self.index.tolist()) if row in self.notes} if self.notes else {}
        return {"index": Column(self.index), "count": Column(self.count, self.count > 0), "note": Column(notes)}

    def _take(self, rows: npt.NDArray[np.intp]) -> Deduped:
        import numpy as np

        # If an earlier slice left out the class of a row, `inverse` is -1. The index -1 selects the last item of `places`, which stays -1.
        places = np.full(len(self) + 1, -1)
        places[rows] = np.arange(len(rows))
        return dataclasses.replace(super()._take(rows), inverse=places[self.inverse])

    def __repr__(self) -> str:
        return f"<sudobench.Deduped: {len(self):,} of {len(self.inverse):,} rows>"


def dedupe(
    puzzles: Iterable[Any],
    *,
    isomorph: bool = False,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Deduped:
    """Finds the first row of each puzzle, and how often the puzzle occurs.

    Takes many puzzles, in the same forms as `solve`. Puzzles are equal if their 81 cells are equal. It doesn't matter
    how blanks are written.

    - `isomorph`: equivalent puzzles count as equal too. Puzzles are equivalent if `canonical` gives the same form.

    `threads`, `restore_zeros` and `progress` are as in `solve`. Puzzles are compared by a fingerprint of 128 bits. The
    probability that any two of n different puzzles wrongly count as equal is about n^2 / 2^129."""
    import numpy as np

    grid = "canonical" if isomorph else "puzzle"
    rows = read_many(puzzles, "dedupe", restore_zeros)
    options: SolvingOptions = {"threads": threads, "restore_zeros": restore_zeros}
    columns = columns_of(rows, "dedupe", [grid, "note"], options, progress)
    notes = columns["note"]
    index, count, inverse = _sudobench.classes(columns[grid], list(notes))
    kept = np.asarray(index)
    return Deduped(kept, np.asarray(count), np.asarray(inverse), notes, _origin=taken(origin_of(rows), kept))


@keeps_type
def dedupe_table(
    table: Any,
    column: str | int,
    *,
    isomorph: bool = False,
    count: str | None = "count",
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Any:
    """Keeps the first of the rows with equal puzzles. Returns the kept rows, like `drop_duplicates`.

    Takes `Table` and `RecordBatch` of pyarrow, and frames of polars and pandas. The result has the same type and index.

    - `column`: the column of puzzles, by its name or its number from 1.
    - `isomorph`: see `dedupe`.
    - `count`: the name of a column with the number of times that each puzzle occurs; null for a malformed row.
      `None`: no such column."""
    puzzles = column_of(table, column, [] if count is None else [count])
    deduped = dedupe(puzzles, isomorph=isomorph, threads=threads, restore_zeros=restore_zeros, progress=progress)
    added = {} if count is None else {count: (deduped.count, deduped.count == 0)}
    return with_columns(rows_of(table, deduped.index), added)
