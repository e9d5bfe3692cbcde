"""The two-sample test: valid p-values, stages, bounds, words."""

import json
from itertools import combinations

import numpy as np
import pytest
from helpers import unwrapped
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusals
from scipy.special import ndtr, ndtri
from scipy.stats import rankdata
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

import prfast
from prfast import two_sample_test
from prfast.estimate.two_sample import Stage
from prfast.methods.base import FittedMethod
from prfast.scalars.permutations import p_value as p_value_of
from prfast.scalars.permutations import p_value_with_distances

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(120, 3))
FAKE = RNG.normal(0.5, 1, size=(100, 3))
LDA = LinearDiscriminantAnalysis()


def drawn(n, m, shift):
    rng = np.random.default_rng(n)
    return rng.normal(size=(n, 3)), rng.normal(shift, 1, size=(m, 3))


def p_value(real, fake, are_log_ratios=True):
    return p_value_of(np.asarray(real), np.asarray(fake), are_log_ratios, 0)


def check_levels(p):
    """Check that equal distributions are rejected as often as levels state."""
    for level in (0.05, 0.3):
        share = (np.array(p) <= level).mean()
        assert abs(share - level) < 3 * np.sqrt(level * (1 - level) / len(p))


def of_other_size(rng):
    return rng.normal(size=(60, 4)), rng.normal(size=(30, 4))


def of_atoms(rng):
    """A tenth of the samples are one of twenty points: the larger set repeats more of them."""
    points = np.random.default_rng(0).normal(size=(20, 3)) + 3
    sets = [rng.normal(size=(n, 3)) for n in (800, 40)]
    for sample in sets:
        rows = rng.random(len(sample)) < 0.1
        sample[rows] = points[rng.integers(20, size=rows.sum())]
    return sets


def of_groups(rng):
    """Groups of ten against single samples, with the same distribution of a sample."""
    real = np.repeat(rng.normal(size=(60, 3)), 10, axis=0) + rng.normal(size=(600, 3))
    fake = np.sqrt(2) * rng.normal(size=(40, 3))
    return real, fake, np.arange(600) // 10, -1 - np.arange(40)


@pytest.mark.parametrize("draw", [of_other_size, of_atoms, of_groups])
def test_equal_distributions_are_rejected_as_often_as_the_level_says(draw):
    rng = np.random.default_rng(1)
    p = []
    for _ in range(40):
        real, fake, *groups = draw(rng)
        p.append(two_sample_test(real, fake, LDA, groups=groups or None).p_value)
    check_levels(p)


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from([-2.0, -0.5, 0.0, 1.0, 5.0]), min_size=5, max_size=7), st.booleans()
)
def test_the_p_value_of_a_stage_is_that_of_all_assignments_of_labels(scores, are_log_ratios):
    scores = np.array(scores)
    values = np.tanh(scores / 2) if are_log_ratios else rankdata(scores)
    sums = [values[list(rows)].sum() for rows in combinations(range(len(scores)), 3)]
    exact = np.mean(np.array(sums) >= values[:3].sum() - 1e-9)
    p = p_value(scores[:3], scores[3:], are_log_ratios)
    assert p == pytest.approx(exact, abs=0.02)
    assert p >= exact - 0.02


def test_with_distances_the_p_value_is_that_of_all_assignments_of_labels():
    """A real sample that stands out, in its score and by its place."""
    points = np.array([[9.0], [1.0], [2.0]]), np.array([[0.0], [0.5], [1.5]])
    p, is_constant = p_value_with_distances(points, ([3.0, 0, 0], [0.0, 0, 0]), 0)
    assert not is_constant
    assert p >= 0.05 - 0.01  # one of 20 assignments at best
    none = [np.zeros(3), np.zeros(3)]
    by_place, _ = p_value_with_distances(([[5.0], [6], [7]], [[0.0], [1], [2]]), none, 0)
    assert by_place == pytest.approx(0.1, abs=0.02)  # it and its mirror image, of 20
    same = np.ones((3, 1))
    assert p_value_with_distances((same, same), none, 0) == (1.0, True)
    assert p_value(np.full(60, 9.0), np.zeros(60)) > 0  # that of the labels themselves counts
    assert p_value_with_distances((same, same), [1 / 3 + p for p in none], 0) == (1.0, True)


class Inverted(LogisticRegression):
    """Scores of fits to fewer than 100 samples are the wrong way round."""

    def decision_function(self, X):
        return super().decision_function(X) * (-1 if self.number_ < 100 else 1)

    def fit(self, X, y, sample_weight=None):
        self.number_ = len(X)
        return super().fit(X, y, sample_weight)


def test_a_stage_whose_scores_are_the_wrong_way_round_does_not_outweigh_the_others():
    test = two_sample_test(*drawn(120, 120, 1.5), Inverted(), n_jobs=1)
    first, second = (stage.p_value for stage in test.stages)
    assert 0.5 < first < 1
    assert second < 1e-3
    assert test.rejects


def partly_rounded(rng, n, share):
    """Return columns of hundreds, a share of whose numbers have two decimals."""
    points = 100 * rng.normal(size=(n, 2))
    return np.where(rng.random((n, 1)) < share, points.round(2), points)


def test_rounding_of_one_set_is_seen_although_no_number_repeats():
    rng = np.random.default_rng(0)
    real, fake = partly_rounded(rng, 150, 0), partly_rounded(rng, 150, 1)
    for columns in (slice(1), slice(2)):
        test = two_sample_test(real[:, columns], fake[:, columns], n_jobs=1)
        assert test.p_value < 1e-3
        assert test.attribution[0].is_clear
        assert "of more than 2 decimals in 100 % of the real and 0 %" in test.attribution[0].words
    few = two_sample_test(real, fake[:40], n_jobs=1)  # most numbers have more decimals
    assert few.rejects
    assert "more than 2 decimals" in few.attribution[0].words


def test_sets_that_are_rounded_alike_are_rejected_as_often_as_the_level_says():
    rng = np.random.default_rng(2)
    pairs = ([partly_rounded(rng, 30, 0.5) for _ in range(2)] for _ in range(60))
    check_levels([two_sample_test(*pair, n_jobs=1).p_value for pair in pairs])


class Means(FittedMethod):
    """The direction of the difference of the means; keeps the weights and groups of each fit."""

    name = "means"
    takes_weights = True

    def __init__(self):
        self.pairs = []

    def fit_pair(self, pair, context):
        self.pairs.append(pair)
        (x, y), (w, v) = pair.points, pair.masses
        self.direction = np.average(x, axis=0, weights=w) - np.average(y, axis=0, weights=v)
        return self

    def score(self, points):
        return points @ self.direction


def test_fits_see_the_weights_and_the_whole_groups_of_their_samples():
    """Folds inside a fit leave groups whole only if the fit knows them."""
    real, fake = drawn(120, 100, 1.0)
    w = 1 + np.arange(120.0) % 7
    method = Means()
    groups = np.arange(120) // 4, [-1] * 4 + [*range(-97, -1)]
    two_sample_test(real, fake, method, w_real=w, groups=groups)
    for pair, count in zip(method.pairs, (9, 18), strict=True):
        sizes = np.unique(pair.real.groups, return_counts=True)[1]
        assert set(sizes) == {4}
        assert len(sizes) == pytest.approx(count, abs=1)  # of 30 groups
        assert set(np.round(7 * pair.real.mass)) <= set(w)
    folds = [
        two_sample_test(real, fake, groups=groups).to_dict()
        for groups in (None, (np.arange(120), 200 + np.arange(100)))
    ]
    assert folds[0] == folds[1]  # groups of one sample change nothing


def test_rows_that_repeat_are_a_caution_unless_they_are_discrete_or_in_groups():
    copied = REAL[np.random.default_rng(0).integers(120, size=120)]
    result = two_sample_test(copied, FAKE, LDA)
    assert "Rows repeat: " in str(result)
    assert result.sentences()[0].startswith("Unless the caution explains it, the distributions di")
    _, groups = np.unique(copied, axis=0, return_inverse=True)
    grouped = two_sample_test(copied, FAKE, LDA, groups=(groups, -1 - np.arange(100)))
    codes = np.random.default_rng(0).integers(5, size=(200, 2)).astype(float)
    plain = [two_sample_test(*sets, LDA) for sets in ((REAL, FAKE), (codes[:99], codes[99:]))]
    assert not any(result.caution for result in (grouped, *plain))
    assert plain[0].sentences()[0].startswith("The distributions differ: ")


def test_rows_that_both_sets_log_twice_are_no_evidence():
    rejects = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        sets = rng.normal(size=(2, 250, 3))
        twice = [np.concatenate([x, x[rng.choice(250, 10, replace=False)]]) for x in sets]
        rejects += two_sample_test(*twice, level=0.01).rejects
    assert rejects <= 1


def test_different_distributions_are_rejected_with_a_bound_and_words():
    result = two_sample_test(REAL, FAKE)
    assert result.p_value < 0.01
    truth = prfast.reference.GaussianShift(np.sqrt(0.75)).curve()
    assert 0 < result.total_variation < truth.total_variation
    assert result.upper.provenance.certified
    text = unwrapped(str(result))
    assert f"p {result.p_text}" in text
    assert result.differences[0] in text
    assert "<table" in result._repr_html_()
    assert result.to_frame()["trained_real"].tolist() == [0, 36, 72]
    assert result.to_frame()["tested_real"].sum() == 120


def test_the_statistic_is_the_weighted_sum_of_normal_scores():
    result = two_sample_test(REAL, FAKE, LDA)
    w = [np.sqrt(min(s.trained) * min(s.tested)) for s in result.stages]
    z = [-ndtri(s.p_value) for s in result.stages]
    assert result.statistic == pytest.approx(np.dot(w, z) / np.linalg.norm(w))
    assert result.p_value == pytest.approx(ndtr(-result.statistic))
    assert Stage((30, 40), (20, 50), 0.5).weight == pytest.approx(np.sqrt(600))


def test_a_function_scores_all_samples():
    result = two_sample_test(REAL, FAKE, lambda points: -points.sum(axis=1))
    ((stage,),) = [result.stages]
    assert (stage.trained, stage.tested) == ((0, 0), (120, 100))
    assert result.rejects
    assert result.upper.provenance.certified


test_wrong_arguments_are_named = refusals("""
two_sample_test(REAL, FAKE[:9])
    ValueError: fake: at least 10 samples expected, got 9
two_sample_test(REAL, FAKE, "kmeans")
    ValueError: method: one that scores samples expected, got 'kmeans'
two_sample_test(REAL, FAKE, level=1.0)
    ValueError: level: a number in (0, 1)
two_sample_test(REAL, FAKE, groups=(np.arange(120), np.full(100, -1)))
    ValueError: fake: at least 10 groups expected, got 1
""")


def test_a_stage_whose_scores_are_all_equal_does_not_outweigh_the_others():
    """Boosted trees split no node of 36 samples; their first stage has p = 1."""
    trees = HistGradientBoostingClassifier(min_samples_leaf=20)
    sets = REAL[:60], REAL[60:] + 2
    results = [two_sample_test(*sets, trees, random_state=seed) for seed in range(8)]
    assert all(result.p_value < 1e-2 for result in results)
    assert len({result.stages[0].p_value for result in results}) == 8
    assert all(result.stages[1].p_value < 1e-3 for result in results)


def test_a_test_without_information_is_json():
    record = two_sample_test(REAL, FAKE, lambda points: np.zeros(len(points))).to_dict()
    assert record["p_value"] == 1
    assert json.loads(json.dumps(record, allow_nan=False))["statistic"] is None
