"""Authenticity: by its definition on hostile inputs, and by what is known of copies."""

import hostile
import numpy as np
import oracles
from hypothesis import given, settings
from hypothesis import strategies as st

import prfast


def authenticity(real, fake, **options):
    return prfast.metrics(real, fake, which="authenticity", **options).authenticity


@given(
    sets=hostile.point_sets(sizes=(2, 60), dims=(1, 12)),
    closed=st.booleans(),
    backend=st.sampled_from(["exact", "tree"]),
)
@settings(max_examples=30)
def test_it_is_its_definition(sets, closed, backend):
    """Also where ranges are halved down to one sample."""
    real, fake = (s.astype(s.dtype.newbyteorder("=")) for s in sets)
    ties = "closed" if closed else "open"
    result = authenticity(real, fake, ties=ties, backend=backend)
    assert result == (~oracles.in_nearest_ball(real, fake, closed)).sum() / len(fake)


def test_copies_are_not_authentic_and_far_samples_are():
    rng = np.random.default_rng(0)
    real = rng.normal(size=(300, 8))
    fake = rng.normal(size=(200, 8)) + 100
    fake[:50] = real[:50]  # a quarter of them is copied
    assert authenticity(real, fake) == 0.75
    fake[:50] += 1e-6  # or nearly
    assert authenticity(real, fake) == 0.75
