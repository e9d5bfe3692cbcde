"""Folds, memory and coordinates of the automatic estimator."""

import numpy as np
import pytest
from pairs import pair

from prfast.methods.auto.estimator import divide
from prfast.methods.auto.folds import assign_folds
from prfast.methods.base import read_context
from prfast.samples.pair import Pair


@pytest.mark.parametrize(("n", "m", "folds"), [(120, 90, 10), (23, 101, 7), (5, 5, 5), (2, 60, 2)])
def test_folds_have_the_same_share_of_each_set(n, m, folds):
    assigned = assign_folds(Pair.read(*pair(n, m)), folds, 10**6, 0).fold
    for fold, size in ((assigned[:n], n), (assigned[n:], m)):
        counts = np.bincount(fold, minlength=folds)
        assert counts.sum() == size
        assert counts.max() - counts.min() <= 1
        assert counts.min() >= 1


@pytest.mark.parametrize("width", [3, 512, 4096])
def test_the_least_memory_that_an_error_names_is_enough(width):
    sets = Pair.read(*pair(5, 4, width))
    with pytest.raises(
        ValueError, match=rf"memory: at least \d+ bytes .* {width} features"
    ) as error:
        divide(sets, 10, 100, read_context(memory=1000))
    least = int(str(error.value).split()[3])
    assert len(divide(sets, 10, 100, read_context(memory=least))[0].fitted) == 9
    with pytest.raises(ValueError, match=f"at least {least} bytes expected"):
        divide(sets, 10, 100, read_context(memory=least - 1))
