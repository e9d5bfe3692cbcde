"""A number of a curve, ± what other samples would make of it."""

import math
import pickle

import numpy as np
import pytest
from refusals import refused

import prfast
from prfast import PRCurve
from prfast.curve import Interval, summary
from prfast.reference import GaussianShift

TRUTH = GaussianShift(1.0, 1)


def swept(seed, n=600, m=600):
    """The curve of the ratio itself as scorer."""
    real, fake = TRUTH.sample(n, m, random_state=seed)
    return PRCurve.from_scores(*map(TRUTH.log_ratio, (real, fake)))


def test_it_is_the_number_with_its_ends_and_prints_so():
    curve = swept(0)
    result = curve.interval("area")
    assert result.value == curve.area
    assert result.low < result.value < result.high
    assert result.half_width == pytest.approx(result.high - result.value)
    one = Interval(0.8123, 0.798, 0.8266, 0.95)
    assert str(one) == f"{one}" == "0.812 ± 0.014"
    assert f"{one:.1%}" == "81.2% ± 1.4%"
    assert float(one) == 0.8123
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
    wide = curve.interval(lambda one: one.diversity)  # what a function can be is not known
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
    assert curve.interval(lambda one: 3.0).half_width == 0


@pytest.mark.nightly
def test_the_number_of_endless_samples_is_inside_at_the_level():
    """Without what the hull loses the area would be so in 33 of 40 draws, and without samples added
    to its end cells the fidelity."""
    truth = TRUTH.curve()
    inside = {"area": 0, "f8": 0, "f1_8": 0, "fidelity": 0}
    for seed in range(40):
        curve = swept(seed)
        for number in inside:
            result, true = curve.interval(number), summary.read_row("number", number)(truth)
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


@pytest.mark.parametrize("sizes", [None, {"n_real": 40, "n_fake": 40}])
def test_a_curve_of_weighted_samples_has_no_interval(sizes):
    """Its scatter is that of the weights as well: 40 samples may weigh as much as two."""
    weights = np.random.default_rng(0).exponential(size=(2, 40))
    scores = np.arange(40), np.arange(40) - 8.5
    curve = PRCurve.from_scores(*scores, w_real=weights[0], w_fake=weights[1], info=sizes)
    with refused(ValueError, "curve: cells that count the samples of scored_real and scored_fake"):
        curve.interval("area")
    assert "no ±: its cells do not count samples" in curve._repr_html_()
    assert not any("interval" in key for key in prfast.record(curve)["curves"][0])


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
    assert (few.low, few.high) == (0, 1)


@pytest.mark.nightly
def test_a_mean_of_curves_of_the_same_samples_is_as_sure_as_one_of_them():
    """Its cells are those of all, and its samples are those of one."""
    rng = np.random.default_rng(5)
    real, fake = rng.normal(size=(600, 3)), 1.2 * rng.normal(size=(600, 3))
    curves = [prfast.pr_curve(real, fake, "knn", random_state=seed) for seed in range(5)]
    mean = PRCurve.mean(curves)
    functions = (lambda one: one.area, lambda one: one.f_score(8), lambda one: one.total_variation)
    for number in functions:  # an interval of a function does not end at 1
        alone = np.mean([curve.interval(number).half_width for curve in curves])
        for one in (mean, pickle.loads(pickle.dumps(mean)), mean.with_info(run="a")):
            assert one.interval(number).half_width == pytest.approx(alone, rel=0.25)
    assert mean.swap().interval("area").half_width == pytest.approx(
        mean.interval("area").half_width, rel=0.25
    )
    read = PRCurve.from_dict(mean.to_dict())
    assert read == mean
    assert read.interval("area").half_width >= mean.interval("area").half_width
