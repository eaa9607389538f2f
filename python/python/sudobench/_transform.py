"""`transform`, of boards and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from . import _sudobench
from ._puzzles import is_arrow, is_of, names_of, read
from ._tables import as_arrow, as_it_came, keeps_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from ._sudobench import Rows
    from ._types import FormsOptions


@overload
def transform(
    puzzles: str,
    *,
    random: None = None,
    seed: int | Sequence[int] | npt.NDArray[np.integer[Any]] = 1,
    apply: str | None = None,
    to: Literal["canonical"] | None = None,
    by: Literal["puzzle", "row"] = "puzzle",
    solutions: None = None,
    threads: int | None = None,
) -> str: ...
@overload
def transform(
    puzzles: npt.NDArray[np.integer[Any]],
    *,
    random: int | None = None,
    seed: int | Sequence[int] | npt.NDArray[np.integer[Any]] = 1,
    apply: str | None = None,
    to: Literal["canonical"] | None = None,
    by: Literal["puzzle", "row"] = "puzzle",
    solutions: None = None,
    threads: int | None = None,
) -> npt.NDArray[np.uint8]: ...
@overload
def transform(
    puzzles: npt.NDArray[np.integer[Any]],
    *,
    random: int | None = None,
    seed: int | Sequence[int] | npt.NDArray[np.integer[Any]] = 1,
    apply: str | None = None,
    to: Literal["canonical"] | None = None,
    by: Literal["puzzle", "row"] = "puzzle",
    solutions: npt.NDArray[np.integer[Any]],
    threads: int | None = None,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]: ...
@overload
def transform(
    puzzles: Iterable[Any],
    *,
    random: int | None = None,
    seed: int | Sequence[int] | npt.NDArray[np.integer[Any]] = 1,
    apply: str | None = None,
    to: Literal["canonical"] | None = None,
    by: Literal["puzzle", "row"] = "puzzle",
    solutions: Iterable[Any] | None = None,
    threads: int | None = None,
) -> Any: ...
def transform(
    puzzles: Any,
    *,
    random: int | None = None,
    seed: int | Sequence[int] | npt.NDArray[np.integer[Any]] = 1,
    apply: str | None = None,
    to: Literal["canonical"] | None = None,
    by: Literal["puzzle", "row"] = "puzzle",
    solutions: Any = None,
    threads: int | None = None,
) -> Any:
    """Takes puzzles to equivalent forms: rows, columns, bands and stacks in another order, perhaps transposed, with other names for
    the digits.

    One of these says to which:

    - `random`: that many forms of each puzzle, one behind the other, of which each is as likely as any other. The `seed`, the puzzle
      and the number of the form decide what is drawn, and nothing else does; so the command `sudobench transform` draws the same.

      Equal puzzles get equal forms. If rows are drawn with replacement, or each row should get new forms in each epoch, pass an array of
      one `seed` for each row, or `by="row"`: the number of the row, from 0, then decides instead of the puzzle.
    - `apply`: the form that this transformation leads to, as `sudobench transform` writes it.
    - `to`: `"canonical"` for the smallest of all forms.

    Puzzles are a NumPy array of whole numbers of shape (N, 81) or (N, 9, 9), 0 for a blank, whose forms are an array of `uint8` of
    shape (N * random, 81); an array of strings; a list or any other iterable of `str` or `bytes`, whose forms are a list; one
    `str` or `bytes`, whose form is one too, but of `random` a list; or one array of shape (81,) or (9, 9), whose form is an
    array of shape (81,), but of `random` one of shape (random, 81). Texts keep their blanks, a `.` as a `.`.

    The forms of row R are the rows R * random to R * random + random - 1 of the result: `numpy.arange(len(forms)) // random`
    tells the row of each.

    With `solutions`, which are of any of these kinds, a pair is returned: the forms, and the solutions each in the form of its puzzle.
    What is no board raises `ValueError`. `threads` are all cores unless it is said.

    >>> import sudobench
    >>> forms = sudobench.transform("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79", random=2)
    >>> [sudobench.solve(form).status for form in forms]
    ['unique', 'unique']
    """
    rows, write = _boards(puzzles, "puzzle")
    solution_rows, write_solutions = (None, None) if solutions is None else _boards(solutions, "solution")
    forms, solved = _sudobench.transform_boards(rows, solution_rows, _options(random, seed, apply, to, by, threads))
    is_many = random is not None
    made = write(forms, is_many)
    return made if write_solutions is None else (made, write_solutions(solved, is_many))


def _options(
    random: int | None, seed: Any, apply: str | None, to: str | None, by: str, threads: int | None
) -> FormsOptions:
    return {"random": random, "seed": seed, "apply": apply, "to": to, "by": by, "threads": threads}


def _boards(boards: Any, what: str) -> tuple[Rows, Callable[[npt.NDArray[np.uint8], bool], Any]]:
    """Reads boards. Also returns what makes forms of the same kind from an array, where a board may have many forms."""
    if is_arrow(boards) and not is_of("numpy", boards):
        raise TypeError("this is of Arrow: give the table to transform_table, or the boards as an array of numpy")
    if not isinstance(boards, (str, bytes, bytearray)) and not hasattr(boards, "__array__") and not isinstance(boards, list):
        boards = list(boards)
    rows = read(boards, "transform")
    kind = getattr(getattr(boards, "dtype", None), "kind", "")

    def write(forms: npt.NDArray[np.uint8], is_many: bool) -> Any:
        if not rows.are_texts and not (isinstance(boards, list) and not boards):
            return forms if is_many or not rows.is_one else forms[0]
        import numpy as np

        texts = forms.view("S81").reshape(-1)
        if kind in ("S", "U"):
            return texts.astype(f"{kind}81")
        first = boards if rows.is_one else boards[0] if len(boards) else ""
        items = texts.tolist() if isinstance(first, (bytes, bytearray)) else texts.astype("U81").tolist()
        if rows.is_one and not is_many:
            return items[0]
        return np.array(items, dtype=object) if kind == "O" else items

    return rows, write


@keeps_type
def transform_table(
    table: Any,
    column: str | int | None = None,
    columns: str | Sequence[str] = ("transform",),
    *,
    random: int | None = None,
    seed: int | Sequence[int] | npt.NDArray[np.integer[Any]] = 1,
    apply: str | None = None,
    to: Literal["canonical"] | None = None,
    by: Literal["puzzle", "row"] = "puzzle",
    solution_column: str | int | None = None,
    threads: int | None = None,
) -> Any:
    """Takes the rows of a table to other forms: every board of a row goes along, that is the puzzle, the solution, and whatever else
    reads as a board. All else of a row stays as it is, and a row without a puzzle comes once.

    Tables are those that `solve_table` takes, and come back as they do there; in a frame of pandas each form has the index label of its
    row, as with `DataFrame.explode`. Types stay, but a dictionary of puzzles becomes what its
    values are. `random`, `seed`, `apply`, `to` and `by` are as in `transform`.

    - `column`, `solution_column`: the columns of the puzzles and the solutions, by name or number from 1. Without it, they are found by
      name and content.
    - `columns`: `("transform",)` for a column that says what took each row to its form, `()` for none.
    """
    options = _options(random, seed, apply, to, by, threads)
    # There are more rows than before, for which the ends of a range say nothing.
    names, rows = names_of(columns), as_arrow(table, keeps_index=True)
    return as_it_came(
        table, lambda whole: _sudobench.transform_table(rows, column, solution_column, names, options, whole)
    )
