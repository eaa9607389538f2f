"""`solve`, of puzzles, tables and files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

from . import _sudobench
from ._answers import Answer, Answers
from ._puzzles import columns_of, origin_of, read, words_of
from ._results import SHOWN
from ._tables import add_columns, keeps_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from ._names import AnswerChoice, Solver
    from ._progress import OnProgress
    from ._types import SolvingOptions

COLUMNS = ["solution", "status", "count", "nodes", "guesses", "note"]


@overload
def solve(
    puzzles: str | bytes,
    *,
    max_solutions: int = 2,
    answer: AnswerChoice | None = None,
    max_nodes: int | None = None,
    max_time_per_puzzle: float | None = None,
    solver: Solver | None = None,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Answer: ...
@overload
def solve(
    puzzles: npt.NDArray[np.integer[Any]],
    *,
    max_solutions: int = 2,
    answer: AnswerChoice | None = None,
    max_nodes: int | None = None,
    max_time_per_puzzle: float | None = None,
    solver: Solver | None = None,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Any: ...
@overload
def solve(
    puzzles: Iterable[Any],
    *,
    max_solutions: int = 2,
    answer: AnswerChoice | None = None,
    max_nodes: int | None = None,
    max_time_per_puzzle: float | None = None,
    solver: Solver | None = None,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Answers: ...
def solve(
    puzzles: Any,
    *,
    max_solutions: int = 2,
    answer: AnswerChoice | None = None,
    max_nodes: int | None = None,
    max_time_per_puzzle: float | None = None,
    solver: Solver | None = None,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Answer | Answers:
    """Solves one puzzle, or many.

    One puzzle, whose result is an `Answer`, is

    - a `str` or `bytes` of 81 characters: digits, and any of `. 0 _ * x X -` for blanks;
    - a NumPy array of whole numbers of shape (81,) or (9, 9), 0 for a blank, or whatever becomes one by `numpy.asarray`, as
      tensors of PyTorch do.

    Many puzzles, whose results are `Answers`, are

    - a list or any other iterable of texts or boards;
    - NumPy arrays, and what becomes one, of whole numbers of shape (N, 81) or (N, 9, 9), or of strings such as `S81` and
      `U81`;
    - an array, a chunked array or a series of pyarrow, polars, pandas and all others of Arrow: strings, bytes, or lists of
      81 whole numbers. `to_pandas()` of the answers to a pandas series has the index of the series.

    Options are those of the command `sudobench solve`:

    - `max_solutions`: stop a puzzle at that many solutions: 1 for the first found, 2 to prove uniqueness, more to count.
    - `answer`: which solution is reported where there are several: the smallest as a number of 81 digits, or the first that
      is found. Without it the smallest, but the first with `max_solutions=1`.
    - `max_nodes`, `max_time_per_puzzle` (in seconds): give a puzzle up at that limit; its status is `aborted`.
    - `solver`: `auto`, `bitboard`, `bitslice`, `mrv`, `blank-scan`, `bool-table`, `cell-scan`, `candidate-list`, `bitmask` or `dlx`, which
      `sudobench solvers` describes.
    - `threads`: without it, all cores that this process may use.
    - `restore_zeros`: texts that lost the zeros at their start, because a program took them for numbers, get them back.
    - `progress`: shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a function. It gets the number
      of rows that are done and their share of all rows, which is `None` if that is not known.

    One malformed puzzle alone raises `ValueError`; among many it is a row with the status `malformed` and a note that
    says why.
    """
    options = _options(max_solutions, answer, max_nodes, max_time_per_puzzle, solver, threads, restore_zeros)
    rows = read(puzzles, "solve", restore_zeros)
    if rows.is_one:
        return Answer(*_sudobench.solve_one(rows, options))
    columns = columns_of(rows, "solve", COLUMNS, options, progress)
    status, notes = words_of(columns.pop("status")), columns.pop("note")
    origin = replace(origin_of(rows), shown=dict(rows.ends(SHOWN)))
    return Answers(status=status, notes=notes, _origin=origin, **columns)


def _options(
    max_solutions: int,
    answer: AnswerChoice | None,
    max_nodes: int | None,
    max_time_per_puzzle: float | None,
    solver: Solver | None,
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


@keeps_type
def solve_table(
    table: Any,
    column: str | int | None = None,
    columns: str | Sequence[str] = ("solution", "status"),
    *,
    solution_column: str | int | None = None,
    max_solutions: int = 2,
    answer: AnswerChoice | None = None,
    max_nodes: int | None = None,
    max_time_per_puzzle: float | None = None,
    solver: Solver | None = None,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Any:
    """Solves the puzzles in a column of a table. Returns the table with the answers behind its own columns.

    Tables are all that have `__arrow_c_stream__` or `__arrow_c_array__`. A table or a batch of pyarrow and a frame of polars
    or pandas (by way of pyarrow, with its index) come back as what they were. A reader of pyarrow comes back as one, which solves a batch
    when it is read. Anything else comes back as a `SolvedTable`, for `pyarrow.table`, `polars.DataFrame`, DuckDB and whatever
    else takes Arrow's streams: a relation of DuckDB solved, any other stream solved as it is read, which can be done once.

    - `column`: the puzzles' column, by its name or its number from 1. Without it, it is found by name and content.
    - `columns`: the columns to add: solution, status, count, clues, nodes, guesses, time_ns, match and note, or `"all"`. A
      solution is of the type of the puzzles; a name that the table has already gets `sudobench_` before it.
    - `solution_column`: the expected solutions, which `match` tells the answers from.

    The other options are those of `solve`.
    """
    options = _options(max_solutions, answer, max_nodes, max_time_per_puzzle, solver, threads, restore_zeros)
    return add_columns(table, column, solution_column, "solve", columns, options, progress)
