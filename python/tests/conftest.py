"""Puzzles of the repository with their known results, and the examples of its pages."""

import csv
import importlib.util
import pathlib
import re
from typing import NamedTuple

import pytest

REPOSITORY = pathlib.Path(__file__).parents[2]


class Known(NamedTuple):
    """A puzzle, its only or smallest solution (empty if there is none), and its status."""

    puzzle: str
    solution: str
    status: str


@pytest.fixture(scope="session")
def known() -> list[Known]:
    """Puzzles of every status, malformed ones too."""
    with open(REPOSITORY / "datasets/sample.csv", newline="") as file:
        sample = [Known(row["puzzle"], row["solution"], "unique") for row in csv.DictReader(file)]
    with open(REPOSITORY / "datasets/statuses.csv", newline="") as file:
        statuses = [Known(row["puzzle"], row["answer"], row["expected_status"]) for row in csv.DictReader(file)]
    # One has a solution that is not told.
    return sample + [row for row in statuses if row.solution or row.status != "unique"]


@pytest.fixture(scope="session")
def whole(known: list[Known]) -> list[Known]:
    """Those that are puzzles."""
    return [row for row in known if row.status != "malformed"]


def run_examples(page: str, names: dict[str, object]) -> None:
    """Runs the examples of a page from top to bottom. Each can use the names of those before it."""
    examples = re.findall(r"^```python\n(.*?)^```$", (REPOSITORY / page).read_text(), re.DOTALL | re.MULTILINE)
    assert examples
    for example in examples:
        # Larger than all the rest together: they are run where these happen to be there.
        large = [name for name in ("torch", "ray") if f"import {name}" in example]
        if all(importlib.util.find_spec(name) for name in large):
            exec(compile(example, page, "exec"), names)
