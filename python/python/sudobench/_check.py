"""The functions `check` and `check_table`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ._puzzles import accepts_one, chosen, columns_of, first, origin_of, texts_of, words_of
from ._results import Column, Results
from ._words import Words
from ._tables import add_columns, keeps_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from ._progress import OnProgress
    from ._types import SolvingOptions


@dataclass(frozen=True)
class Check:
    """The check of one puzzle: whether it has exactly one solution, and whether it is minimal."""

    status: str
    """`unique`, `multiple` or `unsolvable`. If many puzzles are checked, also `malformed`."""
    minimal: bool | None
    """Whether every clue is needed; `None` unless there is exactly one solution."""
    redundant: tuple[int, ...] | None
    """The cells of the redundant clues, from 0. A clue is redundant if the puzzle without this one clue still has exactly one solution.
    `None` unless the puzzle has exactly one solution."""
    count: int | None
    """Solutions found, up to `max_solutions`."""
    cnt12095: int | None
    """Number of calls that the backtracker of BOJ 12095 (a problem of an online judge) makes for the puzzle, counted up to 10,000,000."""
    automorphisms: int | None
    """Number of ways in which the puzzle is equivalent to itself; 1 for most puzzles."""
    redundant_count: int | None = None
    """Number of redundant clues; `None` unless there is exactly one solution."""
    clues: int | None = None
    """Number of clues."""
    clue_pattern: str | None = None
    """The cells with clues, as the column `clue_pattern` of `sudobench check` writes them."""
    digit_counts: str | None = None
    """Number of clues with each digit, as the column `digit_counts` of `sudobench check` writes them."""
    note: str | None = None
    """Why the row is malformed."""


@dataclass(frozen=True, eq=False, repr=False)
class Checks(Results[Check]):
    """The checks of many puzzles, in their order. A column that was not requested is `None`."""

    status: Words
    """`unique`, `multiple`, `unsolvable` or `malformed`."""
    minimal: npt.NDArray[np.bool_] | None
    """Whether every clue is needed; False unless there is exactly one solution."""
    redundant: npt.NDArray[np.bool_] | None
    """Of shape (N, 81): whether the cell has a redundant clue, see `Check.redundant`. All False unless there is exactly one solution."""
    count: npt.NDArray[np.uint64] | None
    """Solutions found, up to `max_solutions`."""
    cnt12095: npt.NDArray[np.uint64] | None
    """See `Check.cnt12095`; 0 for a malformed row."""
    automorphisms: npt.NDArray[np.uint64] | None
    """See `Check.automorphisms`; 0 for a malformed row."""
    redundant_count: npt.NDArray[np.uint64] | None
    """Number of redundant clues; 0 unless there is exactly one solution."""
    clues: npt.NDArray[np.uint64] | None
    """Number of clues; 0 for a malformed row."""
    clue_pattern: npt.NDArray[np.str_] | None
    """The cells with clues, as the column `clue_pattern` of `sudobench check` writes them; empty for a malformed row."""
    digit_counts: npt.NDArray[np.str_] | None
    """Number of clues with each digit, as the column `digit_counts` of `sudobench check` writes them; empty for a malformed row."""
    notes: dict[int, str]
    """For each malformed row, its number from 0 and the reason."""

    _record: ClassVar[type[Check]] = Check

    @property
    def unique(self) -> npt.NDArray[np.bool_]:
        """Whether there is exactly one solution."""
        return self.status == "unique"

    def _columns(self) -> dict[str, Column]:
        unique, are_puzzles = self.unique, self.status != "malformed"
        return {
            "status": Column(self.status),
            "minimal": Column(self.minimal, unique),
            "redundant": Column(self.redundant, unique),
            "count": Column(self.count, are_puzzles),
            "cnt12095": Column(self.cnt12095, are_puzzles),
            "automorphisms": Column(self.automorphisms, are_puzzles),
            "redundant_count": Column(self.redundant_count, unique),
            "clues": Column(self.clues, are_puzzles),
            "clue_pattern": Column(self.clue_pattern, are_puzzles),
            "digit_counts": Column(self.digit_counts, are_puzzles),
            "note": Column(self.notes),
        }


COLUMNS = [
    "minimal", "redundant", "count", "cnt12095", "automorphisms", "redundant_count", "clues", "clue_pattern", "digit_counts",
]


@accepts_one(first, columns=COLUMNS)
def check(
    puzzles: Any,
    *,
    columns: str | Sequence[str] = ("minimal", "redundant"),
    max_solutions: int = 2,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Checks:
    """Checks one puzzle or many: whether there is exactly one solution, whether the puzzle is minimal, and which clues
    are redundant.

    Puzzles are of the kinds that `solve` takes, one or many. The result for one puzzle is a `Check` with all columns.
    The result for many is `Checks`, with the status and the requested columns.

    - `columns`: the columns to compute: minimal, redundant, redundant_count, clues, clue_pattern, digit_counts,
      count, cnt12095, automorphisms, or `"all"`. The default tests each clue of each puzzle, which takes about 20 times
      as long as `solve`. `"minimal"` alone ends at the first redundant clue, so it takes less time for puzzles that
      have one. `"count"` takes as long as `solve`.
    - `max_solutions`: solutions are counted up to this number, 2 or more.

    `threads`, `restore_zeros` and `progress` are as in `solve`. A single malformed puzzle raises `ValueError`. If there
    are many puzzles, the note of a malformed puzzle gives the reason. Call `is_valid` or `is_solution` to check a
    filled grid."""
    names = [name for name in chosen(columns, COLUMNS, ("status", "note", "unique")) if name != "unique"]
    raw = columns_of(puzzles, "check", names, _options(max_solutions, threads, restore_zeros), progress)
    status = words_of(raw["status"])

    def texts(name: str) -> npt.NDArray[np.str_] | None:
        return texts_of(raw[name], len(status)) if name in raw else None

    return Checks(
        status=status,
        minimal=(words_of(raw["minimal"]) == "yes") & (status == "unique") if "minimal" in raw else None,
        redundant=_cells(raw["redundant"], len(status)) if "redundant" in raw else None,
        count=raw.get("count"),
        cnt12095=raw.get("cnt12095"),
        automorphisms=raw.get("automorphisms"),
        redundant_count=raw.get("redundant_count"),
        clues=raw.get("clues"),
        clue_pattern=texts("clue_pattern"),
        digit_counts=texts("digit_counts"),
        notes=raw["note"],
        _origin=origin_of(puzzles),
    )


def _options(max_solutions: int, threads: int | None, restore_zeros: bool) -> SolvingOptions:
    return {"threads": threads, "restore_zeros": restore_zeros, "max_solutions": max_solutions}


def _cells(texts: dict[int, str], rows: int) -> npt.NDArray[np.bool_]:
    """Returns a mask of the cells that texts such as `r1c2 r3c4` name."""
    import numpy as np

    mask = np.zeros((rows, 81), dtype=bool)
    # The name of each cell takes five characters, including the space after it.
    names = np.frombuffer("".join(f"{text} " for text in texts.values()).encode(), dtype=np.uint8).reshape(-1, 5)
    cells = (names[:, 1] - ord("1")) * 9 + names[:, 3] - ord("1")
    owners = np.repeat(list(texts), [(len(text) + 1) // 5 for text in texts.values()])
    mask[owners.astype(np.intp), cells] = True
    return mask


@keeps_type
def check_table(
    table: Any,
    column: str | int | None = None,
    columns: str | Sequence[str] = ("status", "minimal", "redundant"),
    *,
    max_solutions: int = 2,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Any:
    """Adds columns to a table that say whether its puzzles have exactly one solution, and whether they are minimal.

    Takes the same tables as `solve_table`, and returns the same type.

    - `column`: the column of puzzles, by its name or its number from 1. By default, it is detected from names and
      content.
    - `columns`: the columns to add: status, unique, minimal, redundant, redundant_count, clues, clue_pattern,
      digit_counts, count, cnt12095, automorphisms, candidates, exact_candidates and note, or `"all"`. The values of
      unique and minimal are `yes` or `no`. The values of redundant are lists of cells, such as `r1c2 r3c4`.

    The other options are as in `check`."""
    options = _options(max_solutions, threads, restore_zeros)
    return add_columns(table, column, None, "check", columns, options, progress)
