"""A number of a curve, ± what other samples would make of it; several models at once."""

import math
import pickle

import numpy as np
import pytest
from refusals import refused

import prfast
from prfast import PRCurve
from prfast.curve import Interval, summary
from prfast.estimate.intervals import (
    Draws,
    Scores,
    bootstrap_curve,
    bootstrap_models,
    max_t_draws,
    scored,
)
from prfast.reference import GaussianShift

TRUTH = GaussianShift(1.0, 1)


def swept(seed, n=600, m=600):
    """Return the curve of the ratio itself as scorer."""
    real, fake = TRUTH.sample(n, m, random_state=seed)
    return PRCurve.from_scores(*map(TRUTH.log_ratio, (real, fake)))


def test_it_is_the_number_with_its_ends_and_prints_so():
    curve = swept(0)
    result = curve.interval("area")
    assert result.value == curve.area
    assert result.low < result.value < result.high
    assert result.half_width == pytest.approx(result.high - result.value)
    interval = Interval(0.8123, 0.798, 0.8266, 0.95)
    assert str(interval) == f"{interval}" == "0.812 ± 0.014"
    assert f"{interval:.1%}" == "81.2% ± 1.4%"
    assert float(interval) == 0.8123
    assert pickle.loads(pickle.dumps(result)) == result


def test_of_two_cells_the_width_is_that_of_the_binomial():
    """α_1 of two cells is 1 − |p − q|: nothing is lost by a hull of so few."""
    p, n = 0.3, 4000
    info = {"scored_real": n, "scored_fake": n}
    two = PRCurve.from_masses([n * p, n - n * p], [n - n * p, n * p], info=info)
    result = two.interval("total_variation").half_width
    assert result == pytest.approx(1.96 * math.sqrt(2 * p * (1 - p) / n), rel=0.15)


def test_no_interval_leaves_what_its_number_can_be():
    few = {"scored_real": 200, "scored_fake": 200}
    curve = PRCurve.from_masses([100, 97, 3], [100, 100, 0], info=few)
    for row in summary.ROWS:
        result = curve.interval(row.key)
        least, most = row.ends
        assert least <= result.low <= result.value <= result.high <= most, row.key
    cut = curve.interval("diversity")
    assert cut.high == 1
    assert cut.half_width == cut.value - cut.low > cut.high - cut.value
    wide = curve.interval(lambda x: x.diversity)  # what a function can be is not known
    assert wide.high > 1
    assert wide.low == cut.low


def test_a_number_at_its_end_is_no_surer_than_its_samples_can_tell():
    """Nothing of 600 was out of reach: up to 3 of 600 may be."""
    info = {"scored_real": 600, "scored_fake": 600}
    curve = PRCurve.from_masses([180, 420], [300, 300], info=info)
    result = curve.interval("fidelity")
    assert result.value == result.high == 1
    assert result.half_width == pytest.approx(1 - 0.05 ** (1 / 600))
    assert str(result) == "1.000 ± 0.005"
    assert curve.interval(lambda x: 3.0).half_width == 0


def test_a_fit_that_shows_no_change_may_still_miss_a_part_of_the_scatter():
    p, q = [30, 120, 250], [250, 110, 40]
    sizes = {"scored_real": 400, "scored_fake": 400}
    smaller = {"real": p, "fake": q, "ratio": 1.8}
    fixed = PRCurve.from_masses(p, q, info=sizes)
    fitted = PRCurve.from_masses(p, q, info=sizes | {"smaller_fit": smaller})
    for key in ("diversity", "area", "overlap", "f8", "f1_8"):
        before, after = (curve.interval(key) for curve in (fixed, fitted))
        assert after.value - after.low == pytest.approx(1.4 * (before.value - before.low)), key
        assert after.high == before.high
    before, after = (curve.interval("total_variation") for curve in (fixed, fitted))
    assert after.high - after.value == pytest.approx(1.4 * (before.high - before.value))
    assert after.low == before.low


@pytest.mark.nightly
def test_the_number_of_endless_samples_is_inside_at_the_level():
    """The area would be inside in 33 of 40 draws without what the hull loses, and the fidelity
    without samples added to its end cells."""
    truth = TRUTH.curve()
    inside = {"area": 0, "f8": 0, "f1_8": 0, "fidelity": 0}
    for seed in range(40):
        curve = swept(seed)
        for number in inside:
            result, true = curve.interval(number), summary.read_row("number", number).value(truth)
            inside[number] += result.low <= true <= result.high
    assert min(inside.values()) >= 36, inside


def test_it_needs_the_numbers_of_samples_and_a_level():
    with refused(ValueError, "curve: cells that count the samples of scored_real and scored_fake"):
        PRCurve.from_masses([1], [1], info={"n_real": 1, "n_fake": 1}).interval("area")
    with refused(ValueError, "confidence: a number in (0, 1) expected, got 95"):
        swept(0).interval("area", 95)
    with refused(ValueError, "number: one of fidelity"):
        swept(0).interval("volume")
    with refused(TypeError, "random_state: an integer, None or a generator of NumPy expected"):
        swept(0).interval("area", random_state="0")


class ReadOut(PRCurve):
    """A smooth curve with the hull of its scores beside it."""

    __slots__ = ()

    @property
    def hull(self):
        return swept(0)


def test_a_curve_that_is_no_hull_is_redrawn_from_its_hull():
    hull = swept(0)
    smooth = ReadOut.from_masses([3, 2, 1], [1, 2, 3], info=hull.info)
    result = smooth.interval("area")
    assert result.value == smooth.area != hull.area
    assert result.half_width == pytest.approx(hull.interval("area").half_width)


@pytest.mark.parametrize("value", ["0.5", np.ones(2)])
def test_a_function_that_gives_no_number_is_named(value):
    with refused(TypeError, "number: a function of a curve that gives a number expected, got"):
        swept(0).interval(lambda _: value)


def test_sets_that_are_apart_may_overlap_by_what_one_sample_tells():
    """One sample of 1000 in the other set's place makes a fidelity of 20/1000; none was there."""
    apart = PRCurve.from_scores(np.ones(1000), np.zeros(1000))
    result = apart.interval("fidelity")
    assert result.value == result.low == 0
    assert 0.03 < result.high < 0.1
    assert apart.interval("total_variation").low < 1 - 3 / 1000
    few = PRCurve.from_scores([1.0, 1.0], [0.0, 0.0]).interval("area")
    assert few.low == 0
    assert few.high > 0.9


# ---- samples that cells count --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("info", "sizes"),
    [
        ({}, None),
        ({"scored_real": 6, "scored_fake": 0}, None),
        ({"scored_real": 6, "scored_fake": 2}, (6, 2)),
        ({"scored_real": 6, "scored_fake": 2, "n_real": 10, "n_fake": 7, "split": 0.5}, (6, 2)),
        ({"scored_real": 2, "scored_fake": 6, "swapped": True}, (6, 2)),
        ({"scored_real": 3, "scored_fake": 1}, None),
        ({"scored_real": 3, "scored_fake": 1, "mean_of": 2}, (3, 1)),
        ({"scored_real": 3, "scored_fake": 2, "runs": 2}, None),
    ],
)
def test_a_curve_stands_for_the_samples_that_its_cells_count(info, sizes):
    assert scored(PRCurve.from_masses([2, 4], [1, 1], info=info)) == sizes


def test_weights_rates_bounds_and_joined_curves_count_no_samples():
    sizes = {"scored_real": 2, "scored_fake": 2}
    counted = PRCurve.from_scores([1.0, 2.0], [0.0, 1.5])
    weighted = PRCurve.from_scores([1, 2], [0, 1.5], w_real=[0.5, 1.5], info=sizes)
    rates = PRCurve.from_rates([0.5], [0.5], info=sizes)
    curves = (weighted, rates, counted.upper(), counted.intersection(counted))
    assert [scored(curve) for curve in (counted, counted.swap())] == [(2, 2)] * 2
    for curve in curves:
        assert scored(curve) is None
        assert scored(PRCurve.mean([counted, curve], info=sizes)) is None
    assert not any("interval" in key for key in prfast.record(weighted)["curves"][0])


def test_bootstrap_curves_depend_on_the_seed_and_need_sample_counts():
    curve = PRCurve.from_scores([3, 2, 2, 1, 0], [0, 1, 1, 2])
    draws, again, reseeded = (list(bootstrap_curve(curve, seed, 5)) for seed in (1, 1, 2))
    assert draws == again != reseeded
    assert not bootstrap_curve(PRCurve.from_masses([1], [1]), 0)


@pytest.mark.parametrize("n", [5, 60, 3000])
@pytest.mark.parametrize("shift", [0, 1, 9])
def test_numbers_of_many_draws_are_those_of_each_curve(n, shift):
    """They agree to the last bit, whatever the numbers of cells, with sets that are apart and
    equal ones."""
    rng = np.random.default_rng(n)
    hull = PRCurve.from_scores(rng.normal(size=n) + shift, rng.normal(size=2 * n))
    weighted = rng.exponential(size=(2, 30, 6)) * np.ldexp(1.0, rng.integers(-400, 400, (30, 1)))
    weighted[:, ::2, ::5] = 0  # of neither set
    for draws in (bootstrap_curve(hull, 0, 50), Draws(*weighted)):
        for row in summary.ROWS:
            expected = [row.value(draw) for draw in draws]
            assert draws.values(row) == expected, row.key


# ---- several models ------------------------------------------------------------------------------


RNG = np.random.default_rng(0)
N, M = 500, 400
REAL = RNG.normal(size=N)
ROWS = np.arange(N)


def model(shift, noise=0.3, reference=1, rows=ROWS):
    """Scores of a model by a scorer of its own, nearly that of the others."""
    fake = RNG.normal(size=M) - shift
    a, b = (x + noise * RNG.normal(size=x.size) for x in (REAL, fake))
    return Scores(a, b, rows, reference)


A = model(1.0)


def test_the_same_real_samples_are_drawn_for_all_models():
    """A model beside itself gets the same real samples: only the generated ones differ."""
    first, second = bootstrap_models([A, Scores(A.real, A.fake, ROWS, 1)], 3, 300)
    apart = [x.area - y.area for x, y in zip(first, second, strict=True)]
    alone = [x.area for x in first]
    stranger = Scores(A.real, A.fake, ROWS, 2)
    first, unrelated = bootstrap_models([A, stranger], 3, 300)
    unpaired = [x.area - y.area for x, y in zip(first, unrelated, strict=True)]
    assert np.std(apart) < 0.85 * np.std(unpaired)
    assert np.std(unpaired) == pytest.approx(np.sqrt(2) * np.std(alone), rel=0.15)


def test_the_largest_of_one_is_normal_and_of_several_larger():
    from scipy.stats import norm, studentized_range, t

    largest_of_1 = max_t_draws(np.eye(2), [(0, 1)], 10**6, 0)
    assert np.quantile(largest_of_1, 0.95) == pytest.approx(norm.ppf(0.975), rel=0.02)
    few = max_t_draws(np.eye(2), [(0, 1)], 12, 0)
    assert np.quantile(few, 0.95) == pytest.approx(t.ppf(0.975, 12), rel=0.03)
    pairs = [(i, j) for i in range(5) for j in range(i)]  # all pairs of five: Tukey's range
    tukey = studentized_range.ppf(0.95, 5, 10**6) / np.sqrt(2)
    largest = max_t_draws(np.eye(5), pairs, 10**6, 0)
    assert np.quantile(largest, 0.95) == pytest.approx(tukey, rel=0.02)


def test_pairs_without_errors_are_never_the_largest():
    twins = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    alone = max_t_draws(twins, [(0, 2)], 100, 0)
    assert max_t_draws(twins, [(0, 1), (0, 2)], 100, 0).tolist() == alone.tolist()
