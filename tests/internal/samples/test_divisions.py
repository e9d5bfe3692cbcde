"""Divisions at random: units have one part, and each set is spread evenly."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from prfast.samples.pair import Pair

SEEDS = st.integers(0, 2**32 - 1)
PARTS = [2, 5, (0.3, 0.6, 1.0), (0.5, 1.0)]


def repeated_pair(seed):
    """Generated rows of which a few repeat, and a few are real rows."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(80, 2))
    real = rng.permutation(60)
    fake = np.r_[rng.permutation(np.arange(53, 80)), rng.integers(60, 63, 18)]
    pair = Pair.read(values[real], values[fake])
    assert not pair.repetition.discrete  # repeated rows are units
    return pair


@given(seed=SEEDS, parts=st.sampled_from(PARTS))
def test_a_unit_has_one_part_and_each_set_is_spread_evenly(seed, parts):
    pair = repeated_pair(seed)
    parts_of_rows = pair.partition(parts, seed % 1000, "test")
    part, unit = np.concatenate(parts_of_rows), np.concatenate(pair.units)
    assert len({*zip(unit.tolist(), part.tolist(), strict=True)}) == len({*unit})
    ends = np.arange(1, parts + 1) / parts if isinstance(parts, int) else np.array(parts)
    for units, row_parts in zip(pair.units, parts_of_rows, strict=True):
        part_of = dict(zip(units.tolist(), row_parts.tolist(), strict=True))
        count = np.bincount([*part_of.values()], minlength=len(ends))
        assert len(count) == len(ends)
        # A unit more or less of those in both sets, and of those in one set.
        assert np.abs(np.cumsum(count) - ends * len(part_of)).max() <= len(ends)
        if isinstance(parts, int):
            assert count.max() - count.min() <= 1


def test_every_division_is_as_likely():
    pair = Pair.read(np.arange(4.0)[:, None], np.arange(10.0, 13)[:, None])
    for parts, number in ((2, 6), ((0.25, 1.0), 4)):
        drawn = (pair.partition(parts, seed, "test")[0] for seed in range(600))
        counts = Counter(tuple(real.tolist()) for real in drawn)
        assert len(counts) == number
        expected = 600 / number
        assert all(abs(count - expected) < 5 * np.sqrt(expected) for count in counts.values())


def test_purposes_and_seeds_divide_in_different_ways():
    pair = repeated_pair(0)
    divisions = [pair.partition(5, *x)[0] for x in ((0, "a"), (0, "b"), (1, "a"), (0, "a"))]
    assert (divisions[0] == divisions[3]).all()
    assert not any((divisions[0] == division).all() for division in divisions[1:3])


@given(seed=SEEDS)
def test_without_common_units_the_generated_rows_do_not_divide_the_real_ones(seed):
    rng = np.random.default_rng(seed)
    real, fake = rng.normal(size=(30, 2)), rng.normal(size=(40, 2))
    real[3] = real[7]
    for parts in PARTS:
        first, second = (Pair.read(real, x).partition(parts, 1, "x")[0] for x in (fake, fake[:9]))
        assert (first == second).all()


def test_equal_rows_of_different_groups_may_be_apart():
    points = np.random.default_rng(0).normal(size=(20, 2)).repeat(2, axis=0)
    pair = Pair.read(points, points + 100)
    together, apart = (pair.partition(2, 0, "x", equal_apart=way)[0] for way in (False, True))
    assert (together[::2] == together[1::2]).all()
    assert (apart[::2] != apart[1::2]).any()


def test_draws_are_a_row_of_each_group_by_its_weight():
    points = np.arange(3.0)[:, None]
    w, groups = [1.0, 3.0, 1.0], ([0, 0, 1], [2, 3, 4])
    counts = np.zeros(3)
    for seed in range(400):
        real, fake = Pair.read(points, points + 9, w_real=w, groups=groups).draws(seed, "x")
        counts[real] += 1
        assert fake.tolist() == [0, 1, 2]
    expected = np.array([100, 300, 100])  # W / max W is 1 and 1/4
    assert np.abs(counts - expected).max() < 5 * np.sqrt(100)
    assert counts[:2].sum() == 400
    grouped = Pair.read(points, points + 9, groups=groups).draws(0, "x")
    assert [len(rows) for rows in grouped] == [2, 3]
