"""Metrics as ends of curves (2024, §3.1): α̂_∞ is the share of generated samples that the classifier
[score > 0] of a scorer without a split calls real, β̂_0 the share of real ones of a score < ∞.

Closed balls: equal on any samples, ties included, as a scored sample that is its own neighbor
never has the score 0/0.  Open ones: where no two distances from a point are equal.  The end of a
curve is the minimum over all thresholds that call all real samples real, and that can be less.
"""

import warnings

import hostile
import numpy as np
import oracles
from hypothesis import given, settings
from hypothesis import strategies as st

import prfast
from prfast import PRCurve
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
    return in_range(*(s.astype(s.dtype.newbyteorder("=")) for s in sets))


def both_scores(real, fake, method, k, *, count_self=True, closed=True):
    """Of both sets by the scorer that they train."""
    ties = "closed" if closed else "open"
    scorer = METHODS[method](k=k, ties=ties, count_self=count_self).fit(real, fake)
    return scorer.score(real, "real"), scorer.score(fake, "fake")


def shares(of_real, of_fake):
    """fnr of [score > 0], and the share of real samples of a score < ∞."""
    return np.mean(of_fake > 0), np.mean(of_real < np.inf)


@given(SETS, KS, st.sampled_from([*ENDS]))
@settings(max_examples=200)
def test_metrics_are_the_rates_of_score_above_0_and_below_infinity(sets, k, method):
    real, fake = native(sets)
    *names, less = ENDS[method]
    found = prfast.metrics(real, fake, k, names)
    precision, recall = shares(*both_scores(real, fake, method, k + less))
    assert (precision, recall) == tuple(found.values())


@given(SETS, KS, st.sampled_from(["knn", "coverage"]))
@settings(max_examples=100)
def test_they_are_so_at_k_itself_where_a_sample_is_not_its_own_neighbor(sets, k, method):
    """But of ipr, which then has samples in no ball at all, and 0/0 is 1."""
    real, fake = native(sets)
    found = prfast.metrics(real, fake, k, ENDS[method][:2])
    scored = both_scores(real, fake, method, k, count_self=False)
    assert shares(*scored) == tuple(found.values())


def test_ipr_that_does_not_count_the_sample_itself_calls_real_what_is_in_no_ball():
    real, fake = np.array([[0.0], [1.0], [2.0]]), np.array([[10.0], [11.0], [99.0]])
    assert prfast.metrics(real, fake, 1, "precision").precision == 0
    precision, _ = shares(*both_scores(real, fake, "ipr", 1, count_self=False))
    assert precision == 1 / 3  # 99 lies in no ball but its own


@given(SETS, KS, st.sampled_from([*ENDS, "parzen"]))
@settings(max_examples=200)
def test_a_curve_ends_at_the_least_score_of_a_real_sample_and_so_no_higher(sets, k, method):
    real, fake = native(sets)
    of_real, of_fake = both_scores(real, fake, method, k + 1)
    assert (of_real > 0).all()  # each is in its own ball: fpr of [score > 0] is 0
    assert (of_fake < np.inf).all()
    curve, (precision, recall) = PRCurve.from_scores(of_real, of_fake), shares(of_real, of_fake)
    assert curve.max_precision == np.mean(of_fake >= of_real.min()) <= precision
    assert curve.max_recall == np.mean(of_real <= of_fake.max()) <= recall


def test_the_end_of_a_curve_is_lower_where_all_real_samples_score_higher():
    """0.9 is in the ball of one real sample and of two generated ones, and no real one scores as
    low: a higher threshold calls it generated, and all real ones real."""
    real, fake = np.array([[0.0], [0.2], [1.0]]), np.array([[0.9], [1.7], [2.0]])
    of_real, of_fake = both_scores(real, fake, "ipr", 1)
    curve = PRCurve.from_scores(of_real, of_fake)
    precision = prfast.metrics(real, fake, 1, "precision").precision
    assert curve.max_precision < precision == np.mean(of_fake > 0)


def test_so_are_the_curves_of_pr_curves():
    rng = np.random.default_rng(0)
    real, fake = rng.normal(size=(300, 8)), rng.normal(size=(250, 8)) + 0.3
    found = prfast.metrics(real, fake, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", prfast.Contradiction)
        curves = prfast.pr_curves(real, fake, [*ENDS], (3, 4), split=None)
    for method, (of_fake, of_real, less) in ENDS.items():
        curve = curves[method, 3 + less]
        scored = both_scores(real, fake, method, 3 + less)
        assert curve == PRCurve.from_scores(*scored)
        assert curve.max_precision <= found[of_fake] < 1
        assert curve.max_recall <= found[of_real] < 1


# ---- open balls --------------------------------------------------------------------------------


@given(SETS, KS, st.sampled_from(["ipr", "coverage"]))
@settings(max_examples=150)
def test_open_balls_differ_by_the_samples_that_are_in_none(sets, k, method):
    """A generated sample is not in its own open ball where k others lie at its place: 0/0."""
    real, fake = native(sets)
    *names, less = ENDS[method]
    found = prfast.metrics(real, fake, k, names, ties="open")
    precision, recall = shares(*both_scores(real, fake, method, k + less, closed=False))
    alone = []
    for points in (fake, real):
        counts = oracles.neighbor_counts(method, points, real, fake, k + less, closed=False)
        alone.append((counts[0] == 0) & (counts[1] == 0))
        held = oracles.kth_within(points, k) > 0
        assert not (alone[-1] & held).any()
    assert precision == (found[names[0]] * len(fake) + alone[0].sum()) / len(fake)
    assert recall == (found[names[1]] * len(real) + alone[1].sum()) / len(real)


@given(st.integers(0, 2**32 - 1), KS, st.integers(1, 20))
@settings(max_examples=100)
def test_without_ties_open_balls_have_the_same_ends_knn_with_one_neighbor_more(seed, k, dim):
    """The open ball to the k-th neighbor in both sets does not hold that neighbor."""
    rng = np.random.default_rng(seed)
    real, fake = rng.normal(size=(30, dim)), rng.normal(size=(25, dim)) + 0.3
    for method, (of_fake, of_real, less) in ENDS.items():
        found = prfast.metrics(real, fake, k, (of_fake, of_real), ties="open")
        more = k + less + (method == "knn")
        assert shares(*both_scores(real, fake, method, more, closed=False)) == tuple(found.values())


def test_open_knn_balls_miss_a_sample_that_is_the_last_of_their_neighbors():
    real, fake = np.array([[1.0], [9.0], [9.5]]), np.array([[0.0], [3.0], [20.0]])
    found = prfast.metrics(real, fake, 1, "complementary_precision", ties="open")
    precision, _ = shares(*both_scores(real, fake, "knn", 2, closed=False))
    assert precision == 0 < found.complementary_precision == 1


# ---- footnote 4 --------------------------------------------------------------------------------


def nearest(points, k):
    """The distance of the k-th nearest of these."""
    return sorted(points)[k - 1]


@given(
    st.lists(st.integers(0, 6), min_size=1, max_size=12),
    st.lists(st.integers(0, 6), min_size=5, max_size=12),
    KS,
)
def test_footnote_4_a_ball_among_y_holds_an_x_where_one_among_both_does(to_x, to_y, k):
    """∃x in B_k^Y(y) ⇔ ∃x in B_k^{X∪Y}(y): of the distances of a point, ties and all."""
    among_y, among_both = nearest(to_y, k), nearest([*to_x, *to_y], k)
    assert any(d <= among_y for d in to_x) == any(d <= among_both for d in to_x)
    # Counts differ, and open balls: the x that is the last of the k is on the border.
    assert sum(d <= among_both for d in to_x) <= sum(d <= among_y for d in to_x)
    assert any(d < among_both for d in to_x) <= any(d < among_y for d in to_x)


@given(SETS, KS)
@settings(max_examples=60)
def test_footnote_4_point_by_point(sets, k):
    """By a double loop over the points, y left out of its own neighbors by its row."""
    real, fake = native(sets)
    held = 0
    for i, y in enumerate(fake):
        to_x = [float(oracles.squared_distances(y[None], x[None])[0, 0]) for x in real]
        to_y = [
            float(oracles.squared_distances(y[None], other[None])[0, 0])
            for j, other in enumerate(fake)
            if j != i
        ]
        among_y, among_both = nearest(to_y, k), nearest([*to_x, *to_y], k)
        of_y, of_both = (any(d <= t for d in to_x) for t in (among_y, among_both))
        assert of_y == of_both
        held += of_both
    found = prfast.metrics(real, fake, k, "complementary_precision")
    assert found.complementary_precision == held / len(fake)


# ---- what is no end ----------------------------------------------------------------------------


@given(SETS, KS, st.sampled_from([0.5, 1.0]))
@settings(max_examples=100)
def test_p_precision_is_at_most_the_end_of_parzen(sets, k, factor):
    """Only what a real sample is nearer to than ρ_X has a share, and one below 1."""
    real, fake = native(sets)
    names = ("p_precision", "p_recall")
    found = prfast.metrics(real, fake, 1, names, p_k=k, p_factor=factor)
    precision, recall = shares(*both_scores(real, fake, "parzen", k))
    assert found.p_precision <= precision
    assert found.p_recall <= recall


def test_p_precision_may_be_above_that_end_where_its_radius_is_larger():
    real, fake = np.array([[0.0], [1.0]]), np.array([[2.1], [9.0]])
    found = prfast.metrics(real, fake, 1, "p_precision", p_k=1, p_factor=2.0)
    precision, _ = shares(*both_scores(real, fake, "parzen", 1))
    assert found.p_precision > 0 == precision
