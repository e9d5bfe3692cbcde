"""prfast profile: a table a model, one of all models, the JSON and the picture."""

import json
import re

from terminal import FAKE, PNG, QUICK, REAL, other_notes, run

import prfast
from prfast import PRCurve
from prfast.methods import Noise

RESOLUTIONS = ["--resolutions", "0.8", "0"]


def expected(fake, **options):
    options = {"method": "kmeans", "runs": 2, "clusters": 5} | options
    return prfast.profile(REAL, fake, [0, 0.8], **options)


def test_one_model_is_the_table_and_what_it_says(capsys):
    assert run("profile", "real.npy", "fake.npy", *QUICK, *RESOLUTIONS) == 0
    printed = capsys.readouterr()
    assert other_notes(printed.err) == []
    assert printed.out == f"fake.npy\n{expected(FAKE)}\n"


def test_several_models_begin_with_a_table_of_all(capsys):
    files = ["real.npy", "fake.npy", "more.npz:far"]
    assert run("profile", *files, *QUICK, *RESOLUTIONS, "--names", "A", "B", "--plot", "o.png") == 0
    head, one, two, blank, name, *rest = capsys.readouterr().out.splitlines()
    assert re.split(r"\s{2,}", head) == [
        "area at resolution",
        "0",
        "0.8",
        "half resolution",
        "matching resolution",
        "coarse area",
    ]
    near = expected(FAKE)
    areas = [f"{curve.area:.3f}" for curve in near.curves.values()]
    assert one.split()[:3] == ["A", *areas]
    assert one.endswith(f"  {near.coarse_area}")
    far = "B 0.000 0.000 above 0.8 above 0.8"
    assert two.split()[:7] == far.split()
    assert (blank, name) == ("", "A")
    assert "B" in rest
    with open("o.png", "rb") as file:
        assert file.read(8) == PNG


def test_options_and_json(capsys):
    options = ["--seed", "3", "--noise", "covariance", "--categories", "0", "1+2", "--jobs", "1"]
    arguments = ["profile", "real.npy", "fake.npy", *QUICK, *RESOLUTIONS, *options]
    assert run(*arguments, "--json", "-", "--plot", "o.pdf") == 0
    record = json.loads(capsys.readouterr().out)
    profile = expected(FAKE, noise=Noise("covariance", categories=[0, (1, 2)]), random_state=3)
    (entry,) = record["profiles"]
    values = profile.to_dict()
    assert entry["fake"] == "fake.npy"
    for key in ("resolutions", "summary", "estimates", "info"):
        assert entry[key] == values[key]
    estimates = [PRCurve.from_dict(one) for one in entry["estimates"]]
    assert estimates == [*profile.estimates.values()]
    area = profile.intervals("area")[1]
    assert entry["rows"][1]["resolution"] == 0.8
    assert entry["rows"][1]["area"] == area.value
    assert entry["rows"][1]["area_interval"] == [area.low, area.high]


def test_contradictions_at_a_coarser_resolution_are_notes(capsys, monkeypatch):
    """Each once."""
    cautions = iter([[], ["a"], [], ["a", "b"]])
    monkeypatch.setattr("prfast.cli.commands.contradictions", lambda curves: next(cautions))
    more = ["more.npz:near", "--names", "A", "B"]
    assert run("profile", "real.npy", "fake.npy", *more, *QUICK, *RESOLUTIONS) == 0
    notes = other_notes(capsys.readouterr().err)
    assert notes[-3:] == [f"prfast: note: {text}" for text in ("A: a", "B: a", "B: b")]
