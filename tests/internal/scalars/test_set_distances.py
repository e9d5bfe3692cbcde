"""The Gaussian kernel distance: double loops, expectations, errors."""

import hostile
import numpy as np
import oracles
import pytest
from helpers import normals
from hypothesis import given, settings
from hypothesis import strategies as st

import prfast
from prfast.kernels import distances as kernels
from prfast.scalars import distances, kernel


def measured(real, fake, which="gaussian_distance", **options):
    return prfast.metrics(real, fake, which=which, **options)


@pytest.mark.parametrize("isa", kernels.ISAS)
@given(data=st.data())
@settings(max_examples=15)
def test_sums_of_kernels_are_those_of_pairs(isa, data):
    rows, cubic, same = data.draw(st.tuples(st.integers(1, 70), st.booleans(), st.booleans()))
    columns = rows if same else data.draw(st.integers(1, 70))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    products = rng.normal(size=(rows, columns)).astype(np.float32)
    a, b = (-4 * rng.random(size).astype(np.float32) for size in (rows, columns))
    if not cubic:
        a[0] = data.draw(st.sampled_from([-200, 300]))  # far away; above 0 by rounding
    arguments = a, b, 0.5, data.draw(st.sampled_from([0.0, 0.25])), cubic, same
    expected, size = oracles.kernel_sums(products, *arguments)
    result = kernels.kernel_sums(isa, products, *arguments)
    for sums, exact, unit in zip(result, expected, size, strict=True):
        assert np.all(np.abs(sums - exact) <= 2.0**-20 * unit + 2.0**-100)


def both_ways(monkeypatch, real, fake, **options):
    """Return the Gaussian distance in float32 and in float64."""
    results = []
    for large in (0, 1 << 99):
        monkeypatch.setattr(distances, "_LARGE", large)
        results.append(measured(real, fake, "gaussian_distance", **options))
    return results


@pytest.mark.parametrize(("change", "options"), [
    (np.asarray, {}), (lambda x: x + 100, {}), (np.round, {}), (lambda x: np.tile(x, (2, 1)), {}),
    (lambda x: np.maximum(x, 0), {}), (lambda x: x / 1e4, {}), (np.asarray, {"bandwidth": 3.0}),
    (lambda x: (x > 0) * 1.0, {"bandwidth": 1.0}),
])  # fmt: skip
def test_float32_moves_the_gaussian_distance_by_a_thousandth_of_its_error(
    monkeypatch, change, options
):
    """Also of equal samples, and of samples of few different distances, whose roundings are not
    independent."""
    monkeypatch.setattr(kernel, "_MOST_FLOAT32", 150)
    rounded, exact = both_ways(monkeypatch, *map(change, normals(500, 400, 12)), **options)
    error = exact.errors["gaussian_distance"]
    assert rounded.gaussian_distance != exact.gaussian_distance  # they are two computations
    assert abs(rounded.gaussian_distance - exact.gaussian_distance) < 1e-3 * error
    assert rounded.errors["gaussian_distance"] == pytest.approx(error, rel=1e-2)


@pytest.mark.parametrize(("change", "options"), [
    (np.asarray, {"bandwidth": 1e4}), (np.ones_like, {}), (lambda x: x * 1e13, {}),
    (lambda x: x / 1e14, {}), (lambda x: np.concatenate([x, [[1e8] * 12]]), {}),
    (lambda x: np.concatenate([x, [[4.3e4] * 12] * 2]), {}),
])  # fmt: skip
def test_where_float32_is_not_accurate_the_gaussian_distance_is_of_float64(
    monkeypatch, change, options
):
    rounded, exact = both_ways(monkeypatch, *map(change, normals(60, 50, 12)), **options)
    assert (dict(rounded), dict(rounded.errors)) == (dict(exact), dict(exact.errors))


@given(hostile.point_sets(sizes=(2, 20), dims=(1, 10)))
@settings(max_examples=40)
def test_the_gaussian_distance_is_the_double_loop(sets):
    """Also of clusters a billion times as far apart as they are wide, and of equal samples."""
    real, fake = (s.astype(np.float64) for s in sets)
    result = measured(*sets, which="gaussian_distance")
    sigma = oracles.median_distance(real)
    assert result.info["bandwidth"] == pytest.approx(sigma, rel=1e-9)
    # Distances of rounded means may decide which kernel there is.
    expected = oracles.gaussian_distance(real, fake, result.info["bandwidth"])
    assert result.gaussian_distance == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("sigma", [1e-3, 0.5, 40.0, 1e6])
def test_any_bandwidth(sigma):
    real, fake = normals(30, 20, 5)
    fake[:5] = real[:5] + 1e-3
    real[0] = fake[0] = 1e7  # far from the mean, beside the bandwidth
    result = measured(real, fake, which="gaussian_distance", bandwidth=sigma)
    expected = oracles.gaussian_distance(real, fake, sigma)
    assert result.gaussian_distance == pytest.approx(expected, rel=1e-9, abs=1e-15)
    assert result.info["bandwidth"] == sigma


@pytest.mark.parametrize(("n", "m", "d"), [(60, 60, 3), (40, 200, 20), (300, 40, 1)])
def test_no_bias_and_the_right_error_for_equal_distributions(n, m, d):
    values, errors = [], []
    for seed in range(200):
        result = measured(*normals(n, m, d, seed), random_state=seed)
        values.append(result.gaussian_distance)
        errors.append(result.errors["gaussian_distance"])
    deviation = np.std(values, ddof=1)
    assert np.abs(np.mean(values)) < 4 * deviation / np.sqrt(200)
    assert 0.95 < np.sqrt(np.mean(np.square(errors))) / deviation < 1.6


def test_a_large_bandwidth_keeps_the_digits():
    real = normals(9, 1, 2)[0]
    wide, wide_10 = (kernel.gaussian(real, real[1:], np.zeros(2), scale) for scale in (1e6, 1e5))
    np.testing.assert_allclose(wide, wide_10 / 100, rtol=1e-9, atol=1e-24)


def test_it_has_an_error_from_a_few_samples_on():
    assert measured(*normals(3, 3, 2)).errors == {}
    assert set(measured(*normals(4, 9, 2)).errors) == {"gaussian_distance"}
