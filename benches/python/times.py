"""Compares the speed of sudobench's Python package with what people use instead: other packages, and loops in NumPy and Python.

    pip install sudobench pandas rustoku py-sudoku dlxsudoku sudokutools sudokum
    python benches/python/times.py [--puzzles FILE] [--seconds N] [--rounds N]

FILE has one puzzle per line (at most 10,000 are used); without --puzzles, easy puzzles are generated. Prints two tables in
Markdown. The first has the time per puzzle of each other package, as a multiple of sudobench's time. The second has the time
per puzzle of each function of sudobench. For some functions, it also has the time of what people use instead, as a multiple of
sudobench's time. The packages run in turn.
Everything runs on one thread, and processor time is measured, so that other work on the machine matters less. Packages
that are not installed are left out. benches/python/hrm.py measures `export_hrm`.
"""

import argparse
import collections
import importlib
import importlib.metadata
import re
import statistics
import time
from collections.abc import Callable

import numpy as np
import sudobench

PER_CALL = 10_000
"""Maximum number of puzzles that are passed to a function of sudobench in one call."""


def rustoku(solve: Callable) -> Callable[[str], str]:
    return solve


def py_sudoku(sudoku_class: Callable) -> Callable[[str], str]:
    def solve(puzzle: str) -> str:
        board = [[int(cell) or None for cell in puzzle[row : row + 9]] for row in range(0, 81, 9)]
        return "".join(str(cell) for row in sudoku_class(3, 3, board=board).solve().board for cell in row)

    return solve


def dlxsudoku(sudoku_class: Callable) -> Callable[[str], str]:
    def solve(puzzle: str) -> str:
        sudoku = sudoku_class(puzzle)
        sudoku.solve()
        return sudoku.to_oneliner()

    return solve


def sudokutools(module: object) -> Callable[[str], str]:
    from sudokutools.sudoku import Sudoku

    def solve(puzzle: str) -> str:
        return "".join(str(number) for number in _numbers(next(iter(module.dlx(Sudoku.decode(puzzle))))))

    def _numbers(sudoku: object) -> list[int]:
        return [sudoku[row, column] for row in range(9) for column in range(9)]

    return solve


def sudokum(solve_grid: Callable) -> Callable[[str], str]:
    def solve(puzzle: str) -> str:
        grid = [[int(cell) for cell in puzzle[row : row + 9]] for row in range(0, 81, 9)]
        return "".join(str(cell) for row in solve_grid(grid)[1] for cell in row)

    return solve


# For each package: its module, the name of its solver, and the function that adapts the solver to puzzles of 81 digits, 0 for a blank. If
# there is no name, the function gets the module.
PACKAGES = {
    "rustoku": ("rustoku", "solve", rustoku),
    "py-sudoku": ("sudoku", "Sudoku", py_sudoku),
    "dlxsudoku": ("dlxsudoku", "Sudoku", dlxsudoku),
    "sudokutools": ("sudokutools.solve", None, sudokutools),
    "sudokum": ("sudokum", "solve", sudokum),
}


def per_puzzle(solve: Callable[[str], str], puzzles: list[str], solutions: list[str], seconds: float) -> tuple[float, float]:
    """Solves puzzles for `seconds`, but at least one puzzle and at most all of them. Returns the mean processor time per puzzle and the share of answers that differ from `solutions`."""
    start = time.process_time()
    wrong = 0
    for done, puzzle in enumerate(puzzles, 1):
        wrong += solve(puzzle) != solutions[done - 1]
        if time.process_time() - start > seconds:
            break
    return (time.process_time() - start) / done, wrong / done


def least(call: Callable[[], object], times: int = 3) -> float:
    """Returns the shortest processor time of several calls, in seconds."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return min(taken)


def shuffled(boards: np.ndarray, solutions: np.ndarray, random: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray]]:
    """Returns a random equivalent form of each board with its solution. Uses a loop with NumPy, as people typically write it."""

    def order() -> np.ndarray:
        return np.concatenate([3 * band + random.permutation(3) for band in random.permutation(3)])

    forms = []
    for board, solution in zip(boards, solutions):
        digits = np.concatenate([[0], random.permutation(np.arange(1, 10))])
        rows, columns, is_turned = order(), order(), random.random() < 0.5
        pair = [digits[(grid.T if is_turned else grid)[rows][:, columns]] for grid in (board.reshape(9, 9), solution.reshape(9, 9))]
        forms.append((pair[0], pair[1]))
    return forms


def accuracy_loop(boards: np.ndarray, predictions: np.ndarray) -> list[bool]:
    """Returns whether each prediction keeps the clues and obeys the rules. Uses a loop, as people typically write it."""
    digits = set(range(1, 10))
    right = []
    for board, prediction in zip(boards, predictions):
        grid = prediction.reshape(9, 9)
        boxes = grid.reshape(3, 3, 3, 3).swapaxes(1, 2).reshape(9, 9)
        are_units = all(set(unit.tolist()) == digits for units in (grid, grid.T, boxes) for unit in units)
        right.append(are_units and bool((prediction[board > 0] == board[board > 0]).all()))
    return right


def exact_of_hrm(labels: np.ndarray, predictions: np.ndarray) -> np.ndarray:
    """Returns which predictions equal their labels, as the evaluation of HRM does. The evaluation checks nothing else, such as the rules of Sudoku."""
    return (predictions == labels).all(-1)


def grid_loop(texts: list[str]) -> list[str | None]:
    """Finds the last 81 consecutive digits in each text, after removing white space and the lines of drawn grids. Uses a loop with a regular expression, as people typically write it."""
    found = [re.findall(r"[1-9]{81}", re.sub(r"[\s|+-]", "", text)) for text in texts]
    return [grids[-1] if grids else None for grids in found]


def split_of_pandas(puzzles: object) -> tuple[object, object]:
    """Splits a series of texts as people typically do: equal texts are in the same part, but equivalent puzzles can be in both parts."""
    test = puzzles.sample(frac=0.2, random_state=1)
    return puzzles[~puzzles.isin(test)], test


def main() -> None:
    typed = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    typed.add_argument("--puzzles")
    typed.add_argument("--seconds", type=float, default=2.0)
    typed.add_argument("--rounds", type=int, default=3)
    asked = typed.parse_args()
    if asked.puzzles:
        with open(asked.puzzles, encoding="ascii") as lines:
            puzzles = [line.strip().replace(".", "0") for line in lines if line.strip()][:PER_CALL]
    else:
        puzzles = [text.replace(".", "0") for text in sudobench.generate(PER_CALL, seed=1, clues=(28, 32)).text()]
    answers = sudobench.solve(puzzles)
    solutions = ["".join(map(str, grid)) for grid in answers.solution.tolist()]
    boards, grids = np.array([list(map(int, puzzle)) for puzzle in puzzles], dtype=np.uint8), answers.solution

    ways = {}
    for package, (module, name, way) in PACKAGES.items():
        try:
            found = importlib.import_module(module)
        except ImportError:
            continue
        ways[package] = way(getattr(found, name) if name else found)
    ratios, unsolved = collections.defaultdict(list), {}
    for _ in range(asked.rounds):
        ours = least(lambda: sudobench.solve(puzzles, threads=1)) / len(puzzles)
        for package, solve in ways.items():
            taken, unsolved[package] = per_puzzle(solve, puzzles, solutions, asked.seconds)
            ratios[package].append(taken / ours)
    print(f"{len(puzzles):,} puzzles; `sudobench.solve` takes {ours * 1e9:,.0f} ns for each and proves that the solution is the only one.\n")
    print("| package | version | time for each puzzle, as a multiple of `sudobench.solve` | not solved |\n|---|---|---|---|")
    for package, found in sorted(ratios.items(), key=lambda item: statistics.median(item[1])):
        print(f"| {package} | {importlib.metadata.version(package)} | {statistics.median(found):,.0f} | {unsolved[package]:.0%} |")

    random, augment = np.random.default_rng(1), sudobench.Augment(seed=1)
    few = slice(0, 1000)
    lines = ["\n".join(" ".join(solution[row : row + 9]) for row in range(0, 81, 9)) for solution in solutions]
    texts = [f"<think>{'r1c3 is 4, because of r5c3. ' * 20}</think>\n<answer>\n{grid}\n</answer>" for grid in lines]
    assert sudobench.extract(texts).text() == grid_loop(texts) == solutions
    numbers = boards.astype(np.int64), grids.astype(np.int64), grids.astype(np.int64)
    logits = np.eye(10, dtype=np.float32)[grids]
    calls = {
        "`solve(texts)`": lambda: sudobench.solve(puzzles, threads=1),
        "`solve(text)`, one call for each puzzle": lambda: [sudobench.solve(puzzle) for puzzle in puzzles],
        "`solve(boards)`": lambda: sudobench.solve(boards, threads=1),
        "`check(boards)`": lambda: sudobench.check(boards, threads=1),
        "`rate(boards)`": lambda: sudobench.rate(boards, threads=1),
        "`canonical(boards)`": lambda: sudobench.canonical(boards, threads=1),
        "`transform(boards, random=1)`": lambda: sudobench.transform(boards, random=1, threads=1),
        "`candidates(boards)`": lambda: sudobench.candidates(boards, threads=1),
        "`score(boards, grids)`": lambda: sudobench.score(boards, grids, threads=1),
        "`score(boards, grids, solutions)`": lambda: sudobench.score(boards, grids, grids, threads=1),
        "the same with `int64`": lambda: sudobench.score(*numbers, threads=1),
        "the same with logits of shape (N, 81, 10), `float32`": lambda: sudobench.score(boards, logits, grids, threads=1),
        "`extract(texts)`": lambda: sudobench.extract(texts, threads=1),
        "`split(texts, test=\"20%\")`": lambda: sudobench.split(puzzles, test="20%", threads=1),
        "`split(texts, test=\"20%\", by=\"text\")`": lambda: sudobench.split(puzzles, test="20%", by="text", threads=1),
        "`Augment(seed)(boards, grids)`": lambda: augment(boards, grids, index=np.arange(len(boards)), epoch=0),
        "`is_valid(grids)`": lambda: sudobench.is_valid(grids),
    }
    # For some functions of sudobench: what people use instead, and its time per puzzle. `accuracy_loop` and `shuffled` are slow, so they
    # get few puzzles.
    instead = {
        "`score(boards, grids)`": ("a loop with NumPy", least(lambda: accuracy_loop(boards[few], grids[few])) / len(puzzles[few])),
        "`score(boards, grids, solutions)`": ("`(predictions == labels).all(-1)`", least(lambda: exact_of_hrm(grids, grids)) / len(puzzles)),
        "the same with `int64`": ("the same", least(lambda: exact_of_hrm(*numbers[1:])) / len(puzzles)),
        "the same with logits of shape (N, 81, 10), `float32`": (
            "`(logits.argmax(-1) == labels).all(-1)`",
            least(lambda: exact_of_hrm(grids, logits.argmax(-1))) / len(puzzles),
        ),
        "`extract(texts)`": ("a loop with a regular expression", least(lambda: grid_loop(texts)) / len(puzzles)),
        "`Augment(seed)(boards, grids)`": ("a loop with NumPy", least(lambda: shuffled(boards[few], grids[few], random)) / len(puzzles[few])),
    }
    try:
        import pandas

        series = pandas.Series(puzzles)
        taken = least(lambda: split_of_pandas(series)) / len(puzzles)
        instead |= {name: ("`sample` and `isin` of pandas", taken) for name in calls if name.startswith("`split(")}
    except ImportError:
        pass
    times = collections.defaultdict(list)
    for _ in range(asked.rounds):
        for name, call in calls.items():
            times[name].append(least(call) / len(puzzles))
    print("\n| function | ns for each puzzle | what people use instead | its time, as a multiple of the function's time |\n|---|---|---|---|")
    for name, found in times.items():
        ns = statistics.median(found)
        other, taken = instead.get(name, ("", None))
        print(f"| {name} | {ns * 1e9:,.0f} | {other} | {'' if taken is None else f'{taken / ns:,.2g}' if taken < 10 * ns else f'{taken / ns:,.0f}'} |")


if __name__ == "__main__":
    main()
