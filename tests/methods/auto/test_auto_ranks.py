"""Normal scores of columns, and the columns that differ most."""

import numpy as np
from pairs import coordinates, cross_fitted_columns, flip_labels
from scipy import stats

from prfast.methods.auto.densities import ranks
from prfast.methods.auto.sample import BINS, SCREENED, rank_table


def wide(n=100, m=100, d=150, seed=0):
    """Return columns in different units; of the first three the generated ones are further from
    0."""
    rng = np.random.default_rng(seed)
    real, fake = rng.normal(size=(n, d)), rng.normal(size=(m, d))
    fake[:, :3] += 2 * np.sign(fake[:, :3])
    units = 10.0 ** rng.integers(-3, 4, d)
    return real * units, fake * units


def test_a_normal_score_is_that_of_the_middle_rank():
    real, fake = (np.round(x, 1) for x in wide(60, 50, 4))
    columns = np.array([3, 1])
    both = np.concatenate([real, fake])
    queries = np.concatenate([both[:20], np.random.default_rng(1).normal(size=(20, 4)), both * 99])
    table = rank_table(coordinates(real, fake).sample, columns)
    for j, scores in zip(columns, table.transform(queries[:, columns]).T, strict=True):
        below = (both[:, j] < queries[:, [j]]).sum(axis=1)
        equal = (both[:, j] == queries[:, [j]]).sum(axis=1)
        expected = stats.norm.ppf((below + equal / 2 + 0.5) / (len(both) + 1))
        np.testing.assert_allclose(scores, expected, rtol=3e-9, atol=1e-12)


def test_screened_columns_are_those_of_a_direct_computation_outside_the_group():
    coords = coordinates(*wide(), folds=10)
    sample = coords.sample
    x, real = sample.points(sample.fitted), sample.fitted_real
    screened = coords.screening.without_each(10)
    assert screened.shape == (10, SCREENED)
    for fold in range(10):
        outside = sample.fitted_fold % 5 != fold % 5
        distances = []
        for column in x.T:
            edges = np.quantile(column, np.arange(1, BINS) / BINS)
            p, q = (
                np.bincount(np.searchsorted(edges, column[of]), minlength=BINS) / of.sum()
                for of in (outside & real, outside & ~real)
            )
            both = p + q > 0
            distances.append(((p - q) ** 2)[both] @ (1 / (p + q)[both]))
        assert screened[fold].tolist() == sorted(np.argsort(-np.array(distances))[:SCREENED])
        assert {0, 1, 2} <= set(screened[fold])


def test_screening_does_not_depend_on_the_labels_of_the_fold():
    """All labels of fold 1 are exchanged: its columns and its scores stay."""
    coords = coordinates(*wide())
    own = coords.sample.fold == 1
    flipped = flip_labels(coords, own)
    columns, others = (c.screening.without_each(5) for c in (coords, flipped))
    assert np.array_equal(columns[1], others[1])
    assert not np.array_equal(columns[0], others[0])
    own = own[coords.sample.fitted]
    before, after = (cross_fitted_columns(ranks(c), c) for c in (coords, flipped))
    # The polylines are float32, and so are the right sides of their regressions: sums over the
    # other folds are rounded, and the scores differ by that times the condition number.
    rounding = 50 * np.finfo(np.float32).eps  # in float64 the scores differ by 1e-15
    np.testing.assert_allclose(after[own], before[own], rtol=0, atol=rounding)
    assert np.abs(after - before)[~own].max() > 0.01
