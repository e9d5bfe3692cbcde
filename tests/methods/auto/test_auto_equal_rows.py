"""Equal rows: in one fold, unless the real set is discrete, and no infidelity where they repeat."""

import numpy as np
import pytest

from prfast import Evaluator, pr_curve
from prfast.inputs.samples import equal_rows
from prfast.methods.auto.sample import make_sample

rng = np.random.default_rng(0)
REAL, FAKE = rng.normal(size=(400, 4)), rng.normal(size=(400, 4))
GRID = rng.integers(0, 3, (400, 3)).astype(float)


def resampled(points, count, seed=1):
    """Return so many rows: each once, and some twice or more."""
    more = np.random.default_rng(seed).choice(len(points), count - len(points))
    return np.concatenate([points, points[more]])


@pytest.mark.parametrize(
    ("real", "fake", "discrete"),
    [
        (REAL, REAL, False),
        (resampled(REAL[:365], 400), REAL, False),  # 91 % are distinct
        (resampled(REAL[:355], 400), REAL, True),  # 89 %
        (resampled(REAL[:355], 400), FAKE, False),  # a sample with replacement
        (GRID, GRID[::-1], True),
        (np.ones((50, 4)), FAKE, True),
    ],
)
def test_a_set_is_discrete_if_rows_repeat_that_occur_in_the_other_set(real, fake, discrete):
    assert equal_rows(real, fake).discrete == discrete


def test_equal_rows_are_in_one_fold_and_part_and_one_of_each_set_is_fitted_to():
    fake = resampled(np.concatenate([FAKE[:150], REAL[:60]]), 400)
    real = resampled(REAL[:370], 400)
    group = equal_rows(real, fake).group
    sample = make_sample(real, fake, 10, 10**6, 0)
    assert np.array_equal(sample.fold, sample.fold[group])
    assert np.array_equal(sample.part, sample.part[group])
    fitted = [sample.fitted[sample.fitted_real == flag] for flag in (True, False)]
    assert [len(rows) for rows in fitted] == [370, 210]
    for rows in fitted:
        assert len(np.unique(group[rows])) == len(rows)


@pytest.mark.parametrize(
    ("fake", "diversity"),
    [
        pytest.param(resampled(FAKE[:267], 400), 0.67, marks=pytest.mark.nightly),
        (np.tile(FAKE[:20], (20, 1)), 0.05),
    ],
)
def test_repeating_generated_samples_costs_recall_and_no_fidelity(fake, diversity):
    curve = pr_curve(REAL, fake)
    # At the floor of 1/20, fidelity is 1 − TV of the distinct samples, here of 20.
    assert curve.fidelity > (0.95 if diversity > 0.05 else 0.79)
    assert curve.diversity == pytest.approx(diversity, abs=0.03)
    assert curve.area == pytest.approx(diversity, abs=0.03)


def test_a_curve_records_distinct_and_copied_rows():
    fake = np.concatenate([np.repeat(FAKE[:150], 2, axis=0), REAL[:100]])
    for method in ("auto", "knn"):
        curve = pr_curve(REAL, fake, method)
        assert curve.info["distinct"] == [400, 250]
        assert curve.info["copied"] == 100
        assert curve.provenance.distinct == (400, 250)
    curves = Evaluator(REAL, methods=("auto", "knn", "kmeans")).curves(fake)
    assert all(curve.provenance.distinct == (400, 250) for curve in curves.values())
