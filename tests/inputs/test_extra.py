"""A package that is missing: one line that says what it is for and how to install it."""

import math
import sys

import numpy as np
import pytest

from prfast import metrics
from prfast.inputs.errors import load_extra
from prfast.inputs.options import read_flag

POINTS = np.random.default_rng(0).normal(size=(130, 2))


def test_a_module_that_is_there_is_given():
    assert load_extra("math", "sums", "none") is math


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
        load_extra("json.tool", "pictures", extra, place=place)
    assert str(caught.value) == message
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    ("module", "options", "message"),
    [
        (
            "pynndescent",
            {"backend": "approximate"},
            r"pynndescent is needed for backend='approximate': .*\[ann\]'$",
        ),
    ],
)
def test_a_search_that_needs_one_says_so(monkeypatch, module, options, message):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=message):
        metrics(POINTS, POINTS + 1, 3, **options)


def test_a_flag_is_true_or_false_and_no_number():
    assert [read_flag("x", value) for value in (True, np.False_)] == [True, False]
    for value in (1, 0.0, "yes", None):
        with pytest.raises(TypeError, match=f"x: True or False expected, got {value!r}"):
            read_flag("x", value)
