"""The meta-learner of the automatic estimator."""

import numpy as np
import pytest
from pairs import data_of, flip_labels, in_order, pair
from scipy import special

from prfast.kernels import monotone
from prfast.methods.auto.coordinates import normal_scores
from prfast.methods.auto.stack import fit_stack


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


@pytest.mark.parametrize("share", [0.2, 0.6])
def test_a_cluster_with_other_values_in_each_group_is_no_gap(share):
    data = data_of(*pair(400, 400), folds=10)
    rng = np.random.default_rng(0)
    junk = ~data.real & (rng.random(len(data.y)) < share)
    column = np.where(junk, rng.normal(-5, 0.5, len(data.y)), 0.5 + 0.01 * data.bundle)
    scores = fit_stack(data, np.column_stack([column, column]), in_order)[1]
    medians = [np.median(scores[~junk & (data.bundle == group)]) for group in range(5)]
    assert np.ptp(medians) < 0.3  # 1.7 by ranks
