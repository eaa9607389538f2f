"""Tests that the types and the help texts list the names that the options accept, and that the command has the same solvers."""

import contextlib
import inspect
import re
import typing
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sudobench
from conftest import command
from sudobench import _names, rewards

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ALIASES = [name for name, value in vars(_names).items() if typing.get_origin(value) is typing.Literal]
FUNCTIONS = [name for name, value in vars(sudobench).items() if inspect.isfunction(value)]


def names(alias: str) -> list[str]:
    return list(typing.get_args(getattr(_names, alias)))


def solvers() -> list[str]:
    return re.findall(r"^[a-z]\S*", command("solvers", check=True).stdout, re.MULTILINE)


def test_solvers_are_those_of_the_command() -> None:
    assert names("Solver") == solvers()
    for name in solvers():
        assert sudobench.solve(PUZZLE, solver=name).status == "unique"
        if name in names("SingleSolver"):
            assert len(sudobench.generate(1, hardest=name, steps=1)) == 1
        else:
            with pytest.raises(ValueError, match="solves many puzzles together"):
                sudobench.generate(1, hardest=name)


@pytest.mark.parametrize(
    ("alias", "call"),
    [
        ("Difficulty", lambda name: sudobench.generate(1, difficulty=name, attempts=1)),
        ("Symmetry", lambda name: sudobench.generate(1, symmetry=name)),
        ("Method", lambda name: sudobench.generate(1, method=name)),
        ("Kind", lambda name: sudobench.transform(PUZZLE, random=1, kinds=name)),
        ("OverlapKind", lambda name: sudobench.overlap([PUZZLE], [PUZZLE], by=name)),
        ("ClassKind", lambda name: sudobench.split([PUZZLE], by=name)),
        ("CandidateLevel", lambda name: sudobench.candidates(PUZZLE, level=name)),
        ("Tokens", lambda name: sudobench.score([PUZZLE], np.ones((1, 81), int), tokens=name)),
        ("RewardKind", lambda name: rewards.trl(name)),
        ("AnswerChoice", lambda name: sudobench.solve(PUZZLE, answer=name)),
    ],
)
def test_an_error_lists_the_names_of_the_type(alias: str, call: Callable[[str], Any]) -> None:
    with pytest.raises(ValueError) as raised:
        call("wrong")
    listed = re.split(r"choose (?:from )?|expected ", str(raised.value))[-1]
    assert set(re.findall(r"[a-z][a-z0-9_-]*", listed)) - {"or", "and"} == set(names(alias))
    for name in names(alias):
        with contextlib.suppress(sudobench.NotGenerated):
            call(name)


def test_every_type_of_names_is_used() -> None:
    signatures = [*map(annotations, FUNCTIONS), str(inspect.signature(rewards.trl))]
    used = {alias for signature in signatures for alias in ALIASES if re.search(rf"\b{alias}\b", signature)}
    assert used == set(ALIASES)


def annotations(function: str) -> str:
    return str(inspect.signature(inspect.unwrap(getattr(sudobench, function))))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_help_lists_the_names(function: str) -> None:
    signature, words = annotations(function), inspect.getdoc(getattr(sudobench, function)) or ""
    # Adds the help of the functions that are named in this help, because some options are described there.
    for other in re.findall(r"`(\w+)`", words):
        words += inspect.getdoc(getattr(sudobench, other)) or "" if other in FUNCTIONS else ""
    for alias in ALIASES:
        if re.search(rf"\b{alias}\b", signature):
            assert [name for name in names(alias) if not re.search(rf"\b{re.escape(name)}\b", words)] == []


def test_functions_on_files_name_them_in_the_signature() -> None:
    for function, aliases in (("solve_file", ["Solver"]), ("generate_file", ["SingleSolver", "Symmetry", "Method"])):
        for alias in aliases:
            assert f"Literal{names(alias)}" in annotations(function)
