"""Files: the rows of some into one, as the command writes them."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _sudobench
from ._progress import Progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._types import FileAnswers, FileOptions, SolvingOptions


@dataclass(frozen=True)
class Finished:
    """What became of a file."""

    rows: int
    """Rows read, of which each is a row of the output unless `only` left it out."""
    statuses: dict[str, int]
    """How many of them have each status."""
    left_out: int
    """Rows that `only` left out."""
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


def write_file(
    verb: str,
    input: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    files: FileOptions,
    options: SolvingOptions,
    progress: bool,
) -> Finished | None:
    """Writes the rows of files into a file, with columns of a verb behind them."""
    with Progress(progress) as told:
        finished = _sudobench.write_file(verb, inputs_of(input), output, options, files, told)
    if finished is None:
        warn_not_compared(output, 4)
        return None
    return Finished(**fields_of(finished))


def warn_not_compared(output: str | os.PathLike[str], stacklevel: int) -> None:
    """Warns that `resume=True` found a complete output, which says nothing about the call that made it."""
    warnings.warn(
        f"{os.fspath(output)} is complete; nothing was done. It was not compared with this call, because no record is kept of "
        "what made a finished file; use force=True to make it again",
        stacklevel=stacklevel,
    )


def inputs_of(
    input: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
) -> list[str | os.PathLike[str]]:
    """The files that were named, one or several."""
    return [input] if isinstance(input, (str, os.PathLike)) else list(input)


def fields_of(answers: FileAnswers) -> dict[str, Any]:
    """The fields of `Finished`."""
    return {**answers, "statuses": dict(answers["statuses"])}


def file_options(
    *,
    columns: str | Sequence[str] | None,
    only: str | Sequence[str] | None,
    input_format: str | None,
    output_format: str | None,
    puzzle_column: str | int | None,
    solution_column: str | int | None = None,
    header: bool | None,
    skip: int,
    limit: int | None,
    force: bool,
    resume: bool,
) -> FileOptions:
    """What was typed about files."""
    return {
        "columns": [columns] if isinstance(columns, str) else None if columns is None else list(columns),
        "only": [only] if isinstance(only, str) else None if only is None else list(only),
        "input_format": input_format,
        "output_format": output_format,
        "puzzle_column": puzzle_column,
        "solution_column": solution_column,
        "header": header,
        "skip": skip,
        "limit": limit,
        "force": force,
        "resume": resume,
    }
