"""The option `repeats`: equal rows are copies, or one observation with their weights."""

import numpy as np
import pytest
from helpers import unwrapped

import prfast
from prfast.samples.pair import Pair


def chain(seed, size=2000, width=5, step=1.2):
    """A converged Metropolis chain of the standard normal distribution; about 1/4 of its steps are
    taken, and the others repeat a row."""
    rng = np.random.default_rng(seed)
    state, rows = rng.normal(size=width), []
    for _ in range(10 * size):
        proposal = state + step * rng.normal(size=width)
        if np.log(rng.random()) < (state @ state - proposal @ proposal) / 2:
            state = proposal
        rows.append(state)
    return np.array(rows[:size])


REAL, CHAIN = np.random.default_rng(10).normal(size=(2000, 5)), chain(0)
FIRST = np.sort(np.unique(CHAIN, axis=0, return_index=True)[1])
COUNTS = (CHAIN[FIRST][:, None] == CHAIN).all(axis=2).sum(axis=1)


def test_equal_rows_are_one_observation_with_the_sum_of_weights():
    weights = np.random.default_rng(1).random(len(CHAIN))
    pair = Pair.read(REAL, CHAIN, w_fake=weights, repeats="weights")
    sums = [weights[(row == CHAIN).all(axis=1)].sum() for row in CHAIN[FIRST]]
    assert np.array_equal(pair.fake.points, CHAIN[FIRST])
    np.testing.assert_allclose(pair.fake.weights, np.array(sums) / max(sums))
    assert pair.real.weights is None
    assert pair.repetition.record() == {}
    assert pair.fake.rows.tolist() == FIRST.tolist()
    with pytest.raises(ValueError, match=r"^repeats: 'missing' expected with groups"):
        Pair.read(REAL, CHAIN, groups=(np.arange(2000), -1 - np.arange(2000)), repeats="weights")
    twice = Pair.read(np.tile(REAL, (2, 1)), REAL, repeats="weights")
    assert twice.is_plain
    assert twice.sizes == (2000, 2000)


def test_a_converged_chain_covers_the_distribution_by_its_weights():
    missing = prfast.pr_curve(REAL, CHAIN)
    curve = prfast.pr_curve(REAL, CHAIN, repeats="weights")
    expected = prfast.pr_curve(REAL, CHAIN[FIRST], w_fake=COUNTS)
    assert missing.diversity < 0.3 < 0.9 < curve.diversity
    assert curve.area == expected.area > 0.85
    cure = 'set the option repeats of the curve to "weights": diversity up to'  # of both languages
    assert cure in unwrapped(str(missing))
    _, weighted = missing.provenance.diversities
    assert abs(weighted - curve.diversity) < 0.05


def test_functions_of_samples_take_weights_for_repeats_or_refuse_them_in_one_sentence():
    calls = {"real": REAL, "fake": CHAIN, "repeats": "weights"}
    distinct = {"real": REAL, "fake": CHAIN[FIRST]}
    assert prfast.metrics(**calls) == prfast.metrics(**distinct, w_fake=COUNTS)
    evaluator = prfast.Evaluator(REAL, resolutions=(0.2, 0.8), repeats="weights")
    evaluation, profile = evaluator.evaluate(CHAIN), prfast.profile(**calls, resolutions=(0.2, 0.8))
    assert evaluation.metrics == prfast.metrics(**calls)
    assert evaluation.profile.rows() == profile.rows()
    assert profile.curves[0.8].diversity > 0.9
    test = prfast.two_sample_test(**calls)
    assert test.p_value == prfast.two_sample_test(**distinct, w_fake=COUNTS).p_value
    with pytest.raises(ValueError, match=r"^repeats: 'missing' expected "):
        prfast.pr_curve(**calls, method="knn")
    often = np.repeat(REAL[:30], [971, *[1] * 29], axis=0)
    with pytest.raises(ValueError, match=r"^repeats: weights that leave at least 10 samples"):
        prfast.two_sample_test(REAL, often, repeats="weights")
    with pytest.raises(ValueError, match=r"^repeats: 'missing' or 'weights' expected, got 'no'"):
        prfast.pr_curve(REAL, CHAIN, repeats="no")
