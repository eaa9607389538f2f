"""`Augment`: random equivalent forms of training pairs, new ones in each epoch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

from . import _sudobench
from ._dlpack import array_of
from ._names import blank_of
from ._puzzles import is_tensor

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from ._names import Tokens


@dataclass(frozen=True)
class Augment:
    """Transforms training pairs to random equivalent forms. A pair is a puzzle and its solution. Rows, columns, bands and stacks
    are reordered, the digits are renamed, and about half of the forms are transposed, unless `kinds` excludes the change. A puzzle
    and its solution get the same transformation, so the solution stays the solution.

    - `seed`: a whole number. Another seed gives other forms.
    - `kinds`: the kinds of changes, such as `"digits,transpose"`, or a list with some of the words `digits`, `rows`,
      `columns` and `transpose`. By default, all kinds.
    - `tokens`: `"digits"` if 0 is a blank, `"hrm"` if 1 is a blank and a digit is stored as digit + 1, as in the
      arrays of `export_hrm`.

    >>> import numpy, sudobench
    >>> solutions = sudobench.generate(8).solution
    >>> puzzles = numpy.where(numpy.arange(81) % 3 == 0, 0, solutions)
    >>> augment = sudobench.Augment(seed=7)
    >>> inputs, labels = augment(puzzles, solutions, index=range(8), epoch=0)
    >>> bool(sudobench.is_solution(inputs, labels).all())
    True

    An `Augment` never changes, so any number of threads and workers of a `DataLoader` can use the same one."""

    seed: int
    kinds: str | Sequence[str] | None = None
    tokens: Tokens = "digits"

    def __post_init__(self) -> None:
        blank_of(self.tokens)
        _sudobench.check_augment(self.seed, self._kinds)

    @property
    def _kinds(self) -> str | None:
        return self.kinds if self.kinds is None or isinstance(self.kinds, str) else ",".join(self.kinds)

    def __call__(
        self,
        puzzles: Any,
        solutions: Any,
        *,
        index: SupportsIndex | Sequence[int] | npt.NDArray[np.integer[Any]] | range | None = None,
        epoch: SupportsIndex | None = None,
        out: tuple[npt.NDArray[np.integer[Any]], npt.NDArray[np.integer[Any]]] | None = None,
    ) -> tuple[npt.NDArray[np.integer[Any]], npt.NDArray[np.integer[Any]]]:
        """Returns the forms of the puzzles and of their solutions.

        The form of a pair depends only on the seed, the kinds, the epoch and the index of the pair. The order and the
        size of batches, the number of workers and the puzzle itself don't matter. All forms are equally likely.

        - `puzzles`, `solutions`: arrays of integers of shape (N, 81) or (N, 9, 9). For one pair, the shape may also be
          (81,) or (9, 9). Tensors of PyTorch, JAX and other packages with DLPack are read as arrays if they are on the
          CPU.
        - `index`: the position of each pair in the data set: N numbers, or one number for one pair.
        - `epoch`: the number of the epoch.
        - `out`: two arrays for the result, which are filled and returned. They have the shapes of `puzzles` and
          `solutions`, and integers of any type. By default, new arrays of the types of `puzzles` and `solutions` are
          returned.

        Without `index` or `epoch`, this raises `TypeError`. A number that is neither a digit nor a blank raises
        `ValueError`. The work is done in the calling thread, and other threads of Python run meanwhile."""
        import numpy as np

        if index is None or epoch is None:
            raise TypeError(
                "pass index=, the position of each pair in the data set, and epoch=: without them, the forms would depend on the order of "
                "calls, and workers of a DataLoader would draw the same forms or forms that cannot be repeated"
            )
        given = _boards("puzzles", puzzles), _boards("solutions", solutions)
        rows = given[0].size // 81
        if given[1].size // 81 != rows:
            raise ValueError(f"{given[1].size // 81} solutions for {rows} puzzles: give one solution for each puzzle")
        numbers = _index(index)
        pairs = given[0].shape[: -2 if given[0].shape[-1] == 9 else -1]
        if numbers.shape != pairs:
            wanted = f"numbers of the shape {pairs}, one for each pair" if pairs else "one number for one pair"
            raise ValueError(f"index has the shape {numbers.shape}: pass {wanted}")
        results = tuple(np.empty(boards.shape, boards.dtype) for boards in given) if out is None else _targets(out, given)
        _sudobench.augment_pairs(
            np.ascontiguousarray(given[0]),
            np.ascontiguousarray(given[1]),
            results[0],
            results[1],
            numbers,
            epoch,
            self.seed,
            self._kinds,
            blank_of(self.tokens),
        )
        return results[0], results[1]


def _boards(name: str, boards: Any) -> npt.NDArray[np.integer[Any]]:
    import numpy as np

    array = array_of(boards) if is_tensor(boards) else np.asarray(boards)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} is an array of {array.dtype}: give integers")
    if array.shape[-1:] != (81,) and array.shape[-2:] != (9, 9) or array.size % 81 or array.ndim > (2 if array.shape[-1] == 81 else 3):
        raise ValueError(f"{name} has the shape {array.shape}: give (N, 81) or (N, 9, 9), or (81,) or (9, 9) for one board")
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _index(index: Any) -> npt.NDArray[np.uint64]:
    import numpy as np

    array = np.asarray(index)
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"index is an array of {array.dtype}: give integers")
    if array.dtype.kind == "i" and array.size and array.min() < 0:
        raise ValueError(f"index has {array.min()}: give numbers from 0")
    return np.ascontiguousarray(array, dtype=np.uint64).reshape(array.shape)


def _targets(out: Any, given: tuple[npt.NDArray[np.integer[Any]], npt.NDArray[np.integer[Any]]]) -> tuple[npt.NDArray[np.integer[Any]], ...]:
    import numpy as np

    if not isinstance(out, (tuple, list)) or len(out) != 2:
        raise TypeError("out: give two arrays, one for the puzzles and one for the solutions")
    for place, (array, boards) in enumerate(zip(out, given)):
        if not isinstance(array, np.ndarray):
            raise TypeError(f"out[{place}] is of type {type(array).__name__}: give an array of NumPy, such as tensor.numpy()")
        if array.shape != boards.shape:
            raise ValueError(f"out[{place}] has the shape {array.shape}, but the boards have the shape {boards.shape}")
        if not array.flags.c_contiguous or not array.dtype.isnative:
            raise ValueError(f"out[{place}] is not C-contiguous, or not in the byte order of this machine: give an array such as np.empty(shape, dtype)")
    return tuple(out)
