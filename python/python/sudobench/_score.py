"""`score`: the accuracy of predicted grids."""

from __future__ import annotations

import functools
import json
import operator
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex, get_args

from . import _sudobench
from ._accuracies import Accuracies, CellErrors, PassAt, accuracies_of, cell_errors_of, pass_at_of
from ._dlpack import array_of
from ._drawn import ScoredBoards, Source, source_of
from ._extract import grids_in
from ._names import Difficulty, blank_of
from ._outputs import boards_of_outputs, digits_of_tokens, may_be_tokens
from ._progress import OnProgress, shown
from ._puzzles import chosen, columns_of, is_arrow, is_tensor, labels_of, origin_of, read, texts_of
from ._results import Column, Results
from ._tables import Table, column_of, with_columns
from ._words import Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from ._names import Tokens
    from ._sudobench import Rows

MASKS = ("exact", "valid", "compared", "solvable", "scored", "malformed", "wrong_solution")
NUMBERS = ("right_cells", "right_blanks", "blanks", "clues_kept", "filled", "conflicts", "first_error")
COLUMNS = (
    "exact", "valid", "right_cells", "right_blanks", "blanks", "clues_kept", "conflicts", "filled", "first_error", "solvable",
    "found", "note",
)  # fmt: skip
SUMMED = ("exact", "valid", "right_cells", "right_blanks", "blanks", "compared")


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Results[dict[str, Any]]):
    """The scores of many predictions. `accuracies` has the means.

    Notebooks show the first and the last predictions as boards: clues are bold, filled cells are blue, and cells that differ from the
    solution are red. If there is no solution to compare with, cells that break the rules are red. The scores keep references to the
    puzzles, predictions and solutions that were passed, and read the boards when they are shown. Pickled scores contain the boards that a
    notebook would show."""

    exact: npt.NDArray[np.bool_]
    """Whether the prediction equals the solution. If there is no solution to compare with (see `compared`), whether the prediction is
    valid."""
    valid: npt.NDArray[np.bool_]
    """Whether the prediction is complete, keeps the clues and obeys the rules."""
    right_cells: npt.NDArray[np.uint8]
    """Number of cells that equal the solution, of 81; 0 if the prediction was not compared."""
    right_blanks: npt.NDArray[np.uint8]
    """Number of blanks of the puzzle that are filled as in the solution."""
    blanks: npt.NDArray[np.uint8]
    """Number of blanks of the puzzle."""
    clues_kept: npt.NDArray[np.uint8]
    """Number of clues that the prediction keeps."""
    filled: npt.NDArray[np.uint8]
    """Number of cells with a digit."""
    conflicts: npt.NDArray[np.uint16]
    """Number of pairs of equal digits in a row, column or box."""
    first_error: npt.NDArray[np.int8]
    """The first cell that differs from the solution, from 0, row by row; -1 if no cell differs or the prediction was not compared."""
    compared: npt.NDArray[np.bool_]
    """Whether the prediction was compared with a solution. It is not compared if the puzzle is malformed, or if no
    right solution was given and the puzzle does not have exactly one solution."""
    solvable: npt.NDArray[np.bool_] | None
    """Whether the prediction, with the clues, can be completed to a solution; `None` if this was not requested."""
    scored: npt.NDArray[np.bool_]
    """Whether the row has a puzzle."""
    malformed: npt.NDArray[np.bool_]
    """Whether the prediction could not be read. It then counts as wrong."""
    wrong_solution: npt.NDArray[np.bool_]
    """Whether the given solution for this row does not solve the puzzle. Such a solution is ignored. All False if no solutions
    were given."""
    found: Words | None
    """How the grid is written in the text, with `extract`; otherwise `None`."""
    notes: dict[int, str]
    """For each row with a malformed puzzle, an unreadable prediction or a wrong expected solution: its number from 0 and the reason."""
    pass_at: dict[int, PassAt]
    """pass@k over all predictions, for each k of `pass_at`. A slice of the scores keeps these values."""
    cell_errors: CellErrors
    """How often each cell is wrong, over all predictions. A slice of the scores keeps these numbers."""

    _boards: ScoredBoards | None = field(default=None, kw_only=True)

    _of_all: ClassVar[tuple[str, ...]] = ("pass_at", "cell_errors")

    def _columns(self) -> dict[str, Column]:
        columns = {name: Column(getattr(self, name), self.scored) for name in ("exact", "valid")}
        columns |= {name: Column(getattr(self, name), self.compared) for name in ("right_cells", "right_blanks")}
        columns |= {name: Column(getattr(self, name), self.scored) for name in ("blanks", "clues_kept", "conflicts", "filled")}
        columns["first_error"] = Column(self.first_error, self.first_error >= 0)
        columns["solvable"] = Column(self.solvable, self.scored)
        columns["found"] = Column(self.found, None if self.found is None else self.found.codes >= 0)
        return {**columns, "note": Column(self.notes)}

    def _html_columns(self) -> dict[str, Column]:
        return {"prediction": Column({}), **self._columns()}

    def _html_cell(self, row: int, name: str, column: Column) -> str:
        if name != "prediction":
            return super()._html_cell(row, name, column)
        if self._boards is None:
            return ""
        return self._boards.row(row).html(bool(self.compared[row]), bool(self.wrong_solution[row]))

    @functools.cached_property
    def accuracies(self) -> Accuracies:
        """The means over all predictions. They are computed when they are first read, because this takes time."""
        import numpy as np

        return self._means(np.zeros(len(self), dtype=np.int64), 1)[0]

    def to_dict(self, by: Iterable[Any] | None = None, name: str = "value") -> dict[str, Any]:
        """Returns the means as dictionaries, lists and numbers, for JSON. The keys are the same as under `scores` in a record of
        `sudobench score --export-json`: `all`, `pass_at` (only if it was requested) and `cells`. In a slice of the scores, `pass_at` and
        `cells` are still about all predictions. If you pass `by` (a value for each prediction, as in the method `by`), `buckets` has the
        means for each value, and `bucket_by` is the `name`. The keys of `buckets` are texts, so values with the same text, such as 1 and
        "1", are one bucket.

        >>> import json, sudobench
        >>> scores = sudobench.score("." * 81, ["." * 81])
        >>> json.dumps(scores.to_dict())[:60]
        '{"all": {"puzzles": 1, "malformed_predictions": 0, "wrong_ex'
        """
        import numpy as np

        found: dict[str, Any] = {"all": self._counted(np.zeros(len(self), dtype=np.int64), 1)[0]}
        if by is not None:
            known, buckets = self._buckets(by)
            texts = ["" if value is None else str(value) for value in known]
            numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
            of_texts = np.array([numbers[text] for text in texts], dtype=np.int64)[buckets]
            found |= {"bucket_by": name, "buckets": dict(zip(numbers, self._counted(of_texts, len(numbers)), strict=True))}
        if self.pass_at:
            found["pass_at"] = [{"k": k, **passed.to_dict()} for k, passed in self.pass_at.items()]
        cells = {name: counts.ravel().tolist() for name, counts in self.cell_errors._asdict().items()}
        return {**found, "cells": cells}

    def _counted(self, buckets: npt.NDArray[np.int64], count: int) -> list[dict[str, Any]]:
        """Returns, for each bucket, the JSON object with its mean scores and its numbers of malformed predictions, wrong solutions and
        compared predictions."""
        import numpy as np

        masks = {"malformed_predictions": self.malformed, "wrong_expected": self.wrong_solution, "compared": self.compared}
        counts = {name: np.bincount(buckets[mask], minlength=count).tolist() for name, mask in masks.items()}
        means = [found.to_dict() for found in self._means(buckets, count)]
        # As in a record of `sudobench score`, the number of puzzles comes first.
        return [{"puzzles": found.pop("puzzles"), **{name: of[at] for name, of in counts.items()}, **found} for at, found in enumerate(means)]

    def to_html(self, by: Iterable[Any] | None = None, name: str = "value") -> str:
        """Returns a page for a browser, as `sudobench score --export-html` writes it: the means, pass@k, a plot by bucket, and how often
        each cell is wrong. `by` and `name` are as in `to_dict`."""
        return _sudobench.score_report(json.dumps(self.to_dict(by, name)), True)

    def to_markdown(self, by: Iterable[Any] | None = None, name: str = "value") -> str:
        """Returns the means, pass@k and buckets as tables in Markdown, as `sudobench score --export-markdown` writes them. `by` and `name`
        are as in `to_dict`."""
        return _sudobench.score_report(json.dumps(self.to_dict(by, name)), False)

    def by(self, values: Iterable[Any]) -> dict[Any, Accuracies]:
        """Returns, for each different value, the means over the predictions that have this value. `values` has a value for
        each prediction, such as the difficulty of its puzzle. All missing values count as the same value, `None`.
        Difficulties are ordered from easy to hard, other values by size, and `None` comes last. If some values cannot be
        compared with each other, all stay in the order of the predictions."""
        known, buckets = self._buckets(values)
        return dict(zip(known, self._means(buckets, len(known)), strict=True))

    def _buckets(self, values: Iterable[Any]) -> tuple[list[Any], npt.NDArray[np.int64]]:
        """Returns the different values in the order of `by`, and for each prediction the position of its value among them."""
        import numpy as np

        labels = labels_of(values)
        if len(labels) != len(self):
            raise ValueError(f"by: {len(labels)} values for {len(self)} predictions: give one value for each prediction")
        known = list(dict.fromkeys(labels))
        levels = list(get_args(Difficulty))
        are_levels = all(label is None or label in levels for label in known)
        try:
            known = sorted(known, key=lambda label: (label is None, levels.index(label) if are_levels and label is not None else label))
        except TypeError:  # Values of different types can't be sorted, so they stay in the order of the predictions.
            pass
        numbers = {label: number for number, label in enumerate(known)}
        return known, np.array([numbers[label] for label in labels], dtype=np.int64)

    def _means(self, buckets: npt.NDArray[np.int64], count: int) -> list[Accuracies]:
        import numpy as np

        measures = np.stack([getattr(self, name).astype(np.uint8) for name in SUMMED], axis=1)
        found = _sudobench.accuracies(measures, np.where(self.scored, buckets, -1).astype(np.int64), count)
        return [accuracies_of(means) for means in found]

    def __repr__(self) -> str:
        share = f": {self.exact[self.scored].mean():.2%} exact" if self.scored.any() else ""
        return f"<sudobench.Scores of {len(self):,} predictions{share}>"


def score(
    puzzles: Any,
    predictions: Any,
    solutions: Any = None,
    *,
    extract: bool = False,
    pass_at: SupportsIndex | Iterable[SupportsIndex] = (),
    group_by: Iterable[Any] | None = None,
    tokens: Tokens = "digits",
    digits_only: bool = False,
    solvable: bool = False,
    threads: int | None = None,
    progress: bool | OnProgress = False,
) -> Scores:
    """Scores predicted grids: finds out which grids are right, and how many of their cells are right.

    Puzzles, predictions and solutions are of the kinds that `solve` takes, with a row for each prediction. If there is
    only one puzzle or one solution (also in a list or an array), it is used for all predictions. A prediction that cannot
    be read, such as `None` or a text of 80 characters, counts as wrong, and its note says why. Rows with a malformed
    puzzle are left out of all means.

    Predictions may also be the outputs of a model, an array of floats of shape (N, 81, classes) or (81, classes). For
    each cell, the class with the largest output counts. If several outputs are equally large, the first one counts. NaN
    never counts. 9 classes are the digits 1 to 9. 10 classes are a blank and the digits. 11 classes are the tokens of HRM:
    padding, a blank, and the digits. A cell whose class is a blank or padding is wrong.

    Boards and outputs may be tensors of PyTorch, JAX and other packages with DLPack, also bfloat16 and float16. Tensors
    in the memory of a GPU need `.cpu()`, and tensors with gradients need `.detach()`.

    - `solutions`: without them, the puzzles are solved. If a puzzle does not have exactly one solution, its
      predictions are then not compared with a solution.
    - `extract`: predictions are texts, such as answers of a language model, in which the grid has to be found: see
      the function `extract`. A text without a grid, or an item that is no text, counts as wrong.
    - `pass_at`: numbers k for which the result has pass@k: the probability that at least one of k predictions for a
      puzzle is exact. If c of n predictions for a puzzle are exact, the probability is 1 - C(n - c, k) / C(n, k). The
      result is the mean over the puzzles. If any puzzle has fewer than k predictions, there is no result for this k, as in
      the evaluation programs of HumanEval.
    - `group_by`: a value for each prediction, such as the number of its puzzle; for pass@k, predictions with equal
      values form a group. By default, predictions for equal puzzles form a group.
    - `tokens`: `"digits"`, or `"hrm"` if whole numbers are tokens of HRM: 1 is a blank, 2 to 10 are the digits. This applies to puzzles,
      predictions and solutions alike, but not to texts.
    - `digits_only`: choose only among the digits, even if the outputs have other classes too.
    - `solvable`: find out which predictions can be completed to a solution. This solves each of them.
    - `threads`, `progress`: as in `solve`.

    Use `score_file` for files, and `sudobench score` for files on the command line.

    >>> import sudobench
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> right = sudobench.solve(puzzle).solution
    >>> scores = sudobench.score([puzzle] * 3, [right, right[:-1] + "1", None])
    >>> scores.exact.tolist(), scores.right_cells.tolist(), scores.notes
    ([True, False, False], [81, 80, 0], {2: 'prediction: the puzzle is null'})
    >>> round(scores.accuracies.cell_accuracy.mean, 3)
    0.663
    """
    numbers = _numbers_of(pass_at)
    if group_by is not None and not numbers:
        raise ValueError("group_by groups predictions for pass@k: add pass_at")
    blank = blank_of(tokens)
    puzzles, solutions = _given(puzzles, "puzzles", blank), _given(solutions, "solutions", blank)
    found_in, others = None, dict[int, str]()
    if extract:
        predictions = [predictions] if isinstance(predictions, (str, bytes)) else _given(predictions, "predictions", 0)
        given, found_in, others = grids_in(predictions, threads)
        predicted = Source(predictions, False, lambda part: grids_in(part, 1)[0])
    else:
        predictions = _given(predictions, "predictions", blank)
        if _are_outputs(predictions):
            predictions = boards_of_outputs(array_of(predictions), digits_only)
        given = read(predictions, "score")
        predicted = source_of(predictions, given)
    asked = read(puzzles, "score")
    known = None if solutions is None else read(solutions, "score")
    found = shown(progress, lambda told: _sudobench.score(asked, given, known, solvable, threads, told))
    import numpy as np

    arrays: dict[str, Any] = {name: np.asarray(found[name]) for name in (*MASKS, *NUMBERS)}
    arrays["solvable"] = arrays["solvable"] if solvable else None
    if found["notes"] and tokens == "digits":
        _warn_of_tokens({"puzzles": puzzles, "predictions": predictions, "solutions": solutions})
    passed = _pass_at(numbers, asked, group_by, arrays["exact"], arrays["scored"]) if numbers else {}
    return Scores(
        **arrays,
        pass_at=passed,
        cell_errors=cell_errors_of(found["cells"]),
        found=found_in,
        notes=_notes_of(found["notes"], others),
        _origin=origin_of(given),
        _boards=ScoredBoards(
            source_of(puzzles, asked), predicted, None if known is None else source_of(solutions, known), len(arrays["exact"])
        ),
    )


def _notes_of(found: list[tuple[int, str]], others: dict[int, str]) -> dict[int, str]:
    """Returns the notes by row. `others` has notes of predictions that are not texts. If the puzzle of such a row
    is malformed too, the row has only the note about the puzzle."""
    notes = dict(found)
    for row, note in others.items():
        if notes.get(row, "").startswith("prediction: "):
            notes[row] = f"prediction: {note}"
    return notes


def _numbers_of(pass_at: Any) -> list[int]:
    """Returns the numbers k of pass@k as a list."""
    try:
        # Every array has __index__, which is also the method of whole numbers. So the dimensions are checked too.
        numbers = [operator.index(k) for k in ([pass_at] if hasattr(pass_at, "__index__") and not getattr(pass_at, "ndim", 0) else pass_at)]
    except TypeError:
        raise TypeError(f"pass_at={pass_at!r}: give a whole number or a list of whole numbers") from None
    if any(not 1 <= k < 1 << 32 for k in numbers):
        raise ValueError(f"pass_at={numbers}: each k must be 1 or more, and less than 2**32")
    return numbers


def _pass_at(
    numbers: list[int], puzzles: Rows, group_by: Iterable[Any] | None, exact: npt.NDArray[np.bool_], scored: npt.NDArray[np.bool_]
) -> dict[int, PassAt]:
    """Returns pass@k for each k."""
    import numpy as np

    if group_by is None:
        boards = columns_of(puzzles, "dedupe", ["puzzle"], {})["puzzle"]
        values: list[Any] = list(map(bytes, boards)) * (len(exact) if len(boards) == 1 else 1)
    else:
        values = list(group_by)
    if len(values) != len(exact):
        raise ValueError(f"group_by: {len(values)} values for {len(exact)} predictions: give one value for each prediction")
    known: dict[Any, int] = {}
    groups = np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)
    return pass_at_of(_sudobench.pass_at(np.where(scored, groups, -1), exact.astype(np.uint8), numbers))


def score_table(
    table: Table,
    column: str | int,
    columns: str | Sequence[str] = ("exact", "valid", "right_cells", "right_blanks"),
    *,
    prediction_column: str | int = "prediction",
    solution_column: str | int | None = None,
    extract: bool = False,
    threads: int | None = None,
    progress: bool | OnProgress = False,
) -> Table:
    """Adds columns to a table that say how good the prediction in each row is. See `score`.

    Tables are `Table` and `RecordBatch` of pyarrow, and frames of polars and pandas. The table keeps its type, all of
    its rows and its index.

    - `column`, `prediction_column`, `solution_column`: the columns of the puzzles, the predictions and the solutions,
      by name or by number from 1. Without solutions, the puzzles are solved.
    - `columns`: the columns to add, or `"all"`: exact, valid, right_cells, right_blanks, blanks, clues_kept,
      conflicts, filled, first_error (0 to 80), solvable, found (only with `extract`) and note. `Scores` describes them.
    - `extract`: predictions are texts in which the grid has to be found, as in `score`.

    >>> import pandas, sudobench
    >>> puzzles = sudobench.generate(2).text()
    >>> frame = pandas.DataFrame({"puzzle": puzzles, "prediction": sudobench.solve(puzzles).text()})
    >>> sudobench.score_table(frame, "puzzle", "exact")["exact"].tolist()
    [True, True]
    """
    import numpy as np

    names = chosen(columns, [name for name in COLUMNS if extract or name != "found"])
    puzzles, predictions = (column_of(table, side, names) for side in (column, prediction_column))
    solutions = None if solution_column is None else column_of(table, solution_column, [])
    is_asked = "solvable" in names
    found = score(puzzles, predictions, solutions, extract=extract, solvable=is_asked, threads=threads, progress=progress)
    added = {}
    for name, (values, present) in found._columns().items():
        if name in names:
            if isinstance(values, dict):
                present = np.isin(np.arange(len(found)), list(values))
                values = texts_of(values, len(found))
            added[name] = (np.asarray(values), np.zeros(len(found), dtype=bool) if present is None else ~present)
    scored: Table = with_columns(table, {name: added[name] for name in names})
    return scored


def _given(boards: Any, what: str, blank: int) -> Any:
    """Converts tensors to arrays, and iterators (except streams of Arrow) to lists. If `blank` is not 0, the numbers are tokens of HRM, in
    which `blank` stands for a blank: they are converted to digits. Messages call the boards `what`."""
    if is_tensor(boards):
        try:
            boards = array_of(boards)
        except Exception as error:
            is_on_cpu = "cpu" in str(getattr(boards, "device", "")).lower()
            remedy = "" if is_on_cpu else "; pass a tensor in the memory of the CPU, such as `.detach().cpu()`"
            raise TypeError(f"{what}: {str(error).rstrip('.')}{remedy}") from error
    elif hasattr(boards, "__next__") and not is_arrow(boards):
        boards = list(boards)
    return boards if blank == 0 else digits_of_tokens(boards, blank, what)


def _are_outputs(predictions: Any) -> bool:
    """Returns whether predictions are the outputs of a model instead of boards."""
    is_float = "float" in str(getattr(predictions, "dtype", ""))
    return is_float and len(getattr(predictions, "shape", ())) in (2, 3)


def _warn_of_tokens(boards: dict[str, Any]) -> None:
    """Warns about boards that look like tokens of HRM, but were read as digits."""
    names = [name for name, value in boards.items() if may_be_tokens(value)]
    if names:
        warnings.warn(
            f"{', '.join(names)}: the numbers are 0 to 10, as in tokens of HRM. If they are tokens, pass tokens=\"hrm\"", stacklevel=3
        )
