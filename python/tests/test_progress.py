"""Tests the option `progress` of functions that may take long. It shows a bar or a line, or it calls the caller's own function."""

from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sudobench

BOARDS = sudobench.generate(3000, seed=5).puzzle
TEXTS = ["".join(map(str, row)) for row in BOARDS.tolist()]
TABLE = pa.table({"puzzle": TEXTS})
IDENTITY = "r123456789c123456789d123456789"

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "solve": lambda **options: sudobench.solve(BOARDS, **options).solution,
    "rate": lambda **options: sudobench.rate(BOARDS, **options).difficulty,
    "canonical": lambda **options: sudobench.canonical(BOARDS, **options).canonical,
    "check": lambda **options: sudobench.check(BOARDS, **options).status,
    "dedupe": lambda **options: sudobench.dedupe(BOARDS, isomorph=True, **options).index,
    "candidates": lambda **options: sudobench.candidates(BOARDS, **options).mask,
    "solutions": lambda **options: sudobench.solutions(BOARDS, **options).board,
    "minimals": lambda **options: sudobench.minimals(BOARDS, **options).board,
    "vicinity": lambda **options: sudobench.vicinity(BOARDS, "-1+0", **options).board,
    "transform": lambda **options: sudobench.transform(BOARDS, random=3, **options),
    "transform back": lambda **options: sudobench.transform(BOARDS, apply=[IDENTITY] * 3000, inverse=True, **options),
    "generate": lambda **options: sudobench.generate(3000, **options).puzzle,
    "generate_table": lambda **options: pa.table(sudobench.generate_table(3000, **options)),
    "solve_table": lambda **options: sudobench.solve_table(TABLE, **options),
    "rate_table": lambda **options: sudobench.rate_table(TABLE, **options),
    "canonical_table": lambda **options: sudobench.canonical_table(TABLE, **options),
    "check_table": lambda **options: sudobench.check_table(TABLE, **options),
    "dedupe_table": lambda **options: sudobench.dedupe_table(TABLE, "puzzle", **options),
    "solutions_table": lambda **options: sudobench.solutions_table(TABLE, "puzzle", **options),
    "transform_table": lambda **options: sudobench.transform_table(TABLE, random=2, **options),
    "polars": lambda **options: sudobench.solve_table(pl.DataFrame(TABLE), **options).to_dicts(),
    "pandas": lambda **options: sudobench.solve_table(pd.DataFrame({"puzzle": TEXTS}), **options)["solution"].tolist(),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_told_how_far_the_work_is(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    told: list[tuple[int, float | None]] = []
    result = FUNCTIONS[name](progress=lambda rows, share: told.append((rows, share)))
    rows = [rows for rows, _ in told]
    assert rows == sorted(rows) and told[-1] == (3000, 1.0)
    assert all(share == pytest.approx(rows / 3000) for rows, share in told)
    assert np.array_equal(np.asarray(result), np.asarray(FUNCTIONS[name]()))
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_bar_is_shown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    FUNCTIONS[name](progress=True)
    assert "3.00k/3.00k" in capsys.readouterr().err


def test_work_is_shown_while_it_lasts() -> None:
    told: list[int] = []
    boards = np.repeat(BOARDS, 200, axis=0)
    sudobench.canonical(boards, progress=lambda rows, _: told.append(rows), threads=1)
    assert told[-1] == len(boards) and len({*told}) > 3


def test_few_puzzles_and_one_are_shown_too() -> None:
    told: list[tuple[int, float | None]] = []
    assert sudobench.solve(TEXTS[:3], progress=lambda *now: told.append(now)).status.tolist() == ["unique"] * 3
    assert told[-1] == (3, 1.0)
    assert sudobench.rate(TEXTS[0], progress=lambda *now: told.append(now)).status == "unique"
    assert told[-1] == (1, 1.0)
    sudobench.solve([], progress=lambda *now: told.append(now))
    assert told[-1] == (0, 0.0)


def test_the_length_of_a_stream_is_not_known() -> None:
    told: list[tuple[int, float | None]] = []
    rows = TABLE
    relation = duckdb.sql("SELECT * FROM rows")
    assert len(rows) == 3000
    sudobench.solve_table(relation, progress=lambda *now: told.append(now))
    assert told[-1] == (3000, None)


def test_an_exception_of_the_function_ends_the_work() -> None:
    def stop(rows: int, share: float | None) -> None:
        raise InterruptedError("enough")

    with pytest.raises(InterruptedError, match="enough"):
        sudobench.solve(["." * 81] * 3, max_solutions=10**15, progress=stop)
    with pytest.raises(InterruptedError, match="enough"):
        sudobench.rate_table(TABLE, columns="guesses", isomorphs=10**9, progress=stop)


def test_files_take_a_function_too(tmp_path: Any) -> None:
    told: list[tuple[int, float | None]] = []
    sudobench.generate_file(tmp_path / "a.csv", 3000, progress=lambda *now: told.append(now))
    assert told[-1] == (3000, 1.0)


def test_a_program_without_standard_error_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    assert len(sudobench.solve(TEXTS[:3], progress=True)) == 3


def test_anything_else_is_refused() -> None:
    with pytest.raises(TypeError, match="progress='yes': give True, False or a function"):
        sudobench.solve(TEXTS, progress="yes")  # type: ignore[call-overload]
