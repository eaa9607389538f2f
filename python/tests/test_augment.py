"""`Augment`: random equivalent forms of training pairs, new ones in each epoch."""

import multiprocessing
import pickle
import re
import threading
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import sudobench
from conftest import Known

Array = npt.NDArray[np.integer[Any]]
Pair = tuple[Array, Array]


@pytest.fixture(scope="module")
def pairs(known: list[Known]) -> Pair:
    rows = [row for row in known if row.status == "unique"]
    digits = [[int(cell) if cell.isdigit() else 0 for cell in row.puzzle] for row in rows]
    puzzles = np.array(digits, dtype=np.uint8)
    return puzzles, sudobench.solve(puzzles).solution


def test_forms_are_isomorphic_and_keep_their_solutions(pairs: Pair) -> None:
    puzzles, solutions = pairs
    inputs, labels = sudobench.Augment(7)(puzzles, solutions, index=range(len(puzzles)), epoch=0)
    assert inputs.dtype == labels.dtype == np.uint8 and (inputs != puzzles).any(axis=1).all()
    assert (sudobench.solve(inputs).solution == labels).all()
    assert (sudobench.canonical(inputs).canonical == sudobench.canonical(puzzles).canonical).all()


def test_only_seed_epoch_and_index_decide(pairs: Pair) -> None:
    puzzles, solutions = pairs
    augment, index = sudobench.Augment(7), np.arange(len(puzzles)) + 10**12
    inputs, labels = augment(puzzles, solutions, index=index, epoch=3)
    # The forms stay the same if the pairs are passed in another order, or one at a time.
    order = np.random.default_rng(1).permutation(len(puzzles))
    shuffled, of_shuffled = augment(puzzles[order], solutions[order], index=index[order], epoch=3)
    assert (shuffled == inputs[order]).all() and (of_shuffled == labels[order]).all()
    for row in (0, 5):
        one, of_one = augment(puzzles[row], solutions[row].reshape(9, 9), index=index[row], epoch=3)
        assert (one == inputs[row]).all() and (of_one == labels[row].reshape(9, 9)).all()
    # The forms of equal puzzles differ if the index, the epoch or the seed differs.
    same = np.repeat(puzzles[:1], 500, axis=0), np.repeat(solutions[:1], 500, axis=0)
    forms = [
        sudobench.Augment(seed)(*same, index=range(500), epoch=epoch)[0] for seed, epoch in ((1, 0), (1, 1), (2, 0))
    ]
    assert len(np.unique(np.concatenate(forms), axis=0)) == 1500


def test_forms_never_change() -> None:
    """A seed must give the same forms in all versions of sudobench, so that a training run can be repeated."""
    puzzle = np.arange(81) % 10
    inputs, labels = sudobench.Augment(7)(puzzle, puzzle, index=2, epoch=1)
    assert (inputs == labels).all()
    assert "".join(map(str, inputs[:27])) == "021753698890431765902374586"


def test_kinds_are_those_of_transform(pairs: Pair) -> None:
    puzzles, solutions = pairs
    for kinds in ("digits", ["rows", "transpose"]):
        inputs, labels = sudobench.Augment(7, kinds=kinds)(puzzles, solutions, index=range(len(puzzles)), epoch=0)
        assert (sudobench.solve(inputs).solution == labels).all()
        assert ((inputs > 0) == (puzzles > 0)).all() == (kinds == "digits")
        assert (np.sort(inputs) == np.sort(puzzles)).all() == (kinds != "digits")


@pytest.mark.parametrize("kind", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4"])
def test_integers_of_any_type_and_tokens(pairs: Pair, kind: str) -> None:
    puzzles, solutions = pairs
    index = range(len(puzzles))
    inputs, labels = sudobench.Augment(7)(puzzles, solutions, index=index, epoch=0)
    as_kind = [boards.astype(kind) for boards in pairs]
    converted = sudobench.Augment(7)(*as_kind, index=index, epoch=0)
    assert {boards.dtype for boards in converted} == {np.dtype(kind).newbyteorder("=")}
    tokens = sudobench.Augment(7, tokens="hrm")(*(boards + 1 for boards in as_kind), index=index, epoch=0)
    for found, of_tokens, wanted in zip(converted, tokens, (inputs, labels)):
        assert (found == wanted).all() and (of_tokens == wanted + 1).all()
    # The arrays in `out` may have other types than the input. Inputs may have any memory order.
    out = np.zeros(puzzles.shape, dtype=np.int64), np.zeros(puzzles.shape, dtype=kind.strip(">"))
    made = sudobench.Augment(7)(np.asfortranarray(puzzles), as_kind[1][:, :], index=index, epoch=0, out=out)
    assert made[0] is out[0] and made[1] is out[1]
    assert (made[0] == inputs).all() and (made[1] == labels).all()


def test_arrays_that_are_given_are_filled_in_place(pairs: Pair) -> None:
    puzzles, solutions = (np.ascontiguousarray(boards[:4]) for boards in pairs)
    puzzles.flags.writeable = False
    large = np.full((2, 10, 81), 77, dtype=np.uint8)
    augment = sudobench.Augment(7)
    made = augment(puzzles, solutions, index=[3, 1, 4, 1], epoch=5, out=(large[0, 2:6], large[1, 2:6]))
    wanted = augment(puzzles, solutions, index=[3, 1, 4, 1], epoch=5)
    assert (large[0, 2:6] == wanted[0]).all() and (made[1] == wanted[1]).all()
    assert (large[:, :2] == 77).all() and (large[:, 6:] == 77).all()
    nothing = augment(puzzles[:0], solutions[:0], index=[], epoch=5)
    assert nothing[0].shape == (0, 81)


def test_what_is_wrong_is_named(pairs: Pair) -> None:
    puzzles, solutions = (boards[:3] for boards in pairs)
    wrong = puzzles.astype(np.int64)
    wrong[2, 80] = 10
    read_only = np.zeros_like(puzzles)
    read_only.flags.writeable = False
    good: dict[str, Any] = {"index": range(3), "epoch": 0}
    cases: list[tuple[Any, Any, dict[str, Any], type[Exception], str]] = [
        (puzzles, solutions, {}, TypeError, "pass index=.* and epoch=.*workers of a DataLoader"),
        (puzzles, solutions, {"index": range(3)}, TypeError, "pass index="),
        (puzzles, solutions, {**good, "index": 1}, ValueError, "index has the shape (): pass numbers of the shape (3,), one for each pair"),
        (puzzles[0], solutions[0], {**good, "index": [1]}, ValueError, "index has the shape (1,): pass one number for one pair"),
        (puzzles[:1], solutions[:1], {**good, "index": 1}, ValueError, "index has the shape (): pass numbers of the shape (1,), one for each"),
        (puzzles, solutions, {**good, "index": [0, 1, -2]}, ValueError, "index has -2: give numbers from 0"),
        (puzzles, solutions, {**good, "index": [0, 1, 2.5]}, TypeError, "index is an array of float64"),
        (puzzles, solutions, {**good, "epoch": -1}, ValueError, "epoch=-1: give a whole number from 0"),
        (puzzles, solutions, {**good, "epoch": "1"}, TypeError, "epoch='1': give a whole number"),
        (puzzles, solutions[:2], good, ValueError, "2 solutions for 3 puzzles"),
        (puzzles[:, :80], solutions, good, ValueError, "puzzles has the shape (3, 80): give (N, 81)"),
        (puzzles / 2, solutions, good, TypeError, "puzzles is an array of float64: give integers"),
        (["." * 81] * 3, solutions, good, TypeError, "puzzles is an array of <U81: give integers"),
        (wrong, solutions, good, ValueError, "puzzle 2 (counted from 0): r9c9 holds 10, but each cell must hold .*0 to 9; .*tokens='hrm'"),
        (puzzles, -wrong, good, ValueError, "solution 0 (counted from 0): r1c2 holds -4, but each cell must hold a number from 0 to 9"),
        (puzzles, solutions, {**good, "out": puzzles}, TypeError, "out: give two arrays"),
        (puzzles, solutions, {**good, "out": (np.zeros((2, 81)), puzzles)}, ValueError, "out[0] has the shape (2, 81)"),
        (puzzles, solutions, {**good, "out": (np.zeros_like(puzzles), [])}, TypeError, "out[1] is of type list"),
        (puzzles, solutions, {**good, "out": (np.zeros((3, 81)), wrong)}, TypeError, "out[0] is an array of float64: give integers"),
        (puzzles, solutions, {**good, "out": (np.zeros((3, 162), "u1")[:, ::2], wrong)}, ValueError, "out[0] is not C-contiguous"),
        (puzzles, solutions, {**good, "out": (np.zeros_like(puzzles), read_only)}, ValueError, "out[1] cannot be used: it is read-only"),
        (puzzles, solutions, {**good, "out": (puzzles, np.zeros_like(puzzles))}, ValueError, "out[0] cannot be used: .*shares memory"),
    ]
    for boards, of_boards, options, error, words in cases:
        pattern = ".*".join(map(re.escape, words.split(".*")))
        with pytest.raises(error, match=pattern):
            sudobench.Augment(7)(boards, of_boards, **options)
    wrong_options: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"kinds": "digit"}, ValueError, "kinds: `digit` is not a list of kinds"),
        ({"tokens": "trm"}, ValueError, "tokens='trm': choose 'digits' or 'hrm'"),
        ({"seed": -1}, ValueError, "seed=-1: give a whole number from 0"),
        ({"seed": None}, TypeError, "seed=None: give a whole number"),
    ]
    for options, error, words in wrong_options:
        with pytest.raises(error, match=words):
            sudobench.Augment(**{"seed": 1, **options})


AUGMENT: list[sudobench.Augment] = []
"""The `Augment` that a worker process keeps from one epoch to the next."""


def start_worker(augment: sudobench.Augment) -> None:
    AUGMENT[:] = [augment]


def work(batch: tuple[Array, Array, list[int], int]) -> Pair:
    puzzles, solutions, index, epoch = batch
    return AUGMENT[0](puzzles, solutions, index=index, epoch=epoch)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_workers_of_all_kinds_draw_what_one_process_draws(pairs: Pair, method: str) -> None:
    puzzles, solutions = pairs
    augment = sudobench.Augment(7, kinds=["digits", "rows"])
    # Starts the threads of Rust before the fork.
    sudobench.solve(puzzles)
    with multiprocessing.get_context(method).Pool(3, start_worker, (augment,)) as persistent:
        for epoch in range(2):
            batches = [list(range(start, min(start + 7, len(puzzles)))) for start in range(0, len(puzzles), 7)]
            found = persistent.map_async(work, [(puzzles[rows], solutions[rows], rows, epoch) for rows in batches], 1).get(60)
            inputs, labels = augment(puzzles, solutions, index=range(len(puzzles)), epoch=epoch)
            assert (np.concatenate([pair[0] for pair in found]) == inputs).all()
            assert (np.concatenate([pair[1] for pair in found]) == labels).all()


def test_threads_may_share_it(pairs: Pair) -> None:
    puzzles, solutions = (np.tile(boards, (50, 1)) for boards in pairs)
    index = np.arange(len(puzzles))
    augment = sudobench.Augment(7)
    wanted = augment(puzzles, solutions, index=index, epoch=0)
    found: list[Pair] = []
    threads = [threading.Thread(target=lambda: found.append(augment(puzzles, solutions, index=index, epoch=0))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all((pair[0] == wanted[0]).all() and (pair[1] == wanted[1]).all() for pair in found)


def test_it_is_a_value() -> None:
    augment = sudobench.Augment(7, kinds="digits")
    assert pickle.loads(pickle.dumps(augment)) == augment != sudobench.Augment(8, kinds="digits")
    assert repr(augment) == "Augment(seed=7, kinds='digits', tokens='digits')"
