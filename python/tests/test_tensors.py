"""Tensors of other packages. Tests of PyTorch, JAX and ml_dtypes are skipped without these packages."""

from __future__ import annotations

import ctypes
import gc
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import sudobench
from sudobench._dlpack import _Tensor, array_of

Array = npt.NDArray[Any]


def described(capsule: Any) -> _Tensor:
    """Returns the tensor structure that a DLPack capsule contains."""
    pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
    return ctypes.cast(pointer_of(capsule, b"dltensor"), ctypes.POINTER(_Tensor)).contents


class Tensor:
    """A tensor that supports only DLPack. `kind` and `device` set the type of numbers and the device that it reports."""

    def __init__(self, array: Array, kind: int | None = None, device: int = 1) -> None:
        self.array, self.kind, self.device = array, kind, device

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device, 0

    def __dlpack__(self) -> Any:
        capsule = self.array.__dlpack__()
        if self.kind is not None:
            described(capsule).type.kind = self.kind
        return capsule


def bfloat16(array: Array) -> Tensor:
    """Returns an array as a tensor of bfloat16. The bits of each number are the upper half of a float32."""
    return Tensor((array.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16), kind=4)


@pytest.fixture(scope="module")
def boards() -> tuple[Array, Array, Array]:
    """Puzzles, solutions, and outputs of a model that is often wrong. bfloat16 can store each output exactly."""
    draw = np.random.default_rng(5)
    puzzles = sudobench.generate(60, seed=6).puzzle
    outputs = draw.permuted(np.tile(np.arange(11) / 8 - 0.5, (60, 81, 1)), axis=2).astype(np.float32)
    return puzzles, sudobench.solve(puzzles).solution, outputs


def test_arrays_are_read_by_dlpack_without_a_copy() -> None:
    for kind in (np.int8, np.uint8, np.int32, np.int64, np.float16, np.float32, np.float64, np.bool_):
        array = np.arange(2 * 9 * 9).reshape(2, 9, 9).astype(kind)
        for given in (array, array[:, ::2, 1:5], array.transpose(2, 0, 1), array[:0], array[1, 2, 3:4].reshape(())):
            found = array_of(Tensor(given))
            np.testing.assert_array_equal(found, given, strict=True)
            assert given.size == 0 or np.shares_memory(found, array)
    # The array keeps the memory of the tensor alive.
    kept = array_of(Tensor(np.full(10**6, 7, dtype=np.int64)))
    gc.collect()
    assert (kept == 7).all()


def test_bfloat16_is_read_as_it_is() -> None:
    numbers = np.array([[0.0, -0.0, 1.0, -2.5], [np.inf, -np.inf, 3e38, 1e-40]], dtype=np.float32)
    upper = (numbers.view(np.uint32) & 0xFFFF0000).view(np.float32)
    np.testing.assert_array_equal(array_of(bfloat16(numbers)), upper, strict=True)
    assert np.isnan(array_of(bfloat16(np.full(3, np.nan)))).all()


def test_outputs_and_boards_are_scored_alike_whatever_holds_them(boards: tuple[Array, Array, Array]) -> None:
    puzzles, solutions, outputs = boards
    wanted = sudobench.score(puzzles, outputs, solutions).right_cells
    assert 0 < wanted.sum() < wanted.size * 81
    for given in (Tensor(outputs), Tensor(outputs.astype(np.float16)), bfloat16(outputs)):
        found = sudobench.score(Tensor(puzzles), given, Tensor(solutions.astype(np.int64).reshape(-1, 9, 9)))
        np.testing.assert_array_equal(found.right_cells, wanted)
    tokens = sudobench.score(Tensor(puzzles.astype(np.int64) + 1), Tensor(solutions.astype(np.int32) + 1), Tensor(solutions + 1), tokens="hrm")
    assert tokens.exact.all() and sudobench.score(puzzles, Tensor(solutions)).exact.all()
    assert (sudobench.solve(Tensor(puzzles)).solution == solutions).all()
    assert (sudobench.solve(Tensor(puzzles[0])).status) == "unique"
    inputs, labels = sudobench.Augment(1)(Tensor(puzzles), Tensor(solutions), index=range(60), epoch=0)
    assert sudobench.is_solution(inputs, labels).all()


def test_what_numpy_cannot_read_is_named(boards: tuple[Array, Array, Array]) -> None:
    puzzles, _, outputs = boards
    for given, words in (
        (Tensor(outputs, device=2), r"memory of a device other than the CPU; pass a tensor .*`\.detach\(\)\.cpu\(\)`"),
        (Tensor(outputs, kind=5), "no type for DLPack's kind 5 with 32 bits"),
    ):
        with pytest.raises(TypeError, match=words):
            sudobench.score(puzzles, given)
    with pytest.raises(TypeError, match="memory of a device other than the CPU"):
        sudobench.solve(Tensor(puzzles, device=2))


def test_ml_dtypes(boards: tuple[Array, Array, Array]) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    puzzles, solutions, outputs = boards
    found = sudobench.score(puzzles, outputs.astype(ml_dtypes.bfloat16), solutions)
    np.testing.assert_array_equal(found.right_cells, sudobench.score(puzzles, outputs, solutions).right_cells)


def test_jax(boards: tuple[Array, Array, Array]) -> None:
    jax = pytest.importorskip("jax.numpy")
    puzzles, solutions, outputs = boards
    wanted = sudobench.score(puzzles, outputs, solutions).right_cells
    for kind in (jax.float32, jax.float16, jax.bfloat16):
        found = sudobench.score(jax.asarray(puzzles), jax.asarray(outputs, dtype=kind), jax.asarray(solutions))
        np.testing.assert_array_equal(found.right_cells, wanted)


def test_pytorch(boards: tuple[Array, Array, Array]) -> None:
    torch = pytest.importorskip("torch")
    puzzles, solutions, outputs = boards
    wanted = sudobench.score(puzzles, outputs, solutions).right_cells
    tensors = [torch.from_numpy(array) for array in boards]
    for kind in (torch.float32, torch.float16, torch.bfloat16):
        given = tensors[2].to(kind)
        for turned in (given, given.transpose(0, 1).contiguous().transpose(0, 1)):
            found = sudobench.score(tensors[0], turned, tensors[1].long())
            np.testing.assert_array_equal(found.right_cells, wanted)
        with pytest.raises(TypeError, match=r"predictions: .*detach"):
            sudobench.score(puzzles, given.clone().requires_grad_())
    hrm = [tensor.to(torch.int32) + 1 for tensor in tensors[:2]]
    found = sudobench.score(hrm[0], tensors[2].to(torch.bfloat16), hrm[1], tokens="hrm")
    np.testing.assert_array_equal(found.right_cells, wanted)
    assert sudobench.score(tensors[0], tensors[1].to(torch.uint8).reshape(-1, 9, 9)).exact.all()


class Pairs:
    """A data set of PyTorch: pairs of a puzzle and its solution. Each epoch has a new random form of each pair."""

    def __init__(self, puzzles: Array, solutions: Array) -> None:
        self.puzzles, self.solutions, self.augment = puzzles, solutions, sudobench.Augment(7)

    def __len__(self) -> int:
        return len(self.puzzles)

    def __getitem__(self, at: tuple[int, int]) -> tuple[Array, Array]:
        epoch, row = at
        return self.augment(self.puzzles[row], self.solutions[row], index=row, epoch=epoch)


class Epochs:
    """A sampler that adds the epoch to each index, because persistent workers don't know the current epoch."""

    def __init__(self, rows: int) -> None:
        self.rows, self.epoch = rows, 0

    def __iter__(self) -> Any:
        return iter([(self.epoch, row) for row in range(self.rows)])

    def __len__(self) -> int:
        return self.rows


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers_of_a_data_loader(boards: tuple[Array, Array, Array], method: str) -> None:
    torch_data = pytest.importorskip("torch.utils.data")
    puzzles, solutions, _ = boards
    sampler = Epochs(len(puzzles))
    loader = torch_data.DataLoader(
        Pairs(puzzles, solutions), batch_size=7, sampler=sampler, num_workers=2, multiprocessing_context=method, persistent_workers=True
    )
    for epoch in range(2):
        sampler.epoch = epoch
        batches = list(loader)
        wanted = sudobench.Augment(7)(puzzles, solutions, index=range(len(puzzles)), epoch=epoch)
        for side in range(2):
            np.testing.assert_array_equal(np.concatenate([batch[side].numpy() for batch in batches]), wanted[side])
