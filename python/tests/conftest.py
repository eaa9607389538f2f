"""What the tests share: puzzles with known results, a function that runs the examples of a documentation page, and a function that runs
the command line."""

import csv
import importlib.util
import pathlib
import re
import subprocess
import sys
from typing import Any, NamedTuple

import pytest

REPOSITORY = pathlib.Path(__file__).parents[2]
MODULE = [sys.executable, "-m", "sudobench"]


class Known(NamedTuple):
    """A puzzle, its only or smallest solution (empty if no solution exists), and its status."""

    puzzle: str
    solution: str
    status: str


def command(*words: object, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*MODULE, *map(str, words)], capture_output=True, text=True, timeout=120, **options)


@pytest.fixture(scope="session")
def known() -> list[Known]:
    """Returns puzzles with the statuses `unique`, `multiple`, `unsolvable` and `malformed`."""
    with open(REPOSITORY / "datasets/sample.csv", newline="") as file:
        sample = [Known(row["puzzle"], row["solution"], "unique") for row in csv.DictReader(file)]
    with open(REPOSITORY / "datasets/statuses.csv", newline="") as file:
        statuses = [Known(row["puzzle"], row["answer"], row["expected_status"]) for row in csv.DictReader(file)]
    # Leaves out each puzzle that has exactly one solution, if this solution is not in the file.
    return sample + [row for row in statuses if row.solution or row.status != "unique"]


@pytest.fixture(scope="session")
def whole(known: list[Known]) -> list[Known]:
    """Returns the known puzzles that are not malformed."""
    return [row for row in known if row.status != "malformed"]


def run_examples(page: str, names: dict[str, object]) -> None:
    """Runs the examples of a page from top to bottom. Each example can use the names of the examples before it."""
    examples = re.findall(r"^```python\n(.*?)^```$", (REPOSITORY / page).read_text(), re.DOTALL | re.MULTILINE)
    assert examples
    for example in examples:
        # torch and ray are large. Examples that need them run only if they are already installed.
        large = [name for name in ("torch", "ray") if f"import {name}" in example]
        if all(importlib.util.find_spec(name) for name in large):
            exec(compile(example, page, "exec"), names)
