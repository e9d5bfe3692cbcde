"""Results as plain numbers for JSON and as tables of pandas: one form of each, the same numbers."""

import json
import math

import numpy as np
import pytest
from made_results import (
    DISTANCES,
    DIVERGENCES,
    GIVEN,
    GROUPS,
    METRICS,
    MODELS,
    RESULTS,
)

import prfast

EVALUATION = MODELS["a"]
VIEWS = [prfast.theory.lorenz(GIVEN), prfast.theory.roc(GIVEN)]
VIEWS += [prfast.theory.renyi_frontier(GIVEN, 2), prfast.theory.mauve_frontier(GIVEN)]


@pytest.fixture
def pandas():
    return pytest.importorskip("pandas", reason="tables of pandas need pandas")


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_json_gives_back_what_was_written(result):
    record = result.to_dict()
    assert json.loads(json.dumps(record, allow_nan=False)) == record


def test_values_are_a_row_each(pandas):
    table = METRICS.to_frame()
    assert table.index.name == "name"
    assert table["value"].to_dict() == dict(METRICS)
    assert DIVERGENCES.to_frame().loc["kl", "value"] == math.inf
    halves = DISTANCES.to_frame()["half_width"]
    half = 1.959964 * DISTANCES.errors["kernel_distance"]
    assert halves["kernel_distance"] == pytest.approx(half, rel=1e-6)
    assert np.isnan(halves["frechet_distance"])


def test_a_curve_is_its_points_with_their_trade_off(pandas):
    table = GIVEN.to_frame()
    assert list(table) == ["recall", "precision", "lam"]
    np.testing.assert_array_equal([table.recall, table.precision], GIVEN.outline())
    inner = table[(table.lam > 0) & (table.lam < np.inf)]
    np.testing.assert_allclose(inner[["precision", "recall"]].T, GIVEN.at(inner.lam), rtol=1e-9)
    assert len(GIVEN.to_frame(tolerance=0.1)) < len(table)
    point = prfast.PRCurve.from_masses([1, 0], [0, 1]).to_frame()
    assert point.lam.isna().all()


def test_classes_are_a_row_each(pandas):
    table = GROUPS.to_frame()
    assert list(table.index) == [0, 1, 2]
    assert table.loc[0, "knn k=3: area"] == GROUPS.curves[0]["knn", 3].area
    assert table.loc[1, "recall"] == GROUPS.metrics[1]["recall"]
    assert np.isnan(table.loc[2, "recall"])
    assert table["difference"].to_list() == [change.difference for change in GROUPS.changes]


def test_views_are_their_points(pandas):
    named = ("t F", "fpr tpr", "to_fake to_real", "fake real")
    for view, columns in zip(VIEWS, named, strict=True):
        table = view.to_frame()
        assert list(table) == columns.split()
        expected = view.vertices if isinstance(view, prfast.theory.Lorenz) else view
        np.testing.assert_array_equal(table.T, expected)


def test_an_evaluation_is_a_row_a_number(pandas):
    table = EVALUATION.to_frame()
    assert list(table) == ["value"]
    assert table.loc["knn k=3: area", "value"] == EVALUATION.curve.area
    assert table.loc["recall", "value"] == EVALUATION["recall"]
    halves = EVALUATION.to_frame(confidence=0.9)["half_width"]
    assert halves["knn k=3: area"] == EVALUATION.curve.interval("area", 0.9).half_width
    assert halves["recall"] == EVALUATION.halves.half_width("recall", 0.9)
