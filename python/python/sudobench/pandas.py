"""Functions on series of pandas: `series.sudoku.solve()`.

    import pandas as pd
    import sudobench.pandas

    frame["solution"] = frame["puzzle"].sudoku.solve()
    frame = frame.join(frame["puzzle"].sudoku.rate(["difficulty", "guesses"]))

The functions are `solve`, `check`, `rate` and `canonical`. If you pass the name of one column, the result is a series;
if you pass a list of names, it is a frame. Both have the labels of the puzzles. A malformed puzzle does not raise an
exception: it has the `status` `malformed` and a `note`, and other columns are null. The functions need pyarrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from ._namespaces import is_one, namespace, with_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__: list[str] = []


def _of_series(series: Any, name: str, columns: str | Sequence[str] | None, options: dict[str, Any]) -> Any:
    frame = with_columns(name, series.to_frame("puzzle"), columns, options).iloc[:, 1:]
    return frame.iloc[:, 0].rename(series.name) if is_one(columns) else frame


pd.api.extensions.register_series_accessor("sudoku")(namespace("a series", _of_series))
