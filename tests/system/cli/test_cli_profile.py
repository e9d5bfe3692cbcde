"""prfast profile: a table a model, the JSON and the picture."""

import json

from terminal import FAKE, PNG, QUICK, REAL, run

import prfast
from prfast import PRCurve
from prfast.methods import Noise

RESOLUTIONS = ["--resolutions", "0.8", "0"]


def expected(fake, **options):
    options = {"method": "kmeans", "runs": 2, "clusters": 5} | options
    return prfast.profile(REAL, fake, [0, 0.8], **options)


def test_models_are_what_python_prints(capsys):
    assert run("profile", "real.npy", "fake.npy", *QUICK, *RESOLUTIONS) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out == f"fake.npy\n{expected(FAKE)}\n"
    files = ["real.npy", "fake.npy", "more.npz:far"]
    assert run("profile", *files, *QUICK, *RESOLUTIONS, "--names", "A", "B", "--plot", "o.png") == 0
    printed = capsys.readouterr().out
    assert printed == f"A\n{expected(FAKE)}\n\nB\n{expected(FAKE + 100)}\n"
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
    estimates = [PRCurve.from_dict(record) for record in entry["estimates"]]
    assert estimates == [*profile.estimates.values()]
    area = profile.intervals("area")[1]
    assert entry["rows"][1]["resolution"] == 0.8
    assert entry["rows"][1]["area"] == area.value
    assert entry["rows"][1]["area_interval"] == [area.low, area.high]
