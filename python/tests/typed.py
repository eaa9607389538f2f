"""Uses of the package for mypy. This file is checked and never run."""

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import sudobench

answer: sudobench.Answer = sudobench.solve("." * 81, max_solutions=1, answer="first", threads=2)
digits: str | None = answer.solution
boards: npt.NDArray[np.uint8] = np.zeros((3, 81), dtype=np.uint8)
answers: sudobench.Answers = sudobench.solve(boards, max_nodes=10, max_time_per_puzzle=0.5, solver="mrv")
more: sudobench.Answers = sudobench.solve(["." * 81])
solutions: npt.NDArray[np.uint8] = answers.solution
statuses: sudobench.Words = answers.status
is_unique: npt.NDArray[np.bool_] = statuses == "unique"
one: sudobench.Answer = answers[0]
some: sudobench.Answers = answers[1:]
chosen: sudobench.Answers = answers[answers.status == "unique"]
names: list[str] = [each.status for each in answers]
table = pa.table(answers)
solved = sudobench.solve_table(table, "solution", columns=["status"], max_solutions=2)
finished: sudobench.Finished | None = sudobench.solve_file("in.csv", "out.csv", progress=True, resume=True)
if finished is not None:
    print(finished.rows, finished.statuses["unique"])
version: str = sudobench.__version__
frame = pd.DataFrame({"puzzle": ["." * 81]})
with_index: pd.DataFrame = sudobench.solve_table(frame, "puzzle")
frames: list[pd.DataFrame] = [sudobench.dedupe_table(frame, "puzzle"), sudobench.transform_table(frame, random=2, seed=[7], by="row")]
board: sudobench.Answer = sudobench.solve(np.zeros(81, dtype=np.uint8))
square: sudobench.Form = sudobench.canonical(boards[0].reshape(9, 9))
form: sudobench.Form = sudobench.canonical("." * 81)
forms: sudobench.Forms = sudobench.canonical(boards, transform=True, threads=2)
cells: npt.NDArray[np.uint8] = forms.canonical
with_forms = sudobench.canonical_table(table, "solution", columns=["canonical", "note"])
deduped: sudobench.Deduped = sudobench.dedupe(boards, isomorph=True)
distinct: npt.NDArray[np.uint8] = boards[deduped.index]
without = sudobench.dedupe_table(table, "solution", isomorph=True, count=None)
left: sudobench.FinishedDedupe | None = sudobench.dedupe_file("in.csv", "out.csv", isomorph=True, part="1/2")
formed: sudobench.Finished | None = sudobench.canonical_file("in.csv", "forms.csv", resume=True)
equivalent: str = sudobench.transform("." * 81, to="canonical")
augmented: npt.NDArray[np.uint8] = sudobench.transform(boards, random=3, seed=7)
inputs, labels = sudobench.transform(boards, random=3, solutions=boards)
rows: int = len(inputs) + len(labels)
with_transforms = sudobench.transform_table(table, "solution", columns=(), random=3)
found: sudobench.Overlap = sudobench.overlap(boards, ["." * 81], by="text,isomorph", threads=2)
with_overlaps = sudobench.overlap_table([table, table], table, "solution", columns="overlap", train_column=1, by=["text"], threads=2)
seen: npt.NDArray[np.bool_] = found.any
shares: dict[str, float] = found.shares
rating: sudobench.Rating = sudobench.rate("." * 81)
difficulty: str | None = rating.difficulty
ratings: sudobench.Ratings = sudobench.rate(boards, columns=["difficulty", "depth"], isomorphs=3, seed=7)
depths: npt.NDArray[np.int8] | None = ratings.depth
with_ratings = sudobench.rate_table(table, "solution", columns="difficulty,guesses")
drawn: sudobench.FinishedRate | None = sudobench.rate_file("in.csv", "out.csv", stratify=100)
check: sudobench.Check = sudobench.check("." * 81)
cells_without: tuple[int, ...] | None = check.redundant
checks: sudobench.Checks = sudobench.check(boards, columns="minimal")
minimal: npt.NDArray[np.bool_] | None = checks.minimal
with_checks = sudobench.check_table(table, "solution", columns=["minimal"], max_solutions=3)
checked: sudobench.Finished | None = sudobench.check_file("in.csv", "out.csv", columns="unique")
made: sudobench.Generated = sudobench.generate(
    10, seed=7, clues=(24, 30), symmetry="rotational", difficulty=["pairs"], solutions=1, method="top-down", progress=True
)
grids: npt.NDArray[np.uint8] = made.solution
weights: npt.NDArray[np.float64] | None = made.weight
made_table: sudobench.SolvedTable = sudobench.generate_table(10, ["solution", "clues"], seed=7, clues=(24, 30), hardest="mrv")
into: sudobench.Finished | None = sudobench.generate_file("out.csv", 10, clues=24, columns=["solution"], resume=True)
inside: npt.NDArray[np.uint8] = sudobench.minimals("." * 81, limit_per_puzzle=3)
of_many: sudobench.Found = sudobench.solutions(["." * 81, "." * 81], limit_per_puzzle=3)
row_of_each: npt.NDArray[np.int64] = of_many.row
into_rows: sudobench.FinishedFound | None = sudobench.solutions_file("in.csv", "out.csv", limit_per_puzzle=3)
overlapping: sudobench.FinishedOverlap | None = sudobench.overlap_file("train.csv", ["test.csv"], by=["text", "isomorph"])
of_board: npt.NDArray[np.uint8] = sudobench.minimals(boards[0])
near: npt.NDArray[np.uint8] = sudobench.vicinity("." * 81, "-1+1", minimal=True)
frame = answers.to_pandas()
label: str | None = sudobench.rate(boards, columns="all")[0].difficulty
rating_rows: list[sudobench.Rating] = list(ratings)
fewer: sudobench.Ratings = ratings[ratings.status == "unique"]
board_texts: list[str | None] = made.text("solution")
row_of_found: dict[str, object] = of_many[0]
clean_train: npt.NDArray[np.bool_] = ~found.train_mask
digits_of_cells: sudobench.Candidates = sudobench.candidates(["." * 81], level="exact", threads=2)
mask_of_one: npt.NDArray[np.bool_] = sudobench.candidates("." * 81)
is_right: bool = sudobench.is_valid("1" * 81) and sudobench.is_solution("." * 81, "1" * 81)
are_right: npt.NDArray[np.bool_] = sudobench.is_solution(["." * 81], ["1" * 81])
drawn_rows: npt.NDArray[np.int64] = ratings.stratify(10, seed=7)
some_rows = sudobench.rate_table(table, "solution", stratify=10)
voted: npt.NDArray[np.uint8] = sudobench.transform(boards, apply=["tr123456789c123456789d123456789"] * 3, inverse=True)
with_shown: sudobench.Answers = sudobench.solve(["." * 81], progress=lambda rows, share: print(rows, share))
shown_file: sudobench.Finished | None = sudobench.solve_file("in.csv", "out.csv", solver="bitslice", progress=print)
sudobench.solve(boards, solver="fastest")  # type: ignore[call-overload]
sudobench.generate(3, symmetry="round", guesses=4)  # type: ignore[arg-type]
taken_back: pd.DataFrame = sudobench.transform_table(frame, apply_column="transform", inverse=True, progress=True)
some_kinds: npt.NDArray[np.uint8] = sudobench.transform(boards, random=2, kinds="digits", include_original=True)
augment = sudobench.Augment(7, kinds=["digits", "transpose"], tokens="hrm")
fresh_inputs, fresh_labels = augment(boards, boards, index=range(3), epoch=0, out=(boards.copy(), boards.copy()))
by_difficulty: sudobench.Split = sudobench.split(boards, test=0.5, stratify=ratings.difficulty)
shares_of_labels: dict[object, float] = by_difficulty.test_share
scored: sudobench.Scores = sudobench.score(boards, boards, tokens="hrm", pass_at=np.array([1, 2]))
means_as_json: dict[str, object] = scored.to_dict() | scored.accuracies.to_dict()
first_wrong: sudobench.Scores = scored[~scored.exact]
