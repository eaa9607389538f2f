"""Boards from the outputs and the tokens of models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._dlpack import array_of
from ._puzzles import is_arrow, is_of, is_tensor, read

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

BYTES_AT_ONCE = 1 << 20
"""Number of bytes of outputs that are converted at a time: few enough to usually fit into the cache of the processor."""

ROWS_AT_ONCE = 2048
"""Number of boards (given as tokens) that are converted at a time."""

MOST = 10
"""The largest token of HRM, which stands for the digit 9."""


def boards_of_outputs(outputs: npt.NDArray[Any], digits_only: bool) -> npt.NDArray[np.uint8]:
    """Returns the board that a model's outputs of shape (81, classes) stand for. If the shape is (N, 81, classes), returns N boards. See
    `score` for the rule."""
    import numpy as np

    shape = outputs.shape
    if shape[-2] != 81 or shape[-1] not in (9, 10, 11):
        raise ValueError(f"predictions: outputs of shape {shape}, but the shape must be (N, 81, classes) or (81, classes) with 9, 10 or 11 classes")
    first = {9: 1, 10: 0, 11: -1}[shape[-1]]
    if digits_only:
        outputs, first = outputs[..., -9:], 1
    rows = outputs[None] if outputs.ndim == 2 else outputs
    boards = np.empty(rows.shape[:-1], dtype=np.uint8)
    rows_at_once = max(1, BYTES_AT_ONCE // (81 * rows.shape[-1] * max(rows.itemsize, 4)))
    for start in range(0, len(rows), rows_at_once):
        boards[start : start + rows_at_once] = _digits(rows[start : start + rows_at_once], first)
    return boards.reshape(shape[:-1])


def _digits(outputs: npt.NDArray[Any], first: int) -> npt.NDArray[np.uint8]:
    """Returns the digit of each cell: the digit of the class with the largest output. Class 0 stands for the digit `first`, class 1 for
    `first + 1` and so on. The digit -1 (padding) becomes 0, a blank."""
    import numpy as np

    # One array for each class: comparing whole arrays is several times faster than `argmax` over the few classes of each cell.
    planes = np.ascontiguousarray(np.moveaxis(outputs, -1, 0), dtype=np.float32 if outputs.itemsize < 4 else outputs.dtype)
    largest = planes[0].copy()
    best = np.zeros(largest.shape, dtype=np.uint8)
    for number in range(1, len(planes)):
        is_larger = np.greater(planes[number], largest)
        np.maximum(best, is_larger.view(np.uint8) * np.uint8(number), out=best)
        np.maximum(largest, planes[number], out=largest)
    # `np.maximum` returns NaN if one of its arguments is NaN, so `largest` is NaN for each cell that has NaN.
    if np.isnan(largest).any():
        return _digits_despite_nan(outputs, first)
    return best + np.uint8(first) if first >= 0 else np.maximum(best, 1) - np.uint8(1)


def _digits_despite_nan(outputs: npt.NDArray[Any], first: int) -> npt.NDArray[np.uint8]:
    """Does the same as `_digits`, for outputs with NaN. A class whose output is NaN is never chosen."""
    import numpy as np

    is_number = ~np.isnan(outputs)
    best = np.where(is_number, outputs, -np.inf).argmax(axis=-1)
    # `argmax` gets -inf instead of NaN. So if a cell has only -inf and NaN, `argmax` can choose the class of a NaN. Then the class of the
    # first -inf is chosen instead. A cell that has only NaN is blank.
    is_nan = ~np.take_along_axis(is_number, best[..., None], axis=-1)[..., 0]
    best = np.where(is_nan, is_number.argmax(axis=-1), best)
    return np.where(is_number.any(axis=-1), np.maximum(best + first, 0), 0).astype(np.uint8)


def digits_of_tokens(boards: Any, blank: int, what: str) -> Any:
    """Converts tokens of HRM in boards of any kind to digits, where `blank` is the token of a blank. Texts, missing values and everything
    else that is no whole number stay as they are.

    Raises `ValueError` for a number that is no token. The message calls the boards `what`. Unless `what` is `"predictions"`, also raises it
    for 0: this is the token of padding, but boards with a 0 most likely contain digits already."""
    if isinstance(boards, (str, bytes, bytearray, memoryview)):
        return boards
    if is_of("pandas", boards) and getattr(boards, "ndim", 0) == 1 and hasattr(boards, "map"):
        if boards.dtype != object and read(boards, "score").are_texts:
            return boards
        return boards.map(lambda board: _item_of_tokens(board, blank, what))
    if is_arrow(boards):
        if read(boards, "score").are_texts:
            return boards
        list_of = getattr(boards, "to_pylist", None) or getattr(boards, "to_list", None)
        boards = boards if list_of is None else list_of()
    return _item_of_tokens(boards, blank, what)


def _item_of_tokens(item: Any, blank: int, what: str) -> Any:
    """Returns the same as `digits_of_tokens` for a list of boards, a board, a row of a board, or a cell."""
    import numpy as np

    if isinstance(item, (int, np.integer)) and not isinstance(item, bool):
        _check_tokens(item, item, what)
        return max(int(item) - blank, 0)
    if isinstance(item, (list, tuple)):
        if item and not isinstance(item[0], (str, bytes)):
            try:
                array = np.asarray(item)
            except ValueError:  # The items have different lengths.
                array = np.array(None)
            if array.dtype.kind in "iu":
                return _array_of_tokens(array, blank, what)
        return [_item_of_tokens(part, blank, what) for part in item]
    if is_tensor(item):
        array = array_of(item)
        if array.dtype.kind == "O":
            return _item_of_tokens(array.tolist(), blank, what)
        return _array_of_tokens(array, blank, what) if array.dtype.kind in "iu" else array
    return item


def _array_of_tokens(tokens: npt.NDArray[Any], blank: int, what: str) -> npt.NDArray[np.uint8]:
    import numpy as np

    digits = np.empty(tokens.shape, dtype=np.uint8)
    for start in range(0, len(tokens), ROWS_AT_ONCE):
        block = tokens[start : start + ROWS_AT_ONCE]
        if block.size:
            _check_tokens(block.min(), block.max(), what)
        digits[start : start + ROWS_AT_ONCE] = block
    np.maximum(digits, blank, out=digits)
    digits -= np.uint8(blank)
    return digits


def _check_tokens(smallest: Any, largest: Any, what: str) -> None:
    if smallest < 0 or largest > MOST:
        raise ValueError(f"{what}: tokens of HRM are 0 to {MOST}")
    if smallest == 0 and what != "predictions":
        raise ValueError(f'{what}: a cell is 0, but with tokens="hrm" the cells are tokens from 1 to {MOST}: if 0 is a blank, add 1 to all cells')


def may_be_tokens(boards: Any) -> bool:
    """Returns whether an array of whole numbers looks like tokens of HRM: its largest number is the token of the digit 9."""
    array = array_of(boards) if is_tensor(boards) else None
    if array is None or array.dtype.kind not in "iu" or array.size == 0:
        return False
    return bool(array.max() == MOST and array.min() >= 0)
