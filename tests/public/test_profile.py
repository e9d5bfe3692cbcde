"""Profiles: curves at several resolutions, their monotone numbers, and what they say."""

import json
import math
import re

import numpy as np
import pytest
from calls import first
from curves import curve as of_counts
from helpers import few_draws, unwrapped  # noqa: F401
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusals, rows
from sklearn.naive_bayes import GaussianNB

import prfast
from prfast import Evaluator, PRCurve, Profile, pr_curve, profile
from prfast.curve.summary import rows_of_table
from prfast.methods import KMeans, Noise
from prfast.methods.auto.folds import assign_folds
from prfast.methods.base import ExecutionContext
from prfast.reference import GaussianMixtures, GaussianShift
from prfast.samples.pair import Pair

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(90, 3))
FAKE = RNG.normal(0.3, 0.9, size=(80, 3))
SIGMAS = (0, 0.2, 0.8)
LAMBDAS = np.geomspace(1e-3, 1e3, 61)

# Curves of 1000 and 1000 samples.
ALIKE = of_counts([0.5, 0.5], [0.5, 0.5])
FAR = of_counts([1, 0], [0, 1])
NEAR = of_counts([0.9, 0.1], [0.1, 0.9])
NEARER = of_counts([0.6, 0.4], [0.4, 0.6])
DROPS = of_counts([0.5, 0.5], [0, 1])
LESS = of_counts([0.3, 0.7], [0, 1])


def of_curves(*curves):
    return Profile(dict(zip(SIGMAS, curves, strict=True)))


def rises(values, rounding=1e-12):
    return (np.diff(values, axis=0) >= -rounding).all()


STOCHASTIC = st.integers(0, 2**32 - 1).map(
    lambda seed: np.random.default_rng(seed).dirichlet([0.3] * 5, size=5)
)
MASSES = st.lists(st.sampled_from([0.0, 0.1, 1.0, 3.0]), min_size=5, max_size=5).filter(any)


@given(MASSES, MASSES, STOCHASTIC)
def test_data_processing_inequality_no_point_of_a_curve_falls(p, q, kernel):
    """After any Markov kernel, α_λ is at least as large, at all λ; one cell for all is the end."""
    curve, smoothed = PRCurve.from_masses(p, q), PRCurve.from_masses(p @ kernel, q @ kernel)
    lam = np.concatenate([[0], LAMBDAS, [np.inf]])
    for before, after in zip(curve.at(lam), smoothed.at(lam), strict=True):
        assert (after >= before - 1e-12).all()
    one = np.ones((5, 1))
    assert PRCurve.from_masses(p @ one, q @ one).area == 1


@pytest.mark.parametrize("sigma", [0, 0.5, 2])
def test_shifts_and_mixtures_have_closed_forms(sigma):
    """Δ / √(1 + σ²); covariances plus σ² times the variances of P."""
    shift = GaussianShift(1.5).smoothed(sigma)
    assert shift.delta == 1.5 / math.sqrt(1 + sigma**2)
    mixture = GaussianMixtures([[0, 7], [1.5 * 3, 7]], [1, 0], [0, 1], np.diag([9.0, 4.0]))
    expected = shift.curve().at(LAMBDAS)
    np.testing.assert_allclose(mixture.smoothed(sigma).curve().at(LAMBDAS), expected, atol=1e-4)
    wide = GaussianMixtures([[-3], [3]], [1, 1], [0, 1]).smoothed(sigma)
    np.testing.assert_allclose(wide.covs, 1 + sigma**2 * (9 + 1))
    given_ = GaussianMixtures([[-3], [3]], [1, 1], [0, 1]).smoothed(sigma, [0.5])
    np.testing.assert_allclose(given_.covs, 1 + sigma**2 / 4)


WEIGHTED = {"w_real": np.arange(90) % 4, "w_fake": RNG.exponential(size=80)}
WEIGHTED["groups"] = np.arange(90) // 2, 100 + np.arange(80)


@pytest.mark.parametrize(
    ("method", "given"),
    [
        *((method, {}) for method in ("knn", "classifier", KMeans(clusters=5, runs=2))),
        *((method, WEIGHTED) for method in ("auto", KMeans(clusters=5, runs=2), GaussianNB())),
    ],
)
def test_estimates_are_the_curves_of_pr_curve(method, given):
    options = {"noise": "common", "random_state": 3, "n_jobs": 1} | given
    actual = profile(REAL, FAKE, SIGMAS[::-1], method, **options)
    assert actual.resolutions == SIGMAS
    for sigma, curve in actual.estimates.items():
        expected = pr_curve(REAL, FAKE, method, resolution=sigma, **options)
        assert curve == expected
        assert curve.info == expected.info
        assert curve.info.get("weighted") == (["real", "fake"] if given else None)
    assert actual.estimates[0.2].info["noise"] == {"scale": "common"}
    assert actual.info["n_real"] == 90 - (len(given) > 0) * 23  # without those of weight 0


def test_curves_are_those_of_the_weighted_distribution_in_its_own_units():
    """N(0, 2²) with the weights of N(0, 1): the noise has the standard deviation 1, not 2."""
    rng = np.random.default_rng(4)
    real, fake = rng.normal(size=(2, 20_000, 2)) * [[[2.0]], [[1.0]]]
    fake[:, 0] += 1.5
    w = np.exp(-3 / 8 * (real**2).sum(axis=1))
    weighted = profile(real, fake, SIGMAS, first, w_real=w)
    plain = profile(real, fake, SIGMAS, first)
    truth = GaussianShift(1.5)
    for sigma, curve in weighted.estimates.items():
        assert curve.area == pytest.approx(truth.smoothed(sigma).curve().area, abs=0.015)
    assert abs(plain.curves[0.8].area - truth.smoothed(0.8).curve().area) > 0.05


@given(st.lists(st.tuples(MASSES, MASSES), min_size=2, max_size=6))
def test_no_point_of_a_curve_is_above_a_coarser_one(masses):
    """Whatever the estimates above resolution 0; where areas rise, the curves are below them."""
    estimates = {i: prfast.PRCurve.from_masses(*pair) for i, pair in enumerate(masses, 1)}
    actual = Profile(estimates)
    points = np.array([curve.at(LAMBDAS) for curve in actual.curves.values()])
    assert rises(points)
    before = [estimate.area for estimate in estimates.values()]
    if rises(before, 0):
        limits = np.array([curve.at(LAMBDAS) for curve in estimates.values()])
        assert (points <= limits + 1e-12).all()
        assert actual.curves[len(masses)] is estimates[len(masses)]


def test_estimates_whose_areas_fall_are_pooled_and_others_left_alone():
    actual = of_curves(FAR, NEARER, NEAR)
    assert actual.curves[0] is FAR
    assert actual.curves[0.2] == actual.curves[0.8] == prfast.PRCurve.mean([NEARER, NEAR])
    assert actual.estimates[0.2] is NEARER


@pytest.mark.parametrize(
    "estimates", [(FAR, NEAR, NEARER), (NEARER, NEAR, ALIKE), (DROPS, NEAR, FAR)]
)
def test_intervals_contain_the_values_and_rise_or_fall_with_them(estimates):
    actual = of_curves(*estimates)
    for row in rows_of_table("interval"):
        sign = 1 if row.larger_is_better else -1
        intervals = actual.intervals(row.key)
        for interval in intervals:
            assert interval.low <= interval.value <= interval.high
        for end in ("low", "value", "high"):
            ends = [sign * getattr(interval, end) for interval in intervals[1:]]
            assert rises(ends, 1e-9), (row.key, end)
    for overlap, distance in zip(
        *map(actual.intervals, ("overlap", "total_variation")), strict=True
    ):
        ends = [1 - distance.high, 1 - distance.low]
        assert ends == pytest.approx([overlap.low, overlap.high], abs=1e-9)


def test_resolutions_of_an_area_end_at_those_of_the_profile():
    rising = of_curves(FAR, NEAR, ALIKE)
    half, matching, coarse = rising.summary().values()
    assert 0.2 < half.low < half.value < half.high < matching.value < 0.8
    assert rising.resolution_at(0.5) == half
    assert coarse == rising.intervals()[-1]
    assert rising.summary(0.5)["half_resolution"].low > half.low
    assert of_curves(ALIKE, ALIKE, ALIKE).resolution_at(0.95).value == 0
    never = of_curves(FAR, NEAR, NEAR).resolution_at(0.5)
    assert (never.value, never.half_width) == (math.inf, math.inf)
    assert Profile({0.2: ALIKE, 0.8: ALIKE}).resolution_at(0.5).value == 0.2
    # Between resolutions far apart it is only known to be between them.
    wide = Profile({0.1: FAR, 0.8: ALIKE}).resolution_at(0.5)
    assert (wide.low, wide.high) == (0.1, 0.8)


@given(st.lists(st.floats(0, 1), min_size=9, max_size=9), st.floats(0.01, 0.99))
def test_the_interval_of_a_resolution_contains_it(numbers, level):
    """Cubics through higher values may cross a level later, between the same resolutions."""
    triples = zip(*(sorted(numbers[i::3]) for i in range(3)), strict=True)
    low, value, high = np.array([sorted(triple) for triple in triples]).T.tolist()
    actual = of_curves(ALIKE, ALIKE, ALIKE)
    actual.intervals = lambda *_: [
        prfast.curve.summary.Interval(v, a, b, 0.95)
        for a, v, b in zip(low, value, high, strict=True)
    ]
    interval = actual.resolution_at(level)
    assert interval.low <= interval.value <= interval.high


SLIGHT = of_counts([0.57, 0.43], [0.43, 0.57])
FEW, FEWER = (PRCurve.from_scores(x, 1 - x) for x in (np.arange(40)[None] < [[31], [25]]) * 1.0)
SENTENCES = """
FEW, FEW, FEWER
    The samples are too few to tell whether detail or mass differs: area 0.58 at full
ALIKE, ALIKE, ALIKE
    No clear difference at any resolution: area 1.00 ± 0.01.
FAR, NEAR, ALIKE
    Differences of detail, finer than resolution 0.8: area 0.00 at full resolution, 1.00 at
DROPS, DROPS, DROPS
    No clear change of the area up to resolution 0.8: area 0.50 … What differs is too large for
    noise of 0.8 standard deviations to hide: real samples unlike generated ones
FAR, NEAR, DROPS
    Noise of 0.8 standard deviations hides a part of the difference: … What remains is larger: real
DROPS, DROPS, LESS
    No clear change of the area up to resolution 0.2, but noise of 0.8 standard deviations hides a
    part of the difference: … No clear part of it is finer than that.
NEARER, SLIGHT, SLIGHT
    Frequencies differ: overlap 0.80 at full resolution
"""


@pytest.mark.parametrize(("estimates", "sentence"), rows(SENTENCES))
def test_a_profile_says_whether_detail_or_mass_differs(estimates, sentence):
    assert re.match(
        re.escape(sentence).replace("…", ".*"), *of_curves(*eval(estimates)).sentences()
    )


def test_a_profile_is_json_rows_and_scalars():
    actual = of_curves(FAR, NEAR, DROPS)
    record = json.loads(json.dumps(actual.to_dict(), allow_nan=False))
    assert record["resolutions"] == [0, 0.2, 0.8]
    assert record["summary"]["matching_resolution"]["value"] == "inf"
    again = [prfast.PRCurve.from_dict(curve) for curve in record["estimates"]]
    assert of_curves(*again).curves == actual.curves
    assert [row["area"] for row in actual.rows()] == [c.area for c in actual.curves.values()]
    names = ["half_resolution", "coarse_area", "area_at_0", "area_at_0_2", "area_at_0_8"]
    assert [*actual.scalars("model/")] == [f"model/{name}" for name in names]
    frame = pytest.importorskip("pandas") and actual.to_frame()
    assert frame.index.tolist() == [0, 0.2, 0.8]


test_wrong_resolutions_are_refused = refusals("""
profile(REAL, FAKE, [0.1, 0.1])
    ValueError: resolutions: at least two different numbers expected, got 0.1
Evaluator(REAL, resolutions="all")
    ValueError: resolutions: 'auto' or numbers expected, got 'all'
""")


@pytest.mark.parametrize("limit", [1000, 45])
def test_copies_of_a_sample_share_a_fold_and_are_fitted_to_together(limit):
    """Equal rows as well, grouped as they were without noise; one of them is fitted to."""
    real, fake = np.concatenate([REAL, REAL[:30]]), FAKE
    pair = Pair.read(real, fake)
    folds = assign_folds(pair.at(0.3, Noise(), 0).stacked(3), 5, limit, ExecutionContext(0))
    assert (folds.n_real, len(folds.fold), folds.is_exact) == (360, 600, False)
    is_fitted = np.isin(np.arange(600), folds.fitted)
    for flags in (folds.fold, is_fitted):
        for copies in (flags[:360].reshape(3, 120), flags[360:].reshape(3, 80)):
            assert (copies == copies[0]).all()
    assert (folds.fold[:30] == folds.fold[90:120]).all()
    fitted = is_fitted[:120]
    assert not (fitted[:30] & fitted[90:]).any()
    assert fitted.sum() == min(90, limit // 3)
    without = assign_folds(pair, 5, limit, ExecutionContext(0))
    assert (folds.fold[:120] == without.fold[:120]).all()


def test_repeated_rows_stay_faithful_and_of_low_diversity_at_all_resolutions():
    rows = np.random.default_rng(1).normal(size=(200, 2))
    actual = profile(rows, rows[np.arange(200) % 20], (0, 0.2), progress=False)
    for curve in actual.estimates.values():
        assert curve.info["effective_size"] == [200, 20]  # no noise makes independent samples
        assert curve.info["distinct"] == [200, 20]
        assert curve.fidelity > 0.95
        assert curve.diversity < 0.3


OPTIONS = {"resolutions": SIGMAS, "noise": Noise("common", categories=[np.int64(2)])}


def test_evaluators_profile_models_on_common_noise():
    expected = profile(REAL, FAKE, SIGMAS, "knn", 5, noise=OPTIONS["noise"])
    evaluator = Evaluator(REAL, ["knn", "ipr"], 5, **OPTIONS)
    compared = evaluator.compare({"a": FAKE, "same": FAKE.copy(), "b": FAKE[::2]})
    profiles = compared.profiles
    assert profiles["a"].estimates == profiles["same"].estimates == expected.estimates
    assert profiles["a"].estimates != profiles["b"].estimates
    a = compared["a"]
    assert a.profile.estimates[0] is a.curves["knn", 5]
    # Coarser estimates, also those that are lower, leave the number of pr_curve as it is.
    assert a.profile.intervals("area")[0] == a.curve.interval("area")
    assert a.profile.estimates[0.2].area < a.curve.area
    assert f"a: {a.profile.sentences()[0]}" in str(compared)
    assert Evaluator(REAL, "knn").evaluate(FAKE).profile is None


def test_missing_categories_are_no_detail():
    """Every other code: most keep their exact value under noise, so that counts stay evidence."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 40, 500), 2 * rng.integers(0, 20, 500)
    sets = [np.column_stack([code, rng.normal(size=(500, 2))]) for code in codes]
    curve = pr_curve(*sets, resolution=0.05, noise=Noise(categories=[0]))
    assert curve.area == pytest.approx(0.5, abs=0.1)


def test_bounds_are_certified_where_the_noise_does_not_depend_on_the_samples():
    by_scale = {
        scale: prfast.pr_curve(REAL, FAKE, "knn", resolution=0.2, noise=noise).upper()
        for scale, noise in {"given": np.ones(REAL.shape[1]), "std": "std"}.items()
    }
    assert by_scale["given"].provenance.certified
    assert not by_scale["std"].provenance.certified
