"""The examples of the documentation run, each page from its top to its end."""

import pathlib
import re
import shutil

import pytest
from conftest import REPOSITORY

PAGES = ["python/README.md", "docs/PYTHON.md"]


@pytest.mark.parametrize("page", PAGES)
def test_examples_run(page: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # Where Hugging Face keeps what it read.
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    shutil.copy(REPOSITORY / "datasets/sample.csv", "sudoku.csv")
    examples = re.findall(r"^```python\n(.*?)^```$", (REPOSITORY / page).read_text(), re.DOTALL | re.MULTILINE)
    assert examples
    names: dict[str, object] = {}
    for example in examples:
        if "import torch" in example:
            # Larger than all the rest together: it is run where it happens to be there.
            try:
                import torch  # noqa: F401
            except ImportError:
                continue
        exec(compile(example, page, "exec"), names)
