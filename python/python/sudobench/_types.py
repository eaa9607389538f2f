"""What goes to and comes from `_sudobench`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._sudobench import Memory


RawTexts = list[tuple[int, str]]
"""Texts with the numbers of their rows, without those that have none."""


class SolvingOptions(TypedDict):
    """How to solve."""

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
    """Which forms."""

    random: int | None
    seed: int
    apply: str | None
    to: str | None
    threads: int | None


class RawColumns(TypedDict, total=False):
    """The columns that were asked for. Words are numbers, and what they stand for."""

    puzzle: Memory
    solution: Memory
    status: tuple[Memory, list[str]]
    count: Memory
    nodes: Memory
    guesses: Memory
    canonical: Memory
    transform: RawTexts
    automorphisms: Memory
    canonical_solution: Memory
    difficulty: tuple[Memory, list[str]]
    singles: tuple[Memory, list[str]]
    locked: tuple[Memory, list[str]]
    pairs: tuple[Memory, list[str]]
    depth: Memory
    backdoor: Memory
    minimal: tuple[Memory, list[str]]
    redundant: RawTexts
    cnt12095: Memory
    weight: Memory
    note: RawTexts


Prints = list[tuple[str, "npt.NDArray[np.uint64]", "npt.NDArray[np.uint64]"]]
"""By what rows are known, by kinds of overlap: the upper and the lower halves of 128 bits."""


class RawOverlap(TypedDict):
    """What `Overlap` is made of."""

    kinds: list[tuple[str, Memory, int]]
    train_input: Memory
    train_row: Memory
