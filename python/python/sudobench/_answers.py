"""What comes back for puzzles in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from . import _sudobench
from ._words import Words, solutions_for_pandas

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import numpy.typing as npt
    import pandas as pd


@dataclass(frozen=True)
class Answer:
    """The answer to one puzzle."""

    status: str
    """`unique`, `multiple`, `solved` (a first solution was asked for, not whether there are more), `unsolvable`, `aborted`
    (given up at a limit) or `malformed` (not a puzzle)."""
    solution: str | None
    """81 digits; of several solutions the smallest, unless another one was asked for."""
    count: int
    """Solutions found, up to `max_solutions`."""
    nodes: int
    """Alternatives that the search tried."""
    guesses: int
    """Decisions with several open alternatives."""
    note: str | None = None
    """Why it is malformed, or what else is to be said."""


class Answers:
    """The answers to many puzzles, one for each and in their order. A position gives an `Answer`, a slice or an array of
    positions or truth values gives `Answers`."""

    solution: npt.NDArray[np.uint8]
    """Of shape (N, 81): digits, or zeros where there is no solution."""
    count: npt.NDArray[np.uint64]
    """Solutions found, up to `max_solutions`."""
    nodes: npt.NDArray[np.uint64]
    """Alternatives that the search tried."""
    guesses: npt.NDArray[np.uint64]
    """Decisions with several open alternatives."""
    notes: dict[int, str]
    """What is to be said of rows, by their numbers from 0: why they are malformed and the like."""

    def __init__(
        self,
        solution: npt.NDArray[np.uint8],
        status: npt.NDArray[np.int8],
        count: npt.NDArray[np.uint64],
        nodes: npt.NDArray[np.uint64],
        guesses: npt.NDArray[np.uint64],
        notes: dict[int, str],
        statuses: list[str],
        index: pd.Index[Any] | None = None,
    ) -> None:
        """For `solve`: `status` holds numbers into `statuses`, `index` is that of the pandas series."""
        self.solution = solution
        self.count = count
        self.nodes = nodes
        self.guesses = guesses
        self.notes = notes
        self._status = status
        self._statuses = statuses
        self._index = index

    @property
    def status(self) -> Words:
        """The status of each row, see `Answer.status`. `Words` behaves like an array of strings and takes a byte for each row."""
        return Words(self._status, self._statuses)

    @property
    def statuses(self) -> dict[str, int]:
        """Number of rows with each status."""
        return self.status.counts()

    def __len__(self) -> int:
        return len(self._status)

    @overload
    def __getitem__(self, key: int) -> Answer: ...
    @overload
    def __getitem__(
        self, key: slice | list[int] | list[bool] | npt.NDArray[np.integer[Any]] | npt.NDArray[np.bool_]
    ) -> Answers: ...
    def __getitem__(self, key: Any) -> Answer | Answers:
        import numpy as np

        rows = np.arange(len(self))[key]
        if np.ndim(rows) == 0:
            return self._answer(int(rows))
        notes: dict[int, str] = {}
        if self.notes:
            noted = np.flatnonzero(np.isin(rows, list(self.notes)))
            notes = {int(row): self.notes[int(rows[row])] for row in noted}
        return Answers(
            self.solution[key],
            self._status[key],
            self.count[key],
            self.nodes[key],
            self.guesses[key],
            notes,
            self._statuses,
            None if self._index is None else self._index.take(rows),
        )

    def __iter__(self) -> Iterator[Answer]:
        return map(self._answer, range(len(self)))

    def _answer(self, row: int) -> Answer:
        digits = self.solution[row]
        return Answer(
            self._statuses[self._status[row]],
            (digits + ord("0")).tobytes().decode() if digits[0] else None,
            int(self.count[row]),
            int(self.nodes[row]),
            int(self.guesses[row]),
            self.notes.get(row),
        )

    def __repr__(self) -> str:
        statuses = ", ".join(f"{count:,} {status}" for status, count in self.statuses.items())
        return f"<sudobench.Answers to {len(self):,} puzzles: {statuses or 'none'}>"

    def to_pandas(self) -> pd.DataFrame:
        """A frame of the columns solution (81 digits), status (a category), count, nodes, guesses and note.

        If the puzzles were a pandas series, the result has the index of the series, so you can assign its columns to the frame that
        the series came from. Otherwise rows are numbered from 0."""
        import pandas as pd

        columns = {
            "solution": solutions_for_pandas(self.solution),
            "status": pd.Categorical.from_codes(self._status, pd.Index(self._statuses)),
            "count": self.count,
            "nodes": self.nodes,
            "guesses": self.guesses,
            "note": pd.Series([self.notes.get(row) for row in range(len(self))] if self.notes else None,
                              index=range(len(self)), dtype=object),
        }
        frame = pd.DataFrame(columns)
        if self._index is not None:
            # A copy, for the names of an index can be changed in place.
            frame.index = self._index.copy()
        return frame

    def _to_arrow(self) -> _sudobench.SolvedTable:
        import numpy as np

        return _sudobench.answers_to_arrow(
            np.ascontiguousarray(self.solution),
            np.ascontiguousarray(self._status),
            [np.ascontiguousarray(numbers) for numbers in (self.count, self.nodes, self.guesses)],
            list(self.notes.items()),
            self._statuses,
        )

    def __arrow_c_schema__(self) -> object:
        """The columns solution, status, count, nodes, guesses and note."""
        return self._to_arrow().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The columns as a table of Arrow, for pyarrow, polars, DuckDB and others. They are copied."""
        return self._to_arrow().__arrow_c_stream__(requested_schema)
