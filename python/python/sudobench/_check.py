"""`check`, of puzzles, tables and files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from ._puzzles import chosen, columns_of, one_or_many, solving_options, words_of
from ._tables import add_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from ._types import RawColumns, RawTexts, SolvingOptions


@dataclass(frozen=True)
class Check:
    """Whether one puzzle is a proper one, and whether it is minimal."""

    status: str
    """`unique`, `multiple` or `unsolvable`."""
    minimal: bool | None
    """Whether every clue is needed; `None` unless there is exactly one solution."""
    redundant: tuple[int, ...] | None
    """The cells, from 0, of the clues that can each be left out alone; `None` unless there is exactly one solution."""
    count: int
    """Solutions found, up to `max_solutions`."""
    cnt12095: int
    """Calls of the backtracker in the source of BOJ 12095, as it counts them, up to 10,000,000."""
    automorphisms: int
    """In how many ways the puzzle is equivalent to itself; 1 for most."""


@dataclass(frozen=True, eq=False)
class Checks:
    """Whether many puzzles are proper ones, a value for each and in their order. What was not asked for is `None`."""

    status: npt.NDArray[np.str_]
    """`unique`, `multiple`, `unsolvable` or `malformed`."""
    minimal: npt.NDArray[np.bool_] | None
    """Whether every clue is needed; False unless there is exactly one solution."""
    redundant: npt.NDArray[np.bool_] | None
    """Of shape (N, 81): the clues that can each be left out alone. All False unless there is exactly one solution."""
    count: npt.NDArray[np.uint64] | None
    """Solutions found, up to `max_solutions`."""
    cnt12095: npt.NDArray[np.uint64] | None
    """See `Check.cnt12095`; 0 where there is no puzzle."""
    automorphisms: npt.NDArray[np.uint64] | None
    """See `Check.automorphisms`; 0 where there is no puzzle."""
    notes: dict[int, str]
    """Why rows are malformed, by their numbers from 0."""

    @property
    def unique(self) -> npt.NDArray[np.bool_]:
        """Whether there is exactly one solution."""
        return self.status == "unique"

    def __len__(self) -> int:
        return len(self.status)

    def __repr__(self) -> str:
        return f"<sudobench.Checks of {len(self):,} puzzles>"


COLUMNS = ["minimal", "redundant", "count", "cnt12095", "automorphisms"]


@overload
def check(
    puzzles: str | bytes,
    *,
    columns: str | Sequence[str] = ("minimal", "redundant"),
    max_solutions: int = 2,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> Check: ...
@overload
def check(
    puzzles: npt.NDArray[np.integer[Any]],
    *,
    columns: str | Sequence[str] = ("minimal", "redundant"),
    max_solutions: int = 2,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> Any: ...
@overload
def check(
    puzzles: Iterable[Any],
    *,
    columns: str | Sequence[str] = ("minimal", "redundant"),
    max_solutions: int = 2,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> Checks: ...
def check(
    puzzles: Any,
    *,
    columns: str | Sequence[str] = ("minimal", "redundant"),
    max_solutions: int = 2,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> Check | Checks:
    """Whether one puzzle, or each of many, has exactly one solution, whether it is minimal, and which of its clues are redundant.

    Puzzles are of the kinds that `solve` takes, one or many. Of one, all is found out; of many

    - `columns`: those of minimal, redundant, count, cnt12095 and automorphisms that are asked for, or `"all"`. To say whether puzzles
      are minimal is cheaper than to list their redundant clues.
    - `max_solutions`: solutions are counted up to this number, 2 or more.

    `threads` and `restore_zeros` are as in `solve`. A puzzle alone that is malformed raises `ValueError`; among many its note says why.
    """
    puzzles, is_one = one_or_many(puzzles)
    names = COLUMNS if is_one else chosen(columns, COLUMNS, ("status", "note"))
    always = [name for name in ("status", "note") if name not in names]
    options = _options(max_solutions, threads, restore_zeros)
    raw = columns_of(puzzles, "check", [*names, *always], options)
    checks = _checks(raw)
    return _one(checks) if is_one else checks


def _options(max_solutions: int, threads: int | None, restore_zeros: bool) -> SolvingOptions:
    if max_solutions < 2:
        raise ValueError(f"max_solutions={max_solutions}: give 2 or more, for one solution does not tell whether there are others")
    return solving_options(threads, restore_zeros, max_solutions)


def _checks(raw: RawColumns) -> Checks:
    import numpy as np

    status = words_of(raw["status"])
    return Checks(
        status=status,
        minimal=(words_of(raw["minimal"]) == "yes") & (status == "unique") if "minimal" in raw else None,
        redundant=_cells(raw["redundant"], len(status)) if "redundant" in raw else None,
        count=np.asarray(raw["count"]) if "count" in raw else None,
        cnt12095=np.asarray(raw["cnt12095"]) if "cnt12095" in raw else None,
        automorphisms=np.asarray(raw["automorphisms"]) if "automorphisms" in raw else None,
        notes=dict(raw["note"]),
    )


def _cells(texts: RawTexts, rows: int) -> npt.NDArray[np.bool_]:
    """A mask of cells that stand as `r1c2 r3c4` in texts."""
    import numpy as np

    mask = np.zeros((rows, 81), dtype=bool)
    # Five characters a cell, with the space behind it.
    names = np.frombuffer("".join(f"{text} " for _, text in texts).encode(), dtype=np.uint8).reshape(-1, 5)
    cells = (names[:, 1] - ord("1")) * 9 + names[:, 3] - ord("1")
    owners = np.repeat([row for row, _ in texts], [(len(text) + 1) // 5 for _, text in texts])
    mask[owners.astype(np.intp), cells] = True
    return mask


def _one(checks: Checks) -> Check:
    import numpy as np

    if checks.notes:
        raise ValueError(checks.notes[0])
    minimal, redundant, *numbers = (getattr(checks, name)[0] for name in COLUMNS)
    count, calls, automorphisms = map(int, numbers)
    status, cells = str(checks.status[0]), tuple(np.flatnonzero(redundant).tolist())
    is_unique = status == "unique"
    return Check(status, bool(minimal) if is_unique else None, cells if is_unique else None, count, calls, automorphisms)


def check_table(
    table: Any,
    column: str | int | None = None,
    columns: str | Sequence[str] = ("status", "minimal", "redundant"),
    *,
    max_solutions: int = 2,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> Any:
    """Adds whether the puzzles in a column of a table are proper ones, and minimal, behind its own columns.

    Tables are those that `solve_table` takes, and come back as they do there.

    - `column`: the puzzles' column, by its name or its number from 1. Without it, it is found by name and content.
    - `columns`: those to add, of status, unique, minimal, redundant, redundant_count, clues, count, cnt12095, automorphisms and note,
      or `"all"`. unique and minimal are `yes` or `no`, redundant names cells such as `r1c2 r3c4`.

    The other options are those of `check`.
    """
    return add_columns(table, column, None, "check", columns, _options(max_solutions, threads, restore_zeros))
