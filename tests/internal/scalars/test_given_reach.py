"""A neighbor number of precision and recall cover, and a radius of P-precision, that are given."""

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prfast

SETS = hostile.point_sets(sizes=(11, 40), dims=(1, 20))
COVERS = ("precision_cover", "recall_cover")
NEARNESS = ("p_precision", "p_recall")


@given(SETS, st.integers(1, 45), st.integers(1, 10), st.booleans())
@settings(max_examples=40)
def test_covers_are_their_definition_for_any_pairs_and_any_neighbor(sets, pairs, reach, closed):
    real, fake = hostile.native(sets)
    options = {"ties": "closed" if closed else "open", "cover_k": pairs, "cover_reach": reach}
    result = prfast.metrics(real, fake, 1, COVERS, **options)
    expected = oracles.metrics(real, fake, 1, closed, cover_k=pairs, reach=reach)
    assert dict(result) == {name: expected[name] for name in COVERS}


@given(SETS, st.sampled_from([0.0, 1e-6, 0.1, 0.5, 1.0, 3.0, 100.0]), st.floats(0.2, 5))
@settings(max_examples=40)
def test_nearness_is_the_product_for_any_radius(sets, share, ratio):
    """R a share of the largest difference of any feature; of tiny and huge samples as well."""
    real, fake = hostile.native(sets)
    pooled = np.concatenate([real, fake]).astype(np.float64)
    size = share * float(np.ptp(pooled, axis=0).max())
    radii = size, size * ratio
    result = prfast.metrics(real, fake, 1, NEARNESS, p_radius=radii)
    expected = [
        np.mean(oracles.nearness(points, refs, r))
        for points, refs, r in ((fake, real, radii[0]), (real, fake, radii[1]))
    ]
    assert [*result.values()] == pytest.approx(expected, abs=1e-12)
    assert result.info["p_radius"] == [*radii]
    assert not {"p_k", "p_factor"} & {*result.info}
