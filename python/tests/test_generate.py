"""Tests that `generate`, `generate_table` and `generate_file` make puzzles that meet the requested conditions, and
that the command makes the same puzzles."""

import csv
import pathlib
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
import sudobench
from conftest import command


def test_puzzles_are_minimal_and_have_one_solution() -> None:
    made = sudobench.generate(300, seed=7)
    assert len(made) == 300 and "300 puzzles" in repr(made)
    assert made.puzzle.shape == made.solution.shape == (300, 81)
    assert made.puzzle.dtype == made.solution.dtype == np.uint8
    answers = sudobench.solve(made.puzzle, solver="mrv")
    assert (answers.status == "unique").all()
    assert (answers.solution == made.solution).all()
    assert (made.count == 1).all()
    minimal = sudobench.check(made.puzzle, columns="minimal").minimal
    assert minimal is not None and minimal.all()
    assert len(np.unique(made.puzzle, axis=0)) == 300


def test_a_number_of_a_seed_is_one_puzzle() -> None:
    made = sudobench.generate(40, seed=3, clues=(28, 32), threads=2).puzzle
    assert (sudobench.generate(10, seed=3, skip=25, clues=(28, 32), threads=1).puzzle == made[25:35]).all()
    assert (sudobench.generate(40, seed=4, clues=(28, 32)).puzzle != made).any()


def test_puzzles_are_as_asked_for() -> None:
    def clues(made: sudobench.Generated) -> np.ndarray:
        return (made.puzzle > 0).sum(axis=1)

    assert (clues(sudobench.generate(20, clues=30)) == 30).all()
    few = sudobench.generate(20, clues=(24, 26), symmetry="rotational")
    assert set(clues(few)) <= {24, 25, 26}
    assert ((few.puzzle > 0) == (few.puzzle[:, ::-1] > 0)).all()
    easy = sudobench.generate(10, difficulty=["singles", "locked"])
    difficulty = sudobench.rate(easy.puzzle).difficulty
    assert difficulty is not None and set(difficulty) <= {"singles", "locked"}
    guessed = sudobench.generate(10, guesses=4)
    guesses = sudobench.rate(guessed.puzzle, columns="guesses").guesses
    assert guesses is not None and (guesses >= 4).all()
    several = sudobench.generate(10, solutions=(2, 100))
    assert (several.count == sudobench.solve(several.puzzle, max_solutions=1000).count).all()
    assert ((2 <= several.count) & (several.count <= 100)).all()
    assert (several.solution == sudobench.solve(several.puzzle).solution).all()
    none = sudobench.generate(5, solutions=0)
    assert (sudobench.solve(none.puzzle).status == "unsolvable").all()
    assert not none.solution.any() and not none.count.any()
    inside = sudobench.generate(2, pattern="x" * 54 + "." * 9 + "x" * 18, clues=(30, 60))
    assert not inside.puzzle[:, 54:63].any()


def test_a_file_is_that_of_the_command(tmp_path: pathlib.Path) -> None:
    made_by = {"seed": 9, "skip": 3, "clues": (25, 30), "guesses": 2, "columns": "solution,clues,difficulty", "resume": True}
    finished = sudobench.generate_file(tmp_path / "a.csv", 50, **made_by)
    words = f"generate --count 50 --seed 9 --skip 3 --clues 25..30 --guesses 2 --columns solution,clues,difficulty -o {tmp_path}/b.csv"
    assert command(*words.split()).returncode == 0
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert finished is not None and finished.rows == 50
    with open(tmp_path / "a.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    made = sudobench.generate(50, seed=9, skip=3, clues=(25, 30), guesses=2)
    assert [[int(cell) if cell != "." else 0 for cell in row["puzzle"]] for row in rows] == made.puzzle.tolist()
    assert [[int(cell) for cell in row["solution"]] for row in rows] == made.solution.tolist()
    with pytest.warns(UserWarning, match="is complete; nothing was done. Its record says") as warned:
        again = sudobench.generate_file(tmp_path / "a.csv", 50, **made_by)
    assert again is None
    assert warned[0].filename == __file__, "the warning points at the caller"
    with pytest.raises(FileExistsError):
        sudobench.generate_file(tmp_path / "a.csv", 50)
    # A call that requests more puzzles than the file contains must fail.
    with pytest.raises(ValueError, match="is from a run with different count"):
        sudobench.generate_file(tmp_path / "a.csv", 80, **made_by)
    sudobench.generate_file(tmp_path / "a.npy", 20, seed=2, progress=False)
    assert (np.load(tmp_path / "a.npy") == sudobench.generate(20, seed=2).puzzle).all()
    sudobench.generate_file(tmp_path / "a.parquet", 20, seed=2)
    assert pyarrow.parquet.read_table(tmp_path / "a.parquet").column_names == ["puzzle", "solution"]
    sudobench.generate_file(tmp_path / "a.tsv", 2)
    assert (tmp_path / "a.tsv").read_text().startswith("puzzle\tsolution\n")


@pytest.mark.parametrize("method", ["top-down", "bottom-up", "controlled-bias", "climb", "tridagon"])
def test_puzzles_of_a_method_have_its_weights(method: str, tmp_path: pathlib.Path) -> None:
    made = sudobench.generate(5, method=method, seed=4)
    sudobench.generate_file(tmp_path / "a.csv", 5, method=method, seed=4, columns="weight")
    with open(tmp_path / "a.csv", newline="") as file:
        weights = [row["weight"] for row in csv.DictReader(file)]
    if method == "controlled-bias":
        assert made.weight is not None and (made.weight > 0).all()
        assert made.weight.tolist() == pytest.approx(list(map(float, weights)))
    else:
        assert made.weight is None and weights == [""] * 5


def test_a_table_is_that_of_the_file(tmp_path: pathlib.Path) -> None:
    options: dict[str, Any] = {"seed": 9, "skip": 3, "clues": (25, 30)}
    columns = ["solution", "clues", "status", "count", "weight", "difficulty", "depth", "backdoor"]
    columns += ["se", "se_pearl", "se_diamond", "hardest_technique", "techniques", "steps"]
    made = sudobench.generate_table(50, "all", **options)
    table = pa.table(made)
    assert table.column_names == ["puzzle", *columns]
    table.validate(full=True)
    sudobench.generate_file(tmp_path / "a.parquet", 50, **options, columns="all")
    assert table.to_pylist() == pyarrow.parquet.read_table(tmp_path / "a.parquet").to_pylist()
    # The table can be read several times, and does not depend on the number of threads.
    frame = pl.DataFrame(made)
    assert frame.to_dicts() == pl.DataFrame(sudobench.generate_table(50, "all", threads=1, **options)).to_dicts()
    assert pa.table(made).to_pandas()["difficulty"].dtype == "category"
    assert sudobench.solve(frame["puzzle"]).solution.tolist() == sudobench.generate(50, **options).solution.tolist()
    assert sudobench.solve_table(made, "puzzle", "status").__arrow_c_schema__() is not None
    some = pa.table(sudobench.generate_table(3, ["count"], solutions=0))
    assert some.column_names == ["puzzle", "count"] and some["count"].to_pylist() == [0] * 3
    unsolvable = pa.table(sudobench.generate_table(3, solutions=0))
    assert unsolvable.column_names == ["puzzle", "solution"] and unsolvable["solution"].to_pylist() == [None] * 3
    assert pa.table(sudobench.generate_table(3, "none")).column_names == ["puzzle"]
    hard = pa.table(sudobench.generate_table(2, "nodes,clues", hardest="mrv", steps=5))
    assert hard["nodes"].to_pylist() == sudobench.solve(hard["puzzle"], solver="mrv").nodes.tolist()
    weighted = pa.table(sudobench.generate_table(5, "weight", method="controlled-bias", seed=4))
    weight = sudobench.generate(5, method="controlled-bias", seed=4).weight
    assert weight is not None and weighted["weight"].to_pylist() == weight.tolist()


def test_a_table_has_large_batches() -> None:
    table = pa.table(sudobench.generate_table(100_000, "none", threads=2))
    assert [len(chunk) for chunk in table["puzzle"].chunks] == [65_536, 34_464]
    assert table["puzzle"].to_pylist() == ["".join(map(str, row)).replace("0", ".") for row in sudobench.generate(100_000).puzzle.tolist()]


def test_progress_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    sudobench.generate(60)
    assert capsys.readouterr().err == ""
    for make in (sudobench.generate, sudobench.generate_table):
        make(60, progress=True)
        assert "60/60" in capsys.readouterr().err.replace(".0", "")


def test_puzzles_before_a_missing_one_are_not_lost() -> None:
    options: dict[str, Any] = {"clues": 23, "attempts": 20, "threads": 1}
    words = "was not found in 20 attempts: .*; request something less rare, allow more attempts, or start again with method climb$"
    with pytest.raises(sudobench.NotGenerated, match=words) as raised:
        sudobench.generate(500, **options)
    made = raised.value.made
    assert isinstance(made, sudobench.Generated) and 0 < len(made) < 500
    assert str(raised.value).startswith(f"puzzle {len(made)} of the seed")
    assert (made.puzzle == sudobench.generate(len(made), **options).puzzle).all()
    with pytest.raises(sudobench.NotGenerated) as raised:
        sudobench.generate_table(500, **options)
    assert pl.DataFrame(raised.value.made)["puzzle"].to_list() == made.text()


def test_without_puzzles_before_the_missing_one_the_columns_are_there() -> None:
    options: dict[str, Any] = {"clues": 18, "attempts": 1, "threads": 1}
    with pytest.raises(sudobench.NotGenerated) as raised:
        sudobench.generate(3, **options)
    assert len(raised.value.made) == 0
    with pytest.raises(sudobench.NotGenerated) as raised:
        sudobench.generate_table(3, "solution,clues", **options)
    made = pl.DataFrame(raised.value.made)
    assert made.columns == ["puzzle", "solution", "clues"] and made.is_empty()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"clues": 16}, "no puzzle with fewer than 17 clues has exactly one solution"),
        ({"clues": (30, 20)}, "write the smaller number first"),
        ({"clues": 60, "minimal": True}, "no minimal puzzle with more than 40 clues is known"),
        ({"symmetry": "round"}, "symmetry: unknown symmetry `round`: choose from none, rotational"),
        ({"method": "magic"}, "method: unknown method `magic`: choose from top-down"),
        ({"difficulty": "easy"}, "difficulty: `easy` is not a difficulty; choose from singles"),
        ({"pattern": "x"}, "pattern: 1 characters, but a pattern has 81"),
        ({"pattern": "x" * 54 + "." * 18 + "x" * 9}, "rows 7 and 8 of one band have no clues"),
        ({"solutions": 2, "minimal": True}, "cannot be combined"),
        ({"guesses": 0}, "guesses: give a whole number from 1"),
        ({"guesses": 3, "solutions": 2}, "several solutions and a number of guesses cannot be combined"),
        ({"attempts": 0}, "attempts: give a whole number from 1"),
        ({"max_se": 4.25}, "max_se: 4.25: write a rating from 0 to 19.9 with at most one decimal, such as 4.2"),
        ({"threads": 0}, "threads=0"),
        ({"clues": 18, "attempts": 1}, "was not found in 1 attempts"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, object], words: str, tmp_path: pathlib.Path) -> None:
    for make in (sudobench.generate, sudobench.generate_table):
        with pytest.raises(ValueError) as raised:
            make(4, **options)
        assert words in str(raised.value)
    with pytest.raises(ValueError, match="there is no column `guesses`; choose from solution, clues"):
        sudobench.generate_table(4, ["clues", "guesses"])
    with pytest.raises(ValueError, match="no column is named"):
        sudobench.generate_table(4, [])
    with pytest.raises(TypeError, match="most"):
        sudobench.generate_table(4, most=3)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="count: give a whole number from 1"):
        sudobench.generate(0)
    with pytest.raises(ValueError) as raised:
        sudobench.generate_file(tmp_path / "a.csv", 4, **options)
    assert words in str(raised.value)
