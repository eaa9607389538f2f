"""Files: the rows of some into one, as the command writes them. `_verb_files.py` has a function for each verb."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from . import _sudobench
from ._accuracies import Accuracies, PassAt, accuracies_of, pass_at_of
from ._progress import shown

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


AnyFinished = TypeVar("AnyFinished", bound=Finished)


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


@dataclass(frozen=True)
class FinishedScore(Finished):
    """What became of a file whose predictions were scored."""

    accuracies: Accuracies
    """The means over all rows with a puzzle."""
    buckets: dict[str, Accuracies]
    """The means for each value of `bucket_by`; empty without it, and if there are more than 1,000 values."""
    pass_at: dict[int, PassAt]
    """pass@k for each k of `pass_at`."""


def run(kind: type[AnyFinished], verb: str, options: dict[str, Any]) -> AnyFinished | None:
    """Runs a verb over files. `options` are the arguments of its function, by their names. Returns `None`, and warns, if the output
    was complete already, by the same options."""
    if verb == "split":
        test_output = options.pop("test_output")
        if test_output is not None:
            return _run_split(kind, options, test_output)
    inputs = options.pop("test", ()) if verb == "overlap" else options.pop("input", ())
    train, output = options.pop("train", ()), options.pop("output")
    threads, progress = options.pop("threads"), options.pop("progress")
    text = keywords_as_text(options)
    fields = shown(
        progress, lambda told: _sudobench.run_job(verb, _several(inputs), _several(train), output, text, threads, told)
    )
    if fields is None:
        warnings.warn(
            f"{os.fspath(output or '')} is complete; nothing was done. Its record says that a call with these arguments made it",
            stacklevel=3,
        )
        return None
    if verb == "score":
        fields["accuracies"] = accuracies_of(fields["accuracies"])
        fields["pass_at"] = pass_at_of(fields["pass_at"])
        fields["buckets"] = {value: accuracies_of(means) for value, means in fields["buckets"].items()}
    return kind(**fields)


def _run_split(kind: type[AnyFinished], options: dict[str, Any], test_output: Path) -> AnyFinished | None:
    """Runs `split` once for each of two outputs. Returns the result of the training rows."""
    if os.path.abspath(os.fspath(options["output"])) == os.path.abspath(os.fspath(test_output)):
        raise ValueError(f"test_output={os.fspath(test_output)}: it is the output as well; give it another name")
    for path in _several(options["input"]):
        if os.path.exists(path) and not os.path.isfile(path):
            raise ValueError(f"test_output reads the input twice, which {os.fspath(path)!r} does not allow: store it in a file first")
    for path in (options["output"], test_output):
        if os.path.exists(path) and not options["force"] and not options["resume"]:
            raise FileExistsError(f"{os.fspath(path)} already exists: replace it with force=True, or choose another name")
    only = [options["only"]] if isinstance(options["only"], str) else list(options["only"] or ())
    columns = options["columns"] or "none"
    train, _ = (
        run(kind, "split", {**options, "output": path, "test_output": None, "only": [*only, condition], "columns": columns})
        for path, condition in ((options["output"], "side!=test"), (test_output, "side=test"))
    )
    return train


def keywords_as_text(keywords: dict[str, Any]) -> str:
    """Returns the options of a verb as JSON, without those that were not given."""

    def text(name: str, value: Any) -> str:
        try:
            return json.dumps(value, default=_plain)
        except (TypeError, ValueError):
            raise TypeError(f"{name}={value!r}: give a number, a text or a list of them") from None

    given = {name: text(name, value) for name, value in keywords.items() if value is not None}
    return "{" + ", ".join(f"{json.dumps(name)}: {value}" for name, value in given.items()) + "}"


def _several(paths: Paths) -> list[Path]:
    return [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)


def _plain(value: Any) -> Any:
    """Returns a number of NumPy and the like as one of Python. Raises `TypeError` or `ValueError` for anything else."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError
