"""Runs the Python examples of `PAGES` and of the docstrings."""

import doctest
import importlib
import pathlib
import pkgutil
import shutil

import pytest
import sudobench
from conftest import REPOSITORY, run_examples

PAGES = ["python/README.md", "docs/PYTHON.md"]


@pytest.mark.parametrize("page", PAGES)
def test_examples_run(page: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # Hugging Face datasets stores its cache in the temporary folder of the test.
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    shutil.copy(REPOSITORY / "datasets/sample.csv", "sudoku.csv")
    run_examples(page, {})


def test_examples_of_docstrings_run() -> None:
    tried = 0
    for name in ["sudobench", *(module.name for module in pkgutil.iter_modules(sudobench.__path__, "sudobench."))]:
        # The example of `sudobench.spark` needs Spark, and `sudobench.__main__` is the command.
        if name not in ("sudobench.spark", "sudobench.__main__"):
            found = doctest.testmod(importlib.import_module(name))
            assert found.failed == 0
            tried += found.attempted
    assert tried > 50
