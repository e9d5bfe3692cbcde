"""The demo, once, at its real size."""

import pytest
from terminal import PNG, files, run

from prfast.cli.demo import class_cases, digits

pytestmark = pytest.mark.nightly
METHODS = ("auto", "knn", "kmeans", "classifier")


def test_the_demo_prints_a_line_a_case_and_finds_the_rectangles(capsys):
    assert run("demo", "--plot", "out.png") == 0
    assert "out.png" in files()
    with open("out.png", "rb") as file:
        assert file.read().startswith(PNG)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "Digits.  Real: 0 to 4.  Generated: 0 to q-1, other images, 87 of each digit."
    )
    assert lines[2].split() == ["rectangle", *METHODS]
    heads = ["q", "max", "prec.", "max", "rec.", *["fidelity", "diversity", "IoU"] * 4]
    assert lines[3].split() == heads
    for q, line in zip(range(1, 11), lines[4:14], strict=True):
        expected = [str(q), f"{min(1, 5 / q):.3f}", f"{min(1, q / 5):.3f}"]
        assert line.split()[:3] == expected
        assert all(float(value) > 0.7 for value in line.split()[5::3]), line  # the IoU
    (case,) = class_cases(*digits(), qs=[3], per_class=87, methods=["knn"])
    curve = case.curves["knn"]
    assert curve.provenance.copied is None  # other images
    numbers = (curve.fidelity, curve.diversity, curve.iou(case.truth))
    assert lines[6].split()[6:9] == [f"{number:.3f}" for number in numbers]
