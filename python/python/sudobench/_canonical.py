"""The functions `canonical` and `canonical_table`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ._puzzles import accepts_one, columns_of, first, origin_of, texts_of
from ._results import Boards, Column
from ._tables import add_columns, keeps_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from ._progress import OnProgress
    from ._types import SolvingOptions


@dataclass(frozen=True)
class Form:
    """The canonical form of one puzzle, and the transformation to it."""

    canonical: str | None
    """The smallest of all equivalent forms: 81 characters, `.` for a blank. `None` only for a malformed row in a list
    of many puzzles."""
    transform: str | None
    """The transformation of the puzzle to its canonical form, as `sudobench transform --apply` reads it."""
    automorphisms: int | None
    """Number of ways in which the puzzle is equivalent to itself; 1 for most puzzles."""
    canonical_solution: str | None
    """The canonical form of the puzzle's solution; `None` unless the puzzle has exactly one solution."""
    note: str | None = None
    """Why the row is malformed."""


@dataclass(frozen=True, eq=False, repr=False)
class Forms(Boards[Form]):
    """The canonical forms of many puzzles, in the order of the puzzles. A field that was not requested is `None`."""

    canonical: npt.NDArray[np.uint8]
    """An array of shape (N, 81), 0 for a blank. A malformed row is all zeros, and has a note in `notes`."""
    transform: npt.NDArray[np.str_] | None
    """The transformation of each puzzle to its canonical form, as `sudobench transform --apply` reads it; empty for a
    malformed row."""
    automorphisms: npt.NDArray[np.uint64] | None
    """Number of ways in which each puzzle is equivalent to itself; 0 for a malformed row."""
    canonical_solution: npt.NDArray[np.uint8] | None
    """An array of shape (N, 81): the canonical forms of the solutions; zeros if a puzzle does not have exactly one
    solution."""
    notes: dict[int, str]
    """For each malformed row, its number from 0 and the reason."""

    _record: ClassVar[type[Form]] = Form

    def _columns(self) -> dict[str, Column]:
        import numpy as np

        are_puzzles, solutions = np.ones(len(self), dtype=bool), self.canonical_solution
        are_puzzles[list(self.notes)] = False
        return {
            "canonical": Column(self.canonical, are_puzzles),
            "transform": Column(self.transform, are_puzzles),
            "automorphisms": Column(self.automorphisms, are_puzzles),
            "canonical_solution": Column(solutions, None if solutions is None else solutions[:, 0] > 0),
            "note": Column(self.notes),
        }


COLUMNS = ["transform", "automorphisms", "canonical_solution"]


@accepts_one(first, transform=True, automorphisms=True, canonical_solution=True)
def canonical(
    puzzles: Any,
    *,
    transform: bool = False,
    automorphisms: bool = False,
    canonical_solution: bool = False,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Forms:
    """Finds the canonical form of one puzzle or many: the smallest of all equivalent puzzles.

    Equivalent puzzles can be made from each other by renaming the digits, reordering rows, columns, bands and stacks,
    and transposing. Two puzzles are equivalent if and only if their canonical forms are equal.

    Puzzles are of the kinds that `solve` takes, one or many, with any number of solutions. Filled grids are puzzles
    too. The result for one puzzle is a `Form` with all fields. The result for many is `Forms`, with the canonical forms
    and the requested fields:

    - `transform`: the transformation of each puzzle to its canonical form.
    - `automorphisms`: the number of ways in which each puzzle is equivalent to itself.
    - `canonical_solution`: the canonical form of each solution. To find the solutions, the puzzles are solved.

    `threads`, `restore_zeros` and `progress` are as in `solve`. A single malformed puzzle raises `ValueError`. Among
    many puzzles, a malformed puzzle gets a row of zeros, and its note gives the reason."""
    asked = [transform, automorphisms, canonical_solution]
    names = [name for name, is_asked in zip(COLUMNS, asked) if is_asked]
    options: SolvingOptions = {"threads": threads, "restore_zeros": restore_zeros}
    columns = columns_of(puzzles, "canonical", ["canonical", *names, "note"], options, progress)
    forms = columns["canonical"]
    return Forms(
        forms,
        texts_of(columns["transform"], len(forms)) if transform else None,
        columns.get("automorphisms"),
        columns.get("canonical_solution"),
        columns["note"],
        _origin=origin_of(puzzles),
    )


@keeps_type
def canonical_table(
    table: Any,
    column: str | int | None = None,
    columns: str | Sequence[str] = ("canonical",),
    *,
    threads: int | None = None,
    restore_zeros: bool = False,
    progress: bool | OnProgress = False,
) -> Any:
    """Adds to a table the canonical forms of the puzzles in one of its columns.

    Takes the same tables as `solve_table`, and returns the same types. The forms have the type of the puzzles. In
    texts, a blank is `.`.

    - `column`: the column of puzzles, by its name or its number from 1. By default, it is detected from names and
      content.
    - `columns`: the columns to add: canonical, transform, automorphisms, canonical_solution and note, or `"all"`.
      Puzzles are solved only for canonical_solution."""
    options: SolvingOptions = {"threads": threads, "restore_zeros": restore_zeros}
    return add_columns(table, column, None, "canonical", columns, options, progress)
