import os
from collections.abc import Callable
from typing import Any, final

import numpy as np
import numpy.typing as npt

from ._types import FormsOptions, Prints, RawColumns, RawOverlap, SolvingOptions

__all__ = [
    "Memory",
    "NotGenerated",
    "SolvedTable",
    "__version__",
    "add_columns",
    "are_solutions",
    "candidates",
    "classes",
    "columns_of_array",
    "columns_of_list",
    "columns_of_rows",
    "find",
    "generate",
    "generate_table",
    "main",
    "overlaps",
    "results_to_arrow",
    "run_job",
    "solve_one",
    "stratify",
    "transform_boards",
    "transform_table",
]

__version__: str

@final
class Memory:
    """An array for `numpy.asarray`."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...

class NotGenerated(ValueError):
    """A puzzle was not found in any of its attempts. `made` holds the puzzles before it."""

    made: Any

@final
class SolvedTable:
    """A table of Arrow with its answers, for whatever takes Arrow's streams."""

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def main(words: list[str], host: str, host_words: list[str]) -> int: ...
def overlaps(train: list[Prints], test: Prints) -> RawOverlap: ...
def solve_one(text: bytes, options: SolvingOptions) -> tuple[str, str | None, int, int, int]: ...
def columns_of_rows(
    rows: npt.NDArray[np.uint8], are_texts: bool, verb: str, columns: list[str], options: SolvingOptions
) -> RawColumns: ...
def columns_of_list(list: list[Any], verb: str, columns: list[str], options: SolvingOptions) -> RawColumns: ...
def columns_of_array(
    array: Any, verb: str, columns: list[str], options: SolvingOptions
) -> tuple[RawColumns, bool]: ...
def add_columns(
    table: Any,
    column: str | int | None,
    solution_column: str | int | None,
    verb: str,
    columns: list[str],
    options: SolvingOptions,
    whole: bool,
) -> SolvedTable: ...
def run_job(
    verb: str,
    inputs: list[str | os.PathLike[str]],
    train: list[str | os.PathLike[str]],
    output: str | os.PathLike[str] | None,
    keywords: str,
    threads: int | None,
    progress: Callable[[int, float | None], None] | None,
) -> dict[str, Any] | None: ...
def generate(
    keywords: str, threads: int | None, progress: Callable[[int, float | None], None] | None
) -> RawColumns: ...
def generate_table(
    keywords: str, threads: int | None, progress: Callable[[int, float | None], None] | None
) -> SolvedTable: ...
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
def find(
    verb: str, keywords: str, rows: npt.NDArray[np.uint8], malformed: list[int], threads: int | None
) -> tuple[Memory, Memory, Memory]: ...
def are_solutions(puzzles: npt.NDArray[np.uint8], grids: npt.NDArray[np.uint8]) -> Memory: ...
def candidates(rows: npt.NDArray[np.uint8], malformed: list[int], level: str, threads: int | None) -> Memory: ...
def stratify(difficulties: npt.NDArray[np.int8], names: list[str], rows: int, seed: int) -> Memory: ...
def results_to_arrow(
    rows: int, columns: list[tuple[str, Any, npt.NDArray[np.bool_] | None]], as_texts: bool
) -> SolvedTable: ...
