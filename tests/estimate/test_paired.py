"""Models that were evaluated on the same real samples are drawn anew with the same ones."""

import numpy as np
import pytest

from prfast import PRCurve
from prfast.estimate.intervals import (
    Scores,
    adjusted_p,
    bootstrap_models,
    cells_of,
    critical_value,
    max_t_draws,
)

RNG = np.random.default_rng(0)
N, M = 500, 400
REAL = RNG.normal(size=N)
ROWS = np.arange(N)


def model(shift, noise=0.3, reference=1, rows=ROWS):
    """Scores of a model by a scorer of its own, nearly that of the others."""
    fake = RNG.normal(size=M) - shift
    a, b = (x + noise * RNG.normal(size=x.size) for x in (REAL, fake))
    return Scores(a, b, rows, reference)


A, B = model(1.0), model(1.2)


def test_cells_are_ranges_of_scores_and_hold_what_the_curve_counts():
    scores = np.round(A.real, 1)  # with ties
    fake = np.round(A.fake, 1)
    p, _ = PRCurve.from_scores(scores, fake).masses
    counts = np.rint(N * p).astype(int)
    cells = cells_of(scores, counts)
    assert np.bincount(cells, minlength=p.size).tolist() == counts.tolist()
    ordered = cells[np.argsort(scores)]
    assert (np.diff(ordered) >= 0).all()
    assert all(np.unique(cells[scores == s]).size == 1 for s in np.unique(scores))


def test_redrawing_is_binomial_in_two_cells():
    """α_1 of two cells is 1 − |p − q|."""
    real, fake = np.repeat([0.0, 1.0], [150, 350]), np.repeat([0.0, 1.0], [280, 120])
    (curves,) = bootstrap_models([Scores(real, fake, ROWS, 1)], 0, 2000)
    found = [curve.total_variation for curve in curves]
    assert np.mean(found) == pytest.approx(0.4, abs=0.005)
    assert np.std(found) == pytest.approx(np.sqrt(0.3 * 0.7 * (1 / N + 1 / M)), rel=0.06)


def test_the_same_real_samples_are_drawn_for_all_models():
    """A model beside itself gets the same real samples: only the generated ones differ."""
    one, two = bootstrap_models([A, Scores(A.real, A.fake, ROWS, 1)], 3, 300)
    apart = [x.area - y.area for x, y in zip(one, two, strict=True)]
    alone = [x.area for x in one]
    stranger = Scores(A.real, A.fake, ROWS, 2)
    one, other = bootstrap_models([A, stranger], 3, 300)
    unpaired = [x.area - y.area for x, y in zip(one, other, strict=True)]
    assert np.std(apart) < 0.85 * np.std(unpaired)
    assert np.std(unpaired) == pytest.approx(np.sqrt(2) * np.std(alone), rel=0.15)


def test_the_bootstrap_of_a_paired_difference_scatters_as_fresh_samples_do():
    """Beside fresh samples for fixed scorers, of which the second sees the first with noise."""
    rng, n = np.random.default_rng(5), 400
    estimates, found = [], []
    for _ in range(60):
        x, y, z = rng.normal(size=n), rng.normal(size=n) - 1, rng.normal(size=n) - 1
        one, two = bootstrap_models([Scores(x, fake, np.arange(n), 1) for fake in (y, z)], 0, 60)
        estimates.append(np.std([a.area - b.area for a, b in zip(one, two, strict=True)], ddof=1))
        found.append(PRCurve.from_scores(x, y).area - PRCurve.from_scores(x, z).area)
    assert np.mean(estimates) == pytest.approx(np.std(found), rel=0.25)


def test_the_largest_of_one_is_normal_and_of_several_larger():
    from scipy.stats import norm, studentized_range, t

    one = max_t_draws(np.eye(2), [(0, 1)], 10**6, 0)
    assert critical_value(one, 0.95) == pytest.approx(norm.ppf(0.975), rel=0.02)
    assert adjusted_p(one, norm.ppf(0.975)) == pytest.approx(0.05, abs=0.005)
    few = max_t_draws(np.eye(2), [(0, 1)], 12, 0)
    assert critical_value(few, 0.95) == pytest.approx(t.ppf(0.975, 12), rel=0.03)
    pairs = [(i, j) for i in range(5) for j in range(i)]  # all pairs of five: Tukey's range
    tukey = studentized_range.ppf(0.95, 5, 10**6) / np.sqrt(2)
    assert critical_value(max_t_draws(np.eye(5), pairs, 10**6, 0), 0.95) == pytest.approx(
        tukey, rel=0.02
    )


def test_pairs_without_errors_are_never_the_largest_and_none_but_them_count_as_one():
    from scipy.stats import t

    nothing = max_t_draws(np.zeros((3, 3)), [(0, 1), (0, 2), (1, 2)], 100, 0)
    assert critical_value(nothing, 0.95) == pytest.approx(t.ppf(0.975, 100), rel=0.03)
    twins = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    alone = max_t_draws(twins, [(0, 2)], 100, 0)
    assert max_t_draws(twins, [(0, 1), (0, 2)], 100, 0).tolist() == alone.tolist()
