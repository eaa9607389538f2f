"""Functions on files, which do the same as the verbs of the command. `_verb_files.py` has a function for each verb."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from . import _sudobench
from ._accuracies import Accuracies, CellErrors, PassAt, accuracies_of, cell_errors_of, pass_at_of
from ._progress import shown

Path = str | os.PathLike[str]
Paths = Path | Sequence[Path]


@dataclass(frozen=True)
class Finished:
    """The result of a function on files."""

    rows: int
    """Number of rows that were read, or of puzzles that were generated, including those that were left out of the output."""
    statuses: dict[str, int]
    """Number of rows with each status. A puzzle that was not solved has no status, for example in `dedupe_file`."""
    left_out: int
    """Number of rows that were left out, for example by `only`, `keep` or `sample`, or as duplicates."""
    restored: int
    """Number of puzzles whose zeros at the start were restored."""
    compared: int
    """Number of rows whose answer was compared with an expected solution."""
    mismatches: int
    """Number of compared rows whose answer differs from the expected solution. If any solution is allowed (`max_solutions=1`), a row
    does not count if its answer and its expected solution are both correct."""
    notices: list[str]
    """Messages about the first malformed rows, mismatches, and wrong answers of the solver."""
    resumed_after: int
    """Number of rows that the earlier run, which was resumed, had already done."""
    seconds: float
    """Wall time in seconds, including the time of the earlier run that was resumed."""


AnyFinished = TypeVar("AnyFinished", bound=Finished)


@dataclass(frozen=True)
class FinishedFound(Finished):
    """The result of `solutions_file`, `minimals_file`, `vicinity_file` and `explain_file`."""

    found: int
    """Number of boards or steps that were found, also if `sample` or `top` leaves them out of the output."""
    incomplete: int
    """Number of rows whose list of boards may be incomplete, for example because of `limit_per_puzzle`, or whose steps do not lead to the
    solution."""


@dataclass(frozen=True)
class FinishedDedupe(Finished):
    """The result of `dedupe_file`."""

    distinct: int
    """Number of different puzzles. With `isomorph`, this and the next three fields count equivalent puzzles as the same puzzle."""
    duplicates: int
    """Number of rows whose puzzle is in an earlier row."""
    groups: int
    """Number of puzzles that are in several rows."""
    largest: int
    """Largest number of rows with the same puzzle; 0 if no row has a puzzle."""
    of_other_parts: int
    """Number of rows whose puzzle belongs to a `part` other than the requested one."""


@dataclass(frozen=True)
class FinishedRate(Finished):
    """The result of `rate_file`."""

    found: dict[str, int]
    """Number of rows of each difficulty that occurs, or of each value of `stratify_by`; empty without `stratify`."""
    drawn: dict[str, int]
    """Number of drawn rows with each value that `found` lists; empty without `stratify`."""


@dataclass(frozen=True)
class FinishedSplit(Finished):
    """The result of `split_file`. With two outputs, the fields of `Finished` are about the training rows."""

    test_rows: int | None
    """Number of rows of `test_output`; `None` without `test_output`, and if an earlier call completed that file."""
    classes: int | None
    """Number of classes. A class is never divided between the sides. Classes are counted only with `stratify`; `None` without it."""
    groups: int | None
    """Number of classes with several rows; `None` without `stratify`."""
    found: dict[str, int]
    """Number of rows with each value of the column that `stratify` names, without malformed rows. An empty text stands for rows without a
    value. Empty without `stratify`."""
    test: dict[str, int]
    """Number of test rows with each value that `found` lists; empty without `stratify`."""


@dataclass(frozen=True)
class FinishedOverlap(Finished):
    """The result of `overlap_file`."""

    overlaps: dict[str, int]
    """Number of rows with each kind of overlap. A row can have several kinds."""


@dataclass(frozen=True)
class FinishedScore(Finished):
    """The result of `score_file`."""

    accuracies: Accuracies
    """The means over all rows with a puzzle. Rows that are too long to be read count as wrong predictions."""
    buckets: dict[str, Accuracies]
    """The means for each value of `bucket_by`. Empty without `bucket_by`, and if `bucket_by` has more than 1,000 different values."""
    pass_at: dict[int, PassAt]
    """pass@k for each k of `pass_at`."""
    cell_errors: CellErrors
    """How often each cell is wrong, over all rows."""


def run(kind: type[AnyFinished], verb: str, options: dict[str, Any]) -> AnyFinished | None:
    """Runs a verb over files. `options` has the arguments of the verb's function (such as `solve_file`) by name. If `resume`
    is true and a run with the same options has already completed the output, warns and returns `None`. For `split` with
    two outputs, returns the result of the training rows."""
    inputs = options.pop("test", ()) if verb == "overlap" else options.pop("input", ())
    train, output, test_output = options.pop("train", ()), options.pop("output"), options.pop("test_output", None)
    threads, progress = options.pop("threads"), options.pop("progress")
    if test_output is not None:
        options["columns"] = options["columns"] or None
    text = keywords_as_text(options)
    results = shown(
        progress, lambda told: _sudobench.run_job(verb, _several(inputs), _several(train), output, test_output, text, threads, told)
    )
    for path, fields in zip((output, test_output), results):
        if fields is None:
            warnings.warn(
                f"{os.fspath(path or '')} is complete; nothing was done. Its record says that a call with these arguments made it",
                stacklevel=3,
            )
    fields = results[0]
    if fields is None:
        return None
    if verb == "split":
        # Without a file for the test rows, or if an earlier call completed this file, their number is not known here.
        of_test = results[1] if len(results) > 1 else None
        fields["test_rows"] = of_test and of_test["rows"] - of_test["left_out"]
    if verb == "score":
        fields["accuracies"] = accuracies_of(fields["accuracies"])
        fields["pass_at"] = pass_at_of(fields["pass_at"])
        fields["cell_errors"] = cell_errors_of(fields["cell_errors"])
        fields["buckets"] = {value: accuracies_of(means) for value, means in fields["buckets"].items()}
    return kind(**fields)


def keywords_as_text(keywords: dict[str, Any]) -> str:
    """Returns the options of a verb as JSON, without those that were not given."""

    def text(name: str, value: Any) -> str:
        try:
            words = json.dumps(value, default=_plain, allow_nan=False, ensure_ascii=False)
            words.encode()  # Raises an error for half of a pair of surrogates, which is not a character.
            return words
        except (TypeError, ValueError):
            raise TypeError(f"{name}={value!r}: give a finite number, a text or a list of them") from None

    given = {name: text(name, value) for name, value in keywords.items() if value is not None}
    return "{" + ", ".join(f"{json.dumps(name)}: {value}" for name, value in given.items()) + "}"


def _several(paths: Paths) -> list[Path]:
    return [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)


def _plain(value: Any) -> Any:
    """Converts a number of NumPy or a similar library to a number of Python. Raises `TypeError` or `ValueError` for
    anything else."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError
