"""Puzzles of the repository, and what is known of them."""

import csv
import pathlib
from typing import NamedTuple

import pytest

REPOSITORY = pathlib.Path(__file__).parents[2]


class Known(NamedTuple):
    """A puzzle, its one or smallest solution (empty where there is none), and its status."""

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
