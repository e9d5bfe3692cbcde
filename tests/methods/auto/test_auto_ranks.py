"""Normal scores of columns, and the columns that differ most."""

import numpy as np
import pytest
from made import coordinates, relabeled, scored
from scipy import stats
from sklearn.metrics import roc_auc_score

from prfast.methods.auto.block import BINS, SCREENED, table
from prfast.methods.auto.gaussians import gaussians, ranks


def areas(base, made):
    """The area under the ROC curve of each column, held out."""
    return [roc_auc_score(made.sample.fitted_real, x) for x in scored(base(made), made).T]


def lognormal(rng, n, correlation):
    z = rng.normal(size=(n, 2))
    z[:, 1] = correlation * z[:, 0] + np.sqrt(1 - correlation**2) * z[:, 1]
    return np.exp(2 * z)


def wide(n=100, m=100, d=150, seed=0):
    """Columns in any units; of the first three the generated ones are further from 0."""
    rng = np.random.default_rng(seed)
    real, fake = rng.normal(size=(n, d)), rng.normal(size=(m, d))
    fake[:, :3] += 2 * np.sign(fake[:, :3])
    units = 10.0 ** rng.integers(-3, 4, d)
    return real * units, fake * units


def test_a_normal_score_is_that_of_the_middle_rank():
    real, fake = (np.round(one, 1) for one in wide(60, 50, 4))
    made = coordinates(real, fake)
    columns = np.array([3, 1])
    some = np.concatenate([real, fake])
    queries = np.concatenate([some[:20], np.random.default_rng(1).normal(size=(20, 4)), some * 99])
    found = table(made.sample, columns).place(queries)
    for i, j in enumerate(columns):
        for x, score in zip(queries[:, j], found[:, i], strict=True):
            below, equal = (some[:, j] < x).sum(), (some[:, j] == x).sum()
            expected = stats.norm.ppf((below + equal / 2 + 0.5) / (len(some) + 1))
            assert score == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_screened_columns_are_those_of_a_direct_computation_outside_the_group():
    made = coordinates(*wide(), folds=10)
    sample = made.sample
    x, real = sample.points(sample.fitted), sample.fitted_real
    found = made.screening.without_each(10)
    assert found.shape == (10, SCREENED)
    for fold in range(10):
        outside = sample.fitted_fold % 5 != fold % 5
        apart = []
        for column in x.T:
            edges = np.quantile(column, np.arange(1, BINS) / BINS)
            p, q = (
                np.bincount(np.searchsorted(edges, column[of]), minlength=BINS) / of.sum()
                for of in (outside & real, outside & ~real)
            )
            both = p + q > 0
            apart.append(((p - q) ** 2)[both] @ (1 / (p + q)[both]))
        assert found[fold].tolist() == sorted(np.argsort(-np.array(apart))[:SCREENED])
        assert {0, 1, 2} <= set(found[fold])


def test_columns_that_no_other_group_tells_apart_are_not_chosen_by_the_own_group():
    """All labels of fold 1 are exchanged: its columns and its scores stay."""
    made = coordinates(*wide())
    own = made.sample.fold == 1
    flipped = relabeled(made.sample, (np.arange(200) < 100) ^ own)
    one, other = made.screening.without_each(5), flipped.screening.without_each(5)
    assert np.array_equal(one[1], other[1])
    assert not np.array_equal(one[0], other[0])
    own = own[made.sample.fitted]
    before, after = scored(ranks(made), made), scored(ranks(flipped), flipped)
    np.testing.assert_allclose(after[own], before[own], rtol=1e-6, atol=1e-9)
    assert np.abs(after - before)[~own].max() > 0.01


def test_ranks_see_a_correlation_of_skewed_columns():
    rng = np.random.default_rng(0)
    real, fake, equal = (lognormal(rng, 400, r) for r in (0.8, 0.0, 0.8))
    made = coordinates(real, fake)
    assert max(areas(ranks, made)) > 0.7
    assert max(areas(gaussians, made)) < 0.6
    assert np.abs(np.array(areas(ranks, coordinates(real, equal))) - 0.5).max() < 0.07
