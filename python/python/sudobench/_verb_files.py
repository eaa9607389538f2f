"""The verbs on files, as the command does them. Made from the options of the command, by tests/cli/python_functions.rs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from . import _files
from ._files import Path, Paths

if TYPE_CHECKING:
    from collections.abc import Sequence


def solve_file(
    input: Paths,
    output: Path,
    *,
    solver: str = "auto",
    max_solutions: int | None = None,
    max_nodes: int | None = None,
    max_time_per_puzzle: float | str | None = None,
    input_format: str | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: str | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    seed: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    columns: str | Sequence[str] | None = None,
    answer: Literal["smallest", "first"] | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> _files.Finished | None:
    """Solve puzzles from files or standard input: a row out for every row in, and a report of the times.

    `output` is written as `OUTPUT.partial`, and has its name once it is complete. Memory stays small whatever the size. Malformed rows
    are rows of the output and no error. Ctrl-C raises `KeyboardInterrupt` after whole rows are written; `resume=True` goes on with them. If
    such a call has completed the output already, `resume=True` does nothing, warns, and returns `None`; an output of another call, or of one
    without `resume=True`, is an error.

    - `threads`: without it, all cores that this process may use.
    - `progress`: a bar of tqdm if that is installed, else a line on standard error.
    - `solver`: The solver variant; `sudobench solvers` lists them
    - `max_solutions`: Stop a puzzle at that many solutions: 1 for the first found, 2 to prove uniqueness, more to count [default: 2; 1
      with `budgets` boj2580 or boj2239]
    - `max_nodes`: Give a puzzle up after that many nodes: digit placements, or alternatives of the vector solvers
    - `max_time_per_puzzle`: Give a puzzle up after that time, such as 1172ms
    - `input_format`: Read the input in this format instead of finding out; lines and sdm then always have the columns label and comment
    - `delimiter`: The byte between columns instead of the one found: a character, or `tab`
    - `puzzle_column`: The puzzle's column, or member of JSON objects, by its name or its number from 1
    - `solution_column`: The expected solution's column or member, by its name or its number from 1
    - `header`: Whether the first row names the columns, instead of finding out
    - `restore_zeros`: Put back the zeros at the start of puzzles that a spreadsheet took for numbers: fewer than 81 digits become a
      puzzle
    - `skip`: Leave out the first rows
    - `limit`: Stop after that many rows, such as 20000 or 20k
    - `output_format`: The output's format, whatever the output's name says [default: as that says, else csv]
    - `only`: Write only the rows that meet this condition: statuses such as unique,multiple (`mismatch`: unlike the expected solution),
      or NAME=VALUES on a column, such as clues=17..20 or difficulty=depth2,depth3. NAME!=VALUES is the opposite, input.NAME a column of
      the input. Of several, all must hold
    - `order_by`: Order the rows by a column of the verb or of the input (input.NAME), or by several, separated by commas; -NAME is
      descending. Numbers compare as numbers, words in the order of the column's description; rows without a value come last, and equal
      rows stay in their order
    - `top`: Write only the first rows in the order of `order_by`
    - `sample`: Write only that many rows, drawn at random from those that `only` keeps; every choice is as likely as any other. They
      stay in the order of the input unless `order_by` is given
    - `seed`: Decides which rows `sample` draws [default: 1]
    - `force`: Replace the output file if it exists, and exports whatever they are
    - `resume`: Continue an interrupted run of the same input and flags, or start one. A run with `resume` leaves FILE.resume.json
      beside its complete output: with it, the same command does nothing and ends with the same exit code, and another command is
      refused
    - `no_sync`: Do not wait for the output file to reach the disk
    - `columns`: The columns to add, in order, separated by commas, or `all` or `none`; they are listed below
    - `answer`: which of several solutions is reported: the smallest as a number of 81 digits, or the first that is found. Without it
      the smallest, but the first with `max_solutions=1`

    Columns, of which solution, status are added if none are named:

    - `solution`: 81 digits; of several solutions the smallest
    - `status`: unique, multiple, solved, unsolvable, aborted or malformed
    - `count`: solutions found, up to the number asked for
    - `clues`: clues of the puzzle
    - `nodes`: alternatives that the search tried
    - `guesses`: decisions with several open alternatives
    - `time_ns`: time from entry to verdict, in nanoseconds
    - `match`: yes or no: whether the answer is the expected solution; empty where none is expected
    - `note`: why a row is malformed, or what is to be said about the answer
    """
    return _files.run(_files.Finished, "solve", locals())


def check_file(
    input: Paths,
    output: Path,
    *,
    max_solutions: int = 2,
    input_format: str | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: str | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    seed: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    columns: str | Sequence[str] | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> _files.Finished | None:
    """Check puzzles: whether each has exactly one solution and is minimal, which clues are redundant, what a backtracker takes.

    `output` is written as `OUTPUT.partial`, and has its name once it is complete. Memory stays small whatever the size. Malformed rows
    are rows of the output and no error. Ctrl-C raises `KeyboardInterrupt` after whole rows are written; `resume=True` goes on with them. If
    such a call has completed the output already, `resume=True` does nothing, warns, and returns `None`; an output of another call, or of one
    without `resume=True`, is an error.

    - `threads`: without it, all cores that this process may use.
    - `progress`: a bar of tqdm if that is installed, else a line on standard error.
    - `max_solutions`: Count solutions up to this number, 2 at least, for the column `count`
    - `input_format`: Read the input in this format instead of finding out; lines and sdm then always have the columns label and comment
    - `delimiter`: The byte between columns instead of the one found: a character, or `tab`
    - `puzzle_column`: The puzzle's column, or member of JSON objects, by its name or its number from 1
    - `solution_column`: The expected solution's column or member, by its name or its number from 1
    - `header`: Whether the first row names the columns, instead of finding out
    - `restore_zeros`: Put back the zeros at the start of puzzles that a spreadsheet took for numbers: fewer than 81 digits become a
      puzzle
    - `skip`: Leave out the first rows
    - `limit`: Stop after that many rows, such as 20000 or 20k
    - `output_format`: The output's format, whatever the output's name says [default: as that says, else csv]
    - `only`: Write only the rows that meet this condition: statuses such as unique,multiple (`mismatch`: unlike the expected solution),
      or NAME=VALUES on a column, such as clues=17..20 or difficulty=depth2,depth3. NAME!=VALUES is the opposite, input.NAME a column of
      the input. Of several, all must hold
    - `order_by`: Order the rows by a column of the verb or of the input (input.NAME), or by several, separated by commas; -NAME is
      descending. Numbers compare as numbers, words in the order of the column's description; rows without a value come last, and equal
      rows stay in their order
    - `top`: Write only the first rows in the order of `order_by`
    - `sample`: Write only that many rows, drawn at random from those that `only` keeps; every choice is as likely as any other. They
      stay in the order of the input unless `order_by` is given
    - `seed`: Decides which rows `sample` draws [default: 1]
    - `force`: Replace the output file if it exists, and exports whatever they are
    - `resume`: Continue an interrupted run of the same input and flags, or start one. A run with `resume` leaves FILE.resume.json
      beside its complete output: with it, the same command does nothing and ends with the same exit code, and another command is
      refused
    - `no_sync`: Do not wait for the output file to reach the disk
    - `columns`: The columns to add, in order, separated by commas, or `all` or `none`; they are listed below

    Columns, of which status, minimal, redundant are added if none are named:

    - `status`: unique, multiple, solved, unsolvable, aborted or malformed
    - `unique`: yes or no: whether there is exactly one solution; empty if malformed
    - `minimal`: yes or no: whether every clue is needed; empty unless unique
    - `redundant`: the cells of the clues that can each be left out alone, such as `r1c2 r3c4`; empty where there is none
    - `redundant_count`: how many these are; empty unless unique
    - `clues`: clues of the puzzle
    - `clue_pattern`: 81 characters: 1 where the puzzle has a clue, 0 where it has none
    - `digit_counts`: how many clues are 1, how many are 2, and so on up to 9: nine numbers with spaces between them
    - `count`: solutions found, up to `max_solutions`
    - `cnt12095`: calls of the backtracker in the source of BOJ 12095, as it counts them, up to 10,000,000
    - `automorphisms`: in how many ways the puzzle is equivalent to itself; 1 for most
    - `note`: why a row is malformed, or what is to be said about the answer
    """
    return _files.run(_files.Finished, "check", locals())


def solutions_file(
    input: Paths,
    output: Path,
    *,
    limit_per_puzzle: int = 1000,
    input_format: str | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: str | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    seed: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    columns: str | Sequence[str] | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> _files.FinishedFound | None:
    """List the solutions of each puzzle: a row for each of them, the smallest first.

    `output` is written as `OUTPUT.partial`, and has its name once it is complete. Memory stays small whatever the size. Malformed rows
    are rows of the output and no error. Ctrl-C raises `KeyboardInterrupt` after whole rows are written; `resume=True` goes on with them. If
    such a call has completed the output already, `resume=True` does nothing, warns, and returns `None`; an output of another call, or of one
    without `resume=True`, is an error.

    - `threads`: without it, all cores that this process may use.
    - `progress`: a bar of tqdm if that is installed, else a line on standard error.
    - `limit_per_puzzle`: So many of each puzzle at most: the smallest
    - `input_format`: Read the input in this format instead of finding out; lines and sdm then always have the columns label and comment
    - `delimiter`: The byte between columns instead of the one found: a character, or `tab`
    - `puzzle_column`: The puzzle's column, or member of JSON objects, by its name or its number from 1
    - `solution_column`: The expected solution's column or member, by its name or its number from 1
    - `header`: Whether the first row names the columns, instead of finding out
    - `restore_zeros`: Put back the zeros at the start of puzzles that a spreadsheet took for numbers: fewer than 81 digits become a
      puzzle
    - `skip`: Leave out the first rows
    - `limit`: Stop after that many rows, such as 20000 or 20k
    - `output_format`: The output's format, whatever the output's name says [default: as that says, else csv]
    - `only`: Write only the rows that meet this condition: statuses such as unique,multiple (`mismatch`: unlike the expected solution),
      or NAME=VALUES on a column, such as clues=17..20 or difficulty=depth2,depth3. NAME!=VALUES is the opposite, input.NAME a column of
      the input. Of several, all must hold
    - `order_by`: Order the rows by a column of the verb or of the input (input.NAME), or by several, separated by commas; -NAME is
      descending. Numbers compare as numbers, words in the order of the column's description; rows without a value come last, and equal
      rows stay in their order
    - `top`: Write only the first rows in the order of `order_by`
    - `sample`: Write only that many rows, drawn at random from those that `only` keeps; every choice is as likely as any other. They
      stay in the order of the input unless `order_by` is given
    - `seed`: Decides which rows `sample` draws [default: 1]
    - `force`: Replace the output file if it exists, and exports whatever they are
    - `resume`: Continue an interrupted run of the same input and flags, or start one. A run with `resume` leaves FILE.resume.json
      beside its complete output: with it, the same command does nothing and ends with the same exit code, and another command is
      refused
    - `no_sync`: Do not wait for the output file to reach the disk
    - `columns`: The columns to add, in order, separated by commas, or `all` or `none`; they are listed below

    Columns, of which solution, number are added if none are named:

    - `solution`: 81 digits: one of the row's solutions; empty where there is none
    - `number`: its number among those of the row, from 1
    - `complete`: yes, or no where the row may have more than come out; empty if malformed
    - `status`: unique, multiple, solved, unsolvable, aborted or malformed
    - `note`: why a row is malformed, or what is to be said about the answer
    """
    return _files.run(_files.FinishedFound, "solutions", locals())


def minimals_file(
    input: Paths,
    output: Path,
    *,
    limit_per_puzzle: int = 1000,
    random: int | None = None,
    seed: int = 1,
    input_format: str | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: str | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    columns: str | Sequence[str] | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> _files.FinishedFound | None:
    """Find the minimal puzzles inside each puzzle: a row for each of them.

    `output` is written as `OUTPUT.partial`, and has its name once it is complete. Memory stays small whatever the size. Malformed rows
    are rows of the output and no error. Ctrl-C raises `KeyboardInterrupt` after whole rows are written; `resume=True` goes on with them. If
    such a call has completed the output already, `resume=True` does nothing, warns, and returns `None`; an output of another call, or of one
    without `resume=True`, is an error.

    - `threads`: without it, all cores that this process may use.
    - `progress`: a bar of tqdm if that is installed, else a line on standard error.
    - `limit_per_puzzle`: So many of each puzzle at most: the first in ascending order, a blank before all digits
    - `random`: Take clues out in that many random orders instead; what several orders leave comes out once
    - `seed`: Decides, with the puzzle and the number of the order, which orders are drawn
    - `input_format`: Read the input in this format instead of finding out; lines and sdm then always have the columns label and comment
    - `delimiter`: The byte between columns instead of the one found: a character, or `tab`
    - `puzzle_column`: The puzzle's column, or member of JSON objects, by its name or its number from 1
    - `solution_column`: The expected solution's column or member, by its name or its number from 1
    - `header`: Whether the first row names the columns, instead of finding out
    - `restore_zeros`: Put back the zeros at the start of puzzles that a spreadsheet took for numbers: fewer than 81 digits become a
      puzzle
    - `skip`: Leave out the first rows
    - `limit`: Stop after that many rows, such as 20000 or 20k
    - `output_format`: The output's format, whatever the output's name says [default: as that says, else csv]
    - `only`: Write only the rows that meet this condition: statuses such as unique,multiple (`mismatch`: unlike the expected solution),
      or NAME=VALUES on a column, such as clues=17..20 or difficulty=depth2,depth3. NAME!=VALUES is the opposite, input.NAME a column of
      the input. Of several, all must hold
    - `order_by`: Order the rows by a column of the verb or of the input (input.NAME), or by several, separated by commas; -NAME is
      descending. Numbers compare as numbers, words in the order of the column's description; rows without a value come last, and equal
      rows stay in their order
    - `top`: Write only the first rows in the order of `order_by`
    - `sample`: Write only that many rows, drawn at random from those that `only` keeps; every choice is as likely as any other. They
      stay in the order of the input unless `order_by` is given
    - `force`: Replace the output file if it exists, and exports whatever they are
    - `resume`: Continue an interrupted run of the same input and flags, or start one. A run with `resume` leaves FILE.resume.json
      beside its complete output: with it, the same command does nothing and ends with the same exit code, and another command is
      refused
    - `no_sync`: Do not wait for the output file to reach the disk
    - `columns`: The columns to add, in order, separated by commas, or `all` or `none`; they are listed below

    Columns, of which minimal, clues are added if none are named:

    - `minimal`: a minimal puzzle inside the row's; empty where that has not exactly one solution
    - `clues`: its clues
    - `number`: its number among those of the row, from 1
    - `complete`: yes, or no where the row may have more than come out; empty if malformed
    - `status`: unique, multiple, solved, unsolvable, aborted or malformed
    - `note`: why a row is malformed, or what is to be said about the answer
    """
    return _files.run(_files.FinishedFound, "minimals", locals())


def vicinity_file(
    input: Paths,
    output: Path,
    distance: str,
    *,
    minimal: bool = False,
    limit_per_puzzle: int = 10000,
    input_format: str | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: str | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    seed: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    columns: str | Sequence[str] | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> _files.FinishedFound | None:
    """Find the puzzles with one solution around each puzzle: so many clues fewer, so many others instead.

    `output` is written as `OUTPUT.partial`, and has its name once it is complete. Memory stays small whatever the size. Malformed rows
    are rows of the output and no error. Ctrl-C raises `KeyboardInterrupt` after whole rows are written; `resume=True` goes on with them. If
    such a call has completed the output already, `resume=True` does nothing, warns, and returns `None`; an output of another call, or of one
    without `resume=True`, is an error.

    - `threads`: without it, all cores that this process may use.
    - `progress`: a bar of tqdm if that is installed, else a line on standard error.
    - `distance`: How far away: the clues that go and those that come, each from 0 to 3, such as -1+1 or {-2+1}
    - `minimal`: Only those that are minimal: no clue can be left out
    - `limit_per_puzzle`: So many of each puzzle at most: the first, nearer ones before others
    - `input_format`: Read the input in this format instead of finding out; lines and sdm then always have the columns label and comment
    - `delimiter`: The byte between columns instead of the one found: a character, or `tab`
    - `puzzle_column`: The puzzle's column, or member of JSON objects, by its name or its number from 1
    - `solution_column`: The expected solution's column or member, by its name or its number from 1
    - `header`: Whether the first row names the columns, instead of finding out
    - `restore_zeros`: Put back the zeros at the start of puzzles that a spreadsheet took for numbers: fewer than 81 digits become a
      puzzle
    - `skip`: Leave out the first rows
    - `limit`: Stop after that many rows, such as 20000 or 20k
    - `output_format`: The output's format, whatever the output's name says [default: as that says, else csv]
    - `only`: Write only the rows that meet this condition: statuses such as unique,multiple (`mismatch`: unlike the expected solution),
      or NAME=VALUES on a column, such as clues=17..20 or difficulty=depth2,depth3. NAME!=VALUES is the opposite, input.NAME a column of
      the input. Of several, all must hold
    - `order_by`: Order the rows by a column of the verb or of the input (input.NAME), or by several, separated by commas; -NAME is
      descending. Numbers compare as numbers, words in the order of the column's description; rows without a value come last, and equal
      rows stay in their order
    - `top`: Write only the first rows in the order of `order_by`
    - `sample`: Write only that many rows, drawn at random from those that `only` keeps; every choice is as likely as any other. They
      stay in the order of the input unless `order_by` is given
    - `seed`: Decides which rows `sample` draws [default: 1]
    - `force`: Replace the output file if it exists, and exports whatever they are
    - `resume`: Continue an interrupted run of the same input and flags, or start one. A run with `resume` leaves FILE.resume.json
      beside its complete output: with it, the same command does nothing and ends with the same exit code, and another command is
      refused
    - `no_sync`: Do not wait for the output file to reach the disk
    - `columns`: The columns to add, in order, separated by commas, or `all` or `none`; they are listed below

    Columns, of which neighbour, clues are added if none are named:

    - `neighbour`: a puzzle with one solution at that distance from the row's; empty where there is none
    - `clues`: its clues
    - `number`: its number among those of the row, from 1
    - `complete`: yes, or no where the row may have more than come out; empty if malformed
    - `status`: unique, multiple, solved, unsolvable, aborted or malformed
    - `note`: why a row is malformed, or what is to be said about the answer
    """
    return _files.run(_files.FinishedFound, "vicinity", locals())


def canonical_file(
    input: Paths,
    output: Path,
    *,
    input_format: str | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: str | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    seed: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    columns: str | Sequence[str] | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> _files.Finished | None:
    """Add the canonical form of each puzzle: equal for puzzles that are equivalent, and for those alone.

    `output` is written as `OUTPUT.partial`, and has its name once it is complete. Memory stays small whatever the size. Malformed rows
    are rows of the output and no error. Ctrl-C raises `KeyboardInterrupt` after whole rows are written; `resume=True` goes on with them. If
    such a call has completed the output already, `resume=True` does nothing, warns, and returns `None`; an output of another call, or of one
    without `resume=True`, is an error.

    - `threads`: without it, all cores that this process may use.
    - `progress`: a bar of tqdm if that is installed, else a line on standard error.
    - `input_format`: Read the input in this format instead of finding out; lines and sdm then always have the columns label and comment
    - `delimiter`: The byte between columns instead of the one found: a character, or `tab`
    - `puzzle_column`: The puzzle's column, or member of JSON objects, by its name or its number from 1
    - `solution_column`: The expected solution's column or member, by its name or its number from 1
    - `header`: Whether the first row names the columns, instead of finding out
    - `restore_zeros`: Put back the zeros at the start of puzzles that a spreadsheet took for numbers: fewer than 81 digits become a
      puzzle
    - `skip`: Leave out the first rows
    - `limit`: Stop after that many rows, such as 20000 or 20k
    - `output_format`: The output's format, whatever the output's name says [default: as that says, else csv]
    - `only`: Write only the rows that meet this condition: statuses such as unique,multiple (`mismatch`: unlike the expected solution),
      or NAME=VALUES on a column, such as clues=17..20 or difficulty=depth2,depth3. NAME!=VALUES is the opposite, input.NAME a column of
      the input. Of several, all must hold
    - `order_by`: Order the rows by a column of the verb or of the input (input.NAME), or by several, separated by commas; -NAME is
      descending. Numbers compare as numbers, words in the order of the column's description; rows without a value come last, and equal
      rows stay in their order
    - `top`: Write only the first rows in the order of `order_by`
    - `sample`: Write only that many rows, drawn at random from those that `only` keeps; every choice is as likely as any other. They
      stay in the order of the input unless `order_by` is given
    - `seed`: Decides which rows `sample` draws [default: 1]
    - `force`: Replace the output file if it exists, and exports whatever they are
    - `resume`: Continue an interrupted run of the same input and flags, or start one. A run with `resume` leaves FILE.resume.json
      beside its complete output: with it, the same command does nothing and ends with the same exit code, and another command is
      refused
    - `no_sync`: Do not wait for the output file to reach the disk
    - `columns`: The columns to add, in order, separated by commas, or `all` or `none`; they are listed below

    Columns, of which canonical are added if none are named:

    - `canonical`: the smallest of all equivalent forms, a blank before all digits
    - `transform`: what takes the puzzle to that form, as `transform `apply` reads it
    - `automorphisms`: in how many ways the puzzle is equivalent to itself; 1 for most
    - `canonical_solution`: the canonical form of the solution; empty where there is not exactly one
    - `note`: why a row is malformed, or what is to be said about the answer
    """
    return _files.run(_files.Finished, "canonical", locals())


def transform_file(
    input: Paths,
    output: Path,
    *,
    random: int | None = None,
    seed: int = 1,
    apply: str | None = None,
    to: str | None = None,
    board: str = "puzzle",
    input_format: str | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: str | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    columns: str | Sequence[str] | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> _files.Finished | None:
    """Take puzzles, and all other boards of their rows, to equivalent forms: random ones, a given one, or the canonical one.

    `output` is written as `OUTPUT.partial`, and has its name once it is complete. Memory stays small whatever the size. Malformed rows
    are rows of the output and no error. Ctrl-C raises `KeyboardInterrupt` after whole rows are written; `resume=True` goes on with them. If
    such a call has completed the output already, `resume=True` does nothing, warns, and returns `None`; an output of another call, or of one
    without `resume=True`, is an error.

    - `threads`: without it, all cores that this process may use.
    - `progress`: a bar of tqdm if that is installed, else a line on standard error.
    - `random`: Write that many random forms of each row in its place, one behind the other, instead of the row itself
    - `seed`: Decides, with the puzzle and the number of the form, which forms are drawn
    - `apply`: Take each row to the form that this leads to, such as tr123456789c123456789d912345678 (see below)
    - `to`: Take each row to a form of its own: canonical, the smallest of all forms of its puzzle
    - `board`: The board that an output without columns (lines, npy, boj2580, boj2239) holds: the puzzle, or the expected solution in
      the same form
    - `input_format`: Read the input in this format instead of finding out; lines and sdm then always have the columns label and comment
    - `delimiter`: The byte between columns instead of the one found: a character, or `tab`
    - `puzzle_column`: The puzzle's column, or member of JSON objects, by its name or its number from 1
    - `solution_column`: The expected solution's column or member, by its name or its number from 1
    - `header`: Whether the first row names the columns, instead of finding out
    - `restore_zeros`: Put back the zeros at the start of puzzles that a spreadsheet took for numbers: fewer than 81 digits become a
      puzzle
    - `skip`: Leave out the first rows
    - `limit`: Stop after that many rows, such as 20000 or 20k
    - `output_format`: The output's format, whatever the output's name says [default: as that says, else csv]
    - `only`: Write only the rows that meet this condition: statuses such as unique,multiple (`mismatch`: unlike the expected solution),
      or NAME=VALUES on a column, such as clues=17..20 or difficulty=depth2,depth3. NAME!=VALUES is the opposite, input.NAME a column of
      the input. Of several, all must hold
    - `order_by`: Order the rows by a column of the verb or of the input (input.NAME), or by several, separated by commas; -NAME is
      descending. Numbers compare as numbers, words in the order of the column's description; rows without a value come last, and equal
      rows stay in their order
    - `top`: Write only the first rows in the order of `order_by`
    - `sample`: Write only that many rows, drawn at random from those that `only` keeps; every choice is as likely as any other. They
      stay in the order of the input unless `order_by` is given
    - `force`: Replace the output file if it exists, and exports whatever they are
    - `resume`: Continue an interrupted run of the same input and flags, or start one. A run with `resume` leaves FILE.resume.json
      beside its complete output: with it, the same command does nothing and ends with the same exit code, and another command is
      refused
    - `no_sync`: Do not wait for the output file to reach the disk
    - `columns`: The columns to add, in order, separated by commas, or `all` or `none`; they are listed below

    Columns, of which transform are added if none are named:

    - `transform`: what took the row's boards to this form, as `apply` reads it
    """
    return _files.run(_files.Finished, "transform", locals())


def dedupe_file(
    input: Paths,
    output: Path,
    *,
    isomorph: bool = False,
    part: str | None = None,
    input_format: str | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: str | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    seed: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    columns: str | Sequence[str] | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> _files.FinishedDedupe | None:
    """Keep the first of all equal puzzles, or with --isomorph of all isomorphic ones, and count how often each stands there.

    `output` is written as `OUTPUT.partial`, and has its name once it is complete. Memory stays small whatever the size. Malformed rows
    are rows of the output and no error. Ctrl-C raises `KeyboardInterrupt` after whole rows are written; `resume=True` goes on with them. If
    such a call has completed the output already, `resume=True` does nothing, warns, and returns `None`; an output of another call, or of one
    without `resume=True`, is an error.

    - `threads`: without it, all cores that this process may use.
    - `progress`: a bar of tqdm if that is installed, else a line on standard error.
    - `isomorph`: Take puzzles for the same that rows, columns, bands, stacks, a transposition and new names for the digits make of each
      other; else those whose 81 cells are equal, however blanks are written
    - `part`: Look at one of several parts of all different puzzles, such as 3/16, in that part of the memory (see below)
    - `input_format`: Read the input in this format instead of finding out; lines and sdm then always have the columns label and comment
    - `delimiter`: The byte between columns instead of the one found: a character, or `tab`
    - `puzzle_column`: The puzzle's column, or member of JSON objects, by its name or its number from 1
    - `solution_column`: The expected solution's column or member, by its name or its number from 1
    - `header`: Whether the first row names the columns, instead of finding out
    - `restore_zeros`: Put back the zeros at the start of puzzles that a spreadsheet took for numbers: fewer than 81 digits become a
      puzzle
    - `skip`: Leave out the first rows
    - `limit`: Stop after that many rows, such as 20000 or 20k
    - `output_format`: The output's format, whatever the output's name says [default: as that says, else csv]
    - `only`: Write only the rows that meet this condition: statuses such as unique,multiple (`mismatch`: unlike the expected solution),
      or NAME=VALUES on a column, such as clues=17..20 or difficulty=depth2,depth3. NAME!=VALUES is the opposite, input.NAME a column of
      the input. Of several, all must hold
    - `order_by`: Order the rows by a column of the verb or of the input (input.NAME), or by several, separated by commas; -NAME is
      descending. Numbers compare as numbers, words in the order of the column's description; rows without a value come last, and equal
      rows stay in their order
    - `top`: Write only the first rows in the order of `order_by`
    - `sample`: Write only that many rows, drawn at random from those that `only` keeps; every choice is as likely as any other. They
      stay in the order of the input unless `order_by` is given
    - `seed`: Decides which rows `sample` draws [default: 1]
    - `force`: Replace the output file if it exists, and exports whatever they are
    - `resume`: Continue an interrupted run of the same input and flags, or start one. A run with `resume` leaves FILE.resume.json
      beside its complete output: with it, the same command does nothing and ends with the same exit code, and another command is
      refused
    - `no_sync`: Do not wait for the output file to reach the disk
    - `columns`: The columns to add, in order, separated by commas, or `all` or `none`; they are listed below

    Columns, of which count are added if none are named:

    - `count`: in how many rows the puzzle stands, or with `isomorph` its class; empty if malformed
    - `canonical`: the smallest of all equivalent forms, a blank before all digits
    - `note`: why a row is malformed, or what is to be said about the answer
    """
    return _files.run(_files.FinishedDedupe, "dedupe", locals())


def rate_file(
    input: Paths,
    output: Path,
    *,
    stratify: int | None = None,
    isomorphs: int = 10,
    seed: int = 1,
    input_format: str | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: str | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    columns: str | Sequence[str] | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> _files.FinishedRate | None:
    """Tell how hard each puzzle is: what solves it, the depth of trial and error, backdoors, guesses; or draw rows of each difficulty.

    `output` is written as `OUTPUT.partial`, and has its name once it is complete. Memory stays small whatever the size. Malformed rows
    are rows of the output and no error. Ctrl-C raises `KeyboardInterrupt` after whole rows are written; `resume=True` goes on with them. If
    such a call has completed the output already, `resume=True` does nothing, warns, and returns `None`; an output of another call, or of one
    without `resume=True`, is an error.

    - `threads`: without it, all cores that this process may use.
    - `progress`: a bar of tqdm if that is installed, else a line on standard error.
    - `stratify`: Write that many rows of each difficulty, drawn evenly, instead of all rows; all of a difficulty that has fewer (see
      below)
    - `isomorphs`: The random forms of each puzzle over which the column guesses is the mean
    - `seed`: Decides which forms, and which rows `stratify` draws
    - `input_format`: Read the input in this format instead of finding out; lines and sdm then always have the columns label and comment
    - `delimiter`: The byte between columns instead of the one found: a character, or `tab`
    - `puzzle_column`: The puzzle's column, or member of JSON objects, by its name or its number from 1
    - `solution_column`: The expected solution's column or member, by its name or its number from 1
    - `header`: Whether the first row names the columns, instead of finding out
    - `restore_zeros`: Put back the zeros at the start of puzzles that a spreadsheet took for numbers: fewer than 81 digits become a
      puzzle
    - `skip`: Leave out the first rows
    - `limit`: Stop after that many rows, such as 20000 or 20k
    - `output_format`: The output's format, whatever the output's name says [default: as that says, else csv]
    - `only`: Write only the rows that meet this condition: statuses such as unique,multiple (`mismatch`: unlike the expected solution),
      or NAME=VALUES on a column, such as clues=17..20 or difficulty=depth2,depth3. NAME!=VALUES is the opposite, input.NAME a column of
      the input. Of several, all must hold
    - `order_by`: Order the rows by a column of the verb or of the input (input.NAME), or by several, separated by commas; -NAME is
      descending. Numbers compare as numbers, words in the order of the column's description; rows without a value come last, and equal
      rows stay in their order
    - `top`: Write only the first rows in the order of `order_by`
    - `sample`: Write only that many rows, drawn at random from those that `only` keeps; every choice is as likely as any other. They
      stay in the order of the input unless `order_by` is given
    - `force`: Replace the output file if it exists, and exports whatever they are
    - `resume`: Continue an interrupted run of the same input and flags, or start one. A run with `resume` leaves FILE.resume.json
      beside its complete output: with it, the same command does nothing and ends with the same exit code, and another command is
      refused
    - `no_sync`: Do not wait for the output file to reach the disk
    - `columns`: The columns to add, in order, separated by commas, or `all` or `none`; they are listed below

    Columns, of which difficulty are added if none are named:

    - `difficulty`: the least that solves it: singles, locked, pairs, depth1, depth2, depth3
    - `singles`: yes or no: whether naked and hidden singles solve it
    - `locked`: the same with locked candidates: pointing and claiming
    - `pairs`: the same with naked and hidden pairs too
    - `depth`: the depth of trial and error over singles that solves it: 0, 1, 2; 3 where that is not enough
    - `backdoor`: the fewest blanks that, filled rightly, let singles solve it: 0, 1, 2; 3 where that is not enough
    - `guesses`: guesses of the solver mrv: the mean over random forms (`isomorphs`, `seed`)
    - `rounds`: rounds of singles: all naked ones at once, or where there is none all hidden ones
    - `naked_singles`: blanks that these rounds fill as naked singles
    - `hidden_singles`: blanks that they fill as hidden singles
    - `fewest_choices`: the fewest blanks that a round before the last fills; 0 where singles do not solve the puzzle
    - `status`: unique, multiple, solved, unsolvable, aborted or malformed
    - `note`: why a row is malformed, or what is to be said about the answer
    """
    return _files.run(_files.FinishedRate, "rate", locals())


def generate_file(
    output: Path,
    count: int,
    *,
    seed: int = 1,
    skip: int = 0,
    clues: int | tuple[int, int] | str | None = None,
    minimal: bool = False,
    symmetry: str = "none",
    pattern: str | None = None,
    difficulty: str | Sequence[str] | None = None,
    solutions: int | tuple[int, int] | str | None = None,
    unsolvable: bool = False,
    method: str = "top-down",
    attempts: int = 100000,
    board: str = "puzzle",
    hardest: str | None = None,
    steps: int = 200,
    max_nodes: int = 1000000,
    max_solutions: int = 2,
    output_format: str | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    columns: str | Sequence[str] | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> _files.Finished | None:
    """Make puzzles: with so many clues, minimal, symmetric, so difficult, with several solutions or none, hard for a solver.

    `output` is written as `OUTPUT.partial`, and has its name once it is complete. Memory stays small whatever the size. Malformed rows
    are rows of the output and no error. Ctrl-C raises `KeyboardInterrupt` after whole rows are written; `resume=True` goes on with them. If
    such a call has completed the output already, `resume=True` does nothing, warns, and returns `None`; an output of another call, or of one
    without `resume=True`, is an error.

    - `threads`: without it, all cores that this process may use.
    - `progress`: a bar of tqdm if that is installed, else a line on standard error.
    - `count`: How many puzzles to make, such as 20000 or 20k
    - `seed`: Decides, with the number of the puzzle and what is asked for, which puzzle that is
    - `skip`: Leave out the first puzzles of the seed
    - `clues`: How many clues: a number, or a range with both ends such as 22..30
    - `minimal`: Puzzles without a redundant clue; that they are without `clues` and `symmetry` in any case
    - `symmetry`: How the cells with clues lie
    - `pattern`: Where clues stand: 81 characters, x, # or a digit for a clue, . 0 _ or - for none; with `clues` or `minimal` in some of
      these cells
    - `difficulty`: What it takes to solve them, separated by commas: singles, locked, pairs, depth1, depth2, depth3
    - `solutions`: How many solutions, instead of one: a number, or a range with both ends such as 2..1000
    - `unsolvable`: Puzzles without a solution which do not give that away: no two equal clues see each other, each blank has a
      candidate, and each digit a place in each row, column and box
    - `method`: How they are made
    - `attempts`: How often each puzzle is tried before the run ends because it was not found
    - `board`: The board that an output without columns (lines, npy, boj2580, boj2239) holds
    - `hardest`: Climb, from each puzzle, to ones that take this solver more and more nodes; `sudobench solvers` lists them
    - `steps`: Puzzles that a climb tries, one after the other
    - `max_nodes`: The most nodes that a puzzle may take: a climb stays below, and so does its time
    - `max_solutions`: Count the solver's nodes up to the first solution (1), or until it is proved to be the only one (2)
    - `output_format`: The output's format, whatever the output's name says [default: as that says, else csv]
    - `only`: Write only the rows that meet this condition: statuses such as unique,multiple (`mismatch`: unlike the expected solution),
      or NAME=VALUES on a column, such as clues=17..20 or difficulty=depth2,depth3. NAME!=VALUES is the opposite, input.NAME a column of
      the input. Of several, all must hold
    - `order_by`: Order the rows by a column of the verb or of the input (input.NAME), or by several, separated by commas; -NAME is
      descending. Numbers compare as numbers, words in the order of the column's description; rows without a value come last, and equal
      rows stay in their order
    - `top`: Write only the first rows in the order of `order_by`
    - `sample`: Write only that many rows, drawn at random from those that `only` keeps; every choice is as likely as any other. They
      stay in the order of the input unless `order_by` is given
    - `force`: Replace the output file if it exists, and exports whatever they are
    - `resume`: Continue an interrupted run of the same input and flags, or start one. A run with `resume` leaves FILE.resume.json
      beside its complete output: with it, the same command does nothing and ends with the same exit code, and another command is
      refused
    - `no_sync`: Do not wait for the output file to reach the disk
    - `columns`: The columns to add, in order, separated by commas, or `all` or `none`; they are listed below

    Columns, of which solution are added if none are named:

    - `solution`: 81 digits; of several solutions the smallest
    - `clues`: clues of the puzzle
    - `status`: unique, multiple, solved, unsolvable, aborted or malformed
    - `count`: solutions; with `hardest` no more than are asked for
    - `weight`: what the puzzle counts for in a mean over all minimal puzzles; empty where the method cannot say
    - `difficulty`: the least that solves it: singles, locked, pairs, depth1, depth2, depth3
    - `depth`: the depth of trial and error over singles that solves it: 0, 1, 2; 3 where that is not enough
    - `backdoor`: the fewest blanks that, filled rightly, let singles solve it: 0, 1, 2; 3 where that is not enough
    """
    return _files.run(_files.Finished, "generate", locals())


def overlap_file(
    train: Paths,
    test: Paths,
    output: Path | None = None,
    *,
    by: str | Sequence[str] | None = None,
    keep: str = "overlapping",
    input_format: str | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    top: int | None = None,
    seed: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: str | None = None,
    columns: str | Sequence[str] | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    sample: int | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> _files.FinishedOverlap | None:
    """Tell which rows of a test set a training set has: the same puzzles, forms of them, the same solution grids.

    `output` is written as `OUTPUT.partial`, and has its name once it is complete. Memory stays small whatever the size. Malformed rows
    are rows of the output and no error. Ctrl-C raises `KeyboardInterrupt` after whole rows are written; `resume=True` goes on with them. If
    such a call has completed the output already, `resume=True` does nothing, warns, and returns `None`; an output of another call, or of one
    without `resume=True`, is an error.

    - `threads`: without it, all cores that this process may use.
    - `progress`: a bar of tqdm if that is installed, else a line on standard error.
    - `by`: The kinds of overlap to look for, separated by commas: text, isomorph, solution, solution_isomorph. Puzzles are solved for
      the last two alone [default: text,isomorph,solution,solution_isomorph]
    - `keep`: The rows of TEST to write
    - `input_format`: Read the input in this format instead of finding out; lines and sdm then always have the columns label and comment
    - `delimiter`: The byte between columns instead of the one found: a character, or `tab`
    - `puzzle_column`: The puzzle's column, or member of JSON objects, by its name or its number from 1
    - `solution_column`: The expected solution's column or member, by its name or its number from 1
    - `header`: Whether the first row names the columns, instead of finding out
    - `restore_zeros`: Put back the zeros at the start of puzzles that a spreadsheet took for numbers: fewer than 81 digits become a
      puzzle
    - `top`: Write only the first rows in the order of `order_by`
    - `seed`: Decides which rows `sample` draws [default: 1]
    - `force`: Replace the output file if it exists, and exports whatever they are
    - `resume`: Continue an interrupted run of the same input and flags, or start one. A run with `resume` leaves FILE.resume.json
      beside its complete output: with it, the same command does nothing and ends with the same exit code, and another command is
      refused
    - `no_sync`: Do not wait for the output file to reach the disk
    - `skip`: Leave out the first rows of TEST; those of TRAIN are all read
    - `limit`: Stop after that many rows of TEST
    - `output_format`: The output's format, whatever the output's name says [default: as that says, else csv]
    - `columns`: The columns to add, in order, separated by commas, or `all` or `none`; they are listed below
    - `only`: Write only the rows that meet this condition: statuses such as unique,multiple (`mismatch`: unlike the expected solution),
      or NAME=VALUES on a column, such as clues=17..20 or difficulty=depth2,depth3. NAME!=VALUES is the opposite, input.NAME a column of
      the input. Of several, all must hold
    - `order_by`: Order the rows by a column of the verb or of the input (input.NAME), or by several, separated by commas; -NAME is
      descending. Numbers compare as numbers, words in the order of the column's description; rows without a value come last, and equal
      rows stay in their order
    - `sample`: Write only that many rows, drawn at random from those that `only` keeps; every choice is as likely as any other. They
      stay in the order of the input unless `order_by` is given

    Columns, of which overlap, train_input, train_line are added if none are named:

    - `overlap`: text, isomorph, solution or solution_isomorph: the first that is true; empty where none is
    - `train_input`: the number of the file of TRAIN with the first row that overlaps so, from 1
    - `train_line`: the line there, or the row of a table or an array
    """
    return _files.run(_files.FinishedOverlap, "overlap", locals())


def convert_file(
    input: Paths,
    output: Path,
    *,
    input_format: str | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: str | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    seed: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    threads: int | None = None,
    progress: bool = False,
) -> _files.Finished | None:
    """Convert puzzles to another format: every row and every column stays, and nothing is solved.

    `output` is written as `OUTPUT.partial`, and has its name once it is complete. Memory stays small whatever the size. Malformed rows
    are rows of the output and no error. Ctrl-C raises `KeyboardInterrupt` after whole rows are written; `resume=True` goes on with them. If
    such a call has completed the output already, `resume=True` does nothing, warns, and returns `None`; an output of another call, or of one
    without `resume=True`, is an error.

    - `threads`: without it, all cores that this process may use.
    - `progress`: a bar of tqdm if that is installed, else a line on standard error.
    - `input_format`: Read the input in this format instead of finding out; lines and sdm then always have the columns label and comment
    - `delimiter`: The byte between columns instead of the one found: a character, or `tab`
    - `puzzle_column`: The puzzle's column, or member of JSON objects, by its name or its number from 1
    - `solution_column`: The expected solution's column or member, by its name or its number from 1
    - `header`: Whether the first row names the columns, instead of finding out
    - `restore_zeros`: Put back the zeros at the start of puzzles that a spreadsheet took for numbers: fewer than 81 digits become a
      puzzle
    - `skip`: Leave out the first rows
    - `limit`: Stop after that many rows, such as 20000 or 20k
    - `output_format`: The output's format, whatever the output's name says [default: as that says, else csv]
    - `only`: Write only the rows that meet this condition: statuses such as unique,multiple (`mismatch`: unlike the expected solution),
      or NAME=VALUES on a column, such as clues=17..20 or difficulty=depth2,depth3. NAME!=VALUES is the opposite, input.NAME a column of
      the input. Of several, all must hold
    - `order_by`: Order the rows by a column of the verb or of the input (input.NAME), or by several, separated by commas; -NAME is
      descending. Numbers compare as numbers, words in the order of the column's description; rows without a value come last, and equal
      rows stay in their order
    - `top`: Write only the first rows in the order of `order_by`
    - `sample`: Write only that many rows, drawn at random from those that `only` keeps; every choice is as likely as any other. They
      stay in the order of the input unless `order_by` is given
    - `seed`: Decides which rows `sample` draws [default: 1]
    - `force`: Replace the output file if it exists, and exports whatever they are
    - `resume`: Continue an interrupted run of the same input and flags, or start one. A run with `resume` leaves FILE.resume.json
      beside its complete output: with it, the same command does nothing and ends with the same exit code, and another command is
      refused
    - `no_sync`: Do not wait for the output file to reach the disk
    """
    return _files.run(_files.Finished, "convert", locals())
