"""Tests the results of `canonical`, `canonical_table` and `canonical_file` for several kinds of input."""

import pathlib
import random

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
import sudobench
from conftest import Known
from test_solve import ARRAYS, NULLS, PUZZLE, SOLUTION, TEXTS, cells, texts

COLUMNS = ["canonical", "transform", "automorphisms", "canonical_solution", "note"]


def equivalent(puzzle: str, seed: int) -> str:
    """Returns an equivalent form of a puzzle: digits are renamed, rows, columns, bands and stacks are reordered, and about half of the
    forms are transposed. The seed determines the form."""
    draw = random.Random(seed)
    digits = draw.sample("123456789", 9)
    grid = [[digits[int(cell) - 1] if cell in "123456789" else "." for cell in puzzle[row * 9 :][:9]] for row in range(9)]

    def lines() -> list[int]:
        return [band * 3 + line for band in draw.sample(range(3), 3) for line in draw.sample(range(3), 3)]

    rows, columns = lines(), lines()
    grid = [[grid[row][column] for column in columns] for row in rows]
    if draw.random() < 0.5:
        grid = [list(column) for column in zip(*grid)]
    return "".join(map("".join, grid))


def applied(transform: str, puzzle: str) -> str:
    """Applies a transformation of the form `[t]rRRRRRRRRRcCCCCCCCCCdDDDDDDDDD` to a puzzle."""
    rows, rest = transform.removeprefix("t").removeprefix("r").split("c")
    columns, digits = rest.split("d")
    cell = {blank: "." for blank in ".0_*xX-"} | {str(digit + 1): new for digit, new in enumerate(digits)}
    grid = [puzzle[row * 9 :][:9] for row in range(9)]
    if transform.startswith("t"):
        grid = ["".join(column) for column in zip(*grid)]
    return "".join(cell[grid[int(row) - 1][int(column) - 1]] for row in rows for column in columns)


def text_of(values: np.ndarray) -> str:
    return "".join(".123456789"[value] for value in values)


def test_one_puzzle_has_one_form() -> None:
    form = sudobench.canonical(PUZZLE)
    assert isinstance(form, sudobench.Form)
    assert applied(form.transform, PUZZLE) == form.canonical
    assert form.automorphisms == 1
    assert form.canonical_solution == sudobench.canonical(SOLUTION).canonical
    assert sudobench.canonical(form.canonical.encode()).canonical == form.canonical
    for seed in range(20):
        other = sudobench.canonical(equivalent(PUZZLE, seed))
        assert (other.canonical, other.canonical_solution) == (form.canonical, form.canonical_solution)
    empty = sudobench.canonical("." * 81)
    assert (empty.automorphisms, empty.canonical_solution) == (3_359_232, None)
    with pytest.raises(ValueError, match="5 characters"):
        sudobench.canonical("53..7")


@pytest.mark.parametrize("kind", [*ARRAYS, *TEXTS])
def test_puzzles_of_every_kind(kind: str, known: list[Known], whole: list[Known]) -> None:
    rows = whole if kind in ARRAYS else known
    if kind.startswith("numpy") and "object" not in kind:
        rows = [row for row in rows if not row.puzzle.endswith("\0")]
    forms = sudobench.canonical((ARRAYS | TEXTS)[kind](rows))
    assert isinstance(forms, sudobench.Forms)
    assert len(forms) == len(rows)
    assert forms.canonical.shape == (len(rows), 81)
    assert forms.canonical.dtype == np.uint8
    assert forms.transform is forms.automorphisms is forms.canonical_solution is None
    malformed = [at for at, row in enumerate(rows) if row.status == "malformed"]
    assert list(forms.notes) == malformed
    assert not forms.canonical[malformed].any()
    expected = sudobench.canonical(texts(rows)).canonical
    assert (forms.canonical == expected).all()


def test_what_is_asked_for_is_told(known: list[Known]) -> None:
    forms = sudobench.canonical(texts(known), transform=True, automorphisms=True, canonical_solution=True)
    assert forms.transform is not None and forms.automorphisms is not None and forms.canonical_solution is not None
    for at, row in enumerate(known):
        if row.status == "malformed":
            assert (forms.transform[at], forms.automorphisms[at]) == ("", 0)
        else:
            assert applied(forms.transform[at], row.puzzle.strip()) == text_of(forms.canonical[at])
            assert forms.automorphisms[at] >= 1
        assert forms.canonical_solution[at].any() == (row.status == "unique")
        if row.status == "unique":
            assert (forms.canonical_solution[at] == sudobench.canonical([row.solution]).canonical[0]).all()


def test_equivalent_boards_are_found_in_numpy(whole: list[Known]) -> None:
    boards = cells(whole)
    others = np.array([[int(cell) for cell in equivalent(text_of(board), 7).replace(".", "0")] for board in boards])
    forms = sudobench.canonical(np.concatenate([boards, others]), threads=2).canonical
    assert (forms[: len(boards)] == forms[len(boards) :]).all()
    assert len(np.unique(forms, axis=0)) == len(np.unique(forms[: len(boards)], axis=0))


@pytest.mark.parametrize("kind", NULLS)
def test_null_is_malformed(kind: str) -> None:
    forms = sudobench.canonical(NULLS[kind])
    assert forms.notes == {1: "the puzzle is null"}
    assert "2 puzzles" in repr(forms)


def test_tables_come_back_as_what_they_are(known: list[Known]) -> None:
    table = pa.table({"id": range(len(known)), "puzzle": texts(known)})
    forms = sudobench.canonical_table(table, "puzzle", columns="all")
    assert isinstance(forms, pa.Table)
    forms.validate(full=True)
    assert forms.column_names == ["id", "puzzle", *COLUMNS]
    in_memory = sudobench.canonical(texts(known))
    for at, form in enumerate(forms["canonical"].to_pylist()):
        assert form == (None if at in in_memory.notes else text_of(in_memory.canonical[at]))
    assert forms["note"].null_count == len(known) - len(in_memory.notes)
    plain = sudobench.canonical_table(table)
    assert plain.column_names == ["id", "puzzle", "canonical"]
    frame = sudobench.canonical_table(pl.from_arrow(table))
    assert isinstance(frame, pl.DataFrame)
    assert frame["canonical"].to_list() == plain["canonical"].to_pylist()
    assert isinstance(sudobench.canonical_table(table.to_pandas(), "puzzle"), pd.DataFrame)
    batches = sudobench.canonical_table(pa.RecordBatchReader.from_batches(table.schema, table.to_batches()))
    assert isinstance(batches, pa.RecordBatchReader)
    assert batches.read_all()["canonical"] == plain["canonical"]
    twice = sudobench.canonical_table(plain, "canonical")
    assert twice["sudobench_canonical"] == plain["canonical"]


def test_lists_of_a_table_have_lists_as_forms(whole: list[Known]) -> None:
    boards = pa.FixedSizeListArray.from_arrays(pa.array(cells(whole).reshape(-1)), 81)
    forms = sudobench.canonical_table(pa.table({"board": boards}), columns=["canonical"])
    assert forms["canonical"].type == boards.type
    expected = sudobench.canonical(cells(whole)).canonical
    assert forms["canonical"].to_pylist() == expected.tolist()


def test_files_are_written_as_the_command_does(known: list[Known], tmp_path: pathlib.Path) -> None:
    table = pa.table({"id": range(len(known)), "puzzle": texts(known)})
    pyarrow.parquet.write_table(table, tmp_path / "in.parquet")
    inputs, expected = tmp_path / "in.parquet", sudobench.canonical(texts(known))
    finished = sudobench.canonical_file(inputs, tmp_path / "out.parquet", columns=COLUMNS)
    assert finished is not None
    assert (finished.rows, finished.statuses["malformed"]) == (len(known), len(expected.notes))
    written = pyarrow.parquet.read_table(tmp_path / "out.parquet")
    assert written.column_names == ["id", "puzzle", *COLUMNS]
    assert written["canonical"] == sudobench.canonical_table(table)["canonical"]
    sudobench.canonical_file([inputs], tmp_path / "out.npy", resume=True)
    assert (np.load(tmp_path / "out.npy") == expected.canonical).all()
    with pytest.warns(UserWarning, match="is complete; nothing was done. Its record says") as warned:
        assert sudobench.canonical_file([inputs], tmp_path / "out.npy", resume=True) is None
    assert warned[0].filename == __file__, "the warning points at the caller"
    kept = sudobench.canonical_file(inputs, tmp_path / "out.csv", only="unique", threads=1)
    assert kept is not None and kept.rows - kept.left_out == kept.statuses["unique"]


def test_faults_are_told_with_the_remedy(tmp_path: pathlib.Path) -> None:
    table = pa.table({"puzzle": [PUZZLE]})
    pyarrow.parquet.write_table(table, tmp_path / "in.parquet")
    for call, words in [
        (lambda: sudobench.canonical_table(table, columns="solution"), "there is no column `solution`"),
        (lambda: sudobench.canonical([PUZZLE], threads=0), "threads=0"),
        (
            lambda: sudobench.canonical_file(tmp_path / "in.parquet", tmp_path / "out", output_format="boj2580"),
            "boj2580 is for solutions",
        ),
        (
            lambda: sudobench.canonical_file(tmp_path / "in.parquet", tmp_path / "out.csv", only="aborted"),
            "`canonical` never has the status aborted",
        ),
    ]:
        with pytest.raises(ValueError) as raised:
            call()
        assert words in str(raised.value)
    with pytest.raises(TypeError, match="canonical_table"):
        sudobench.canonical(pa.table({"puzzle": [PUZZLE]}))
    with pytest.raises(TypeError, match="canonical_table"):
        sudobench.canonical(pd.DataFrame({"puzzle": [PUZZLE]}))
