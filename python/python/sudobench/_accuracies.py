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


class Bootstrap(NamedTuple):
    """The bootstrap that gave the confidence intervals of means. Each resample has as many values as the sample, drawn from it with
    replacement. 95 % of the means of resamples are inside the interval."""

    resamples: int
    """Number of resamples."""
    seed: int
    """The seed of the draws. It is always the same, so that equal scores have equal intervals."""


class Accuracies(NamedTuple):
    """The means over many predictions. A mean is `None` if no prediction counts for it."""

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
    bootstrap: Bootstrap | None = None
    """The bootstrap that gave the intervals of `cell_accuracy` and `blank_accuracy`. `None` if there are no such means. Also `None` if all
    buckets together have 100,000 predictions or more: then the intervals come from a normal distribution. A single prediction always has
    the interval 0 to 1."""

    def to_dict(self) -> dict[str, Any]:
        """Returns the means as dictionaries and numbers, for JSON. An `Accuracy` is a dictionary of `mean`, `low` and `high`."""
        return _plain(self)


class CellErrors(NamedTuple):
    """How often predictions are wrong, cell by cell: arrays of shape (9, 9). Predictions without a solution to compare with are ignored."""

    clues: npt.NDArray[np.uint64]
    """Number of predictions for puzzles in which the cell is a clue."""
    wrong_clues: npt.NDArray[np.uint64]
    """Number of predictions that are wrong in the cell, among the predictions that `clues` counts."""
    blanks: npt.NDArray[np.uint64]
    """Number of predictions for puzzles in which the cell is blank."""
    wrong_blanks: npt.NDArray[np.uint64]
    """Number of predictions that are wrong in the cell, among the predictions that `blanks` counts."""


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
    bootstrap: Bootstrap | None = None
    """The bootstrap that gave the interval; it draws groups. `None` if there is no mean, and for a single group, whose interval is always
    0 to 1. For 100,000 groups or more, also `None`: then the interval comes from a normal distribution."""

    def to_dict(self) -> dict[str, Any]:
        """Returns pass@k as dictionaries and numbers, for JSON."""
        return _plain(self)


def _plain(means: Accuracies | PassAt) -> dict[str, Any]:
    """Returns the fields as dictionaries and numbers. As in a record of `sudobench score`, `bootstrap` is left out if it is `None`."""
    fields = {name: value._asdict() if isinstance(value, (Accuracy, Bootstrap)) else value for name, value in means._asdict().items()}
    return {name: value for name, value in fields.items() if name != "bootstrap" or value is not None}


RawMean = tuple[float, float, float]
RawBootstrap = tuple[int, int]
RawAccuracies = tuple[int, "RawMean | None", "RawMean | None", "RawMean | None", "RawMean | None", "float | None", "RawBootstrap | None"]
RawPassAt = tuple[int, int, int, "RawMean | None", "RawBootstrap | None"]


def cell_errors_of(raw: Sequence[Sequence[int]]) -> CellErrors:
    import numpy as np

    return CellErrors(*(np.array(counts, dtype=np.uint64).reshape(9, 9) for counts in raw))


def pass_at_of(raw: list[RawPassAt]) -> dict[int, PassAt]:
    return {k: PassAt(_mean_of(mean), groups, too_small, _bootstrap_of(bootstrap)) for k, groups, too_small, mean, bootstrap in raw}


def accuracies_of(raw: RawAccuracies) -> Accuracies:
    puzzles, exact, valid, cells, blanks, pooled, bootstrap = raw
    means = (_mean_of(exact), _mean_of(valid), _mean_of(cells), _mean_of(blanks))
    return Accuracies(puzzles, *means, pooled, _bootstrap_of(bootstrap))


def _mean_of(raw: RawMean | None) -> Accuracy | None:
    return None if raw is None else Accuracy(*raw)


def _bootstrap_of(raw: RawBootstrap | None) -> Bootstrap | None:
    return None if raw is None else Bootstrap(*raw)
