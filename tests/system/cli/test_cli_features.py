"""`prfast features`: a folder of images to a file, shown, compared, refused."""

import shlex
from pathlib import Path

import numpy as np
import pytest
from helpers import random_inception
from sklearn.datasets import load_sample_images
from terminal import files, one_line_error, run

Image = pytest.importorskip("PIL.Image", reason="pictures are files of Pillow")
MODEL = ["--model", "inception-v3-compat", "--batch-size", "4"]


@pytest.fixture
def images(folder):
    """Two folders of pictures: real and fake."""
    rng = np.random.default_rng(0)
    for name in ("photos", "made"):
        (folder / name).mkdir()
        for i in range(10):
            array = rng.integers(0, 256, (16, 16, 3), np.uint8)
            Image.fromarray(array).save(folder / name / f"{i}.png")


def test_the_commands_of_the_page_make_a_report(folder, monkeypatch):
    """Those of docs/start.md, with random weights."""
    random_inception(folder, monkeypatch)
    pytest.importorskip("jinja2", reason="draws the report")
    page = Path(__file__).resolve().parents[3] / "docs" / "start.md"
    install, *commands = page.read_text(encoding="utf-8").split("```text\n")[1].splitlines()[:4]
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


def test_features_of_two_models_are_refused(images, tmp_path, monkeypatch, capsys):
    random_inception(tmp_path, monkeypatch)
    assert run("features", "photos", "-o", "x.npy", *MODEL) == 0
    assert run("features", "made", "-o", "y.npy", *MODEL) == 0
    assert run("metrics", "x.npy", "y.npy") == 0
    record = Path("y.json")
    record.write_text(record.read_text().replace('"layer": "2048"', '"layer": "768"'))
    capsys.readouterr()
    for command in (["curve"], ["metrics"], ["report", "-o", "report.html"]):
        status = run(command[0], "x.npy", "y.npy", *command[1:])
        assert one_line_error(capsys, status) == (
            "y.npy: real and fake: features made in one way expected, "
            "got layer '2048' of real and '768' of fake"
        )
    assert "report.html" not in files()
