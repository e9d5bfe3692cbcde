"""Samples with weights and in groups: a weighted sample stands for another distribution."""

import pickle

import numpy as np
import pytest
from calls import first
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusals
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier  # noqa: F401

import prfast
from prfast import PRCurve, pr_curve, pr_curves  # noqa: F401
from prfast.estimate.intervals import scored
from prfast.methods.auto.estimator import Auto
from prfast.methods.base import ExecutionContext
from prfast.reference import GaussianShift
from prfast.samples.pair import Pair
from prfast.samples.partition import systematic

N = 120


def drawn(seed, n=N, m=N, d=2, shift=1.0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(size=(m, d)) + shift


def tilted(points, shift=0.5):
    """Return the weights that turn a standard normal into one with the mean (shift, 0, …)."""
    return np.exp(shift * points[:, 0])


SEEDS = st.integers(0, 2**32)


def test_rows_keep_their_numbers_where_some_have_no_weight():
    real, fake = drawn(2, 300, 300, shift=3.0)
    w = (np.arange(300) % 3 > 0) * 1.0
    curve = pr_curve(real, fake, w_real=w, n_jobs=1)
    rows = np.flatnonzero(w)
    np.testing.assert_array_equal(curve.scores.real_rows, rows)
    assert set(curve.info["missed"]) <= set(rows.tolist())
    worst = rows[np.argmax(curve.scores.real)]
    assert curve.info["missed"][0] == worst
    assert curve.info["n_real"] == len(rows)


@pytest.mark.parametrize("d", [1, 8])
@pytest.mark.parametrize("side", ["real", "fake"])
def test_importance_weights_give_the_curve_of_the_other_gaussian(d, side):
    """N(0, 1) with the weights of N(½, 1) against N(1.5, 1), at a distance of 1 instead of 1.5."""
    rng = np.random.default_rng(d)
    sets = [rng.normal(size=(1500, d)) for _ in range(2)]
    sets[1][:, 0] += 1.5
    weights = {"real": {"w_real": tilted(sets[0])}, "fake": {"w_fake": tilted(sets[1], -0.5)}}
    truth = GaussianShift(1.0, d).curve()
    weighted, plain = (pr_curve(*sets, n_jobs=1, **more) for more in (weights[side], {}))
    assert weighted.iou(truth) > 0.88 > 0.7 > plain.iou(truth)
    interval = weighted.interval("area")
    assert interval.low < truth.area < interval.high


@pytest.mark.parametrize("method", ["kmeans", "classifier", LogisticRegression()])
def test_other_methods_see_the_weights(method):
    """Weights that make both distributions equal give a larger area than none."""
    real, fake = drawn(5, 800, 800, d=1)
    weighted, plain = (pr_curve(real, fake, method, w_real=w) for w in (tilted(real, 1.0), None))
    assert weighted.area > 0.9 > plain.area + 0.1


def test_cells_of_k_means_have_the_weights_of_their_samples():
    """By their numbers of samples, the cells would be in another order of p / q."""
    real, fake = (np.repeat([0, 10, 20], n)[:, None] for n in ([30, 30, 40], [40, 30, 30]))
    near = drawn(7, 100, d=1)[0]
    w = np.repeat([1, 4, 0.25], [30, 30, 40])
    curve = pr_curve(real + near, fake + near, "kmeans", clusters=3, w_real=w)
    assert curve.iou(PRCurve.from_masses([30, 120, 10], [40, 30, 30])) > 1 - 1e-9


def test_the_fits_of_a_classifier_see_the_weights():
    """Weights leave a shift of the second column; a fit without them would add the first."""
    real, fake = drawn(5, 4000, 4000)
    curve = pr_curve(real, fake, "classifier", w_real=tilted(real, 1.0))
    truth = GaussianShift(1.0, 2).curve()
    assert curve.total_variation == pytest.approx(truth.total_variation, abs=0.04)


def test_the_classifier_of_scikit_learn_gets_weights_of_mean_one():
    real, fake = drawn(6)
    w = tilted(real)
    curve = pr_curve(real, fake, LogisticRegression(), split=None, w_real=w)
    classifier = LogisticRegression().fit(
        np.concatenate([real, fake]),
        np.repeat([1, 0], N),
        sample_weight=np.concatenate([w / w.mean(), np.ones(N)]),
    )
    scores = [classifier.decision_function(points) for points in (real, fake)]
    assert curve.iou(PRCurve.from_scores(*scores, w_real=w)) > 1 - 1e-9


def test_effective_numbers_of_cells_by_their_definition():
    real, fake = np.round(drawn(7), 1)
    w, g = tilted(real), np.arange(N) // 4
    curve = pr_curve(real, fake, first, w_real=w, groups=(g, N + np.arange(N)))
    group_weights = np.array([w[g == label].sum() for label in g])
    assert curve.info["effective_size"] == [int(w.sum() ** 2 / (w * group_weights).sum()), N]
    assert curve.info["groups"] == [N // 4, N]
    assert curve.info["weighted"] == ["real"]
    p, q = curve.masses
    ends = np.searchsorted(np.cumsum(q) - 1e-9, (np.arange(N) + 0.5) / N)
    counts = np.bincount(ends, minlength=len(q))
    np.testing.assert_allclose(curve.info["effective_cell_sizes"]["fake"], counts)
    # Thresholds between cells, from the generated samples and, where there is none, real ones.
    s = np.sort(first(real))
    below = np.array([w[first(real) <= t].sum() for t in np.unique(s)]) / w.sum()
    last = [
        np.unique(s)[np.argmin(np.abs(below - end))] if end > 1e-12 else -np.inf
        for end in np.cumsum(p)
    ]
    for i, (low, high) in enumerate(zip([-np.inf, *last], last, strict=False)):
        cell = (first(real) > low) & (first(real) <= high)
        expected = w[cell].sum() ** 2 / (w * group_weights)[cell].sum() if cell.any() else 0.0
        assert curve.info["effective_cell_sizes"]["real"][i] == pytest.approx(expected), i


def test_groups_are_the_units_of_the_interval():
    real, fake = drawn(9, 100, 100)
    tens = [np.repeat(points, 10, axis=0) for points in (real, fake)]
    noise = np.random.default_rng(0).normal(size=(2, 1000, 2)) * 1e-6
    groups = np.arange(1000) // 10, 1000 + np.arange(1000) // 10
    sets = [points + x for points, x in zip(tens, noise, strict=True)]
    few, grouped = pr_curve(real, fake, first), pr_curve(*sets, first, groups=groups)
    ungrouped = pr_curve(*sets, first)
    widths = [x.interval("area").half_width for x in (few, grouped, ungrouped)]
    assert widths[1] == pytest.approx(widths[0], rel=0.1)
    assert widths[2] < widths[0] / 2
    sizes = "Effective sample size 100 of 1000 real and 100 of 1000 generated; 100 real"
    assert sizes in str(grouped)


def test_real_samples_that_repeated_ones_miss_have_their_share_of_the_weight():
    """100 generated rows twice each cover part of the real distribution, by weight."""
    rng = np.random.default_rng(4)
    real, fake = rng.normal(size=(200, 2)), np.repeat(rng.normal(size=(100, 2)), 2, axis=0)
    pair = Pair.read(real, fake, w_real=rng.pareto(1.5, 200) + 0.01)
    scores = Auto().scores(pair, None, ExecutionContext(n_jobs=1))
    share = 1 - scores.curve().info["covered"]
    missed = scores.paired(0).real > scores.real
    w = pair.real.mass / pair.real.mass.sum()
    assert w.max() > 0.05
    order = np.argsort(scores.real, kind="stable")
    ahead = np.cumsum((w * missed)[order]) - share * np.cumsum(w[order])
    assert 0.1 < share < 0.6
    assert np.abs(ahead).max() <= w.max() / 2 + 1e-4  # along the whole order


def test_records_keep_the_interval_and_swap_it():
    real, fake = drawn(10)
    curve = pr_curve(real, fake, w_real=tilted(real), n_jobs=1)
    expected = curve.interval("area")
    for again in (PRCurve.from_dict(curve.to_dict()), pickle.loads(pickle.dumps(curve))):
        assert again.interval("area") == expected
    swapped = curve.swap()
    assert swapped.interval("area").value == pytest.approx(expected.value)
    assert scored(swapped) == scored(curve)[::-1]
    assert swapped.hull.provenance.cell_units[0] == curve.hull.provenance.cell_units[1][::-1]
    assert swapped.interval("area").half_width == pytest.approx(expected.half_width, rel=0.2)
    assert PRCurve.mean([curve, curve]).interval("area").half_width > 0


@given(seed=SEEDS, split=st.sampled_from([0.3, 0.5, "bernoulli"]))
def test_a_group_is_on_one_side_of_a_split(seed, split):
    rng = np.random.default_rng(seed)
    groups = rng.integers(20, size=N), 20 + rng.integers(20, size=N)
    points = np.arange(N)[:, None]
    part = Pair.read(points, points, groups=groups).split_rows(split, seed % 1000)
    for labels, train, test in zip(groups, part[::2], part[1::2], strict=True):
        assert sorted([*train, *test]) == list(range(N))
        assert not set(labels[train]) & set(labels[test])


@given(
    weights=st.lists(st.floats(0, 10), min_size=1, max_size=50).filter(any),
    count=st.integers(1, 80),
)
def test_systematic_draws_are_as_many_as_expected_up_to_one(weights, count):
    weights = np.array(weights)
    number = np.bincount(systematic(weights, count), minlength=len(weights))
    assert number.sum() == count
    assert (np.abs(number - count * weights / weights.sum()) < 1 + 1e-6).all()


@given(seed=SEEDS)
def test_metrics_are_weighted_means(seed):
    rng = np.random.default_rng(seed)
    real, fake = rng.normal(size=(40, 2)), rng.normal(size=(30, 2)) + 1
    w, v = rng.exponential(size=40), rng.integers(3, size=30) * 1.0
    v[0] = 1.0
    heavy = v > 0
    names = ["precision", "recall", "coverage", "complementary_precision"]
    assert list(prfast.metrics(real, fake, 2, w_real=w, w_fake=v)) == names[:3]  # of the usual
    result = prfast.metrics(real, fake, 2, names, w_real=w, w_fake=v)

    def radii(points):
        d = np.linalg.norm(points[:, None] - points, axis=2)
        return np.sort(d, axis=1)[:, 2]

    fake, v = fake[heavy], v[heavy]
    d, (r, s) = np.linalg.norm(real[:, None] - fake, axis=2), map(radii, (real, fake))
    inside = {
        "precision": ((d <= r[:, None]).any(axis=0), v),
        "recall": ((d <= s).any(axis=1), w),
        "coverage": ((d <= r[:, None]).any(axis=1), w),
        "complementary_precision": ((d <= s).any(axis=0), v),
    }
    for name, (held, weights) in inside.items():
        assert result[name] == pytest.approx(np.average(held, weights=weights)), name
    only = prfast.metrics(real, fake, 2, "density", w_fake=v)
    assert only.density == pytest.approx(np.average((d <= r[:, None]).sum(axis=0) / 2, weights=v))
    assert only.info["effective_size"][1] == int(v.sum() ** 2 / (v**2).sum() + 1e-9)


REAL, FAKE = drawn(13, 12, 12)
W = np.arange(12.0)

test_refusals = refusals("""
pr_curve(REAL, FAKE, "knn", w_real=W)
    ValueError: w_real: None expected for method 'knn', which has no weights; 'auto'…
pr_curve(REAL, FAKE, first, w_real=-W)
    ValueError: w_real: numbers >= 0 expected…
pr_curve(REAL, FAKE, groups=(W.astype(int), W.astype(int)))
    ValueError: groups: labels that occur in one set alone expected…
pr_curve(REAL, FAKE, groups=(np.arange(12), np.arange(11, 23).astype(str)))
    ValueError: groups: labels that occur in one set alone expected, got 11 in both…
pr_curve(REAL, FAKE, "knn", groups=([0] * 11 + [1], [2] * 6 + [3] * 6), split=0.3)
    ValueError: groups: too few groups of real samples to split at 0.3: 2 would leave 0 to train…
pr_curve(REAL, FAKE, first, w_real=W).upper()
    ValueError: curve: independent samples of equal weight expected…
prfast.metrics(REAL, FAKE, which="frechet_distance", w_fake=W)
    ValueError: w_fake: None expected for frechet_distance…
prfast.two_sample_test(REAL, FAKE, w_real=W)
    ValueError: w_real: weights that leave at least 10 samples to test expected, each with the…
""")
