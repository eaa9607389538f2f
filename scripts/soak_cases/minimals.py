"""The case that compares `minimals` with a slow search."""

import csv

from .inputs import SAMPLE
from .runs import threads


def solutions_of(clues, most):
    """Counts the solutions of a puzzle, up to `most`, by trying digits in the blank with the fewest candidates. The puzzle is given as 81 numbers."""
    rows, columns, boxes = [0] * 9, [0] * 9, [0] * 9
    units = [(cell // 9, cell % 9, cell // 27 * 3 + cell % 9 // 3) for cell in range(81)]
    for (row, column, box), digit in zip(units, clues):
        if digit:
            rows[row] |= 1 << digit
            columns[column] |= 1 << digit
            boxes[box] |= 1 << digit

    def count(blanks, most):
        if not blanks:
            return 1
        candidates = {
            cell: ~(rows[units[cell][0]] | columns[units[cell][1]] | boxes[units[cell][2]]) & 0x3fe for cell in blanks
        }
        cell = min(blanks, key=lambda cell: candidates[cell].bit_count())
        (row, column, box), others, found = units[cell], [other for other in blanks if other != cell], 0
        for bit in (1 << digit for digit in range(1, 10)):
            if candidates[cell] & bit and found < most:
                rows[row] ^= bit
                columns[column] ^= bit
                boxes[box] ^= bit
                found += count(others, most - found)
                rows[row] ^= bit
                columns[column] ^= bit
                boxes[box] ^= bit
        return found

    return count([cell for cell in range(81) if not clues[cell]], most)


def without(clues):
    """Yields the cell of each clue, and the puzzle without this clue."""
    for cell, digit in enumerate(clues):
        if digit:
            yield cell, clues[:cell] + (0,) + clues[cell + 1:]


def minimals_of(clues, most):
    """Finds the minimal puzzles in a puzzle: removes clues in all possible ways. Returns None if it would have to test more than `most`
    puzzles."""
    is_unique, left, found = {clues: True}, [clues], set()
    while left:
        puzzle, is_minimal = left.pop(), True
        for _, fewer in without(puzzle):
            if fewer not in is_unique:
                if len(is_unique) >= most:
                    return None
                is_unique[fewer] = solutions_of(fewer, 2) == 1
                if is_unique[fewer]:
                    left.append(fewer)
            is_minimal &= not is_unique[fewer]
        if is_minimal:
            found.add(puzzle)
    return found


def brute_force(case):
    """Checks that `minimals` finds the same puzzles as a slow search. The input is a minimal puzzle with up to three additional clues from
    its solution."""
    pick = case.random
    text, solution = pick.choice(SAMPLE)
    clues = tuple(int(cell) if cell != "." else 0 for cell in text)
    for cell in pick.sample(range(81), 81):
        fewer = clues[:cell] + (0,) + clues[cell + 1:]
        if clues[cell] and solutions_of(fewer, 2) == 1:
            clues = fewer
    added = pick.sample([cell for cell in range(81) if not clues[cell]], pick.randint(0, 3))
    clues = tuple(int(solution[cell]) if cell in added else digit for cell, digit in enumerate(clues))
    found = minimals_of(clues, 400)
    if found is None:
        return case.count("puzzles with too many minimal ones")
    text = "".join(map(str, clues)).replace("0", ".")
    (case.folder / "in" / "in.txt").write_text(text + "\n")
    ran = case.run(["minimals", "../in/in.txt", "--columns", "minimal", "-q", *threads(case)])
    told = [row["minimal"] for row in csv.DictReader(ran.stdout.decode().splitlines())]
    expected = sorted("".join(map(str, puzzle)).replace("0", ".") for puzzle in found)
    if ran.code != 0 or sorted(told) != expected:
        case.fail(f"exit code {ran.code}, minimals of {text} prints {told}; a slow search finds {expected}")
    case.counts["minimal puzzles"] += len(told)
