"""What README and docs/ show is run, a page at a time: Python as it stands, `prfast` commands on
small files.  Other shell lines install, build or measure; .ci/run has those of the README."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import prfast
from prfast.cli.parser import main

sybil = pytest.importorskip("sybil")

from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def run_commands(example):
    for line in example.parsed.splitlines():
        if line.startswith("prfast "):
            assert main(shlex.split(line)[1:]) == 0, line


DOCUMENTS = sybil.Sybil(
    parsers=[PythonCodeBlockParser(), CodeBlockParser("sh", run_commands)],
    path=str(ROOT),
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that commands read."""
    rng = np.random.default_rng(0)
    for name, scale in (("real", 1.0), ("model_a", 0.8), ("model_b", 1.3)):
        np.save(tmp_path / f"{name}.npy", scale * rng.normal(size=(200, 4)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_of_a_page_run_in_order(page, folder):
    plt = pytest.importorskip("matplotlib.pyplot")
    for example in DOCUMENTS.parse(page).examples():
        example.evaluate()
    plt.close("all")


def test_pages_have_blocks():
    found = {page.name: len(list(DOCUMENTS.parse(page).examples())) for page in PAGES}
    assert found["README.md"] >= 5
    assert found["tutorial.md"] >= 5
    assert found["cli.md"] >= 5


def test_every_public_name_is_in_the_reference():
    text = (ROOT / "docs" / "api.rst").read_text(encoding="utf-8")
    shown = set(re.findall(r"^\.\. (?:auto|py:)\w+:: prfast\.(\w+)$", text, re.MULTILINE))
    assert set(prfast.__all__) <= shown


def test_pages_link_to_pages_that_are_there():
    for page in PAGES:
        for target in re.findall(r"\]\((?!http)([\w./]+)(?:#[\w-]+)?\)", page.read_text("utf-8")):
            assert (page.parent / target).is_file(), f"{page.name}: {target}"
