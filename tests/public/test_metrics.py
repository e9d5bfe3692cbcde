"""The extreme-value metrics: by their definitions and by what is known of them."""

import hostile
import numpy as np
import oracles
import pytest
from helpers import normals
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusals

import prfast
from prfast.scalars import NAMES


@given(hostile.point_sets(sizes=(11, 40), dims=(1, 20)), st.integers(1, 8), st.booleans())
@settings(max_examples=40)
def test_every_metric_is_its_definition(sets, k, closed):
    real, fake = hostile.native(sets)
    expected = oracles.metrics(real, fake, k, closed)
    result = prfast.metrics(real, fake, k, tuple(expected), ties="closed" if closed else "open")
    for name in ("p_precision", "p_recall"):  # sums of logarithms beside products
        assert result[name] == pytest.approx(expected.pop(name), abs=1e-12)
    assert {name: result[name] for name in expected} == expected


def test_p_precision_where_the_radius_is_zero():
    real = np.zeros((10, 2))
    fake = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 3.0], [4.0, 4.0]])
    assert prfast.metrics(real, fake, which="p_precision")["p_precision"] == 1 / 5


@given(hostile.point_sets(sizes=(11, 40), dims=(1, 10)))
@settings(max_examples=30)
def test_swapping_the_sets_swaps_precision_and_recall(sets):
    real, fake = hostile.native(sets)
    names = NAMES[: NAMES.index("f1") + 1]
    forth, back = (prfast.metrics(*pair, 3, names) for pair in ((real, fake), (fake, real)))
    for a, b in (("precision", "recall"), ("complementary_precision", "coverage")):
        assert (forth[a], forth[b]) == (back[b], back[a])
    for name in ("precision_cover", "symmetric_precision"):
        assert forth[name] == back[name.replace("precision", "recall")]
    assert forth["p_precision"] == pytest.approx(back["p_recall"], abs=1e-12)
    assert forth["f1"] == back["f1"]


def expectation_within_four_errors(name, expected, draws=60, n=200, m=150, **options):
    result = [
        prfast.metrics(*normals(n, m, 3, seed), which=name, **options)[name]
        for seed in range(draws)
    ]
    error = np.std(result, ddof=1) / np.sqrt(draws)
    assert abs(np.mean(result) - expected) < 4 * error


def test_expected_coverage_of_equal_distributions():
    """1 − Π_{i=1..k} (N − i) / (N + M − i)."""
    i = np.arange(1, 6)
    expectation_within_four_errors("coverage", 1 - np.prod((200 - i) / (350 - i)), k=5)


@pytest.mark.parametrize("n", [250, 1000])
def test_section_3_3_of_2024_precision_of_equal_distributions_stays_below_1(n):
    result = prfast.metrics(*normals(n, n, 64), k=3, which="precision")
    assert result.precision < 0.75


def test_published_expectations_of_precision_cover():
    """k = 3, C = 3, n = 1500 each: 0.967607 without the point itself, 0.945722 with it."""
    size = {"draws": 12, "n": 1500, "m": 1500}
    expectation_within_four_errors("precision_cover", 0.967607, **size)
    expectation_within_four_errors("precision_cover", 0.945722, **size, cover_reach=8)


def test_four_metrics_by_default_and_all_by_one_word():
    pair = normals(40, 30)
    default, everything = prfast.metrics(*pair), prfast.metrics(*pair, which="all")
    assert list(default) == ["precision", "recall", "density", "coverage"]
    assert tuple(everything) == NAMES
    assert all(everything[name] == value for name, value in default.items())


def test_metrics_are_a_mapping_that_says_how_it_was_made():
    real, fake = normals(40, 30)
    result = prfast.metrics(real, fake, 4, ("density", "recall"))
    assert list(result) == ["density", "recall"]
    for key, value in {"k": 4, "ties": "closed", "n_real": 40, "n_fake": 30}.items():
        assert result.info[key] == value
    assert result.density == result["density"]
    with pytest.raises(AttributeError, match="Metrics has density, recall, not 'precision'"):
        _ = result.precision
    with pytest.raises(TypeError):
        result.info["k"] = 5


SMALL = normals(6, 5)


def of_few(which=None, k=1, **options):
    return prfast.metrics(*SMALL, k, which, **options)


test_errors_name_the_argument = refusals("""
of_few(k=5)
    ValueError: k: from 1 to 4 expected, the other points of fake, got 5
of_few(seed=1)
    TypeError: seed: not an argument of metrics; did you mean 'random_state'?
of_few("recall_cover", k=2)
    ValueError: cover_k × cover_factor: from 1 to 5 expected, the other points of real, got 9
of_few(ties="<")
    ValueError: ties: 'closed'
of_few("recall_cover", cover_reach=3, cover_factor=3)
    ValueError: cover_reach: cover_reach or cover_factor expected, got both
of_few("p_recall", p_radius=1e-300)
    ValueError: p_radius: a radius whose square is a float64 number, as those of the samples,
    expected, got 1e-300
of_few("authenticity", backend="approximate")
    ValueError: backend: an exact one expected for authenticity, got 'approximate'
""")
