"""Runs the Python examples of `PAGES`."""

import pathlib
import shutil

import pytest
from conftest import REPOSITORY, run_examples

PAGES = ["python/README.md", "docs/PYTHON.md"]


@pytest.mark.parametrize("page", PAGES)
def test_examples_run(page: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # Hugging Face datasets stores its cache in the temporary folder of the test.
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    shutil.copy(REPOSITORY / "datasets/sample.csv", "sudoku.csv")
    run_examples(page, {})
