"""Puzzles in memory, of whatever kind: sorted here, answered by `_sudobench`."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, overload

from . import _sudobench
from ._results import Origin, Results, Words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from ._sudobench import Memory
    from ._types import RawColumns, SolvingOptions

NO_NUMBERS = "puzzles are text: as numbers they lose their leading zeros; read them with dtype=str"


P = ParamSpec("P")
One = TypeVar("One", covariant=True)
Many = TypeVar("Many", covariant=True)


class OneOrMany(Protocol[P, One, Many]):
    """A function that accepts one puzzle or many. An array may be either, so its result is not typed."""

    @overload
    def __call__(self, puzzles: str | bytes, *args: P.args, **options: P.kwargs) -> One: ...
    @overload
    def __call__(self, puzzles: npt.NDArray[np.integer[Any]], *args: P.args, **options: P.kwargs) -> Any: ...
    @overload
    def __call__(self, puzzles: Iterable[Any], *args: P.args, **options: P.kwargs) -> Many: ...


def accepts_one(
    one: Callable[[Many], One], **options_of_one: Any
) -> Callable[[Callable[Concatenate[Any, P], Many]], OneOrMany[P, One, Many]]:
    """Makes a function of many puzzles accept one puzzle as well. `one` turns the results into the result of one puzzle.

    For one puzzle, the function is called with `options_of_one`, and a malformed puzzle raises `ValueError`."""

    def decorate(function: Callable[Concatenate[Any, P], Many]) -> OneOrMany[P, One, Many]:
        @functools.wraps(function)
        def wrapper(puzzles: Any, *args: Any, **options: Any) -> Any:
            puzzles, is_one = one_or_many(puzzles)
            results: Any = function(puzzles, *args, **{**options, **(options_of_one if is_one else {})})
            if is_one and results.notes:
                raise ValueError(results.notes[0])
            return one(results) if is_one else results

        return wrapper

    return decorate


def first(results: Results[One]) -> One:
    """Returns the result of one puzzle, for `accepts_one`."""
    return results[0]


class Columns(dict[str, Any]):
    """The columns of a verb for many puzzles, by name, and the origin of the rows."""

    origin: Origin = Origin()


def chosen(columns: str | Sequence[str], known: Sequence[str], always: Sequence[str] = ()) -> list[str]:
    """Returns the names of the columns, and after them the names in `always` that are missing. `"all"` stands for all that are known.

    Raises `ValueError` for an unknown name."""
    names = [name.strip() for name in ",".join([columns] if isinstance(columns, str) else columns).split(",")]
    names = list(known) if names == ["all"] else names
    for name in names:
        if name not in [*known, *always]:
            raise ValueError(f"there is no column `{name}`; choose from {', '.join(known)}, or `all`")
    return [*names, *(name for name in always if name not in names)]


def one_or_many(puzzles: Any) -> tuple[Any, bool]:
    """Returns the puzzles, and whether there is only one: a text, or an array that is one board. One puzzle comes back as a
    text in a list.

    Raises `ValueError` if a cell of the one board is not 0 to 9."""
    if isinstance(puzzles, (str, bytes)):
        return [puzzles.encode(errors="replace") if isinstance(puzzles, str) else puzzles], True
    if is_arrow(puzzles) or is_of("pandas", puzzles) or not hasattr(puzzles, "__array__"):
        return puzzles, False
    import numpy as np

    array = np.asarray(puzzles)
    if not is_board(array):
        return array, False
    cells = array.reshape(81)
    wrong = np.flatnonzero((cells < 0) | (cells > 9))
    if len(wrong):
        raise ValueError(f"cell {wrong[0]} holds {cells[wrong[0]]}, which is neither a digit nor 0 for a blank")
    return [(cells.astype(np.uint8) + np.uint8(ord("0"))).tobytes()], True


def is_board(array: npt.NDArray[Any]) -> bool:
    """Whether an array is one puzzle."""
    return array.dtype.kind in "iu" and array.shape in ((81,), (9, 9))


def are_boards(array: npt.NDArray[Any]) -> bool:
    """Returns whether an array has the shape of many boards."""
    return array.ndim == 2 and array.shape[1] == 81 or array.ndim == 3 and array.shape[1:] == (9, 9)


def columns_of(puzzles: Any, verb: str, columns: list[str], options: SolvingOptions) -> Columns:
    """Returns the columns of a verb for many puzzles of any kind that `solve` takes."""
    index = getattr(puzzles, "index", None) if is_of("pandas", puzzles) else None
    raw, are_texts = _raw_columns_of(puzzles, verb, columns, options)
    arrays = Columns(as_arrays(raw))
    arrays.origin = Origin(are_texts, index)
    return arrays


def as_arrays(columns: RawColumns) -> dict[str, Any]:
    """Makes NumPy arrays of numbers, `Words`, and dictionaries of texts: the number of the row, and its text."""
    import numpy as np

    def of(column: Memory | tuple[Memory, list[str]] | list[tuple[int, str]]) -> Any:
        if isinstance(column, tuple):
            return Words.distinct(np.asarray(column[0]), column[1])
        return dict(column) if isinstance(column, list) else np.asarray(column)

    return {name: of(column) for name, column in columns.items()}


def _raw_columns_of(
    puzzles: Any, verb: str, columns: list[str], options: SolvingOptions
) -> tuple[RawColumns, bool]:
    """Returns the columns, and whether the puzzles are texts."""
    if is_of("pandas", puzzles):
        puzzles = _pandas_series(puzzles, verb)
    if is_arrow(puzzles):
        return _sudobench.columns_of_array(puzzles, verb, columns, options)
    if hasattr(puzzles, "__array__"):
        import numpy as np

        return _of_array(np.asarray(puzzles), verb, columns, options)
    rows = puzzles if isinstance(puzzles, list) else list(puzzles)
    first = next((row for row in rows if row is not None), None)
    if isinstance(first, (str, bytes)) or not hasattr(first, "__len__"):
        return _sudobench.columns_of_list(rows, verb, columns, options), True
    import numpy as np

    return _of_array(np.asarray(rows), verb, columns, options)


def _pandas_series(series: Any, verb: str) -> Any:
    """What is read instead of a series: Arrow's array where that is free, else a list."""
    if getattr(series, "ndim", 1) != 1:
        raise TypeError(f"this is a frame: name its column, or give it to {verb}_table")
    if getattr(series.dtype, "kind", "O") in "iufcb":
        raise TypeError(f"{NO_NUMBERS} (dtype: {series.dtype})")
    array = getattr(series.array, "__arrow_array__", None)
    if array is not None and str(series.dtype) in ("str", "string"):
        try:
            return array()
        except ImportError:  # pyarrow's
            pass
    return series.astype(object).where(series.notna(), None).tolist()


def _of_array(
    array: npt.NDArray[Any], verb: str, columns: list[str], options: SolvingOptions
) -> tuple[RawColumns, bool]:
    import numpy as np

    kind = array.dtype.kind
    if kind in "iu":
        if are_boards(array):
            return _sudobench.columns_of_rows(cells_of(array), False, verb, columns, options), False
        hint = "; one board alone is board.reshape(1, 81)" if array.size == 81 else ""
        raise ValueError(f"an array of shape {array.shape}, where puzzles are of shape (N, 81) or (N, 9, 9){hint}")
    if kind not in "OSUT":
        raise TypeError(f"an array of {array.dtype}, where puzzles are whole numbers or texts")
    if array.ndim != 1:
        raise ValueError(f"an array of {array.dtype} and shape {array.shape}, where texts are of shape (N,)")
    width = array.dtype.itemsize
    if kind == "S" and width > 0:
        rows = np.ascontiguousarray(array).view(np.uint8).reshape(len(array), width)
        return _sudobench.columns_of_rows(rows, True, verb, columns, options), True
    if kind == "U" and width > 0:
        # Four bytes a character, of which puzzles need one.
        points = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("=")).view(np.uint32)
        rows = _bytes(points.reshape(len(array), width // 4))
        return _sudobench.columns_of_rows(rows, True, verb, columns, options), True
    return _sudobench.columns_of_list(array.tolist(), verb, columns, options), True


def cells_of(boards: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Returns the cells of boards as bytes, in one contiguous array."""
    import numpy as np

    cells = boards.reshape(boards.shape[0], 81)
    return np.ascontiguousarray(cells if cells.dtype == np.uint8 else _bytes(cells))


def _bytes(numbers: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The numbers as bytes; those that are none become 255, which stands for nothing in a puzzle either."""
    import numpy as np

    as_bytes = numbers.astype(np.uint8)
    as_bytes[as_bytes != numbers] = 255
    return as_bytes


def is_arrow(value: object) -> bool:
    """Whether Arrow's interface reads a value."""
    return hasattr(value, "__arrow_c_array__") or hasattr(value, "__arrow_c_stream__")


def is_of(package: str, value: object) -> bool:
    """Whether the type of a value, or one that it inherits from, is of a package, which need not be there to ask."""
    return any(base.__module__.partition(".")[0] == package for base in type(value).__mro__)
