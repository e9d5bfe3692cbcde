"""Bases of the automatic estimator against their definitions, and none sees its own fold."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from pairs import cross_fitted_columns, data_of, flip_labels, pair
from sklearn.linear_model import LinearRegression

from prfast import pr_curve
from prfast.methods.auto import Auto
from prfast.methods.auto.bases import AXES, LIBRARY
from prfast.methods.auto.model import cross_fit

PAIR = pair()


@pytest.fixture(scope="module")
def data():
    return data_of(*PAIR)


def test_pairs_that_chance_explains_hardly_hide_one_that_differs():
    real, fake = pair(200, 200, 40, shift=0.0, seed=1)
    fake[:, 1] = 0.8 * fake[:, 0] + 0.4 * fake[:, 1]
    assert pr_curve(real, fake, Auto(bases=["pairs"])).area < 0.75


def test_lags_detect_series_and_sizes_that_follow_each_other():
    real, fake = np.random.default_rng(0).normal(size=(2, 200, 40))
    fake[:, 3:] = 0.6 * fake[:, :-3] + 0.8 * fake[:, 3:]
    assert pr_curve(real, fake, Auto(bases=["lags"])).area < 0.3
    fake = real * np.exp(np.repeat(fake[:, ::5], 5, axis=1))
    shuffled = np.random.default_rng(1).permuted(fake, axis=0)
    assert pr_curve(shuffled, fake, Auto(bases=["lags"])).area < 0.5


def lattice(n, m, d, seed=0):
    """Return small integers, some of which are equal."""
    rng = np.random.default_rng(seed)
    return rng.integers(-3, 4, (n, d)).astype(float), rng.integers(-2, 6, (m, d)).astype(float)


@pytest.mark.parametrize("name", LIBRARY)
def test_a_base_does_not_depend_on_the_labels_of_the_fold_that_it_scores(name):
    """All labels of fold 0 are exchanged: its columns stay, to rounding; those of others change."""
    real, fake = lattice(100, 100, 1) if name == "values" else pair(100, 100, 10)
    if name == "means":
        real, fake = pair(100, 100, 300)
    if name == "product_gaussians":
        real, fake = np.exp(real), np.exp(fake)
    data = data_of(real, fake)
    inside = data.fold == 0
    sets = data, flip_labels(data, inside)
    before, after = (cross_fitted_columns(LIBRARY[name], x) for x in sets)
    np.testing.assert_allclose(after[inside], before[inside], rtol=1e-4, atol=1e-4)
    assert np.abs(after - before)[~inside].max() > 0.01


class Fitted:
    """A linear regression, with the number of rows of each fit."""

    def __init__(self):
        self.sizes = []

    def fit(self, view, y, w):
        model = LinearRegression().fit(view.points, y, sample_weight=w)
        self.sizes.append(len(y))
        return SimpleNamespace(score=lambda view: model.predict(view.points))


def test_a_base_of_a_user_is_cross_fitted_and_stacked():
    base = Fitted()
    method = Auto(bases=[base, "gaussians"])
    curve = pr_curve(*PAIR, method)
    assert set(curve.info["weights"]) == {"Fitted", "gaussians"}
    # Without each of five groups, and to one half of the rows for the scores of the other half.
    assert base.sizes == 5 * [210 - 42] + 2 * [105]
    assert curve.area < 0.9
    assert method.fit(*PAIR).score(PAIR[0]).shape == (120,)


@pytest.mark.parametrize("wrong", [["lines"], [3], 3, [], [Fitted], 2 * [Fitted()], ["means"]])
def test_bases_are_names_and_objects_with_fit_of_different_names(wrong):
    with pytest.raises((TypeError, ValueError), match="bases: "):
        pr_curve(*PAIR, Auto(bases=wrong))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("base", ["trees", "columns", "linear", "pairs", "triples", "values"])
def test_a_fit_to_a_part_of_the_rows_has_rows_of_both_sets(base):
    rng = np.random.default_rng(0)
    real, fake = rng.normal(size=(20_000, 12)).round(1), rng.normal(size=(6, 12)).round() + 2.0
    assert pr_curve(real, fake, Auto(bases=[base], folds=3)).area < 0.7


def integers(n, m, d=3, below=20, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.integers(0, below, (size, d)).astype(float) for size in (n, m)]


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
    real, fake = integers(200, 150, d=1)
    fake[:60] += np.random.default_rng(1).random((60, 1)) / 2
    scores = scores_of(data_of(real, fake), [-7.0, 3.9, 1e9])
    assert (scores == scores[0]).all()
    assert (scores < -3).all()


def test_new_values_of_a_continuous_column_are_no_evidence():
    real, fake = (np.random.default_rng(n).normal(size=(n, 2)) for n in (200, 150))
    fake[:15, 0] = 0.0
    assert (scores_of(data_of(real, fake), [-7.0, 0.123, 1e9]) == 0).all()


def neighbor_columns(queries, real, fake, ks):
    """Return log-ratios of counts within the k-th nearest of both sets, and of the distances to the
    nearest, by all distances."""
    pooled = np.concatenate([real, fake])
    columns, z = [], queries[:, None]
    for k in ks:
        radii = np.sort(np.linalg.norm(z - pooled, axis=2), axis=1)[:, k - 1 : k]
        near = [(np.linalg.norm(z - x, axis=2) <= radii).sum(axis=1) for x in (real, fake)]
        p, q = ((count + 0.5) / len(x) for count, x in zip(near, (real, fake), strict=True))
        columns.append(np.log(p) - np.log(q))
    p, q = (((z - x) ** 2).sum(axis=2).min(axis=1) + 1e-12 for x in (real, fake))
    return np.column_stack([*columns, (np.log(q) - np.log(p)) / 2])


@pytest.mark.parametrize("d", [3, 30])
def test_neighbors_are_counted_outside_the_fold(d):
    data = data_of(*pair(70, 60, d))
    columns, x = cross_fitted_columns(LIBRARY["neighbors"], data), data.view(slice(None)).axes
    for fold in range(5):
        used = data.fold != fold
        points = (x[:, :AXES] / np.abs(x[used, :AXES]).max()).astype(np.float32).astype(float)
        sets = points[used & data.real], points[used & ~data.real]
        expected = neighbor_columns(points[~used], *sets, (2, 8, 32))
        np.testing.assert_allclose(columns[~used], expected, rtol=1e-9, atol=1e-12)
