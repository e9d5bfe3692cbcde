"""Folds, memory and coordinates of the automatic estimator."""

import numpy as np
import pytest
from pairs import coordinates, fitted_block, pair

from prfast.methods.auto.coordinates import AXES, CLIP, Block
from prfast.methods.auto.estimator import max_rows
from prfast.methods.auto.sample import make_sample


@pytest.mark.parametrize(("n", "m", "folds"), [(120, 90, 10), (23, 101, 7), (5, 5, 5), (2, 60, 2)])
def test_folds_have_the_same_share_of_each_set(n, m, folds):
    sample = make_sample(*pair(n, m), folds, 10**6, 0)
    for fold, size in ((sample.fold[:n], n), (sample.fold[n:], m)):
        counts = np.bincount(fold, minlength=folds)
        assert counts.sum() == size
        assert counts.max() - counts.min() <= 1
        assert counts.min() >= 1


@pytest.mark.parametrize("width", [3, 512, 4096])
def test_the_least_memory_that_an_error_names_is_enough(width):
    with pytest.raises(
        ValueError, match=rf"memory: at least \d+ bytes .* {width} features"
    ) as error:
        max_rows(1000, width, 10)
    least = int(str(error.value).split()[3])
    assert max_rows(least, width, 10) == 1000
    with pytest.raises(ValueError, match=f"at least {least} bytes expected"):
        max_rows(least - 1, width, 10)


@pytest.mark.parametrize("d", [1, 60])
def test_whitened_coordinates_have_the_covariance_1(d):
    coords = coordinates(*pair(d=d))
    block = fitted_block(coords)
    x = block.axes / coords.deviation
    np.testing.assert_allclose(x.T @ x / len(x), np.eye(d), atol=1e-10)
    assert np.array_equal(block.whitened, np.clip(x, -CLIP, CLIP))
    assert (np.diff(coords.variance) <= 0).all()


@pytest.mark.parametrize("d", [400, 2100])
def test_the_axes_of_many_features_are_the_leading_eigenvectors(d):
    rng = np.random.default_rng(0)
    hidden = np.geomspace(30, 3, 5)[:, None] * rng.normal(size=(5, d)) / np.sqrt(d)
    real, fake = (rng.normal(size=(n, 5)) @ hidden for n in (150, 120))
    real, fake = (x + 1e-3 * rng.normal(size=x.shape) for x in (real, fake))
    coords = coordinates(real, fake)
    assert coords.many
    assert 5 <= coords.basis.shape[1] <= AXES
    _, s, rows = np.linalg.svd(fitted_block(coords).centered, full_matrices=False)
    np.testing.assert_allclose(coords.variance[:5], s[:5] ** 2 / 270, rtol=1e-3)
    cosines = np.abs((coords.basis[:, :5] * rows[:5].T).sum(axis=0))
    np.testing.assert_allclose(cosines, 1, atol=1e-3)


def test_single_columns_are_centered_on_the_median_in_units_of_the_quartiles():
    rng = np.random.default_rng(0)
    real, fake = rng.standard_cauchy((60, 3)), rng.standard_cauchy((50, 3)) + 1
    coords = coordinates(real, fake)
    both = np.concatenate([real, fake])[coords.sample.fitted]
    low, median, high = np.quantile(both, [0.25, 0.5, 0.75], axis=0)
    reach = np.quantile(np.abs(both - median), 0.9, axis=0)
    winsorized = np.clip(both, median - 50 * reach, median + 50 * reach)
    assert (winsorized != both).any()
    expected = (winsorized - median) / ((high - low) / 1.349)
    np.testing.assert_allclose(fitted_block(coords).single, expected, rtol=1e-9)


def test_stored_coordinates_equal_those_computed_block_by_block():
    coords = coordinates(*pair())
    coords.prepare()
    for part, block in coords.fitted_blocks():
        assert block is coords.fitted_block(block.fold, part)
        fresh = Block(coords, coords.sample, coords.sample.fitted[part], block.fold)
        for name in ("axes", "whitened", "single", "radial"):
            assert np.array_equal(getattr(block, name), getattr(fresh, name))
