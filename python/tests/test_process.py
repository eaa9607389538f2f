"""Threads, signals and child processes."""

import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pyarrow as pa
import pytest
import sudobench
from conftest import Known
from test_solve import PUZZLE

ENDLESS = {"max_solutions": 10**15}

SOLVE ="""
import sys
import pyarrow  # imported before the signal: an interrupted import of NumPy can't be repeated in a process
import sudobench
try:
    print("begins", flush=True)
    while True:  # a fast machine is done with some calls before the signal comes
        {call}
except KeyboardInterrupt:
    print("interrupted")
    # The thread keeps its solver after the interrupt, and the solver still works.
    print(sudobench.solve(["." * 81]).status[0], sudobench.solve("." * 81).status)
    sys.exit(7)
"""

CALLS = [
    'sudobench.solve("." * 81, max_solutions=10**15)',
    'sudobench.solve(["." * 81] * 3, max_solutions=10**15)',
    'import pyarrow as pa; sudobench.solve_table(pa.table({"puzzle": ["." * 81]}), max_solutions=10**15)',
    'sudobench.rate(sys.argv[1], isomorphs=10**15)',
    'sudobench.rate([sys.argv[1]] * 3, columns="guesses", isomorphs=10**15)',
    'sudobench.generate(10**12)',
    'sudobench.generate_table(10**12)',
    'sudobench.generate(1, clues=18, attempts=10**12)',
    'sudobench.vicinity(sys.argv[1], "-3+3", limit_per_puzzle=10**15)',
    'sudobench.minimals(sudobench.solve(sys.argv[1]).solution, limit_per_puzzle=10**15)',
    'sudobench.transform(sys.argv[1], random=2 * 10**7)',
    'sudobench.transform_table(__import__("pyarrow").table({"puzzle": [sys.argv[1]] * 10**6}), to="canonical")',
    'sudobench.canonical([sys.argv[1]] * 10**6, progress=lambda rows, share: None)',
    'sudobench.dedupe(__import__("numpy").zeros((5 * 10**6, 81), "u1"))',
    'sudobench.extract([f"Row {sys.argv[1]} " * 1000] * 10**4)',
    'import pyarrow as pa; sudobench.rate_table(pa.table({"puzzle": [sys.argv[1]]}), columns="guesses", isomorphs=10**15)',
    'import pyarrow as pa; table = pa.table({"puzzle": pa.repeat(sys.argv[1], 10**6)}); '
    'sudobench.overlap_table(table, table, "puzzle", threads=1)',
]


@pytest.mark.parametrize("call", CALLS)
def test_ctrl_c_is_a_keyboard_interrupt(call: str) -> None:
    words = [sys.executable, "-c", SOLVE.format(call=call), PUZZLE]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begins\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    assert (process.returncode, said) == (7, "interrupted\nmultiple multiple\n")


@pytest.mark.parametrize("puzzles", ["." * 81, ["." * 81] * 2])
def test_the_interpreter_is_let_go(puzzles: object) -> None:
    steps = 0
    is_over = threading.Event()

    def step() -> None:
        nonlocal steps
        while not is_over.is_set():
            steps += 1
            time.sleep(0.001)

    def taken() -> int:
        before = steps
        sudobench.solve(puzzles, max_time_per_puzzle=0.5, **ENDLESS)
        return steps - before

    thread = threading.Thread(target=step)
    thread.start()
    try:
        # On a busy machine, the other thread may get only a few steps, so one of several attempts is enough.
        assert any(taken() > 20 for _ in range(20))
    finally:
        is_over.set()
        thread.join()


def test_threads_of_python_solve_at_once(whole: list[Known]) -> None:
    puzzles = [row.puzzle for row in whole] * 100
    wanted = sudobench.solve(puzzles)
    found: list[sudobench.Answers] = []
    threads = [threading.Thread(target=lambda: found.append(sudobench.solve(puzzles))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    for answers in found:
        assert (answers.solution == wanted.solution).all()


@pytest.mark.parametrize("solver", ["auto", "mrv"])
def test_any_number_of_threads_answers_alike(solver: str, known: list[Known]) -> None:
    puzzles = [row.puzzle for row in known] * 200
    one = sudobench.solve(puzzles, threads=1, solver=solver)
    for threads in (2, 3, 5):
        many = sudobench.solve(puzzles, threads=threads, solver=solver)
        for name in ("solution", "status", "count", "nodes", "guesses"):
            assert (getattr(one, name) == getattr(many, name)).all(), name
        assert one.notes == many.notes


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="this system does not list threads")
def test_the_same_threads_serve_all_calls() -> None:
    def threads() -> set[str]:
        tasks = {task: pathlib.Path("/proc/self/task", task, "comm") for task in os.listdir("/proc/self/task")}
        return {task for task, name in tasks.items() if name.exists() and name.read_text().startswith("solver-")}

    table = pa.table({"puzzle": [PUZZLE] * 2000})
    sudobench.solve(table["puzzle"], threads=3)
    kept = threads()
    assert len(kept) >= 3
    # The streams use the same threads. They keep the threads alive until the streams are dropped.
    streams = [
        of_table(pa.RecordBatchReader.from_batches(table.schema, table.to_batches()), "puzzle", threads=3)
        for of_table in (sudobench.solve_table, sudobench.canonical_table, sudobench.check_table, sudobench.rate_table)
    ]
    assert threads() <= kept
    # New threads are started for other options, but the streams can still be read.
    sudobench.solve_table(table, threads=2)
    assert not threads() <= kept
    assert [stream.read_all().num_rows for stream in streams] == [2000] * 4


def solve_in_child(puzzles: list[str]) -> list[str]:
    statuses = [str(status) for status in sudobench.solve(puzzles).status]
    assert sudobench.solve_table(pa.table({"puzzle": puzzles}), "puzzle")["status"].to_pylist() == statuses
    return statuses


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_children_solve_after_a_fork(known: list[Known]) -> None:
    puzzles = [row.puzzle for row in known] * 50
    wanted = solve_in_child(puzzles)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map_async(solve_in_child, [puzzles] * 4).get(timeout=60)
    assert found == [wanted] * 4
    # The parent process can still solve puzzles too.
    assert solve_in_child(puzzles) == wanted


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_amid_solving_harms_nobody(known: list[Known]) -> None:
    puzzles = [row.puzzle for row in known] * 50
    busy = threading.Thread(target=sudobench.solve, args=(["." * 81] * 2,), kwargs={"max_time_per_puzzle": 1.0, **ENDLESS})
    busy.start()
    time.sleep(0.2)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(solve_in_child, [puzzles]).get(timeout=60) == solve_in_child(puzzles)
    busy.join()


def test_nothing_heavy_is_imported() -> None:
    code = "import sys, sudobench; sudobench.solve('.' * 81); print([m for m in ('numpy', 'pandas', 'pyarrow') if m in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\n"


def test_values_are_read_where_they_are() -> None:
    """The array is a view of a part of memory that another object owns."""
    memory = np.zeros(81 * 10 + 7, dtype=np.uint8)
    boards = memory[7:].reshape(10, 81)
    assert not boards.flags.owndata
    assert sudobench.solve(boards).statuses == {"multiple": 10}
