"""Equal rows: in one fold, unless the real set is discrete, and no infidelity where they repeat."""

import numpy as np
import pytest

from prfast import PRCurve, pr_curve
from prfast.methods.auto.folds import assign_folds
from prfast.methods.base import ExecutionContext
from prfast.samples.large import large_units
from prfast.samples.pair import Pair

rng = np.random.default_rng(0)
REAL, FAKE = rng.normal(size=(400, 4)), rng.normal(size=(400, 4))
GRID = rng.integers(0, 3, (400, 3)).astype(float)

COUNTS = np.random.default_rng(7).poisson(6, 400)


def resampled(points, count, seed=1):
    """Return so many rows: each once, and some twice or more."""
    more = np.random.default_rng(seed).choice(len(points), count - len(points))
    return np.concatenate([points, points[more]])


def large_rows(real, fake, seed=0):
    """Return which rows of both sets are far, and which are of large units that are not."""
    units = large_units(Pair.read(real, fake), ExecutionContext(seed))
    return np.concatenate(units.far), np.concatenate(units.single)


@pytest.mark.parametrize(
    ("real", "fake", "discrete"),
    [
        (REAL, REAL, False),
        (resampled(REAL[:365], 400), REAL, False),  # 91 % are distinct
        (resampled(REAL[:355], 400), REAL, True),  # 89 %, and generated rows equal them
        (resampled(REAL[:355], 400), FAKE, False),  # a sample with replacement
        (resampled(REAL[:355], 400), np.concatenate([FAKE[:392], REAL[:8]]), False),  # few copies
        (np.column_stack([COUNTS, REAL[:, 0]]).repeat(2, axis=0), FAKE, False),
        (np.rint(9e5 * np.random.default_rng(2).random((40, 3))).repeat(9, axis=0), FAKE, False),
        (GRID, GRID[::-1], True),
        (np.ones((50, 4)), FAKE, True),
        (np.column_stack([COUNTS, np.zeros(400)]), FAKE, True),
        (np.round(REAL[:, :1], 1).astype(np.float32), FAKE, True),
        (np.eye(5)[COUNTS % 5], FAKE, True),
        (np.repeat([[0.0], [1.0]], 20, axis=0), FAKE, True),
    ],
)
def test_a_set_is_discrete_if_equal_rows_are_likely_or_shared(real, fake, discrete):
    fake = np.resize(fake, (400, real.shape[1]))
    assert Pair.read(real, fake).repetition.discrete == discrete


def test_repeated_junk_is_missing_from_fidelity_alone():
    junk = FAKE[:10] + FAR * np.sign(FAKE[10:20])
    curve = pr_curve(REAL, np.concatenate([FAKE[:320], np.repeat(junk, 8, axis=0)]))
    assert curve.fidelity == pytest.approx(0.8, abs=0.03)
    assert curve.diversity > 0.96
    # Real samples are covered half by samples that come twice, whatever else there is.
    halved = np.concatenate([FAKE[:160], FAKE[:160], np.repeat(junk, 8, axis=0)])
    assert pr_curve(REAL, halved).diversity == pytest.approx(0.5, abs=0.03)


SHARE, FAR = 0.15, 8.0  # a share of one set


def with_row(points, row, share=SHARE):
    return np.concatenate([np.tile(row, (round(share * len(points)), 1)), points])[: len(points)]


def labels(number, group_size):
    """Return labels of two sets: the first rows of the generated one are a group."""
    return np.arange(number), number + np.maximum(np.arange(number) - group_size + 1, 0)


FAR_ROW = np.full(4, FAR)
GROUP = FAKE.copy()
GROUP[:60] += FAR
HEAVY = {"w_fake": np.append(SHARE / (1 - SHARE) * 399, np.ones(399))}


LONE = {
    "row": (with_row(FAKE, FAR_ROW), {}),
    "group": (GROUP, {"groups": labels(400, 60)}),
    "weight": (np.vstack([FAR_ROW, FAKE[1:]]), HEAVY),
    "huge": (1e299 * with_row(FAKE, FAR_ROW), {}),
}


@pytest.mark.parametrize(("fake", "options"), LONE.values(), ids=LONE)
def test_what_one_fold_has_alone_and_far_out_is_unlike_the_other_set(fake, options):
    real = REAL * (1e299 if np.abs(fake).max() > 1e100 else 1)
    curve = pr_curve(real, fake, **options)
    assert curve.info["far"] == [0, pytest.approx(SHARE)]
    assert curve.fidelity == pytest.approx(1 - SHARE, abs=0.01)
    assert curve.overlap == pytest.approx(1 - SHARE, abs=0.02)
    assert curve.diversity > 0.98  # nothing of it is missing
    assert curve.hull.fidelity == pytest.approx(1 - SHARE, abs=0.01)
    assert "15.0% of the generated set" in str(curve)
    assert "covered" not in curve.info
    assert (curve.scores.fake[:1] < -10).all()
    swapped = {"w_real": options["w_fake"]} if "w_fake" in options else options
    if "groups" in options:
        swapped = {"groups": options["groups"][::-1]}
    mirror = pr_curve(fake, real, **swapped)
    assert mirror.info["far"] == [pytest.approx(SHARE), 0]
    assert mirror.diversity == pytest.approx(1 - SHARE, abs=0.01)
    assert mirror.fidelity > 0.98


@pytest.mark.parametrize("row", [FAKE[-1], np.zeros(4)])
def test_the_interval_of_a_row_that_is_not_far_includes_that_it_is_unlike_the_others(row):
    curve = pr_curve(REAL, with_row(FAKE, row))
    assert "far" not in curve.info
    assert curve.info["single"] == [0, pytest.approx(SHARE)]
    assert curve.fidelity > 0.98
    rare = pr_curve(REAL, with_row(FAKE, row, 0.03))
    assert rare.interval("fidelity").low <= 0.97
    mirror = curve.swap().interval("diversity")
    assert mirror.low == pytest.approx(curve.interval("fidelity").low, abs=0.06)
    assert "and ± includes that they do not" in str(curve)


@pytest.mark.parametrize(("zeros_real", "zeros_fake"), [(20, 800), (300, 95), (90, 90)])
def test_rows_that_both_sets_repeat_have_their_shares(zeros_real, zeros_fake):
    rng = np.random.default_rng(0)
    real, fake = rng.normal(size=(2, 1000, 8))
    real[:zeros_real], fake[:zeros_fake] = 0, 0
    p, q = zeros_real / 1000, zeros_fake / 1000
    truth = PRCurve.from_masses([1 - p, p], [1 - q, q])
    curve = pr_curve(real, fake)
    for name in ("fidelity", "diversity", "area"):
        assert getattr(curve, name) == pytest.approx(getattr(truth, name), abs=0.05)
    assert curve.interval("area").half_width < 0.08
    assert "single" not in curve.info


def test_a_far_row_that_occurs_in_both_sets_is_not_far():
    real = np.vstack([FAR_ROW, np.random.default_rng(1).normal(size=(3000, 4))])
    fake = with_row(FAKE, FAR_ROW)
    for seed in range(5):  # by which some of the real rows are chosen
        are_far, single = large_rows(real, fake, seed)
        assert not are_far.any()
        assert single.sum() == 60


@pytest.mark.parametrize("draw", ["normal", "standard_cauchy"])
def test_a_row_from_the_other_distribution_is_rarely_far(draw):
    far = 0
    for seed in range(200):
        draws = getattr(np.random.default_rng(seed), draw)
        real, fake = draws(size=(150, 3)), draws(size=(150, 3))
        fake = with_row(fake, draws(size=3))
        are_far, single = large_rows(real, fake, seed)
        assert (are_far | single)[150:172].all()
        assert not (are_far | single)[172:].any()
        assert not are_far[:150].any()
        far += are_far.any()
    assert far <= 6  # expected: 200 / 151


@pytest.mark.parametrize(("seed", "share", "row"), [(0, 0.5, 0.0), (2, 0.8, None)])
def test_one_row_that_repeats_leaves_the_rest_to_cover_the_real_samples(seed, share, row):
    """Also where that rest is unlike the real samples, and the row, a sample, by chance."""
    rng = np.random.default_rng(seed)
    real, fake = rng.normal(size=(2, 500, 10))
    fake += 0.5
    fake[: round(share * 500)] = fake[0] if row is None else row
    curve = pr_curve(real, fake)
    assert curve.info["covered"] == pytest.approx(1 - share, abs=0.01)


@pytest.mark.parametrize(("n", "m", "d"), [(5, 5, 40), (20, 3, 240), (200, 200, 600)])
@pytest.mark.parametrize("row", [1.0, None], ids=["ones", "normal"])
def test_one_row_alone_is_equal_to_itself_with_more_features_than_rows(n, m, d, row):
    row = np.random.default_rng(0).normal(size=d) if row is None else np.full(d, row)
    assert pr_curve(np.tile(row, (n, 1)), np.tile(row, (m, 1))).area == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("distinct", [2, 3, 4, 8, 20])
def test_a_model_that_repeats_few_rows_has_no_diversity(distinct):
    """Whatever the fits say of so few rows, and although they are no evidence of low fidelity."""
    rng = np.random.default_rng(101)
    real, few = rng.normal(size=(500, 8)), rng.normal(size=(distinct, 8))
    curve = pr_curve(real, few[np.arange(500) % distinct])
    assert curve.diversity <= 0.1
    assert curve.area <= 0.1
    assert curve.interval("diversity").low == 0
    note = f"Only {distinct} of the 500 generated samples are distinct"
    assert note in " ".join(str(curve).split())


def test_equal_rows_are_in_one_fold_and_one_of_each_set_is_fitted_to():
    fake = resampled(np.concatenate([FAKE[:150], REAL[:60]]), 400)
    real = resampled(REAL[:370], 400)
    group = Pair.read(real, fake).repetition.group
    folds = assign_folds(Pair.read(real, fake), 10, 10**6, ExecutionContext(0))
    assert np.array_equal(folds.fold, folds.fold[group])
    fitted = [folds.fitted[(folds.fitted < 400) == flag] for flag in (True, False)]
    assert [len(rows) for rows in fitted] == [370, 210]
    for rows in fitted:
        assert len(np.unique(group[rows])) == len(rows)
