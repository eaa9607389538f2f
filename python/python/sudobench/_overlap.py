"""The functions `overlap` and `overlap_table`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from . import _sudobench
from ._puzzles import chosen, columns_of, origin_of, read_many
from ._results import Column, Origin, Results
from ._words import Words
from ._tables import column_of, with_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from ._names import OverlapKind
    from ._types import Prints, SolvingOptions

KINDS: tuple[OverlapKind, ...] = ("text", "isomorph", "solution", "solution_isomorph")
COLUMNS = ("overlap", "train_input", "train_line")


@dataclass(frozen=True, eq=False, repr=False)
class Overlap(Results[dict[str, Any]]):
    """The overlap of two sets of puzzles, `train` and `test`. For each kind of overlap there is a mask of the rows of
    `test`, or `None` if the kind was not requested."""

    text: npt.NDArray[np.bool_] | None
    """Whether `train` contains the same puzzle."""
    isomorph: npt.NDArray[np.bool_] | None
    """Whether `train` contains the same puzzle or an equivalent puzzle: one that differs only by renamed digits, by the order of rows,
    columns, bands or stacks, or by transposing."""
    solution: npt.NDArray[np.bool_] | None
    """Whether `train` contains a puzzle with the same solution grid, with any clues. Puzzles without exactly one solution are ignored."""
    solution_isomorph: npt.NDArray[np.bool_] | None
    """Whether `train` contains a puzzle with the same or an equivalent solution grid."""
    train_row: npt.NDArray[np.int64]
    """For each row of `test`, the position (from 0) of the first row of `train` that overlaps with it in the strongest
    way; -1 if no row overlaps. For a pandas series, the position is a number for `iloc`, not a label of the index."""
    train_mask: npt.NDArray[np.bool_]
    """A mask of the rows of `train` that overlap with a row of `test` in any requested way: `train[~found.train_mask]`
    does not overlap with `test`."""
    distinct: dict[str, int]
    """For each kind of overlap, how many different values `train` has: puzzles, classes of equivalent puzzles, solution grids, or classes
    of equivalent solution grids."""
    notes: dict[int, str]
    """For each malformed row of `test`, its number from 0 and the reason. Malformed rows overlap with nothing."""
    train_notes: dict[int, str]
    """For each malformed row of `train`, its number from 0 and the reason."""

    _of_all: ClassVar[tuple[str, ...]] = ("train_mask", "distinct", "train_notes")

    @property
    def masks(self) -> dict[str, npt.NDArray[np.bool_]]:
        """The masks by the names of their kinds. The strongest kind of overlap comes first."""
        masks = {"text": self.text, "isomorph": self.isomorph, "solution": self.solution}
        masks["solution_isomorph"] = self.solution_isomorph
        return {name: mask for name, mask in masks.items() if mask is not None}

    @property
    def any(self) -> npt.NDArray[np.bool_]:
        """Which rows of `test` overlap with `train` in any way. `~found.any` selects the rows that do not overlap."""
        return self.train_row >= 0

    @property
    def strongest(self) -> Words:
        """The strongest kind of overlap of each row of `test`; empty if the row does not overlap."""
        import numpy as np

        codes = np.select(list(self.masks.values()), range(len(self.masks)), -1)
        return Words(codes.astype(np.int8), list(self.masks))

    @property
    def counts(self) -> dict[str, int]:
        """The number of rows of `test` that overlap in each way, and in any way."""
        return {name: int(mask.sum()) for name, mask in {**self.masks, "any": self.any}.items()}

    @property
    def shares(self) -> dict[str, float]:
        """The counts as shares of all rows of `test`, from 0 to 1."""
        return {name: count / max(len(self), 1) for name, count in self.counts.items()}

    def __len__(self) -> int:
        return len(self.train_row)

    def _columns(self) -> dict[str, Column]:
        return {
            "overlap": Column(self.strongest),
            **{name: Column(mask) for name, mask in self.masks.items()},
            "train_row": Column(self.train_row, self.any),
            "note": Column(self.notes),
        }

    def __repr__(self) -> str:
        counts = ", ".join(f"{count:,} {name}" for name, count in self.counts.items())
        return f"<sudobench.Overlap of {len(self):,} puzzles: {counts}>"


def overlap(
    train: Any,
    test: Any,
    *,
    by: str | Sequence[OverlapKind] = KINDS,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> Overlap:
    """Finds the puzzles of `test` that overlap with `train`: the same puzzle, an equivalent puzzle, or a puzzle with
    the same or an equivalent solution.

    `train` and `test` are many puzzles each, of any kind that `solve` takes: arrays, lists, or a column of a table such
    as `frame["puzzle"]`.

    - `by`: the kinds of overlap to find: text, isomorph, solution, solution_isomorph. Puzzles are solved only for the
      last two.

    `threads` and `restore_zeros` are as in `solve`. Besides the puzzles, each row of `train` and of `test` takes
    about 40 bytes of memory for each kind in `by`. Use `overlap_table` for tables, and `overlap_file` for files of any size.

    >>> import sudobench
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> found = sudobench.overlap([puzzle], [puzzle[::-1], puzzle])
    >>> found.counts
    {'text': 1, 'isomorph': 2, 'solution': 1, 'solution_isomorph': 2, 'any': 2}
    >>> found.strongest.tolist()
    ['isomorph', 'text']
    """
    return _compare([train], test, by, threads, restore_zeros)[0]


def overlap_table(
    train: Any,
    test: Any,
    column: str | int,
    columns: str | Sequence[str] = COLUMNS,
    *,
    train_column: str | int | None = None,
    by: str | Sequence[OverlapKind] = KINDS,
    threads: int | None = None,
    restore_zeros: bool = False,
) -> Any:
    """Adds columns to the table `test` that describe the overlap of each puzzle with the puzzles of the table `train`.

    Takes `Table` and `RecordBatch` of pyarrow, and frames of polars and pandas. The result has the type of `test`, with
    all of its rows and its index. `train` is one table or a list of tables, which may be of another library.

    - `column`: the column of puzzles of `test`, by its name or its number from 1.
    - `columns`: the columns to add, or `"all"`. The values are null if a row does not overlap.

      - `overlap`: the strongest kind of overlap, which is the first of text, isomorph, solution and solution_isomorph
        that applies.
      - `train_input`: the number of the table of `train` that has the first row with this overlap, from 1.
      - `train_line`: the number of that row in the table, from 1.

    - `train_column`: the column of puzzles of `train`. The default is `column`.

    The other options are as in `overlap`."""
    import numpy as np

    names = chosen(columns, COLUMNS)
    trains = train if isinstance(train, (list, tuple)) else [train]
    if not trains:
        raise ValueError("train is an empty list: give at least one table")
    trains = [column_of(table, column if train_column is None else train_column, []) for table in trains]
    found, train_input = _compare(trains, column_of(test, column, names), by, threads, restore_zeros)
    values = {"overlap": np.asarray(found.strongest), "train_input": train_input + 1, "train_line": found.train_row + 1}
    return with_columns(test, {name: (values[name], ~found.any) for name in names})


def _compare(
    trains: list[Any], test: Any, by: str | Sequence[OverlapKind], threads: int | None, restore_zeros: bool
) -> tuple[Overlap, npt.NDArray[np.int64]]:
    """Finds how the rows of `test` overlap with the datasets `trains`, taken together.

    Also returns for each row of `test` the number of the dataset that `train_row` refers to, from 0; -1 if the row does
    not overlap."""
    import numpy as np

    kinds = [kind.strip() for kind in (by.split(",") if isinstance(by, str) else by)]
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown or not kinds:
        raise ValueError(f"by={by!r}: choose from {', '.join(KINDS)}")
    kinds = [kind for kind in KINDS if kind in kinds]
    options: SolvingOptions = {"threads": threads, "restore_zeros": restore_zeros}
    sides = [_prints(puzzles, kinds, options) for puzzles in [*trains, test]]
    *train_prints, test_prints = [side[0] for side in sides]
    raw = _sudobench.overlaps(train_prints, test_prints)
    masks = {name: np.asarray(mask) for name, mask, _ in raw["kinds"]}
    found = Overlap(
        text=masks.get("text"),
        isomorph=masks.get("isomorph"),
        solution=masks.get("solution"),
        solution_isomorph=masks.get("solution_isomorph"),
        train_row=np.asarray(raw["train_row"]),
        train_mask=np.concatenate([np.asarray(mask) for mask in raw["train_masks"]]),
        distinct={name: distinct for name, _, distinct in raw["kinds"]},
        notes=sides[-1][1],
        train_notes=sides[0][1],
        _origin=sides[-1][2],
    )
    return found, np.asarray(raw["train_input"])


def _prints(puzzles: Any, kinds: list[str], options: SolvingOptions) -> tuple[Prints, dict[int, str], Origin]:
    """Returns the fingerprints of puzzles for these kinds of overlap, the notes of malformed rows, and the origin of the
    rows."""
    names = [f"{kind}_{half}" for kind in kinds for half in ("high", "low")]
    rows = read_many(puzzles, "overlap", options["restore_zeros"])
    columns = columns_of(rows, "overlap", [*names, "note"], options)
    halves = [columns[name] for name in names]
    return list(zip(kinds, halves[::2], halves[1::2])), columns["note"], origin_of(rows)
