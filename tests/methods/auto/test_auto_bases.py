"""Bases of the automatic estimator against their definitions, and none sees its own fold."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from pairs import coordinates, cross_fitted_columns, flip_labels, outside, pair
from scipy import special, stats
from sklearn.covariance import LedoitWolf
from sklearn.linear_model import Ridge

from prfast import pr_curve, two_sample_test
from prfast.methods.auto.counts import AXES, duplicates, neighbor_points, neighbors, ranges
from prfast.methods.auto.densities import gaussians, mixtures
from prfast.methods.auto.model import BASES
from prfast.methods.auto.regressions import inverse_of_factor, ppca_linear, ridge

PAIR = pair()
DOCS = Path(__file__).parents[3] / "docs" / "auto.md"


@pytest.fixture(scope="module")
def coords():
    return coordinates(*PAIR)


def folds_and_blocks(coords):
    return [(block.fold, block) for _, block in coords.fitted_blocks()]


# ---- regressions -------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 17, 40, 41, 150])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_the_inverse_of_a_factor_is_that_of_the_cholesky_factor(size, kind):
    x = np.random.default_rng(size).normal(size=(6, size, 2 * size))
    matrices = (x @ x.swapaxes(-2, -1) / size).astype(kind)
    expected = np.linalg.inv(np.linalg.cholesky(matrices.astype(np.float64)))
    actual = inverse_of_factor(matrices)
    assert actual.dtype == kind
    assert np.abs(actual - expected).max() < 1e3 * np.finfo(kind).eps * np.abs(expected).max()
    assert (np.triu(actual, 1) == 0).all()


@pytest.mark.parametrize("wrong", [0.0, -1.0, np.nan])
def test_a_matrix_that_is_not_positive_definite_has_no_factor(wrong):
    for size in (3, 50):
        matrices = np.tile(np.eye(size), (2, 1, 1))
        matrices[1, -1, -1] = wrong
        with pytest.raises(np.linalg.LinAlgError):
            inverse_of_factor(matrices)


@pytest.mark.parametrize("seed", [2, 3, 4, 5, 6, 7])
def test_few_rows_of_many_features_have_a_curve_and_a_test(seed):
    """Of one landmark of kernels rounding may leave a distance to itself."""
    real, fake = np.random.default_rng(seed).normal(size=(2, 20, 60))
    assert 0 < two_sample_test(real, fake, n_jobs=1).p_value <= 1
    assert pr_curve(real[:5, :8], fake[:5, :8], n_jobs=1).area > 0


WAVES = np.random.default_rng(5).normal(size=(4, 300))


@pytest.mark.parametrize("penalty", [1e-3, 30.0])
@pytest.mark.parametrize("waves", [None, WAVES[:, :100], WAVES])
def test_ridge_equals_a_direct_refit_without_the_fold(coords, penalty, waves):
    """Ridge works from sums, with few rows from one solution, with fewer from products of rows."""
    if waves is None:
        coords = coordinates(*pair(300, 200))

    def features(centered):
        return centered if waves is None else np.cos(centered @ waves) + 3

    base = ridge(coords, lambda block: features(block.centered), (penalty,))
    sample = coords.sample
    x_all = features(sample.points(sample.fitted) - coords.mean)
    for fold, block in folds_and_blocks(coords):
        training = sample.fitted_fold != fold
        x = x_all[training]
        y, w = np.where(sample.fitted_real[training], 1.0, -1.0), coords.weight[training]
        if waves is None:
            trace = (w @ (x - w @ x / w.sum()) ** 2).sum()
        elif len(x_all) > x_all.shape[1]:
            w_all = coords.weight
            center = w_all @ x_all / w_all.sum()
            trace = (1 - 1 / sample.folds) * (w_all @ (x_all - center) ** 2).sum()
        else:
            trace = (1 - 1 / sample.folds) * ((x_all - x_all.mean(axis=0)) ** 2).sum()
        alpha = penalty * trace / min(x_all.shape)
        direct = Ridge(alpha=alpha, solver="cholesky").fit(x, y, sample_weight=w)
        expected = direct.predict(features(block.centered))
        # a score near 0 is a difference of terms as large as the other scores
        of_rounding = 1e-11 * np.abs(expected).max()
        np.testing.assert_allclose(base.score(block)[:, 0], expected, rtol=1e-9, atol=of_rounding)


def test_ppca_linear_solves_with_the_covariance_of_probabilistic_pca():
    coords = coordinates(*pair(60, 50, 300))
    base = ppca_linear(coords)
    basis, v, d = coords.basis, coords.variance, 300
    rest = (coords.size - v.sum()) / (d - v.size)
    sample, (fold, block) = coords.sample, folds_and_blocks(coords)[2]
    for part in range(5):
        rows = sample.fitted[(sample.fitted_fold != fold) | (sample.part[sample.fitted] != part)]
        flags = sample.is_real(rows)
        real, fake = (sample.points(rows[of]).mean(0) - coords.mean for of in (flags, ~flags))
        own = sample.part[block.rows] == part
        for column, extra in enumerate((0.0, 3.0 * coords.size / d)):
            covariance = basis * np.maximum(v, rest) @ basis.T
            covariance += rest * (np.eye(d) - basis @ basis.T) + extra * np.eye(d)
            slope = np.linalg.solve(covariance, real - fake)
            expected = (block.centered[own] - (real + fake) / 2) @ slope
            scores = base.score(block)[own, column]
            np.testing.assert_allclose(scores, expected, rtol=1e-3, atol=1e-3)


# ---- densities ---------------------------------------------------------------------------------


def test_gaussians_have_ledoit_wolf_covariances_and_diagonals_shrunk_to_the_prior(coords):
    base = gaussians(coords)
    for fold, block in folds_and_blocks(coords):
        full, diagonal = [], []
        for points in outside(coords, fold):
            x = np.clip((points - coords.mean) @ coords.basis / coords.deviation, -8, 8)
            mean, variance = x.mean(0), (len(x) * x.var(axis=0) + 1.5) / (len(x) + 5)
            covariance = LedoitWolf().fit(x).covariance_
            covariance += 1e-6 * np.trace(covariance) / 4 * np.eye(4)
            full.append(stats.multivariate_normal(mean, covariance).logpdf(block.whitened))
            density = stats.norm(mean, np.sqrt(variance)).logpdf(block.whitened)
            diagonal.append(density.sum(axis=1))
        expected = np.column_stack([p - q for p, q in (full, diagonal)])
        np.testing.assert_allclose(base.score(block), expected, rtol=1e-5, atol=1e-8)


def test_mixtures_have_common_components_and_weights_of_either_class_outside_the_fold(coords):
    base = mixtures(coords)
    for components, weights in zip(base.components, base.weights, strict=True):
        assert weights.shape == (5, 2, len(components.mean))
        np.testing.assert_allclose(weights.sum(axis=2), 1)
        assert weights.min() > 0
    components, weights = base.components[0], base.weights[0]
    for fold, block in folds_and_blocks(coords):
        logs = [
            [
                stats.norm(mean, np.sqrt(np.broadcast_to(variance, mean.shape)))
                .logpdf(x[: len(mean)])
                .sum()
                for mean, variance in zip(components.mean, components.variance, strict=True)
            ]
            for x in block.axes
        ]
        p, q = special.logsumexp(np.array(logs)[:, None] + np.log(weights[fold % 5]), axis=2).T
        np.testing.assert_allclose(base.score(block)[:, 0], p - q, rtol=1e-7, atol=1e-9)


# ---- counts ------------------------------------------------------------------------------------


def neighbor_columns(queries, real, fake, ks):
    """Return log-ratios of counts within the k-th nearest of both sets, and of the distances to the
    nearest, by all distances."""
    both = np.concatenate([real, fake])
    columns = []
    for k in ks:
        logs = []
        radii = np.sort(np.linalg.norm(queries[:, None] - both, axis=2), axis=1)[:, k - 1]
        for points in (real, fake):
            distances = np.linalg.norm(queries[:, None] - points, axis=2)
            counts = (distances <= radii[:, None]).sum(axis=1)
            logs.append(np.log((counts + 0.5) / len(points)))
        columns.append(logs[0] - logs[1])
    p, q = (((queries[:, None] - x) ** 2).sum(axis=2).min(axis=1) + 1e-12 for x in (real, fake))
    return np.column_stack([*columns, (np.log(q) - np.log(p)) / 2])


def lattice(n, m, d, seed=0):
    """Return small integers, some of which are equal."""
    rng = np.random.default_rng(seed)
    return rng.integers(-3, 4, (n, d)).astype(float), rng.integers(-2, 6, (m, d)).astype(float)


@pytest.mark.parametrize("d", [3, 30])
def test_neighbors_are_counted_outside_the_fold(d):
    coords = coordinates(*pair(70, 60, d))
    base = neighbors(coords)

    def points(block):
        return neighbor_points(block, base.size).astype(np.float64)

    for fold, block in folds_and_blocks(coords):
        queries = points(block)
        assert queries.shape[1] == min(d, AXES)
        real, fake = (
            np.concatenate(
                [points(b)[b.real == flag] for f, b in folds_and_blocks(coords) if f != fold]
            )
            for flag in (True, False)
        )
        expected = neighbor_columns(queries, real, fake, (1, 4, 16))
        np.testing.assert_allclose(base.score(block), expected, rtol=1e-9, atol=1e-12)


def test_duplicates_are_counted_outside_the_fold():
    coords = coordinates(*lattice(150, 90, 1))
    base = duplicates(coords)
    for fold, block in folds_and_blocks(coords):
        p, q = (Counter(map(tuple, points)) for points in outside(coords, fold))
        n, m = p.total(), q.total()
        expected = [
            np.log((p[z] + 0.5) / (n + 0.5)) - np.log((q[z] + 0.5) / (m + 0.5))
            if p[z] + q[z]
            else 0
            for z in map(tuple, block.points)
        ]
        np.testing.assert_allclose(base.score(block)[:, 0], expected, rtol=1e-12, atol=1e-12)


def test_ranges_equal_a_loop_over_columns_and_tails(coords):
    base = ranges(coords)
    for fold, block in folds_and_blocks(coords):
        sums, exceeded = np.zeros((2, len(block))), np.zeros((2, len(block)))
        for i, (points, all_points) in enumerate(zip(outside(coords, fold), PAIR, strict=True)):
            for column in range(4):
                for sign in (1, -1):
                    end, *rest = np.sort(sign * points[:, column])[::-1]
                    spacing = (end - rest[18]) / 19  # of the twenty outermost
                    floor = 1e-6 * all_points[:, column].std()
                    for row, z in enumerate(block.points[:, column]):
                        if sign * z > end:
                            exceeded[i, row] += 1
                            sums[i, row] += (sign * z - end) / max(spacing, floor)
        (p, q), (n, m) = sums, exceeded
        expected = [np.log(q + 0.01) - np.log(p + 0.01), m - n + 0.5 * np.tanh(q - p)]
        np.testing.assert_allclose(base.score(block), np.transpose(expected), rtol=1e-9, atol=1e-12)


def test_an_excess_by_rounding_does_not_exceed_a_range():
    """Many values at the end of a range, which are stored with fewer digits in one of the sets."""
    rng = np.random.default_rng(0)
    real, fake = (np.minimum(rng.normal(size=(n, 3)), 1.0) for n in (120, 90))
    exact, rounded = (
        coordinates(real, fake + noise) for noise in (0, 1e-9 * rng.random(fake.shape))
    )
    expected = cross_fitted_columns(ranges(exact), exact)
    columns = cross_fitted_columns(ranges(rounded), rounded)
    np.testing.assert_allclose(columns, expected, atol=1e-5)


# ---- every base --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BASES)
def test_a_base_does_not_depend_on_the_labels_of_the_fold_that_it_scores(name):
    """All labels of fold 0 (of its first part, for ppca_linear) are exchanged: its columns stay, to
    rounding; those of other folds change."""
    real, fake = lattice(100, 100, 1) if name in ("duplicates", "values") else pair(100, 100, 10)
    if name == "ppca_linear":
        real, fake = pair(100, 100, 300)
    coords = coordinates(real, fake)
    own = coords.sample.fold == 0
    if name == "ppca_linear":
        own &= coords.sample.part == 0
    before, after = (
        cross_fitted_columns(BASES[name].fit(c), c) for c in (coords, flip_labels(coords, own))
    )
    own = own[coords.sample.fitted]
    np.testing.assert_allclose(after[own], before[own], rtol=1e-4, atol=1e-5)
    assert np.abs(after - before)[~own].max() > 0.01


@pytest.mark.parametrize("name", [*BASES, "trees"])
def test_a_base_is_documented_and_has_an_ablation(name):
    """A new base needs a row in the table of bases and a column in that of the ablation."""
    text = DOCS.read_text(encoding="utf-8")
    rows = re.findall(r"^ +\| ([a-z_, ]+?) \|", text, re.MULTILINE)
    assert name in ", ".join(rows).split(", "), f"no row for {name!r} in the bases of {DOCS.name}"
    table = re.search(r"^\| family \| all \| .+(?:\n\|.+)+", text, re.MULTILINE)[0].splitlines()
    columns = table[0].strip("| ").split(" | ")
    assert name in columns, f"no column for {name!r} in the ablation of {DOCS.name}"
    assert len({line.count(" |") for line in table[2:]} | {table[0].count(" |")}) == 1
    assert name == "trees" or BASES[name].fit.__doc__, f"{name!r} has no docstring"
