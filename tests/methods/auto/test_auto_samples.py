"""Folds, memory and coordinates of the automatic estimator."""

import numpy as np
import pytest
from pairs import pair

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
