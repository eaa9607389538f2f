"""Functions that run the verbs of the command on files. Generated from the options of the command by tests/cli/python_functions.rs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from . import _files
from ._files import Path, Paths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._progress import OnProgress


def solve_file(
    input: Paths,
    output: Path,
    *,
    solver: Literal["auto", "bitboard", "bitslice", "mrv", "blank-scan", "bool-table", "cell-scan", "candidate-list", "bitmask", "dlx"] = "auto",
    max_solutions: int | None = None,
    max_nodes: int | None = None,
    max_time_per_puzzle: float | str | None = None,
    input_format: Literal["csv", "jsonl", "lines", "sdm", "sdk", "grid", "boj2580", "boj2239", "npy", "parquet", "arrow"] | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: Literal["csv", "jsonl", "lines", "boj2580", "boj2239", "grid", "npy", "parquet", "arrow"] | None = None,
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
    progress: bool | OnProgress = False,
) -> _files.Finished | None:
    """Solve puzzles, write a row for each, and report the times.

    Rows are written to `OUTPUT.partial`. When this file is complete, it is renamed to `output`. Memory use does not
    depend on the size of the input, except in `dedupe_file`, `overlap_file`, `score_file` with `pass_at` and `split_file` with
    `stratify`. Malformed rows raise no error. They stay in the output, unless an option that chooses rows, such as `only`, leaves them
    out.

    Ctrl-C raises `KeyboardInterrupt`. Finished rows may stay in `OUTPUT.partial`; the message of the exception then says whether the same
    call with `resume=True` continues after them. If a call with the same arguments and `resume=True` has already completed the output,
    nothing is done: the function warns and returns `None`. If a call with other arguments wrote the output, or a call without
    `resume=True` completed it, `resume=True` is an error.

    - `threads`: by default, all cores that this process may use.
    - `progress`: `True` shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a function, which
      gets the number of finished rows and the finished share of the work (`None` if not known).
    - `solver`: Solver to use; `sudobench solvers` lists them
    - `max_solutions`: Stop at this many solutions of a puzzle: 1 finds one solution, 2 shows whether it is the only one, a larger
      number counts the solutions [default: 2; 1 with `budgets` boj2580 or boj2239]
    - `max_nodes`: Give up a puzzle after this many search nodes. A node is the placement of a digit. For the vector solvers (auto,
      bitslice, bitboard), a node is an alternative that the search tries.
    - `max_time_per_puzzle`: Give up a puzzle after this time, such as 1172ms
    - `input_format`: Format of the input [default: detected from the content]. With `lines` or `sdm`, the rows always have the columns
      `label` (the text before the puzzle) and `comment` (the text after it).
    - `delimiter`: Character between the columns: one character, or `tab` [default: detected]
    - `puzzle_column`: Column (or JSON member) with the puzzles: its name, or its number from 1 [default: detected]
    - `solution_column`: Column (or JSON member) with the expected solutions: its name, or its number from 1 [default: detected]
    - `header`: Whether the first row has the names of the columns [default: detected]
    - `restore_zeros`: Restore the zeros that a spreadsheet has removed from the start of puzzles. A text of 40 to 80 digits that
      contains a 0, but does not start with a 0, then becomes a puzzle: zeros are added at its start until it has 81 digits.
    - `skip`: Skip this many rows at the start, counted over all inputs
    - `limit`: Stop after this many rows
    - `output_format`: Format of the output [default: from the extension of the output, otherwise csv]
    - `only`: Write only the rows that meet this condition, such as unique,multiple or clues=17..20. Repeatable. A condition is a list
      of statuses: a row must have one of them. In this list, `mismatch` means match=no: the answer differs from the expected solution.
      A condition can also be NAME=VALUES for a column, such as difficulty=depth2,depth3: the row must have one of the values.
      NAME!=VALUES means the opposite, and input.NAME is a column of the input. If there are several conditions, a row must meet all of
      them.
    - `order_by`: Sort the rows by these columns; write -NAME for descending order. NAME is a column that can be added, and input.NAME
      is a column of the input. Separate several names with commas. Numbers are sorted as numbers. The values of a column with a fixed
      list of values, such as difficulty, are sorted in the order of this list. Rows without a value come last, and equal rows keep
      their order.
    - `top`: Write only the first N rows in the order of `order_by`
    - `sample`: Write only N rows, drawn at random from the rows that `only` keeps. Every choice of N rows is equally likely. The rows
      keep the order of the input, unless there is `order_by`.
    - `seed`: Seed of the random choice of `sample` [default: 1]
    - `force`: Replace existing files: the output, the partial output of an interrupted run, and all other files that this command
      writes. Without this option, a run replaces only the export files of an earlier run
    - `resume`: Continue an interrupted run with the same input and options; if there is none, start the run. After a complete run with
      `resume`, the file FILE.resume.json stays beside the output. The same command then does nothing and exits with the same code. A
      different command with this output is refused.
    - `no_sync`: Do not wait until the output file is stored on the disk
    - `columns`: Columns to add, in this order, separated by commas; or `all` or `none`. The columns are listed at the end of this text.
    - `answer`: which of several solutions is reported: the smallest (read as a number of 81 digits), or the first that is found. By
      default the smallest, or the first with `max_solutions=1`

    Available columns (default: solution, status):

    - `solution`: 81 digits: the smallest solution; if the search stops at one solution, the first found (with `budgets` boj2239 still
      the smallest)
    - `status`: unique, solved (one found, others not searched), multiple, unsolvable, aborted or malformed
    - `count`: number of solutions found, up to `max_solutions`
    - `clues`: number of clues of the puzzle
    - `nodes`: number of search nodes: digits that the solver placed; for auto, bitslice and bitboard, alternatives that it tried
    - `guesses`: number of guesses: decisions between several alternatives
    - `time_ns`: nanoseconds from entering the solver to the answer
    - `match`: yes or no: whether the answer is the expected solution or, if any solution is allowed (`max_solutions` 1), any correct
      one; empty if none is expected or the solver gave up
    - `note`: why the row is malformed, or a remark about the answer
    """
    return _files.run(_files.Finished, "solve", locals())


def check_file(
    input: Paths,
    output: Path,
    *,
    max_solutions: int = 2,
    input_format: Literal["csv", "jsonl", "lines", "sdm", "sdk", "grid", "boj2580", "boj2239", "npy", "parquet", "arrow"] | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: Literal["csv", "jsonl", "lines", "boj2580", "boj2239", "grid", "npy", "parquet", "arrow"] | None = None,
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
    progress: bool | OnProgress = False,
) -> _files.Finished | None:
    """Check whether puzzles have one solution and no redundant clues.

    Rows are written to `OUTPUT.partial`. When this file is complete, it is renamed to `output`. Memory use does not
    depend on the size of the input, except in `dedupe_file`, `overlap_file`, `score_file` with `pass_at` and `split_file` with
    `stratify`. Malformed rows raise no error. They stay in the output, unless an option that chooses rows, such as `only`, leaves them
    out.

    Ctrl-C raises `KeyboardInterrupt`. Finished rows may stay in `OUTPUT.partial`; the message of the exception then says whether the same
    call with `resume=True` continues after them. If a call with the same arguments and `resume=True` has already completed the output,
    nothing is done: the function warns and returns `None`. If a call with other arguments wrote the output, or a call without
    `resume=True` completed it, `resume=True` is an error.

    - `threads`: by default, all cores that this process may use.
    - `progress`: `True` shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a function, which
      gets the number of finished rows and the finished share of the work (`None` if not known).
    - `max_solutions`: Count up to N solutions for the column `count`; N must be at least 2
    - `input_format`: Format of the input [default: detected from the content]. With `lines` or `sdm`, the rows always have the columns
      `label` (the text before the puzzle) and `comment` (the text after it).
    - `delimiter`: Character between the columns: one character, or `tab` [default: detected]
    - `puzzle_column`: Column (or JSON member) with the puzzles: its name, or its number from 1 [default: detected]
    - `solution_column`: Column (or JSON member) with the expected solutions: its name, or its number from 1 [default: detected]
    - `header`: Whether the first row has the names of the columns [default: detected]
    - `restore_zeros`: Restore the zeros that a spreadsheet has removed from the start of puzzles. A text of 40 to 80 digits that
      contains a 0, but does not start with a 0, then becomes a puzzle: zeros are added at its start until it has 81 digits.
    - `skip`: Skip this many rows at the start, counted over all inputs
    - `limit`: Stop after this many rows
    - `output_format`: Format of the output [default: from the extension of the output, otherwise csv]
    - `only`: Write only the rows that meet this condition, such as unique,multiple or clues=17..20. Repeatable. A condition is a list
      of statuses: a row must have one of them. In this list, `mismatch` means match=no: the answer differs from the expected solution.
      A condition can also be NAME=VALUES for a column, such as difficulty=depth2,depth3: the row must have one of the values.
      NAME!=VALUES means the opposite, and input.NAME is a column of the input. If there are several conditions, a row must meet all of
      them.
    - `order_by`: Sort the rows by these columns; write -NAME for descending order. NAME is a column that can be added, and input.NAME
      is a column of the input. Separate several names with commas. Numbers are sorted as numbers. The values of a column with a fixed
      list of values, such as difficulty, are sorted in the order of this list. Rows without a value come last, and equal rows keep
      their order.
    - `top`: Write only the first N rows in the order of `order_by`
    - `sample`: Write only N rows, drawn at random from the rows that `only` keeps. Every choice of N rows is equally likely. The rows
      keep the order of the input, unless there is `order_by`.
    - `seed`: Seed of the random choice of `sample` [default: 1]
    - `force`: Replace existing files: the output, the partial output of an interrupted run, and all other files that this command
      writes. Without this option, a run replaces only the export files of an earlier run
    - `resume`: Continue an interrupted run with the same input and options; if there is none, start the run. After a complete run with
      `resume`, the file FILE.resume.json stays beside the output. The same command then does nothing and exits with the same code. A
      different command with this output is refused.
    - `no_sync`: Do not wait until the output file is stored on the disk
    - `columns`: Columns to add, in this order, separated by commas; or `all` or `none`. The columns are listed at the end of this text.

    Available columns (default: status, minimal, redundant):

    - `status`: unique, multiple, unsolvable or malformed
    - `unique`: yes or no: whether there is exactly one solution; empty if malformed
    - `minimal`: yes or no: whether every clue is needed; empty unless unique
    - `redundant`: cells of the redundant clues, such as `r1c2 r3c4`; empty if there are none or the puzzle is not unique
    - `redundant_count`: number of redundant clues; empty unless unique
    - `clues`: number of clues of the puzzle
    - `clue_pattern`: 81 characters: 1 for a clue, 0 for a blank
    - `digit_counts`: nine numbers separated by spaces: how many clues are 1, how many are 2, and so on
    - `count`: number of solutions found, up to `max_solutions`
    - `cnt12095`: number of calls of the backtracker of BOJ 12095, up to 10,000,000
    - `automorphisms`: number of ways in which the puzzle is equivalent to itself; 1 for most puzzles
    - `candidates`: 81 texts separated by spaces, one for each cell: the digit of the cell, or the digits that its row, column and box
      still allow, such as 147; `-` if they allow none
    - `exact_candidates`: 81 texts separated by spaces, one for each cell: the digits that the cell has in the solutions; `-` if there
      is no solution
    - `note`: why the row is malformed, or a remark about the answer
    """
    return _files.run(_files.Finished, "check", locals())


def rate_file(
    input: Paths,
    output: Path,
    *,
    stratify: int | None = None,
    stratify_by: str = "difficulty",
    isomorphs: int = 10,
    seed: int = 1,
    input_format: Literal["csv", "jsonl", "lines", "sdm", "sdk", "grid", "boj2580", "boj2239", "npy", "parquet", "arrow"] | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: Literal["csv", "jsonl", "lines", "boj2580", "boj2239", "grid", "npy", "parquet", "arrow"] | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    columns: str | Sequence[str] | None = None,
    threads: int | None = None,
    progress: bool | OnProgress = False,
) -> _files.FinishedRate | None:
    """Rate how difficult puzzles are: techniques, trial and error, guesses.

    Rows are written to `OUTPUT.partial`. When this file is complete, it is renamed to `output`. Memory use does not
    depend on the size of the input, except in `dedupe_file`, `overlap_file`, `score_file` with `pass_at` and `split_file` with
    `stratify`. Malformed rows raise no error. They stay in the output, unless an option that chooses rows, such as `only`, leaves them
    out.

    Ctrl-C raises `KeyboardInterrupt`. Finished rows may stay in `OUTPUT.partial`; the message of the exception then says whether the same
    call with `resume=True` continues after them. If a call with the same arguments and `resume=True` has already completed the output,
    nothing is done: the function warns and returns `None`. If a call with other arguments wrote the output, or a call without
    `resume=True` completed it, `resume=True` is an error.

    - `threads`: by default, all cores that this process may use.
    - `progress`: `True` shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a function, which
      gets the number of finished rows and the finished share of the work (`None` if not known).
    - `stratify`: Write only N rows of each difficulty, drawn at random. If a difficulty has fewer than N rows, all of them are written.
      `stratify_by` names another column.
    - `stratify_by`: Column whose values `stratify` uses, such as se or clues, instead of the difficulty
    - `isomorphs`: Number of random equivalent forms of each puzzle over which the column `guesses` is averaged
    - `seed`: Seed of the random forms (`isomorphs`), and of the rows that `stratify` or `sample` draws
    - `input_format`: Format of the input [default: detected from the content]. With `lines` or `sdm`, the rows always have the columns
      `label` (the text before the puzzle) and `comment` (the text after it).
    - `delimiter`: Character between the columns: one character, or `tab` [default: detected]
    - `puzzle_column`: Column (or JSON member) with the puzzles: its name, or its number from 1 [default: detected]
    - `solution_column`: Column (or JSON member) with the expected solutions: its name, or its number from 1 [default: detected]
    - `header`: Whether the first row has the names of the columns [default: detected]
    - `restore_zeros`: Restore the zeros that a spreadsheet has removed from the start of puzzles. A text of 40 to 80 digits that
      contains a 0, but does not start with a 0, then becomes a puzzle: zeros are added at its start until it has 81 digits.
    - `skip`: Skip this many rows at the start, counted over all inputs
    - `limit`: Stop after this many rows
    - `output_format`: Format of the output [default: from the extension of the output, otherwise csv]
    - `only`: Write only the rows that meet this condition, such as unique,multiple or clues=17..20. Repeatable. A condition is a list
      of statuses: a row must have one of them. In this list, `mismatch` means match=no: the answer differs from the expected solution.
      A condition can also be NAME=VALUES for a column, such as difficulty=depth2,depth3: the row must have one of the values.
      NAME!=VALUES means the opposite, and input.NAME is a column of the input. If there are several conditions, a row must meet all of
      them.
    - `order_by`: Sort the rows by these columns; write -NAME for descending order. NAME is a column that can be added, and input.NAME
      is a column of the input. Separate several names with commas. Numbers are sorted as numbers. The values of a column with a fixed
      list of values, such as difficulty, are sorted in the order of this list. Rows without a value come last, and equal rows keep
      their order.
    - `top`: Write only the first N rows in the order of `order_by`
    - `sample`: Write only N rows, drawn at random from the rows that `only` keeps. Every choice of N rows is equally likely. The rows
      keep the order of the input, unless there is `order_by`.
    - `force`: Replace existing files: the output, the partial output of an interrupted run, and all other files that this command
      writes. Without this option, a run replaces only the export files of an earlier run
    - `resume`: Continue an interrupted run with the same input and options; if there is none, start the run. After a complete run with
      `resume`, the file FILE.resume.json stays beside the output. The same command then does nothing and exits with the same code. A
      different command with this output is refused.
    - `no_sync`: Do not wait until the output file is stored on the disk
    - `columns`: Columns to add, in this order, separated by commas; or `all` or `none`. The columns are listed at the end of this text.

    Available columns (default: difficulty):

    - `difficulty`: easiest class that solves the puzzle: singles, locked, pairs, depth1, depth2 or depth3
    - `singles`: yes or no: whether naked and hidden singles solve the puzzle
    - `locked`: yes or no: whether singles and locked candidates (pointing, claiming) solve the puzzle
    - `pairs`: yes or no: whether singles, locked candidates, and naked and hidden pairs solve the puzzle
    - `depth`: depth of trial and error that solves the puzzle: 0 (singles alone), 1, 2, or 3 for 3 and more
    - `backdoor`: smallest number of cells to fill correctly so that singles solve the rest: 0, 1, 2, or 3 for 3 and more
    - `guesses`: mean number of guesses of the solver mrv over random equivalent forms (`isomorphs`, `seed`)
    - `rounds`: number of rounds of singles; a round fills all naked singles, or all hidden singles if there are no naked ones
    - `naked_singles`: number of cells that the rounds of singles fill as naked singles
    - `hidden_singles`: number of cells that the rounds of singles fill as hidden singles
    - `fewest_choices`: fewest cells that a round fills; the last round counts only if it is the only one; 0 if singles do not solve the
      puzzle
    - `se`: ER of Sudoku Explainer 1.2.1: rating of the hardest step, such as 2.6; empty if the puzzle needs an unknown technique
    - `se_pearl`: EP of Sudoku Explainer: the highest rating up to the first step that fills a cell
    - `se_diamond`: ED of Sudoku Explainer: the rating of the first step
    - `hardest_technique`: technique of the first step with the highest rating
    - `techniques`: techniques of the steps, each with its number of steps, such as `Hidden Single:52;Pointing:2`, easiest first
    - `steps`: number of steps to the solution
    - `status`: unique, multiple, unsolvable or malformed
    - `note`: why the row is malformed, or a remark about the answer
    """
    return _files.run(_files.FinishedRate, "rate", locals())


def explain_file(
    input: Paths,
    output: Path,
    *,
    max_se: float | str | None = None,
    search: bool = False,
    input_format: Literal["csv", "jsonl", "lines", "sdm", "sdk", "grid", "boj2580", "boj2239", "npy", "parquet", "arrow"] | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: Literal["csv", "jsonl", "lines", "boj2580", "boj2239", "grid", "npy", "parquet", "arrow"] | None = None,
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
    progress: bool | OnProgress = False,
) -> _files.FinishedFound | None:
    """Explain which techniques solve each puzzle, one step per row.

    Rows are written to `OUTPUT.partial`. When this file is complete, it is renamed to `output`. Memory use does not
    depend on the size of the input, except in `dedupe_file`, `overlap_file`, `score_file` with `pass_at` and `split_file` with
    `stratify`. Malformed rows raise no error. They stay in the output, unless an option that chooses rows, such as `only`, leaves them
    out.

    Ctrl-C raises `KeyboardInterrupt`. Finished rows may stay in `OUTPUT.partial`; the message of the exception then says whether the same
    call with `resume=True` continues after them. If a call with the same arguments and `resume=True` has already completed the output,
    nothing is done: the function warns and returns `None`. If a call with other arguments wrote the output, or a call without
    `resume=True` completed it, `resume=True` is an error.

    - `threads`: by default, all cores that this process may use.
    - `progress`: `True` shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a function, which
      gets the number of finished rows and the finished share of the work (`None` if not known).
    - `max_se`: Highest rating of a step, such as 2.3; without `search`, the steps end if no technique up to this rating is found
    - `search`: Guess if no technique is found, and backtrack after a contradiction, so that the steps of each puzzle end with the
      solution
    - `input_format`: Format of the input [default: detected from the content]. With `lines` or `sdm`, the rows always have the columns
      `label` (the text before the puzzle) and `comment` (the text after it).
    - `delimiter`: Character between the columns: one character, or `tab` [default: detected]
    - `puzzle_column`: Column (or JSON member) with the puzzles: its name, or its number from 1 [default: detected]
    - `solution_column`: Column (or JSON member) with the expected solutions: its name, or its number from 1 [default: detected]
    - `header`: Whether the first row has the names of the columns [default: detected]
    - `restore_zeros`: Restore the zeros that a spreadsheet has removed from the start of puzzles. A text of 40 to 80 digits that
      contains a 0, but does not start with a 0, then becomes a puzzle: zeros are added at its start until it has 81 digits.
    - `skip`: Skip this many rows at the start, counted over all inputs
    - `limit`: Stop after this many rows
    - `output_format`: Format of the output [default: from the extension of the output, otherwise csv]
    - `only`: Write only the rows that meet this condition, such as unique,multiple or clues=17..20. Repeatable. A condition is a list
      of statuses: a row must have one of them. In this list, `mismatch` means match=no: the answer differs from the expected solution.
      A condition can also be NAME=VALUES for a column, such as difficulty=depth2,depth3: the row must have one of the values.
      NAME!=VALUES means the opposite, and input.NAME is a column of the input. If there are several conditions, a row must meet all of
      them.
    - `order_by`: Sort the rows by these columns; write -NAME for descending order. NAME is a column that can be added, and input.NAME
      is a column of the input. Separate several names with commas. Numbers are sorted as numbers. The values of a column with a fixed
      list of values, such as difficulty, are sorted in the order of this list. Rows without a value come last, and equal rows keep
      their order.
    - `top`: Write only the first N rows in the order of `order_by`
    - `sample`: Write only N rows, drawn at random from the rows that `only` keeps. Every choice of N rows is equally likely. The rows
      keep the order of the input, unless there is `order_by`.
    - `seed`: Seed of the random choice of `sample` [default: 1]
    - `force`: Replace existing files: the output, the partial output of an interrupted run, and all other files that this command
      writes. Without this option, a run replaces only the export files of an earlier run
    - `resume`: Continue an interrupted run with the same input and options; if there is none, start the run. After a complete run with
      `resume`, the file FILE.resume.json stays beside the output. The same command then does nothing and exits with the same code. A
      different command with this output is refused.
    - `no_sync`: Do not wait until the output file is stored on the disk
    - `columns`: Columns to add, in this order, separated by commas; or `all` or `none`. The columns are listed at the end of this text.

    Available columns (default: number, technique, rating, step):

    - `number`: number of the step, from 1
    - `technique`: technique, such as Naked Pair, Guess or Backtrack
    - `rating`: rating by Sudoku Explainer 1.2.1, such as 3.0; empty for Guess, Backtrack
    - `step`: the step as text, such as `Naked Pair: 3,7 in r4c15 => r4c2<>3`
    - `units`: boxes, rows and columns of the step, such as b1/r2
    - `cells`: cells of the step's pattern, such as r4c15
    - `digits`: digits of the step's pattern, such as 37
    - `chain`: nodes of the step's chains, in order, such as `r1c2=5 -> r1c8<>5`
    - `placement`: cell that the step fills and its digit, such as r4c1=9
    - `eliminations`: candidates that the step eliminates, such as r4c2<>3
    - `changes`: changed cells with their candidates before and after, such as `r1c6:2468>8 r1c9:248>24`
    - `board`: the board before the step, 81 characters
    - `complete`: yes if the steps solve the puzzle, otherwise no; empty if malformed
    - `status`: unique, multiple, unsolvable or malformed
    - `note`: why the row is malformed, or a remark about the answer
    """
    return _files.run(_files.FinishedFound, "explain", locals())


def generate_file(
    output: Path,
    count: int,
    *,
    seed: int = 1,
    skip: int = 0,
    clues: int | tuple[int, int] | str | None = None,
    minimal: bool = False,
    symmetry: Literal["none", "rotational", "rotational90", "horizontal", "vertical", "diagonal", "antidiagonal", "full"] = "none",
    pattern: str | None = None,
    difficulty: str | Sequence[str] | None = None,
    guesses: int | None = None,
    technique: str | Sequence[str] | None = None,
    hardest_technique: str | Sequence[str] | None = None,
    min_se: float | str | None = None,
    max_se: float | str | None = None,
    solutions: int | tuple[int, int] | str | None = None,
    unsolvable: bool = False,
    method: Literal["top-down", "bottom-up", "controlled-bias", "climb", "tridagon"] = "top-down",
    attempts: int | None = None,
    board: Literal["puzzle", "solution"] = "puzzle",
    hardest: Literal["bitboard", "mrv", "blank-scan", "bool-table", "cell-scan", "candidate-list", "bitmask", "dlx"] | None = None,
    steps: int = 200,
    max_nodes: int = 1000000,
    max_solutions: int = 2,
    output_format: Literal["csv", "jsonl", "lines", "boj2580", "boj2239", "grid", "npy", "parquet", "arrow"] | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    columns: str | Sequence[str] | None = None,
    threads: int | None = None,
    progress: bool | OnProgress = False,
) -> _files.Finished | None:
    """Generate puzzles with given clues, symmetry, difficulty or solutions.

    Rows are written to `OUTPUT.partial`. When this file is complete, it is renamed to `output`. Memory use does not
    depend on the size of the input, except in `dedupe_file`, `overlap_file`, `score_file` with `pass_at` and `split_file` with
    `stratify`. Malformed rows raise no error. They stay in the output, unless an option that chooses rows, such as `only`, leaves them
    out.

    Ctrl-C raises `KeyboardInterrupt`. Finished rows may stay in `OUTPUT.partial`; the message of the exception then says whether the same
    call with `resume=True` continues after them. If a call with the same arguments and `resume=True` has already completed the output,
    nothing is done: the function warns and returns `None`. If a call with other arguments wrote the output, or a call without
    `resume=True` completed it, `resume=True` is an error.

    - `threads`: by default, all cores that this process may use.
    - `progress`: `True` shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a function, which
      gets the number of finished rows and the finished share of the work (`None` if not known).
    - `count`: Number of puzzles
    - `seed`: Seed; the same seed and options give the same puzzles
    - `skip`: Skip the first N puzzles of the seed
    - `clues`: Number of clues: a number, or a range such as 22..30
    - `minimal`: Make minimal puzzles: no clue can be removed. If none of `clues`, `symmetry` and `pattern` is given, puzzles with one
      solution are minimal even without this option.
    - `symmetry`: Symmetry of the cells that have clues
    - `pattern`: Cells that have clues: 81 characters, with . 0 _ or - for a blank. x, # or a digit from 1 to 9 stands for a clue. With
      `clues` or `minimal`, some of these cells may be blank.
    - `difficulty`: Allowed difficulties: singles, locked, pairs, depth1, depth2, depth3
    - `guesses`: Lowest allowed number of guesses for each puzzle: the mean over random equivalent forms, as in the column `guesses` of
      `rate`
    - `technique`: Techniques that must all occur, such as swordfish,naked-pair. Each of them must occur in the steps to the solution,
      which `sudobench explain` shows. docs/techniques lists the techniques. Case and all characters except letters and digits are
      ignored: `X-Wing`, `x-wing` and `xwing` are the same.
    - `hardest_technique`: Allowed techniques of the hardest step
    - `min_se`: Lowest allowed rating by Sudoku Explainer (ER), such as 3.0
    - `max_se`: Highest allowed rating by Sudoku Explainer (ER), such as 4.2
    - `solutions`: Number of solutions: a number, or a range such as 2..1000 [default: 1]
    - `unsolvable`: Make puzzles without a solution and without an obvious contradiction. No row, column or box has two equal clues;
      each blank has a candidate, and each digit has a place in each row, column and box.
    - `method`: Method of generation. Speeds on one core: in a second, `climb` finds about 80 puzzles with 20 clues, or 10 with 19
      clues. With `attempts` 10M, it finds one with 18 clues in some seconds. In a second, `tridagon` finds about 100 puzzles of
      difficulty depth2, or 20 puzzles rated 9 or more.
    - `attempts`: Number of attempts for each puzzle before the run gives up [default: 100000, or 100 with `pattern`]
    - `board`: Board to write in formats without columns (lines, boj2580, boj2239, grid and npy)
    - `hardest`: Search for puzzles that are hard for this solver (see `sudobench solvers`). `auto` and `bitslice` are refused, because
      they solve many puzzles together and cannot count the nodes of each.
    - `steps`: Number of steps in the search for each hard puzzle
    - `max_nodes`: Reject puzzles for which the solver needs more search nodes than this. A solver of `hardest` stops at this limit, so
      each step is short. A program of `hardest_engine` does not stop: the number that it prints is compared with the limit.
    - `max_solutions`: Count the nodes until the first solution (1), or until the solution is proved to be unique (2)
    - `output_format`: Format of the output [default: from the extension of the output, otherwise csv]
    - `only`: Write only the rows that meet this condition, such as unique,multiple or clues=17..20. Repeatable. A condition is a list
      of statuses: a row must have one of them. In this list, `mismatch` means match=no: the answer differs from the expected solution.
      A condition can also be NAME=VALUES for a column, such as difficulty=depth2,depth3: the row must have one of the values.
      NAME!=VALUES means the opposite, and input.NAME is a column of the input. If there are several conditions, a row must meet all of
      them.
    - `order_by`: Sort the rows by these columns; write -NAME for descending order. NAME is a column that can be added, and input.NAME
      is a column of the input. Separate several names with commas. Numbers are sorted as numbers. The values of a column with a fixed
      list of values, such as difficulty, are sorted in the order of this list. Rows without a value come last, and equal rows keep
      their order.
    - `top`: Write only the first N rows in the order of `order_by`
    - `sample`: Write only N rows, drawn at random from the rows that `only` keeps. Every choice of N rows is equally likely. The rows
      keep the order of the input, unless there is `order_by`.
    - `force`: Replace existing files: the output, the partial output of an interrupted run, and all other files that this command
      writes. Without this option, a run replaces only the export files of an earlier run
    - `resume`: Continue an interrupted run with the same input and options; if there is none, start the run. After a complete run with
      `resume`, the file FILE.resume.json stays beside the output. The same command then does nothing and exits with the same code. A
      different command with this output is refused.
    - `no_sync`: Do not wait until the output file is stored on the disk
    - `columns`: Columns to add, in this order, separated by commas; or `all` or `none`. The columns are listed at the end of this text.

    Available columns (default: solution):

    - `solution`: 81 digits: the smallest solution; if the search stops at one solution, the first found (with `budgets` boj2239 still
      the smallest)
    - `clues`: number of clues of the puzzle
    - `status`: unique, solved (one found, others not searched), multiple, unsolvable, aborted or malformed
    - `count`: number of solutions; with `hardest` up to `max_solutions`
    - `weight`: weight of the puzzle in a mean over all minimal puzzles; empty if the method does not know it
    - `difficulty`: easiest class that solves the puzzle: singles, locked, pairs, depth1, depth2 or depth3
    - `depth`: depth of trial and error that solves the puzzle: 0 (singles alone), 1, 2, or 3 for 3 and more
    - `backdoor`: smallest number of cells to fill correctly so that singles solve the rest: 0, 1, 2, or 3 for 3 and more
    - `se`: ER of Sudoku Explainer 1.2.1: rating of the hardest step, such as 2.6; empty if the puzzle needs an unknown technique
    - `se_pearl`: EP of Sudoku Explainer: the highest rating up to the first step that fills a cell
    - `se_diamond`: ED of Sudoku Explainer: the rating of the first step
    - `hardest_technique`: technique of the first step with the highest rating
    - `techniques`: techniques of the steps, each with its number of steps, such as `Hidden Single:52;Pointing:2`, easiest first
    - `steps`: number of steps to the solution
    """
    return _files.run(_files.Finished, "generate", locals())


def solutions_file(
    input: Paths,
    output: Path,
    *,
    limit_per_puzzle: int = 1000,
    input_format: Literal["csv", "jsonl", "lines", "sdm", "sdk", "grid", "boj2580", "boj2239", "npy", "parquet", "arrow"] | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: Literal["csv", "jsonl", "lines", "boj2580", "boj2239", "grid", "npy", "parquet", "arrow"] | None = None,
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
    progress: bool | OnProgress = False,
) -> _files.FinishedFound | None:
    """List all solutions of each puzzle, one per row.

    Rows are written to `OUTPUT.partial`. When this file is complete, it is renamed to `output`. Memory use does not
    depend on the size of the input, except in `dedupe_file`, `overlap_file`, `score_file` with `pass_at` and `split_file` with
    `stratify`. Malformed rows raise no error. They stay in the output, unless an option that chooses rows, such as `only`, leaves them
    out.

    Ctrl-C raises `KeyboardInterrupt`. Finished rows may stay in `OUTPUT.partial`; the message of the exception then says whether the same
    call with `resume=True` continues after them. If a call with the same arguments and `resume=True` has already completed the output,
    nothing is done: the function warns and returns `None`. If a call with other arguments wrote the output, or a call without
    `resume=True` completed it, `resume=True` is an error.

    - `threads`: by default, all cores that this process may use.
    - `progress`: `True` shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a function, which
      gets the number of finished rows and the finished share of the work (`None` if not known).
    - `limit_per_puzzle`: Maximum number of solutions to list for each puzzle: the smallest ones, read as numbers of 81 digits
    - `input_format`: Format of the input [default: detected from the content]. With `lines` or `sdm`, the rows always have the columns
      `label` (the text before the puzzle) and `comment` (the text after it).
    - `delimiter`: Character between the columns: one character, or `tab` [default: detected]
    - `puzzle_column`: Column (or JSON member) with the puzzles: its name, or its number from 1 [default: detected]
    - `solution_column`: Column (or JSON member) with the expected solutions: its name, or its number from 1 [default: detected]
    - `header`: Whether the first row has the names of the columns [default: detected]
    - `restore_zeros`: Restore the zeros that a spreadsheet has removed from the start of puzzles. A text of 40 to 80 digits that
      contains a 0, but does not start with a 0, then becomes a puzzle: zeros are added at its start until it has 81 digits.
    - `skip`: Skip this many rows at the start, counted over all inputs
    - `limit`: Stop after this many rows
    - `output_format`: Format of the output [default: from the extension of the output, otherwise csv]
    - `only`: Write only the rows that meet this condition, such as unique,multiple or clues=17..20. Repeatable. A condition is a list
      of statuses: a row must have one of them. In this list, `mismatch` means match=no: the answer differs from the expected solution.
      A condition can also be NAME=VALUES for a column, such as difficulty=depth2,depth3: the row must have one of the values.
      NAME!=VALUES means the opposite, and input.NAME is a column of the input. If there are several conditions, a row must meet all of
      them.
    - `order_by`: Sort the rows by these columns; write -NAME for descending order. NAME is a column that can be added, and input.NAME
      is a column of the input. Separate several names with commas. Numbers are sorted as numbers. The values of a column with a fixed
      list of values, such as difficulty, are sorted in the order of this list. Rows without a value come last, and equal rows keep
      their order.
    - `top`: Write only the first N rows in the order of `order_by`
    - `sample`: Write only N rows, drawn at random from the rows that `only` keeps. Every choice of N rows is equally likely. The rows
      keep the order of the input, unless there is `order_by`.
    - `seed`: Seed of the random choice of `sample` [default: 1]
    - `force`: Replace existing files: the output, the partial output of an interrupted run, and all other files that this command
      writes. Without this option, a run replaces only the export files of an earlier run
    - `resume`: Continue an interrupted run with the same input and options; if there is none, start the run. After a complete run with
      `resume`, the file FILE.resume.json stays beside the output. The same command then does nothing and exits with the same code. A
      different command with this output is refused.
    - `no_sync`: Do not wait until the output file is stored on the disk
    - `columns`: Columns to add, in this order, separated by commas; or `all` or `none`. The columns are listed at the end of this text.

    Available columns (default: solution, number):

    - `solution`: a solution of the row's puzzle, 81 digits; empty if there is none
    - `number`: number of this result among the results of its row, from 1
    - `complete`: no if the row may have more results than were written, otherwise yes; empty if malformed
    - `status`: unique, multiple, unsolvable or malformed
    - `note`: why the row is malformed, or a remark about the answer
    """
    return _files.run(_files.FinishedFound, "solutions", locals())


def minimals_file(
    input: Paths,
    output: Path,
    *,
    limit_per_puzzle: int = 1000,
    random: int | None = None,
    seed: int = 1,
    input_format: Literal["csv", "jsonl", "lines", "sdm", "sdk", "grid", "boj2580", "boj2239", "npy", "parquet", "arrow"] | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: Literal["csv", "jsonl", "lines", "boj2580", "boj2239", "grid", "npy", "parquet", "arrow"] | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    columns: str | Sequence[str] | None = None,
    threads: int | None = None,
    progress: bool | OnProgress = False,
) -> _files.FinishedFound | None:
    """Find the minimal puzzles inside each puzzle, one per output row.

    Rows are written to `OUTPUT.partial`. When this file is complete, it is renamed to `output`. Memory use does not
    depend on the size of the input, except in `dedupe_file`, `overlap_file`, `score_file` with `pass_at` and `split_file` with
    `stratify`. Malformed rows raise no error. They stay in the output, unless an option that chooses rows, such as `only`, leaves them
    out.

    Ctrl-C raises `KeyboardInterrupt`. Finished rows may stay in `OUTPUT.partial`; the message of the exception then says whether the same
    call with `resume=True` continues after them. If a call with the same arguments and `resume=True` has already completed the output,
    nothing is done: the function warns and returns `None`. If a call with other arguments wrote the output, or a call without
    `resume=True` completed it, `resume=True` is an error.

    - `threads`: by default, all cores that this process may use.
    - `progress`: `True` shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a function, which
      gets the number of finished rows and the finished share of the work (`None` if not known).
    - `limit_per_puzzle`: Maximum number of minimal puzzles for each puzzle; the smallest ones are written, in ascending order. Puzzles
      are compared as numbers of 81 digits, where a blank is 0.
    - `random`: Remove clues in N random orders instead of finding the smallest minimal puzzles. If several orders lead to the same
      minimal puzzle, it is written once.
    - `seed`: Seed of the random orders, and of `sample`
    - `input_format`: Format of the input [default: detected from the content]. With `lines` or `sdm`, the rows always have the columns
      `label` (the text before the puzzle) and `comment` (the text after it).
    - `delimiter`: Character between the columns: one character, or `tab` [default: detected]
    - `puzzle_column`: Column (or JSON member) with the puzzles: its name, or its number from 1 [default: detected]
    - `solution_column`: Column (or JSON member) with the expected solutions: its name, or its number from 1 [default: detected]
    - `header`: Whether the first row has the names of the columns [default: detected]
    - `restore_zeros`: Restore the zeros that a spreadsheet has removed from the start of puzzles. A text of 40 to 80 digits that
      contains a 0, but does not start with a 0, then becomes a puzzle: zeros are added at its start until it has 81 digits.
    - `skip`: Skip this many rows at the start, counted over all inputs
    - `limit`: Stop after this many rows
    - `output_format`: Format of the output [default: from the extension of the output, otherwise csv]
    - `only`: Write only the rows that meet this condition, such as unique,multiple or clues=17..20. Repeatable. A condition is a list
      of statuses: a row must have one of them. In this list, `mismatch` means match=no: the answer differs from the expected solution.
      A condition can also be NAME=VALUES for a column, such as difficulty=depth2,depth3: the row must have one of the values.
      NAME!=VALUES means the opposite, and input.NAME is a column of the input. If there are several conditions, a row must meet all of
      them.
    - `order_by`: Sort the rows by these columns; write -NAME for descending order. NAME is a column that can be added, and input.NAME
      is a column of the input. Separate several names with commas. Numbers are sorted as numbers. The values of a column with a fixed
      list of values, such as difficulty, are sorted in the order of this list. Rows without a value come last, and equal rows keep
      their order.
    - `top`: Write only the first N rows in the order of `order_by`
    - `sample`: Write only N rows, drawn at random from the rows that `only` keeps. Every choice of N rows is equally likely. The rows
      keep the order of the input, unless there is `order_by`.
    - `force`: Replace existing files: the output, the partial output of an interrupted run, and all other files that this command
      writes. Without this option, a run replaces only the export files of an earlier run
    - `resume`: Continue an interrupted run with the same input and options; if there is none, start the run. After a complete run with
      `resume`, the file FILE.resume.json stays beside the output. The same command then does nothing and exits with the same code. A
      different command with this output is refused.
    - `no_sync`: Do not wait until the output file is stored on the disk
    - `columns`: Columns to add, in this order, separated by commas; or `all` or `none`. The columns are listed at the end of this text.

    Available columns (default: minimal, clues):

    - `minimal`: a minimal puzzle inside the row's puzzle; empty if the row does not have exactly one solution
    - `clues`: number of clues of the puzzle that was found
    - `number`: number of this result among the results of its row, from 1
    - `complete`: no if the row may have more results than were written, otherwise yes; empty if malformed
    - `status`: unique, multiple, unsolvable or malformed
    - `note`: why the row is malformed, or a remark about the answer
    """
    return _files.run(_files.FinishedFound, "minimals", locals())


def vicinity_file(
    input: Paths,
    output: Path,
    distance: str,
    *,
    minimal: bool = False,
    limit_per_puzzle: int = 10000,
    input_format: Literal["csv", "jsonl", "lines", "sdm", "sdk", "grid", "boj2580", "boj2239", "npy", "parquet", "arrow"] | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: Literal["csv", "jsonl", "lines", "boj2580", "boj2239", "grid", "npy", "parquet", "arrow"] | None = None,
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
    progress: bool | OnProgress = False,
) -> _files.FinishedFound | None:
    """Find similar puzzles: remove some clues and add some others.

    Rows are written to `OUTPUT.partial`. When this file is complete, it is renamed to `output`. Memory use does not
    depend on the size of the input, except in `dedupe_file`, `overlap_file`, `score_file` with `pass_at` and `split_file` with
    `stratify`. Malformed rows raise no error. They stay in the output, unless an option that chooses rows, such as `only`, leaves them
    out.

    Ctrl-C raises `KeyboardInterrupt`. Finished rows may stay in `OUTPUT.partial`; the message of the exception then says whether the same
    call with `resume=True` continues after them. If a call with the same arguments and `resume=True` has already completed the output,
    nothing is done: the function warns and returns `None`. If a call with other arguments wrote the output, or a call without
    `resume=True` completed it, `resume=True` is an error.

    - `threads`: by default, all cores that this process may use.
    - `progress`: `True` shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a function, which
      gets the number of finished rows and the finished share of the work (`None` if not known).
    - `distance`: Numbers of clues to remove and to add, each from 0 to 3 and not both 0, such as -2+1
    - `minimal`: Write only minimal neighbours: if any one of their clues is removed, there are several solutions
    - `limit_per_puzzle`: Maximum number of neighbours for each puzzle; those that lack fewer of its clues come first
    - `input_format`: Format of the input [default: detected from the content]. With `lines` or `sdm`, the rows always have the columns
      `label` (the text before the puzzle) and `comment` (the text after it).
    - `delimiter`: Character between the columns: one character, or `tab` [default: detected]
    - `puzzle_column`: Column (or JSON member) with the puzzles: its name, or its number from 1 [default: detected]
    - `solution_column`: Column (or JSON member) with the expected solutions: its name, or its number from 1 [default: detected]
    - `header`: Whether the first row has the names of the columns [default: detected]
    - `restore_zeros`: Restore the zeros that a spreadsheet has removed from the start of puzzles. A text of 40 to 80 digits that
      contains a 0, but does not start with a 0, then becomes a puzzle: zeros are added at its start until it has 81 digits.
    - `skip`: Skip this many rows at the start, counted over all inputs
    - `limit`: Stop after this many rows
    - `output_format`: Format of the output [default: from the extension of the output, otherwise csv]
    - `only`: Write only the rows that meet this condition, such as unique,multiple or clues=17..20. Repeatable. A condition is a list
      of statuses: a row must have one of them. In this list, `mismatch` means match=no: the answer differs from the expected solution.
      A condition can also be NAME=VALUES for a column, such as difficulty=depth2,depth3: the row must have one of the values.
      NAME!=VALUES means the opposite, and input.NAME is a column of the input. If there are several conditions, a row must meet all of
      them.
    - `order_by`: Sort the rows by these columns; write -NAME for descending order. NAME is a column that can be added, and input.NAME
      is a column of the input. Separate several names with commas. Numbers are sorted as numbers. The values of a column with a fixed
      list of values, such as difficulty, are sorted in the order of this list. Rows without a value come last, and equal rows keep
      their order.
    - `top`: Write only the first N rows in the order of `order_by`
    - `sample`: Write only N rows, drawn at random from the rows that `only` keeps. Every choice of N rows is equally likely. The rows
      keep the order of the input, unless there is `order_by`.
    - `seed`: Seed of the random choice of `sample` [default: 1]
    - `force`: Replace existing files: the output, the partial output of an interrupted run, and all other files that this command
      writes. Without this option, a run replaces only the export files of an earlier run
    - `resume`: Continue an interrupted run with the same input and options; if there is none, start the run. After a complete run with
      `resume`, the file FILE.resume.json stays beside the output. The same command then does nothing and exits with the same code. A
      different command with this output is refused.
    - `no_sync`: Do not wait until the output file is stored on the disk
    - `columns`: Columns to add, in this order, separated by commas; or `all` or `none`. The columns are listed at the end of this text.

    Available columns (default: neighbour, clues):

    - `neighbour`: a neighbour of the row's puzzle; empty if there is none
    - `clues`: number of clues of the puzzle that was found
    - `number`: number of this result among the results of its row, from 1
    - `complete`: no if the row may have more results than were written, otherwise yes; empty if malformed
    - `status`: unique, multiple, unsolvable or malformed
    - `note`: why the row is malformed, or a remark about the answer
    """
    return _files.run(_files.FinishedFound, "vicinity", locals())


def canonical_file(
    input: Paths,
    output: Path,
    *,
    input_format: Literal["csv", "jsonl", "lines", "sdm", "sdk", "grid", "boj2580", "boj2239", "npy", "parquet", "arrow"] | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: Literal["csv", "jsonl", "lines", "boj2580", "boj2239", "grid", "npy", "parquet", "arrow"] | None = None,
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
    progress: bool | OnProgress = False,
) -> _files.Finished | None:
    """Add the canonical form, which is the same for all equivalent puzzles.

    Rows are written to `OUTPUT.partial`. When this file is complete, it is renamed to `output`. Memory use does not
    depend on the size of the input, except in `dedupe_file`, `overlap_file`, `score_file` with `pass_at` and `split_file` with
    `stratify`. Malformed rows raise no error. They stay in the output, unless an option that chooses rows, such as `only`, leaves them
    out.

    Ctrl-C raises `KeyboardInterrupt`. Finished rows may stay in `OUTPUT.partial`; the message of the exception then says whether the same
    call with `resume=True` continues after them. If a call with the same arguments and `resume=True` has already completed the output,
    nothing is done: the function warns and returns `None`. If a call with other arguments wrote the output, or a call without
    `resume=True` completed it, `resume=True` is an error.

    - `threads`: by default, all cores that this process may use.
    - `progress`: `True` shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a function, which
      gets the number of finished rows and the finished share of the work (`None` if not known).
    - `input_format`: Format of the input [default: detected from the content]. With `lines` or `sdm`, the rows always have the columns
      `label` (the text before the puzzle) and `comment` (the text after it).
    - `delimiter`: Character between the columns: one character, or `tab` [default: detected]
    - `puzzle_column`: Column (or JSON member) with the puzzles: its name, or its number from 1 [default: detected]
    - `solution_column`: Column (or JSON member) with the expected solutions: its name, or its number from 1 [default: detected]
    - `header`: Whether the first row has the names of the columns [default: detected]
    - `restore_zeros`: Restore the zeros that a spreadsheet has removed from the start of puzzles. A text of 40 to 80 digits that
      contains a 0, but does not start with a 0, then becomes a puzzle: zeros are added at its start until it has 81 digits.
    - `skip`: Skip this many rows at the start, counted over all inputs
    - `limit`: Stop after this many rows
    - `output_format`: Format of the output [default: from the extension of the output, otherwise csv]
    - `only`: Write only the rows that meet this condition, such as unique,multiple or clues=17..20. Repeatable. A condition is a list
      of statuses: a row must have one of them. In this list, `mismatch` means match=no: the answer differs from the expected solution.
      A condition can also be NAME=VALUES for a column, such as difficulty=depth2,depth3: the row must have one of the values.
      NAME!=VALUES means the opposite, and input.NAME is a column of the input. If there are several conditions, a row must meet all of
      them.
    - `order_by`: Sort the rows by these columns; write -NAME for descending order. NAME is a column that can be added, and input.NAME
      is a column of the input. Separate several names with commas. Numbers are sorted as numbers. The values of a column with a fixed
      list of values, such as difficulty, are sorted in the order of this list. Rows without a value come last, and equal rows keep
      their order.
    - `top`: Write only the first N rows in the order of `order_by`
    - `sample`: Write only N rows, drawn at random from the rows that `only` keeps. Every choice of N rows is equally likely. The rows
      keep the order of the input, unless there is `order_by`.
    - `seed`: Seed of the random choice of `sample` [default: 1]
    - `force`: Replace existing files: the output, the partial output of an interrupted run, and all other files that this command
      writes. Without this option, a run replaces only the export files of an earlier run
    - `resume`: Continue an interrupted run with the same input and options; if there is none, start the run. After a complete run with
      `resume`, the file FILE.resume.json stays beside the output. The same command then does nothing and exits with the same code. A
      different command with this output is refused.
    - `no_sync`: Do not wait until the output file is stored on the disk
    - `columns`: Columns to add, in this order, separated by commas; or `all` or `none`. The columns are listed at the end of this text.

    Available columns (default: canonical):

    - `canonical`: canonical form: the smallest of all equivalent puzzles, where a blank counts as 0
    - `transform`: transformation of the puzzle to its canonical form, in the notation of the option `apply` of `transform`
    - `automorphisms`: number of ways in which the puzzle is equivalent to itself; 1 for most puzzles
    - `canonical_solution`: canonical form of the solution; empty if there is not exactly one solution
    - `note`: why the row is malformed, or a remark about the answer
    """
    return _files.run(_files.Finished, "canonical", locals())


def transform_file(
    input: Paths,
    output: Path,
    *,
    random: int | None = None,
    seed: int = 1,
    kinds: str | Sequence[str] | None = None,
    include_original: bool = False,
    apply: str | None = None,
    to: Literal["canonical"] | None = None,
    board: Literal["puzzle", "solution"] = "puzzle",
    input_format: Literal["csv", "jsonl", "lines", "sdm", "sdk", "grid", "boj2580", "boj2239", "npy", "parquet", "arrow"] | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: Literal["csv", "jsonl", "lines", "boj2580", "boj2239", "grid", "npy", "parquet", "arrow"] | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    columns: str | Sequence[str] | None = None,
    threads: int | None = None,
    progress: bool | OnProgress = False,
) -> _files.Finished | None:
    """Turn puzzles and their solutions into equivalent ones (augmentation).

    Rows are written to `OUTPUT.partial`. When this file is complete, it is renamed to `output`. Memory use does not
    depend on the size of the input, except in `dedupe_file`, `overlap_file`, `score_file` with `pass_at` and `split_file` with
    `stratify`. Malformed rows raise no error. They stay in the output, unless an option that chooses rows, such as `only`, leaves them
    out.

    Ctrl-C raises `KeyboardInterrupt`. Finished rows may stay in `OUTPUT.partial`; the message of the exception then says whether the same
    call with `resume=True` continues after them. If a call with the same arguments and `resume=True` has already completed the output,
    nothing is done: the function warns and returns `None`. If a call with other arguments wrote the output, or a call without
    `resume=True` completed it, `resume=True` is an error.

    - `threads`: by default, all cores that this process may use.
    - `progress`: `True` shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a function, which
      gets the number of finished rows and the finished share of the work (`None` if not known).
    - `random`: Replace each row by N random forms of it
    - `seed`: Seed of the random forms, and of `sample`
    - `kinds`: Kinds of changes in the random forms: digits,rows,columns,transpose [default: all]. `rows` reorders the bands and the
      rows within each band, `columns` the stacks and the columns within each stack.
    - `include_original`: Also write each row unchanged, before its random forms
    - `apply`: Apply this transformation to each row, such as tr123456789c123456789d912345678. The end of the long help of `sudobench
      transform` describes the notation.
    - `to`: Transform each row to a special form of its puzzle
    - `board`: Board to write in formats without columns (lines, boj2580, boj2239, grid and npy)
    - `input_format`: Format of the input [default: detected from the content]. With `lines` or `sdm`, the rows always have the columns
      `label` (the text before the puzzle) and `comment` (the text after it).
    - `delimiter`: Character between the columns: one character, or `tab` [default: detected]
    - `puzzle_column`: Column (or JSON member) with the puzzles: its name, or its number from 1 [default: detected]
    - `solution_column`: Column (or JSON member) with the expected solutions: its name, or its number from 1 [default: detected]
    - `header`: Whether the first row has the names of the columns [default: detected]
    - `restore_zeros`: Restore the zeros that a spreadsheet has removed from the start of puzzles. A text of 40 to 80 digits that
      contains a 0, but does not start with a 0, then becomes a puzzle: zeros are added at its start until it has 81 digits.
    - `skip`: Skip this many rows at the start, counted over all inputs
    - `limit`: Stop after this many rows
    - `output_format`: Format of the output [default: from the extension of the output, otherwise csv]
    - `only`: Write only the rows that meet this condition, such as unique,multiple or clues=17..20. Repeatable. A condition is a list
      of statuses: a row must have one of them. In this list, `mismatch` means match=no: the answer differs from the expected solution.
      A condition can also be NAME=VALUES for a column, such as difficulty=depth2,depth3: the row must have one of the values.
      NAME!=VALUES means the opposite, and input.NAME is a column of the input. If there are several conditions, a row must meet all of
      them.
    - `order_by`: Sort the rows by these columns; write -NAME for descending order. NAME is a column that can be added, and input.NAME
      is a column of the input. Separate several names with commas. Numbers are sorted as numbers. The values of a column with a fixed
      list of values, such as difficulty, are sorted in the order of this list. Rows without a value come last, and equal rows keep
      their order.
    - `top`: Write only the first N rows in the order of `order_by`
    - `sample`: Write only N rows, drawn at random from the rows that `only` keeps. Every choice of N rows is equally likely. The rows
      keep the order of the input, unless there is `order_by`.
    - `force`: Replace existing files: the output, the partial output of an interrupted run, and all other files that this command
      writes. Without this option, a run replaces only the export files of an earlier run
    - `resume`: Continue an interrupted run with the same input and options; if there is none, start the run. After a complete run with
      `resume`, the file FILE.resume.json stays beside the output. The same command then does nothing and exits with the same code. A
      different command with this output is refused.
    - `no_sync`: Do not wait until the output file is stored on the disk
    - `columns`: Columns to add, in this order, separated by commas; or `all` or `none`. The columns are listed at the end of this text.

    Available columns (default: transform):

    - `transform`: transformation of the row's boards, in the notation of `apply`
    """
    return _files.run(_files.Finished, "transform", locals())


def convert_file(
    input: Paths,
    output: Path,
    *,
    input_format: Literal["csv", "jsonl", "lines", "sdm", "sdk", "grid", "boj2580", "boj2239", "npy", "parquet", "arrow"] | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: Literal["csv", "jsonl", "lines", "boj2580", "boj2239", "grid", "npy", "parquet", "arrow"] | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    seed: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    threads: int | None = None,
    progress: bool | OnProgress = False,
) -> _files.Finished | None:
    """Convert puzzles to another file format; keep all rows and columns.

    Rows are written to `OUTPUT.partial`. When this file is complete, it is renamed to `output`. Memory use does not
    depend on the size of the input, except in `dedupe_file`, `overlap_file`, `score_file` with `pass_at` and `split_file` with
    `stratify`. Malformed rows raise no error. They stay in the output, unless an option that chooses rows, such as `only`, leaves them
    out.

    Ctrl-C raises `KeyboardInterrupt`. Finished rows may stay in `OUTPUT.partial`; the message of the exception then says whether the same
    call with `resume=True` continues after them. If a call with the same arguments and `resume=True` has already completed the output,
    nothing is done: the function warns and returns `None`. If a call with other arguments wrote the output, or a call without
    `resume=True` completed it, `resume=True` is an error.

    - `threads`: by default, all cores that this process may use.
    - `progress`: `True` shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a function, which
      gets the number of finished rows and the finished share of the work (`None` if not known).
    - `input_format`: Format of the input [default: detected from the content]. With `lines` or `sdm`, the rows always have the columns
      `label` (the text before the puzzle) and `comment` (the text after it).
    - `delimiter`: Character between the columns: one character, or `tab` [default: detected]
    - `puzzle_column`: Column (or JSON member) with the puzzles: its name, or its number from 1 [default: detected]
    - `solution_column`: Column (or JSON member) with the expected solutions: its name, or its number from 1 [default: detected]
    - `header`: Whether the first row has the names of the columns [default: detected]
    - `restore_zeros`: Restore the zeros that a spreadsheet has removed from the start of puzzles. A text of 40 to 80 digits that
      contains a 0, but does not start with a 0, then becomes a puzzle: zeros are added at its start until it has 81 digits.
    - `skip`: Skip this many rows at the start, counted over all inputs
    - `limit`: Stop after this many rows
    - `output_format`: Format of the output [default: from the extension of the output, otherwise csv]
    - `only`: Write only the rows that meet this condition, such as unique,multiple or clues=17..20. Repeatable. A condition is a list
      of statuses: a row must have one of them. In this list, `mismatch` means match=no: the answer differs from the expected solution.
      A condition can also be NAME=VALUES for a column, such as difficulty=depth2,depth3: the row must have one of the values.
      NAME!=VALUES means the opposite, and input.NAME is a column of the input. If there are several conditions, a row must meet all of
      them.
    - `order_by`: Sort the rows by these columns; write -NAME for descending order. NAME is a column that can be added, and input.NAME
      is a column of the input. Separate several names with commas. Numbers are sorted as numbers. The values of a column with a fixed
      list of values, such as difficulty, are sorted in the order of this list. Rows without a value come last, and equal rows keep
      their order.
    - `top`: Write only the first N rows in the order of `order_by`
    - `sample`: Write only N rows, drawn at random from the rows that `only` keeps. Every choice of N rows is equally likely. The rows
      keep the order of the input, unless there is `order_by`.
    - `seed`: Seed of the random choice of `sample` [default: 1]
    - `force`: Replace existing files: the output, the partial output of an interrupted run, and all other files that this command
      writes. Without this option, a run replaces only the export files of an earlier run
    - `resume`: Continue an interrupted run with the same input and options; if there is none, start the run. After a complete run with
      `resume`, the file FILE.resume.json stays beside the output. The same command then does nothing and exits with the same code. A
      different command with this output is refused.
    - `no_sync`: Do not wait until the output file is stored on the disk
    """
    return _files.run(_files.Finished, "convert", locals())


def dedupe_file(
    input: Paths,
    output: Path,
    *,
    isomorph: bool = False,
    part: str | None = None,
    input_format: Literal["csv", "jsonl", "lines", "sdm", "sdk", "grid", "boj2580", "boj2239", "npy", "parquet", "arrow"] | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: Literal["csv", "jsonl", "lines", "boj2580", "boj2239", "grid", "npy", "parquet", "arrow"] | None = None,
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
    progress: bool | OnProgress = False,
) -> _files.FinishedDedupe | None:
    """Remove duplicate puzzles; `isomorph` also removes equivalent puzzles.

    Rows are written to `OUTPUT.partial`. When this file is complete, it is renamed to `output`. Memory use does not
    depend on the size of the input, except in `dedupe_file`, `overlap_file`, `score_file` with `pass_at` and `split_file` with
    `stratify`. Malformed rows raise no error. They stay in the output, unless an option that chooses rows, such as `only`, leaves them
    out.

    Ctrl-C raises `KeyboardInterrupt`. Finished rows may stay in `OUTPUT.partial`; the message of the exception then says whether the same
    call with `resume=True` continues after them. If a call with the same arguments and `resume=True` has already completed the output,
    nothing is done: the function warns and returns `None`. If a call with other arguments wrote the output, or a call without
    `resume=True` completed it, `resume=True` is an error.

    - `threads`: by default, all cores that this process may use.
    - `progress`: `True` shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a function, which
      gets the number of finished rows and the finished share of the work (`None` if not known).
    - `isomorph`: Also treat equivalent puzzles as duplicates, not only equal ones. Puzzles are equivalent if one becomes the other by
      reordering bands, stacks, rows in a band and columns in a stack, by transposing the grid and by renaming the digits. Puzzles are
      equal if all 81 cells are equal; it does not matter how blanks are written.
    - `part`: Process only one part of the distinct puzzles to save memory, such as 3/16 for the third of 16 parts
    - `input_format`: Format of the input [default: detected from the content]. With `lines` or `sdm`, the rows always have the columns
      `label` (the text before the puzzle) and `comment` (the text after it).
    - `delimiter`: Character between the columns: one character, or `tab` [default: detected]
    - `puzzle_column`: Column (or JSON member) with the puzzles: its name, or its number from 1 [default: detected]
    - `solution_column`: Column (or JSON member) with the expected solutions: its name, or its number from 1 [default: detected]
    - `header`: Whether the first row has the names of the columns [default: detected]
    - `restore_zeros`: Restore the zeros that a spreadsheet has removed from the start of puzzles. A text of 40 to 80 digits that
      contains a 0, but does not start with a 0, then becomes a puzzle: zeros are added at its start until it has 81 digits.
    - `skip`: Skip this many rows at the start, counted over all inputs
    - `limit`: Stop after this many rows
    - `output_format`: Format of the output [default: from the extension of the output, otherwise csv]
    - `only`: Write only the rows that meet this condition, such as unique,multiple or clues=17..20. Repeatable. A condition is a list
      of statuses: a row must have one of them. In this list, `mismatch` means match=no: the answer differs from the expected solution.
      A condition can also be NAME=VALUES for a column, such as difficulty=depth2,depth3: the row must have one of the values.
      NAME!=VALUES means the opposite, and input.NAME is a column of the input. If there are several conditions, a row must meet all of
      them.
    - `order_by`: Sort the rows by these columns; write -NAME for descending order. NAME is a column that can be added, and input.NAME
      is a column of the input. Separate several names with commas. Numbers are sorted as numbers. The values of a column with a fixed
      list of values, such as difficulty, are sorted in the order of this list. Rows without a value come last, and equal rows keep
      their order.
    - `top`: Write only the first N rows in the order of `order_by`
    - `sample`: Write only N rows, drawn at random from the rows that `only` keeps. Every choice of N rows is equally likely. The rows
      keep the order of the input, unless there is `order_by`.
    - `seed`: Seed of the random choice of `sample` [default: 1]
    - `force`: Replace existing files: the output, the partial output of an interrupted run, and all other files that this command
      writes. Without this option, a run replaces only the export files of an earlier run
    - `resume`: Continue an interrupted run with the same input and options; if there is none, start the run. After a complete run with
      `resume`, the file FILE.resume.json stays beside the output. The same command then does nothing and exits with the same code. A
      different command with this output is refused.
    - `no_sync`: Do not wait until the output file is stored on the disk
    - `columns`: Columns to add, in this order, separated by commas; or `all` or `none`. The columns are listed at the end of this text.

    Available columns (default: count):

    - `count`: number of rows with this puzzle or, with `isomorph`, with an equivalent puzzle; empty if malformed
    - `canonical`: canonical form: the smallest of all equivalent puzzles, where a blank counts as 0
    - `note`: why the row is malformed, or a remark about the answer
    """
    return _files.run(_files.FinishedDedupe, "dedupe", locals())


def overlap_file(
    train: Paths,
    test: Paths,
    output: Path | None = None,
    *,
    by: str | Sequence[str] | None = None,
    keep: Literal["overlapping", "clean", "all"] = "overlapping",
    input_format: Literal["csv", "jsonl", "lines", "sdm", "sdk", "grid", "boj2580", "boj2239", "npy", "parquet", "arrow"] | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    output_format: Literal["csv", "jsonl", "lines", "boj2580", "boj2239", "grid", "npy", "parquet", "arrow"] | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    seed: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    columns: str | Sequence[str] | None = None,
    skip: int = 0,
    limit: int | None = None,
    threads: int | None = None,
    progress: bool | OnProgress = False,
) -> _files.FinishedOverlap | None:
    """Find puzzles of a test set that a training set also has.

    Rows are written to `OUTPUT.partial`. When this file is complete, it is renamed to `output`. Memory use does not
    depend on the size of the input, except in `dedupe_file`, `overlap_file`, `score_file` with `pass_at` and `split_file` with
    `stratify`. Malformed rows raise no error. They stay in the output, unless an option that chooses rows, such as `only`, leaves them
    out.

    Ctrl-C raises `KeyboardInterrupt`. Finished rows may stay in `OUTPUT.partial`; the message of the exception then says whether the same
    call with `resume=True` continues after them. If a call with the same arguments and `resume=True` has already completed the output,
    nothing is done: the function warns and returns `None`. If a call with other arguments wrote the output, or a call without
    `resume=True` completed it, `resume=True` is an error.

    - `threads`: by default, all cores that this process may use.
    - `progress`: `True` shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a function, which
      gets the number of finished rows and the finished share of the work (`None` if not known).
    - `by`: Kinds of overlap, separated by commas: text, isomorph, solution, solution_isomorph [default: all]. Puzzles are solved for
      the last two kinds, and for options such as `only` that use the status.
    - `keep`: Rows of TEST to write
    - `input_format`: Format of the input [default: detected from the content]. With `lines` or `sdm`, the rows always have the columns
      `label` (the text before the puzzle) and `comment` (the text after it).
    - `delimiter`: Character between the columns: one character, or `tab` [default: detected]
    - `puzzle_column`: Column (or JSON member) with the puzzles: its name, or its number from 1 [default: detected]
    - `solution_column`: Column (or JSON member) with the expected solutions: its name, or its number from 1 [default: detected]
    - `header`: Whether the first row has the names of the columns [default: detected]
    - `restore_zeros`: Restore the zeros that a spreadsheet has removed from the start of puzzles. A text of 40 to 80 digits that
      contains a 0, but does not start with a 0, then becomes a puzzle: zeros are added at its start until it has 81 digits.
    - `output_format`: Format of the output [default: from the extension of the output, otherwise csv]
    - `only`: Write only the rows that meet this condition, such as unique,multiple or clues=17..20. Repeatable. A condition is a list
      of statuses: a row must have one of them. In this list, `mismatch` means match=no: the answer differs from the expected solution.
      A condition can also be NAME=VALUES for a column, such as difficulty=depth2,depth3: the row must have one of the values.
      NAME!=VALUES means the opposite, and input.NAME is a column of the input. If there are several conditions, a row must meet all of
      them.
    - `order_by`: Sort the rows by these columns; write -NAME for descending order. NAME is a column that can be added, and input.NAME
      is a column of the input. Separate several names with commas. Numbers are sorted as numbers. The values of a column with a fixed
      list of values, such as difficulty, are sorted in the order of this list. Rows without a value come last, and equal rows keep
      their order.
    - `top`: Write only the first N rows in the order of `order_by`
    - `sample`: Write only N rows, drawn at random from the rows that `only` keeps. Every choice of N rows is equally likely. The rows
      keep the order of the input, unless there is `order_by`.
    - `seed`: Seed of the random choice of `sample` [default: 1]
    - `force`: Replace existing files: the output, the partial output of an interrupted run, and all other files that this command
      writes. Without this option, a run replaces only the export files of an earlier run
    - `resume`: Continue an interrupted run with the same input and options; if there is none, start the run. After a complete run with
      `resume`, the file FILE.resume.json stays beside the output. The same command then does nothing and exits with the same code. A
      different command with this output is refused.
    - `no_sync`: Do not wait until the output file is stored on the disk
    - `columns`: Columns to add, in this order, separated by commas; or `all` or `none`. The columns are listed at the end of this text.
    - `skip`: Skip this many rows at the start of TEST; TRAIN is always read whole
    - `limit`: Stop after this many rows of TEST

    Available columns (default: overlap, train_input, train_line):

    - `overlap`: first overlap of the row that `by` includes, in the order text, isomorph, solution, solution_isomorph; empty if none
    - `train_input`: number (from 1) of the file of TRAIN that has the first row with this overlap
    - `train_line`: line of the first row of TRAIN with this overlap; in Parquet, Arrow and NumPy files, the number of this row (from 1)
    """
    return _files.run(_files.FinishedOverlap, "overlap", locals())


def split_file(
    input: Paths,
    output: Path,
    *,
    test: float | str = "10%",
    by: Literal["text", "isomorph", "solution", "solution_isomorph"] = "solution_isomorph",
    seed: int = 1,
    stratify: str | None = None,
    test_output: Path | None = None,
    input_format: Literal["csv", "jsonl", "lines", "sdm", "sdk", "grid", "boj2580", "boj2239", "npy", "parquet", "arrow"] | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: Literal["csv", "jsonl", "lines", "boj2580", "boj2239", "grid", "npy", "parquet", "arrow"] | None = None,
    only: str | Sequence[str] | None = None,
    order_by: str | Sequence[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    force: bool = False,
    resume: bool = False,
    no_sync: bool = False,
    columns: str | Sequence[str] | None = None,
    threads: int | None = None,
    progress: bool | OnProgress = False,
) -> _files.FinishedSplit | None:
    """Split a set into training and test data, without leaks.

    Rows are written to `OUTPUT.partial`. When this file is complete, it is renamed to `output`. Memory use does not
    depend on the size of the input, except in `dedupe_file`, `overlap_file`, `score_file` with `pass_at` and `split_file` with
    `stratify`. Malformed rows raise no error. They stay in the output, unless an option that chooses rows, such as `only`, leaves them
    out.

    Ctrl-C raises `KeyboardInterrupt`. Finished rows may stay in `OUTPUT.partial`; the message of the exception then says whether the same
    call with `resume=True` continues after them. If a call with the same arguments and `resume=True` has already completed the output,
    nothing is done: the function warns and returns `None`. If a call with other arguments wrote the output, or a call without
    `resume=True` completed it, `resume=True` is an error.

    - `threads`: by default, all cores that this process may use.
    - `progress`: `True` shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a function, which
      gets the number of finished rows and the finished share of the work (`None` if not known).
    - `test`: Share of the rows that become test data, such as 10% or 0.1
    - `by`: Which puzzles must be on the same side (training or test data)
    - `seed`: Seed of the random choice of the test rows, and of `sample`
    - `stratify`: Choose the test rows separately for each value of this column, such as difficulty or clues: each gets the share `test`
    - `test_output`: Write the test rows to this file, and only the training rows to `output`. Both files have the columns of the input,
      and those that `columns` names.
    - `input_format`: Format of the input [default: detected from the content]. With `lines` or `sdm`, the rows always have the columns
      `label` (the text before the puzzle) and `comment` (the text after it).
    - `delimiter`: Character between the columns: one character, or `tab` [default: detected]
    - `puzzle_column`: Column (or JSON member) with the puzzles: its name, or its number from 1 [default: detected]
    - `solution_column`: Column (or JSON member) with the expected solutions: its name, or its number from 1 [default: detected]
    - `header`: Whether the first row has the names of the columns [default: detected]
    - `restore_zeros`: Restore the zeros that a spreadsheet has removed from the start of puzzles. A text of 40 to 80 digits that
      contains a 0, but does not start with a 0, then becomes a puzzle: zeros are added at its start until it has 81 digits.
    - `skip`: Skip this many rows at the start, counted over all inputs
    - `limit`: Stop after this many rows
    - `output_format`: Format of the output [default: from the extension of the output, otherwise csv]
    - `only`: Write only the rows that meet this condition, such as unique,multiple or clues=17..20. Repeatable. A condition is a list
      of statuses: a row must have one of them. In this list, `mismatch` means match=no: the answer differs from the expected solution.
      A condition can also be NAME=VALUES for a column, such as difficulty=depth2,depth3: the row must have one of the values.
      NAME!=VALUES means the opposite, and input.NAME is a column of the input. If there are several conditions, a row must meet all of
      them.
    - `order_by`: Sort the rows by these columns; write -NAME for descending order. NAME is a column that can be added, and input.NAME
      is a column of the input. Separate several names with commas. Numbers are sorted as numbers. The values of a column with a fixed
      list of values, such as difficulty, are sorted in the order of this list. Rows without a value come last, and equal rows keep
      their order.
    - `top`: Write only the first N rows in the order of `order_by`
    - `sample`: Write only N rows, drawn at random from the rows that `only` keeps. Every choice of N rows is equally likely. The rows
      keep the order of the input, unless there is `order_by`.
    - `force`: Replace existing files: the output, the partial output of an interrupted run, and all other files that this command
      writes. Without this option, a run replaces only the export files of an earlier run
    - `resume`: Continue an interrupted run with the same input and options; if there is none, start the run. After a complete run with
      `resume`, the file FILE.resume.json stays beside the output. The same command then does nothing and exits with the same code. A
      different command with this output is refused.
    - `no_sync`: Do not wait until the output file is stored on the disk
    - `columns`: Columns to add, in this order, separated by commas; or `all` or `none`. The columns are listed at the end of this text.

    Available columns (default: side):

    - `side`: side of the split that the puzzle belongs to: train or test; empty for a malformed row
    - `note`: why the row is malformed, or a remark about the answer
    """
    return _files.run(_files.FinishedSplit, "split", locals())


def score_file(
    input: Paths,
    output: Path | None = None,
    *,
    prediction_column: str = "prediction",
    extract: bool = False,
    bucket_by: str | None = None,
    pass_at: int | Sequence[int] | None = None,
    group_by: str | None = None,
    input_format: Literal["csv", "jsonl", "lines", "sdm", "sdk", "grid", "boj2580", "boj2239", "npy", "parquet", "arrow"] | None = None,
    delimiter: str | None = None,
    puzzle_column: str | int | None = None,
    solution_column: str | int | None = None,
    header: bool | None = None,
    restore_zeros: bool = False,
    skip: int = 0,
    limit: int | None = None,
    output_format: Literal["csv", "jsonl", "lines", "boj2580", "boj2239", "grid", "npy", "parquet", "arrow"] | None = None,
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
    progress: bool | OnProgress = False,
) -> _files.FinishedScore | None:
    """Score predicted grids: exact, valid, right cells, right blanks.

    Rows are written to `OUTPUT.partial`. When this file is complete, it is renamed to `output`. Memory use does not
    depend on the size of the input, except in `dedupe_file`, `overlap_file`, `score_file` with `pass_at` and `split_file` with
    `stratify`. Malformed rows raise no error. They stay in the output, unless an option that chooses rows, such as `only`, leaves them
    out.

    Ctrl-C raises `KeyboardInterrupt`. Finished rows may stay in `OUTPUT.partial`; the message of the exception then says whether the same
    call with `resume=True` continues after them. If a call with the same arguments and `resume=True` has already completed the output,
    nothing is done: the function warns and returns `None`. If a call with other arguments wrote the output, or a call without
    `resume=True` completed it, `resume=True` is an error.

    - `threads`: by default, all cores that this process may use.
    - `progress`: `True` shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a function, which
      gets the number of finished rows and the finished share of the work (`None` if not known).
    - `prediction_column`: Column of the predicted grids
    - `extract`: The predictions are texts, such as answers of a language model: find the grid in each
    - `bucket_by`: Also show the scores for each value of this column: clues, difficulty, or a column of the input
    - `pass_at`: Also show pass@k for these values of k, such as 1,8: the probability that at least one of k predictions for a puzzle is
      exact
    - `group_by`: With `pass_at`, rows with the same text in this column of the input are predictions for one puzzle [default: rows with
      equal puzzles]
    - `input_format`: Format of the input [default: detected from the content]. With `lines` or `sdm`, the rows always have the columns
      `label` (the text before the puzzle) and `comment` (the text after it).
    - `delimiter`: Character between the columns: one character, or `tab` [default: detected]
    - `puzzle_column`: Column (or JSON member) with the puzzles: its name, or its number from 1 [default: detected]
    - `solution_column`: Column (or JSON member) with the expected solutions: its name, or its number from 1 [default: detected]
    - `header`: Whether the first row has the names of the columns [default: detected]
    - `restore_zeros`: Restore the zeros that a spreadsheet has removed from the start of puzzles. A text of 40 to 80 digits that
      contains a 0, but does not start with a 0, then becomes a puzzle: zeros are added at its start until it has 81 digits.
    - `skip`: Skip this many rows at the start, counted over all inputs
    - `limit`: Stop after this many rows
    - `output_format`: Format of the output [default: from the extension of the output, otherwise csv]
    - `only`: Write only the rows that meet this condition, such as unique,multiple or clues=17..20. Repeatable. A condition is a list
      of statuses: a row must have one of them. In this list, `mismatch` means match=no: the answer differs from the expected solution.
      A condition can also be NAME=VALUES for a column, such as difficulty=depth2,depth3: the row must have one of the values.
      NAME!=VALUES means the opposite, and input.NAME is a column of the input. If there are several conditions, a row must meet all of
      them.
    - `order_by`: Sort the rows by these columns; write -NAME for descending order. NAME is a column that can be added, and input.NAME
      is a column of the input. Separate several names with commas. Numbers are sorted as numbers. The values of a column with a fixed
      list of values, such as difficulty, are sorted in the order of this list. Rows without a value come last, and equal rows keep
      their order.
    - `top`: Write only the first N rows in the order of `order_by`
    - `sample`: Write only N rows, drawn at random from the rows that `only` keeps. Every choice of N rows is equally likely. The rows
      keep the order of the input, unless there is `order_by`.
    - `seed`: Seed of the random choice of `sample` [default: 1]
    - `force`: Replace existing files: the output, the partial output of an interrupted run, and all other files that this command
      writes. Without this option, a run replaces only the export files of an earlier run
    - `resume`: Continue an interrupted run with the same input and options; if there is none, start the run. After a complete run with
      `resume`, the file FILE.resume.json stays beside the output. The same command then does nothing and exits with the same code. A
      different command with this output is refused.
    - `no_sync`: Do not wait until the output file is stored on the disk
    - `columns`: Columns to add, in this order, separated by commas; or `all` or `none`. The columns are listed at the end of this text.

    Available columns (default: exact, valid, right_cells, right_blanks):

    - `exact`: yes or no: whether the prediction is the solution; if the row has no correct solution, whether the prediction is valid
    - `valid`: yes or no: whether the prediction is complete, keeps the clues and obeys the rules
    - `right_cells`: number of cells, of 81, where the prediction equals the solution; empty if the row has no correct solution and the
      puzzle is not unique
    - `right_blanks`: number of blanks where the prediction equals the solution; empty if right_cells is empty
    - `blanks`: number of blanks of the puzzle
    - `clues`: number of clues of the puzzle
    - `clues_kept`: number of clues that the prediction keeps
    - `conflicts`: number of pairs of equal digits in a row, column or box of the prediction
    - `filled`: number of cells of the prediction that have a digit, clues included
    - `first_error`: the first cell that differs from the solution, such as r1c3; empty if no cell differs or the solution is unknown
    - `solvable`: yes or no: whether the prediction, with the clues, can be completed to a solution
    - `found`: how `extract` found the grid: as digits, lines, box, table or list; empty if no grid was found
    - `grid`: the grid that `extract` found in the prediction, 81 characters; empty if no grid was found
    - `note`: why the row is malformed, why the prediction cannot be read, or that the expected solution is wrong
    """
    return _files.run(_files.FinishedScore, "score", locals())
