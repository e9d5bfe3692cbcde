"""The Gaussian kernel distance and the sliced distance: double loops, expectations, errors."""

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
from prfast.scalars.distances import directions, subsets

NAMES = ("gaussian_distance", "sliced_distance")


def measured(real, fake, which=NAMES, **options):
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


@given(hostile.point_sets(sizes=(2, 20), dims=(1, 5)))
@settings(max_examples=25)
def test_the_sliced_distance_is_the_double_loop(sets):
    real, fake = (s.astype(np.float64) for s in sets)
    result = measured(*sets, which="sliced_distance")
    size = result.info["sliced_group"]
    assert size == int(np.sqrt(min(len(real), len(fake))))  # of more than 256 a sixteenth
    subset_rows = (subsets(len(x), size, 0, name) for x, name in ((real, "real"), (fake, "fake")))
    # In a unit in which squares do not overflow, from the mean, which makes no difference.
    unit = 2.0 ** np.frexp(max(np.abs(real).max(), np.abs(fake).max(), 1e-300))[1]
    middle = (real / unit).mean(axis=0)
    x, y = real / unit - middle, fake / unit - middle
    expected = oracles.sliced_distance(x, y, directions(real.shape[1], 0), *subset_rows)
    most = np.square(np.concatenate([x, y])).sum(axis=1).max()
    assert result.sliced_distance / unit / unit == pytest.approx(expected, abs=1e-13 * (1 + most))


def test_groups_are_disjoint_and_directions_orthonormal():
    rows = subsets(103, 10, 5, "real")
    assert rows.shape == (10, 10)
    assert len(np.unique(rows)) == 100
    assert not np.array_equal(rows, subsets(103, 10, 6, "real"))
    for dim, count in ((1, 1), (3, 513), (200, 600), (700, 512)):
        vectors = directions(dim, 0)
        assert vectors.shape == (dim, count)
        basis = vectors[:, : min(dim, count)]
        np.testing.assert_allclose(basis.T @ basis, np.eye(basis.shape[1]), atol=1e-12)


@pytest.mark.parametrize(("n", "m", "d"), [(60, 60, 3), (40, 200, 20), (300, 40, 1)])
def test_no_bias_and_the_right_error_for_equal_distributions(n, m, d):
    values, errors = [], []
    for seed in range(200):
        result = measured(*normals(n, m, d, seed), random_state=seed)
        values.append([*result.values()])
        errors.append([result.errors[name] for name in NAMES])
    deviation = np.std(values, axis=0, ddof=1)
    assert (np.abs(np.mean(values, axis=0)) < 4 * deviation / np.sqrt(200)).all()
    ratio = np.sqrt(np.mean(np.square(errors), axis=0)) / deviation
    assert (ratio > 0.95).all()
    assert (ratio < 1.6).all()


def test_the_error_contains_that_of_few_directions(monkeypatch):
    real, fake = normals(2000, 2000, 4)
    fake *= [0.4, 1, 1, 1.6]
    with_many = measured(real, fake, "sliced_distance").errors["sliced_distance"]
    monkeypatch.setattr(distances, "DIRECTIONS", 12)
    results = [measured(real, fake, "sliced_distance", random_state=s) for s in range(30)]
    spread = np.std([x.sliced_distance for x in results], ddof=1)
    error = np.sqrt(np.mean([x.errors["sliced_distance"] ** 2 for x in results]))
    assert 1.2 * with_many < spread < error < 2.5 * spread


def test_a_large_bandwidth_keeps_the_digits():
    real = normals(9, 1, 2)[0]
    wide, wide_10 = (kernel.gaussian(real, real[1:], np.zeros(2), scale) for scale in (1e6, 1e5))
    np.testing.assert_allclose(wide, wide_10 / 100, rtol=1e-9, atol=1e-24)


@pytest.mark.parametrize("sigma", [1e-3, 0.5, 40.0, 1e6])
def test_any_bandwidth(sigma):
    real, fake = normals(30, 20, 5)
    fake[:5] = real[:5] + 1e-3
    real[0] = fake[0] = 1e7  # far from the mean, beside the bandwidth
    result = measured(real, fake, which="gaussian_distance", bandwidth=sigma)
    expected = oracles.gaussian_distance(real, fake, sigma)
    assert result.gaussian_distance == pytest.approx(expected, rel=1e-9, abs=1e-15)
    assert result.info["bandwidth"] == sigma
