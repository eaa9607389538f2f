"""Each verb has a function on files, which does what the command does."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sudobench
from conftest import command
from sudobench import _verb_files

DATASETS = pathlib.Path(__file__).parents[2] / "datasets"
PREDICTIONS = DATASETS / "predictions.csv"
SAMPLE = DATASETS / "sample.csv"
STATUSES = DATASETS / "statuses.csv"


CASES: dict[str, tuple[Callable[[pathlib.Path], object], list[object]]] = {
    "solve": (
        lambda out: sudobench.solve_file(STATUSES, out, columns=["count", "status"], max_solutions=5, only="multiple"),
        ["solve", STATUSES, "--columns", "count,status", "--max-solutions", 5, "--only", "multiple"],
    ),
    "check": (lambda out: sudobench.check_file(STATUSES, out), ["check", STATUSES]),
    "solutions": (
        lambda out: sudobench.solutions_file(STATUSES, out, limit_per_puzzle=7, columns="all"),
        ["solutions", STATUSES, "--limit-per-puzzle", 7, "--columns", "all"],
    ),
    "canonical": (
        lambda out: sudobench.canonical_file(STATUSES, out, columns="all", skip=1, limit=9),
        ["canonical", STATUSES, "--columns", "all", "--skip", 1, "--limit", 9],
    ),
    "convert": (
        lambda out: sudobench.convert_file(STATUSES, out, only="clues=20..", limit=9),
        ["convert", STATUSES, "--only", "clues=20..", "--limit", 9],
    ),
    "minimals": (
        lambda out: sudobench.minimals_file(STATUSES, out, random=2, seed=7, columns="all"),
        ["minimals", STATUSES, "--random", 2, "--seed", 7, "--columns", "all"],
    ),
    "vicinity": (
        lambda out: sudobench.vicinity_file(STATUSES, out, "-0+1", minimal=True, limit_per_puzzle=3),
        ["vicinity", "-0+1", STATUSES, "--minimal", "--limit-per-puzzle", 3],
    ),
    "transform": (
        lambda out: sudobench.transform_file(SAMPLE, out, random=3, seed=2, columns="none"),
        ["transform", SAMPLE, "--random", 3, "--seed", 2, "--columns", "none"],
    ),
    "dedupe": (
        lambda out: sudobench.dedupe_file([STATUSES, STATUSES], out, isomorph=True, part="1/2"),
        ["dedupe", STATUSES, STATUSES, "--isomorph", "--part", "1/2"],
    ),
    "rate": (
        lambda out: sudobench.rate_file(STATUSES, out, columns=["difficulty", "guesses"], isomorphs=3),
        ["rate", STATUSES, "--columns", "difficulty,guesses", "--isomorphs", 3],
    ),
    "explain": (
        lambda out: sudobench.explain_file(STATUSES, out, columns="all", only="rating=1.5.."),
        ["explain", STATUSES, "--columns", "all", "--only", "rating=1.5.."],
    ),
    "generate": (
        lambda out: sudobench.generate_file(out, 5, seed=3, hardest="mrv", steps=5, columns=["nodes", "clues"]),
        ["generate", "--count", 5, "--seed", 3, "--hardest", "mrv", "--steps", 5, "--columns", "nodes,clues"],
    ),
    "split": (
        lambda out: sudobench.split_file(STATUSES, out, test=0.4, by="isomorph", seed=3),
        ["split", STATUSES, "--test", "40%", "--by", "isomorph", "--seed", 3],
    ),
    "score": (
        lambda out: sudobench.score_file(PREDICTIONS, out, bucket_by="model", columns="all", only="exact=no"),
        ["score", PREDICTIONS, "--bucket-by", "model", "--columns", "all", "--only", "exact=no"],
    ),
    "overlap": (
        lambda out: sudobench.overlap_file(SAMPLE, STATUSES, out, keep="all", by=["text", "isomorph"]),
        ["overlap", SAMPLE, "--with", STATUSES, "--keep", "all", "--by", "text,isomorph"],
    ),
}


@pytest.mark.parametrize("verb", CASES)
def test_a_function_writes_what_the_command_writes(verb: str, tmp_path: pathlib.Path) -> None:
    call, words = CASES[verb]
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    assert call(ours) is not None
    # The exit code is 4 if a row of the data set is malformed.
    assert command(*words, "-q", "-o", theirs).returncode in (0, 4)
    assert ours.read_bytes() == theirs.read_bytes()
    assert ours.stat().st_size > 0


VERBS = [name.removesuffix("_file") for name in vars(_verb_files) if name.endswith("_file")]


def test_there_is_a_function_for_each_verb() -> None:
    assert len(VERBS) == 15 and set(VERBS) == set(CASES)


# `convert` has no functions for arrays and tables, because they have no format to convert.
@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != "convert"])
def test_a_verb_has_three_forms(verb: str) -> None:
    for form in (verb, f"{verb}_table", f"{verb}_file"):
        assert form in sudobench.__all__
        function = getattr(sudobench, form)
        assert callable(function) and function.__name__ == form and function.__doc__


def test_what_was_counted_is_returned(tmp_path: pathlib.Path) -> None:
    found = sudobench.minimals_file(SAMPLE, tmp_path / "a.csv", limit_per_puzzle=2)
    assert found is not None and found.found > found.rows and 0 < found.incomplete <= found.rows
    overlap = sudobench.overlap_file(SAMPLE, SAMPLE)
    assert overlap is not None
    assert overlap.overlaps["text"] == overlap.rows - overlap.statuses["malformed"]
    assert list(overlap.overlaps) == ["text", "isomorph", "solution", "solution_isomorph"]


def test_unknown_and_wrong_options_are_named(tmp_path: pathlib.Path) -> None:
    out = tmp_path / "a.csv"
    with pytest.raises(TypeError, match="most"):
        sudobench.minimals_file(SAMPLE, out, most=3)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="choose the forms with one of random, apply and to"):
        sudobench.transform_file(SAMPLE, out)
    with pytest.raises(ValueError, match="`-9\\+1` is not a distance"):
        sudobench.vicinity_file(SAMPLE, out, "-9+1")
    with pytest.raises(ValueError, match='random: give a whole number from 1 to 18446744073709551615, not "many"'):
        sudobench.transform_file(SAMPLE, out, random="many")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="clues: give a number, two numbers or a text such as 22..30, not 17.5"):
        sudobench.generate(1, clues=17.5)  # type: ignore[arg-type]
    for options in ({"max_time_per_puzzle": float("nan")}, {"max_time_per_puzzle": float("inf")}, {"puzzle_column": "\udcff"}):
        with pytest.raises(TypeError, match="=.*: give a finite number, a text or a list of them"):
            sudobench.solve_file(SAMPLE, out, **options)
    assert list(tmp_path.iterdir()) == []


def test_random_minimals_are_those_of_the_command(tmp_path: pathlib.Path) -> None:
    puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    made = sudobench.minimals(puzzle, random=20, seed=9)
    assert 1 < len(made) <= 20 and set(sudobench.solve(made).status) == {"unique"}
    (tmp_path / "one.txt").write_text(puzzle + "\n")
    command("minimals", tmp_path / "one.txt", "--random", 20, "--seed", 9, "-q", "-o", tmp_path / "two.txt")
    written = [line for line in (tmp_path / "two.txt").read_text().split() if line]
    assert ["".join(map(str, board)).replace("0", ".") for board in made] == written
    several = np.zeros(81, np.uint8)
    assert len(sudobench.minimals(several, random=2)) == 0


def test_solutions_are_all_there_are_in_ascending_order() -> None:
    several = (DATASETS / "multiple.csv").read_text().split("\n")[1:]
    puzzles = [line.split(",") for line in several if line]
    found = sudobench.solutions([text for text, _ in puzzles] + ["no puzzle"], limit_per_puzzle=500)
    assert len(found.complete) == len(puzzles) + 1 and list(found.notes) == [len(puzzles)]
    for number, (text, count) in enumerate(puzzles):
        own = found.board[found.row == number]
        assert len(own) == min(int(count), 500) and found.complete[number] == (int(count) <= 500)
        texts = ["".join(map(str, solution)) for solution in own]
        assert texts == sorted(set(texts))
        assert all(clue in (".", "0", digit) for solution in texts for clue, digit in zip(text, solution))
    one = sudobench.solutions(puzzles[0][0], limit_per_puzzle=3)
    assert one.tolist() == found.board[:3].tolist()
    with pytest.raises(ValueError, match="9 characters"):
        sudobench.solutions("no puzzle")
    with pytest.raises(ValueError, match="limit_per_puzzle: give a whole number from 1"):
        sudobench.solutions(puzzles[0][0], limit_per_puzzle=0)


@pytest.mark.parametrize("kind", ["pyarrow", "polars", "pandas"])
def test_tables_get_a_row_for_each_board_that_is_found(kind: str, tmp_path: pathlib.Path) -> None:
    puzzles = {"id": [7, 8, 9], "puzzle": [(DATASETS / "multiple.csv").read_text().split()[1].split(",")[0], "no puzzle", "11" + "." * 79]}
    table = {"pyarrow": pa.table, "polars": pl.DataFrame, "pandas": pd.DataFrame}[kind](puzzles)
    expanded = sudobench.solutions_table(table, "puzzle", ["solution", "number", "complete"], limit_per_puzzle=3)
    assert type(expanded) is type(table)
    rows = {"pyarrow": lambda: expanded.to_pylist(), "polars": lambda: expanded.to_dicts(), "pandas": lambda: expanded.to_dict("records")}[kind]()
    assert [row["id"] for row in rows] == [7, 7, 7, 8, 9]
    boards = sudobench.solutions(puzzles["puzzle"][0], limit_per_puzzle=3)
    assert [row["solution"] for row in rows[:3]] == ["".join(map(str, board)) for board in boards]
    assert [row["number"] for row in rows[:3]] == [1, 2, 3] and [row["complete"] for row in rows[:3]] == ["no"] * 3
    assert all(pd.isna(row["solution"]) and pd.isna(row["number"]) for row in rows[3:])
    assert pd.isna(rows[3]["complete"]) and rows[4]["complete"] == "yes"
    inside = sudobench.minimals_table(table, 2, "minimal", random=2, seed=3)
    assert len(inside) == 3
    near = sudobench.vicinity_table(table, "puzzle", "-0+1", limit_per_puzzle=2)
    assert len(near) >= 3
    with pytest.raises(ValueError, match="there is no column `clues`"):
        sudobench.solutions_table(table, "puzzle", "clues")


def test_many_puzzles_are_found_for_as_one_by_one() -> None:
    puzzles = [line.split(",")[1] for line in SAMPLE.read_text().split()[1:9]]
    many = sudobench.minimals(puzzles, random=3, seed=5, threads=2)
    for number, puzzle in enumerate(puzzles):
        assert many.board[many.row == number].tolist() == sudobench.minimals(puzzle, random=3, seed=5).tolist()
    assert repr(many).endswith("of 8 puzzles>")
