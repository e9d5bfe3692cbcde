"""A word that is not known: what was probably meant; no words at all: the help."""

import subprocess
import sys

import pytest
from refusals import refused
from terminal import FAKE, REAL, one_line_error, run

import prfast
from prfast.inputs.errors import closest


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("knm", "; did you mean 'knn'?"),
        ("Parzn", "; did you mean 'parzen'?"),
        ("quite other", ""),
        ("", ""),
        (3, ""),
    ],
)
def test_the_closest_name(name, hint):
    assert closest(name, ("knn", "ipr", "parzen")) == hint


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: prfast.pr_curve(REAL, FAKE, "Coverage"),
            ValueError,
            "got 'Coverage'; did you mean 'coverage'?",
        ),
        (
            lambda: prfast.pr_curve(REAL, FAKE, "kmeans", cluster=4),
            TypeError,
            "balance, progress; did you mean 'clusters'?",
        ),
        (
            lambda: prfast.pr_curves(REAL, FAKE, ["knn", "irp"]),
            ValueError,
            "got 'irp'; did you mean 'ipr'?",
        ),
        (
            lambda: prfast.metrics(REAL, FAKE, which="recal"),
            ValueError,
            "got 'recal'; did you mean 'recall'?",
        ),
    ],
    ids=["method", "option", "methods", "which"],
)
def test_python_says_it_too(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value).endswith(message)


def test_no_command_prints_the_help_and_is_no_success(capsys):
    """As git does: on standard output, with status 1."""
    assert run() == 1
    printed = capsys.readouterr()
    assert printed.err == ""
    for command in ("curve", "metrics", "report", "demo"):
        assert f"\n    {command} " in printed.out
    done = subprocess.run([sys.executable, "-m", "prfast"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("usage: prfast ")


def test_k_is_a_number_or_sqrt(capsys):
    assert run("curve", "real.npy", "fake.npy", "--method", "knn", "--k", "sqrt") == 0
    of_sqrt = capsys.readouterr().out
    assert run("curve", "real.npy", "fake.npy", "--method", "knn") == 0
    assert capsys.readouterr().out == of_sqrt
    assert "k 10, " in of_sqrt  # of 100 that train
    arguments = ["real.npy", "fake.npy", "--method", "knn", "--k", "root"]
    assert one_line_error(capsys, run("curve", *arguments)).startswith("--k: an integer")
    with refused(ValueError, "k: an integer or 'sqrt' expected, got 'root'"):
        prfast.pr_curves(REAL, FAKE, k="root")
