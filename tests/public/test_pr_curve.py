"""pr_curve: from samples to a curve, end to end; its splits."""

import numpy as np
import pytest
from refusals import refusals
from shifted import FAKE, REAL

from prfast import PRCurve, pr_curve
from prfast.methods import METHODS
from prfast.samples.pair import Pair


class Recorder:
    """A scorer that keeps what it is given; points score by their first feature."""

    def fit(self, real, fake):
        self.fitted = real, fake
        self.scored = []

    def score(self, points):
        self.scored.append(points)
        return -points[:, 0]


def rows(points):
    return {tuple(row) for row in points}


@pytest.mark.parametrize("split", [0.5, 0.2, "bernoulli", "auto"])
def test_a_scorer_never_sees_in_fit_what_it_scores(split):
    scorer = Recorder()
    pr_curve(REAL, FAKE, scorer, split=split)
    for whole, fitted, scored in zip((REAL, FAKE), scorer.fitted, scorer.scored, strict=True):
        assert not rows(fitted) & rows(scored)
        assert rows(fitted) | rows(scored) == rows(whole)


def test_without_split_everything_is_fitted_and_scored():
    scorer = Recorder()
    curve = pr_curve(REAL, FAKE, scorer, split=None)
    for whole, fitted, scored in zip((REAL, FAKE), scorer.fitted, scorer.scored, strict=True):
        assert fitted is scored is whole
    assert curve == PRCurve.from_scores(-REAL[:, 0], -FAKE[:, 0])


test_a_wrong_split_is_named = refusals("""
pr_curve(REAL, FAKE, "classifier", split="half")
    ValueError: split: 'auto', 'bernoulli', a share in (0, 1) or None expected, got 'half'
pr_curve(REAL, FAKE, "classifier", split=0.004)
    ValueError: fake: too few samples to split at 0.004: 200 would leave 0 to train
""")


test_wrong_scores_are_refused = refusals("""
pr_curve(REAL, FAKE, lambda z: np.where(np.arange(len(z)) == 2, np.nan, 0.0))
    ValueError: method: scores: numbers or ±inf expected, got nan at index 2
pr_curve(REAL, FAKE, lambda z: z[:-1, 0])
    ValueError: method: one score a point expected, got 299 for 300 points
""")


def test_exchanging_real_and_generated_samples_swaps_the_curve():
    """Exactly, where the scores do not depend on the samples."""
    steps = [-1, 0, 1]
    curve = pr_curve(FAKE, REAL, lambda z: np.digitize(z[:, 0], steps))
    assert curve == pr_curve(REAL, FAKE, lambda z: -np.digitize(z[:, 0], steps)).swap()


def test_disjoint_sets_have_the_single_point_0_0():
    assert pr_curve(REAL, REAL + 100).area < 1e-4  # no smooth log-ratio is infinite
    for method in METHODS.keys() - {"auto"}:
        curve = pr_curve(REAL, REAL + 100, method)
        numbers = np.array([curve.max_precision, curve.max_recall, curve.area])
        # A few outliers of both sets have nobody within the mean radius: 0/0, the ratio 1.
        assert (numbers <= (0.05 if method == "parzen" else 0)).all()


def split_of(n, m, split, seed=0):
    return Pair.read(np.zeros((n, 1)), np.zeros((m, 1))).split_rows(split, seed)


@pytest.mark.parametrize("share", [0.1, 0.9])
def test_a_share_is_rounded_down_in_each_set(share):
    parts = split_of(37, 20, share)
    assert [*map(len, (parts.real_train, parts.fake_train))] == [int(share * 37), int(share * 20)]
    assert set(parts.real_train) != set(split_of(37, 20, share, seed=1).real_train)


@pytest.mark.parametrize(("n", "m"), [(2, 9), (9, 2), (50, 50)])
@pytest.mark.parametrize("seed", range(5))
def test_the_coin_sends_one_of_each_pair_to_training_and_the_other_to_evaluation(n, m, seed):
    parts = split_of(n, m, "bernoulli", seed)
    pairs = np.arange(min(n, m))
    real_trains = np.isin(pairs, parts.real_train)
    fake_trains = np.isin(pairs, parts.fake_train)
    np.testing.assert_array_equal(real_trains, ~fake_trains)
    for train, test in ((parts.real_train, parts.real_test), (parts.fake_train, parts.fake_test)):
        assert len(train) > 0 < len(test)
        assert sorted([*train, *test]) == list(range(len(train) + len(test)))


@pytest.mark.parametrize("split", [0.5, "bernoulli"])
@pytest.mark.parametrize("seed", [0, 7])
def test_splits_do_not_follow_the_stream_that_drew_the_samples(split, seed):
    n = 4000
    rng = np.random.default_rng(seed)
    mode = rng.random(n) < 0.6
    order = np.random.default_rng(seed).permutation(n)
    parts = split_of(n, n, split, seed)
    trained = mode[parts.real_train].mean(), mode[parts.fake_train].mean()
    assert trained == pytest.approx((0.6, 0.6), abs=0.06)
    first = np.isin(order[: n // 2], parts.real_train).mean()
    assert first == pytest.approx(0.5, abs=0.06)
