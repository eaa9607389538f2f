"""Files: the rows of some into one, as the command writes them. `_verb_files.py` has a function for each verb."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _sudobench
from ._progress import Progress

if TYPE_CHECKING:
    from ._types import Counts, JobAnswers

Path = str | os.PathLike[str]
Paths = Path | Sequence[Path]


@dataclass(frozen=True)
class Finished:
    """What became of a file."""

    rows: int
    """Rows read, of which each is a row of the output unless it was left out."""
    statuses: dict[str, int]
    """How many of them have each status."""
    left_out: int
    """Rows that were left out: by `only`, as duplicates, as not drawn."""
    restored: int
    """Puzzles that got the zeros at their start back."""
    compared: int
    """Rows with an expected solution."""
    mismatches: int
    """Those whose answer is another one."""
    notices: list[str]
    """The first rows that deserve a word: malformed ones, mismatches."""
    resumed_after: int
    """Rows that an earlier run had answered."""
    seconds: float
    """How long it took, with the time of that run."""


@dataclass(frozen=True)
class FinishedFound(Finished):
    """What became of a file for whose puzzles others were found."""

    found: int
    """Puzzles that were found, of which each is a row of the output."""
    incomplete: int
    """Rows that have more of them than `limit_per_puzzle`."""


@dataclass(frozen=True)
class FinishedDedupe(Finished):
    """What became of a file whose duplicates were left out."""

    distinct: int
    """Puzzles that are different, or with `isomorph` not isomorphic."""
    duplicates: int
    """Rows whose puzzle stands in an earlier one."""
    groups: int
    """Puzzles that stand in several rows."""
    largest: int
    """The most rows that one of them stands in."""
    of_other_parts: int
    """Rows whose puzzle is of another part."""


@dataclass(frozen=True)
class FinishedRate(Finished):
    """What became of a file whose puzzles were rated."""

    found: dict[str, int]
    """Rows of each difficulty; empty without `stratify`."""
    drawn: dict[str, int]
    """Those of each that were drawn; empty without `stratify`."""


@dataclass(frozen=True)
class FinishedOverlap(Finished):
    """Which rows of TEST a training set has."""

    overlaps: dict[str, int]
    """How many rows overlap in each way; one may do so in several."""


def run(
    verb: str,
    input: Paths,
    output: Path | None,
    threads: int | None,
    progress: bool,
    keywords: dict[str, Any],
    train: Paths = (),
) -> JobAnswers | None:
    """Runs a verb over files. Returns `None`, and warns, if the output was complete already."""
    text = keywords_as_text(keywords)
    with Progress(progress) as told:
        answers = _sudobench.run_job(verb, _several(input), _several(train), output, text, threads, told)
    if answers is None:
        warnings.warn(
            f"{os.fspath(output or '')} is complete; nothing was done. It was not compared with this call, because no record is "
            "kept of what made a finished file; use force=True to make it again",
            stacklevel=3,
        )
    return answers


def finished(answers: JobAnswers | None) -> Finished | None:
    """What most verbs return."""
    return None if answers is None else Finished(**fields_of(answers))


def finished_found(answers: JobAnswers | None) -> FinishedFound | None:
    """What `minimals` and `vicinity` return."""
    return None if answers is None else FinishedFound(**fields_of(answers), **_counts(answers["found"]))


def finished_dedupe(answers: JobAnswers | None) -> FinishedDedupe | None:
    """What `dedupe` returns."""
    return None if answers is None else FinishedDedupe(**fields_of(answers), **_counts(answers["found"]))


def finished_rate(answers: JobAnswers | None) -> FinishedRate | None:
    """What `rate` returns."""
    if answers is None:
        return None
    return FinishedRate(**fields_of(answers), found=dict(answers["strata"]), drawn=dict(answers["drawn"]))


def finished_overlap(answers: JobAnswers | None) -> FinishedOverlap | None:
    """What `overlap` returns."""
    return None if answers is None else FinishedOverlap(**fields_of(answers), overlaps=dict(answers["overlaps"]))


def fields_of(answers: JobAnswers) -> dict[str, Any]:
    """The fields of `Finished`."""
    own = ("found", "strata", "drawn", "overlaps")
    fields = {name: value for name, value in answers.items() if name not in own}
    return {**fields, "statuses": dict(answers["statuses"])}


def keywords_as_text(keywords: dict[str, Any]) -> str:
    """The options of a verb as JSON, without those that were not given."""
    given = {name: value for name, value in keywords.items() if value is not None}
    return json.dumps(given, default=_plain)


def _counts(counts: Counts) -> dict[str, Any]:
    return dict(counts)


def _several(paths: Paths) -> list[Path]:
    return [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)


def _plain(value: Any) -> Any:
    """A number of numpy and the like as one of Python."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{value!r} is of type {type(value).__name__}, which no option is")
