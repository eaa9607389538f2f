"""The types of arguments and results of `_sudobench`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict, Union

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from ._words import Words
    from ._sudobench import Memory


class SolvingOptions(TypedDict, total=False):
    """Options for solving. Missing options have the defaults of the command."""

    max_solutions: int
    answer: str | None
    max_nodes: int | None
    max_time_per_puzzle: float | None
    solver: str | None
    threads: int | None
    restore_zeros: bool
    isomorphs: int
    seed: int


class FormsOptions(TypedDict):
    """Options for forms of boards."""

    random: int | None
    seed: int | Sequence[int] | npt.NDArray[np.integer[Any]]
    kinds: str | None
    include_original: bool
    apply: str | list[str] | None
    inverse: bool
    to: str | None
    by: str
    threads: int | None


class TableFormsOptions(FormsOptions):
    """Options for forms of the rows of a table."""

    apply_column: str | int | None


Prints = list[tuple[str, "npt.NDArray[np.uint64]", "npt.NDArray[np.uint64]"]]
"""The fingerprints of rows, which have 128 bits. For each kind of overlap: its name, then the upper 64 bits and the lower 64 bits of each
row's fingerprint."""


class RawOverlap(TypedDict):
    """The result of `_sudobench.overlaps`, from which an `Overlap` is made."""

    kinds: list[tuple[str, Memory, int]]
    train_input: Memory
    train_row: Memory
    train_masks: list[Memory]


Values = Union["npt.NDArray[Any]", "Words", dict[int, str]]
"""The values of a column of a result."""
