"""Columns of words and of boards as texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from . import _sudobench

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import numpy.typing as npt
    import pandas as pd


class Words:
    """A word for each row, of which there are only a few different ones. A row takes one byte.

    This behaves like an array of strings: `words == "unique"` is a mask, a position gives a `str`, a slice or a mask gives `Words`, and
    NumPy takes it where it takes an array. `pandas.Categorical.from_codes(words.codes, words.categories)` copies nothing."""

    codes: npt.NDArray[np.int8]
    """For each row, the position of its word in `categories`."""
    categories: list[str]
    """The words, each once."""

    def __init__(self, codes: npt.NDArray[np.int8], categories: Sequence[str]) -> None:
        self.codes = codes
        self.categories = list(categories)

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, key: int | np.integer[Any]) -> str: ...
    @overload
    def __getitem__(
        self, key: slice | list[int] | list[bool] | npt.NDArray[np.integer[Any]] | npt.NDArray[np.bool_]
    ) -> Words: ...
    def __getitem__(self, key: Any) -> str | Words:
        import numpy as np

        codes = self.codes[key]
        return self.categories[codes] if np.ndim(codes) == 0 else Words(codes, self.categories)

    def __iter__(self) -> Iterator[str]:
        return map(self.categories.__getitem__, self.codes.tolist())

    def tolist(self) -> list[str]:
        """Returns the words as a list."""
        return list(self)

    def counts(self) -> dict[str, int]:
        """Returns how many rows have each word, for the words that some rows have."""
        import numpy as np

        rows = np.bincount(self.codes, minlength=len(self.categories)).tolist()
        return {word: count for word, count in zip(self.categories, rows) if count}

    def __eq__(self, other: object) -> npt.NDArray[np.bool_]:  # type: ignore[override]
        import numpy as np

        if isinstance(other, str):
            return self.codes == (self.categories.index(other) if other in self.categories else -1)
        return np.asarray(np.asarray(self) == np.asarray(other))

    def __ne__(self, other: object) -> npt.NDArray[np.bool_]:  # type: ignore[override]
        return ~(self == other)

    __hash__ = None  # type: ignore[assignment]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        import numpy as np

        if copy is False:
            raise ValueError("words are held as numbers, so an array of strings is a copy")
        # An empty list of words would be one of numbers.
        words = np.array([*self.categories, ""])[self.codes]
        return words if dtype is None else words.astype(dtype)

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Returns the words as a dictionary array of Arrow."""
        return _sudobench.words_to_arrow(self.codes, self.categories, requested_schema)

    def __repr__(self) -> str:
        counts = ", ".join(f"{count:,} {word}" for word, count in self.counts().items())
        return f"<sudobench.Words of {len(self):,} rows: {counts or 'none'}>"


def solutions_for_pandas(solutions: npt.NDArray[np.uint8]) -> pd.Series[str]:
    """Returns solutions as texts of 81 digits, and missing values for rows of zeros."""
    import numpy as np
    import pandas as pd

    letters = np.ascontiguousarray(solutions + np.uint8(ord("0")))
    is_solved = solutions[:, 0] > 0
    try:
        import pyarrow as pa

        # pandas 3 holds strings as Arrow does, which takes 81 bytes for each of them instead of 130.
        offsets = np.arange(len(letters) + 1, dtype=np.int64) * 81
        buffers = [pa.py_buffer(np.packbits(is_solved, bitorder="little")), pa.py_buffer(offsets), pa.py_buffer(letters)]
        texts = pa.Array.from_buffers(pa.large_string(), len(letters), buffers)
        return pd.Series(pd.array(texts, dtype="str"), dtype=str)
    except (ImportError, TypeError):
        # pyarrow is not installed, or this is an older pandas.
        rows = letters.view("S81").reshape(-1).astype("U81")
        return pd.Series(rows, dtype=str).where(is_solved, None)
