"""Reports: what is refused, and the command that writes one."""

import functools

import numpy as np
import pytest
from curves import GOOD  # noqa: F401
from refusals import refusals

import prfast
from prfast import pr_curve
from prfast.cli.parser import main
from prfast.comparison.results import Evaluation
from prfast.curve.summary import ALIKE
from prfast.report import write_report
from prfast.report.write import _extremes
from prfast.scalars import Metrics

test_bad_arguments = refusals("""
write_report([GOOD], "r.html")
    TypeError: models: a mapping of names to curves expected, got a list
write_report({1: GOOD}, "r.html")
    TypeError: models: names that are strings expected, got 1
write_report({"a": 3}, "r.html")
    TypeError: models['a']: a PRCurve or an Evaluation expected, got int
write_report({"a": GOOD}, "r.pdf")
    ValueError: r.pdf: a file ending in .html expected
write_report({"a": GOOD}, "r.html", random_state=-1)
    ValueError: random_state:
""")


def test_extreme_samples_have_a_section_with_their_texts():
    rng = np.random.default_rng(0)
    real, fake = rng.normal(size=(2, 120, 2))
    fake[7] = 9
    curves = {"A": pr_curve(real, fake + 1, n_jobs=1), "knn": pr_curve(real, fake, "knn")}
    models = {name: Evaluation({("x", None): curve}, Metrics({})) for name, curve in curves.items()}
    texts = {"A": [f"text {i}" for i in range(120)]}
    (section,) = _extremes(models, texts)
    assert section.title == "Extreme samples"
    assert len(section.lines) == 10
    first, last = section.lines[0], section.lines[-1]
    assert first == ["A", "generated", first[2], first[3], f"text {first[2]}"]
    assert last[:2] == ["A", "real"]
    assert last[4] == ""
    assert "7" in [line[2] for line in section.lines[:5]]
    (section,) = _extremes(models, {})
    assert section.head == ["model", "set", "row", "log-ratio"]


def test_samples_that_are_likely_in_both_sets_are_not_extreme():
    rng = np.random.default_rng(0)
    real, fake = rng.normal(size=(2, 400, 2))
    fake[:60] = rng.normal(30, 1, (60, 2))
    curve = pr_curve(real, fake)
    assert curve.fidelity < ALIKE <= curve.diversity
    (section,) = _extremes({"junk": Evaluation({("x", None): curve}, Metrics({}))}, {})
    assert {line[1] for line in section.lines} == {"generated"}
    assert all(int(line[2]) < 60 for line in section.lines)


def test_every_option_does_what_it_does_in_python(tmp_path, monkeypatch, real, fake):
    pytest.importorskip("jinja2", reason="the extra 'report' is not installed")
    written = []

    @functools.wraps(write_report)  # the command reads the defaults of its options
    def record(*given, **more):
        written.append((given, more))

    monkeypatch.setattr(prfast.report.write, "write_report", record)
    monkeypatch.chdir(tmp_path)
    for name, points in {"real": real, "a": fake, "b": fake[:100] * 0.5}.items():
        np.save(f"{name}.npy", points)
    line = "report real.npy a.npy b.npy -o r.html --method knn --k 3 --seed 4 --split none"
    line += " --metrics-k 3 --which recall f1 --names one two --confidence 0.9 --title"
    assert main([*line.split(), "T t"]) == 0
    ((models, path), more) = written[0]
    expected = pr_curve(real, fake, "knn", 3, random_state=4, split=None)
    assert path == "r.html"
    assert list(models) == ["one", "two"]
    assert isinstance(models["one"], Evaluation)
    assert models["one"].curve == expected
    assert dict(models["one"].curve.info) == dict(expected.info)
    metrics = prfast.metrics(real, fake, 3, ["recall", "f1"])
    assert dict(models["one"].metrics) == dict(metrics)
    assert (more["title"], more["confidence"], more["random_state"]) == ("T t", 0.9, 4)
    assert more["about"]["real samples"] == "real.npy"
