"""The functions `transform` and `transform_table`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from . import _sudobench
from ._progress import shown
from ._puzzles import is_arrow, is_of, names_of, read
from ._tables import is_frame, keeps_type, through_arrow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np
    import numpy.typing as npt

    from ._names import Kind
    from ._progress import OnProgress
    from ._sudobench import Rows
    from ._types import FormsOptions, TableFormsOptions


Notations = str | Sequence[str]
"""A transformation as text, or one for each board."""


@overload
def transform(
    puzzles: str,
    *,
    random: None = None,
    seed: int | Sequence[int] | npt.NDArray[np.integer[Any]] = 1,
    apply: str | None = None,
    inverse: bool = False,
    to: Literal["canonical"] | None = None,
    by: Literal["puzzle", "row"] = "puzzle",
    solutions: None = None,
    return_transforms: Literal[False] = False,
    threads: int | None = None,
    progress: bool | OnProgress = False,
) -> str: ...
@overload
def transform(
    puzzles: npt.NDArray[np.integer[Any]],
    *,
    random: int | None = None,
    seed: int | Sequence[int] | npt.NDArray[np.integer[Any]] = 1,
    kinds: str | Sequence[Kind] | None = None,
    include_original: bool = False,
    apply: Notations | npt.NDArray[np.str_] | None = None,
    inverse: bool = False,
    to: Literal["canonical"] | None = None,
    by: Literal["puzzle", "row"] = "puzzle",
    solutions: None = None,
    return_transforms: Literal[False] = False,
    threads: int | None = None,
    progress: bool | OnProgress = False,
) -> npt.NDArray[np.uint8]: ...
@overload
def transform(
    puzzles: npt.NDArray[np.integer[Any]],
    *,
    random: int | None = None,
    seed: int | Sequence[int] | npt.NDArray[np.integer[Any]] = 1,
    kinds: str | Sequence[Kind] | None = None,
    include_original: bool = False,
    apply: Notations | npt.NDArray[np.str_] | None = None,
    inverse: bool = False,
    to: Literal["canonical"] | None = None,
    by: Literal["puzzle", "row"] = "puzzle",
    solutions: npt.NDArray[np.integer[Any]],
    return_transforms: Literal[False] = False,
    threads: int | None = None,
    progress: bool | OnProgress = False,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]: ...
@overload
def transform(
    puzzles: Iterable[Any],
    *,
    random: int | None = None,
    seed: int | Sequence[int] | npt.NDArray[np.integer[Any]] = 1,
    kinds: str | Sequence[Kind] | None = None,
    include_original: bool = False,
    apply: Notations | npt.NDArray[np.str_] | None = None,
    inverse: bool = False,
    to: Literal["canonical"] | None = None,
    by: Literal["puzzle", "row"] = "puzzle",
    solutions: Iterable[Any] | None = None,
    return_transforms: bool = False,
    threads: int | None = None,
    progress: bool | OnProgress = False,
) -> Any: ...
def transform(
    puzzles: Any,
    *,
    random: int | None = None,
    seed: int | Sequence[int] | npt.NDArray[np.integer[Any]] = 1,
    kinds: str | Sequence[Kind] | None = None,
    include_original: bool = False,
    apply: Any = None,
    inverse: bool = False,
    to: Literal["canonical"] | None = None,
    by: Literal["puzzle", "row"] = "puzzle",
    solutions: Any = None,
    return_transforms: bool = False,
    threads: int | None = None,
    progress: bool | OnProgress = False,
) -> Any:
    """Transforms puzzles to equivalent forms: reorders rows, columns, bands and stacks, may transpose the grid, and
    renames the digits.

    Exactly one of these options selects the forms:

    - `random`: this number of random forms of each puzzle. All forms are equally likely. They depend only on the
      `seed`, the `kinds`, the puzzle and the number of the form, so the command `sudobench transform` draws the same
      forms.

      Equal puzzles get equal forms. If your rows are drawn with replacement, or need new forms in each epoch, pass an
      array with a `seed` for each row, or `by="row"`. With `by="row"`, the forms depend on the number of the row, from
      0, instead of the puzzle.

      - `kinds`: the kinds of changes, such as `"digits,transpose"`, or a list with some of the words `digits`, `rows`,
        `columns` and `transpose`. By default, all kinds.
      - `include_original`: return each puzzle itself too, before its random forms.

    - `apply`: a transformation, in the notation of `sudobench transform`. A list or an array has one transformation
      for each puzzle.

      - `inverse`: apply the inverse of the transformation, which maps forms back to their puzzles.

    - `to`: `"canonical"` for the smallest of all forms.

    The type of the forms depends on the type of the puzzles:

    | puzzles | forms |
    |---|---|
    | array of whole numbers of shape (N, 81) or (N, 9, 9), 0 for a blank | array of `uint8` of shape (N * random, 81) |
    | array of strings | array of strings |
    | list or any other iterable of `str` or `bytes` | list |
    | series of pandas or polars, array of pyarrow | the same; in pandas, each form has the label of its puzzle |
    | one `str` or `bytes` | one `str` or `bytes`; with `random`, a list |
    | one array of shape (81,) or (9, 9) | array of shape (81,); with `random`, of shape (random, 81) |

    Texts of 81 characters keep the characters of their blanks.

    The forms of row R are the rows R * random to R * random + random - 1 of the result. So `numpy.arange(len(forms)) //
    random` is the row of each form. With `include_original`, replace `random` by `random + 1`. With `apply` or `to`,
    each row has one form.

    The result is the forms, or a tuple of the forms and the results that these options add:

    - `solutions`: solutions, of any type that the table above lists for puzzles. They get the same transformations as
      their puzzles.
    - `return_transforms`: the transformations that lead to the forms, as an array of strings. `apply` accepts this array.

    A value that is not a board raises `ValueError`. `threads` and `progress` are as in `solve`.

    If a model predicts several forms of each puzzle, transform the predictions back to let them vote:

    >>> import numpy, sudobench
    >>> boards = numpy.zeros((5, 81), dtype=numpy.uint8)
    >>> forms, transforms = sudobench.transform(boards, random=8, return_transforms=True)
    >>> predictions = sudobench.solve(forms).solution
    >>> sudobench.transform(predictions, apply=transforms, inverse=True).reshape(5, 8, 81).shape
    (5, 8, 81)
    """
    import numpy as np

    plain = [_plain(boards) for boards in ((puzzles,) if solutions is None else (puzzles, solutions))]
    read = [_boards(boards) for boards, _ in plain]
    of_puzzles, of_solutions = read[0][0], None if solutions is None else read[1][0]
    options = _options(random, seed, kinds, include_original, apply, inverse, to, by, threads)
    formed = shown(progress, lambda told: _sudobench.transform_boards(of_puzzles, of_solutions, options, told))
    each = random + include_original if random is not None else 1
    results = [as_given(write(forms, random is not None), each) for forms, (_, write), (_, as_given) in zip(formed, read, plain)]
    if return_transforms:
        results.append(np.array(_sudobench.transformations(of_puzzles, options), dtype="U31"))
    return results[0] if len(results) == 1 else tuple(results)


def _plain(boards: Any) -> tuple[Any, Callable[[Any, int], Any]]:
    """Returns boards as a list or array, and a function that converts the transformed boards to the type of `boards`, such as a
    series. The second argument of the function is the number of transformed boards that each board has."""
    if is_of("pandas", boards) and hasattr(boards, "index"):
        import pandas as pd

        def series(forms: list[Any], each: int) -> Any:
            # A categorical series cannot hold forms, because they are not among its categories.
            kind = boards.dtype.categories.dtype if isinstance(boards.dtype, pd.CategoricalDtype) else boards.dtype
            return pd.Series(list(forms), index=boards.index.repeat(each), name=boards.name, dtype=kind)

        return boards.tolist(), series
    if is_of("polars", boards) and hasattr(boards, "to_list"):
        import polars as pl

        return boards.to_list(), lambda forms, _: pl.Series(boards.name, forms).cast(boards.dtype)
    if is_of("pyarrow", boards) and hasattr(boards, "to_pylist") and not hasattr(boards, "column_names"):
        import pyarrow as pa

        def array(forms: Any, _: int) -> Any:
            kind = boards.type.value_type if pa.types.is_dictionary(boards.type) else boards.type
            return pa.array(forms if isinstance(forms, list) else forms.tolist(), kind)

        return boards.to_pylist(), array
    return boards, lambda forms, _: forms


def _options(
    random: int | None,
    seed: Any,
    kinds: str | Sequence[Kind] | None,
    include_original: bool,
    apply: Any,
    inverse: bool,
    to: str | None,
    by: str,
    threads: int | None,
) -> FormsOptions:
    if apply is not None and not isinstance(apply, str):
        if not hasattr(apply, "__iter__"):
            raise TypeError(f"apply={apply!r}: give a transformation, or one for each board")
        apply = [str(notation) for notation in apply]
    return {
        "random": random,
        "seed": seed,
        "kinds": kinds if kinds is None or isinstance(kinds, str) else ",".join(kinds),
        "include_original": include_original,
        "apply": apply,
        "inverse": inverse,
        "to": to,
        "by": by,
        "threads": threads,
    }


def _boards(boards: Any) -> tuple[Rows, Callable[[npt.NDArray[np.uint8], bool], Any]]:
    """Reads boards. Also returns a function that converts an array of forms to the kind of `boards`. The second
    argument of this function says whether each board can have several forms."""
    if is_arrow(boards) and not is_of("numpy", boards):
        raise TypeError("the boards are Arrow data: pass a table to transform_table, or pass the boards as a NumPy array")
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
    columns: str | Sequence[str] | None = None,
    *,
    random: int | None = None,
    seed: int | Sequence[int] | npt.NDArray[np.integer[Any]] = 1,
    kinds: str | Sequence[Kind] | None = None,
    include_original: bool = False,
    apply: Notations | npt.NDArray[np.str_] | None = None,
    apply_column: str | int | None = None,
    inverse: bool = False,
    to: Literal["canonical"] | None = None,
    by: Literal["puzzle", "row"] = "puzzle",
    solution_column: str | int | None = None,
    threads: int | None = None,
    progress: bool | OnProgress = False,
) -> Any:
    """Transforms the rows of a table to equivalent forms. All boards of a row get the same transformation: the puzzle,
    the solution, and any other value that is a board. Other values stay unchanged. A row without a puzzle is returned
    once.

    Takes the same tables as `solve_table`, and returns the same types. In a frame of pandas, each form has the index
    label of its row, as with `DataFrame.explode`. Columns keep their types, except that a dictionary-encoded column with
    boards becomes a plain column. `random`, `seed`, `kinds`, `include_original`, `apply`, `inverse`, `to`, `by`, `threads` and
    `progress` are as in `transform`; a list in `apply` has a transformation for each row.

    - `column`, `solution_column`: the columns of the puzzles and the solutions, by name or number from 1. By default,
      they are detected from names and content.
    - `apply_column`: the column that has a transformation for each row, by name or number from 1. If an earlier call
      transformed the rows and you added predictions to them, `apply_column="transform", inverse=True` transforms the
      rows back.
    - `columns`: `("transform",)` adds a column with the transformation of each row, `()` adds none. By default, the
      column is added unless `apply_column` or a list in `apply` already gives the transformations."""
    options: TableFormsOptions = {
        **_options(random, seed, kinds, include_original, apply, inverse, to, by, threads),
        "apply_column": apply_column,
    }
    if columns is None:
        columns = () if isinstance(options["apply"], list) or apply_column is not None else ("transform",)
    names, only_boards = names_of(columns), is_frame(table)
    return through_arrow(
        table,
        lambda rows, whole, count, told: _sudobench.transform_table(
            rows, column, solution_column, names, options, only_boards, whole, count, told
        ),
        progress,
        makes_forms=True,
    )
