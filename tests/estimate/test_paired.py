"""Models that were evaluated on the same real samples are drawn anew with the same ones."""

import numpy as np
import pytest

from prfast.estimate.intervals import (
    Scores,
    adjusted_p,
    bootstrap_models,
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


A = model(1.0)


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


def test_pairs_without_errors_are_never_the_largest():
    twins = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    alone = max_t_draws(twins, [(0, 2)], 100, 0)
    assert max_t_draws(twins, [(0, 1), (0, 2)], 100, 0).tolist() == alone.tolist()
