"""Bases of the automatic estimator against their definitions, and none sees its own fold."""

from collections import Counter

import numpy as np
import pytest
from made import coordinates, outside, pair, relabeled, scored
from scipy import special, stats
from sklearn.covariance import LedoitWolf
from sklearn.linear_model import Ridge

from prfast.methods.auto.counts import AXES, atoms, neighbors, ranges
from prfast.methods.auto.gaussians import _full, _Sums, gaussians, mixtures
from prfast.methods.auto.model import BASES
from prfast.methods.auto.regressions import (
    additive,
    kernel,
    linear,
    plain,
    products,
    ridge,
)

PAIR = pair()


@pytest.fixture(scope="module")
def made():
    return coordinates(*PAIR)


def of_folds(made):
    """Each fold and its fitted rows as a block."""
    return [(block.fold, block) for _, block in made.again()]


# ---- least squares -----------------------------------------------------------------------------


@pytest.mark.parametrize("penalty", [1e-3, 0.3, 30.0])
def test_a_ridge_from_sums_is_a_direct_refit_without_the_fold(made, penalty):
    found = ridge(made, lambda block: block.centered, (penalty,))
    sample = made.sample
    for fold, block in of_folds(made):
        kept = sample.fitted_fold != fold
        x = sample.points(sample.fitted[kept]) - made.mean
        y, w = np.where(sample.fitted_real[kept], 1.0, -1.0), made.weight[kept]
        mean = w @ x / w.sum()
        trace = (w @ (x - mean) ** 2).sum()
        direct = Ridge(alpha=penalty * trace / 4, solver="cholesky").fit(x, y, sample_weight=w)
        expected = direct.predict(block.centered)
        np.testing.assert_allclose(found.score(block)[:, 0], expected, rtol=1e-9, atol=1e-12)


def test_the_linear_base_of_very_many_features_is_the_inverse_of_its_covariance():
    """Principal components of the noise that is left: the matrix is written out here."""
    made = coordinates(*pair(60, 50, 300))
    found = plain(made)
    basis, v, d = made.basis, made.variance, 300
    rest = (made.size - v.sum()) / (d - v.size)
    sample, (fold, block) = made.sample, of_folds(made)[2]
    for part in range(5):
        kept = sample.fitted[(sample.fitted_fold != fold) | (sample.part[sample.fitted] != part)]
        of_real = sample.of_real(kept)
        real, fake = (sample.points(kept[one]).mean(0) - made.mean for one in (of_real, ~of_real))
        own = sample.part[block.rows] == part
        for column, extra in enumerate((0.0, 3.0 * made.size / d)):
            inner = basis * np.maximum(v, rest) @ basis.T
            inner += rest * (np.eye(d) - basis @ basis.T) + extra * np.eye(d)
            slope = np.linalg.solve(inner, real - fake)
            expected = (block.centered[own] - (real + fake) / 2) @ slope
            scores = found.score(block)[own, column]
            np.testing.assert_allclose(scores, expected, rtol=1e-3, atol=1e-3)


def test_the_kernel_is_least_squares_on_its_landmarks(made):
    """Its score of a sample is that of the features φ, made again from all kernels."""
    found = kernel(made)
    assert found.slopes.shape[0] == made.sample.folds
    columns = scored(found, made)
    real = made.sample.fitted_real
    assert columns[real].mean() > 0.2 > 0 > columns[~real].mean()
    for _, block in of_folds(made):
        assert found.features(block).max() <= 1  # kernels


# ---- densities ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "d"), [(30, 4), (12, 20), (500, 3)])
def test_a_full_covariance_is_that_of_ledoit_and_wolf(n, d):
    x = np.random.default_rng(0).normal(size=(n, d)) * np.linspace(0.5, 2, d) + 1
    covariance = LedoitWolf().fit(x).covariance_
    covariance += 1e-6 * np.trace(covariance) / d * np.eye(d)
    found = _full(_Sums.of(x))
    np.testing.assert_allclose(np.linalg.inv(found.root @ found.root.T), covariance, rtol=1e-8)
    assert found.log_volume == pytest.approx(np.linalg.slogdet(covariance)[1] / 2)


def test_full_gaussians_are_shrunk_normals_of_either_class_outside_the_fold(made):
    found = gaussians(made)
    basis, deviation = made.basis, made.deviation
    for fold, block in of_folds(made):
        logs = []
        for points in outside(made, fold):
            x = np.clip((points - made.mean) @ basis / deviation, -8, 8)
            s, v = np.cov(x.T, bias=True), x.var(axis=0).mean()
            noise = np.mean(((x - x.mean(0)) ** 2).sum(axis=1) ** 2) - (s**2).sum()
            h = min(1, noise / (len(x) * ((s - v * np.eye(4)) ** 2).sum()))
            covariance = (1 - h) * s + (h + 1e-6) * v * np.eye(4)
            logs.append(stats.multivariate_normal(x.mean(0), covariance).logpdf(block.whitened))
        np.testing.assert_allclose(found.score(block)[:, 0], logs[0] - logs[1], rtol=1e-6)


def test_diagonal_gaussians_have_variances_drawn_to_the_prior(made):
    found = gaussians(made)
    for fold, block in of_folds(made):
        logs = []
        for points in outside(made, fold):
            x = np.clip((points - made.mean) @ made.basis / made.deviation, -8, 8)
            variance = (len(x) * x.var(axis=0) + 1.5) / (len(x) + 5)
            density = stats.norm(x.mean(0), np.sqrt(variance)).logpdf(block.whitened)
            logs.append(density.sum(axis=1))
        np.testing.assert_allclose(found.score(block)[:, 1], logs[0] - logs[1], rtol=1e-9)


def test_mixtures_have_common_components_and_weights_of_either_class_outside_the_fold(made):
    found = mixtures(made)
    for components, weights in zip(found.components, found.weights, strict=True):
        assert weights.shape == (5, 2, len(components.mean))
        np.testing.assert_allclose(weights.sum(axis=2), 1)
        assert weights.min() > 0
    column = 0
    components, weights = found.components[column], found.weights[column]
    for fold, block in of_folds(made):
        logs = [
            [
                stats.norm(mean, np.sqrt(np.broadcast_to(variance, mean.shape)))
                .logpdf(x[: len(mean)])
                .sum()
                for mean, variance in zip(components.mean, components.variance, strict=True)
            ]
            for x in block.axes
        ]
        p, q = special.logsumexp(np.array(logs)[:, None] + np.log(weights[fold]), axis=2).T
        np.testing.assert_allclose(found.score(block)[:, column], p - q, rtol=1e-7, atol=1e-9)


# ---- counts ------------------------------------------------------------------------------------


def counted(queries, real, fake, ks):
    """By all distances: log-ratios of counts within the k-th nearest of both, and of the nearest
    distances."""
    both = np.concatenate([real, fake])
    columns = []
    for k in ks:
        logs = []
        radii = np.sort(np.linalg.norm(queries[:, None] - both, axis=2), axis=1)[:, k - 1]
        for one in (real, fake):
            near = np.linalg.norm(queries[:, None] - one, axis=2)
            logs.append(np.log(((near <= radii[:, None]).sum(axis=1) + 0.5) / len(one)))
        columns.append(logs[0] - logs[1])
    p, q = (((queries[:, None] - one) ** 2).sum(axis=2).min(axis=1) + 1e-12 for one in (real, fake))
    return np.column_stack([*columns, (np.log(q) - np.log(p)) / 2])


def lattice(n, m, d, seed=0):
    """Small whole numbers: distances, and which are equal, are exact whatever the order of sums."""
    rng = np.random.default_rng(seed)
    return rng.integers(-3, 4, (n, d)).astype(float), rng.integers(-2, 6, (m, d)).astype(float)


@pytest.mark.parametrize("d", [3, 30])
def test_neighbors_are_counted_outside_the_fold(d):
    made = coordinates(*pair(70, 60, d))
    found = neighbors(made)
    for fold, block in of_folds(made):
        own = found.place(block).astype(np.float64)
        assert own.shape[1] == min(d, AXES)
        real, fake = (
            np.concatenate(
                [found.place(b)[b.real == flag] for f, b in of_folds(made) if f != fold]
            ).astype(np.float64)
            for flag in (True, False)
        )
        np.testing.assert_allclose(
            found.score(block), counted(own, real, fake, (1, 4, 16)), rtol=1e-9, atol=1e-12
        )


def test_identical_rows_are_counted_outside_the_fold():
    real, fake = lattice(150, 90, 1)
    made = coordinates(real, fake)
    found = atoms(made)
    for fold, block in of_folds(made):
        p, q = (Counter(map(tuple, one)) for one in outside(made, fold))
        n, m = p.total(), q.total()
        expected = [
            np.log((p[z] + 0.5) / (n + 0.5)) - np.log((q[z] + 0.5) / (m + 0.5))
            if p[z] + q[z]
            else 0
            for z in map(tuple, block.points)
        ]
        np.testing.assert_allclose(found.score(block)[:, 0], expected, rtol=1e-12, atol=1e-12)


def test_ranges_are_those_of_a_plain_loop(made):
    found = ranges(made)
    for fold, block in of_folds(made):
        sums, exceeded = np.zeros((2, len(block))), np.zeros((2, len(block)))
        for i, (points, all_of) in enumerate(zip(outside(made, fold), PAIR, strict=True)):
            for column in range(4):
                for sign in (1, -1):
                    end, *rest = np.sort(sign * points[:, column])[::-1]
                    spacing = (end - rest[18]) / 19  # of the twenty outermost
                    floor = 1e-6 * all_of[:, column].std()
                    for row, z in enumerate(block.points[:, column]):
                        if sign * z > end:
                            exceeded[i, row] += 1
                            sums[i, row] += (sign * z - end) / max(spacing, floor)
        (p, q), (n, m) = sums, exceeded
        expected = [np.log(q + 0.01) - np.log(p + 0.01), m - n + 0.5 * np.tanh(q - p)]
        np.testing.assert_allclose(
            found.score(block), np.transpose(expected), rtol=1e-9, atol=1e-12
        )


def test_an_excess_by_rounding_is_none():
    """Many values at the end of a range, which are stored with fewer digits in one of the sets."""
    rng = np.random.default_rng(0)
    real, fake = (np.minimum(rng.normal(size=(n, 3)), 1.0) for n in (120, 90))
    plain, rounded = (
        coordinates(real, fake + noise) for noise in (0, 1e-9 * rng.random(fake.shape))
    )
    expected = scored(ranges(plain), plain)
    np.testing.assert_allclose(scored(ranges(rounded), rounded), expected, atol=1e-5)


# ---- what bases there are ----------------------------------------------------------------------


def test_bases_stand_aside_where_they_have_nothing_to_work_on():
    constant = coordinates(np.ones((30, 2)), np.ones((20, 2)))
    assert kernel(constant) is additive(constant) is None
    assert additive(coordinates(*pair(d=129))) is None
    assert plain(coordinates(*pair(d=20))) is None
    assert linear(coordinates(*pair(60, 50, 2100))) is None
    assert products(coordinates(*pair(d=17))) is products(coordinates(*pair(d=1))) is None


@pytest.mark.parametrize("d", [1, 4, 40, 300, 2100])
@pytest.mark.parametrize("name", BASES)
def test_every_base_gives_finite_columns(name, d):
    made = coordinates(*pair(60, 50, d))
    base = BASES[name](made)
    if base is not None:
        columns = scored(base, made)
        assert columns.shape[0] == 110
        assert np.isfinite(columns).all()


# ---- no leak -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BASES)
def test_a_base_does_not_see_the_labels_of_the_fold_that_it_scores(name):
    """All labels of fold 0 (plain: of its first part) are exchanged: its scores stay, to rounding;
    those of others move."""
    real, fake = lattice(100, 100, 1) if name in ("atoms", "values") else pair(100, 100, 10)
    if name == "plain":
        real, fake = pair(100, 100, 300)
    made = coordinates(real, fake)
    own = made.sample.fold == 0
    if name == "plain":
        own &= made.sample.part == 0
    flipped = relabeled(made.sample, (np.arange(200) < 100) ^ own)
    before, after = (scored(BASES[name](one), one) for one in (made, flipped))
    own = own[made.sample.fitted]
    np.testing.assert_allclose(after[own], before[own], rtol=1e-4, atol=1e-5)
    assert np.abs(after - before)[~own].max() > 0.01
