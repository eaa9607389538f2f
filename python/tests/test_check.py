"""Tests the results of `check`, `check_table`, `check_file`, `minimals` and `vicinity` for several kinds of input."""

import pathlib

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
import sudobench
from conftest import REPOSITORY, Known, command
from test_solve import ARRAYS, NULLS, PUZZLE, SOLUTION, TEXTS, cells, texts

STATUSES = REPOSITORY / "datasets/statuses.csv"
COLUMNS = ["status", "unique", "minimal", "redundant", "redundant_count", "clues", "clue_pattern", "digit_counts", "count", "cnt12095", "automorphisms"]
COLUMNS += ["candidates", "exact_candidates", "note"]


def by_definition(puzzle: str) -> list[int]:
    """Returns the cells of the redundant clues of a puzzle with one solution. If a redundant clue is removed, the puzzle still
    has one solution."""
    clues = [at for at, cell in enumerate(puzzle) if cell in "123456789"]
    without = [puzzle[:at] + "." + puzzle[at + 1 :] for at in clues]
    return [at for at, status in zip(clues, sudobench.solve(without).status) if status == "unique"]


def text_of(values: np.ndarray) -> str:
    return "".join(".123456789"[value] for value in values)


def test_one_puzzle_is_checked_wholly() -> None:
    checked = sudobench.check(PUZZLE)
    expected = by_definition(PUZZLE)
    assert expected
    assert checked.status == "unique"
    assert checked.minimal is False
    assert checked.redundant == tuple(expected)
    assert (checked.count, checked.automorphisms) == (1, 1)
    assert checked.cnt12095 > 0
    minimal = sudobench.minimals(PUZZLE, limit_per_puzzle=1)[0]
    checked = sudobench.check(text_of(minimal).encode())
    assert (checked.minimal, checked.redundant) == (True, ())
    empty = sudobench.check("." * 81, max_solutions=5)
    assert (empty.status, empty.minimal, empty.redundant, empty.count) == ("multiple", None, None, 5)
    with pytest.raises(ValueError, match="5 characters"):
        sudobench.check("53..7")


@pytest.mark.parametrize("kind", [*ARRAYS, *TEXTS])
def test_puzzles_of_every_kind(kind: str, known: list[Known], whole: list[Known]) -> None:
    rows = whole if kind in ARRAYS else known
    if kind.startswith("numpy") and "object" not in kind:
        rows = [row for row in rows if not row.puzzle.endswith("\0")]
    checks = sudobench.check((ARRAYS | TEXTS)[kind](rows))
    assert isinstance(checks, sudobench.Checks)
    assert checks.status.tolist() == [row.status for row in rows]
    assert checks.unique.tolist() == [row.status == "unique" for row in rows]
    assert list(checks.notes) == [at for at, row in enumerate(rows) if row.status == "malformed"]
    expected = sudobench.check(texts(rows))
    assert checks.minimal is not None and checks.redundant is not None
    assert (checks.minimal == expected.minimal).all() and (checks.redundant == expected.redundant).all()
    assert checks.count is checks.cnt12095 is checks.automorphisms is None


def test_redundant_clues_are_a_mask(known: list[Known]) -> None:
    checks = sudobench.check(texts(known), columns="all", max_solutions=3)
    assert checks.redundant is not None and checks.minimal is not None and checks.count is not None
    assert checks.redundant.shape == (len(known), 81) and checks.redundant.dtype == bool
    for at, row in enumerate(known):
        is_unique = row.status == "unique"
        redundant = by_definition(row.puzzle) if is_unique else []
        assert np.flatnonzero(checks.redundant[at]).tolist() == redundant
        assert checks.minimal[at] == (is_unique and not redundant)
    assert (checks.count == sudobench.solve(texts(known), max_solutions=3).count).all()
    assert checks.automorphisms is not None and checks.cnt12095 is not None
    assert "puzzles" in repr(checks)
    alone = sudobench.check(texts(known), columns=["minimal"])
    assert alone.redundant is None and alone.minimal is not None and (alone.minimal == checks.minimal).all()
    assert len(sudobench.check([])) == 0


def test_the_columns_of_tables_are_those_of_arrays(known: list[Known]) -> None:
    table = sudobench.check_table(pa.table({"puzzle": texts(known)}), columns="all")
    in_memory = [name for name in COLUMNS if name != "note" and not name.endswith("candidates")]
    for columns in (in_memory, "all"):
        checks = sudobench.check(texts(known), columns=columns)
        for name in ("clues", "redundant_count"):
            assert getattr(checks, name).tolist() == [value or 0 for value in table[name].to_pylist()]
        for name in ("clue_pattern", "digit_counts"):
            assert getattr(checks, name).tolist() == [value or "" for value in table[name].to_pylist()]
    assert sudobench.check([PUZZLE], columns=["unique"]).unique.all()
    # The result for a single puzzle has all columns, even if only some were requested.
    one, many = sudobench.check(PUZZLE, columns="minimal"), sudobench.check([PUZZLE], columns="all")
    assert one == many[0] and one.clues == sum(cell not in ".0" for cell in PUZZLE)
    for name, found in [
        ("candidates", sudobench.candidates(texts(known))),
        ("exact_candidates", sudobench.candidates(texts(known), level="exact")),
    ]:
        assert table[name].to_pylist() == pa.table(found)["candidates"].to_pylist()


@pytest.mark.parametrize("kind", NULLS)
def test_null_is_malformed(kind: str) -> None:
    assert sudobench.check(NULLS[kind]).notes == {1: "the puzzle is null"}


def test_tables_and_files_are_those_of_the_command(known: list[Known], tmp_path: pathlib.Path) -> None:
    table = pa.table({"id": range(len(known)), "puzzle": texts(known)})
    checked = sudobench.check_table(table, "puzzle", columns="all")
    checked.validate(full=True)
    assert checked.column_names == ["id", "puzzle", *COLUMNS]
    in_memory = sudobench.check(texts(known))
    assert in_memory.redundant is not None
    assert checked["status"].to_pylist() == in_memory.status.tolist()
    counts = in_memory.redundant.sum(axis=1)
    assert checked["redundant_count"].to_pylist() == [int(n) if u else None for n, u in zip(counts, in_memory.unique)]
    plain = sudobench.check_table(pl.from_arrow(table))
    assert isinstance(plain, pl.DataFrame) and plain.columns == ["id", "puzzle", "status", "minimal", "redundant"]
    boards = pa.table({"board": pa.FixedSizeListArray.from_arrays(pa.array(cells(known[:3]).reshape(-1)), 81)})
    assert sudobench.check_table(boards)["minimal"].to_pylist() == plain["minimal"].to_list()[:3]
    finished = sudobench.check_file(STATUSES, tmp_path / "a.csv", columns="all", max_solutions=3)
    assert command("check", STATUSES, "-o", tmp_path / "b.csv", "--columns", "all", "--max-solutions", 3).returncode in (0, 4)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert finished is not None and finished.rows == 26


def test_minimal_puzzles_are_found_in_a_puzzle() -> None:
    found = sudobench.minimals(PUZZLE, limit_per_puzzle=50)
    assert found.shape == (50, 81) and found.dtype == np.uint8
    assert len(np.unique(found, axis=0)) == 50
    assert all(cell in (0, clue) for board in found for cell, clue in zip(board, cells([Known(PUZZLE, "", "")])[0]))
    checks = sudobench.check(found)
    assert checks.minimal is not None and checks.minimal.all()
    assert [text_of(board) for board in sudobench.minimals(text_of(found[0]).encode())] == [text_of(found[0])]
    assert sudobench.minimals("." * 81).shape == (0, 81)


def test_neighbours_of_a_puzzle_are_found() -> None:
    found = sudobench.vicinity(PUZZLE, "-1+0")
    expected = {PUZZLE[:at] + "." + PUZZLE[at + 1 :] for at in by_definition(PUZZLE)}
    assert {text_of(board) for board in found} == expected
    near = sudobench.vicinity(PUZZLE, "{-1+1}", minimal=True, limit_per_puzzle=20)
    checks = sudobench.check(near)
    assert checks.minimal is not None and checks.minimal.all()
    assert len(sudobench.dedupe(sudobench.vicinity(PUZZLE, "-1+1", limit_per_puzzle=30), isomorph=True)) == 30


def test_faults_are_told_with_the_remedy(tmp_path: pathlib.Path) -> None:
    table = pa.table({"puzzle": [PUZZLE]})
    for call, words in [
        (lambda: sudobench.check([PUZZLE], columns="solution"), "there is no column `solution`; choose from minimal"),
        (lambda: sudobench.check(PUZZLE, max_solutions=1), "max_solutions: write 2 or more"),
        (lambda: sudobench.check_file(STATUSES, tmp_path / "a.csv", max_solutions=1), "max_solutions: write 2 or more"),
        (lambda: sudobench.check_table(table, columns="solution"), "there is no column `solution`; choose from status"),
        (lambda: sudobench.minimals("53..7"), "5 characters"),
        (lambda: sudobench.minimals(SOLUTION, limit_per_puzzle=0), "limit_per_puzzle: give a whole number from 1"),
        (lambda: sudobench.vicinity(PUZZLE, "-9+1"), "`-9+1` is not a distance"),
    ]:
        with pytest.raises(ValueError) as raised:
            call()
        assert words in str(raised.value)
    with pytest.raises(TypeError, match="check_table"):
        sudobench.check(table)
    assert len(sudobench.minimals(np.zeros((1, 81), np.uint8))) == 0
    assert list(tmp_path.iterdir()) == []
