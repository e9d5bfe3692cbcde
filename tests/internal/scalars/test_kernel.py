"""The kernel distance: the double loop, another package."""

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import given, settings

import prfast
from prfast.scalars import distances, kernel


def measured(real, fake, **options):
    return prfast.metrics(real, fake, which="kernel_distance", **options)


def distance(real, fake, **options):
    return measured(real, fake, **options).kernel_distance


def normals(n, m, d, seed=0, scale=1.0, shift=0.0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), scale * rng.normal(size=(m, d)) + shift


KINDS = ("normal", "integers", "duplicates", "constant", "tiny")


@given(hostile.point_sets(sizes=(2, 25), dims=(1, 12), kinds=KINDS))
@settings(max_examples=40)
def test_it_is_the_double_loop(sets):
    real, fake = (s.astype(np.float64) for s in sets)
    scale = sum(np.abs(oracles.kernel(x, x)).max() for x in (real, fake))
    expected = oracles.kernel_distance(real, fake)
    assert distance(*sets) == pytest.approx(expected, rel=1e-12, abs=1e-13 * scale)


@pytest.mark.usefixtures("many_cores")
def test_blocks_of_any_size_and_any_number_of_threads(monkeypatch):
    real, fake = normals(230, 170, 7, scale=1.2)
    expected = oracles.kernel_distance(real, fake)
    monkeypatch.setattr(kernel, "_MOST", 16)
    result = [measured(real, fake, n_jobs=jobs) for jobs in (1, 2, 5)]
    assert result[0].kernel_distance == pytest.approx(expected, rel=1e-12)
    assert len({(x.kernel_distance, x.errors["kernel_distance"]) for x in result}) == 1


def with_products_of(monkeypatch, in_float32, real, fake, **options):
    """Return the result of products in float32, whatever the sizes, or in float64."""
    with monkeypatch.context() as patch:
        patch.setattr(distances, "_LARGE", 0 if in_float32 else 1 << 99)
        return measured(real, fake, **options)


def relu(points):
    return np.maximum(points + 0.3, 0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("d", "scale", "change"), [
    (3, 1.0, np.asarray), (40, 1.0, np.asarray), (200, 1.1, relu), (64, 1.0, lambda x: x + 3),
    (64, 1.0, lambda x: x / np.linalg.norm(x, axis=1, keepdims=True)), (40, 1.0, lambda x: x / 1e4),
])  # fmt: skip
def test_float32_moves_the_distance_by_a_thousandth_of_its_error(
    monkeypatch, d, scale, change, dtype
):
    monkeypatch.setattr(kernel, "_MOST_FLOAT32", 150)
    real, fake = (change(x).astype(dtype) for x in normals(500, 400, d, d, scale))
    rounded, exact = (with_products_of(monkeypatch, s, real, fake) for s in (True, False))
    error = exact.errors["kernel_distance"]
    assert rounded.kernel_distance != exact.kernel_distance  # they are two computations
    assert abs(rounded.kernel_distance - exact.kernel_distance) < 1e-3 * error
    assert rounded.errors["kernel_distance"] == pytest.approx(error, rel=1e-2)


@pytest.mark.parametrize("change", [
    lambda x: x + 1000, lambda x: 1 + x / 1000, lambda x: 1e13 * x, lambda x: x / 1e14, np.ones_like
])  # fmt: skip
def test_where_float32_is_not_accurate_float64_is_taken(monkeypatch, change):
    real, fake = (change(x) for x in normals(60, 50, 8, scale=1.2))
    rounded, exact = (with_products_of(monkeypatch, s, real, fake) for s in (True, False))
    assert (dict(rounded), dict(rounded.errors)) == (dict(exact), dict(exact.errors))
    # One of both sets is enough.
    real = normals(60, 50, 8)[0]
    rounded, exact = (with_products_of(monkeypatch, s, real, fake) for s in (True, False))
    assert (dict(rounded), dict(rounded.errors)) == (dict(exact), dict(exact.errors))


@pytest.mark.parametrize(("dtype", "rel"), [(np.float64, 1e-11), (np.float32, 1e-3)])
def test_equal_to_torch_fidelity(dtype, rel):
    """Its only subset has all samples; of float32 it sums in float32."""
    torch = pytest.importorskip("torch", reason="torch-fidelity takes tensors")
    peer = pytest.importorskip("torch_fidelity.metric_kid", reason="the peer, which is large")
    real, fake = (x.astype(dtype) for x in normals(300, 300, 16, scale=1.3))
    subsets = {"kid_subsets": 1, "kid_subset_size": 300, "rng_seed": 2020, "verbose": False}
    peers = peer.kid_features_to_metric(*map(torch.from_numpy, (real, fake)), **subsets)
    expected = peers["kernel_inception_distance_mean"]
    assert distance(real, fake) == pytest.approx(expected, rel=rel)


@pytest.mark.parametrize("size", [1e30, 1e60])
def test_powers_that_are_no_numbers_are_refused(size):
    real, fake = (size * x for x in normals(10, 10, 2))
    largest = max(np.abs(x).max() for x in (real, fake))
    message = f"real and fake: samples whose kernel .* expected, got values up to {largest:.3g}"
    with pytest.raises(ValueError, match=message.replace("+", "[+]")):
        distance(real, fake)
