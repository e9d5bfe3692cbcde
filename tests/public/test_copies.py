"""The test of copies: its numbers, its level, its power, and its interval."""

import math
import re

import numpy as np
import pytest
from hostile import point_sets
from hypothesis import given
from refusals import refusals

import prfast
from prfast.neighbors import NeighborSearch
from prfast.scalars.memorization import _weights

POINT_SETS = point_sets(sizes=(2, 12), dims=(1, 5), count=3)


def squared(x, y):
    return ((x[:, None].astype(np.float64) - y[None].astype(np.float64)) ** 2).sum(axis=2)


def compared(result, *sets):
    """Return the training and held-out samples without repetitions, if any were left out."""
    return [np.unique(x, axis=0) for x in sets] if result.info["repetitions"] else sets


@given(POINT_SETS)
def test_numbers_are_their_definitions(sets):
    train, held_out, fake = sets
    result = prfast.copies(train, held_out, fake, n_jobs=1)
    with np.errstate(over="ignore"):
        to_train, to_held_out = squared(fake, train), squared(fake, held_out)
    if np.isinf(to_train).any() or np.isinf(to_held_out).any():
        return
    a, b = to_train.min(axis=1), to_held_out.min(axis=1)
    if not (a == b).any():
        assert result.share == pytest.approx((a < b).mean())
    n, h = map(len, compared(result, train, held_out))
    assert result.expected == n / (n + h)
    assert (result.equal_to_train, result.equal_to_held_out) == ((a == 0).sum(), (b == 0).sum())
    assert 0 < result.p_value <= 1
    low, high = result.interval()
    assert 0 <= low <= result.share <= high <= 1
    assert 0 <= result.at_least() <= max(result.copied, 0)
    assert " = 1 " not in str(result)


@given(POINT_SETS)
def test_dcr_and_nndr_are_medians_of_distances_and_ratios(sets):
    train, held_out, fake = (x.astype(np.float64) for x in sets)
    result = prfast.copies(train, held_out, fake, n_jobs=1)
    for i, points in enumerate(compared(result, train, held_out)):
        two = [sorted(math.dist(y, x) for x in points.tolist())[:2] for y in fake.tolist()]
        assert result.dcr[i] == pytest.approx(np.median([pair[0] for pair in two]), rel=1e-12)
        ratios = [pair[0] / pair[-1] if pair[-1] else 1.0 for pair in two]
        assert result.nndr[i] == pytest.approx(np.median(ratios), rel=1e-12)


def test_weights_count_the_samples_whose_nearest_each_one_is():
    train, held_out = np.array([[0.0], [1.0]]), np.array([[1.0], [5.0]])
    fake = np.array([[0.2], [0.1], [1.0], [4.0], [3.0]])
    least = np.minimum(squared(fake, train).min(axis=1), squared(fake, held_out).min(axis=1))
    weights = _weights(NeighborSearch("exact"), (train, held_out), fake, least)
    # One that equals two samples counts half for each, one between three a third.
    assert weights == pytest.approx([2, 1 / 2 + 1 / 3, 1 / 2 + 1 / 3, 1 + 1 / 3])


def test_a_model_that_overfits_and_cannot_copy_is_no_copier():
    """Gaussians with the means and covariances of few samples."""
    found = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        train, held_out = rng.normal(size=(2, 60, 30))
        fake = rng.multivariate_normal(train.mean(axis=0), np.cov(train.T), 400)
        result = prfast.copies(train, held_out, fake, n_jobs=1)
        lines = result.sentences()
        assert result.at_least() == 0
        assert not any(line.startswith("Copies") for line in lines)
        found += result.p_value < 0.01
    assert found >= 9


def test_a_density_around_training_samples_as_wide_as_their_distances_is_no_copy():
    rng = np.random.default_rng(0)
    train, held_out = rng.normal(size=(2, 300, 5))
    fake = np.tile(train, (3, 1)) + 0.3 * rng.normal(size=(900, 5))
    result = prfast.copies(train, held_out, fake, n_jobs=1)
    assert result.p_value < 0.01
    assert result.at_least() == 0


@pytest.mark.parametrize(("share", "noise", "d"), [(0.01, 0, 10), (0.05, 0.1, 10), (0.2, 0.3, 30)])
def test_copies_and_near_copies_are_proved_beside_honest_samples(share, noise, d):
    found = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        train, held_out, fake = (rng.normal(size=(n, d)) for n in (300, 300, 1000))
        copied = round(share * 1000)
        fake[:copied] = rng.choice(train, copied) + noise * rng.normal(size=(copied, d))
        result = prfast.copies(train, held_out, fake, n_jobs=1)
        found.append(any(line.startswith("Copies") for line in result.sentences()))
        assert result.at_least() <= share
        assert result.copied == pytest.approx(share, rel=0.5)
    assert np.mean(found) >= 0.6


def rounded(rng, n):
    """Sex, age, and income rounded to 10: one row in six equals another by chance."""
    sex, age = rng.integers(0, 2, n), rng.integers(18, 80, n)
    income = np.exp(rng.normal(7.2 + 0.1 * sex, 0.35)).round(-1)
    return np.column_stack([2 * sex, age / 18, income / 700])


def is_in(rows, points):
    return np.isin(*(x.view([("", x.dtype)] * 3).ravel() for x in (rows, points)))


def test_rows_equal_by_chance_are_no_copies_and_no_reason_to_remove_rows():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        train, held_out, fake = (rounded(rng, 2000) for _ in range(3))
        (first, second) = prfast.copies(train, held_out, fake, n_jobs=1).sentences()
        assert first.startswith("No proof of overfitting or copies: ")
        assert "remove" not in second
        filtered = held_out[~is_in(held_out, train)]
        result = prfast.copies(train, filtered, fake, n_jobs=1)
        assert result.is_filtered
        assert result.at_least() == 0
        (sentence,) = result.sentences()
        assert sentence.startswith("No claim about copies: ")
        distinct = prfast.copies(np.unique(train, axis=0), filtered, fake, n_jobs=1)
        assert not any(line.startswith("Copies") for line in distinct.sentences())
    rng = np.random.default_rng(104)
    few = prfast.copies(*(rng.normal(size=(n, 4)).round(1) for n in (2000, 2000, 50)))
    assert (few.equal_to_train, few.are_exact) == (1, False)


def test_a_row_that_all_sets_repeat_is_no_copy():
    """A default row among continuous ones is left out of both real sets but once."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        sets = [rng.normal(size=(1000, 3)) * (rng.random((1000, 1)) > 0.03) for _ in range(3)]
        result = prfast.copies(*sets, n_jobs=1)
        assert result.info["repetitions"] > 0
        assert not result.are_exact
        equal = "equal a training sample exactly, 1 distinct row; so do 1 of 9[0-9]* held-out"
        (line,) = (line for line in result.sentences() if "exactly" in line)
        assert re.match(rf"[0-9]+ of 1000 {equal}", line)


def test_repetitions_of_few_training_samples_are_copies_beside_new_samples():
    train, held_out, new = np.random.default_rng(0).normal(size=(3, 500, 4))
    for count, times in ((1, 25), (1, 250), (3, 100)):
        fake = np.concatenate([np.repeat(train[:count], times, axis=0), new[count * times :]])
        result = prfast.copies(train, held_out, fake)
        assert result.sentences()[0].startswith(f"Copies: {count * times} of 500 equal a training")
    default = np.concatenate([train, np.zeros((15, 4))]), np.concatenate([held_out, [[0] * 4]])
    assert not prfast.copies(*default, np.zeros((300, 4))).are_exact
    # Repetitions of new samples hide no copies.
    fake = np.concatenate([train[:8], np.repeat(new[:12], 41, axis=0)])
    assert prfast.copies(train, held_out, fake).are_exact


def test_copies_among_rows_equal_by_chance_are_proved_by_more_of_them():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        train, held_out, fake = (rounded(rng, 2000) for _ in range(3))
        fake[:400] = rng.choice(train, 400)
        result = prfast.copies(train, held_out, fake, n_jobs=1)
        assert 0.05 < result.at_least() <= 0.2
        leaked = np.concatenate([held_out[:1700], train[:300]])
        lines = prfast.copies(train, leaked, fake, n_jobs=1).sentences()
        assert "more than by chance: pass samples that the model has not" in lines[-1]


def test_it_rejects_at_its_level_where_nothing_is_copied():
    p = np.empty(90)
    for seed in range(90):
        rng = np.random.default_rng(seed)
        sets = (rng.normal(size=(n, [1, 4, 32][seed % 3])) for n in (300, 200, 250))
        p[seed] = prfast.copies(*sets, n_jobs=1).p_value
    assert (p < 0.05).mean() <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 90)
    assert (p < 0.3).mean() > 0.05  # and is not empty


def test_exact_copies_of_all_kinds():
    rng = np.random.default_rng(0)
    train, held_out = rng.normal(size=(2, 200, 3))
    result = prfast.copies(train, held_out, np.concatenate([train, held_out]))
    assert result.share == pytest.approx(0.5)
    assert result.p_value > 0.05
    assert result.sentences()[0].startswith("Copies: 200 of 400 equal a training sample exactly; ")
    every = prfast.copies(train, held_out, train)
    assert every.share == pytest.approx(1)
    assert every.nndr[0] == 0
    assert every.at_least() > 0.8
    assert every.interval()[1] == pytest.approx(1)
    # Few training samples that are repeated prove nothing by distances, and are copies.
    repeated = prfast.copies(train, held_out[:20], np.repeat(train[:2], 100, axis=0))
    assert repeated.p_value > 0.5
    assert repeated.sentences()[0].startswith("Copies: 200 of 200 equal a training sample exactly")


@pytest.mark.parametrize("times", [(3, 1), (1, 2), (2, 2)])
def test_repetitions_change_no_test_of_copies_and_are_named(times):
    rng = np.random.default_rng(0)
    train, held_out, fake = (rng.normal(size=(n, 4)) for n in (500, 250, 1000))
    held_out = np.concatenate([held_out, train[:60]])
    repeated = [np.repeat(x, k, axis=0) for x, k in zip((train, held_out), times, strict=True)]
    for copied in (0, 30):
        fake[:copied] = train[60 : 60 + copied]
        result, distinct = prfast.copies(*repeated, fake), prfast.copies(train, held_out, fake)
        assert result.p_value == pytest.approx(distinct.p_value)
        assert result.sentences()[:-1] == distinct.sentences()
        left_out = f"{sum(map(len, repeated)) - 810} training and held-out samples are left out"
        assert result.sentences()[-1].startswith(left_out)


def test_the_second_nearest_sample_is_another_where_both_sets_have_the_nearest():
    """Samples next to such ones are as near as copies of training samples alone."""
    train, new, steps = np.random.default_rng(0).normal(size=(3, 300, 4))
    fake = train + 1e-4 * steps
    shared = prfast.copies(train, np.concatenate([new, train[:60]]), fake)
    assert shared._tails[0].part == prfast.copies(train, new, fake)._tails[0].part == 1


def test_sets_that_are_no_random_parts_of_one_are_named():
    rng = np.random.default_rng(0)
    train, held_out = rng.normal(size=(2, 300, 4))
    exchanged = prfast.copies(train, held_out, held_out)
    fewer = "Far fewer than expected: are training and held-out"
    assert exchanged.sentences()[-1].startswith(fewer)
    overlap = prfast.copies(train, np.concatenate([held_out, train[:30]]), held_out + 1)
    leaked = "30 of 330 held-out samples are training samples, more than by chance: remove them"
    assert leaked in overlap.sentences()[1]


X = np.zeros((3, 2))

test_wrong_arguments = refusals("""
prfast.copies(X[:1], X, X)
    ValueError: train: at least 2 samples expected, got 1
prfast.copies(X, X[:, :1], X)
    ValueError: train and held_out: the same number of features expected
prfast.copies(X, X, "fake.npy")
    TypeError: fake: an array expected, got a str; prfast.load reads a file
""")
