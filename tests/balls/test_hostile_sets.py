"""Every question on sets that are hard for filters and lists: the bits of the double loop."""

from functools import cache

import numpy as np
import pytest
from asked import Truth, check_all, search_with
from hostile_sets import KINDS, two_sets

N, M, DIM = 1000, 500, 33  # enough for limits, and for lists' super-blocks of queries


@cache
def truth(kind, n=N, m=M, d=DIM):
    return Truth(*two_sets(kind, n, m, d))


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_sets(some_path, kind):
    search, rng = search_with(2, 300_000), np.random.default_rng(0)
    check_all(truth(kind), search, [1, 5, 40], closed=True, rng=rng)
