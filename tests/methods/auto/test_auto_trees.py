"""Boosted trees, fitted where a trial shows a gain."""

import numpy as np
import pytest
from pairs import coordinates, cross_fitted_columns, flip_labels
from sklearn.metrics import roc_auc_score

from prfast import pr_curve
from prfast.methods.auto import model
from prfast.methods.auto.model import fit_work, serial_executor, trees


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


def test_trees_detect_a_product_of_two_columns_of_many():
    coords = coordinates(*XOR)
    fitted = model.fit(coords, serial_executor)
    assert fitted.weights["trees"] > 0.3
    real = coords.sample.fitted_real
    column = cross_fitted_columns(fitted.model.bases[-1], coords)[:, 0]
    assert roc_auc_score(real, column) > 0.6
    assert roc_auc_score(real, fitted.scores) > 0.58


@pytest.mark.parametrize("shift", [0.0, 0.7])
@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=pytest.mark.nightly) for s in (1, 2))])
def test_no_trees_are_fitted_where_the_other_bases_suffice(shift, seed):
    real, fake = normal(300, 5, 2 * seed), normal(300, 5, 2 * seed + 1) + shift
    assert "trees" not in model.fit(coordinates(real, fake), serial_executor).weights


@pytest.mark.usefixtures("no_trial")
@pytest.mark.parametrize("d", [5, 200])
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


@pytest.mark.nightly
@pytest.mark.usefixtures("no_trial")
@pytest.mark.parametrize("d", [10, 1000])
def test_trees_of_equal_distributions_are_noise(d):
    areas = []
    for seed in range(4):
        x = normal(200, d, seed)
        coords = coordinates(x[:100], x[100:])
        columns = cross_fitted_columns(trees(coords, np.zeros(200), serial_executor), coords)
        areas.append(roc_auc_score(coords.sample.fitted_real, columns[:, 0]))
    assert abs(np.mean(areas) - 0.5) < 0.07


@pytest.mark.nightly
def test_threads_do_not_change_a_bit_where_trees_are_fitted():
    one, two = (pr_curve(*XOR, n_jobs=n) for n in (1, 2))
    assert one.info["weights"]["trees"] > 0
    assert one == two


@pytest.mark.nightly
@pytest.mark.parametrize("case", ["fitted", "tried", "too few to try"])
def test_the_shares_of_all_phases_add_up_to_the_work_of_a_fit(case):
    """Without trees the bar moves past their phases."""
    coords = {
        "fitted": coordinates(*XOR),
        "tried": coordinates(normal(300, 5), normal(300, 5, 1)),
        "too few to try": coordinates(normal(60, 5), normal(60, 5, 1)),
    }[case]
    shares = {}

    def execute(function, arguments, share):
        shares[function.__name__] = shares.get(function.__name__, 0) + share
        return serial_executor(function, arguments)

    fitted = model.fit(coords, execute)
    assert ("trees" in fitted.weights) == (case == "fitted")
    assert sum(shares.values()) == pytest.approx(fit_work(0, 1))
    assert shares.get("grow", 0) >= (15 if case == "fitted" else 0)
    assert shares.get("gains", 0) >= (0 if case == "too few to try" else 30)
