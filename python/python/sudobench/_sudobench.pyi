import os
from typing import Any, SupportsIndex, final

import numpy as np
import numpy.typing as npt

from ._accuracies import RawAccuracies, RawPassAt
from ._progress import OnProgress
from ._types import FormsOptions, Prints, RawOverlap, SolvingOptions, TableFormsOptions

__all__ = [
    "Memory",
    "NotGenerated",
    "Rows",
    "SolvedTable",
    "__version__",
    "accuracies",
    "add_columns",
    "are_solutions",
    "augment_pairs",
    "candidates",
    "check_augment",
    "classes",
    "columns_of",
    "extracted",
    "find",
    "generate",
    "generate_table",
    "hint",
    "main",
    "overlaps",
    "pass_at",
    "results_to_arrow",
    "run_job",
    "score",
    "score_report",
    "solve_one",
    "step_svg",
    "stratify",
    "technique_names",
    "test_sides",
    "transform_boards",
    "transform_table",
    "transformations",
    "words_to_arrow",
]

__version__: str

@final
class Memory:
    """An array for `numpy.asarray`."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...

class NotGenerated(ValueError):
    """Raised if none of the attempts to make a puzzle succeeds. `made` holds the puzzles that were made before; `generate_file`
    leaves them in `OUTPUT.partial` instead."""

    made: Any

@final
class Rows:
    """Puzzles that were read from a value of any supported kind."""

    def __new__(cls, puzzles: Any, function: str, restore_zeros: bool, index: Any) -> Rows: ...
    @property
    def index(self) -> Any: ...
    @property
    def is_one(self) -> bool: ...
    @property
    def are_texts(self) -> bool: ...
    def ends(self, each: int) -> list[tuple[int, bytes]]: ...

@final
class SolvedTable:
    """A table of Arrow that a function returns, for all libraries that read Arrow streams."""

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def main(argv: list[str], host: str, host_arguments: list[str]) -> int: ...
def overlaps(train: list[Prints], test: Prints) -> RawOverlap: ...
def solve_one(rows: Rows, options: SolvingOptions) -> tuple[str, str | None, int, int, int]: ...
def columns_of(
    rows: Rows, verb: str, columns: list[str], options: SolvingOptions, progress: OnProgress | None
) -> dict[str, Any]: ...
def add_columns(
    table: Any,
    column: str | int | None,
    solution_column: str | int | None,
    verb: str,
    columns: list[str],
    options: SolvingOptions,
    whole: bool,
    rows: int | None,
    progress: OnProgress | None,
) -> SolvedTable: ...
def run_job(
    verb: str,
    inputs: list[str | os.PathLike[str]],
    train: list[str | os.PathLike[str]],
    output: str | os.PathLike[str] | None,
    test_output: str | os.PathLike[str] | None,
    keywords: str,
    threads: int | None,
    progress: OnProgress | None,
) -> list[dict[str, Any] | None]: ...
def generate(
    keywords: str, threads: int | None, progress: OnProgress | None
) -> dict[str, Any]: ...
def generate_table(
    keywords: str, threads: int | None, progress: OnProgress | None
) -> SolvedTable: ...
def transform_boards(
    puzzles: Rows, solutions: Rows | None, options: FormsOptions, progress: OnProgress | None
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]: ...
def transform_table(
    table: Any,
    column: str | int | None,
    solution_column: str | int | None,
    columns: list[str],
    options: TableFormsOptions,
    only_boards: bool,
    whole: bool,
    rows: int | None,
    progress: OnProgress | None,
) -> SolvedTable: ...
def words_to_arrow(
    codes: npt.NDArray[np.int8], words: list[str], requested_schema: object | None
) -> tuple[object, object]: ...
def transformations(puzzles: Rows, options: FormsOptions) -> list[str]: ...
def check_augment(seed: int, kinds: str | None) -> None: ...
def augment_pairs(
    puzzles: npt.NDArray[np.integer[Any]],
    solutions: npt.NDArray[np.integer[Any]],
    out_puzzles: npt.NDArray[np.integer[Any]],
    out_solutions: npt.NDArray[np.integer[Any]],
    index: npt.NDArray[np.uint64],
    epoch: SupportsIndex,
    seed: int,
    kinds: str | None,
    blank: int,
) -> None: ...
def classes(rows: npt.NDArray[np.uint8], malformed: list[int]) -> tuple[Memory, Memory, Memory]: ...
def find(
    verb: str, keywords: str, rows: npt.NDArray[np.uint8], malformed: list[int], threads: int | None, progress: OnProgress | None
) -> tuple[tuple[Memory, Memory, Memory], tuple[Memory, Memory, Memory, list[list[str]]]]: ...
def hint(
    board: Rows, candidates: list[int] | None, puzzle: Rows | None
) -> tuple[tuple[Memory, Memory, Memory], tuple[Memory, Memory, Memory, list[list[str]]]]: ...
def technique_names() -> list[str]: ...
def step_svg(marks: list[int], board: str, technique: str, step: str) -> str: ...
def are_solutions(puzzles: npt.NDArray[np.uint8], grids: npt.NDArray[np.uint8]) -> Memory: ...
def candidates(
    rows: npt.NDArray[np.uint8], malformed: list[int], level: str, threads: int | None, progress: OnProgress | None
) -> Memory: ...
def test_sides(
    classes: npt.NDArray[np.uint8], share: str, seed: int, strata: npt.NDArray[np.int64] | None
) -> Memory: ...
def extracted(texts: list[Any], index: Any, threads: int | None) -> tuple[Rows, Memory, list[str]]: ...
def score(
    puzzles: Rows,
    predictions: Rows,
    solutions: Rows | None,
    solvable: bool,
    threads: int | None,
    progress: OnProgress | None,
) -> dict[str, Any]: ...
def accuracies(
    measures: npt.NDArray[np.uint8], buckets: npt.NDArray[np.int64], count: int
) -> list[RawAccuracies]: ...
def pass_at(groups: npt.NDArray[np.int64], exact: npt.NDArray[np.uint8], numbers: list[int]) -> list[RawPassAt]: ...
def score_report(scores: str, is_page: bool) -> str: ...
def stratify(strata: npt.NDArray[np.int64], rows: int, seed: int) -> Memory: ...
def results_to_arrow(
    rows: int, columns: list[tuple[str, Any, npt.NDArray[np.bool_] | None]], as_texts: bool
) -> SolvedTable: ...
