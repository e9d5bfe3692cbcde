"""Orders <= 0 of frontiers, by definition and as mirrors: D̂_a(P‖R) = D̂_{1−a}(R‖P)."""

import numpy as np
import pytest
from frontier_twins import COMMON, FULL, PART, P, Q, tsallis

from prfast.theory import tsallis_frontier


@pytest.mark.parametrize("order", [-7.0, -1.0, -0.5, -1e-9, 0.0])
@pytest.mark.parametrize("inclusive", [True, False])
def test_tsallis_of_negative_order_by_its_definition(order, inclusive):
    """Ends: divergences of order a <= 0 of the distributions themselves."""
    p, q = P[COMMON] / P[COMMON].sum(), Q[COMMON] / Q[COMMON].sum()
    found = tsallis_frontier(FULL, order, inclusive=inclusive)
    first, last = (tsallis(p, q, order), tsallis(q, p, order))
    if not inclusive:
        first, last = tsallis(q, p, order), tsallis(p, q, order)
    rel = 1e-6 if order == -1e-9 else 1e-9  # of the definition, which loses digits
    assert found.to_real[0] == pytest.approx(first, rel=rel)
    assert found.to_fake[-1] == pytest.approx(last, rel=rel)
    assert found.to_fake[0] == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("order", [1e-6, 0.1, 0.3, 0.5, 0.8, 1 - 1e-6])
def test_with_one_support_the_kinds_are_mirrors(order):
    """D̂_a(P‖R) = D̂_{1−a}(R‖P), also between 0 and 1, where they differ on the common support."""
    one = tsallis_frontier(FULL, order, inclusive=True)
    other = tsallis_frontier(FULL, 1 - order)
    np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-10)
    kept, whole = tsallis_frontier(PART, 1 - order), tsallis_frontier(PART, order, inclusive=True)
    assert kept.to_fake[0] > 0 == whole.to_fake[0]


@pytest.mark.parametrize("order", [-1.5, 0.0, 0.4, 1.0, 3.0])
def test_the_tsallis_frontier_is_convex(order):
    x, y = tsallis_frontier(FULL, order, 41, inclusive=True)
    slopes = np.diff(y) / np.diff(x)
    assert (np.diff(slopes[2:-2]) >= -1e-6 * np.abs(slopes[3:-2])).all()
