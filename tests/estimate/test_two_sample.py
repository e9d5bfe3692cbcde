"""The two-sample test: valid p-values, stages, bounds, words."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused
from scipy.special import ndtr, ndtri
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import prfast
from prfast import two_sample_test
from prfast.estimate.two_sample import MANY, STAGES, Stage, Units, _p_value, _parts, _units
from prfast.inputs.samples import equal_rows

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(120, 3))
FAKE = RNG.normal(0.5, 1, size=(100, 3))
LDA = LinearDiscriminantAnalysis()


def parts(real, fake, groups=None):
    """Return the rows of both sets in each stage, ((real, fake) fitted to, (real, fake) tested)."""
    units = _units(equal_rows(np.asarray(real, float), np.asarray(fake, float)), groups)
    return [
        tuple(tuple(one.rows for one in pair) for pair in stage)
        for stage in _parts(units, False, 0)
    ]


def p_value(real, fake, are_log_ratios=True, units=None):
    units = units or tuple(np.arange(len(one)) for one in (real, fake))
    pair = tuple(Units(np.arange(len(one)), np.asarray(one)) for one in units)
    return _p_value((np.asarray(real), np.asarray(fake)), pair, are_log_ratios, 0)


# ---- validity ------------------------------------------------------------------------------------


def test_equal_distributions_are_rejected_as_often_as_the_level_says():
    """60 draws, n ≠ m; LDA separates its own training samples well, and folds of it would too."""
    rng = np.random.default_rng(1)
    p = np.array(
        [
            two_sample_test(rng.normal(size=(60, 4)), rng.normal(size=(30, 4)), LDA).p_value
            for _ in range(60)
        ]
    )
    for level in (0.05, 0.2, 0.5):
        assert abs((p <= level).mean() - level) < 3 * np.sqrt(level * (1 - level) / 60)


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from([-2.0, -0.5, 0.0, 1.0, 5.0]), min_size=5, max_size=7), st.booleans()
)
def test_the_p_value_of_a_stage_is_that_of_all_assignments_of_labels(scores, are_log_ratios):
    from itertools import combinations

    from scipy.stats import rankdata

    scores = np.array(scores)
    values = np.tanh(scores / 2) if are_log_ratios else rankdata(scores)
    sums = [values[list(rows)].sum() for rows in combinations(range(len(scores)), 3)]
    exact = np.mean(np.array(sums) >= values[:3].sum() - 1e-9)
    p = p_value(scores[:3], scores[3:], are_log_ratios)
    assert p == pytest.approx(exact, abs=0.02)
    assert p >= exact - 0.02


def test_rounding_many_scores_does_not_depend_on_their_order():
    scores = np.repeat(np.linspace(-3, 3, 150), 2)
    mixed = np.random.default_rng(0).permutation(scores)
    halves = scores[::2], scores[1::2]  # the same scores in both sets
    assert p_value(*halves) == pytest.approx(0.5, abs=0.02)
    assert p_value(mixed[:150], mixed[150:]) == p_value(mixed[149::-1], mixed[150:])


# ---- stages --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [30, MANY])
def test_a_sample_is_tested_by_a_fit_to_earlier_ones_only(size):
    real, fake = np.arange(size)[:, None], np.arange(size, 2 * size + 7)[:, None]
    tested = [[], []]
    for trained_rows, tested_rows in parts(real, fake):
        for trained, new, earlier in zip(trained_rows, tested_rows, tested, strict=True):
            assert not set(trained) & set(new)
            assert set(earlier) <= set(trained)
            earlier.extend(new)
    start = STAGES[0] if size < MANY else 0.5
    for rows, points in zip(tested, (real, fake), strict=True):
        assert len(rows) == len(set(rows)) == pytest.approx((1 - start) * len(points), abs=1)


def test_equal_rows_are_in_one_stage_and_count_once():
    """Copies of a sample in two stages would be recognized, and reject equal distributions."""
    real, fake = np.repeat(REAL[:40], 5, axis=0), np.repeat(REAL[40:80], 5, axis=0)
    for trained, tested in parts(real, fake):
        for rows, new, points in zip(trained, tested, (real, fake), strict=True):
            together = points[np.concatenate([rows, new])]
            assert len(np.unique(together, axis=0)) == len(together)
    p = two_sample_test(real, fake, "knn", k=1).p_value
    assert p > 0.01


def test_all_rows_of_a_discrete_distribution_count():
    codes = np.random.default_rng(0).integers(5, size=(200, 1))
    ((trained, tested), *_) = parts(codes[:100], codes[100:])
    assert len(trained[0]) == len(tested[0]) == 30


def test_a_group_is_in_one_stage_and_permuted_as_one():
    """Ten frames of each of forty videos: as independent samples they reject equal sets."""
    rng = np.random.default_rng(3)
    videos = np.repeat(np.arange(80), 10)
    frames = np.repeat(rng.normal(size=(80, 4)), 10, axis=0) + 0.1 * rng.normal(size=(800, 4))
    for trained, tested in parts(frames[:400], frames[400:], videos):
        for rows, new in zip(trained, tested, strict=True):
            assert not set(videos[rows]) & set(videos[new])
            assert len(new) % 10 == 0
    groups = videos[:400], videos[400:]
    assert two_sample_test(frames[:400], frames[400:], LDA).p_value < 1e-3
    assert two_sample_test(frames[:400], frames[400:], LDA, groups=groups).p_value > 0.05
    curve = two_sample_test(frames[:400], frames[400:], LDA, groups=groups).curve
    assert curve.provenance.scored == (16, 16)


def test_the_value_of_a_unit_is_the_mean_of_its_samples():
    real, fake = np.array([2.0, -1.0, 0.5]), np.array([0.1, -2.0, -3.0, 0.0])
    means = [np.tanh(real / 2)[[0, 1]].mean(), np.tanh(0.25)]
    expected = p_value(2 * np.arctanh(means), fake)
    assert p_value(real, fake, units=([5, 5, 7], [0, 1, 2, 3])) == expected


# ---- results -------------------------------------------------------------------------------------


def test_different_distributions_are_rejected_with_a_bound_and_words():
    result = two_sample_test(REAL, FAKE)
    assert result.p_value < 0.01
    assert (
        0
        < result.total_variation
        < prfast.reference.GaussianShift(np.sqrt(0.75)).curve().total_variation
    )
    assert result.upper.provenance.certified
    text = str(result)
    assert f"p {result.p_text}" in text
    assert "total variation is at least" in text
    assert result.differences[0] in text
    assert text.splitlines()[2].split()[-4:] == ["of", "100", "generated", "samples"]
    assert "<table" in result._repr_html_()
    assert json.loads(json.dumps(result.to_dict()))["stages"] == result.rows()
    assert pickle.loads(pickle.dumps(result)).p_value == result.p_value
    assert len(result.to_frame()) == 2


def test_equal_sets_are_not_called_equal():
    result = two_sample_test(REAL, RNG.normal(size=(100, 3)), LDA)
    assert not result.rejects
    assert "no proof of equality" in str(result)


def test_a_p_value_that_permutations_cannot_resolve_says_so():
    far = two_sample_test(REAL, FAKE + 5, LDA)
    assert far.p_text.startswith("<= ")
    assert far.p_text in str(far)
    assert far.p_value > 0
    assert two_sample_test(REAL, FAKE[:, ::-1], LDA).p_text.startswith("= ")


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


@pytest.mark.parametrize("method", ["knn", "ipr", "classifier"])
def test_every_method_with_scores_is_a_test(method):
    assert two_sample_test(REAL, FAKE, method).rejects


def test_a_result_depends_on_the_seed_alone():
    results = [two_sample_test(REAL, FAKE, n_jobs=jobs).p_value for jobs in (1, 2)]
    assert results[0] == results[1] != two_sample_test(REAL, FAKE, random_state=1).p_value


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"fake": FAKE[:9]}, "fake: at least 10 distinct samples expected, got 9"),
        ({"real": np.repeat(REAL[:3], 9, axis=0)}, "real: at least 10 distinct samples expected"),
        ({"method": "kmeans"}, "method: one that scores samples expected, got 'kmeans'"),
        ({"level": 1.0}, "level: "),
        ({"groups": (np.arange(120), np.zeros(100, int))}, "fake: at least 10 independent groups"),
        ({"groups": (np.arange(120), np.arange(99))}, "groups: one label a sample, shape"),
    ],
)
def test_wrong_arguments_are_named(arguments, message):
    with refused(ValueError, message):
        two_sample_test(**({"real": REAL, "fake": FAKE} | arguments))
