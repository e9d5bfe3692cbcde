"""Codes are told from counts, ratings and intensities."""

import numpy as np
import pytest

from prfast.samples.codes import shared_codes

SEEDS = range(20)


def tokens(rng, size=1000, width=10, number=20):
    """Markov chains of tokens, by falling frequency."""
    chances = rng.dirichlet(np.full(number, 0.3), number).cumsum(axis=1)
    chains = np.empty((size, width), int)
    chains[:, 0] = rng.integers(0, number, size)
    for step in range(1, width):
        larger = rng.random((size, 1)) > chances[chains[:, step - 1]]
        chains[:, step] = np.minimum(larger.sum(axis=1), number - 1)
    order = np.argsort(-np.bincount(chains.ravel(), minlength=number))
    return np.argsort(order)[chains]


def letters(rng):
    return rng.choice(50, p=rng.dirichlet(np.full(50, 0.7)), size=(1000, 8))


def apart(rng):
    """Independent columns, each with frequencies of its own."""
    return np.stack([rng.choice(50, 1000, p=rng.dirichlet(np.ones(50))) for _ in range(6)], 1)


@pytest.mark.parametrize("draw", [tokens, lambda rng: tokens(rng, 3000, 6, 50), letters, apart])
def test_tokens_are_codes(draw):
    found = [shared_codes(draw(np.random.default_rng(seed))) > 0 for seed in SEEDS]
    assert np.mean(found) >= 0.9


def numbers(rng):
    """Whole numbers that have an order, or neither order nor different frequencies."""
    size, width = rng.choice([200, 1000, 3000]), rng.choice([4, 10, 30])
    common, normal = rng.normal(size=(size, 1)), rng.normal(size=(size, width))
    yield from (rng.poisson(rate, (size, width)) for rate in (0.5, 3, 30))
    yield rng.poisson(3 * np.exp(common / 2), (size, width))
    for levels in (4, 5, 7, 10):
        for items in (normal, 0.6 * common + 0.8 * normal, common * (-1) ** np.arange(width)):
            yield np.clip(np.rint((levels + 1) / 2 + levels / 5 * items), 1, levels)
    yield from (rng.random((size, width)) < 0.2, rng.integers(1, 7, (size, width)))
    ages = np.clip(np.rint(40 + 15 * normal), 0, 99)
    yield from (ages, np.where(rng.random((size, width)) < 0.4, np.rint(ages / 5) * 5, ages))
    yield np.where(np.arange(width) % 2, ages, 1920 + ages)
    yield np.clip(np.rint(128 + 150 * normal), 0, 255)  # saturated
    yield np.eye(width)[rng.integers(0, width, size)]
    walks = np.cumsum(normal, axis=1)
    yield np.clip(np.rint(128 + 30 * walks), 0, 255)
    yield np.clip(np.rint(128 + 30 * walks), 0, 255) * 255 // 180  # a stretched contrast


def test_numbers_with_an_order_are_none():
    sets = (points for seed in SEEDS for points in numbers(np.random.default_rng(seed)))
    assert not any(shared_codes(np.asarray(points, float)) for points in sets)


HEAPS = [(heap, 100) for heap in (5, 7, 8, 9, 10, 11, 12, 15, 20, 25, 30, 0)]


@pytest.mark.parametrize(("heap", "below"), [*HEAPS, (10, 60), (0, 60), (7, 40), (0, 40)])
def test_counts_that_are_heaped_are_none(heap, below):
    """Six of ten counts are rounded: to dozens, to weeks, to powers of 2."""
    found = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        normal = np.rint(below * (0.4 + 0.15 * rng.normal(size=(1000, 6))))
        for counts in (normal.clip(0, below - 1), rng.integers(0, below, (1000, 6))):
            powers = 2.0 ** np.rint(np.log2(np.maximum(counts, 1)))
            rounded = np.rint(counts / heap) * heap if heap else powers
            points = np.where(rng.random((1000, 6)) < 0.6, rounded, counts)
            found.append(shared_codes(points) > 0)
    assert np.mean(found) <= 0.05


def test_images_are_none():
    digits = pytest.importorskip("sklearn.datasets").load_digits().data
    assert shared_codes(digits) == 0
