"""Folds and coordinates of the automatic estimator."""

import numpy as np
import pytest
from made import coordinates, pair, plain_run

from prfast.methods.auto.block import CLIP, Block
from prfast.methods.auto.coordinates import AXES
from prfast.methods.auto.memory import most_rows
from prfast.methods.auto.sample import in_folds

# ---- folds -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "m", "folds"), [(120, 90, 10), (23, 101, 7), (5, 5, 5), (2, 60, 2)])
def test_folds_have_the_same_share_of_each_set(n, m, folds):
    sample = in_folds(*pair(n, m), folds, 10**6, 0)
    for own, size in ((sample.fold[:n], n), (sample.fold[n:], m)):
        counts = np.bincount(own, minlength=folds)
        assert counts.sum() == size
        assert counts.max() - counts.min() <= 1
        assert counts.min() >= 1


# ---- memory ------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [3, 64, 512, 4096])
def test_too_little_memory_names_the_least_which_is_enough(width):
    with pytest.raises(
        ValueError, match=rf"memory: at least \d+ bytes .* {width} features"
    ) as told:
        most_rows(1000, width, 10)
    least = int(str(told.value).split()[3])
    assert most_rows(least, width, 10) == 1000
    with pytest.raises(ValueError, match=f"at least {least} bytes expected"):
        most_rows(least - 1, width, 10)


# ---- coordinates -------------------------------------------------------------------------------


def whole(made):
    """All fitted rows as one block."""
    return Block(made, made.sample, made.sample.fitted, -1)


@pytest.mark.parametrize("d", [1, 4, 60])
def test_whitened_coordinates_have_the_covariance_1(d):
    made = coordinates(*pair(d=d))
    block = whole(made)
    x = block.axes / made.deviation
    np.testing.assert_allclose(x.T @ x / len(x), np.eye(d), atol=1e-10)
    assert np.array_equal(block.whitened, np.clip(x, -CLIP, CLIP))
    assert (np.diff(made.variance) <= 0).all()


@pytest.mark.parametrize("d", [400, 2100])
def test_of_many_features_the_axes_are_the_leading_eigenvectors(d):
    rng = np.random.default_rng(0)
    hidden = np.geomspace(30, 3, 5)[:, None] * rng.normal(size=(5, d)) / np.sqrt(d)
    real, fake = (rng.normal(size=(n, 5)) @ hidden for n in (150, 120))
    real, fake = (x + 1e-3 * rng.normal(size=x.shape) for x in (real, fake))
    made = coordinates(real, fake)
    assert made.many
    assert 5 <= made.basis.shape[1] <= AXES
    _, s, rows = np.linalg.svd(whole(made).centered, full_matrices=False)
    np.testing.assert_allclose(made.variance[:5], s[:5] ** 2 / 270, rtol=1e-3)
    along = np.abs((made.basis[:, :5] * rows[:5].T).sum(axis=0))
    np.testing.assert_allclose(along, 1, atol=1e-3)


def test_columns_alone_are_centered_on_the_median_in_units_of_the_quartiles():
    rng = np.random.default_rng(0)
    real, fake = rng.standard_cauchy((60, 3)), rng.standard_cauchy((50, 3)) + 1
    made = coordinates(real, fake)
    both = np.concatenate([real, fake])
    low, median, high = np.quantile(both, [0.25, 0.5, 0.75], axis=0)
    found = np.empty_like(both)
    found[made.sample.fitted] = whole(made).single
    reach = np.quantile(np.abs(both - median), 0.9, axis=0)
    winsorized = np.clip(both, median - 50 * reach, median + 50 * reach)
    assert (winsorized != both).any()
    np.testing.assert_allclose(found, (winsorized - median) / ((high - low) / 1.349), rtol=1e-9)


def test_coordinates_are_the_same_made_at_once_or_block_by_block():
    """Few numbers keep their coordinates; of many a block is made when it is asked for."""
    made = coordinates(*pair())
    made.prepare(plain_run)
    for part, block in made.again():
        assert block is made.fitted_block(block.fold, part)
        fresh = Block(made, made.sample, made.sample.fitted[part], block.fold)
        for name in ("axes", "whitened", "single", "radial"):
            assert np.array_equal(getattr(block, name), getattr(fresh, name))
