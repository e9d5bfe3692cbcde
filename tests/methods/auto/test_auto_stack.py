"""Level 2 of the automatic estimator, and its read-outs."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from made import coordinates, pair, plain_run, relabeled
from scipy import optimize, special, stats

from prfast import PRCurve
from prfast.methods.auto.model import RIDGE, _logistic, stacked
from prfast.methods.auto.read_out import (
    CLIP,
    ENOUGH,
    STIFFNESS,
    Monotone,
    Ranks,
    _fit,
    _held_out,
    _stiffness,
    log_loss,
    masses,
    read_out,
)
from prfast.methods.auto.sample import balanced


def labeled(n=300, m=200, shift=1.0, seed=0):
    """Scores, larger where real, and labels."""
    rng = np.random.default_rng(seed)
    x = np.concatenate([rng.normal(size=n) + shift, rng.normal(size=m)])
    return x, np.arange(n + m) < n


# ---- ranks -------------------------------------------------------------------------------------


def test_normal_scores_are_those_of_weighted_middle_ranks():
    x, real = labeled()
    weight = balanced(real)
    ranks = Ranks(x, weight)
    rank = [(weight[x < z].sum() + weight[x == z].sum() / 2) / weight.sum() for z in x]
    np.testing.assert_allclose(ranks.u, stats.norm.ppf(rank), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ranks.places.place(x), ranks.u)
    low, high = ranks.places.place(np.array([-99.0, 99.0]))
    assert (low, high) == (ranks.u.min(), ranks.u.max())


# ---- monotone ----------------------------------------------------------------------------------


@given(
    st.integers(0, 10**6),
    st.sampled_from([(20, 1.0), *STIFFNESS]),
    st.sampled_from([-2.0, 0.0, 0.5, 3.0]),
)
@example(18939, (14, 3.0), 0.0)  # a piece that rounds to above its right end
@settings(max_examples=40)
def test_the_map_never_falls_and_stays_within_its_bounds(seed, stiffness, shift):
    x, real = labeled(60, 40, shift, seed)
    weight = balanced(real)
    ranks = Ranks(x, weight)
    g = Monotone(ranks, *masses(ranks, real, weight), *stiffness)
    found = g(np.linspace(-9, 9, 2000))
    assert (np.diff(found) >= 0).all()
    assert np.abs(found).max() <= CLIP


@pytest.mark.parametrize(("segments", "smooth"), [(5, 1.0), (20, 1.0), (14, 0.3)])
def test_its_heights_are_the_best_that_do_not_fall(segments, smooth):
    """Against a bounded minimizer of the same sum, which is written out here."""
    x, real = labeled(120, 80)
    weight = balanced(real)
    ranks = Ranks(x, weight)
    p, total = masses(ranks, real, weight)
    knots = ranks.knots(segments)

    def loss(heights):
        g = np.interp(ranks.middle, knots, heights)
        bends = np.diff(heights, 2)
        return log_loss(g, p, total - p) + smooth / 2 * (bends**2).sum()

    def of_steps(steps):
        return loss(np.cumsum(steps))

    heights = _fit(ranks.middle, p, total, knots, smooth)
    start = np.concatenate([[-1.0], np.full(segments, 2 / segments)])
    bounds = [(None, None)] + [(0, None)] * segments
    best = optimize.minimize(of_steps, start, bounds=bounds, method="L-BFGS-B", tol=1e-12)
    assert loss(heights) <= best.fun + 1e-4
    rng = np.random.default_rng(0)
    for _ in range(50):
        other = np.sort(heights + rng.normal(scale=0.05, size=segments + 1))
        assert loss(heights) <= loss(other) + 1e-6


# ---- level 2 -----------------------------------------------------------------------------------


def test_the_logistic_regression_satisfies_the_conditions_of_its_optimum():
    """Slopes ≥ 0; the gradient is 0 along those above 0, and ≥ 0 along those at 0."""
    rng = np.random.default_rng(0)
    real = np.arange(600) < 350
    x = rng.normal(size=(600, 6))
    x[:, 0] += real
    x[:, 1] += 0.5 * real
    x[:, 2] -= real  # tells the wrong way round
    weight = balanced(real)
    p = np.where(real, weight, 0.0)
    slopes, intercept = _logistic(x, p, weight)
    assert (slopes >= 0).all()
    assert slopes[0] > slopes[1] > 0 == slopes[2]
    eta = special.expit(x @ slopes + intercept)
    gradient = x.T @ (weight * eta - p) + RIDGE * slopes
    held = slopes > 0
    assert np.abs(gradient[held]).max() < 0.05
    assert gradient[~held].min() > -0.05
    assert abs((weight * eta - p).sum()) < 0.05


def columns_of(made, seed=0):
    """A good column, a noisy one, noise, one that tells the wrong way round, a constant."""
    rng = np.random.default_rng(seed)
    real = made.sample.fitted_real
    noise = rng.normal(size=(len(real), 3))
    good = real + noise[:, 0]
    return np.column_stack([good, good + noise[:, 1], noise[:, 2], -good, np.ones(len(real))])


def test_a_stack_scores_a_fold_by_a_level_that_has_not_seen_its_group():
    """Labels of a group are exchanged: its own level stays, the others move."""
    made = coordinates(*pair(200, 200), folds=10)
    sample = made.sample
    columns = columns_of(made)
    of_group = np.isin(sample.fold, [1, 6])
    flipped = relabeled(sample, (np.arange(400) < 200) ^ of_group).sample
    one, two = (stacked(some, columns, plain_run)[0] for some in (sample, flipped))
    for fold in range(10):
        same = np.allclose(one.score(columns, fold), two.score(columns, fold), rtol=0, atol=1e-9)
        assert same == (fold in (1, 6))


def test_a_stack_has_weights_that_are_never_negative_and_none_for_what_tells_nothing():
    made = coordinates(*pair(300, 300))
    stack, _ = stacked(made.sample, columns_of(made), plain_run)
    shares = stack.shares
    assert (shares >= 0).all()
    assert shares[0] > 0.1
    assert shares[0] > 5 * shares[2]
    assert shares[3] < 1e-9
    assert shares[4] == 0
    for level in stack.levels:
        assert (level.slopes >= 0).all()


def test_scores_of_the_fitted_rows_are_those_that_the_stack_gives_to_their_columns():
    made = coordinates(*pair(150, 170))
    columns = columns_of(made)
    stack, scores = stacked(made.sample, columns, plain_run)
    for fold, part in made.sample.parts(made.sample.fitted):
        assert np.array_equal(scores[part], stack.score(columns[part], fold))


# ---- read-outs ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found():
    x, real = labeled(500, 300)
    return x, real, read_out(x, real, np.arange(800) % 5)


def test_the_hull_is_the_sweep_of_the_scores_and_its_cells_are_counted(found):
    x, real, curves = found
    expected = PRCurve.from_scores(x[real], x[~real])
    assert curves.hull == expected
    p, q = curves.counts["real"], curves.counts["fake"]
    assert (sum(p), sum(q)) == (500, 300)
    assert all(type(count) is int for count in p + q)
    assert PRCurve.from_masses(p, q) == expected
    ratio = [a * 300 / (b * 500) if b else np.inf for a, b in zip(p, q, strict=True)]
    assert ratio == sorted(ratio)
    assert len(set(ratio)) == len(ratio)


def test_the_smooth_curve_has_a_share_of_each_sample_in_both_sets(found):
    """The samples are pooled whose log-ratios are within 1/128; nowhere is it above what thresholds
    reach on held-out groups."""
    x, real, curves = found
    weight = balanced(real)
    ranks, groups = Ranks(x, np.ones(800)), np.arange(800) % 5
    stiffness, _ = _stiffness(ranks, real, groups)
    weight *= 4 * 500 * 300 / 800**2  # in all twice the harmonic mean of the sizes
    eta = special.expit(Monotone(ranks, *masses(ranks, real, weight), *stiffness)(ranks.u))
    p, q = weight * eta, weight * (1 - eta)
    assert p.sum() == pytest.approx(q.sum(), rel=0.02)  # calibrated: half of the weight each
    lam = np.geomspace(0.05, 20, 31)
    expected = PRCurve.from_masses(p, q).intersection(_held_out(x, real, groups)).at(lam)
    np.testing.assert_allclose(curves.smooth.at(lam), expected, rtol=0.01)
    assert len(curves.smooth.masses[0]) < 800


def test_how_stiff_the_map_is_is_chosen_on_groups_that_are_left_out():
    """A cliff asks for many segments, few samples for few; one group alone for the stiffest."""
    rng = np.random.default_rng(0)
    u = rng.uniform(size=4000)
    real = rng.uniform(size=4000) < np.where(u > 0.7, 0.98, 0.3)
    groups = np.arange(4000) % 5
    (segments, _), gain = _stiffness(Ranks(u, balanced(real)), real, groups)
    assert segments > STIFFNESS[0][0]
    assert gain > 500
    few = slice(0, 60)
    x, labels = labeled(30, 30, 0.3)
    assert _stiffness(Ranks(x, balanced(labels)), labels, groups[few])[0] == STIFFNESS[0]
    one_group = np.zeros(4000, int)
    assert _stiffness(Ranks(u, balanced(real)), real, one_group) == (STIFFNESS[0], 0.0)


# ---- gaps of the scores, and few samples --------------------------------------------------------


def gap(share, seed):
    """Scores of 500 + 500 samples, that share of the generated ones far below all others."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=1000)
    real = np.arange(1000) < 500
    x[500 : 500 + int(500 * share)] -= 20
    return read_out(x, real, np.arange(1000) % 5)


@pytest.mark.parametrize("share", [0.2, 0.4, 0.6, 0.8])
def test_a_share_of_samples_that_nothing_real_is_like_is_taken_off_fidelity(share):
    """Though a smooth ratio has no gap where the scores have one."""
    for seed in range(3):
        assert gap(share, seed).smooth.fidelity == pytest.approx(1 - share, abs=0.03)


def test_thresholds_of_other_groups_reach_no_less_than_the_hull_and_nothing_from_one_group():
    x, real = labeled(500, 300)
    groups = np.arange(800) % 5
    honest, hull = _held_out(x, real, groups), PRCurve.from_scores(x[real], x[~real])
    lam = np.geomspace(0.1, 10, 31)
    assert (honest.at(lam)[0] >= hull.at(lam)[0] - 0.02).all()
    assert 0.01 < honest.area - hull.area < 0.1
    assert _held_out(x, real, np.zeros(800, int)).area == 1


def test_few_samples_that_do_not_differ_are_not_told_apart():
    """The hull of 50 + 50 scores without any meaning has .93 of the area."""
    hulls, areas = [], []
    for seed in range(20):
        x, real = labeled(50, 50, 0.0, seed)
        curves = read_out(x, real, np.arange(100) % 5)
        hulls.append(curves.hull.area)
        areas.append(curves.auto.area)
    assert np.mean(hulls) < 0.95
    assert np.mean(areas) > 0.98


def test_without_proof_the_curve_is_drawn_towards_that_of_equal_distributions(found):
    curves = found[2]
    assert curves.evidence > ENOUGH
    assert "shrunk" not in curves.auto.info
    lam = np.geomspace(0.1, 10, 9)
    for evidence, share in ((ENOUGH, 1.0), (ENOUGH / 3, 1 / 3), (0.0, 0.0), (-2.0, 0.0)):
        weak = curves._replace(evidence=evidence)
        expected = share * curves.auto.at(lam)[0] + (1 - share) * np.minimum(lam, 1)
        np.testing.assert_allclose(weak.auto.at(lam)[0], expected, rtol=1e-12)
        assert weak.auto.info.get("shrunk", 1.0) == pytest.approx(share, abs=1e-3)
        assert weak.auto.info["hull"] == curves.counts
        assert weak.named("mean", {}) == curves.named("mean", {})
