"""How far metrics move with other samples, from random halves."""

import itertools

import numpy as np
import pytest
from refusals import refused

from prfast import metrics
from prfast.neighbors import NeighborSearch
from prfast.scalars.api import read_metric_options
from prfast.scalars.halves import halve
from prfast.scalars.measure import half_width

OPTIONS = read_metric_options(3, ["precision", "recall", "coverage"], "closed")


def draw(rng, n=160, m=200, shift=0.5):
    return rng.normal(size=(n, 2)), rng.normal(size=(m, 2)) + shift


def halves_of(real, fake, halvings=4, seed=0, reference=7):
    return halve(real, fake, OPTIONS, NeighborSearch(), halvings, seed=seed, reference=reference)


def test_it_is_half_the_difference_of_two_halves_beside_all_there_are():
    """Of eight real samples there are 70 halves; the model is one point, however it is cut."""
    rng = np.random.default_rng(0)
    real, fake = rng.normal(size=(8, 2)), np.zeros((8, 2))
    rows, expected = set(range(8)), []
    for half in itertools.combinations(range(8), 4):
        one, two = (
            metrics(real[sorted(chosen)], fake[:4], 3, "coverage").coverage
            for chosen in (half, rows - set(half))
        )
        expected.append((one - two) / 2)
    drawn = halves_of(real, fake, 200)
    assert set(drawn.values["coverage"]) <= set(expected)
    deviation = np.sqrt(np.mean(np.square(expected)))
    assert 0 < deviation == pytest.approx(drawn.deviation("coverage"), rel=0.15)
    assert list(drawn.values) == ["precision", "recall", "coverage"]
    assert drawn.half_width("coverage", 0.95) == pytest.approx(
        1.972 * drawn.deviation("coverage"), rel=1e-3
    )


def test_the_half_width_is_that_of_the_standard_error_then_that_of_halves():
    halves = halves_of(*draw(np.random.default_rng(0)))
    assert half_width("recall", 0.5, {"recall": 0.1}, halves) == pytest.approx(0.1959964)
    assert half_width("recall", 0.5, {"recall": 0.1}) == pytest.approx(0.1959964)
    of_halves = halves.half_width("recall", 0.95)
    assert half_width("recall", 0.5, {"density": 0.1}, halves) == of_halves
    assert half_width("recall", 0.5, {}, halves, 0.5) < of_halves
    assert half_width("density", 0.5, {}, halves) is None
    assert half_width("recall", 0.5, {}) is None


def test_the_real_halves_are_the_same_for_every_model():
    """Of models that are one point only the real samples count."""
    real, _ = draw(np.random.default_rng(2))
    one, two = (halves_of(real, np.zeros((m, 2))).values["coverage"] for m in (50, 90))
    assert one.tolist() == two.tolist()
    assert one.tolist() != halves_of(real, np.zeros((50, 2)), seed=1).values["coverage"].tolist()


def test_halves_that_are_too_small_for_the_balls():
    with refused(ValueError, "halvings: halves of 7 and 200 samples: k: from 1 to 2 expected"):
        halves_of(np.zeros((7, 2)), np.zeros((200, 2)))
