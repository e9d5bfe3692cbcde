"""The demo, once, at its real size."""

import contextlib
import io
import json
import os

import pytest

from prfast import PRCurve
from prfast.cli.parser import main

pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """What it prints, its JSON, and the first bytes of its picture."""
    folder = tmp_path_factory.mktemp("demo")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert main(["demo", "--json", f"{folder}/out.json", "--plot", f"{folder}/out.png"]) == 0
    assert sorted(os.listdir(folder)) == ["out.json", "out.png"]
    record = json.loads((folder / "out.json").read_text())
    return printed.getvalue(), record, (folder / "out.png").read_bytes()[:8], str(folder)


def test_the_demo_prints_a_line_a_case(demo):
    printed, record, _, _ = demo
    lines = printed.splitlines()
    assert lines[0] == (
        "Digits.  Real: 0 to 4.  Generated: 0 to q-1, other images, 87 of each digit."
    )
    assert lines[2].split() == ["rectangle", "auto", "knn", "kmeans", "classifier"]
    heads = ["q", "max", "prec.", "max", "rec.", *["fidelity", "diversity", "IoU"] * 4]
    assert lines[3].split() == heads
    for q, line, case in zip(range(1, 11), lines[4:14], record["cases"], strict=True):
        expected = [min(1, 5 / q), min(1, q / 5)]
        for method in ("auto", "knn", "kmeans", "classifier"):
            numbers = case["methods"][method]
            expected += [numbers[key] for key in ("fidelity", "diversity", "iou_with_rectangle")]
        assert line.split() == [str(q), *(f"{number:.3f}" for number in expected)]
    assert [line.split()[0] for line in lines[15:18]] == ["fidelity", "diversity", "IoU"]


def test_the_demo_finds_the_rectangles(demo):
    _, record, _, _ = demo
    for q, case in zip(range(1, 11), record["cases"], strict=True):
        assert case["q"] == q
        assert case["rectangle"]["max_precision"] == pytest.approx(min(1, 5 / q))
        assert case["rectangle"]["max_recall"] == pytest.approx(min(1, q / 5))
        for method, numbers in case["methods"].items():
            assert numbers["iou_with_rectangle"] > 0.7
            curve = PRCurve.from_dict(numbers["curve"])
            assert curve.info["method"] == method
            assert (curve.info["n_real"], curve.info["n_fake"]) == (5 * 87, q * 87)
            assert curve.area == numbers["area"]
