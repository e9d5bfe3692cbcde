"""A neighbor number of precision and recall cover, and a radius of P-precision, that are given."""

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from refusals import refused
from scipy.stats import betabinom

import prfast
from prfast.neighbors.resources import sample_set_of

SETS = hostile.point_sets(sizes=(11, 40), dims=(1, 20))
COVERS = ("precision_cover", "recall_cover")
NEARNESS = ("p_precision", "p_recall")


def native(sets):
    return tuple(s.astype(s.dtype.newbyteorder("=")) for s in sets)


def normals(n, m, d=4, seed=0, shift=0.0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(size=(m, d)) + shift


# ---- covers: k pairs, the k'-th neighbor (2024, Eq. 7) ------------------------------------------


@given(SETS, st.integers(1, 45), st.integers(1, 10), st.booleans())
@settings(max_examples=150)
def test_covers_are_their_definition_for_any_pairs_and_any_neighbor(sets, pairs, reach, closed):
    """More pairs than neighbors, and more than there are samples, among them."""
    real, fake = native(sets)
    options = {"ties": "closed" if closed else "open", "cover_k": pairs, "cover_reach": reach}
    found = prfast.metrics(real, fake, 1, COVERS, **options)
    expected = oracles.metrics(real, fake, 1, closed, cover_k=pairs, reach=reach)
    assert dict(found) == {name: expected[name] for name in COVERS}


def test_ten_pairs_in_the_ball_of_the_third_neighbor():
    """Two real samples a generated one: ten real ones are nearer than the third generated one."""
    rng = np.random.default_rng(0)
    real, fake = rng.normal(size=(900, 2)), rng.normal(size=(90, 2))
    found = prfast.metrics(real, fake, which=COVERS, cover_k=10, cover_reach=3)
    assert found.precision_cover > 0.9
    assert found.recall_cover == 0
    assert found.info["cover_reach"] == 3
    assert "cover_factor" not in found.info


@given(SETS, st.integers(1, 10), st.booleans())
@settings(max_examples=100)
def test_with_one_pair_they_are_coverage_of_the_neighbor(sets, k, closed):
    real, fake = native(sets)
    options = {"ties": "closed" if closed else "open", "cover_k": 1, "cover_reach": k}
    found = prfast.metrics(real, fake, k, **options | {"p_k": 1})
    assert found.precision_cover == found.complementary_precision
    assert found.recall_cover == found.coverage


def test_the_neighbor_of_the_factor_is_the_product_and_the_default_is_three_times_three():
    real, fake = normals(60, 50, shift=0.3)
    by_factor = prfast.metrics(real, fake, 1, COVERS, cover_k=4, cover_factor=2)
    assert dict(by_factor) == dict(prfast.metrics(real, fake, 1, COVERS, cover_k=4, cover_reach=8))
    default = prfast.metrics(real, fake, 1, COVERS)
    assert dict(default) == dict(prfast.metrics(real, fake, 1, COVERS, cover_reach=9))
    assert (default.info["cover_k"], default.info["cover_factor"]) == (3, 3)
    assert "cover_reach" not in default.info


@pytest.mark.parametrize(("pairs", "reach"), [(10, 3), (3, 10), (5, 5), (1, 4)])
@pytest.mark.parametrize(("n", "m", "dim"), [(300, 150, 2), (150, 200, 20)])
def test_expected_covers_of_equal_distributions(pairs, reach, n, m, dim):
    """Of a generated sample P(BetaBinomial(N; k', M − k') >= k), of a real one with N and M
    exchanged: how many of the others lie within the k'-th smallest of M − 1 distances."""
    draws = [normals(n, m, dim, seed) for seed in range(60)]
    found = [
        [*prfast.metrics(*pair, 1, COVERS, cover_k=pairs, cover_reach=reach).values()]
        for pair in draws
    ]
    expected = [
        betabinom.sf(pairs - 1, n, reach, m - reach),
        betabinom.sf(pairs - 1, m, reach, n - reach),
    ]
    error = np.std(found, axis=0, ddof=1) / np.sqrt(len(found))
    assert (np.abs(np.mean(found, axis=0) - expected) < 4 * error + 1e-12).all()


# ---- P-precision: R (2024, Eq. 8) ----------------------------------------------------------------


@given(SETS, st.sampled_from([0.0, 1e-6, 0.1, 0.5, 1.0, 3.0, 100.0]), st.floats(0.2, 5))
@settings(max_examples=150)
def test_nearness_is_the_product_for_any_radius(sets, share, ratio):
    """R a share of the largest difference of any feature; of tiny and huge samples as well."""
    real, fake = native(sets)
    both = np.concatenate([real, fake]).astype(np.float64)
    size = share * float(np.ptp(both, axis=0).max())
    radii = size, size * ratio
    found = prfast.metrics(real, fake, 1, NEARNESS, p_radius=radii)
    expected = [
        np.mean(oracles.nearness(points, others, r))
        for points, others, r in ((fake, real, radii[0]), (real, fake, radii[1]))
    ]
    assert [*found.values()] == pytest.approx(expected, abs=1e-12)
    assert found.info["p_radius"] == [*radii]
    assert not {"p_k", "p_factor"} & {*found.info}


@given(SETS)
@settings(max_examples=50)
@example((np.zeros((11, 2)), np.ones((12, 2))))
def test_a_radius_of_zero_asks_what_coincides(sets):
    real, fake = native(sets)
    found = prfast.metrics(real, fake, 1, NEARNESS, p_radius=0)
    same = oracles.squared_distances(fake, real) == 0
    assert [*found.values()] == [same.any(1).mean(), same.any(0).mean()]


def test_the_radius_that_is_found_can_be_given():
    real, fake = normals(60, 50, shift=0.3)
    default = prfast.metrics(real, fake, 1, NEARNESS)
    radii = [1.2 * np.mean(np.sqrt(oracles.kth_within(one, 4))) for one in (real, fake)]
    given_ones = prfast.metrics(real, fake, 1, NEARNESS, p_radius=radii)
    assert [*given_ones.values()] == pytest.approx([*default.values()], rel=1e-12)
    assert (default.info["p_k"], default.info["p_factor"]) == (4, 1.2)
    one = prfast.metrics(real, fake, 1, "p_precision", p_radius=radii[0])
    assert one.p_precision == given_ones.p_precision
    assert one.info["p_radius"] == [radii[0], radii[0]]


@pytest.mark.parametrize("unit", [2.0**-600, 2.0**-40, 2.0**600])
def test_the_radius_has_the_unit_of_the_features(unit):
    real, fake = normals(60, 50, shift=0.3)
    found = prfast.metrics(real * unit, fake * unit, 1, NEARNESS, p_radius=(1.5 * unit, unit))
    assert dict(found) == dict(prfast.metrics(real, fake, 1, NEARNESS, p_radius=(1.5, 1.0)))


def test_a_given_radius_needs_no_neighbors():
    real, fake = normals(2, 3)
    found = prfast.metrics(real, fake, 1, NEARNESS, p_radius=1.0)
    assert found.p_precision == pytest.approx(np.mean(oracles.nearness(fake, real, 1.0)))
    with refused(ValueError, "p_k: from 1 to 1 expected, the other points of real, got 4"):
        prfast.metrics(real, fake, 1, NEARNESS)


def test_several_k_share_both():
    real, fake = normals(60, 50, shift=0.3)
    options = {"cover_k": 2, "cover_reach": 7, "p_radius": (1.0, 2.0)}
    together = prfast.metrics(real, fake, (3, 7), **options)
    for k, found in together.items():
        assert found == prfast.metrics(real, fake, k, **options)


def test_samples_in_pieces():
    import shards

    real, fake = normals(60, 50, shift=0.3)
    options = {"cover_k": 4, "cover_reach": 2, "p_radius": (1.0, 2.0)}
    pieces = shards.sharded(real, [20, 40]), shards.sharded(fake, [7, 43])
    assert all(sample_set_of(points) is not None for points in pieces)
    assert prfast.metrics(*pieces, 5, **options) == prfast.metrics(real, fake, 5, **options)


# ---- errors --------------------------------------------------------------------------------------

SMALL = normals(6, 5)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"cover_reach": 3, "cover_factor": 3},
            ValueError,
            "cover_reach: cover_reach or cover_factor expected, got both",
        ),
        ({"cover_reach": 0}, ValueError, "cover_reach: an integer of at least 1 expected, got 0"),
        ({"cover_reach": 1.5}, TypeError, "cover_reach: an integer expected, got a float"),
        (
            {"cover_reach": 5},
            ValueError,
            "cover_reach: from 1 to 4 expected, the other points of fake, got 5",
        ),
        (
            {"cover_reach": 6, "cover_self": True},
            ValueError,
            "cover_reach: from 2 to 5 expected, the other points of "
            "fake and the point itself, got 6",
        ),
        (
            {"cover_reach": 1, "cover_self": True},
            ValueError,
            "cover_reach: from 2 to 5 expected, the other points of "
            "fake and the point itself, got 1",
        ),
        (
            {"cover_k": 1, "cover_factor": 1, "cover_self": True},
            ValueError,
            "cover_k × cover_factor: from 2 to 5 expected, the other points of fake and the point "
            "itself, got 1",
        ),
        ({"p_radius": 1, "p_k": 4}, ValueError, "p_radius: p_radius or p_k expected, got both"),
        (
            {"p_radius": 1, "p_factor": 1.2},
            ValueError,
            "p_radius: p_radius or p_factor expected, got both",
        ),
        ({"p_radius": "1"}, TypeError, "p_radius: a number expected, got a str"),
        ({"p_radius": (1, None)}, TypeError, "p_radius: a number expected, got a NoneType"),
        ({"p_radius": ()}, ValueError, "p_radius: at least one expected, got none"),
        (
            {"p_radius": (1, 2, 3)},
            ValueError,
            "p_radius: a number, or two, of real and of fake, expected, got 3",
        ),
        (
            {"p_radius": -1},
            ValueError,
            "p_radius: a number in [0, 1.79769e+308] expected, got -1",
        ),
        (
            {"p_radius": np.nan},
            ValueError,
            "p_radius: a number in [0, 1.79769e+308] expected, got nan",
        ),
        (
            {"p_radius": np.inf},
            ValueError,
            "p_radius: a number in [0, 1.79769e+308] expected, got inf",
        ),
        *(
            (
                {"p_radius": r},
                ValueError,
                "p_radius: a radius whose square is a float64 number, as those of the samples, "
                f"expected, got {r}",
            )
            for r in (1e-300, 1e300)
        ),
    ],
)
def test_errors_name_the_argument(options, error, message):
    which = NEARNESS if "p_radius" in options else COVERS
    with refused(error, message):
        prfast.metrics(*SMALL, 1, which, **options)
