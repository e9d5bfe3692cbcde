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
    ("arguments", "hint"),
    [
        ("crve real.npy fake.npy", "curve"),
        ("metric real.npy fake.npy", "metrics"),
        ("curve real.npy fake.npy --method kmean", "kmeans"),
        ("curve real.npy fake.npy --method knn --backend exct", "exact"),
        ("curve real.npy fake.npy --view frontiers --json -", "frontier"),
        ("curve real.npy fake.npy --metod knn", "--method"),
        ("curve real.npy fake.npy --sed=3", "--seed"),
        ("curve real.npy fake.npy --method kmeans --option cluster=3", "clusters"),
        ("metrics real.npy fake.npy --which precison", "precision"),
    ],
)
def test_an_error_says_what_was_probably_meant(capsys, arguments, hint):
    message = one_line_error(capsys, run(*arguments.split()))
    assert message.endswith(f"; did you mean {hint!r}?")


def test_an_option_of_another_command_is_told_as_one(capsys):
    files = ["real.npy", "fake.npy"]
    message = one_line_error(capsys, run("metrics", *files, "--group-by", "label"))
    assert message.endswith("--group-by label; --group-by is an option of curve")
    message = one_line_error(capsys, run("curve", *files, "--which=recall"))
    assert message.endswith("--which=recall; --which is an option of metrics and report")


def test_what_nothing_is_like_has_no_hint(capsys):
    message = one_line_error(capsys, run("curve", "real.npy", "fake.npy", "--zzz", "1"))
    assert message == "unrecognized arguments: --zzz 1"


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
    message = one_line_error(capsys, run("curve", "real.npy", "fake.npy", "--k", "root"))
    assert message == "argument --k: an integer or sqrt expected, got 'root'"
    with refused(ValueError, "k: an integer or 'sqrt' expected, got 'root'"):
        prfast.pr_curves(REAL, FAKE, k="root")
