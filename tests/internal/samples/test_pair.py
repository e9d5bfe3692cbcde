"""Two sets of samples: units, selections, weights, noise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prfast.samples.noise import Noise
from prfast.samples.pair import Pair
from prfast.samples.samples import Samples

SEEDS = st.integers(0, 2**32 - 1)


def components(links, size):
    """Return the smallest member of each row's set of rows that links lead to."""
    label = list(range(size))
    for _ in range(size):
        for i, j in links:
            label[i] = label[j] = min(label[i], label[j])
    return label


def expected_units(rows, groups, n, are_draws):
    """Return the units of rows, real ones first, by their definition."""
    pairs = [(i, j) for i in range(len(rows)) for j in range(i)]
    equal = [] if are_draws else [(i, j) for i, j in pairs if rows[i] == rows[j]]
    in_group = [(i, j) for i, j in pairs if groups[i] == groups[j]]
    units = components(equal + in_group, len(rows))
    if min(len(set(units[:n])), len(set(units[n:]))) < 2:
        return components(in_group, len(rows))
    return units


def drawn_sets(seed):
    """Rows that repeat, copies or draws of a discrete distribution, and groups of rows."""
    rng = np.random.default_rng(seed)
    n, m, values = rng.integers(4, 12), rng.integers(4, 12), rng.integers(2, 40)
    copies = rng.normal(size=(values, 2))[rng.integers(0, values, n + m)]
    draws = rng.integers(0, values, (n + m, 2)).astype(float)
    sets = np.split(copies if seed % 2 else draws, [n])
    groups = rng.integers(0, 5, n), 5 + rng.integers(0, 5, m)
    for labels in groups:
        labels[:2] = labels[0], labels[0] + (1 if labels[0] % 5 < 4 else -1)
    return sets, groups


def alike(units, expected):
    """Return whether the same rows are together."""
    units, expected = np.asarray(units), np.asarray(expected)
    return ((units[:, None] == units) == (expected[:, None] == expected)).all()


@given(seed=SEEDS)
def test_units_are_equal_rows_joined_with_groups(seed):
    sets, groups = drawn_sets(seed)
    rows, n = [tuple(row) for points in sets for row in points.tolist()], len(sets[0])
    pair = Pair.read(*sets, groups=groups)
    expected = expected_units(rows, np.concatenate(groups), n, pair.repetition.is_evidence)
    assert alike(np.concatenate(pair.units), expected)


@given(seed=SEEDS)
def test_a_selection_has_the_rows_weights_groups_and_units_of_the_pair(seed):
    rng = np.random.default_rng(seed)
    sets, groups = drawn_sets(seed)
    w = rng.uniform(1, 2, len(sets[0]))
    pair = Pair.read(*sets, w_real=w, groups=groups)
    rows = [np.sort(rng.choice(len(points), 3, replace=False)) for points in sets]
    taken = pair.take(*rows).take(slice(None), [True, False, True])
    rows[1] = rows[1][[0, 2]]
    for samples, points, labels, at in zip(taken.sets, sets, groups, rows, strict=True):
        assert (samples.points == points[at]).all()
        assert (samples.labels == labels[at]).all()
        assert samples.rows.tolist() == at.tolist()
    assert (taken.real.mass == (w / w.max())[rows[0]]).all()
    units = [units[at] for units, at in zip(pair.units, rows, strict=True)]
    assert alike(np.concatenate(taken.units), np.concatenate(units))


@given(seed=SEEDS)
def test_a_selection_by_itself_is_that_of_its_rows_without_new_hashes(seed):
    rng = np.random.default_rng(seed)
    sets, _ = drawn_sets(seed)
    pair = Pair.read(*sets)
    rows = [np.sort(rng.choice(len(points), 3, replace=False)) for points in sets]
    alone = pair.take(*rows).alone()
    read = Pair.read(*(points[at] for points, at in zip(sets, rows, strict=True)))
    assert alone.repetition.group.tolist() == read.repetition.group.tolist()
    assert alone.repetition.discrete == read.repetition.discrete
    assert all(map(np.array_equal, alone.units, read.units))
    assert [("keys" in samples.__dict__) for samples in alone.sets] == [False, False]
    assert [("keys" in samples.__dict__) for samples in pair.sets] == [True, True]


def test_columns_by_themselves_have_units_of_their_own():
    rng = np.random.default_rng(0)
    points = np.column_stack([rng.normal(size=15).repeat(2), rng.normal(size=30)])
    pair = Pair.read(points, points + 100)
    assert len(np.unique(pair.units)) == 60
    assert len(np.unique(pair.columns([0]).units)) == 30


@pytest.mark.parametrize("copies", [1, 3])
def test_copies_with_noise_are_rows_of_one_unit(copies):
    rng = np.random.default_rng(0)
    real, fake = rng.normal(size=(30, 2)), rng.normal(size=(20, 2))
    real[4] = real[9]
    pair = Pair.read(real, fake)
    smoothed = pair.at(0.3, Noise(), 0)
    stacked = smoothed.stacked(copies)
    assert stacked.sizes == (30 * copies, 20 * copies)
    for units, original in zip(stacked.units, pair.units, strict=True):
        assert (units.reshape(copies, -1) == original).all()
    assert (stacked.real.points[:30] == smoothed.real.points).all()
    assert len(np.unique(stacked.real.points, axis=0)) == 30 * copies
    rows = stacked.representatives(15 * copies, 0)
    numbers = [set(part % size) for part, size in zip(rows, pair.sizes, strict=True)]
    assert [len(part) for part in rows] == [copies * len(rows_of_set) for rows_of_set in numbers]
    assert not {4, 9} <= numbers[0]


def test_weights_count_by_units():
    """Kish's size and the freedom of Welch and Satterthwaite, of the sums of the weights."""
    points = np.arange(5.0)[:, None]
    w = [1, 2, 3, 4, 0]
    pair = Pair.read(points, points + 9, w_real=w, groups=([0, 0, 1, 2, 3], [4, 4, 5, 6, 7]))
    sums_real, sums_fake = np.array([3.0, 3, 4]), np.array([2.0, 1, 1, 1])
    kish = [int(W.sum() ** 2 / (W**2).sum()) for W in (sums_real, sums_fake)]
    assert pair.effective_size == tuple(kish) == (2, 3)
    freedom = min((W**2).sum() ** 2 / (W**4).sum() for W in (sums_real, sums_fake))
    assert pair.freedom == pytest.approx(freedom)
    scaled = pair.scaled_weights()
    assert [scaled[:4].sum(), scaled[4:].sum()] == pytest.approx(kish)
    assert scaled[:4] / scaled[0] == pytest.approx([1, 2, 3, 4])
    assert pair.mean_weights[:4] == pytest.approx(np.arange(1, 5) / 2.5)
    assert pair.rows_alone().is_plain


@given(seed=SEEDS)
def test_a_fit_sees_a_row_of_each_unit(seed):
    sets, groups = drawn_sets(seed)
    pair = Pair.read(*sets, groups=groups)
    for limit in (2, 1000):
        rows = pair.representatives(limit, 0)
        for units, chosen in zip(pair.units, rows, strict=True):
            assert len(set(units[chosen])) == len(chosen) == min(limit, len(set(units)))
            assert (np.diff(chosen) > 0).all()


def test_any_row_of_a_group_may_be_fitted_to():
    points, groups = np.arange(8.0)[:, None], np.arange(8) // 4
    pair = Pair.read(points, points + 9, groups=(groups, groups + 9))
    assert len({pair.representatives(9, seed)[0][0] for seed in range(60)}) == 4


def test_weights_of_zero_select_among_the_rows_that_are_left():
    samples = Samples.read("real", np.arange(6.0)[:, None])
    first = samples.weighted_by("real", [0, 1, 1, 1, 2, 2])
    second = first.weighted_by("real", [1, 0, 1, 1, 1])
    assert second.rows.tolist() == [1, 3, 4, 5]
    assert second.points.ravel().tolist() == [1, 3, 4, 5]
    assert second.weights is None
