"""The function `extract`, which finds the grid in the answer of a language model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, overload

from . import _sudobench
from ._puzzles import boards_of, is_missing, is_of, origin_of, table_refused
from ._results import Boards, Column
from ._tables import is_frame
from ._words import Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt

    from ._sudobench import Rows


@dataclass(frozen=True)
class Extraction:
    """The grid in one text."""

    grid: str | None
    """81 characters, `.` for a blank; `None` if there is no grid."""
    found: str | None
    """How the grid is written: `"digits"`, `"lines"`, `"box"`, `"table"` or `"list"`; `None` if there is no grid."""
    note: str | None = None
    """Why there is no grid."""


@dataclass(frozen=True, eq=False, repr=False)
class Extracted(Boards[Extraction]):
    """The grids in many texts, in their order."""

    grid: npt.NDArray[np.uint8]
    """An array of shape (N, 81), 0 for a blank. Without a grid, a row is all zeros, and has a note in `notes`."""
    found: Words
    """How each grid is written; empty without a grid."""
    notes: dict[int, str]
    """For each row without a grid, its number from 0 and the reason."""

    _record: ClassVar[type[Extraction]] = Extraction

    def _columns(self) -> dict[str, Column]:
        return {"grid": Column(self.grid, self.found.codes >= 0), "found": Column(self.found, self.found.codes >= 0), "note": Column(self.notes)}

    def __repr__(self) -> str:
        return f"<sudobench.Extracted of {len(self):,} texts: {len(self) - len(self.notes):,} with a grid>"


@overload
def extract(texts: str | bytes, *, threads: int | None = None) -> Extraction: ...  # type: ignore[overload-overlap]
@overload
def extract(texts: Iterable[str | bytes | None], *, threads: int | None = None) -> Extracted: ...
def extract(texts: Any, *, threads: int | None = None) -> Extraction | Extracted:
    """Finds the grid in a text, or in each of many texts, such as the answers of a language model.

    Which grid counts:

    1. If the text has a closed `<answer>`, only the last one counts, even if there is no grid in it. Otherwise, all
       text outside of `<think>` counts. A `<think>` that is not closed lasts until the end of the text. If there
       is no `<think>` before the first `</think>`, the text before this `</think>` does not count.
    2. In this part of the text, the last grid without blanks counts, or else the last grid with blanks. It doesn't
       matter whether a grid is right.

    A grid is 81 cells one after the other (`"digits"`), nine lines of nine cells without bars (`"lines"`), with bars
    between the boxes (`"box"`) or with bars between all cells (`"table"`), or a list of cells or rows (`"list"`).
    `.`, `0` and `_`, for example, are blanks. Row labels, lines of column numbers above the grid, borders, code fences, emphasis of
    Markdown, and simple commands of HTML and LaTeX are understood. The exact rule is in the [documentation of the
    Rust function](https://docs.rs/sudobench-sudoku/latest/sudobench_sudoku/extract/index.html).

    - `texts`: a text, which gives an `Extraction`; or a list, an array or a series of texts, which gives `Extracted`.
      A missing text has no grid, nor has an item of another type. If all items are of other types, a `TypeError` is raised.
    - `threads`: as in `solve`.

    `score(puzzles, texts, extract=True)` scores the grids.

    >>> import sudobench
    >>> text = "<think>5 fits in row 1.</think> The answer is 534678912672195348198342567859761423426853791713924856961537284287419635345286179."
    >>> found = sudobench.extract(text)
    >>> found.grid[:9], found.found
    ('534678912', 'digits')
    >>> sudobench.extract([text, "I cannot solve it."]).found.tolist()
    ['digits', '']
    """
    is_one = isinstance(texts, (str, bytes))
    rows, found, others = grids_in([texts] if is_one else texts, threads)
    boards, notes = boards_of(rows)
    results = Extracted(boards, found, {**notes, **others}, _origin=origin_of(rows))
    return results[0] if is_one else results


def grids_in(texts: Any, threads: int | None) -> tuple[Rows, Words, dict[int, str]]:
    """Returns the grids in the texts, how each grid is written (see `Extraction.found`), and the notes of the items that are not texts.

    Raises `TypeError` for a single text, for a table and other values that are no list of texts, and if every item is something other
    than a text or a missing value."""
    import numpy as np

    if isinstance(texts, (str, bytes)):
        raise TypeError("this is one text: pass a list of texts")
    if is_frame(texts) or hasattr(texts, "column_names"):
        raise table_refused("extract")
    if not hasattr(texts, "__iter__") or isinstance(texts, Mapping):
        raise TypeError(f"a value of type {type(texts).__name__} cannot contain texts: pass a list of texts")
    # The items of an Arrow array are scalars of Arrow, not texts, so the array is converted first.
    items = texts.to_pylist() if is_of("pyarrow", texts) else list(texts)
    index = getattr(texts, "index", None) if is_of("pandas", texts) else None
    others = {row: f"an item of type {type(item).__name__}, not a text" for row, item in enumerate(items) if not _may_be_text(item)}
    if len(others) < len(items):
        for row in others:
            items[row] = None
    rows, codes, names = _sudobench.extracted(items, index, threads)
    return rows, Words(np.asarray(codes), names), others


def _may_be_text(item: Any) -> bool:
    """Returns whether an item of a list is a text or a missing value."""
    return isinstance(item, (str, bytes, bytearray, memoryview)) or is_missing(item)
