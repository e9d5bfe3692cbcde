"""The meta-learner of the automatic estimator."""

import numpy as np
import pytest
from pairs import data_of, flip_labels, in_order, pair
from scipy import special

from prfast.kernels import monotone
from prfast.methods.auto.coordinates import normal_scores
from prfast.methods.auto.stack import CLIP, PENALTY, _fit_maps, _logistic, fit_stack

# ---- monotone maps -----------------------------------------------------------------------------


@pytest.mark.parametrize("shift", [-1.0, 0.3, 2.0])
@pytest.mark.parametrize(("segments", "smoothness"), [(20, 1.0), (14, 3.0), (80, 0.01)])
def test_a_monotone_map_satisfies_the_conditions_of_its_optimum(segments, smoothness, shift):
    """The gradient is 0 along the first height and along steps above 0, and ≥ 0 along others."""
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(size=300) + shift, rng.normal(size=200)])
    u = normal_scores((np.argsort(np.argsort(x)) + 0.5) / 500)
    order = np.argsort(u)
    middle, real = u[order], (np.arange(500) < 300)[order]
    p, q = np.where(real, 500 / 600, 0.0), np.where(real, 0.0, 500 / 400)
    low, high = middle[[0, -1]]
    heights = np.empty(segments + 1)
    monotone.fit(middle, p, q, low, high, smoothness, heights)
    knots = np.linspace(low, high, segments + 1)
    hats = np.column_stack([np.interp(middle, knots, unit) for unit in np.eye(segments + 1)])
    gradient = hats.T @ ((p + q) * special.expit(hats @ heights) - p)
    bends = np.diff(np.eye(segments + 1), 2, axis=0)
    gradient += smoothness * bends.T @ bends @ heights
    step_gradient = np.cumsum(gradient[::-1])[::-1]  # the first is that of all heights together
    steps = np.diff(heights)
    assert (steps >= 0).all()
    free = np.append(True, steps > 0)
    assert np.abs(step_gradient[free]).max() < 1e-3
    assert step_gradient.min() > -1e-3


def test_a_monotone_polyline_is_interpolated_within_its_bounds():
    heights = np.array([-20.0, -1.0, -1.0, 3.0, 15.0])
    x = np.concatenate([np.linspace(-3, 3, 101), [-9.0, 9.0]])
    values = np.empty(len(x))
    monotone.interpolate(x, -2.0, 2.0, heights, 12.0, values)
    expected = np.clip(np.interp(x, np.linspace(-2, 2, 5), heights), -12, 12)
    np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-12)
    monotone.interpolate(np.array([np.nan]), -2.0, 2.0, heights, 12.0, values[:1])  # and no crash


def test_maps_never_decrease_and_held_out_rows_have_the_map_of_their_values():
    data = data_of(*pair(60, 40))
    x = np.round(np.random.default_rng(0).normal(size=100) + data.real, 2)
    maps, mapped = _fit_maps(data, x)
    for group, (g, column) in enumerate(zip(maps, mapped, strict=True)):
        heights = g(np.linspace(-9, 9, 2000))
        assert (np.diff(heights) >= 0).all()
        assert np.abs(heights).max() <= CLIP
        assert set(g.values) == set(x[data.bundle != group])
        np.testing.assert_array_equal(column, g(x))


# ---- the meta-learner --------------------------------------------------------------------------


def test_slopes_satisfy_the_conditions_of_their_optimum():
    data = data_of(*pair(200, 150))
    x = example_columns(data)
    slopes, intercept = _logistic(x, data.real, data.balanced())
    residual = data.balanced() * (special.expit(x @ slopes + intercept) - data.real)
    gradient = x.T @ residual + PENALTY * slopes
    assert (slopes >= 0).all()
    assert np.abs(gradient[slopes > 0]).max() < 0.05
    assert gradient.min() > -0.05
    assert abs(residual.sum()) < 0.05


def example_columns(data, seed=0):
    """Return a good column, a noisy one, noise, one of the wrong sign, a constant."""
    noise = np.random.default_rng(seed).normal(size=(len(data.y), 3))
    good = data.real + noise[:, 0]
    return np.column_stack([good, good + noise[:, 1], noise[:, 2], -good, np.ones(len(data.y))])


def test_the_meta_learner_of_a_fold_does_not_depend_on_the_labels_of_its_group():
    data = data_of(*pair(200, 200), folds=10)
    columns = example_columns(data)
    flipped = flip_labels(data, data.bundle == 1)
    first, second = (fit_stack(labeled, columns, in_order)[0] for labeled in (data, flipped))
    for group in range(5):
        scores = first[group].score(columns), second[group].score(columns)
        assert np.allclose(*scores, rtol=0, atol=1e-9) == (group == 1)


def test_contributions_are_never_negative_and_0_without_information():
    data = data_of(*pair(300, 300))
    columns = example_columns(data)
    learners, scores = fit_stack(data, columns, in_order)
    parts = np.mean([learner.slopes * learner.spread for learner in learners], axis=0)
    assert (parts >= 0).all()
    assert parts[0] > 0.1
    assert parts[0] > 5 * parts[2]
    assert parts[3] < 1e-9
    assert parts[4] == 0
    for group, learner in enumerate(learners):
        inside = data.bundle == group
        assert np.array_equal(scores[inside], learner.score(columns[inside]))


@pytest.mark.parametrize("share", [0.2, 0.6])
def test_a_cluster_with_other_values_in_each_group_is_no_gap(share):
    """Group 0 has the lowest values of the cluster, which are next to the junk by rank only."""
    data = data_of(*pair(400, 400), folds=10)
    rng = np.random.default_rng(0)
    junk = ~data.real & (rng.random(len(data.y)) < share)
    column = np.where(junk, rng.normal(-5, 0.5, len(data.y)), 0.5 + 0.01 * data.bundle)
    scores = fit_stack(data, np.column_stack([column, column]), in_order)[1]
    medians = [np.median(scores[~junk & (data.bundle == group)]) for group in range(5)]
    assert np.ptp(medians) < 0.3  # 1.7 by ranks
