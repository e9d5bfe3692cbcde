"""Sets in pieces that are far from each other: the farther one comes first, and what its balls hold
of the nearer one is counted in the same look."""

from functools import cache

import numpy as np
import pytest
from asked import Truth, check_union
from hostile_sets import points
from pieces import InPieces, even


@cache
def far(scale, shift):
    x, y = points("normal", 700, 9, 0), points("normal", 650, 9, 1)
    return Truth(x, np.float32(scale * y + shift))


FAR = [(1, 100), (0.01, 0), (30, 0), (1, 3)]


@pytest.mark.parametrize("change", FAR)
@pytest.mark.parametrize(("leave_out", "closed"), [("real", True), ("fake", False), (None, True)])
def test_sets_that_are_far_from_each_other(change, leave_out, closed):
    search, rng = InPieces(even(150), 200, n_jobs=1), np.random.default_rng(2)
    check_union(far(*change), search, [1, 20], closed, leave_out, rng)
