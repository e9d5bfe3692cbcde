"""Lists that take in what int8 says: which keys are looked at closely, which need not be."""

import numpy as np
import oracles
import pytest
from paths import ISAS, on
from test_int8 import CAUCHY, ends, on_the_grid, rotation

from prfast.kernels import distances
from prfast.neighbors import NeighborSearch

# One query, and points whose keys lie as far below V as keys can: the rounding of both is in the
# direction of their difference.
ABREAST, FAR = 40, 300
SIGNS = np.random.default_rng(0).choice([-1.0, 1.0], 1024)
STEP = 1e-3


def on_a_line(steps, signs, off=0.49):
    return np.array([on_the_grid(40, off, signs, step) for step in steps]) @ rotation(1024)


QUERY = on_a_line([STEP], SIGNS)


def least_and_true(point):
    """The lower end of D, and D."""
    side = distances.Pass(QUERY, point, np.zeros(1024), 0.25, 1, "base", False, False)
    side.use_int8(True)
    side.load(0, 1, 1)
    return ends(side, 1, CAUCHY)[0].item(), oracles.squared_distances(QUERY, point).item()


LEAST, TRUE = least_and_true(on_a_line([STEP], -SIGNS))
WIDTH = TRUE - LEAST


def abreast(away, count):
    """D of all of them is TRUE + away WIDTH, their keys are those of LEAST + away WIDTH, about."""
    by = 1 + away * WIDTH / TRUE
    points = on_a_line(STEP * by * (1 + 1e-6 * np.arange(count)), -SIGNS)
    least, true = least_and_true(points[:1])
    assert abs((true - TRUE) / WIDTH - away) < 0.02 > abs((least - LEAST) / WIDTH - away)
    return points


def mirrored(rng, *points):
    """With points that are far, without an error; and the opposite of all: the center is 0."""
    far = on_a_line(STEP * (1.2 + 1e-6 * np.arange(FAR)), -SIGNS, off=0)
    half = np.concatenate([far, *points])
    return rng.permutation(np.concatenate([half, -half]))


@pytest.mark.parametrize("isa", ISAS)
def test_unrefined_keys_are_as_wide_as_they_can_be(isa):
    """What is tightened goes past keys that are unrefined: those have to be looked at, too."""
    near = abreast(0, ABREAST), abreast(0.96, ABREAST)
    refs = mirrored(np.random.default_rng(1), *near)
    k = len(refs) // 2 + 5
    with on(f"{isa} int8"):
        search = NeighborSearch("exact", n_jobs=1)
        d2 = search.kth(QUERY, refs, [k])
    assert d2 == np.sort(oracles.squared_distances(QUERY, refs))[:, k - 1]
    assert search.work["int8"] > search.work["float32"]


@pytest.mark.parametrize("isa", ISAS)
def test_what_is_unrefined_within_the_other_sets_radius_is_looked_at(isa):
    rng = np.random.default_rng(2)
    x = mirrored(rng, abreast(0, ABREAST), abreast(0.96, ABREAST))
    y = mirrored(rng, abreast(-0.5, 5))
    opposite = [len(points) // 2 for points in (x, y)]
    with on(f"{isa} int8"):
        near = NeighborSearch("exact", n_jobs=1).union(
            QUERY, x, y, [opposite[0] - 2], [opposite[1] + 3], [100], across=True
        )
    radius = np.sort(oracles.squared_distances(QUERY, y))[:, opposite[1] + 2]
    assert near.across_a == (oracles.squared_distances(QUERY, x) <= radius).sum() == opposite[0]
