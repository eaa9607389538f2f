"""Reads the input of functions on puzzles in memory. `_sudobench` reads most types. Some types, such as series of pandas
and tensors that only have DLPack, are converted here first."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, overload

from . import _sudobench
from ._dlpack import array_of
from ._progress import shown
from ._results import Origin, Results
from ._words import Words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from ._progress import OnProgress
    from ._sudobench import Rows
    from ._types import SolvingOptions

NO_NUMBERS = "puzzles are text: as numbers they lose their leading zeros; read them with dtype=str"


P = ParamSpec("P")
One = TypeVar("One", covariant=True)
Many = TypeVar("Many", covariant=True)


class OneOrMany(Protocol[P, One, Many]):
    """A function that accepts one puzzle or many. For an array, the type of the result is `Any`, because an array can be one puzzle or
    many."""

    @overload
    def __call__(self, puzzles: str | bytes, *args: P.args, **options: P.kwargs) -> One: ...
    @overload
    def __call__(self, puzzles: npt.NDArray[np.integer[Any]], *args: P.args, **options: P.kwargs) -> Any: ...
    @overload
    def __call__(self, puzzles: Iterable[Any], *args: P.args, **options: P.kwargs) -> Many: ...


def accepts_one(
    one: Callable[[Many], One], **options_of_one: Any
) -> Callable[[Callable[Concatenate[Any, P], Many]], OneOrMany[P, One, Many]]:
    """Returns a decorator for a function that takes `Rows`. The decorated function accepts puzzles of any kind, one or many.

    For one puzzle, the function is called with the additional options `options_of_one`. Then `one` converts its results,
    which have one row, to the result of this puzzle. A single malformed puzzle raises `ValueError`."""

    def decorate(function: Callable[Concatenate[Any, P], Many]) -> OneOrMany[P, One, Many]:
        @functools.wraps(function)
        def wrapper(puzzles: Any, *args: Any, **options: Any) -> Any:
            rows = read(puzzles, function.__name__, options.get("restore_zeros", False))
            if not rows.is_one:
                return function(rows, *args, **options)
            results: Any = function(rows, *args, **{**options, **options_of_one})
            if results.notes and getattr(results, "status", ["malformed"])[0] == "malformed":
                raise ValueError(results.notes[0])
            return one(results)

        return wrapper

    return decorate


def first(results: Results[One]) -> One:
    """Returns the result of one puzzle, for `accepts_one`."""
    return results[0]


def names_of(columns: str | Sequence[str]) -> list[str]:
    """Returns a list of the names of columns. A text becomes a list of this one text. The names are not split at commas,
    and need not be known columns.

    Raises `TypeError` unless `columns` is a text or a list of texts."""
    names = [columns] if isinstance(columns, str) else columns
    if not hasattr(names, "__iter__") or not all(isinstance(name, str) for name in names):
        raise TypeError(f"columns={columns!r}: give a name or a list of names")
    return list(names)


def chosen(columns: str | Sequence[str], known: Sequence[str], always: Sequence[str] = ()) -> list[str]:
    """Returns the names of the columns, and after them the names in `always` that are missing. `"all"` stands for all
    known names.

    Raises `ValueError` for an unknown name."""
    names = [name.strip() for name in ",".join(names_of(columns)).split(",")]
    names = list(known) if names == ["all"] else names
    for name in names:
        if name not in [*known, *always]:
            raise ValueError(f"there is no column `{name}`; choose from {', '.join(known)}, or `all`")
    return [*names, *(name for name in always if name not in names)]


def read(puzzles: Any, function: str, restore_zeros: bool = False) -> Rows:
    """Reads puzzles of any kind for the function with this name. Messages contain the name.

    Raises `TypeError` and `ValueError` for a value that can't contain puzzles. A row without a puzzle is a malformed
    row."""
    index = None
    if not isinstance(puzzles, (str, bytes, list)) and is_of("pandas", puzzles):
        index = getattr(puzzles, "index", None)
        puzzles = _pandas_series(puzzles, function)
    elif is_of("polars", puzzles) and hasattr(puzzles, "dtype"):
        puzzles = readable(puzzles)
    elif is_tensor(puzzles) and not hasattr(puzzles, "__array__"):
        puzzles = array_of(puzzles)
    return _sudobench.Rows(puzzles, function, restore_zeros, index)


def readable(series: Any) -> Any:
    """Returns a series of polars that every reader of Arrow knows. Not every reader knows integers of 128 bits, nor the type Null, which
    a series or its lists have if all their values are missing. Integers of 128 bits become integers of 64 bits, or
    null if they are too large."""
    import polars as pl

    def known(kind: Any) -> Any:
        if isinstance(kind, pl.List):
            return pl.List(known(kind.inner))
        if isinstance(kind, pl.Array):
            return pl.Array(known(kind.inner), kind.size)
        if isinstance(kind, pl.Struct):
            return pl.Struct([pl.Field(field.name, known(field.dtype)) for field in kind.fields])
        return pl.Int64 if str(kind) in ("Null", "Int128", "UInt128") else kind

    kind = pl.String if series.dtype == pl.Null else known(series.dtype)
    return series if kind == series.dtype else series.cast(kind, strict=False)


def read_many(puzzles: Any, function: str, restore_zeros: bool = False) -> Rows:
    """Reads puzzles as `read` does, for functions that don't accept a single puzzle: one puzzle raises `TypeError`."""
    rows = read(puzzles, function, restore_zeros)
    if rows.is_one:
        raise TypeError(f"this is one puzzle, and {function} takes several: pass a list of puzzles")
    return rows


_ORIGINS = (Origin(are_texts=False), Origin(are_texts=True))


def origin_of(rows: Rows) -> Origin:
    """Returns the `Origin` of puzzles: the properties of the input that are stored in the results."""
    return _ORIGINS[rows.are_texts] if rows.index is None else Origin(rows.are_texts, rows.index)


def columns_of(
    rows: Rows, verb: str, columns: list[str], options: SolvingOptions, progress: bool | OnProgress = False
) -> dict[str, Any]:
    """Returns the columns of a verb by their names. A column is an array of numbers, an array of codes with the list of
    words that the codes stand for (see `Words`), or a dictionary that maps row numbers to texts."""
    return shown(progress, lambda told: _sudobench.columns_of(rows, verb, columns, options, told))


def boards_of(rows: Rows, threads: int | None = None) -> tuple[npt.NDArray[np.uint8], dict[int, str]]:
    """Returns the boards of rows as an array of shape (N, 81), and the notes of malformed rows. The board of a malformed row
    is all zeros."""
    columns = columns_of(rows, "dedupe", ["puzzle", "note"], {"threads": threads})
    return columns["puzzle"], columns["note"]


def texts_of(texts: dict[int, str], rows: int) -> npt.NDArray[np.str_]:
    """Returns a column of texts from a dictionary that maps row numbers to texts. Rows that the dictionary lacks
    have an empty text."""
    import numpy as np

    array = np.zeros(rows, dtype=f"U{max(map(len, texts.values()), default=1)}")
    array[list(texts)] = list(texts.values())
    return array


def words_of(column: tuple[npt.NDArray[np.int8], list[str]]) -> Words:
    return Words.distinct(*column)


def labels_of(values: Iterable[Any]) -> list[Any]:
    """Returns the values of an array, a series or another sequence as a list, with `None` for each missing value."""
    methods = (getattr(values, name, None) for name in ("tolist", "to_list", "to_pylist"))
    as_list = next((method for method in methods if method is not None), None)
    labels = list(values) if as_list is None else as_list()
    return [None if is_missing(label) or label != label else label for label in labels]


def is_missing(value: Any) -> bool:
    """Returns whether a value stands for a missing value: `None`, NaN, `pandas.NA` or `pandas.NaT`."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or isinstance(value, float) and value != value


def table_refused(function: str) -> TypeError:
    """Returns the exception for a table that was passed to a function of puzzles. The message names the
    corresponding function for tables, if there is one."""
    import sudobench

    name = f"{function}_table"
    other = f", or call {name}" if hasattr(sudobench, name) else ""
    return TypeError(f"this is a table: pass one of its columns{other}")


def _pandas_series(series: Any, function: str) -> Any:
    """Returns the data of a series: an array of Arrow if the type is `str` or `string` and pyarrow is installed, otherwise a list."""
    if getattr(series, "ndim", 1) != 1:
        raise table_refused(function)
    if getattr(series.dtype, "kind", "O") in "iufcb":
        raise TypeError(f"{NO_NUMBERS} (dtype: {series.dtype})")
    array = getattr(series.array, "__arrow_array__", None)
    if array is not None and str(series.dtype) in ("str", "string"):
        try:
            return array()
        except ImportError:  # pyarrow is not installed
            pass
    return series.tolist()


def is_arrow(value: object) -> bool:
    """Returns whether a value can be read through Arrow's C interface."""
    return hasattr(value, "__arrow_c_array__") or hasattr(value, "__arrow_c_stream__")


def is_tensor(value: object) -> bool:
    """Returns whether a value is an array or a tensor that supports DLPack, but not Arrow's C interface."""
    return hasattr(value, "__dlpack__") and not is_arrow(value)


_PACKAGES: dict[type[Any], set[str]] = {}
"""The packages of each type and its base classes. They are stored, because finding them takes longer than solving a
puzzle."""


def is_of(package: str, value: object) -> bool:
    """Returns whether the type of a value, or a base class of it, belongs to a package. The package need not be
    installed."""
    packages = _PACKAGES.get(type(value))
    if packages is None:
        packages = {base.__module__.partition(".")[0] for base in type(value).__mro__}
        _PACKAGES[type(value)] = packages
    return package in packages
