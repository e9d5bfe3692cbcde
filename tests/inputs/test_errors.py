"""Errors of arguments: their names are data, and what users see is one line."""

import copy
import pickle
import sys

import numpy as np
import pytest

from prfast import metrics, pr_curve
from prfast.inputs.errors import ArgumentError, WrongType, WrongValue, import_optional

POINTS = np.random.default_rng(0).normal(size=(20, 2))


@pytest.mark.parametrize(("kind", "plain"), [(WrongType, TypeError), (WrongValue, ValueError)])
def test_it_is_an_error_of_python_and_may_be_sent_elsewhere(kind, plain):
    error = kind("k", "an integer expected, got 'x'")
    assert isinstance(error, plain)
    for twin in (error, pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(twin) is kind
        assert (twin.argument, twin.text) == ("k", "an integer expected, got 'x'")
        assert str(twin) == twin.args[0] == "k: an integer expected, got 'x'"


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: pr_curve(POINTS[0], POINTS), "real"),
        (lambda: pr_curve(POINTS, POINTS[:, :1]), "real and fake"),
        (lambda: pr_curve(POINTS, POINTS, "kmeans", clusters=99), "real and fake"),
        (lambda: pr_curve(POINTS, POINTS, memory=10**5), "memory"),
        (lambda: pr_curve(1e200 * POINTS, 1e-50 * POINTS, "knn"), "real and fake"),
        (lambda: pr_curve(POINTS, POINTS, "ipr", 50), "k"),
        (lambda: metrics(POINTS, POINTS, p_k=50), "p_k"),
    ],
)
def test_what_the_samples_or_their_number_do_not_allow_says_which(call, argument):
    with pytest.raises(ArgumentError) as caught:
        call()
    assert caught.value.argument == argument
    assert str(caught.value).startswith(f"{argument}: ")


# ---- optional dependencies -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("extra", "place", "message"),
    [
        ("plot", "", "json is needed for pictures: python -m pip install 'prfast[plot]'"),
        (None, "a.x", "a.x: json is needed for pictures: python -m pip install json"),
    ],
)
def test_a_missing_one_is_named_with_what_installs_it(monkeypatch, extra, place, message):
    monkeypatch.setitem(sys.modules, "json.tool", None)
    with pytest.raises(ImportError) as caught:
        import_optional("json.tool", "pictures", extra, place=place)
    assert str(caught.value) == message
    assert caught.value.__suppress_context__
