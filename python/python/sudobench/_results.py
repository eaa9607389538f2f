"""The base class of results with many rows. A result is like a table: each row has a value, or none, in each column.

A result class holds NumPy arrays, and `_columns` names the columns that its rows have. The base class adds length,
index, slice and mask, pandas, polars, Arrow, and the display in notebooks."""

from __future__ import annotations

import dataclasses
import html
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar, cast, overload

from . import _sudobench
from ._display import board_html
from ._words import Words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd
    import polars as pl
    from typing_extensions import Self

    from ._types import Values

Row = TypeVar("Row")

SHOWN = 5
"""Number of rows that a notebook shows at the start and at the end of a result."""


@dataclass(frozen=True, eq=False)
class Origin:
    """Properties of the input puzzles that are stored in the results."""

    are_texts: bool = False
    """Whether the puzzles are texts. Tables of the results then hold boards as texts too."""
    index: pd.Index[Any] | None = None
    """The labels of the rows, if the puzzles are a series of pandas."""
    shown: dict[int, bytes] = field(default_factory=dict)
    """The cells of the puzzles in the first and the last rows, by row, for notebooks."""


class Column(NamedTuple):
    """A column of a result."""

    values: Values | None
    """The values, or `None` if the column was not requested. Values are numbers, truth values, boards of shape (N, 81),
    `Words`, an array of texts, or a dictionary of texts by row number."""
    present: npt.NDArray[np.bool_] | None = None
    """A mask of the rows that have a value. If it is `None`, every row has a value, except rows that a dictionary lacks and rows whose word
    is empty."""


@dataclass(frozen=True, eq=False, repr=False)
class Results(Generic[Row]):
    """Results for many rows, in order.

    A position gives the result of one row. A slice, a mask or an array of positions gives the results of several rows.
    `to_pandas()`, `to_polars()` and `pyarrow.table(results)` convert the results to a table, in which missing values are
    null. DuckDB and other programs that read Arrow streams accept the results as a table too."""

    _origin: Origin = field(default_factory=Origin, kw_only=True)

    _record: ClassVar[type[Any] | None] = None
    """The class of one row, with the names of the columns as fields. Without it, a row is a dictionary."""
    _of_all: ClassVar[tuple[str, ...]] = ()
    """The fields that do not hold one value for each row. Slices keep them as they are, except `Deduped.inverse`."""

    def _columns(self) -> dict[str, Column]:
        """Returns the columns, by name."""
        raise NotImplementedError

    def _present_columns(self) -> dict[str, tuple[Values, npt.NDArray[np.bool_] | None]]:
        return {name: (values, present) for name, (values, present) in self._columns().items() if values is not None}

    def __len__(self) -> int:
        return len(getattr(self, dataclasses.fields(self)[1].name))

    def __repr__(self) -> str:
        return f"<sudobench.{type(self).__name__} of {len(self):,} puzzles>"

    @overload
    def __getitem__(self, key: int) -> Row: ...
    @overload
    def __getitem__(
        self, key: slice | list[int] | list[bool] | npt.NDArray[np.integer[Any]] | npt.NDArray[np.bool_]
    ) -> Self: ...
    def __getitem__(self, key: Any) -> Row | Self:
        import numpy as np

        try:
            position = operator.index(key)
        except TypeError:
            return self._take(np.arange(len(self))[key])
        one = self._take(np.array([range(len(self))[position]]))
        return one._row(0, one._columns())

    def __iter__(self) -> Iterator[Row]:
        columns = self._columns()
        return (self._row(row, columns) for row in range(len(self)))

    def _row(self, row: int, columns: Mapping[str, Column]) -> Row:
        values = {name: _value(column, row) for name, column in columns.items()}
        return cast(Row, values if self._record is None else self._record(**values))

    def _take(self, rows: npt.NDArray[np.intp]) -> Self:
        """Returns the rows with these positions."""
        parts: dict[str, Any] = {}
        for name in (each.name for each in dataclasses.fields(self) if each.name not in (*self._of_all, "_origin")):
            values = getattr(self, name)
            if isinstance(values, dict):
                parts[name] = _notes_of(values, rows)
            else:
                parts[name] = None if values is None else values[rows]
        return dataclasses.replace(self, **parts, _origin=taken(self._origin, rows))

    def to_pandas(self) -> pd.DataFrame:
        """Returns the columns as a frame of pandas. Boards are texts of 81 characters, and columns of `Words` are
        categorical. Where a row has no value, the frame has a missing value.

        Rows that come from a series of pandas have the labels of the series, so you can join them to the frame of the
        series. Other rows are numbered from 0."""
        import pandas as pd

        index = pd.RangeIndex(len(self)) if self._origin.index is None else self._origin.index.copy()
        arrays = {name: for_pandas(values, present, len(self)) for name, (values, present) in self._present_columns().items()}
        return pd.DataFrame(arrays, index=index, copy=False)

    def to_polars(self) -> pl.DataFrame:
        """Returns the columns as a frame of polars. Boards are lists of 81 numbers if the puzzles were numbers, and texts
        otherwise."""
        import polars as pl

        return pl.DataFrame(self)

    def _to_arrow(self) -> _sudobench.SolvedTable:
        columns = [(name, _contiguous(values), present) for name, (values, present) in self._present_columns().items()]
        return _sudobench.results_to_arrow(len(self), columns, self._origin.are_texts)

    def __arrow_c_schema__(self) -> object:
        """Returns the schema of the columns."""
        return self._to_arrow().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Returns the columns as a table of Arrow, for pyarrow, polars, DuckDB and others. Boards are lists of 81
        numbers if the puzzles were numbers, and texts otherwise. The values are copied."""
        return self._to_arrow().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        """Returns the first and the last rows as a table, for notebooks. Boards are grids, in which errors are red; if
        the puzzle of a solution is known, clues are bold and filled cells are blue."""
        columns = {name: column for name, column in self._html_columns().items() if column.values is not None}
        rows = range(len(self))
        parts = [rows] if len(rows) <= 2 * SHOWN else [rows[:SHOWN], rows[-SHOWN:]]
        head = "".join(f"<th>{html.escape(name)}</th>" for name in ("", *columns))
        gap = f'<tr><td colspan="{len(columns) + 1}">&hellip;</td></tr>'
        bodies = ["".join(self._html_row(row, columns) for row in part) for part in parts]
        return f"<p>{html.escape(repr(self))}</p><table><thead><tr>{head}</tr></thead><tbody>{gap.join(bodies)}</tbody></table>"

    def _html_columns(self) -> dict[str, Column]:
        """Returns the columns that notebooks show, by name."""
        return self._columns()

    def _html_row(self, row: int, columns: Mapping[str, Column]) -> str:
        cells = "".join(f"<td>{self._html_cell(row, name, column)}</td>" for name, column in columns.items())
        return f"<tr><td>{row}</td>{cells}</tr>"

    def _html_cell(self, row: int, name: str, column: Column) -> str:
        """Returns the value of a row in a column as HTML."""
        value = _value(column, row)
        if value is None:
            return ""
        if are_boards(column.values):
            board = cast("npt.NDArray[np.uint8]", column.values)[row]
            return board_html(board.tolist(), self._clues(name, row))
        return html.escape(str(value))

    def _clues(self, column: str, row: int) -> Sequence[int] | None:
        """Returns the puzzle that a board in this column solves, if it is known."""
        return None


class Boards(Results[Row]):
    """Results that hold boards."""

    def text(self, column: str | None = None) -> list[str | None]:
        """Returns the boards as texts of 81 characters, in which `.` is a blank; `None` if a row has no board.

        - `column`: the column. By default, it is the first column of boards."""
        columns = {name: column for name, column in self._present_columns().items() if are_boards(column[0])}
        if column is not None and column not in columns:
            raise ValueError(f"column={column!r}: choose from {', '.join(columns)}")
        boards, present = columns[column or next(iter(columns))]
        texts: list[str | None] = list(texts_of(cast("npt.NDArray[np.uint8]", boards)))
        return texts if present is None else [text if is_so else None for text, is_so in zip(texts, present.tolist())]


def taken(origin: Origin, rows: npt.NDArray[np.integer[Any]]) -> Origin:
    """Returns the origin of the rows with these positions."""
    index = None if origin.index is None else origin.index.take(rows)
    shown = {}
    if origin.shown:
        shown = {at: origin.shown[row] for at, row in enumerate(rows.tolist()) if row in origin.shown}
    return Origin(origin.are_texts, index, shown)


def texts_of(boards: npt.NDArray[np.uint8]) -> list[str]:
    """Returns boards as texts of 81 characters, in which `.` is a blank."""
    import numpy as np

    letters = np.frombuffer(b".123456789", dtype=np.uint8)[boards].tobytes().decode()
    return [letters[at : at + 81] for at in range(0, len(letters), 81)]


def are_boards(values: Any) -> bool:
    """Returns whether values are boards: an array of shape (N, 81)."""
    return getattr(values, "ndim", 1) == 2 and values.dtype.kind == "u"


def _notes_of(notes: dict[int, str], rows: npt.NDArray[np.intp]) -> dict[int, str]:
    import numpy as np

    noted = np.flatnonzero(np.isin(rows, list(notes))) if len(rows) > 1 else range(len(rows))
    return {int(at): notes[int(rows[at])] for at in noted if int(rows[at]) in notes}


def _value(column: Column, row: int) -> Any:
    """Returns the value of a row as an object of Python, or `None` if there is no value."""
    import numpy as np

    values, present = column
    if values is None or (present is not None and not present[row]):
        return None
    if isinstance(values, dict):
        return values.get(row)
    if isinstance(values, Words):
        return values[row] or None
    if are_boards(values):
        return texts_of(values[row])[0]
    return tuple(np.flatnonzero(values[row]).tolist()) if values.ndim == 2 else values[row].item()


def for_pandas(values: Values, present: npt.NDArray[np.bool_] | None, rows: int) -> Any:
    """Returns the values of a column as an array for a frame of pandas. See `Column`."""
    import numpy as np
    import pandas as pd

    if isinstance(values, Words):
        words = values if present is None else values.where(present)
        return pd.Categorical.from_codes(words.codes, pd.Index(words.categories))
    if isinstance(values, dict):
        return pd.array([values.get(row) for row in range(rows)], dtype=object)
    if are_boards(values):
        return _boards_for_pandas(values, present)
    if values.ndim == 2 or values.dtype.kind == "U":
        series = pd.Series(_names_of(values), dtype=str, index=range(rows))
        return (series if present is None else series.where(present, None)).array
    if present is None:
        return values
    masked = {"b": pd.arrays.BooleanArray, "f": pd.arrays.FloatingArray}.get(values.dtype.kind, pd.arrays.IntegerArray)
    return masked(values, ~present)


def _boards_for_pandas(boards: npt.NDArray[np.uint8], present: npt.NDArray[np.bool_] | None) -> Any:
    """Returns boards as texts for a frame of pandas."""
    import numpy as np
    import pandas as pd

    try:
        import pyarrow as pa

        # pandas 3 can store strings in an Arrow array. This takes less memory than an object for each string.
        letters = np.frombuffer(b".123456789", dtype=np.uint8)[boards]
        offsets = np.arange(len(letters) + 1, dtype=np.int64) * 81
        valid = None if present is None else pa.py_buffer(np.packbits(present, bitorder="little"))
        buffers = [valid, pa.py_buffer(offsets), pa.py_buffer(letters)]
        return pd.array(pa.Array.from_buffers(pa.large_string(), len(letters), buffers), dtype="str")
    except (ImportError, TypeError):
        # pyarrow is not installed, or this is an older pandas.
        series = pd.Series(texts_of(boards), dtype=str, index=range(len(boards)))
        return (series if present is None else series.where(present, None)).array


def _names_of(values: npt.NDArray[Any]) -> list[str]:
    """Returns the texts of an array, or the cells of each row of a mask as a text such as `r1c2 r3c4`."""
    if values.ndim == 1:
        return [str(text) for text in values.tolist()]
    return [" ".join(f"r{cell // 9 + 1}c{cell % 9 + 1}" for cell in row.nonzero()[0].tolist()) for row in values]


def _contiguous(values: Values) -> Any:
    import numpy as np

    if isinstance(values, dict):
        return values
    if isinstance(values, Words):
        return np.ascontiguousarray(values.codes), values.categories
    return values.tolist() if values.dtype.kind == "U" else np.ascontiguousarray(values)
