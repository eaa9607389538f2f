"""Makes any number of different puzzles from a few puzzles."""

import numpy as np
import pyarrow as pa


def relabelled(puzzles: list[str], rows: int) -> pa.Array:
    """Returns `rows` puzzles as strings. Each is one of `puzzles`, chosen at random, with its digits renamed at random."""
    digits = np.array([[int(cell) if cell.isdigit() else 0 for cell in puzzle] for puzzle in puzzles], dtype=np.uint8)
    generator = np.random.default_rng(20261121)
    chosen = digits[generator.integers(len(digits), size=rows)]
    labels = np.zeros((rows, 10), dtype=np.uint8)
    labels[:, 1:] = generator.permuted(np.tile(np.arange(1, 10, dtype=np.uint8), (rows, 1)), axis=1)
    texts = np.take_along_axis(labels, chosen, axis=1) + np.uint8(ord("0"))
    offsets = np.arange(0, 81 * (rows + 1), 81, dtype=np.int32)
    return pa.StringArray.from_buffers(rows, pa.py_buffer(offsets), pa.py_buffer(texts))
