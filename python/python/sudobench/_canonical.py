"""`canonical`, of puzzles, tables and files."""

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
    """The canonical form of one puzzle, and what leads there."""

    canonical: str | None
    """The smallest of all equivalent forms: 81 characters, `.` for a blank. `None` only if a row among many is malformed."""
    transform: str | None
    """What takes the puzzle to it, as `sudobench transform --apply` reads it."""
    automorphisms: int | None
    """In how many ways the puzzle is equivalent to itself; 1 for most."""
    canonical_solution: str | None
    """The canonical form of its solution, if it has exactly one."""
    note: str | None = None
    """Why the row is malformed."""


@dataclass(frozen=True, eq=False, repr=False)
class Forms(Boards[Form]):
    """The canonical forms of many puzzles, one for each and in their order. What was not asked for is `None`."""

    canonical: npt.NDArray[np.uint8]
    """Of shape (N, 81), 0 for a blank. A row that holds no puzzle is all zeros, and in `notes`."""
    transform: npt.NDArray[np.str_] | None
    """What takes each puzzle to its form, as `sudobench transform --apply` reads it; empty where there is no puzzle."""
    automorphisms: npt.NDArray[np.uint64] | None
    """In how many ways each puzzle is equivalent to itself; 0 where there is no puzzle."""
    canonical_solution: npt.NDArray[np.uint8] | None
    """Of shape (N, 81): the forms of the solutions, or zeros where there is not exactly one."""
    notes: dict[int, str]
    """Why rows are malformed, by their numbers from 0."""

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
    """The canonical form of one puzzle, or of many: the smallest of all that rows, columns, bands, stacks, a transposition and
    new names for the digits make of it. Puzzles are equivalent exactly where their canonical forms are equal.

    Puzzles are of the kinds that `solve` takes, one or many, with any number of solutions; filled grids are puzzles too. Of one,
    the result is a `Form` with everything; of many it is `Forms`, with the forms and what is asked for:

    - `transform`: what takes each puzzle to its form.
    - `automorphisms`: in how many ways it is equivalent to itself.
    - `canonical_solution`: the canonical form of its solution, for which it is solved.

    `threads`, `restore_zeros` and `progress` are as in `solve`. A puzzle alone that is malformed raises `ValueError`; among many it is a row
    of zeros with a note that says why.
    """
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
    """Adds the canonical forms of the puzzles in a column of a table behind its own columns.

    Tables are those that `solve_table` takes, and come back as they do there. A form is of the type of the puzzles; a blank of a
    text is `.`.

    - `column`: the puzzles' column, by its name or its number from 1. Without it, it is found by name and content.
    - `columns`: those to add, of canonical, transform, automorphisms, canonical_solution (for which puzzles are solved) and note,
      or `"all"`.
    """
    options: SolvingOptions = {"threads": threads, "restore_zeros": restore_zeros}
    return add_columns(table, column, None, "canonical", columns, options, progress)
