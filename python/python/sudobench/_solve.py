"""The functions. What is typed is sorted by its kind here; solving is `_sudobench`'s."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

from . import _sudobench
from ._answers import Answer, Answers
from ._progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from ._types import FileOptions, RawAnswers, SolvingOptions

NO_NUMBERS = "puzzles are text: as numbers they lose their leading zeros; read them with dtype=str"


def _options(
    max_solutions: int,
    answer: str | None,
    max_nodes: int | None,
    max_time_per_puzzle: float | None,
    solver: str | None,
    threads: int | None,
    restore_zeros: bool,
) -> SolvingOptions:
    return {
        "max_solutions": max_solutions,
        "answer": answer,
        "max_nodes": max_nodes,
        "max_time_per_puzzle": max_time_per_puzzle,
        "solver": solver,
        "threads": threads,
        "restore_zeros": restore_zeros,
    }


@overload
def solve(
    puzzles: str | bytes,
    *,
    max_solutions: int = 2,
    answer: Literal["smallest", "first"] | None = None,
    max_nodes: int | None = None,
    max_time_per_puzzle: float | None = None,
    solver: str | None = None,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> Answer: ...
@overload
def solve(
    puzzles: Iterable[Any],
    *,
    max_solutions: int = 2,
    answer: Literal["smallest", "first"] | None = None,
    max_nodes: int | None = None,
    max_time_per_puzzle: float | None = None,
    solver: str | None = None,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> Answers: ...
def solve(
    puzzles: Any,
    *,
    max_solutions: int = 2,
    answer: Literal["smallest", "first"] | None = None,
    max_nodes: int | None = None,
    max_time_per_puzzle: float | None = None,
    solver: str | None = None,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> Answer | Answers:
    """Solves one puzzle, or many.

    One is a `str` or `bytes` of 81 characters: digits, and any of `. 0 _ * x X -` for blanks. Many are

    - a list or any other iterable of such;
    - NumPy arrays of whole numbers of shape (N, 81) or (N, 9, 9), 0 for a blank, or of strings such as `S81` and `U81`;
      whatever becomes one by `numpy.asarray`, as tensors of PyTorch do;
    - an array, a chunked array or a series of pyarrow, polars, pandas and all others of Arrow: strings, bytes, or lists of
      81 whole numbers.

    Options are those of the command `sudobench solve`:

    - `max_solutions`: stop a puzzle at that many solutions: 1 for the first found, 2 to prove uniqueness, more to count.
    - `answer`: which solution is reported where there are several: the smallest as a number of 81 digits, or the first that
      is found. Without it the smallest, but the first with `max_solutions=1`.
    - `max_nodes`, `max_time_per_puzzle` (in seconds): give a puzzle up at that limit; its status is `aborted`.
    - `solver`: a name that `sudobench solvers` lists.
    - `threads`: without it, all cores that this process may use.
    - `restore_zeros`: texts that lost the zeros at their start, because a program took them for numbers, get them back.

    A puzzle alone that is malformed raises `ValueError`; among many it is a row with the status `malformed` and a note that
    says why.
    """
    options = _options(max_solutions, answer, max_nodes, max_time_per_puzzle, solver, threads, restore_zeros)
    if isinstance(puzzles, str):
        puzzles = puzzles.encode(errors="replace")
    is_one = isinstance(puzzles, bytes)
    if is_one and not restore_zeros:
        return Answer(*_sudobench.solve_one(puzzles, options))
    raw = _solve_many([puzzles] if is_one else puzzles, options)
    if is_one and raw["notes"]:
        raise ValueError(raw["notes"][0][1])
    import numpy as np

    answers = Answers(
        np.asarray(raw["solution"]),
        np.asarray(raw["status"]),
        np.asarray(raw["count"]),
        np.asarray(raw["nodes"]),
        np.asarray(raw["guesses"]),
        dict(raw["notes"]),
        raw["statuses"],
    )
    return answers[0] if is_one else answers


def _solve_many(puzzles: Any, options: SolvingOptions) -> RawAnswers:
    if _is_of("pandas", puzzles):
        puzzles = _pandas_series(puzzles)
    if hasattr(puzzles, "__arrow_c_array__") or hasattr(puzzles, "__arrow_c_stream__"):
        return _sudobench.solve_array(puzzles, options)
    if hasattr(puzzles, "__array__"):
        import numpy as np

        return _solve_array(np.asarray(puzzles), options)
    rows = puzzles if isinstance(puzzles, list) else list(puzzles)
    first = next((row for row in rows if row is not None), None)
    if isinstance(first, (str, bytes)) or not hasattr(first, "__len__"):
        return _sudobench.solve_list(rows, options)
    import numpy as np

    return _solve_array(np.asarray(rows), options)


def _pandas_series(series: Any) -> Any:
    """What is solved instead of a series: Arrow's array where that is free, else a list."""
    if getattr(series, "ndim", 1) != 1:
        raise TypeError("this is a frame: name its column, or give it to solve_table")
    if getattr(series.dtype, "kind", "O") in "iufcb":
        raise TypeError(f"{NO_NUMBERS} (dtype: {series.dtype})")
    array = getattr(series.array, "__arrow_array__", None)
    if array is not None and str(series.dtype) in ("str", "string"):
        try:
            return array()
        except ImportError:  # pyarrow's
            pass
    return series.astype(object).where(series.notna(), None).tolist()


def _solve_array(array: npt.NDArray[Any], options: SolvingOptions) -> RawAnswers:
    import numpy as np

    kind = array.dtype.kind
    if kind in "iu":
        if array.ndim == 2 and array.shape[1] == 81 or array.ndim == 3 and array.shape[1:] == (9, 9):
            return _sudobench.solve_values(_cells(array.reshape(array.shape[0], 81)), options)
        hint = "; one board alone is board.reshape(1, 81)" if array.size == 81 else ""
        raise ValueError(f"an array of shape {array.shape}, where puzzles are of shape (N, 81) or (N, 9, 9){hint}")
    if kind not in "OSUT":
        raise TypeError(f"an array of {array.dtype}, where puzzles are whole numbers or texts")
    if array.ndim != 1:
        raise ValueError(f"an array of {array.dtype} and shape {array.shape}, where texts are of shape (N,)")
    width = array.dtype.itemsize
    if kind == "S" and width > 0:
        rows = np.ascontiguousarray(array).view(np.uint8).reshape(len(array), width)
        return _sudobench.solve_texts(rows, width, options)
    if kind == "U" and width > 0:
        # Four bytes a character, of which puzzles need one.
        points = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("=")).view(np.uint32)
        return _sudobench.solve_texts(_bytes(points.reshape(len(array), width // 4)), width // 4, options)
    return _sudobench.solve_list(array.tolist(), options)


def _cells(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The cells as bytes, in one piece."""
    import numpy as np

    return np.ascontiguousarray(array if array.dtype == np.uint8 else _bytes(array))


def _bytes(numbers: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The numbers as bytes; those that are none become 255, which stands for nothing in a puzzle either."""
    import numpy as np

    as_bytes = numbers.astype(np.uint8)
    as_bytes[as_bytes != numbers] = 255
    return as_bytes


def _is_of(package: str, value: object) -> bool:
    """Whether the type of a value is of a package, which need not be there to ask."""
    return type(value).__module__.partition(".")[0] == package


def solve_table(
    table: Any,
    column: str | int | None = None,
    columns: str | Sequence[str] = ("solution", "status"),
    *,
    solution_column: str | int | None = None,
    max_solutions: int = 2,
    answer: Literal["smallest", "first"] | None = None,
    max_nodes: int | None = None,
    max_time_per_puzzle: float | None = None,
    solver: str | None = None,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> Any:
    """Solves the puzzles in a column of a table. Returns the table with the answers behind its own columns.

    Tables are all that have `__arrow_c_stream__` or `__arrow_c_array__`. A table or a batch of pyarrow and a frame of polars
    or pandas (by way of pyarrow) come back as what they were. A reader of pyarrow comes back as one, which solves a batch
    when it is read. Anything else comes back as a `SolvedTable`, for `pyarrow.table`, `polars.DataFrame`, DuckDB and whatever
    else takes Arrow's streams: a relation of DuckDB solved, any other stream solved as it is read, which can be done once.

    - `column`: the puzzles' column, by its name or its number from 1. Without it, it is found by name and content.
    - `columns`: those to add, of solution, status, count, clues, nodes, guesses, time_ns, match and note, or `"all"`. A
      solution is of the type of the puzzles; a name that the table has already gets `sudobench_` before it.
    - `solution_column`: the expected solutions, which `match` tells the answers from.

    The other options are those of `solve`.
    """
    if not hasattr(table, "__arrow_c_stream__") and not hasattr(table, "__arrow_c_array__"):
        hint = "; collect() it first" if type(table).__name__ == "LazyFrame" else ""
        raise TypeError(f"{type(table).__name__} has no __arrow_c_stream__, by which tables are read{hint}")
    kind = type(table).__name__
    is_frame = kind == "DataFrame" and (_is_of("polars", table) or _is_of("pandas", table))
    # A connection of DuckDB does one thing at a time: its relation is read before anything else is asked of it.
    is_whole = is_frame or kind in ("Table", "RecordBatch") or _is_of("duckdb", table)
    names = [columns] if isinstance(columns, str) else list(columns)
    options = _options(max_solutions, answer, max_nodes, max_time_per_puzzle, solver, threads, restore_zeros)
    solved = _sudobench.solve_table(table, column, solution_column, names, options, is_whole)
    if _is_of("polars", table) and is_whole:
        import polars as pl

        return pl.DataFrame(solved)
    if _is_of("pyarrow", table) or is_frame:
        import pyarrow as pa

        if kind == "RecordBatch":
            return pa.RecordBatchReader.from_stream(solved).read_next_batch()
        if kind == "RecordBatchReader":
            return pa.RecordBatchReader.from_stream(solved)
        return pa.table(solved).to_pandas() if kind == "DataFrame" else pa.table(solved)
    return solved


@dataclass(frozen=True)
class Finished:
    """What became of a file."""

    rows: int
    """Rows read, of which each is a row of the output unless `only` left it out."""
    statuses: dict[str, int]
    """How many of them have each status."""
    left_out: int
    """Rows that `only` left out."""
    restored: int
    """Puzzles that got the zeros at their start back."""
    compared: int
    """Rows with an expected solution."""
    mismatches: int
    """Those whose answer is another one."""
    notices: list[str]
    """The first rows that deserve a word: malformed ones, mismatches."""
    resumed_after: int
    """Rows that an earlier run had answered."""
    seconds: float
    """How long it took, with the time of that run."""


def solve_file(
    input: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    columns: str | Sequence[str] | None = None,
    only: str | Sequence[str] | None = None,
    resume: bool = False,
    force: bool = False,
    progress: bool = False,
    input_format: str | None = None,
    output_format: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    skip: int = 0,
    limit: int | None = None,
    max_solutions: int = 2,
    answer: Literal["smallest", "first"] | None = None,
    max_nodes: int | None = None,
    max_time_per_puzzle: float | None = None,
    solver: str | None = None,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> Finished | None:
    """Solves the puzzles of a file, or of several, into a file, as the command `sudobench solve` does.

    Formats and compression of the input are found out; those of the output are what its name says. It is written as
    `OUTPUT.partial`, and has its name when it is whole. Memory stays small whatever the size.

    - `columns`: those to add, `["solution", "status"]` where nothing is said; see `solve_table`.
    - `only`: keep the rows of these statuses, or `mismatch`.
    - `resume`: go on with what an interrupted call of the same input and options left. `None` is returned where there is
      nothing left to do.
    - `force`: replace the output where it exists, which else is `FileExistsError`.
    - `progress`: a bar of tqdm where that is installed, else a line on standard error.
    - `skip`, `limit`: leave out the first rows, stop after that many.

    The rest is as the command's flags of those names, and as the options of `solve`. Malformed rows are rows of the output
    and no error. Ctrl-C raises `KeyboardInterrupt` after whole rows are written, to be gone on with by `resume=True`.
    """
    inputs = [input] if isinstance(input, (str, os.PathLike)) else list(input)
    files: FileOptions = {
        "columns": [columns] if isinstance(columns, str) else None if columns is None else list(columns),
        "only": [only] if isinstance(only, str) else None if only is None else list(only),
        "input_format": input_format,
        "output_format": output_format,
        "puzzle_column": puzzle_column,
        "solution_column": solution_column,
        "header": header,
        "skip": skip,
        "limit": limit,
        "force": force,
        "resume": resume,
    }
    options = _options(max_solutions, answer, max_nodes, max_time_per_puzzle, solver, threads, restore_zeros)
    with Progress(progress) as told:
        finished = _sudobench.solve_file(inputs, output, options, files, told)
    if finished is None:
        return None
    return Finished(
        rows=finished["rows"],
        statuses=dict(finished["statuses"]),
        left_out=finished["left_out"],
        restored=finished["restored"],
        compared=finished["compared"],
        mismatches=finished["mismatches"],
        notices=finished["notices"],
        resumed_after=finished["resumed_after"],
        seconds=finished["seconds"],
    )
