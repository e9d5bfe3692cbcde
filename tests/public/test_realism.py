"""prfast.realism: how far a generated sample is inside the balls of real ones (2019, §3)."""

import hostile
import numpy as np
import oracles
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusals

import prfast

REAL, FAKE = np.random.default_rng(0).normal(size=(2, 30, 2))


@given(hostile.point_sets(sizes=(4, 40), dims=(1, 20)), st.booleans())
@settings(max_examples=40)
def test_it_is_its_definition(sets, prune):
    real, fake = hostile.native(sets)
    result = prfast.realism(real, fake, prune=prune)
    assert np.array_equal(result, np.sqrt(oracles.realism(real, fake, 3, prune)))


def test_a_number_a_generated_sample_of_at_least_1_inside_a_ball():
    result = prfast.realism(REAL, FAKE[:20], prune=False)
    assert (result.shape, result.dtype) == ((20,), np.float64)
    far = prfast.realism(REAL, FAKE[:20] + 100)
    assert (far < 1).all()
    assert np.mean(result >= 1) == prfast.metrics(REAL, FAKE[:20], 3, "precision").precision


test_errors_name_the_argument = refusals("""
prfast.realism(REAL, FAKE, 30)
    ValueError: k: from 1 to 29 expected, the other points of real, got 30
prfast.realism(REAL, FAKE, prune=1)
    TypeError: prune: True or False expected, got 1
""")
