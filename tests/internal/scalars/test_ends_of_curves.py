"""Metrics as ends of curves (2024, §3.1): α̂_∞ is the share of generated samples that the classifier
[score > 0] of a scorer without a split calls real, β̂_0 the share of real ones of a score < ∞.
"""

import hostile
import numpy as np
import oracles
from hypothesis import given, settings
from hypothesis import strategies as st

import prfast
from prfast.methods import METHODS
from prfast.neighbors import in_range

SETS = hostile.point_sets(sizes=(7, 40), dims=(1, 20))
KS = st.integers(1, 5)
ENDS = {  # of a method: its ends are these metrics, at a k that is so much smaller
    "ipr": ("precision", "recall", 0),
    "coverage": ("complementary_precision", "coverage", 1),
    "knn": ("complementary_precision", "coverage", 1),
}


def native(sets):
    return in_range(*hostile.native(sets))


def both_scores(real, fake, method, k, *, count_self=True, closed=True):
    """Return the scores of both sets by the scorer that they train."""
    ties = "closed" if closed else "open"
    scorer = METHODS[method](k=k, ties=ties, count_self=count_self).fit(real, fake)
    return scorer.score(real, "real"), scorer.score(fake, "fake")


def shares(scores_real, scores_fake):
    """fnr of [score > 0], and the share of real samples of a score < ∞."""
    return np.mean(scores_fake > 0), np.mean(scores_real < np.inf)


@given(SETS, KS, st.sampled_from([*ENDS]))
@settings(max_examples=40)
def test_metrics_are_the_rates_of_score_above_0_and_below_infinity(sets, k, method):
    real, fake = native(sets)
    *names, less = ENDS[method]
    result = prfast.metrics(real, fake, k, names)
    precision, recall = shares(*both_scores(real, fake, method, k + less))
    assert (precision, recall) == tuple(result.values())


def nearest(points, k):
    """Return the distance of the k-th nearest of these."""
    return sorted(points)[k - 1]


@given(SETS, KS)
@settings(max_examples=30)
def test_footnote_4_point_by_point(sets, k):
    real, fake = native(sets)
    held = 0
    from_fake = [oracles.squared_distances(fake, points) for points in (real, fake)]
    for i, (to_x, to_all) in enumerate(zip(*(d2.tolist() for d2 in from_fake), strict=True)):
        to_y = to_all[:i] + to_all[i + 1 :]
        among_y, among_both = nearest(to_y, k), nearest([*to_x, *to_y], k)
        by_y, by_all = (any(d <= t for d in to_x) for t in (among_y, among_both))
        assert by_y == by_all
        held += by_all
    result = prfast.metrics(real, fake, k, "complementary_precision")
    assert result.complementary_precision == held / len(fake)
