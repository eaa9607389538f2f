"""Functions on expressions and series of polars: `pl.col("puzzle").sudoku.solve()`.

    import polars as pl
    import sudobench.polars

    frame.with_columns(solution=pl.col("puzzle").sudoku.solve(), answer=pl.col("puzzle").sudoku.solve(["status", "count"]))

The functions are `solve`, `check`, `rate` and `canonical`. If you pass the name of one column, the result is this
column; if you pass a list of names, it is a struct. As with other expressions, the result has the name of the puzzles'
column unless you give it another name. A malformed puzzle does not raise an exception: it has the `status` `malformed`
and a `note`, and other columns are null."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from ._namespaces import is_one, namespace, with_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__: list[str] = []


def _of_series(series: pl.Series, name: str, columns: str | Sequence[str] | None, options: dict[str, Any]) -> pl.Series:
    frame = with_columns(name, pl.DataFrame({"puzzle": series}), columns, options)[:, 1:]
    return (frame.to_series() if is_one(columns) else frame.to_struct()).alias(series.name)


def _of_expression(puzzles: pl.Expr, name: str, columns: str | Sequence[str] | None, options: dict[str, Any]) -> pl.Expr:
    # This call raises the exceptions for wrong columns and options. Polars also calls the function with sample data to
    # find the type of the result, but it hides exceptions of that call.
    _of_series(pl.Series([], dtype=pl.String), name, columns, options)

    def answers(series: pl.Series) -> pl.Series:
        if series.dtype.is_numeric() and series.to_list() == [1, 1]:
            # Polars passes this sample data for a column of numbers. Such a column can't contain puzzles, and the later
            # call with the values of the column raises an error that says so.
            series = pl.Series(series.name, [None, None], dtype=pl.String)
        return _of_series(series, name, columns, options)

    return puzzles.map_batches(answers, is_elementwise=True)


pl.api.register_series_namespace("sudoku")(namespace("a series", _of_series))
pl.api.register_expr_namespace("sudoku")(namespace("an expression", _of_expression))
