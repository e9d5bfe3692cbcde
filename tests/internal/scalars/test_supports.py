"""Clipped density and coverage, α-precision and β-recall, authenticity."""

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prfast
from prfast.scalars.supports import expected_coverage

CLIPPED = ("clipped_density", "clipped_coverage")
SUPPORTS = ("alpha_precision", "beta_recall")


@given(hostile.point_sets(sizes=(2, 25), dims=(1, 8)), st.integers(1, 6), st.booleans())
@settings(max_examples=40)
def test_they_are_their_definitions(sets, k, closed):
    real, fake = hostile.native(sets)
    k = min(k, len(real) - 1)
    result = prfast.metrics(real, fake, k, CLIPPED, ties="closed" if closed else "open")
    density, raw = oracles.clipped(real, fake, k, closed)
    assert result.clipped_density == pytest.approx(density, rel=1e-14)
    n, m = len(real), len(fake)
    if raw >= oracles.covered(m, k, n):
        assert result.clipped_coverage == 1.0
    else:
        g = result.clipped_coverage * m
        low, high = (float(oracles.covered(i, k, n)) for i in (int(g), int(g) + 1))
        assert low + (g - int(g)) * (high - low) == pytest.approx(raw, abs=1e-12)


def test_a_sample_at_the_median_radius_is_in_the_ball_of_a_wider_one():
    real = np.array([0.0, 1, 100, 103])[:, None] * np.ones(2)
    fake = np.array([98.0, 105])[:, None] * np.ones(2)
    result = prfast.metrics(real, fake, 1, "clipped_density")
    assert result.clipped_density == oracles.clipped(real, fake, 1)[0] == 1


@given(st.integers(2, 30), st.integers(0, 40), st.data())
def test_the_expectation_is_that_of_random_orders(n, g, data):
    k = data.draw(st.integers(1, n - 1))
    assert expected_coverage(g, k, n) == pytest.approx(float(oracles.covered(g, k, n)), abs=1e-14)


@given(hostile.point_sets(sizes=(2, 25), dims=(1, 8)))
@settings(max_examples=40)
def test_supports_are_their_definitions(sets):
    real, fake = (x.astype(np.float64) for x in hostile.native(sets))
    result = prfast.metrics(real, fake, which=SUPPORTS)
    scale = 2.0 ** -np.frexp(max(np.abs(real).max(), np.abs(fake).max()))[1]
    expected = oracles.supports(real * scale, fake * scale)
    assert [*result.values()] == pytest.approx(expected, abs=1e-12)


@given(
    sets=hostile.point_sets(sizes=(2, 60), dims=(1, 12)),
    closed=st.booleans(),
    backend=st.sampled_from(["exact", "tree"]),
)
@settings(max_examples=30)
def test_authenticity_is_its_definition(sets, closed, backend):
    real, fake = hostile.native(sets)
    options = {"ties": "closed" if closed else "open", "backend": backend}
    result = prfast.metrics(real, fake, which="authenticity", **options).authenticity
    assert result == (~oracles.in_nearest_ball(real, fake, closed)).sum() / len(fake)
