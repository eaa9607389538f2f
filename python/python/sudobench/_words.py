"""Columns of strings with only a few different values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from . import _sudobench

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import numpy.typing as npt


class Words:
    """A column of strings with only a few different values, here called words, such as `unique`. Each row takes one byte of memory.

    This behaves like an array of strings: `words == "unique"` is a mask, a position gives a `str`, a slice or a mask
    gives `Words`, and NumPy functions accept `Words` like an array. `pandas.Categorical.from_codes(words.codes,
    words.categories)` makes a column of pandas."""

    codes: npt.NDArray[np.int8]
    """For each row, the position of its word in `categories`. -1 stands for no word, which is an empty string in
    arrays."""
    categories: list[str]
    """The words, each once."""

    def __init__(self, codes: npt.NDArray[np.int8], categories: Sequence[str]) -> None:
        self.codes = codes
        self.categories = list(categories)

    @classmethod
    def distinct(cls, codes: npt.NDArray[np.int8], categories: list[str]) -> Words:
        """Makes `Words` from categories that may contain a word several times, such as the joined categories of several chunks."""
        if len(set(categories)) < len(categories):
            import numpy as np

            names = list(dict.fromkeys(categories))
            numbers = [names.index(name) for name in categories]
            codes = np.array([*numbers, -1], dtype=np.int8)[codes]  # the code -1 (no word) selects the last item, which is -1 too
            return cls(codes, names)
        return cls(codes, categories)

    def where(self, mask: npt.NDArray[np.bool_]) -> Words:
        """Returns a column of the same length. Rows in the mask keep their words, and the other rows have no word."""
        import numpy as np

        return Words(np.where(mask, self.codes, np.int8(-1)), self.categories)

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
        return [*self.categories, ""][codes] if np.ndim(codes) == 0 else Words(codes, self.categories)

    def __iter__(self) -> Iterator[str]:
        return map([*self.categories, ""].__getitem__, self.codes.tolist())

    def tolist(self) -> list[str]:
        """Returns the words as a list."""
        return list(self)

    def counts(self) -> dict[str, int]:
        """Returns the number of rows with each word. Words that no row has are left out."""
        import numpy as np

        rows = np.bincount(self.codes[self.codes >= 0], minlength=len(self.categories)).tolist()
        return {word: count for word, count in zip(self.categories, rows) if count}

    def __eq__(self, other: object) -> npt.NDArray[np.bool_]:  # type: ignore[override]
        import numpy as np

        if isinstance(other, str):
            known = [*self.categories, ""]
            # The empty string is last in `known`, and its code is -1. An unknown word gets the code -2, which no row has.
            return self.codes == ((known.index(other) + 1) % len(known) - 1 if other in known else -2)
        return np.asarray(np.asarray(self) == np.asarray(other))

    def __ne__(self, other: object) -> npt.NDArray[np.bool_]:  # type: ignore[override]
        return ~(self == other)

    __hash__ = None  # type: ignore[assignment]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        import numpy as np

        if copy is False:
            raise ValueError("copy=False: these texts are stored as numbers, so an array of strings is always a copy")
        # The code -1 selects the empty string, which is last. Without the empty string, an empty list of words would become an array of
        # numbers.
        words = np.array([*self.categories, ""])[self.codes]
        return words if dtype is None else words.astype(dtype)

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Returns the words as a dictionary array of Arrow."""
        return _sudobench.words_to_arrow(self.codes, self.categories, requested_schema)

    def __repr__(self) -> str:
        counts = ", ".join(f"{count:,} {word}" for word, count in self.counts().items())
        return f"<sudobench.Words of {len(self):,} rows: {counts or 'none'}>"
