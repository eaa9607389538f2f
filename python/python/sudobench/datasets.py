"""Functions for `Dataset.map` of Hugging Face.

    import sudobench.datasets

    solve = sudobench.datasets.mapper("solve", "puzzle", ["solution", "status"])
    solved = dataset.with_format("arrow").map(solve, batched=True)
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from ._namespaces import check_call, with_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["mapper"]


def mapper(
    function: str, column: str = "puzzle", columns: str | Sequence[str] | None = None, **options: Any
) -> Callable[[Any], Any]:
    """Returns a function for `dataset.with_format("arrow").map(..., batched=True)` that adds columns.

    The data set must have the format `arrow`. With other formats, `map` takes the types of columns from the first
    batch, and a column without any value in this batch has no type.

    - `function`: `solve`, `check`, `rate` or `canonical`.
    - `column`: the column of puzzles.
    - `columns`: the columns to add. By default, `solve` adds the solution, `check` the status, `rate` the difficulty, and `canonical` the canonical form.
    - Other options are as in functions such as `solve_table`, for example `max_solutions=1`. With `num_proc=N`, pass
      `threads=1`.

    If the data set has a column with the name of an added column, the added column gets the prefix `sudobench_`."""
    check_call(function, options)
    named = columns if columns is None or isinstance(columns, str) else list(columns)
    return functools.partial(_add, function, column, named, options)


def _add(
    function: str, column: str, columns: str | Sequence[str] | None, options: dict[str, Any], batch: Any
) -> Any:
    if not hasattr(batch, "append_column"):
        raise TypeError("this batch is not a table of Arrow: call dataset.with_format('arrow') before map, and pass batched=True")
    return with_columns(function, batch, columns, options, column)
