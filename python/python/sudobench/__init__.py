"""Solves, checks, rates, makes and scores 9x9 Sudoku puzzles by the million: strings, NumPy, Arrow, pandas, polars, and files.

>>> import sudobench
>>> sudobench.solve("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79").status
'unique'
"""

from ._accuracies import Accuracies, Accuracy, Bootstrap, CellErrors, PassAt
from ._answers import Answer, Answers
from ._augment import Augment
from ._canonical import Form, Forms, canonical, canonical_table
from ._candidates import Candidates, candidates
from ._check import Check, Checks, check, check_table
from ._dedupe import Deduped, dedupe, dedupe_table
from ._explain import Step, Steps, explain, explain_table, hint
from ._extract import Extracted, Extraction, extract
from ._files import Finished, FinishedDedupe, FinishedFound, FinishedOverlap, FinishedRate, FinishedScore, FinishedSplit
from ._found import Found, minimals, minimals_table, solutions, solutions_table, vicinity, vicinity_table
from ._generate import Generated, generate, generate_table
from ._hrm import HrmFolder, HrmSet, export_hrm
from ._overlap import Overlap, overlap, overlap_table
from ._rate import Rating, Ratings, rate, rate_table
from ._score import Scores, score, score_table
from ._solvable import solvable
from ._solve import solve, solve_table
from ._split import Split, split, split_table
from ._sudobench import NotGenerated, SolvedTable, __version__
from ._transform import transform, transform_table
from ._valid import is_solution, is_valid
from ._verb_files import (
    canonical_file,
    check_file,
    convert_file,
    dedupe_file,
    explain_file,
    generate_file,
    minimals_file,
    overlap_file,
    rate_file,
    score_file,
    solutions_file,
    solve_file,
    split_file,
    transform_file,
    vicinity_file,
)
from ._words import Words

__all__ = [
    "Accuracies",
    "Accuracy",
    "Answer",
    "Answers",
    "Augment",
    "Bootstrap",
    "Candidates",
    "CellErrors",
    "Check",
    "Checks",
    "Deduped",
    "Extracted",
    "Extraction",
    "Finished",
    "FinishedDedupe",
    "FinishedFound",
    "FinishedOverlap",
    "FinishedRate",
    "FinishedScore",
    "FinishedSplit",
    "Form",
    "Forms",
    "Found",
    "Generated",
    "HrmFolder",
    "HrmSet",
    "NotGenerated",
    "Overlap",
    "PassAt",
    "Rating",
    "Ratings",
    "Scores",
    "SolvedTable",
    "Split",
    "Step",
    "Steps",
    "Words",
    "__version__",
    "candidates",
    "canonical",
    "canonical_file",
    "canonical_table",
    "check",
    "check_file",
    "check_table",
    "convert_file",
    "dedupe",
    "dedupe_file",
    "dedupe_table",
    "explain",
    "explain_file",
    "explain_table",
    "export_hrm",
    "extract",
    "generate",
    "generate_file",
    "generate_table",
    "hint",
    "is_solution",
    "is_valid",
    "minimals",
    "minimals_file",
    "minimals_table",
    "overlap",
    "overlap_file",
    "overlap_table",
    "rate",
    "rate_file",
    "rate_table",
    "score",
    "score_file",
    "score_table",
    "solutions",
    "solutions_file",
    "solutions_table",
    "solvable",
    "solve",
    "solve_file",
    "solve_table",
    "split",
    "split_file",
    "split_table",
    "transform",
    "transform_file",
    "transform_table",
    "vicinity",
    "vicinity_file",
    "vicinity_table",
]
