"""`prfast features`: folders of images to files, and a report of them."""

import shlex
from pathlib import Path

import numpy as np
import pytest
from helpers import random_inception
from sklearn.datasets import load_sample_images
from terminal import run

Image = pytest.importorskip("PIL.Image", reason="pictures are files of Pillow")


def test_the_commands_of_the_page_make_a_report(folder, monkeypatch):
    random_inception(folder, monkeypatch)
    pytest.importorskip("jinja2", reason="draws the report")
    page = Path(__file__).resolve().parents[3] / "docs" / "start.md"
    section = page.read_text(encoding="utf-8").split("## From images to features")[1]
    install, *commands = section.split("```text\n")[1].splitlines()[:4]
    assert install.startswith("python -m pip install '.[features,report]'")
    faces = load_sample_images().images
    for name, seed in (("photos", 0), ("generated", 1)):
        (folder / name).mkdir()
        rng = np.random.default_rng(seed)
        for i in range(30):
            x, y = rng.integers(0, 300, 2)
            cut = faces[i % 2][y : y + 64, x : x + 64]
            Image.fromarray(cut).save(folder / name / f"{i}.png")
    for command in commands:
        assert run(*shlex.split(command)[1:]) == 0, command
    text = (folder / "report.html").read_text(encoding="utf-8")
    assert "torch-fidelity:inception-v3-compat" in text
