"""Equal rows: in one fold, unless the real set is discrete, and no infidelity where they repeat."""

import numpy as np
import pytest

from prfast import Evaluator, pr_curve
from prfast.inputs.copies import equal_rows
from prfast.methods.auto.estimator import CLIP, _with_missed
from prfast.methods.auto.sample import in_folds

rng = np.random.default_rng(0)
REAL, FAKE = rng.normal(size=(400, 4)), rng.normal(size=(400, 4))
GRID = rng.integers(0, 3, (400, 3)).astype(float)


def again(points, count, seed=1):
    """So many rows: each once, and some again."""
    more = np.random.default_rng(seed).choice(len(points), count - len(points))
    return np.concatenate([points, points[more]])


# ---- what is evidence --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("real", "fake", "discrete"),
    [
        (REAL, REAL, False),
        (again(REAL[:365], 400), REAL, False),  # 91 % are distinct
        (again(REAL[:355], 400), REAL, True),  # 89 %
        (again(REAL[:355], 400), FAKE, False),  # a sample with replacement
        (np.repeat(REAL, 2, axis=0)[1:], FAKE, False),  # a whole that was repeated, nearly
        (GRID, GRID[::-1], True),
        (np.ones((50, 4)), FAKE, True),
    ],
)
def test_a_set_is_discrete_where_rows_repeat_that_the_other_set_has_too(real, fake, discrete):
    assert equal_rows(real, fake).discrete == discrete


# ---- folds -------------------------------------------------------------------------------------


def test_equal_rows_are_in_one_fold_and_part_and_one_of_each_set_is_fitted_to():
    fake = again(np.concatenate([FAKE[:150], REAL[:60]]), 400)
    real = again(REAL[:370], 400)
    group = equal_rows(real, fake).group
    sample = in_folds(real, fake, 10, 10**6, 0)
    assert np.array_equal(sample.fold, sample.fold[group])
    assert np.array_equal(sample.part, sample.part[group])
    fitted = [sample.fitted[sample.fitted_real == flag] for flag in (True, False)]
    assert [len(one) for one in fitted] == [370, 210]
    for one in fitted:
        assert len(np.unique(group[one])) == len(one)


# ---- repetition --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fake", "diversity"),
    [
        (FAKE, 1),
        (np.repeat(FAKE, 2, axis=0), 0.5),
        (again(FAKE, 600), 0.67),
        (again(FAKE[:267], 400), 0.67),
        (np.tile(FAKE[:20], (20, 1)), 0.05),
    ],
)
def test_repeating_generated_samples_costs_recall_and_no_fidelity(fake, diversity):
    curve = pr_curve(REAL, fake)
    # At the floor of 1/20, fidelity is 1 − TV of the distinct samples, here of 20.
    assert curve.fidelity > (0.95 if diversity > 0.05 else 0.8)
    assert curve.diversity == pytest.approx(diversity, abs=0.03)
    assert curve.area == pytest.approx(diversity, abs=0.03)


def test_real_samples_that_occur_twice_change_nothing():
    once = pr_curve(REAL, FAKE)
    twice = pr_curve(np.repeat(REAL, 2, axis=0), np.repeat(FAKE, 2, axis=0))
    assert twice.area == pytest.approx(once.area, abs=0.005)
    assert twice.info["distinct"] == [400, 400] == twice.info["units"]
    assert pr_curve(np.repeat(REAL, 2, axis=0), FAKE).area == pytest.approx(once.area, abs=0.01)


def test_equal_rows_of_a_discrete_set_are_told_apart_by_how_often_they_come():
    more = GRID[(GRID[:, 0] == 0) | (np.arange(400) % 4 == 0)]  # where the first number is 0
    curve = pr_curve(GRID, again(more, 400))
    truth = np.minimum(*(np.bincount(one[:, 0].astype(int)) for one in (GRID, again(more, 400))))
    assert curve.info["weights"]["atoms"] > 0
    assert "units" not in curve.info
    assert 1 - curve.total_variation == pytest.approx(truth.sum() / 400, abs=0.08)


@pytest.mark.parametrize("covered", [0.05, 0.3, 0.5, 0.98])
def test_what_is_missed_has_the_largest_ratio_and_the_rest_its_distribution(covered):
    s = np.random.default_rng(1).normal(size=1000)
    found = _with_missed(s, covered)
    missed = found == CLIP
    assert missed.sum() == round(1000 * (1 - covered))
    assert np.array_equal(found[~missed], s[~missed])
    quantiles = np.linspace(0.1, 0.9, 9)
    np.testing.assert_allclose(
        np.quantile(s[~missed], quantiles), np.quantile(s, quantiles), atol=0.12
    )


# ---- what is recorded --------------------------------------------------------------------------


def test_a_curve_says_how_many_rows_are_distinct_and_how_many_copied():
    fake = np.concatenate([np.repeat(FAKE[:150], 2, axis=0), REAL[:100]])
    for method in ("auto", "knn"):
        curve = pr_curve(REAL, fake, method)
        assert curve.info["distinct"] == [400, 250]
        assert curve.info["copied"] == 100
        assert curve.provenance.distinct == (400, 250)
    curves = Evaluator(REAL, methods=("auto", "knn", "kmeans")).curves(fake)
    assert all(one.distinct == (400, 250) for one in curves.values())
