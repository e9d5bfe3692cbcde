"""Columns that differ: simulated tables of arrays whose columns depend on each other."""

import json

import numpy as np
import pandas as pd
from helpers import unwrapped
from refusals import refused

import prfast
from prfast.estimate.attribution import differences, frames_of
from prfast.samples.pair import Pair


def of_arrays(real, fake):
    return differences(*frames_of(real, fake, None), Pair.read(real, fake), 0)


def blocks(rng, n, d):
    """Return normal columns in blocks of five, with correlations of .6 within a block."""
    common = np.repeat(rng.normal(size=(n, d // 5)), 5, axis=1)
    return np.sqrt(0.6) * common + np.sqrt(0.4) * rng.normal(size=(n, d))


def test_columns_that_follow_another_say_so():
    """The columns of a block follow a shifted one by their law given it."""
    rng = np.random.default_rng(1)
    real, fake = blocks(rng, 800, 10), blocks(rng, 800, 10)
    fake[:, 5:] += 0.36
    fake[:, 7] += 0.24
    clear = [difference for difference in of_arrays(real, fake) if difference.is_clear]
    assert clear[0].columns == (7,)
    assert clear[0].along == ""
    followers = [difference for difference in clear if len(difference.columns) == 1][1:]
    assert followers
    assert {difference.along for difference in followers} == {"7"}


def test_columns_that_differ_by_themselves_follow_none():
    """Both columns of a correlated pair move, in opposite directions."""
    rng = np.random.default_rng(0)
    real, fake = blocks(rng, 1000, 10), blocks(rng, 1000, 10)
    fake[:, 2] += 0.5
    fake[:, 3] -= 0.5
    first, second, *_ = of_arrays(real, fake)
    assert {first.columns, second.columns} == {(2,), (3,)}
    assert first.along == second.along == ""


def test_an_explanation_names_columns_and_says_what_remains():
    rng = np.random.default_rng(0)
    real, fake, names = blocks(rng, 800, 10), blocks(rng, 800, 10), list("abcdefghij")
    fake[:, 3] *= 1.6
    sets = [pd.DataFrame(points, columns=names) for points in (real, fake)]
    explanation = prfast.explain(*sets, n_jobs=1)
    assert explanation.test.rejects
    assert explanation.columns[0].columns == ("d",)
    text = str(explanation)
    assert explanation.rows()[0]["columns"] == "d"
    assert "Without these columns: No proof of a difference" in text
    assert "Differs most in" not in text  # the table has it
    assert "Percentages are of all rows" in text
    assert json.loads(json.dumps(explanation.to_dict()))["rest"]["rejects"] is False
    assert repr(explanation).startswith("Explanation(p=")
    assert "columns: d" in repr(explanation)


def test_what_remains_may_differ_as_well():
    """Three signs of which any two are independent, beside a column that is shifted."""
    rng = np.random.default_rng(0)
    real, fake = (np.sign(rng.normal(size=(500, 4))) for _ in range(2))
    fake[:, 2] = fake[:, 0] * fake[:, 1]
    real[:, 3], fake[:, 3] = rng.normal(size=500), rng.normal(size=500) + 0.6
    explanation = prfast.explain(real, fake, n_jobs=1)
    assert [difference.columns for difference in explanation.columns] == [(3,)]
    assert explanation.rest.rejects
    assert "Without these columns: The distributions differ" in str(explanation)


def test_equal_sets_are_not_explained():
    rng = np.random.default_rng(1)
    explanation = prfast.explain(rng.normal(size=(60, 3)), rng.normal(size=(60, 3)), n_jobs=1)
    assert (explanation.columns, explanation.rows(), explanation.rest) == ([], [], None)
    assert str(explanation).split() == explanation.test.sentences()[0].split()  # in several lines


def test_a_row_that_repeats_is_named_where_no_column_is():
    """Columns count it once, so that none of them shows it; with what real rows lack."""
    real, fake = np.random.default_rng(0).normal(size=(2, 400, 3))
    fake[:200] = fake[0]
    explanation = prfast.explain(real, fake, n_jobs=1)
    text = unwrapped(str(explanation))
    assert explanation.columns == []
    assert "Row 0 of the generated set occurs 200 times, 50 % of its rows and 0 % of" in text
    assert "No single column" not in text
    assert "No column or pair" not in text
    assert "Unlike" not in text
    fake[:200, 1] = 9.5
    text = unwrapped(str(prfast.two_sample_test(real, fake, n_jobs=1)))
    assert "Unlike any real row: column 1 9.5." in text
    labels = np.arange(400), np.maximum(np.arange(400), 199) + 400
    assert "occurs" not in str(prfast.explain(real, fake + 1, groups=labels, n_jobs=1))
    weights = np.linspace(1, 2, 400)  # rows are those of a sample by their weights
    test = prfast.two_sample_test(real, fake, w_fake=weights, n_jobs=1)
    assert test.rejects
    assert "occurs" not in str(test)


def test_groups_count_once_and_many_columns_are_refused():
    rng = np.random.default_rng(0)
    real, fake = (np.repeat(rng.normal(size=(30, 2)), 20, axis=0) for _ in range(2))
    groups = np.repeat(np.arange(30), 20), np.repeat(np.arange(30, 60), 20)
    fake[:, 0] += 4
    explanation = prfast.explain(real, fake, groups=groups, n_jobs=1)
    assert explanation.columns[0].columns == (0,)
    assert explanation.columns[0].half_width > 0.1
    with refused(ValueError, "real: at most 300 columns expected, got 301"):
        prfast.explain(rng.normal(size=(20, 301)), rng.normal(size=(20, 301)))
