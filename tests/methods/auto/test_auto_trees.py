"""Bases that are fitted where a trial shows a gain: costly ones, and boosted trees."""

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
def small_share(monkeypatch):
    """Try costly bases on 150 samples of a set."""
    monkeypatch.setattr("prfast.methods.auto.model._SHARE", 150)


def costly_bases(real, fake):
    weights = model.fit(coordinates(real, fake), serial_executor).weights
    return {name for name, entry in model.BASES.items() if entry.is_costly} & set(weights)


@pytest.mark.usefixtures("small_share")
def test_costly_bases_are_fitted_to_all_where_they_add_to_the_others():
    """The generated values of two of 20 columns are closer to ±1: no mean or variance differs."""
    real, fake = normal(600), normal(600, seed=1)
    ends = np.sign(fake[:, :2]) * (1 + 0.1 * normal(600, 2, 2))
    fake[:, :2] = ends / np.sqrt(1.01)
    assert "additive" in costly_bases(real, fake)


@pytest.mark.usefixtures("small_share")
@pytest.mark.parametrize("seed", [0, 2])
def test_costly_bases_are_not_fitted_to_all_where_the_means_differ(seed):
    real, fake = normal(600, seed=seed), normal(600, seed=seed + 1)
    fake[:, 0] += 1.5
    assert len(costly_bases(real, fake)) <= 2
    assert len(costly_bases(real[:400], fake[:400])) == 4  # too few for a trial


@pytest.mark.usefixtures("small_share")
@pytest.mark.parametrize("limits", [{}, {"_ERRORS_OF_HEAVY": 1.5, "_MAIN": 0.5}])
def test_a_costly_base_with_a_large_part_needs_a_small_gain_or_none(monkeypatch, limits):
    """The sign of a product of two columns differs: products are half of the scores of all, but
    with 150 samples gain 1.15 standard errors."""
    for name, limit in limits.items():
        monkeypatch.setattr(f"prfast.methods.auto.model.{name}", limit)
    real, fake = normal(600, 5), normal(600, 5, 1)
    sides = np.where(np.random.default_rng(0).random(600) < 0.8, 1, -1)
    fake[:, 1] = np.abs(fake[:, 1]) * np.sign(fake[:, 0]) * sides
    assert "products" in costly_bases(real, fake)


@pytest.mark.usefixtures("small_share")
def test_costly_bases_are_not_fitted_to_all_where_another_one_stands_for_them():
    """Alone, kernel and mixtures gain three standard errors, but beside additive have no part."""
    real, fake = normal(600, 5, 6), normal(600, 5, 7)
    ends = np.sign(fake[:, :2]) * (1 + 0.1 * normal(600, 2, 2))
    fake[:, :2] = ends / np.sqrt(1.01)
    costly = costly_bases(real, fake)
    assert "additive" in costly
    assert not {"kernel", "mixtures"} & costly


def test_a_share_has_the_coordinates_of_all():
    for d in (6, 300):
        coords = coordinates(normal(60, d), normal(50, d, 1))
        places = np.arange(0, 110, 3)
        share = coords.of_share(places)
        rows = coords.sample.fitted[places]
        assert np.array_equal(share.sample.fitted, rows)
        for name in ("axes", "single", "radial"):
            expected = coords.compute(places, name)
            blocks = np.concatenate([getattr(block, name) for _, block in share.fitted_blocks()])
            np.testing.assert_allclose(blocks, expected, rtol=1e-5, atol=1e-5)


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


@pytest.mark.parametrize(("times", "are_fitted"), [(0, True), (1, False), (4, False)])
def test_no_trees_are_fitted_only_to_undo_what_other_bases_overstate(times, are_fitted):
    """One of two columns differs; the scores have its log-ratio so many times, and another's."""
    rng = np.random.default_rng(0)
    real, fake = normal(500, 2), normal(500, 2, 1)
    real[:, 0] += 1
    coords = coordinates(real, fake)
    of_column = np.concatenate([real, fake])[coords.sample.fitted, 0] - 0.5
    others = 2 * (rng.normal(size=1000) + 2 * coords.sample.fitted_real) - 2
    boosted = trees(coords, others + times * of_column, serial_executor)
    assert (boosted is not None) == are_fitted


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
