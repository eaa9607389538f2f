"""Compares the speed of `sudobench.export_hrm` with the script of HRM that writes the same training data.

    pip install sudobench pydantic tqdm
    python benches/python/hrm.py [SCRIPT] [--train FILE] [--rows N] [--rounds N]

SCRIPT is dataset/build_sudoku_dataset.py of a clone of https://github.com/sapientinc/HRM. Without SCRIPT, the repository is
cloned into a temporary folder, and commit 42410da is checked out. FILE is a CSV file with the columns of sudoku-extreme
(source, question, answer, rating), such as its train.csv; without --train, puzzles are generated. N puzzles are for training,
the next 1,000 for testing.

Prints a table in Markdown. The programs run in turn, in this process; the times are the smallest of all rounds, with the
median in parentheses. Augmentation is slow, so it gets a third of the rounds. The last column is the time for only
writing the arrays of `export_hrm` to a file. No program can take less time. Without augmentation, the arrays of both programs
must be equal.
"""

import argparse
import contextlib
import csv
import importlib
import itertools
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import types
from collections.abc import Callable

import numpy as np
import sudobench

REPOSITORY, COMMIT = "https://github.com/sapientinc/HRM", "42410daaaf6ac8b266536d105a6e2362ffe40929"
ARRAYS = ("inputs", "labels", "puzzle_identifiers", "puzzle_indices", "group_indices")
TEST_ROWS = 1000

Times = dict[str, list[tuple[float, float]]]
"""For each program, the wall time and the processor time of each round, in seconds."""


def load_script(script: pathlib.Path, data: pathlib.Path) -> types.ModuleType:
    """Imports the script of HRM. Replaces the packages with which it reads its command line and downloads its input, so that it reads the files in `data`."""
    parser = types.ModuleType("argdantic")
    parser.ArgParser = lambda: types.SimpleNamespace(command=lambda **_: lambda function: function)
    hub = types.ModuleType("huggingface_hub")
    hub.hf_hub_download = lambda repository, name, repo_type: str(data / name)
    sys.modules.update(argdantic=parser, huggingface_hub=hub)
    sys.path.insert(0, str(script.parent))
    return importlib.import_module(script.stem)


def write_rows(path: pathlib.Path, rows: list[list[str]]) -> None:
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([["source", "question", "answer", "rating"], *rows])


def generated(count: int) -> list[list[str]]:
    made = sudobench.generate(count, seed=1)
    solutions = np.ascontiguousarray(made.solution + ord("0")).view("S81").reshape(-1).astype("U81").tolist()
    return [["generated", puzzle, solution, str(row % 100)] for row, (puzzle, solution) in enumerate(zip(made.text(), solutions))]


def timed(call: Callable[..., object], *arguments: object) -> tuple[float, float]:
    wall, processor = time.perf_counter(), time.process_time()
    call(*arguments)
    return time.perf_counter() - wall, time.process_time() - processor


def load(folder: pathlib.Path) -> list[np.ndarray]:
    return [np.load(folder / part / f"all__{name}.npy") for part in ("train", "test") for name in ARRAYS]


def words(times: list[tuple[float, float]], which: int) -> str:
    of_rounds = [of_round[which] for of_round in times]
    return f"{min(of_rounds):.3g} ({statistics.median(of_rounds):.3g})"


def ratio(theirs: list[tuple[float, float]], ours: list[tuple[float, float]], which: int) -> str:
    numbers = [[of_round[which] for of_round in times] for times in (theirs, ours)]
    return " ".join(f"{pattern.format(choose(numbers[0]) / choose(numbers[1]))}" for pattern, choose in (("{:.3g}", min), ("({:.3g})", statistics.median)))


def measure(script: types.ModuleType, data: pathlib.Path, rounds: int, subsample_size: int | None, num_aug: int) -> Times:
    """Runs each program `rounds` times on the files train.csv and test.csv in `data`."""
    theirs, ours, copy = data / "theirs", data / "ours", data / "copy.npy"
    config = script.DataProcessConfig(output_dir=str(theirs), subsample_size=subsample_size, num_aug=num_aug)

    def run_script() -> None:
        with open(os.devnull, "w") as nothing, contextlib.redirect_stderr(nothing):
            script.preprocess_data(config)

    def export(threads: int | None) -> None:
        options = {"subsample_size": subsample_size, "num_aug": num_aug, "threads": threads}
        sudobench.export_hrm(data / "train.csv", data / "test.csv", ours, force=True, **options)

    def write(arrays: list[np.ndarray]) -> None:
        for array in arrays:
            np.save(copy, array)

    times: Times = {"script": [], "one thread": [], "all cores": [], "writing": []}
    for _ in range(rounds):
        times["script"].append(timed(run_script))
        times["one thread"].append(timed(export, 1))
        times["all cores"].append(timed(export, None))
        exported = load(ours)
        times["writing"].append(timed(write, exported))
    if num_aug == 0 and subsample_size is None:
        assert all(np.array_equal(*pair) for pair in zip(load(theirs), exported)), "the programs wrote different arrays"
    return times


def main() -> None:
    typed = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    typed.add_argument("script", nargs="?", type=pathlib.Path)
    typed.add_argument("--train", type=pathlib.Path)
    typed.add_argument("--rows", type=int, default=200_000)
    typed.add_argument("--rounds", type=int, default=9)
    asked = typed.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        if asked.script is None:
            subprocess.run(["git", "clone", "--quiet", REPOSITORY, work / "HRM"], check=True)
            subprocess.run(["git", "-C", work / "HRM", "checkout", "--quiet", COMMIT], check=True)
        script = load_script((asked.script or work / "HRM/dataset/build_sudoku_dataset.py").resolve(), work)
        if asked.train is None:
            rows = generated(asked.rows + TEST_ROWS)
        else:
            with open(asked.train, newline="") as file:
                rows = list(itertools.islice(csv.reader(file), 1, 1 + asked.rows + TEST_ROWS))
        write_rows(work / "test.csv", rows[-TEST_ROWS:])
        train = rows[:-TEST_ROWS]
        print("| rows | taken | num_aug | time | script of HRM, s | one thread, s | times as fast | all cores, s | times as fast | only writing, s |")
        print("|---|---|---|---|---|---|---|---|---|---|")
        for count, subsample_size, num_aug in ((len(train), None, 0), (10_000, None, 0), (len(train), 1000, 1000)):
            write_rows(work / "train.csv", train[:count])
            rounds = asked.rounds if num_aug == 0 else max(1, asked.rounds // 3)
            times = measure(script, work, rounds, subsample_size, num_aug)
            for which, name in enumerate(("wall", "processor")):
                theirs, one, all_cores, writing = times.values()
                cells = (words(theirs, which), words(one, which), ratio(theirs, one, which), words(all_cores, which), ratio(theirs, all_cores, which), words(writing, which))
                print(f"| {min(count, len(train)):,} | {subsample_size or 'all'} | {num_aug:,} | {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
