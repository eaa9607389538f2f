"""Tests the results of `rate`, `rate_table` and `rate_file` for several kinds of input."""

import csv
import pathlib

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sudobench
from conftest import REPOSITORY, Known, command
from test_solve import ARRAYS, NULLS, PUZZLE, TEXTS, cells, texts

SAMPLE = REPOSITORY / "datasets/sample.csv"
PATH = ["rounds", "naked_singles", "hidden_singles", "fewest_choices"]
EXPLAINER = ["se", "se_pearl", "se_diamond", "hardest_technique", "techniques", "steps"]
COLUMNS = ["difficulty", "singles", "locked", "pairs", "depth", "backdoor", "guesses", *PATH, *EXPLAINER]

# A puzzle that needs trial and error of depth 2 and has no backdoor of two cells.
HARD = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"


def test_one_puzzle_is_rated_by_all_measures() -> None:
    easy = sudobench.rate(PUZZLE)
    assert easy == sudobench.Rating(
        *["unique", "singles", True, True, True, 0, 0, 0.0, 10, 51, 0, 2],
        *[1.2, 1.2, 1.2, "Hidden Single", "Hidden Single:51", 51],
    )
    hard = sudobench.rate(HARD.encode())
    assert (hard.difficulty, hard.singles, hard.locked, hard.pairs) == ("depth2", False, False, False)
    assert (hard.depth, hard.backdoor) == (2, 3)
    assert hard.guesses is not None and hard.guesses > 0
    for value, kind in zip([hard.difficulty, hard.singles, hard.depth, hard.guesses], [str, bool, int, float]):
        assert type(value) is kind
    assert sudobench.rate("." * 81) == sudobench.Rating("multiple", *[None] * 17)
    with pytest.raises(ValueError, match="5 characters"):
        sudobench.rate("53..7")


@pytest.mark.parametrize("kind", [*ARRAYS, *TEXTS])
def test_puzzles_of_every_kind(kind: str, known: list[Known], whole: list[Known]) -> None:
    rows = whole if kind in ARRAYS else known
    if kind.startswith("numpy") and "object" not in kind:
        rows = [row for row in rows if not row.puzzle.endswith("\0")]
    ratings = sudobench.rate((ARRAYS | TEXTS)[kind](rows))
    assert isinstance(ratings, sudobench.Ratings)
    assert len(ratings) == len(rows)
    assert ratings.status.tolist() == [row.status for row in rows]
    assert list(ratings.notes) == [at for at, row in enumerate(rows) if row.status == "malformed"]
    assert ratings.singles is ratings.depth is ratings.guesses is None
    expected = sudobench.rate(texts(rows)).difficulty
    assert ratings.difficulty is not None and expected is not None
    assert (ratings.difficulty == expected).all()


def test_what_is_asked_for_is_told(known: list[Known]) -> None:
    rows = [*texts(known), HARD]
    ratings = sudobench.rate(rows, columns="all", threads=2)
    for name, missing in zip(COLUMNS, ["", False, False, False, -1, -1, np.nan, -1, -1, -1, -1]):
        values = getattr(ratings, name)
        for at, row in enumerate(rows):
            if ratings.status[at] == "unique":
                assert values[at] == getattr(sudobench.rate(row), name), (name, row)
            else:
                assert values[at] == missing or missing != missing, (name, row)
                assert not values[at] >= 0 if missing != missing else True
    some = sudobench.rate(rows, columns=["depth", "singles"])
    assert some.depth is not None and some.singles is not None and some.difficulty is some.backdoor is None
    assert some.depth.dtype == np.int8 and some.singles.dtype == bool
    assert (sudobench.rate(rows, columns="singles, depth").depth == some.depth).all()
    assert "puzzles" in repr(some)
    assert len(sudobench.rate([])) == 0


def test_guesses_are_a_mean_over_the_forms_that_transform_draws() -> None:
    for isomorphs, seed in [(1, 1), (4, 7)]:
        forms = sudobench.transform(HARD, random=isomorphs, seed=seed)
        guesses = [sudobench.solve(form, solver="mrv").guesses for form in forms]
        assert sudobench.rate(HARD, isomorphs=isomorphs, seed=seed).guesses == pytest.approx(np.mean(guesses), abs=0.001)
        rated = sudobench.rate_table(pa.table({"puzzle": [HARD]}), columns="guesses", isomorphs=isomorphs, seed=seed)
        assert rated["guesses"].to_pylist() == pytest.approx([np.mean(guesses)], abs=0.001)


@pytest.mark.parametrize("kind", NULLS)
def test_null_is_malformed(kind: str) -> None:
    ratings = sudobench.rate(NULLS[kind])
    assert ratings.notes == {1: "the puzzle is null"}
    assert ratings.status.tolist() == ["unique", "malformed"]


def test_chunks_may_hold_fewer_words_than_there_are() -> None:
    ratings = sudobench.rate(pa.chunked_array([[HARD], [None, HARD]]), columns="all")
    assert ratings.difficulty is not None and ratings.singles is not None
    assert ratings.difficulty.tolist() == ["depth2", "", "depth2"]
    assert not ratings.singles.any()
    none = sudobench.rate(pa.chunked_array([["x"], [None]]), columns="all")
    assert none.difficulty is not None and none.difficulty.tolist() == ["", ""]


def test_tables_come_back_as_what_they_are(known: list[Known]) -> None:
    table = pa.table({"id": range(len(known)), "puzzle": texts(known)})
    rated = sudobench.rate_table(table, "puzzle", columns="all")
    assert isinstance(rated, pa.Table)
    rated.validate(full=True)
    assert rated.column_names == ["id", "puzzle", *COLUMNS, "status", "note"]
    assert rated["steps"].type == pa.uint64() and rated["se"].type == pa.float64()
    in_memory = sudobench.rate(texts(known), columns="all")
    assert in_memory.difficulty is not None and in_memory.depth is not None and in_memory.guesses is not None
    assert rated["difficulty"].to_pylist() == [word or None for word in in_memory.difficulty.tolist()]
    assert rated["depth"].to_pylist() == [None if depth < 0 else depth for depth in in_memory.depth.tolist()]
    assert rated["guesses"].type == pa.float64()
    assert np.array_equal(rated["guesses"].to_numpy(), in_memory.guesses, equal_nan=True)
    assert rated["status"].to_pylist() == in_memory.status.tolist()
    plain = sudobench.rate_table(table)
    assert plain.column_names == ["id", "puzzle", "difficulty"]
    frame = sudobench.rate_table(pl.from_arrow(table))
    assert isinstance(frame, pl.DataFrame)
    assert frame["difficulty"].to_list() == plain["difficulty"].to_pylist()
    assert isinstance(sudobench.rate_table(table.to_pandas(), "puzzle"), pd.DataFrame)
    boards = pa.table({"board": pa.FixedSizeListArray.from_arrays(pa.array(cells(known[:3]).reshape(-1)), 81)})
    assert sudobench.rate_table(boards)["difficulty"].to_pylist() == plain["difficulty"].to_pylist()[:3]


def test_a_file_is_that_of_the_command(tmp_path: pathlib.Path) -> None:
    finished = sudobench.rate_file(SAMPLE, tmp_path / "a.csv", columns="all", isomorphs=3, seed=5, resume=True)
    words = f"rate {SAMPLE} -o {tmp_path}/b.csv --columns all --isomorphs 3 --seed 5"
    assert command(*words.split()).returncode == 0
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert finished is not None
    assert (finished.rows, finished.found, finished.drawn) == (60, {}, {})
    with pytest.warns(UserWarning, match="is complete; nothing was done. Its record says") as warned:
        assert sudobench.rate_file(SAMPLE, tmp_path / "a.csv", columns="all", isomorphs=3, seed=5, resume=True) is None
    assert warned[0].filename == __file__, "the warning points at the caller"
    kept = sudobench.rate_file(SAMPLE, tmp_path / "c.csv", only="unique", limit=5)
    assert kept is not None and kept.rows == 5


def test_rows_are_drawn_of_each_difficulty(tmp_path: pathlib.Path) -> None:
    finished = sudobench.rate_file([SAMPLE, SAMPLE], tmp_path / "a.csv", stratify=3, seed=7, threads=2)
    words = f"rate {SAMPLE} {SAMPLE} -o {tmp_path}/b.csv --stratify 3 --seed 7"
    assert command(*words.split()).returncode == 0
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert isinstance(finished, sudobench.FinishedRate)
    with open(tmp_path / "a.csv", newline="") as file:
        rows = [row["difficulty"] for row in csv.DictReader(file)]
    assert list(finished.found) == ["singles", "locked", "pairs", "depth1"]
    for difficulty, found in finished.found.items():
        assert finished.drawn[difficulty] == rows.count(difficulty) == min(found, 3)
    assert finished.left_out == finished.rows - len(rows)


def test_faults_are_told_with_the_remedy(tmp_path: pathlib.Path) -> None:
    table = pa.table({"puzzle": [PUZZLE]})
    for call, words in [
        (lambda: sudobench.rate([PUZZLE], columns="hardness"), "there is no column `hardness`; choose from difficulty"),
        (lambda: sudobench.rate([PUZZLE], isomorphs=0), "isomorphs=0: give 1 or more"),
        (lambda: sudobench.rate([PUZZLE], threads=0), "threads=0"),
        (lambda: sudobench.rate_table(table, columns="solution"), "there is no column `solution`"),
        (lambda: sudobench.rate_file(SAMPLE, tmp_path / "a.csv", stratify=0), "stratify: give a whole number from 1"),
        (lambda: sudobench.rate_file(SAMPLE, tmp_path / "a.csv", stratify=1, only="unique"), "stratify already chooses the rows"),
        (lambda: sudobench.rate_file(SAMPLE, tmp_path / "a.txt", columns="depth"), "the output format lines has no columns"),
    ]:
        with pytest.raises(ValueError) as raised:
            call()
        assert words in str(raised.value)
    with pytest.raises(TypeError, match="rate_table"):
        sudobench.rate(table)
    assert list(tmp_path.iterdir()) == []


def test_rows_of_each_difficulty_are_drawn_as_the_command_draws_them(tmp_path: pathlib.Path) -> None:
    sample = pd.read_csv(REPOSITORY / "datasets/sample.csv", dtype=str)[["puzzle"]]
    # A malformed row is never drawn.
    frame = pd.concat([sample, pd.DataFrame({"puzzle": ["none"]}), sample], ignore_index=True)
    frame.to_csv(tmp_path / "in.csv", index=False)
    sudobench.rate_file(tmp_path / "in.csv", tmp_path / "out.csv", stratify=4, seed=7)
    expected = pd.read_csv(tmp_path / "out.csv", dtype=str)
    ratings = sudobench.rate(frame["puzzle"])
    drawn = ratings.stratify(4, seed=7)
    assert frame["puzzle"].iloc[drawn].tolist() == expected["puzzle"].tolist() and len(drawn) > 10
    assert ratings.difficulty is not None and set(np.unique(ratings.difficulty[drawn], return_counts=True)[1]) <= {1, 2, 3, 4}
    assert ratings.stratify(4, seed=8).tolist() != drawn.tolist()
    for table in (frame, pa.table({"puzzle": frame["puzzle"].tolist()}), pl.DataFrame({"puzzle": frame["puzzle"].tolist()})):
        rated = sudobench.rate_table(table, columns="difficulty,depth", stratify=4, seed=7)
        assert type(rated) is type(table)
        rows = rated.to_dict("list") if isinstance(rated, pd.DataFrame) else pa.table(rated).to_pydict()
        assert (list(rows["puzzle"]), list(rows["difficulty"])) == (expected["puzzle"].tolist(), expected["difficulty"].tolist())
    assert sudobench.rate_table(frame, stratify=4, seed=7).index.tolist() == drawn.tolist()
    # Any column of ratings can define the strata.
    words = f"rate {tmp_path}/in.csv -o {tmp_path}/se.csv --stratify 1 --stratify-by se --columns se"
    assert command(*words.split()).returncode == 4
    expected = pd.read_csv(tmp_path / "se.csv", dtype=str)
    assert expected["se"].is_unique and len(expected) > 5
    others = sudobench.rate(frame["puzzle"], columns="se,hardest_technique,depth")
    assert frame["puzzle"].iloc[others.stratify(1, by="se")].tolist() == expected["puzzle"].tolist()
    rated = sudobench.rate_table(frame, columns="se", stratify=1, stratify_by="se")
    assert rated["puzzle"].tolist() == expected["puzzle"].tolist()
    # In tables and files, the numbers of clues can define the strata too.
    sudobench.rate_file(tmp_path / "in.csv", tmp_path / "clues.csv", stratify=1, stratify_by="clues")
    rated = sudobench.rate_table(frame, stratify=1, stratify_by="clues")
    assert rated["puzzle"].tolist() == pd.read_csv(tmp_path / "clues.csv", dtype=str)["puzzle"].tolist() and len(rated) > 5
    assert list(rated) == ["puzzle", "difficulty"]
    assert len(others.stratify(1, by="hardest_technique")) == len(set(np.asarray(others.hardest_technique)) - {""})
    assert len(others.stratify(1, by="depth")) == 2
    with pytest.raises(ValueError, match="cannot group rows by 'level'; choose from difficulty, singles"):
        others.stratify(1, by="level")
    for by in ("all", "none", "status", "difficulty,se", "count"):
        with pytest.raises(ValueError, match="cannot group rows by '.*'; choose from difficulty"):
            sudobench.rate_table(frame, stratify=1, stratify_by=by)
    with pytest.raises(ValueError, match="stratify_by: add stratify, the number of rows to draw per value"):
        sudobench.rate_table(frame, stratify_by="se")
    with pytest.raises(ValueError, match="stratify_by: add stratify, the number of rows to draw per value"):
        sudobench.rate_file(SAMPLE, tmp_path / "x.csv", stratify_by="se")
    for rows, seed, words in ((0, 1, "stratify=0: give 1 or more"), (-1, 1, "stratify=-1: give a whole number"), (2, -1, "seed=-1: give a whole number")):
        with pytest.raises(ValueError, match=words):
            ratings.stratify(rows, seed=seed)
    with pytest.raises(ValueError, match="the column difficulty was not computed"):
        sudobench.rate(frame["puzzle"], columns="depth").stratify(1)
    with pytest.raises(TypeError, match="no table of pyarrow"):
        sudobench.rate_table(pa.table({"puzzle": ["."]}).to_reader(), stratify=1)


def test_a_filled_grid_has_no_hardest_technique(known: list[Known]) -> None:
    ratings = sudobench.rate([known[0].puzzle, known[0].solution], columns=["steps", "hardest_technique"])
    assert ratings.steps[0] > 0 and ratings.hardest_technique[0] != ""
    assert (ratings.steps[1], ratings.hardest_technique[1]) == (0, "")
