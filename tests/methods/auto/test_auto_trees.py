"""Boosted trees, fitted where a trial shows a gain."""

import numpy as np
import pytest
from pairs import coordinates, cross_fitted_columns, flip_labels
from sklearn.metrics import roc_auc_score

from prfast.methods.auto import model
from prfast.methods.auto.model import serial_executor, trees


def signs(n, sign, seed, d=20):
    """Return samples of which seven of ten have this sign of the product of two columns."""
    rng = np.random.default_rng([seed, n])
    x = rng.normal(size=(4 * n, d))
    return x[(sign * x[:, 3] * x[:, 11] > 0) | (rng.random(4 * n) < 0.3)][:n]


XOR = signs(400, 1, 0), signs(400, -1, 1)


def normal(n, d=20, seed=0):
    return np.random.default_rng([seed, n, d]).normal(size=(n, d))


@pytest.fixture
def no_trial(monkeypatch):
    """Fit trees without a trial."""
    monkeypatch.setattr("prfast.methods.auto.model._best_rounds", lambda *_: 100)


@pytest.mark.nightly
def test_trees_detect_a_product_of_two_columns_of_many():
    coords = coordinates(*XOR)
    fitted = model.fit(coords, serial_executor)
    assert fitted.weights["trees"] > 0.3
    real = coords.sample.fitted_real
    column = cross_fitted_columns(fitted.model.bases[-1], coords)[:, 0]
    assert roc_auc_score(real, column) > 0.6
    assert roc_auc_score(real, fitted.scores) > 0.58


@pytest.mark.parametrize("shift", [0.0, pytest.param(0.7, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.nightly)])
def test_no_trees_are_fitted_where_the_other_bases_suffice(shift, seed):
    real, fake = normal(300, 5, 2 * seed), normal(300, 5, 2 * seed + 1) + shift
    assert "trees" not in model.fit(coordinates(real, fake), serial_executor).weights


@pytest.mark.usefixtures("no_trial")
@pytest.mark.parametrize("d", [5, pytest.param(200, marks=pytest.mark.nightly)])
def test_trees_do_not_depend_on_the_labels_of_the_fold_that_they_score(d):
    """All labels of fold 1 are exchanged; of 200 columns, trees use the screened ones."""
    coords = coordinates(normal(120, d), normal(100, d, 1) + 0.5)
    own = coords.sample.fold == 1
    before, after = (
        cross_fitted_columns(trees(c, np.zeros(220), serial_executor), c)
        for c in (coords, flip_labels(coords, own))
    )
    own = own[coords.sample.fitted]
    assert np.array_equal(after[own], before[own])
    assert np.abs(after - before)[~own].max() > 0.01
