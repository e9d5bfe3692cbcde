"""Rows that depend on their neighbors are found, those that are sorted or independent are not."""

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from prfast.samples.order import independent_stride
from prfast.samples.pair import Pair


def stride(points):
    return independent_stride(points, np.arange(len(points)))


def series(rng, size, width=1, memory=0.9):
    """Autoregressive columns."""
    noise = rng.normal(size=(size + 200, width))
    values = np.zeros_like(noise)
    for i in range(1, len(values)):
        values[i] = memory * values[i - 1] + np.sqrt(1 - memory**2) * noise[i]
    return values[200:]


def independent(rng):
    """Sets of independent rows, sorted ones among them."""
    size, width = rng.choice([50, 100, 300, 2000]), rng.choice([2, 5, 20, 64])
    normal = rng.normal(size=(size, width))
    centers = 6 * rng.normal(size=(5, width))
    classes = np.sort(rng.integers(0, 5, size)) if size > 100 else np.repeat([0, 1], size // 2)
    clusters = centers[classes] + normal
    yield from (normal, rng.standard_cauchy((size, width)), np.exp(2 * normal))
    yield from (rng.poisson(2, (size, width)), rng.random((size, width)) < 0.1)
    yield from (clusters, np.column_stack([clusters, classes]), rng.permutation(clusters))
    yield from (normal[np.argsort(normal[:, 0])], normal[np.argsort(-normal[:, 0])])
    yield normal[np.lexsort((normal[:, 1], normal[:, 0] > 0))]
    yield normal + np.outer(np.sort(rng.random(size)), np.full(width, 3.0))


def test_independent_rows_have_no_stride_in_any_order_clusters_or_columns():
    sets = (points for seed in range(100) for points in independent(np.random.default_rng(seed)))
    assert [stride(np.asarray(points, float)) for points in sets] == [1] * 1200


@pytest.mark.parametrize("seed", range(3))
def test_windows_frames_and_chains_have_one(seed):
    rng = np.random.default_rng(seed)
    assert stride(sliding_window_view(rng.normal(size=2015), 16)) == 16  # of white noise
    assert 16 <= stride(sliding_window_view(series(rng, 2031)[:, 0], 32)) <= 128
    clips = np.repeat(rng.normal(size=(200, 20)), 10, axis=0)
    assert 8 <= stride(clips + 0.1 * rng.normal(size=clips.shape)) <= 32
    assert stride(series(rng, 500, 10)) > 1
    slow = np.column_stack([series(rng, 2000, 2, 0.98), rng.normal(size=(2000, 30))])
    assert stride(slow) > 8


def test_equal_rows_are_one_and_groups_that_cover_the_dependence_have_none():
    rng = np.random.default_rng(0)
    windows = sliding_window_view(series(rng, 2015)[:, 0], 16)
    points, plain = np.repeat(rng.normal(size=(500, 4)), 4, axis=0), rng.normal(size=(300, 4))
    assert Pair.read(points, plain).strides == (1, 1)
    fake = rng.normal(size=(300, 16))
    assert Pair.read(windows, fake).strides[0] > 8
    block, single = np.arange(2000) // 64, -1 - np.arange(300)
    assert Pair.read(windows, fake, groups=(block, single)).strides == (1, 1)
    short = np.arange(2000) // 2
    assert Pair.read(windows, fake, groups=(short, single)).strides[0] > 1
