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
    heads = ["q", "max", "prec.", "max", "rec.", "method", "fidelity", "diversity", "IoU"]
    assert lines[2].split() == heads
    cells = [line.split() for line in lines[3:43]]
    expected = [
        [str(q), f"{min(1, 5 / q):.3f}", f"{min(1, q / 5):.3f}", method]
        for q in range(1, 11)
        for method in METHODS
    ]
    assert [line[:4] for line in cells] == expected
    assert all(float(line[-1]) > 0.7 for line in cells)  # the IoU
    (case,) = class_cases(*digits(), qs=[3], per_class=87, methods=["knn"])
    curve = case.curves["knn"]
    assert curve.provenance.copied is None  # other images
    numbers = (curve.fidelity, curve.diversity, curve.iou(case.truth))
    assert cells[9][4:] == [f"{number:.3f}" for number in numbers]
