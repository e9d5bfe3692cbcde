"""The noise of a resolution: against slow twins, and what curves at a resolution rely on."""

import json
import math

import numpy as np
import oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusals, refused

import prfast
from prfast.inputs.options import stream
from prfast.methods import Noise
from prfast.samples.noise import SCALES, feature_scales, fit_noise
from prfast.samples.pair import Pair

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(60, 4)) * [1, 20, 0.3, 5]
FAKE = RNG.normal(0.3, size=(50, 4)) * [1, 20, 0.3, 5]


@st.composite
def features(draw):
    """Real samples: features that are plain, constant, whole, mostly 0, dead or with a fill value,
    of n = 2 samples on, in either type."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, plain = draw(st.integers(2, 40)), draw(st.sampled_from([0, 1, 20]))
    columns = [rng.normal(size=n) for _ in range(plain)]
    for kind in draw(st.lists(st.integers(0, 5), min_size=not plain, max_size=4)):
        x = rng.normal(size=n)
        fill = np.where(np.arange(n) == 0, 1e30, x)
        sparse = np.where(rng.random(n) < 0.95, 0.0, x)
        columns.append([np.full(n, 0.1), np.round(x), sparse, 1e-33 * x, fill, 300 + x][kind])
    return np.column_stack(columns).astype(draw(st.sampled_from([np.float32, np.float64])))


def pair(sigma, noise="std", real=REAL, fake=FAKE, seed=0):
    noise = noise if isinstance(noise, Noise) else Noise(noise)
    return Pair.read(real, fake).at(sigma, noise, seed)


def scale_of(noise, real=REAL, mass=None):
    return fit_noise(Noise(noise), real, 0, mass=mass).scale


@given(features())
def test_scales_are_those_of_the_slow_twin(real):
    np.testing.assert_allclose(scale_of("std", real), oracles.noise_scales(real), rtol=1e-6)


@given(features(), st.integers(-900, 700))
def test_scales_follow_units_exactly_and_the_order_of_features(real, exponent):
    real = real.astype(np.float64)
    if (real == real[0]).all():
        exponent = 0  # the scale of constant features is 1 in any unit
    scales = feature_scales(real)
    order = np.random.default_rng(0).permutation(real.shape[1])
    scaled = np.ldexp(real[:, order], exponent)
    np.testing.assert_array_equal(feature_scales(scaled), np.ldexp(scales, exponent)[order])


@given(features(), st.data())
def test_whole_weights_have_the_scales_of_repeated_rows(real, data):
    """In any unit of the weights, of which the least is 1."""
    w = np.array(data.draw(st.lists(st.integers(1, 5), min_size=len(real), max_size=len(real))))
    w[0] = 1
    repeated = np.repeat(real, w, axis=0)
    for scale in SCALES:
        for mass in (w / w.max(), w * 0.1):
            assert (scale_of(scale, real, mass) == scale_of(scale, repeated)).all()


def test_the_common_scale_is_the_root_mean_square_of_those_of_the_features():
    common = math.sqrt(sum(s**2 for s in oracles.noise_scales(REAL)) / 4)
    for exponent in (-600, 0, 600):  # squares of the scales are no float64 numbers
        scales = scale_of("common", np.ldexp(REAL, exponent))
        assert np.ldexp(scales, -exponent) == pytest.approx([common] * 4)


@pytest.mark.parametrize("name", ["real", "fake"])
def test_smoothed_rows_are_those_of_the_slow_twin(name):
    scales = [3.0, 0.0, 0.25, 1e5]
    points = {"real": REAL, "fake": FAKE}[name]
    drawn = pair(0.7, scales, seed=5)
    for number in range(2):
        rng = stream(5, f"noise {name} {number}")
        expected = oracles.smoothed_rows(rng, points, 0.7, scales)
        copies = drawn.stacked(2).points[name == "fake"].reshape(2, -1, 4)
        np.testing.assert_array_equal(copies[number], expected)


def test_a_row_has_the_same_noise_in_a_larger_set():
    """Also beyond a block of rows: models with more samples share the noise of the first."""
    wide = np.zeros((1100, 400), np.float32)
    smoother = fit_noise(Noise([1.0] * 400), wide, 0)
    part, whole = (smoother.smooth("fake", x, 1.0, np.float32) for x in (wide[:700], wide))
    np.testing.assert_array_equal(part, whole[:700])
    assert len(np.unique(whole)) > 0.9 * whole.size


def test_types_are_common_and_samples_unchanged():
    real, fake = REAL.astype(np.float32), FAKE.copy()
    mixed = pair(0.3, real=real, fake=fake)
    assert (mixed.real.points.dtype, mixed.fake.points.dtype) == (np.float64, np.float64)
    assert pair(0.3, real=real, fake=FAKE.astype(np.float32)).fake.points.dtype == np.float32
    np.testing.assert_array_equal(real, REAL.astype(np.float32))
    np.testing.assert_array_equal(fake, FAKE)


@pytest.mark.parametrize("method", ["auto", "knn", "kmeans", "classifier"])
def test_resolution_0_is_the_call_without_one(method):
    curve, at_0 = (
        prfast.pr_curve(REAL, FAKE, method, **options) for options in ({}, {"resolution": 0.0})
    )
    assert curve == at_0
    assert curve.info == at_0.info
    assert "resolution" not in curve.info


@pytest.mark.parametrize(
    ("noise", "dtype"),
    [([1e305] * 4, "float64"), ([1e308] * 4, "float64"), ([1e37] * 4, "float32")],
)
def test_noise_beyond_the_type_is_refused(noise, dtype):
    with refused(ValueError, f"resolution: noise within {dtype} expected, got 10000.0"):
        prfast.pr_curve(REAL.astype(dtype), FAKE.astype(dtype), "knn", resolution=1e4, noise=noise)


CODES = np.column_stack([RNG.integers(0, 5, 3000), np.eye(3)[RNG.integers(0, 3, 3000)]])
GROUPS = [(0,), (1, 2, 3)]
CODED = Noise("std", categories=[0, [1, 2, 3]])


@pytest.mark.parametrize("name", ["real", "fake"])
def test_replaced_categories_are_those_of_the_slow_twin(name):
    real = np.column_stack([CODES[:200], RNG.normal(size=200)])
    fake = np.column_stack([(CODES[200:350] + 7), RNG.normal(size=150)])
    smoothed = pair(0.8, CODED, real, fake, seed=3)
    points, actual = ((real, smoothed.real.points), (fake, smoothed.fake.points))[name == "fake"]
    drawn = stream(3, f"categories {name} 0")
    expected = oracles.replaced_rows(drawn, points[:, :4], real, 0.8, GROUPS)
    np.testing.assert_array_equal(actual[:, :4], expected)
    assert (actual[:, 4] != points[:, 4]).all()


def test_categories_of_weighted_samples_are_those_of_repeated_rows():
    w = RNG.integers(0, 4, 300)
    sets, points = (CODES[:300], CODES[300:400]), CODES[300:400]
    noised = Pair.read(*sets, w_real=w).at(2.0, CODED, 3).fake.points
    drawn, real = stream(3, "categories fake 0"), np.repeat(sets[0], w, axis=0)
    expected = oracles.replaced_rows(drawn, points, real, 2.0, GROUPS)
    np.testing.assert_array_equal(noised, expected)


def test_categories_of_tables_have_names():
    pandas = pytest.importorskip("pandas")
    names = ["size", "kind", "weight", "age"]
    tables = [pandas.DataFrame(np.rint(x), columns=names) for x in (REAL, FAKE)]
    by_name, by_number = (Noise(categories=x) for x in (["kind", ("age",)], [-3, 3]))
    first, second = (
        prfast.metrics(*tables, 3, "precision", noise=noise, resolution=0.4)
        for noise in (by_name, by_number)
    )
    assert first == second


def refuse(noise):
    return prfast.pr_curve(REAL, FAKE, "knn", resolution=0.1, noise=noise)


test_wrong_noise_is_refused = refusals("""
refuse("sdt")
    ValueError: noise: one of 'std', 'common', or an array expected, got
    'sdt'; did you mean 'std'?
refuse([1, -1, 1, 1])
    ValueError: noise: finite standard deviations >= 0, shape (d,)
refuse(Noise(categories=[4]))
    ValueError: categories: columns below 4 expected, got 4
refuse(Noise(categories=[1, (0, -3)]))
    ValueError: categories: each column in one category expected
refuse(Noise(details=[1, -3]))
    ValueError: details: different columns, which are no categories, expected
prfast.pr_curves(REAL, FAKE, resolution=-0.1)
    ValueError: resolution: a number in [0, 1e+06] expected, got -0.1
""")


@pytest.mark.parametrize("scale", SCALES)
def test_the_codes_of_categories_do_not_decide_the_noise_of_numbers(scale):
    rng = np.random.default_rng(0)
    numbers, codes = rng.normal(size=(100, 2)), np.arange(100.0)[:, None]
    alone = fit_noise(Noise(scale), numbers, 0).scale
    beside = fit_noise(Noise(scale, categories=[0]), np.hstack([codes, numbers]), 0).scale
    assert beside.tolist() == [0, *alone]


def test_numbers_of_columns_are_those_of_the_real_samples():
    pandas = pytest.importorskip("pandas")
    real, fake = pandas.DataFrame(np.rint(REAL)), pandas.DataFrame(np.rint(FAKE))
    noise = Noise(details=[0])
    for reordered in (fake, fake[[2, 0, 3, 1]]):
        curve, expected = (
            prfast.pr_curve(*sets, "knn", resolution=0.4, noise=noise)
            for sets in ((real, reordered), map(np.asarray, (real, fake)))
        )
        assert curve == expected


def test_noise_is_a_value_that_is_recorded_as_json():
    noise = Noise([1, 0.5, 2, 1], categories=[np.int64(1), ("a", "b")])
    assert noise == Noise(np.array([1, 0.5, 2, 1]), categories=[[1], ["a", "b"]])
    record = {"scale": [1.0, 0.5, 2.0, 1.0], "categories": [[1], ["a", "b"]]}
    assert json.loads(json.dumps(noise.record())) == record
