"""Shows the progress of long calls: in a bar of tqdm (also in notebooks) if tqdm is installed, otherwise in a line on
standard error. The caller can pass a function instead."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from types import TracebackType

Result = TypeVar("Result")

OnProgress = Callable[[int, float | None], object]
"""A function that gets the number of rows that are done, and the share of the work that is done. The share is `None` if
it is not known."""

LINE_INTERVAL = 30.0
"""Number of seconds between two lines if standard error is not a terminal."""


class Line:
    """Shows progress as a line: on a terminal, the line is overwritten; elsewhere, a new line is printed from time to time."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._is_terminal = sys.stderr.isatty()
        self._due = self._start if self._is_terminal else self._start + LINE_INTERVAL
        self._written = 0

    def __call__(self, rows: int, share: float | None) -> None:
        now = time.monotonic()
        if now < self._due:
            return
        rate = rows / max(now - self._start, 1e-9)
        done = "" if share is None else f"{share:4.0%}, "
        words = f"{done}{rows:,} rows, {rate:,.0f}/s"
        if self._is_terminal:
            self._due = now + 0.1
            sys.stderr.write("\r" + words.ljust(self._written))
            self._written = len(words)
        else:
            self._due = now + LINE_INTERVAL
            sys.stderr.write(f"sudobench: {words}\n")
        sys.stderr.flush()

    def close(self) -> None:
        if self._written:
            sys.stderr.write("\r" + " " * self._written + "\r")
            sys.stderr.flush()


class Bar:
    """tqdm's bar. The total number of rows is estimated from the share of the work, because the number of rows of a file is known only at its end."""

    def __init__(self, tqdm: Any) -> None:
        self._bar = tqdm(unit=" rows", unit_scale=True)

    def __call__(self, rows: int, share: float | None) -> None:
        if share:
            self._bar.total = max(rows, round(rows / share))
        self._bar.update(rows - self._bar.n)

    def close(self) -> None:
        self._bar.close()


class Progress:
    """Context manager that shows the progress of the work inside its `with` block. `progress` is `True` for a bar or a line, `False` for
    nothing, or a function to call."""

    def __init__(self, progress: bool | OnProgress) -> None:
        self._display: Line | Bar | None = None
        self._call: OnProgress | None = None
        if callable(progress):
            self._call = progress
        elif not isinstance(progress, (bool, int)) and not hasattr(progress, "item"):
            raise TypeError(f"progress={progress!r}: give True, False or a function that takes the number of finished rows and the finished share of the work")
        elif progress and sys.stderr is not None:  # Programs without a console have no standard error.
            try:
                from tqdm.auto import tqdm
            except ImportError:
                self._display = Line()
            else:
                self._display = Bar(tqdm)
            self._call = self._display

    def __enter__(self) -> OnProgress | None:
        return self._call

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._display is not None:
            self._display.close()


def shown(progress: bool | OnProgress, work: Callable[[OnProgress | None], Result]) -> Result:
    """Shows the progress of `work` as `progress` requests. Calls `work` and returns its result.

    The argument of `work` is the function to call with the progress of the work, or `None` if no progress is shown."""
    if progress is False:
        return work(None)
    with Progress(progress) as told:
        return work(told)
