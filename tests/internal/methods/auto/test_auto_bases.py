"""Bases of the automatic estimator against their definitions, and none sees its own fold."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from pairs import cross_fitted_columns, data_of, flip_labels, outside, pair
from scipy import stats
from sklearn.covariance import LedoitWolf
from sklearn.linear_model import LinearRegression, Ridge

from prfast import pr_curve
from prfast.methods.auto import Auto, bases, ridge
from prfast.methods.auto.bases import AXES, LIBRARY, Gaussians
from prfast.methods.auto.model import cross_fit

PAIR = pair()


@pytest.fixture(scope="module")
def data():
    return data_of(*PAIR)


FREQUENCIES = np.random.default_rng(5).normal(size=(4, 300))


@pytest.mark.parametrize("penalty", [1e-3, 30.0])
@pytest.mark.parametrize("waves", [None, FREQUENCIES[:, :100], FREQUENCIES])
def test_ridge_equals_a_direct_refit_without_the_fold(data, penalty, waves):
    """Ridge works from sums, with fewer rows than features from products of rows."""

    def features(view):
        return view.centered if waves is None else np.cos(view.centered @ waves) + 3

    base = ridge.Ridge("waves", "", lambda _: (features, (penalty,)))
    columns, x_all = cross_fitted_columns(base, data), features(data.view(slice(None)))
    for fold in range(5):
        used = data.fold != fold
        x, y, w = x_all[used], data.y[used], data.balanced()[used]
        trace = (w @ (x - w @ x / w.sum()) ** 2).sum()
        if len(x_all) < x_all.shape[1]:
            trace = (1 - 1 / 5) * ((x_all - x_all.mean(axis=0)) ** 2).sum()
        direct = Ridge(alpha=penalty * trace / min(x_all.shape), solver="cholesky")
        expected = direct.fit(x, y, sample_weight=w).predict(x_all[~used])
        np.testing.assert_allclose(columns[~used, 0], expected, 1e-7, 1e-9 * abs(expected).max())


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


def test_means_are_divided_by_the_covariance_of_probabilistic_pca():
    data = data_of(*pair(60, 50, 300))
    fitted, columns = data.coordinates, cross_fitted_columns(LIBRARY["means"], data)
    basis, v = fitted.basis.astype(float), fitted.deviation**2
    left = (fitted.size - v.sum()) / (300 - v.size)
    real, fake = (x.mean(axis=0) - fitted.mean for x in outside(data, 2))
    covariance = basis * np.maximum(v, left) @ basis.T + left * (np.eye(300) - basis @ basis.T)
    slope = np.linalg.solve(covariance + 3.0 * fitted.size / 300 * np.eye(300), real - fake)
    z = data.view(np.flatnonzero(data.fold == 2)).centered
    expected = (z - (real + fake) / 2) @ slope
    np.testing.assert_allclose(columns[data.fold == 2, 0], expected, rtol=1e-2, atol=2e-2)


def test_gaussians_have_ledoit_wolf_covariances_and_diagonals_shrunk_to_the_prior(data):
    fitted, columns = (
        data.coordinates,
        cross_fitted_columns(Gaussians("gaussians", "", "white"), data),
    )
    for fold in range(5):
        white = data.view(np.flatnonzero(data.fold == fold)).white
        full, diagonal = [], []
        for points in outside(data, fold):
            x = np.clip((points - fitted.mean) @ fitted.basis / fitted.deviation, -8, 8)
            mean, variance = x.mean(0), (len(x) * x.var(axis=0) + 1.5) / (len(x) + 5)
            covariance = LedoitWolf().fit(x).covariance_
            covariance += 1e-6 * np.trace(covariance) / 4 * np.eye(4)
            full.append(stats.multivariate_normal(mean, covariance).logpdf(white))
            diagonal.append(stats.norm(mean, np.sqrt(variance)).logpdf(white).sum(axis=1))
        expected = np.column_stack([p - q for p, q in (full, diagonal)])
        np.testing.assert_allclose(columns[data.fold == fold], expected, rtol=1e-5, atol=1e-8)


def test_product_gaussians_are_those_of_white_logarithms():
    """Columns that are negative stay; rows without a logarithm have no evidence."""
    real, fake = (np.hstack([np.exp(points[:, :3]), points[:, 3:]]) for points in PAIR)
    fake[0, 0] = 0.0
    data = data_of(real, fake)
    products = data.view(slice(None)).products
    complete = data.view(slice(None)).points[:, 0] > 0
    assert not products[~complete].any()
    used = products[complete]
    np.testing.assert_allclose(used.T @ used / len(used), np.eye(4), atol=0.02)
    assert cross_fit(LIBRARY["product_gaussians"], data_of(*PAIR)) is None
    near_lines = [points[:, :2] + 1e8 for points in PAIR]
    assert cross_fit(LIBRARY["product_gaussians"], data_of(*near_lines)) is None


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


def lattice(n, m, d, seed=0):
    """Return small integers, some of which are equal."""
    rng = np.random.default_rng(seed)
    return rng.integers(-3, 4, (n, d)).astype(float), rng.integers(-2, 6, (m, d)).astype(float)


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


def test_ranges_equal_a_loop_over_columns_and_tails(data):
    columns, x = cross_fitted_columns(LIBRARY["ranges"], data), data.view(slice(None)).points
    for fold in range(5):
        queries = x[inside := data.fold == fold]
        sums, exceeded = np.zeros((2, len(queries))), np.zeros((2, len(queries)))
        for i, in_set in enumerate((data.real, ~data.real)):
            for column in range(4):
                for sign in (1, -1):
                    used = (data.fold == i for i in range(5) if i != fold)
                    ends = [(sign * x[in_set & rows, column]).max() for rows in used]
                    end, spacing = max(ends), (max(ends) - min(ends)) / 3
                    for row, z in enumerate(queries[:, column]):
                        if sign * z > end:
                            exceeded[i, row] += 1
                            sums[i, row] += (sign * z - end) / spacing
        (p, q), (n, m) = sums, exceeded
        expected = [np.log(q + 0.01) - np.log(p + 0.01), m - n + 0.5 * np.tanh(q - p)]
        np.testing.assert_allclose(columns[inside], np.transpose(expected), rtol=1e-9, atol=1e-12)


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
    method = Auto(bases=[base, "trees"])
    curve = pr_curve(*PAIR, method)
    assert set(curve.info["weights"]) == {"Fitted", "trees"}
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
    fake[:40, 0] += 0.5  # values of one set only, and the only ones that are not whole
    real[:30, 1] = np.arange(30) + 100.0  # values that occur once
    real[:, 2] = np.random.default_rng(1).normal(size=200)  # continuous: no value is repeated
    fake[:, 2] = np.random.default_rng(2).normal(size=150)
    data = data_of(real, fake, folds=10)
    (scorer, *_), _ = cross_fit(LIBRARY["values"], data)
    assert [column for column, *_ in scorer.score.args[0]] == [(0, None), (0, 0), (1, None)]
    x, columns = data.view(slice(None)).points, cross_fitted_columns(LIBRARY["values"], data)
    for group in range(5):
        used = data.bundle != group
        parts = x[:, 0], x[:, 0] % 1 == 0, x[:, 1]
        expected = sum(expected_evidence(part, used, data.real) for part in parts)
        np.testing.assert_allclose(columns[~used, 0], expected[~used], rtol=1e-5, atol=1e-5)


def test_new_values_count_as_those_that_occur_once():
    """Beyond, below and between the known values; nearly all that occur once are generated."""
    real, fake = integers(200, 150, d=1)
    fake[:60] += np.random.default_rng(1).random((60, 1)) / 2
    scores = scores_of(data_of(real, fake), [-7.5, 3.9, 1e9 + 0.5])
    assert (scores == scores[0]).all()
    assert (scores < -3).all()


def test_new_values_of_a_continuous_column_are_no_evidence():
    """All values are distinct but one, which a tenth of the generated samples have."""
    real, fake = (np.random.default_rng(n).normal(size=(n, 2)) for n in (200, 150))
    fake[:15, 0] = 0.0
    assert (scores_of(data_of(real, fake), [-7.0, 0.123, 1e9]) == 0).all()


def test_columns_that_differ_are_found_in_some_of_many_rows(monkeypatch):
    real, fake = np.random.default_rng(0).normal(size=(2, 300, 60))
    fake[:, 7] *= 2.0
    monkeypatch.setattr(bases, "_SCREENING_NUMBERS", 60 * 250)
    monkeypatch.setattr(bases, "_SCREENED", 1)
    y, edges = np.repeat([1.0, -1.0], 300), np.tile(np.linspace(-1.5, 1.5, 7), (60, 1))
    assert bases.differing_columns(np.vstack([real, fake]), edges, y, np.ones(600)).tolist() == [7]
