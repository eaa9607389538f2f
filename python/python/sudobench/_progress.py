"""A bar on standard error: tqdm's where that is installed, which notebooks show as well, else a plain line."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

LINE_INTERVAL = 30.0
"""Seconds between two lines where standard error is no terminal."""


class Line:
    """A line that is written over on a terminal, and a new one now and then elsewhere."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._due = self._start if self._is_terminal else self._start + LINE_INTERVAL
        self._written = 0

    def __call__(self, rows: int, share: float | None) -> None:
        now = time.monotonic()
        if now < self._due or sys.stderr is None:
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
        if self._written and sys.stderr is not None:
            sys.stderr.write("\r" + " " * self._written + "\r")
            sys.stderr.flush()


class Bar:
    """tqdm's bar. How many rows there are is only known at their end: it is told from the share of the bytes."""

    def __init__(self, tqdm: Any) -> None:
        self._bar = tqdm(unit=" rows", unit_scale=True)

    def __call__(self, rows: int, share: float | None) -> None:
        if share:
            self._bar.total = max(rows, round(rows / share))
        self._bar.update(rows - self._bar.n)

    def close(self) -> None:
        self._bar.close()


class Progress:
    """Shows where the work is for as long as the block runs; nothing where it is not `wanted`."""

    def __init__(self, wanted: bool) -> None:
        self._display: Line | Bar | None = None
        if wanted:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                self._display = Line()
            else:
                self._display = Bar(tqdm)

    def __enter__(self) -> Callable[[int, float | None], None] | None:
        return self._display

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._display is not None:
            self._display.close()
