"""A command prints what Python prints, its JSON is the record of that, and rerun repeats it."""

import json
from pathlib import Path

import numpy as np
import pytest
from terminal import FAKE, PNG, QUICK, REAL, run

import prfast
from prfast.methods import Noise

KMEANS = {"method": "kmeans", "runs": 2, "clusters": 5}
SMOOTHED = ["--resolutions", "0.8", "0", "--noise", "covariance", "--categories", "0", "1+2"]
NOISE = Noise("covariance", categories=[0, (1, 2)])
CALLS = {  # options, and the call of Python
    "curve": (QUICK, lambda fake: prfast.pr_curve(REAL, fake, **KMEANS)),
    "metrics": (["--ties", "open"], lambda fake: prfast.metrics(REAL, fake, ties="open")),
    "profile": (
        [*QUICK, *SMOOTHED, "--seed", "3"],
        lambda fake: prfast.profile(REAL, fake, [0, 0.8], noise=NOISE, random_state=3, **KMEANS),
    ),
    "test": (
        ["--seed", "1", "--level", "0.01"],
        lambda fake: prfast.two_sample_test(REAL, fake, random_state=1, level=0.01),
    ),
}


@pytest.mark.parametrize("command", CALLS)
def test_a_model_is_what_python_prints_and_is_repeated(capsys, command):
    options, call = CALLS[command]
    assert run(command, "real.npy", "fake.npy", *options, "--json", "out.json") == 0
    printed, expected = capsys.readouterr(), call(FAKE)
    assert printed.err == ""
    assert printed.out == f"fake.npy\n{expected}\n"
    kind = command.removesuffix("s") + "s"
    (entry,) = json.loads(Path("out.json").read_text())[kind]
    assert entry == entry | prfast.record(expected)[kind][0] | {"fake": "fake.npy"}
    assert run("rerun", "out.json") == 0
    assert capsys.readouterr().out.endswith("all the same\n")


@pytest.mark.parametrize("command", ["profile", "test"])
def test_several_models_are_printed_by_name(capsys, command):
    options, call = CALLS[command]
    np.save("same.npy", REAL[::2] + 1e-3 * REAL[1::2])
    models = {"A": REAL[::2] + 1e-3 * REAL[1::2], "B": FAKE + 100}
    files = ["real.npy", "same.npy", "more.npz:far"]
    plot = ["--plot", "o.png"] if command == "profile" else []
    assert run(command, *files, *options, *plot, "--names", *models) == 0
    printed = capsys.readouterr()
    assert printed.out == "\n".join(f"{name}\n{call(fake)}\n" for name, fake in models.items())
    if plot:
        assert Path("o.png").read_bytes().startswith(PNG)
    else:
        assert "2 tests, each at level 0.01; at level 0.005 none" in printed.err
