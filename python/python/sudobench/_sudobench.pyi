import os
from collections.abc import Callable
from typing import Any, final

import numpy as np
import numpy.typing as npt

from ._types import (
    DuplicatesFound,
    FileAnswers,
    FileOptions,
    FormsOptions,
    Prints,
    RawColumns,
    RawOverlap,
    RequestOptions,
    RowsDrawn,
    SolvingOptions,
)

__all__ = [
    "Memory",
    "SolvedTable",
    "__version__",
    "add_columns",
    "answers_to_arrow",
    "classes",
    "columns_of_array",
    "columns_of_list",
    "columns_of_texts",
    "columns_of_values",
    "dedupe_file",
    "generate",
    "generate_file",
    "main",
    "minimals",
    "overlaps",
    "rate_file",
    "solve_one",
    "transform_boards",
    "transform_table",
    "vicinity",
    "write_file",
]

__version__: str

@final
class Memory:
    """An array for `numpy.asarray`."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...

@final
class SolvedTable:
    """A table of Arrow with its answers, for whatever takes Arrow's streams."""

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def main(words: list[str], host: str, host_words: list[str]) -> int: ...
def overlaps(train: Prints, test: Prints) -> RawOverlap: ...
def solve_one(text: bytes, options: SolvingOptions) -> tuple[str, str | None, int, int, int]: ...
def columns_of_values(
    rows: npt.NDArray[np.uint8], verb: str, columns: list[str], options: SolvingOptions
) -> RawColumns: ...
def columns_of_texts(
    rows: npt.NDArray[np.uint8], width: int, verb: str, columns: list[str], options: SolvingOptions
) -> RawColumns: ...
def columns_of_list(list: list[Any], verb: str, columns: list[str], options: SolvingOptions) -> RawColumns: ...
def columns_of_array(array: Any, verb: str, columns: list[str], options: SolvingOptions) -> RawColumns: ...
def add_columns(
    table: Any,
    column: str | int | None,
    solution_column: str | int | None,
    verb: str,
    columns: list[str],
    options: SolvingOptions,
    whole: bool,
) -> SolvedTable: ...
def write_file(
    verb: str,
    inputs: list[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    solving: SolvingOptions,
    options: FileOptions,
    progress: Callable[[int, float | None], None] | None,
) -> FileAnswers | None: ...
def transform_boards(
    puzzles: tuple[npt.NDArray[np.uint8], bool],
    solutions: tuple[npt.NDArray[np.uint8], bool] | None,
    options: FormsOptions,
) -> tuple[Memory, Memory]: ...
def transform_table(
    table: Any,
    column: str | int | None,
    solution_column: str | int | None,
    columns: list[str],
    options: FormsOptions,
    whole: bool,
) -> SolvedTable: ...
def classes(rows: npt.NDArray[np.uint8], malformed: list[int]) -> tuple[Memory, Memory, Memory]: ...
def dedupe_file(
    inputs: list[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    isomorph: bool,
    part: str | None,
    solving: SolvingOptions,
    options: FileOptions,
    progress: Callable[[int, float | None], None] | None,
) -> tuple[FileAnswers, DuplicatesFound] | None: ...
def rate_file(
    inputs: list[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    stratify: int | None,
    solving: SolvingOptions,
    options: FileOptions,
    progress: Callable[[int, float | None], None] | None,
) -> tuple[FileAnswers, RowsDrawn] | None: ...
def generate(
    request: RequestOptions, options: SolvingOptions, progress: Callable[[int, float | None], None] | None
) -> tuple[Memory, Memory, Memory, Memory | None]: ...
def generate_file(
    output: str | os.PathLike[str],
    request: RequestOptions,
    solving: SolvingOptions,
    options: FileOptions,
    progress: Callable[[int, float | None], None] | None,
) -> FileAnswers | None: ...
def minimals(text: bytes, limit: int) -> Memory: ...
def vicinity(text: bytes, distance: str, minimal: bool, limit: int) -> Memory: ...
def answers_to_arrow(
    solution: npt.NDArray[np.uint8],
    status: npt.NDArray[np.int8],
    numbers: list[npt.NDArray[np.uint64]],
    notes: list[tuple[int, str]],
    statuses: list[str],
) -> SolvedTable: ...
