"""The functions `solve` and `solve_table`."""

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
    - a NumPy array of whole numbers of shape (81,) or (9, 9), 0 for a blank, or anything that `numpy.asarray`
      converts to one, such as a list of 81 numbers or a tensor of PyTorch.

    Many puzzles, whose results are `Answers`, are

    - a list or any other iterable of texts or boards;
    - a NumPy array, or anything that `numpy.asarray` converts to one: whole numbers of shape (N, 81) or (N, 9, 9), or
      strings such as `S81` and `U81`;
    - an array, a chunked array or a series of pyarrow, polars, pandas or another library with Arrow arrays: strings,
      bytes, or lists of 81 whole numbers. If the puzzles are a series of pandas, `to_pandas()` of the answers has the
      index of the series.

    The options mean the same as for the command `sudobench solve`:

    - `max_solutions`: stop at this number of solutions of a puzzle. 1 finds one solution, 2 shows whether the solution
      is unique, and a larger number counts the solutions.
    - `answer`: which of several solutions is reported: the `smallest` (read as a number of 81 digits), or the `first`
      that is found. The default is the smallest, but the first with `max_solutions=1`.
    - `max_nodes`, `max_time_per_puzzle` (in seconds): limits for each puzzle. At a limit, the puzzle gets the status
      `aborted`.
    - `solver`: `auto`, `bitboard`, `bitslice`, `mrv`, `blank-scan`, `bool-table`, `cell-scan`, `candidate-list`,
      `bitmask` or `dlx`, which `sudobench solvers` describes.
    - `threads`: number of threads. The default is the number of cores that this process may use.
    - `restore_zeros`: restore zeros at the start of texts. Programs that read puzzles as numbers remove such zeros.
    - `progress`: shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a
      function. It gets two arguments: the number of finished rows, and their share of all rows (`None` if not known).

    A single malformed puzzle raises `ValueError`. Among many puzzles, a malformed puzzle gets the status `malformed`,
    and a note gives the reason."""
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
    """Solves the puzzles in a column of a table. Returns the table with the answers as additional columns.

    Takes any object with `__arrow_c_stream__` or `__arrow_c_array__`. The type of the result depends on the type of the
    table:

    - a `Table` or `RecordBatch` of pyarrow, or a frame of polars or pandas: the same type. Frames of pandas keep
      their index; pyarrow must be installed for them.
    - a `RecordBatchReader` of pyarrow: a reader that solves each batch when it is read.
    - anything else: a `SolvedTable`, which `pyarrow.table`, `polars.DataFrame`, DuckDB and all others that read Arrow
      streams accept. A relation of DuckDB is solved immediately. Any other stream is solved while it is read, and can be
      read only once.

    - `column`: the column of puzzles, by its name or its number from 1. By default, it is detected from names and
      content.
    - `columns`: the columns to add: solution, status, count, clues, nodes, guesses, time_ns, match and note, or
      `"all"`. Solutions have the type of the puzzles. If the table has a column with the name of an added column, the
      added column gets the prefix `sudobench_`.
    - `solution_column`: the column of expected solutions, which `match` compares the answers with.

    The other options are as in `solve`."""
    options = _options(max_solutions, answer, max_nodes, max_time_per_puzzle, solver, threads, restore_zeros)
    return add_columns(table, column, solution_column, "solve", columns, options, progress)
