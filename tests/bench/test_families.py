"""Families of the bench: the log-ratio is that of the samples, the truth is the ratio's curve."""

import numpy as np
import pytest
from scipy.special import expit

from bench.auto.families import developing, independent, later
from bench.auto.families.family import log_ratios, sampled
from prfast import PRCurve

ROWS = developing.FAMILIES + later.FAMILIES + independent.FAMILIES
FAMILIES = {family.name: family for family in ROWS}
INDEPENDENT = [family.name for family in independent.FAMILIES]
# Of the same pair at fewer samples there is nothing to test.
PAIRS = [name for name in FAMILIES if not name.endswith("-n1000")]
TRUTH_SAMPLES = 1 << 18


@pytest.fixture(scope="module")
def drawn():
    """Pair, and log-ratios of many samples of P and of Q, by the name of the family."""
    found = {}

    def of(name):
        if name not in found:
            pair = FAMILIES[name].make()
            size = 1 << (14 if name.endswith("d2048") else 16)
            rng = np.random.default_rng(1)
            found[name] = pair, *log_ratios(pair.sample, pair.log_ratio, rng, size)
        return found[name]

    return of


def test_names_are_unique():
    assert len(FAMILIES) == len(ROWS)


@pytest.mark.parametrize("name", PAIRS)
def test_the_log_ratio_is_that_of_the_samples(name, drawn):
    # Among samples of one ratio the share of real ones is η = p/(p + q); so E_Q[p/q] = 1 where it
    # is finite.
    _, real, fake = drawn(name)
    ratio = np.concatenate([real, fake])
    is_real = np.repeat([1.0, 0.0], [real.size, fake.size])
    cells = np.digitize(ratio, np.quantile(ratio[np.isfinite(ratio)], np.linspace(0.1, 0.9, 9)))
    eta = expit(ratio)
    surplus = np.bincount(cells, is_real - eta, minlength=10)
    sd = np.sqrt(np.bincount(cells, eta * (1 - eta), minlength=10))
    assert (np.abs(surplus) <= 4.5 * sd + 1e-6).all()


@pytest.mark.parametrize("name", PAIRS)
def test_the_truth_is_the_curve_of_the_log_ratio(name, drawn):
    pair, real, fake = drawn(name)
    truth = pair.truth(TRUTH_SAMPLES)
    hull = PRCurve.from_scores(real, fake)
    between = hull.area + truth.area - 2 * hull.intersection(truth).area
    assert between < 0.01
    assert truth.iou(PRCurve.from_masses(*_masses(real, fake))) > 0.985


def _masses(real, fake):
    ratio = np.concatenate([real, fake])
    return expit(ratio), expit(-ratio)


@pytest.mark.parametrize("name", INDEPENDENT)
def test_no_feature_tells_more_than_the_log_ratio(name):
    # 1{real} − η has mean 0 given the features, so it is uncorrelated with every function of them,
    # here products of up to three columns.  A log-ratio that ignores informative columns can pass
    # the tests above.
    pair = FAMILIES[name].make()
    points = pair.sample(np.random.default_rng(2), 1 << 13, 1 << 13)
    shown = np.concatenate([pair.show(of) for of in points])
    eta = expit(np.concatenate([pair.log_ratio(of) for of in points]))
    residual = np.repeat([1.0, 0.0], 1 << 13) - eta
    above = np.where(shown > np.median(shown, axis=0), 1.0, -1.0)
    sd = np.sqrt((eta * (1 - eta)).sum())
    assert np.abs(residual @ above).max() <= 5 * sd + 1e-6
    pairs = above.T @ (residual[:, None] * above)
    assert np.abs(pairs).max() <= 6 * sd + 1e-6
    triples = above.T @ (residual[:, None] * above[:, :1] * above)
    assert np.abs(triples).max() <= 6 * sd + 1e-6


@pytest.mark.parametrize("name", INDEPENDENT)
def test_an_independent_family_is_equal_or_well_away_from_equal_and_disjoint(name):
    area = FAMILIES[name].make().truth(1 << 14).area
    assert area == 1 if name.startswith("equal-") else 0.3 < area < 0.95


@pytest.mark.parametrize("name", FAMILIES)
def test_samples_are_finite_rows_drawn_from_the_seed(name):
    family = FAMILIES[name]
    pair = family.make()
    one, again = (pair.sample(np.random.default_rng(3), 7, 5) for _ in range(2))
    shown = [pair.show(points) for points in one]
    assert [points.shape[0] for points in shown] == [7, 5]
    assert shown[0].shape[1] == shown[1].shape[1]
    assert all(np.isfinite(points).all() and points.dtype == np.float64 for points in shown)
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))


def test_a_sampled_truth_agrees_with_a_closed_form():
    other = FAMILIES["shift-5/3"].make()
    shorter = FAMILIES["manifold-d512"].make()  # two coordinates, in closed form
    truth = sampled(shorter.sample, shorter.log_ratio)(TRUTH_SAMPLES)
    assert truth.iou(shorter.truth(0)) == pytest.approx(1, abs=4e-3)
    assert truth.iou(other.truth(0)) < 0.9
