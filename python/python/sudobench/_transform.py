"""`transform`, of boards and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from . import _sudobench
from ._puzzles import are_boards, cells_of, is_arrow, is_board, is_of
from ._tables import as_it_came

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from ._types import FormsOptions


@overload
def transform(
    puzzles: str,
    *,
    random: None = None,
    seed: int = 1,
    apply: str | None = None,
    to: Literal["canonical"] | None = None,
    solutions: None = None,
    threads: int | None = None,
) -> str: ...
@overload
def transform(
    puzzles: npt.NDArray[np.integer[Any]],
    *,
    random: int | None = None,
    seed: int = 1,
    apply: str | None = None,
    to: Literal["canonical"] | None = None,
    solutions: None = None,
    threads: int | None = None,
) -> npt.NDArray[np.uint8]: ...
@overload
def transform(
    puzzles: npt.NDArray[np.integer[Any]],
    *,
    random: int | None = None,
    seed: int = 1,
    apply: str | None = None,
    to: Literal["canonical"] | None = None,
    solutions: npt.NDArray[np.integer[Any]],
    threads: int | None = None,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]: ...
@overload
def transform(
    puzzles: Iterable[Any],
    *,
    random: int | None = None,
    seed: int = 1,
    apply: str | None = None,
    to: Literal["canonical"] | None = None,
    solutions: Iterable[Any] | None = None,
    threads: int | None = None,
) -> Any: ...
def transform(
    puzzles: Any,
    *,
    random: int | None = None,
    seed: int = 1,
    apply: str | None = None,
    to: Literal["canonical"] | None = None,
    solutions: Any = None,
    threads: int | None = None,
) -> Any:
    """Takes puzzles to equivalent forms: rows, columns, bands and stacks in another order, perhaps transposed, with other names for
    the digits.

    One of these says to which:

    - `random`: that many forms of each puzzle, one behind the other, of which each is as likely as any other. The `seed`, the puzzle
      and the number of the form decide what is drawn, and nothing else does; so the command `sudobench transform` draws the same.
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
    raw, puzzles_as = _boards(puzzles, "puzzle")
    raw_solutions, solutions_as = (None, None) if solutions is None else _boards(solutions, "solution")
    options = _options(random, seed, apply, to, threads)
    import numpy as np

    forms, solved = _sudobench.transform_boards(raw, raw_solutions, options)
    is_many = random is not None
    made = puzzles_as(np.asarray(forms), is_many)
    return made if solutions_as is None else (made, solutions_as(np.asarray(solved), is_many))


def _options(
    random: int | None, seed: int, apply: str | None, to: str | None, threads: int | None
) -> FormsOptions:
    return {"random": random, "seed": seed, "apply": apply, "to": to, "threads": threads}


def _boards(
    boards: Any, what: str
) -> tuple[tuple[npt.NDArray[np.uint8], bool], Callable[[npt.NDArray[np.uint8], bool], Any]]:
    """Boards in one piece, whether they are texts, and what makes their forms what they were."""
    import numpy as np

    if isinstance(boards, (str, bytes)):
        raw, as_texts = _boards([boards], what)
        return raw, lambda forms, is_many: as_texts(forms, True) if is_many else as_texts(forms, True)[0]
    if is_arrow(boards):
        raise TypeError("this is of Arrow: give the table to transform_table, or the boards as an array of numpy")
    if hasattr(boards, "__array__"):
        array = np.asarray(boards)
        if is_board(array):
            raw, _ = _boards(array.reshape(1, 81), what)
            return raw, lambda forms, is_many: forms if is_many else forms[0]
    else:
        boards = boards if isinstance(boards, list) else list(boards)
        if not boards or isinstance(boards[0], (str, bytes)):
            return _texts(boards, what)
        array = np.asarray(boards)
    kind = array.dtype.kind
    if kind == "O":
        raw, as_texts = _texts(array.tolist(), what)
        return raw, lambda forms, is_many: np.array(as_texts(forms, is_many), dtype=object)
    if kind in "SU" and array.ndim == 1:
        texts = array if kind == "S" else np.char.encode(array, "ascii", "replace")
        _check_lengths(np.char.str_len(texts).tolist(), what)
        rows = np.ascontiguousarray(texts.astype("S81")).view(np.uint8).reshape(len(texts), 81)
        return (rows, True), lambda forms, _: forms.view("S81").reshape(-1).astype(f"{kind}81")
    if kind not in "iu":
        raise TypeError(f"an array of {array.dtype}, where a {what} is of whole numbers or a text")
    if not are_boards(array):
        raise ValueError(f"an array of shape {array.shape}, where boards are of shape (N, 81) or (N, 9, 9)")
    return (cells_of(array), False), lambda forms, _: forms


def _texts(
    texts: list[Any], what: str
) -> tuple[tuple[npt.NDArray[np.uint8], bool], Callable[[npt.NDArray[np.uint8], bool], Any]]:
    import numpy as np

    for row, text in enumerate(texts):
        if not isinstance(text, (str, bytes)):
            raise TypeError(f"{what} {row} is of type {type(text).__name__}, where boards are str or bytes")
    as_bytes = [text if isinstance(text, bytes) else text.encode("ascii", "replace") for text in texts]
    _check_lengths([len(text) for text in as_bytes], what)
    rows = np.frombuffer(b"".join(as_bytes), dtype=np.uint8).reshape(len(texts), 81)

    def made(forms: npt.NDArray[np.uint8], _: bool) -> list[Any]:
        all_forms = forms.tobytes()
        pieces = [all_forms[at : at + 81] for at in range(0, len(all_forms), 81)]
        return pieces if texts and isinstance(texts[0], bytes) else [piece.decode() for piece in pieces]

    return (rows, True), made


def _check_lengths(lengths: list[int], what: str) -> None:
    for row, length in enumerate(lengths):
        if length != 81:
            raise ValueError(f"{what} {row} (counted from 0): {length} characters where a puzzle has 81")


def transform_table(
    table: Any,
    column: str | int | None = None,
    columns: str | Sequence[str] = ("transform",),
    *,
    random: int | None = None,
    seed: int = 1,
    apply: str | None = None,
    to: Literal["canonical"] | None = None,
    solution_column: str | int | None = None,
    threads: int | None = None,
) -> Any:
    """Takes the rows of a table to other forms: every board of a row goes along, that is the puzzle, the solution, and whatever else
    reads as a board. All else of a row stays as it is, and a row without a puzzle comes once.

    Tables are those that `solve_table` takes, and come back as they do there; in a frame of pandas each form has the index label of its
    row, as with `DataFrame.explode`. Types stay, but a dictionary of puzzles becomes what its
    values are. `random`, `seed`, `apply` and `to` are as in `transform`.

    - `column`, `solution_column`: the columns of the puzzles and the solutions, by name or number from 1. Without it, they are found by
      name and content.
    - `columns`: `("transform",)` for a column that says what took each row to its form, `()` for none.
    """
    names = [columns] if isinstance(columns, str) else list(columns)
    options = _options(random, seed, apply, to, threads)
    rows = table
    if is_of("pandas", table) and hasattr(table, "columns"):
        import pyarrow as pa

        # A range is written down as its ends alone, and is lost if there are more rows than before.
        rows = pa.Table.from_pandas(table, preserve_index=True)
    return as_it_came(
        table, lambda whole: _sudobench.transform_table(rows, column, solution_column, names, options, whole)
    )
