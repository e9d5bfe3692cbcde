"""Columns that tell the sets apart by themselves: lower bounds of the total variation, in words."""

from html import escape

import numpy as np
import pandas as pd
import pytest
from helpers import unwrapped

from prfast import Evaluator, PRCurve, pr_curve
from prfast.methods.columns import sentences, separating_columns
from prfast.samples.pair import Pair


def sets(n=1000, width=4):
    return np.random.default_rng(0).normal(size=(2, n, width))


def test_a_shift_is_the_side_of_a_threshold():
    real, fake = sets()
    fake[:, 2] += 2
    (result,) = separating_columns(real, fake, Pair.read(real, fake).repetition, 0)
    assert (result["column"], result["kind"], result["alike"]) == (2, "side", 1)
    side, threshold = result["what"].rsplit(" ", 1)
    assert side in ("above", "up to")
    assert 0 < float(threshold) < 2
    # Of two normals 2 apart the total variation is 0.683.
    assert abs(result["real"] - result["fake"]) == pytest.approx(0.683, abs=0.05)


def test_an_exact_value_is_named_zero_first():
    real, fake = sets()
    real[:300, 1] = 0
    fake[:300, 1] = 0.001
    (result,) = separating_columns(real, fake, Pair.read(real, fake).repetition, 0)
    assert (result["kind"], result["what"], result["fake"]) == ("value", "value 0", 0.0)
    assert result["real"] == pytest.approx(0.3, abs=0.05)


def test_tails_on_both_sides_are_outside_the_range():
    rng = np.random.default_rng(0)
    real, fake = rng.uniform(-1, 1, (1000, 2)), rng.uniform(-1, 1, (1000, 2))
    fake[:, 0] *= 2
    (result,) = separating_columns(real, fake, Pair.read(real, fake).repetition, 0)
    assert (result["kind"], result["what"]) == ("range", "outside the range")
    assert result["real"] < 0.01
    assert result["fake"] == pytest.approx(0.5, abs=0.05)


# ---- in a curve ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tables():
    real, fake = sets(600)
    fake[:, 2] += 1.5
    return [pd.DataFrame(one, columns=["age", "b", "height", "d"]) for one in (real, fake)]


@pytest.mark.nightly
def test_columns_of_tables_have_their_names(tables):
    real, fake = tables
    (result,) = pr_curve(real, fake).info["columns"]
    assert (result["column"], result["name"]) == (2, "height")
    other_order = fake[["height", "d", "b", "age"]]
    evaluated = Evaluator(real, which=["precision"]).evaluate(other_order)
    assert evaluated.curve.info["columns"] == [result]
    assert "name" not in pr_curve(real.to_numpy(), fake.to_numpy()).info["columns"][0]


def test_a_curve_explains_its_columns_and_rows(tables):
    real, fake = (one.to_numpy() for one in tables)
    curve = pr_curve(*tables)
    *_, column, missed, least_real = curve.explain().splitlines()
    assert column.startswith("Column 'height' alone shows a total variation of about 0.5")
    assert missed.startswith("Real samples that are missed most: rows ")
    assert least_real.startswith("Generated samples least like real ones: rows ")
    assert (real[curve.info["missed"], 2] < -1).all()
    assert (fake[curve.info["least_real"], 2] > 2.5).all()
    assert "Column" not in curve.swap().explain()
    assert PRCurve.from_dict(curve.to_dict()).explain() == curve.explain()


def test_a_comparison_names_the_column_that_differs_most_in_a_model():
    real, fake = sets(100)
    fake[:, 2] += 2
    result = Evaluator(real, which="precision").compare({"shifted": fake})
    (sentence,) = (x for x in result["shifted"].curve.explain().splitlines() if "Column" in x)
    assert sentence.startswith("Column 2 alone shows a total variation of about 0.")
    assert [x for x in unwrapped(str(result)).splitlines() if "Column" in x] == [
        f"shifted: {sentence}"
    ]
    assert escape(f"shifted: {sentence}") in result._repr_html_()


def test_a_column_that_the_curve_misses_says_so():
    one = {"column": 3, "kind": "value", "what": "value 0", "real": 0.4, "fake": 0.1, "alike": 96}
    outside = one | {"column": 7, "kind": "range", "real": 0.0, "fake": 0.2, "alike": 1}
    assert sentences([one, one | {"column": 4}, outside], 512, 0.2) == [
        "Column 3 alone shows a total variation of about 0.30 (0.20 by the curve, which misses "
        "this): value 0 in 40 % of the real and 10 % of the generated samples; 95 more of 512 "
        "columns differ in this way.",
        "Column 7 alone shows a total variation of about 0.20 (0.20 by the curve): values "
        "outside the range of the real samples in 20 % of the generated ones.",
    ]
