"""Methods do not detect what the rows of METHODS list as blind; another does."""

import numpy as np
import pytest
from helpers import noise, structured

from prfast import pr_curve

pytestmark = pytest.mark.filterwarnings("ignore::prfast.Contradiction")
N = 400


def many_dimensions(rng):
    """Noise against samples of ten hidden numbers, 512 features: disjoint."""
    return structured(N, 0), noise(N, 0)


def wide_balls(rng):
    """A tenth of the noise is real: the balls of noise hold what is real."""
    return structured(N, 0), np.concatenate([structured(N // 10, 1), noise(N - N // 10, 0)])


def unreached(rng):
    """A quarter of either set is scattered widely, on sides of its own."""
    sets = rng.normal(size=(2, N, 3))
    sets[:, : N // 4] += 300 * rng.random(size=(2, N // 4, 3)) + 100
    sets[1, : N // 4] *= -1
    return sets


def narrow_modes(rng):
    """Twenty modes, of another width, all inside the same cells; enough of each for neighbors."""
    modes = 10 * rng.normal(size=(20, 8))
    return [modes[rng.integers(0, 20, 4 * N)] + s * rng.normal(size=(4 * N, 8)) for s in (0.1, 0.5)]


def same_mean(rng):
    """Three times the spread about the same mean."""
    return rng.normal(size=(N, 4)), 3 * rng.normal(size=(N, 4))


@pytest.mark.parametrize(
    ("method", "pair", "seen_by"),
    [
        ("knn", many_dimensions, "classifier"),
        ("coverage", many_dimensions, "classifier"),
        ("ipr", wide_balls, "classifier"),
        ("parzen", unreached, "knn"),
        ("kmeans", narrow_modes, "knn"),
        ("classifier", same_mean, "knn"),
    ],
)
def test_it_is_blind_where_another_sees(method, pair, seen_by):
    real, fake = pair(np.random.default_rng(0))
    high, low = (pr_curve(real, fake, name) for name in (method, seen_by))
    assert high.fidelity > 0.7
    assert low.area < high.area - 0.2
