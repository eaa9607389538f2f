"""The functions `split` and `split_table`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from . import _sudobench
from ._puzzles import columns_of, labels_of, origin_of, read_many
from ._results import Column, Results
from ._tables import column_of, rows_of
from ._words import Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt

    from ._names import ClassKind
    from ._types import SolvingOptions

SIDES = ["train", "test"]


@dataclass(frozen=True, eq=False, repr=False)
class Split(Results[dict[str, Any]]):
    """The sides of many puzzles: training or test data."""

    train: npt.NDArray[np.bool_]
    """A mask of the rows for training. If the puzzles are an array, `puzzles[split.train]` are the puzzles for training."""
    test: npt.NDArray[np.bool_]
    """A mask of the rows for tests."""
    notes: dict[int, str]
    """For each malformed row, its number from 0 and the reason. Malformed rows are on neither side."""
    test_share: dict[Any, float] = field(default_factory=dict)
    """For each label of `stratify`: the share of test rows among the rows with this label. Malformed rows don't count."""

    _of_all: ClassVar[tuple[str, ...]] = ("test_share",)

    @property
    def side(self) -> Words:
        """`train` or `test` for each row, and an empty string for a malformed row."""
        import numpy as np

        codes = np.where(self.test, 1, np.where(self.train, 0, -1)).astype(np.int8)
        return Words(codes, SIDES)

    def _columns(self) -> dict[str, Column]:
        return {"side": Column(self.side), "note": Column(self.notes)}

    def __repr__(self) -> str:
        return f"<sudobench.Split: {self.train.sum():,} rows to train, {self.test.sum():,} to test>"


def split(
    puzzles: Iterable[Any],
    *,
    test: float | str = 0.1,
    by: ClassKind = "solution_isomorph",
    seed: int = 1,
    stratify: Iterable[Any] | None = None,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> Split:
    """Splits puzzles into training and test data, without leaks: puzzles of one class are always on the same side.

    Takes the same kinds of many puzzles as `solve`.

    - `test`: the share of the test data, such as 0.1 or `"10%"`. The actual share of the test rows is close to
      `test`, but not exact.
    - `by`: the kind of class. `"text"`: equal puzzles. `"isomorph"`: equivalent puzzles. `"solution"`: puzzles with the
      same solution. `"solution_isomorph"`: puzzles with equivalent solutions, which includes equivalent puzzles. For
      puzzles without exactly one solution, `"solution"` works like `"text"`, and `"solution_isomorph"` like `"isomorph"`.
    - `seed`: together with the class, it decides the side. A row keeps its side when other rows are added or removed.
      `split_file` and the command put each puzzle on the same side.
    - `stratify`: a label for each puzzle, such as its difficulty. Then about the share `test` of each label becomes test
      data, as with `train_test_split` of scikit-learn, but a class is still on one side. Without `stratify`, the share of
      a label varies by chance: if 20 classes have the same label and `test=0.1`, two of them are expected in the test
      data, but there may be none or five. With `stratify`, the side of a row also depends on the other rows: a row can
      change its side when rows are added. `Split.test_share` has the resulting share of each label. In `split_file` and
      in the command, `stratify` is the name of a column.

    `threads` and `restore_zeros` are as in `solve`.

    >>> import sudobench
    >>> puzzles = sudobench.generate(200).puzzle
    >>> found = sudobench.split(puzzles, test=0.25)
    >>> len(puzzles[found.train]) + len(puzzles[found.test])
    200
    """
    import numpy as np

    rows = read_many(puzzles, "split", restore_zeros)
    options: SolvingOptions = {"threads": threads, "restore_zeros": restore_zeros}
    if by == "solution_isomorph":
        columns = columns_of(rows, "canonical", ["canonical", "canonical_solution", "note"], options)
        grids, boards = columns["canonical_solution"], columns["canonical"]
        classes = np.where(grids.any(axis=1, keepdims=True), grids, boards)
    elif by == "isomorph":
        columns = columns_of(rows, "canonical", ["canonical", "note"], options)
        classes = columns["canonical"]
    elif by in ("text", "solution"):
        columns = columns_of(rows, "dedupe", ["puzzle", "note"], options)
        classes = columns["puzzle"]
        if by == "solution":
            solved = columns_of(rows, "solve", ["solution", "count"], options)
            classes = np.where((solved["count"] == 1)[:, None], solved["solution"], classes)
    else:
        raise ValueError(f"by={by!r}: choose from text, isomorph, solution, solution_isomorph")
    malformed = list(columns["note"])
    strata, labels = (None, []) if stratify is None else _strata(stratify, len(classes), malformed)
    is_test = np.array(_sudobench.test_sides(np.ascontiguousarray(classes), str(test), seed, strata))
    is_train = ~is_test
    is_test[malformed] = is_train[malformed] = False
    shares = {label: float(is_test[strata == number].mean()) for number, label in enumerate(labels)}
    return Split(is_train, is_test, columns["note"], shares, _origin=origin_of(rows))


def _strata(stratify: Iterable[Any], rows: int, malformed: list[int]) -> tuple[npt.NDArray[np.int64], list[Any]]:
    """Returns the index of each row's label, -1 for malformed rows, and the list of labels. All missing labels count as the
    same label, `None`."""
    import numpy as np

    labels = labels_of(stratify)
    if len(labels) != rows:
        raise ValueError(f"stratify has {len(labels)} labels for {rows} puzzles: give one label for each puzzle")
    is_malformed = np.zeros(rows, dtype=bool)
    is_malformed[malformed] = True
    numbers: dict[Any, int] = {}
    strata = [-1 if skipped else numbers.setdefault(label, len(numbers)) for label, skipped in zip(labels, is_malformed.tolist())]
    return np.array(strata, dtype=np.int64), list(numbers)


def split_table(
    table: Any,
    column: str | int,
    *,
    test: float | str = 0.1,
    by: ClassKind = "solution_isomorph",
    seed: int = 1,
    stratify: str | int | Iterable[Any] | None = None,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> tuple[Any, Any]:
    """Splits the rows of a table into a table for training and a table for tests, without leaks. See `split`.

    Takes a `Table` or `RecordBatch` of pyarrow, or a frame of polars or pandas. Both results have the same type, and
    frames of pandas keep their index. Malformed rows go to the training data, as with `split_file`.

    - `column`: the column of puzzles, by its name or its number from 1.
    - `stratify`: the column of labels, by its name or its number from 1, or a label for each row.

    >>> import pandas, sudobench
    >>> frame = pandas.DataFrame({"puzzle": sudobench.generate(200).text()})
    >>> train, test = sudobench.split_table(frame, "puzzle", test="25%")
    >>> len(train) + len(test)
    200
    """
    import numpy as np

    puzzles = column_of(table, column, [])
    labels = column_of(table, stratify, []) if isinstance(stratify, (str, int)) else stratify
    found = split(puzzles, test=test, by=by, seed=seed, stratify=labels, threads=threads, restore_zeros=restore_zeros)
    train, held_out = (rows_of(table, np.flatnonzero(mask)) for mask in (~found.test, found.test))
    return train, held_out
