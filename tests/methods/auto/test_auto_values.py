"""Exact values that come more than once in a column."""

from collections import Counter

import numpy as np
import pytest
from made import coordinates, scored

from prfast import pr_curve
from prfast.methods.auto.counts import values


def whole_numbers(n, m, d=3, most=20, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(0, most, (n, d)).astype(float), rng.integers(0, most, (m, d)).astype(float)


def by_hand(x, outside, real):
    """The evidence of a column at each value, by all values and by frequent ones."""
    p, q = Counter(x[outside & real]), Counter(x[outside & ~real])
    n, m, both = p.total(), q.total(), p + q

    def evidence(c, e, prior):
        return np.log((c + prior) / (n + 2 * prior)) - np.log((e + prior) / (m + 2 * prior))

    def of_all_that_come(fewer):
        c, e = (sum(count for v, count in one.items() if both[v] < fewer) for one in (p, q))
        return evidence(c, e, 1.0)

    new, few = of_all_that_come(2), of_all_that_come(20)
    found = []
    for v in x:
        one = evidence(p[v], q[v], 0.5) if both[v] else new
        found.append((one, few if 0 < both[v] < 20 else one))
    return np.array(found)


def test_values_are_counted_outside_the_group_of_the_fold():
    real, fake = whole_numbers(200, 150, most=15)
    fake[:40, 0] += 0.5  # values of one set alone
    real[:30, 1] = np.arange(30) + 100.0  # values that come once
    real[:, 2] = np.random.default_rng(1).normal(size=200)  # continuous: no value is repeated
    fake[:, 2] = np.random.default_rng(2).normal(size=150)
    made = coordinates(real, fake, folds=10)
    found = values(made)
    assert [one.column for one in found.columns] == [0, 1]
    sample = made.sample
    x, of_real = sample.points(sample.fitted), sample.fitted_real
    columns = scored(found, made)
    for fold in range(10):
        outside, own = sample.fitted_fold % 5 != fold % 5, sample.fitted_fold == fold
        expected = sum(by_hand(x[:, j], outside, of_real)[own] for j in (0, 1))
        np.testing.assert_allclose(columns[own], expected, rtol=1e-5, atol=1e-5)


def test_values_that_nobody_has_count_as_those_that_come_once():
    """Values beyond, below and between those that were counted; nearly all that come once are
    generated."""
    real, fake = whole_numbers(200, 150, d=1)
    fake[:60] += np.random.default_rng(1).random((60, 1)) / 2
    made = coordinates(real, fake)
    found = values(made)
    _, block = next(made.again())
    block.points[:3, 0] = [-7.0, 3.9, 1e9]
    scores = found.score(block)[:3]
    assert (scores == scores[0]).all()
    assert (scores < -3).all()


@pytest.mark.parametrize(("d", "share"), [(6, 0.1), (30, 0.02)])
def test_a_fill_value_in_a_few_rows_of_continuous_columns_is_seen(d, share):
    """Wherever it is as frequent as chance lets it be in a group of folds: the area is 1 less the
    share of generated rows that hold it."""
    for seed in range(2):
        rng = np.random.default_rng(seed)
        real, fake = rng.normal(size=(2, 1000, d))
        filled = rng.random((1000, d)) < share
        filled[:, 1:] &= d > 6  # one column or all of them
        fake[filled] = 0
        assert pr_curve(real, fake).area == pytest.approx(1 - filled.any(axis=1).mean(), abs=0.04)
