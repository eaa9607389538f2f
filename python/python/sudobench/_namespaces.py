"""The functions that `sudobench.polars`, `sudobench.pandas`, `sudobench.duckdb` and `sudobench.datasets` offer, in one
list."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, NamedTuple

from ._canonical import canonical_table
from ._check import check_table
from ._rate import rate_table
from ._solve import solve_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Function(NamedTuple):
    """A function that adds columns to a table of puzzles."""

    table: Callable[..., Any]
    column: str
    """The column that is returned if the caller names no columns."""


FUNCTIONS = {
    "solve": Function(solve_table, "solution"),
    "check": Function(check_table, "status"),
    "rate": Function(rate_table, "difficulty"),
    "canonical": Function(canonical_table, "canonical"),
}

NO_OPTIONS = ("table", "column", "columns", "solution_column", "stratify", "stratify_by")
"""Parameters of functions such as `solve_table` that are not options in `sudobench.polars`, `sudobench.pandas` and so on: they name the
table or its columns, or change the number of rows."""


def options_of(name: str) -> list[str]:
    """Returns the names of the options of a function."""
    return [option for option in inspect.signature(FUNCTIONS[name].table).parameters if option not in NO_OPTIONS]


def is_one(columns: str | Sequence[str] | None) -> bool:
    """Returns whether `columns` names one column, instead of a list of columns."""
    return columns is None or isinstance(columns, str) and columns not in ("all", "none") and "," not in columns


def check_call(name: str, options: dict[str, Any]) -> None:
    """Raises `ValueError` for an unknown function, and `TypeError` for an unknown option."""
    if name not in FUNCTIONS:
        raise ValueError(f"there is no function {name!r}; choose from {', '.join(FUNCTIONS)}")
    for option in options:
        if option not in options_of(name):
            raise TypeError(f"{name} has no option {option!r}; choose from {', '.join(options_of(name))}")


def with_columns(
    name: str, table: Any, columns: str | Sequence[str] | None, options: dict[str, Any], column: str | int = 1
) -> Any:
    """Returns a table with its own columns, followed by the columns of a function. `column` is the column of puzzles in
    the table."""
    check_call(name, options)
    function = FUNCTIONS[name]
    return function.table(table, column, function.column if columns is None else columns, **options)


def namespace(of: str, call: Callable[[Any, str, str | Sequence[str] | None, dict[str, Any]], Any]) -> type:
    """Makes the class of `.sudoku`, with a method for each function. `call` gets the object before the dot, the name of
    the function, and the columns and the options that were passed."""

    def method(name: str, function: Function) -> Callable[..., Any]:
        def call_it(self: Any, columns: str | Sequence[str] | None = None, **options: Any) -> Any:
            return call(self._of, name, columns, options)

        call_it.__name__, call_it.__qualname__ = name, f"Sudoku.{name}"
        call_it.__doc__ = (
            f"Returns the columns of `sudobench.{function.table.__name__}` for {of} of puzzles: one column if `columns` is a name, "
            f"several if it is a list of names or `'all'`. The default is the column `{function.column}`. Options: {', '.join(options_of(name))}."
        )
        return call_it

    def start(self: Any, of: Any) -> None:
        self._of = of

    methods = {name: method(name, function) for name, function in FUNCTIONS.items()}
    return type("Sudoku", (), {"__doc__": f"Functions of sudobench for {of} of puzzles.", "__init__": start, **methods})
