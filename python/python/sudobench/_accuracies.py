"""The means over the scores of many predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt


class Accuracy(NamedTuple):
    """A mean from 0 to 1. Its 95 % confidence interval reaches from `low` to `high`."""

    mean: float
    low: float
    high: float


class Accuracies(NamedTuple):
    """The means over many predictions; `None` if there are no predictions to take a mean over."""

    puzzles: int
    """Number of predictions, without predictions for malformed puzzles."""
    exact: Accuracy | None
    """Share of the predictions that are exact (see `Scores.exact`), with Wilson's interval."""
    valid: Accuracy | None
    """Share of the predictions that are valid (see `Scores.valid`), with Wilson's interval."""
    cell_accuracy: Accuracy | None
    """Mean of right cells / 81, clues included, over the predictions that were compared with a solution."""
    blank_accuracy: Accuracy | None
    """Mean of right blanks / blanks over the compared predictions. Puzzles without blanks do not count."""
    blank_accuracy_pooled: float | None
    """Sum of the right blanks of all compared predictions / sum of the blanks of their puzzles."""

    def to_dict(self) -> dict[str, Any]:
        """Returns the means as dictionaries and numbers, for JSON. An `Accuracy` is a dictionary of `mean`, `low` and `high`."""
        return {name: value._asdict() if isinstance(value, Accuracy) else value for name, value in self._asdict().items()}


class CellErrors(NamedTuple):
    """How often predictions are wrong, cell by cell: arrays of shape (9, 9). Only predictions that were compared with a solution count."""

    clues: npt.NDArray[np.uint64]
    """Number of predictions for puzzles in which the cell is a clue."""
    wrong_clues: npt.NDArray[np.uint64]
    """Number of predictions that are wrong in the cell, among the predictions that the previous field counts."""
    blanks: npt.NDArray[np.uint64]
    """Number of predictions for puzzles in which the cell is blank."""
    wrong_blanks: npt.NDArray[np.uint64]
    """Number of predictions that are wrong in the cell, among the predictions that the previous field counts."""


class PassAt(NamedTuple):
    """pass@k: the probability that at least one of k predictions for a puzzle is exact, as a mean over groups of
    predictions."""

    accuracy: Accuracy | None
    """The mean, with its interval over groups; `None` if there are no groups, or if a group has fewer than k
    predictions."""
    groups: int
    """Number of groups."""
    too_small: int
    """Number of groups with fewer than k predictions."""


RawMean = tuple[float, float, float]
RawAccuracies = tuple[int, "RawMean | None", "RawMean | None", "RawMean | None", "RawMean | None", "float | None"]


RawPassAt = tuple[int, int, int, "RawMean | None"]


def cell_errors_of(raw: Sequence[Sequence[int]]) -> CellErrors:
    """Converts the raw counts of each cell to `CellErrors`."""
    import numpy as np

    return CellErrors(*(np.array(counts, dtype=np.uint64).reshape(9, 9) for counts in raw))


def pass_at_of(raw: list[RawPassAt]) -> dict[int, PassAt]:
    """Converts the raw tuples to a dictionary that maps each k to its `PassAt`."""
    return {k: PassAt(None if mean is None else Accuracy(*mean), groups, too_small) for k, groups, too_small, mean in raw}


def accuracies_of(raw: RawAccuracies) -> Accuracies:
    """Converts the raw tuple to `Accuracies`."""
    puzzles, exact, valid, cells, blanks, pooled = raw

    def named(mean: RawMean | None) -> Accuracy | None:
        return None if mean is None else Accuracy(*mean)

    return Accuracies(puzzles, named(exact), named(valid), named(cells), named(blanks), pooled)
