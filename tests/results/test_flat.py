"""Numbers as loggers take them."""

import json
import math
import re

import numpy as np
import pytest
from refusals import refused

from prfast import Evaluator, Metrics, metrics, pr_curve
from prfast.curve.summary import ROWS
from prfast.results.values import flat, flat_names

RNG = np.random.default_rng(0)
REAL, FAKE = RNG.normal(size=(60, 3)), RNG.normal(size=(50, 3)) + 0.5
OF_CURVE = [row.key for row in ROWS]


def safe(numbers):
    """Are they what every logger takes?"""
    json.dumps(numbers, allow_nan=False)
    assert all(re.fullmatch("[a-z0-9_]+", name) for name in numbers)
    assert all(type(value) is float for value in numbers.values())
    return numbers


def test_of_a_curve_they_are_the_rows_of_its_numbers():
    curve = pr_curve(REAL, FAKE, "knn", 5)
    result = safe(curve.scalars())
    assert list(result) == OF_CURVE
    assert (result["f8"], result["f1_8"]) == (curve.f_score(8), curve.f_score(1 / 8))
    assert list(curve.scalars("val/")) == [f"val/{name}" for name in OF_CURVE]


def test_of_several_curves_method_and_k_stand_before_the_number():
    evaluator = Evaluator(REAL, ["knn", "kmeans", len_of], [5, "sqrt"], which="recall")
    result = evaluator.evaluate(FAKE)
    names = ["knn_k5", "knn_ksqrt", "kmeans", "len_of"]
    assert list(safe(result.scalars())) == [f"{n}_{key}" for n in names for key in OF_CURVE] + [
        "recall"
    ]
    assert result.scalars("val_")["val_knn_k5_area"] == result.curves["knn", 5].area


def len_of(points):
    return np.linalg.norm(points, axis=1)


def test_what_is_not_finite_is_left_out():
    assert flat([("a", math.nan), ("b", math.inf), ("c", 1)]) == {"c": 1.0}
    assert Metrics({"recall": math.nan}).scalars() == {}


@pytest.mark.parametrize(
    ("curves", "names"),
    [
        ([("Ω", None), ("knn", 5)], ["curve_", "knn_k5_"]),
        ([("knn", 5)], [""]),
        ([("knn", 5), ("auto", None)], ["knn_k5_", "auto_"]),
        ([("<lambda>", None), ("Mine.score", None)], ["lambda_", "mine_score_"]),
        ([("A b", None), ("a-b", None), ("a_b", None)], ["a_b_", "a_b_2_", "a_b_3_"]),
        ([("net_2", None), ("net", None), ("Net", None)], ["net_2_", "net_", "net_3_"]),
        ([("net", None), ("Net", None), ("net_2", None)], ["net_", "net_2_", "net_2_2_"]),
    ],
)
def test_names_of_curves_are_safe_and_differ(curves, names):
    assert flat_names(curves) == names


def test_a_prefix_is_a_string():
    for one in (pr_curve(REAL, FAKE, "knn", 5), metrics(REAL, FAKE)):
        with refused(TypeError, "prefix: a string expected, got a int"):
            one.scalars(3)
