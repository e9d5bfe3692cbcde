"""The meta-learner of the automatic estimator, and its curve estimators."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pairs import coordinates, flip_labels, pair
from scipy import special

from prfast import PRCurve
from prfast.curve.provenance import Provenance
from prfast.kernels import monotone
from prfast.methods.auto import calibration
from prfast.methods.auto.calibration import (
    CLIP,
    MIN_EVIDENCE,
    PENALTY,
    STIFFNESS,
    MonotoneMap,
    RankBins,
    _logistic,
    _masses,
    estimate_curves,
)
from prfast.methods.auto.model import serial_executor
from prfast.methods.auto.sample import balanced


def scores_and_labels(n=300, m=200, shift=1.0, seed=0):
    rng = np.random.default_rng(seed)
    x = np.concatenate([rng.normal(size=n) + shift, rng.normal(size=m)])
    return x, np.arange(n + m) < n


# ---- monotone maps -----------------------------------------------------------------------------


@given(
    st.integers(0, 10**6),
    st.sampled_from([(20, 1.0), *STIFFNESS]),
    st.sampled_from([-2.0, 0.0, 0.5, 3.0]),
)
@example(18939, (14, 3.0), 0.0)  # a segment that rounds to above its right end
@settings(max_examples=40)
def test_a_monotone_map_never_decreases_and_stays_within_its_bounds(seed, stiffness, shift):
    x, real = scores_and_labels(60, 40, shift, seed)
    bins = RankBins(x)
    g = MonotoneMap(bins, *_masses(bins.counts(np.where(real, 0, 1), 2)), *stiffness)
    heights = g(np.linspace(-9, 9, 2000))
    assert (np.diff(heights) >= 0).all()
    assert np.abs(heights).max() <= CLIP


@pytest.mark.parametrize("shift", [-1.0, 0.3, 2.0])
@pytest.mark.parametrize("stiffness", [(20, 1.0), *STIFFNESS])
def test_a_monotone_map_satisfies_the_conditions_of_its_optimum(stiffness, shift):
    """The gradient is 0 along the first height and along steps above 0, and ≥ 0 along others."""
    x, real = scores_and_labels(300, 200, shift)
    bins = RankBins(x)
    p, q = _masses(bins.counts(np.where(real, 0, 1), 2))
    segments, smoothness = stiffness
    low, high = bins.normal_scores.u[[0, -1]]
    heights = np.empty(segments + 1)
    monotone.fit(bins.middle, p, q, low, high, smoothness, heights)
    knots = np.linspace(low, high, segments + 1)
    hats = np.column_stack([np.interp(bins.middle, knots, one) for one in np.eye(segments + 1)])
    of_heights = hats.T @ ((p + q) * special.expit(hats @ heights) - p)
    bends = np.diff(np.eye(segments + 1), 2, axis=0)
    of_heights += smoothness * bends.T @ bends @ heights
    of_steps = np.cumsum(of_heights[::-1])[::-1]  # the first is that of all heights together
    steps = np.diff(heights)
    assert (steps >= 0).all()
    free = np.append(True, steps > 0)
    assert np.abs(of_steps[free]).max() < 1e-3
    assert of_steps.min() > -1e-3


def test_a_monotone_polyline_is_interpolated_within_its_bounds():
    heights = np.array([-20.0, -1.0, -1.0, 3.0, 15.0])
    x = np.concatenate([np.linspace(-3, 3, 101), [-9.0, 9.0]])
    values = np.empty(len(x))
    monotone.interpolate(x, -2.0, 2.0, heights, 12.0, values)
    expected = np.clip(np.interp(x, np.linspace(-2, 2, 5), heights), -12, 12)
    np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-12)
    monotone.interpolate(np.array([np.nan]), -2.0, 2.0, heights, 12.0, values[:1])  # and no crash


def test_arrays_of_other_lengths_are_refused():
    x, three = np.zeros(4), np.zeros(3)
    for call in (
        lambda: monotone.fit(x, x, three, 0.0, 1.0, 1.0, three),
        lambda: monotone.fit(x, x, x, 0.0, 1.0, 1.0, np.zeros(2)),
        lambda: monotone.fit(x, x, x, 0.0, 1.0, 1.0, np.zeros(200)),
        lambda: monotone.interpolate(x, 0.0, 1.0, three, 1.0, three),
        lambda: monotone.scores_of_ranks(x, three, np.zeros(3, np.int64), three, x),
        lambda: monotone.inverse_factors(np.zeros((1, 3, 2))),
        lambda: monotone.inverse_factors(np.zeros((1, 41, 41))),
    ):
        with pytest.raises(ValueError, match="expected"):
            call()


@pytest.mark.parametrize("number", [1, 2, 30, 199])
def test_held_out_scores_lie_between_those_of_the_next_values_of_the_other_rows(number):
    rng = np.random.default_rng(number)
    x = np.round(rng.normal(size=200), 2)
    bins, rows = RankBins(x), np.arange(200) < number
    known, u = bins.held_out(rows)
    np.testing.assert_array_equal(np.unique(x[rows]), bins.normal_scores.values[known])
    np.testing.assert_array_equal(u, bins.normal_scores.transform(x, known))


def fit_stack(sample, columns, execute):
    return calibration.fit_stack(sample, calibration.map_columns(sample, columns, execute), execute)


# ---- the meta-learner --------------------------------------------------------------------------


def test_the_logistic_regression_satisfies_the_conditions_of_its_optimum():
    """Slopes ≥ 0; the gradient is 0 along those above 0, and ≥ 0 along those at 0."""
    rng = np.random.default_rng(0)
    real = np.arange(600) < 350
    x = rng.normal(size=(600, 6))
    x[:, 0] += real
    x[:, 1] += 0.5 * real
    x[:, 2] -= real  # larger where less like real
    weight = balanced(real)
    design = np.vstack([np.ones(600), x.T])
    start = np.append(0.0, np.full(6, 1 / 6))
    slopes, intercept = _logistic(design, np.where(real, weight, 0.0), weight, start)
    assert (slopes >= 0).all()
    assert slopes[0] > slopes[1] > 0 == slopes[2]
    error = weight * (special.expit(x @ slopes + intercept) - real)
    gradient = x.T @ error + PENALTY * slopes
    positive = slopes > 0
    assert np.abs(gradient[positive]).max() < 0.05
    assert gradient[~positive].min() > -0.05
    assert abs(error.sum()) < 0.05


def example_columns(coords, seed=0):
    """Return a good column, a noisy one, noise, one of the wrong sign, a constant."""
    rng = np.random.default_rng(seed)
    real = coords.sample.fitted_real
    noise = rng.normal(size=(len(real), 3))
    good = real + noise[:, 0]
    return np.column_stack([good, good + noise[:, 1], noise[:, 2], -good, np.ones(len(real))])


def test_the_meta_learner_of_a_fold_does_not_depend_on_the_labels_of_its_group():
    coords = coordinates(*pair(200, 200), folds=10)
    columns = example_columns(coords)
    flipped = flip_labels(coords, np.isin(coords.sample.fold, [1, 6])).sample
    one, two = (fit_stack(s, columns, serial_executor)[0] for s in (coords.sample, flipped))
    for fold in range(10):
        same = np.allclose(one.score(columns, fold), two.score(columns, fold), rtol=0, atol=1e-9)
        assert same == (fold in (1, 6))


def test_contributions_are_never_negative_and_0_without_information():
    coords = coordinates(*pair(300, 300))
    stack, scores = fit_stack(coords.sample, example_columns(coords), serial_executor)
    contributions = stack.contributions
    assert (contributions >= 0).all()
    assert contributions[0] > 0.1
    assert contributions[0] > 5 * contributions[2]
    assert contributions[3] < 1e-9
    assert contributions[4] == 0
    for fold, part in coords.sample.parts(coords.sample.fitted):
        expected = stack.score(example_columns(coords)[part], fold)
        assert np.array_equal(scores[part], expected)


def test_a_meta_learner_that_starts_from_one_of_fewer_columns_is_that_of_a_usual_start():
    coords = coordinates(*pair(300, 300))
    sample, columns = coords.sample, example_columns(coords)
    mapped = calibration.map_columns(sample, columns, serial_executor)
    first, few = calibration.fit_stack(sample, mapped[1:], serial_executor)
    usual, scores = calibration.fit_stack(sample, mapped[1:] + mapped[:1], serial_executor)
    near, again = calibration.fit_stack(
        sample, mapped[1:] + mapped[:1], serial_executor, before=first
    )
    assert np.abs(scores - few).max() > 0.1
    assert np.abs(scores - again).max() < 1e-5
    for one, two in zip(usual.learners, near.learners, strict=True):
        np.testing.assert_allclose(one.slopes, two.slopes, rtol=0, atol=1e-5)


@pytest.mark.parametrize("share", [0.2, 0.6])
def test_a_cluster_with_other_values_in_each_group_is_no_gap(share):
    """Group 0 has the lowest values of the cluster, which are next to the junk by rank only."""
    coords = coordinates(*pair(400, 400), folds=10)
    sample = coords.sample
    group, real = sample.group_of(sample.fitted_fold), sample.fitted_real
    rng = np.random.default_rng(0)
    junk = ~real & (rng.random(len(real)) < share)
    column = np.where(junk, rng.normal(-5, 0.5, len(real)), 0.5 + 0.01 * group)
    scores = fit_stack(sample, np.column_stack([column, column]), serial_executor)[1]
    medians = [np.median(scores[~junk & (group == g)]) for g in range(5)]
    assert np.ptp(medians) < 0.3  # 1.7 by ranks
    kept = 1 - junk.sum() / (~real).sum()
    curves = estimate_curves(column, real, group)
    assert curves.smooth.fidelity == pytest.approx(kept, abs=0.02)
    p, q = np.array([1, 0]), np.array([kept, 1 - kept])  # ratios of two values
    divergence = special.rel_entr([p, q], (p + q) / 2).sum()
    assert curves.evidence > 0.9 * divergence * len(real) / 2


# ---- curve estimators --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def scored():
    x, real = scores_and_labels(500, 300)
    return x, real, estimate_curves(x, real, np.arange(800) % 5)


def test_the_hull_is_the_sweep_of_the_scores_with_the_counts_of_its_cells(scored):
    x, real, curves = scored
    expected = PRCurve.from_scores(x[real], x[~real])
    assert curves.hull == expected
    p, q = curves.counts["real"], curves.counts["fake"]
    assert (sum(p), sum(q)) == (500, 300)
    assert all(type(count) is int for count in p + q)
    assert PRCurve.from_masses(p, q) == expected


@pytest.mark.parametrize("share", [0.2, 0.8])
def test_a_gap_of_the_scores_lowers_the_fidelity_of_the_smooth_curve_by_its_share(share):
    """A share of the generated samples lies far below all others."""
    x, real = np.random.default_rng(0).normal(size=1000), np.arange(1000) < 500
    x[500 : 500 + int(500 * share)] -= 20
    curves = estimate_curves(x, real, np.arange(1000) % 5)
    assert curves.smooth.fidelity == pytest.approx(1 - share, abs=0.03)


def test_without_evidence_the_curve_is_shrunk_towards_that_of_equal_distributions(scored):
    curves = scored[2]
    assert curves.evidence > MIN_EVIDENCE
    assert "shrunk" not in curves.auto.info
    lam = np.geomspace(0.1, 10, 9)
    for evidence, share in ((MIN_EVIDENCE, 1.0), (MIN_EVIDENCE / 3, 1 / 3), (-2.0, 0.0)):
        weak = curves._replace(evidence=evidence)
        expected = share * curves.auto.at(lam)[0] + (1 - share) * np.minimum(lam, 1)
        np.testing.assert_allclose(weak.auto.at(lam)[0], expected, rtol=1e-12)
        assert weak.auto.info.get("shrunk", 1.0) == pytest.approx(share, abs=1e-3)
        assert weak.auto.info["hull"] == curves.counts
        assert weak.named("mean", Provenance()) == curves.named("mean", Provenance())
