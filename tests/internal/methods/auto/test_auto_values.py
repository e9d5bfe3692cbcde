"""Exact values that occur more than once in a column."""

from collections import Counter

import numpy as np
from pairs import cross_fitted_columns, data_of

from prfast.methods.auto.bases import LIBRARY
from prfast.methods.auto.model import cross_fit


def integers(n, m, d=3, below=20, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(0, below, (n, d)).astype(float), rng.integers(0, below, (m, d)).astype(
        float
    )


def scores_of(data, new):
    """Return the column of values of rows with these values in their first column."""
    view = data.view(np.arange(len(new)))
    points = view.points.copy()
    points[:, 0] = new
    view.__dict__["points"] = points
    return cross_fit(LIBRARY["values"], data)[0][0].score(view)[:, 0]


def expected_evidence(x, outside, real):
    """Return the evidence of a column at each value."""
    p, q = Counter(x[outside & real]), Counter(x[outside & ~real])
    n, m, union = p.total(), q.total(), p + q

    def evidence(c, e, prior):
        return np.log((c + prior) / (n + 2 * prior)) - np.log((e + prior) / (m + 2 * prior))

    once = (sum(k for v, k in counter.items() if union[v] < 2) for counter in (p, q))
    new = evidence(*once, 1.0)
    return np.array([evidence(p[v], q[v], 0.5) if union[v] else new for v in x])


def test_values_are_counted_outside_the_group_of_the_fold():
    real, fake = integers(200, 150, below=15)
    fake[:40, 0] += 0.5  # values of one set only
    real[:30, 1] = np.arange(30) + 100.0  # values that occur once
    real[:, 2] = np.random.default_rng(1).normal(size=200)  # continuous: no value is repeated
    fake[:, 2] = np.random.default_rng(2).normal(size=150)
    data = data_of(real, fake, folds=10)
    (scorer, *_), _ = cross_fit(LIBRARY["values"], data)
    assert [column for column, *_ in scorer.score.args[0]] == [0, 1]
    x, columns = data.view(slice(None)).points, cross_fitted_columns(LIBRARY["values"], data)
    for group in range(5):
        used = data.bundle != group
        expected = sum(expected_evidence(x[:, j], used, data.real) for j in (0, 1))
        np.testing.assert_allclose(columns[~used, 0], expected[~used], rtol=1e-5, atol=1e-5)


def test_new_values_count_as_those_that_occur_once():
    """Beyond, below and between the known values; nearly all that occur once are generated."""
    real, fake = integers(200, 150, d=1)
    fake[:60] += np.random.default_rng(1).random((60, 1)) / 2
    scores = scores_of(data_of(real, fake), [-7.0, 3.9, 1e9])
    assert (scores == scores[0]).all()
    assert (scores < -3).all()


def test_new_values_of_a_continuous_column_are_no_evidence():
    """All values are distinct but one, which a tenth of the generated samples have."""
    real, fake = (np.random.default_rng(n).normal(size=(n, 2)) for n in (200, 150))
    fake[:15, 0] = 0.0
    assert (scores_of(data_of(real, fake), [-7.0, 0.123, 1e9]) == 0).all()
