import os
from collections.abc import Callable
from typing import Any, final

import numpy as np
import numpy.typing as npt

from ._types import FileAnswers, FileOptions, FormsOptions, RawAnswers, SolvingOptions

__all__ = [
    "Memory",
    "SolvedTable",
    "__version__",
    "answers_to_arrow",
    "main",
    "solve_array",
    "solve_file",
    "solve_list",
    "solve_one",
    "solve_table",
    "solve_texts",
    "solve_values",
    "transform_boards",
    "transform_table",
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
def solve_one(text: bytes, options: SolvingOptions) -> tuple[str, str | None, int, int, int]: ...
def solve_values(rows: npt.NDArray[np.uint8], options: SolvingOptions) -> RawAnswers: ...
def solve_texts(rows: npt.NDArray[np.uint8], width: int, options: SolvingOptions) -> RawAnswers: ...
def solve_list(list: list[Any], options: SolvingOptions) -> RawAnswers: ...
def solve_array(array: Any, options: SolvingOptions) -> RawAnswers: ...
def solve_table(
    table: Any,
    column: str | int | None,
    solution_column: str | int | None,
    columns: list[str],
    options: SolvingOptions,
    whole: bool,
) -> SolvedTable: ...
def solve_file(
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
def answers_to_arrow(
    solution: npt.NDArray[np.uint8],
    status: npt.NDArray[np.int8],
    numbers: list[npt.NDArray[np.uint64]],
    notes: list[tuple[int, str]],
    statuses: list[str],
) -> SolvedTable: ...
