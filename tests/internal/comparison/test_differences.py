"""Tests of whether one model is better than another."""

import json

import numpy as np
import pytest
from helpers import unwrapped
from refusals import refusals
from scipy.stats import t

from prfast import PRCurve
from prfast.comparison import Comparison, Evaluation, Evaluator
from prfast.curve.summary import read_row
from prfast.estimate.intervals import bootstrap_models, undetected
from prfast.estimate.profiles import Profile
from prfast.methods.base import Scores
from prfast.scalars import Metrics

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(600, 2))
MODELS = {
    "good": RNG.normal(size=(600, 2)),
    "twin": RNG.normal(size=(600, 2)),
    "narrow": 0.4 * RNG.normal(size=(600, 2)),
}
COMPARED = Evaluator(REAL, "knn", which=["symmetric_precision", "recall"], halvings=12).compare(
    MODELS
)
DIFFERENCES = COMPARED.differences()


def of(number, result=DIFFERENCES):
    return {(x.model, x.other): x for x in result if x.number == number}


def test_every_number_and_every_pair_with_what_the_table_shows():
    curve = ["fidelity", "diversity", "area", "overlap", "F8", "F1/8"]
    assert [x.number for x in DIFFERENCES][::3] == [*curve, "recall", "symmetric_precision"]
    pairs = [("good", "twin"), ("good", "narrow"), ("twin", "narrow")]
    row = {row["model"]: row for row in COMPARED.rows()}
    for number in ("area", "recall", "symmetric_precision"):
        assert list(of(number)) == pairs
        for (a, b), difference in of(number).items():
            key = ": ".join(filter(None, (difference.curve, number)))
            assert difference.value == row[a][key] - row[b][key]
            assert difference.half_width > 0


def test_a_model_that_misses_more_is_told_from_two_that_are_alike():
    for number in ("diversity", "F8", "area", "recall"):
        result = of(number)
        assert not result["good", "twin"].clear
        assert result["good", "narrow"].clear
        assert result["twin", "narrow"].clear
        assert result["good", "narrow"].p < 0.01 < 0.05 < result["good", "twin"].p
    assert len(DIFFERENCES.clear) < len(DIFFERENCES) == 24
    assert json.loads(json.dumps(DIFFERENCES.to_dict())) == DIFFERENCES.to_dict()


def test_beside_a_baseline_there_are_fewer_pairs_and_smaller_errors():
    result = COMPARED.differences(baseline="twin", numbers=["area", "recall"])
    assert [(x.model, x.other) for x in result[:2]] == [("good", "twin"), ("narrow", "twin")]
    assert "all 2 pairs at once" in result.family
    difference = of("area", result)["narrow", "twin"]
    assert difference.half_width < of("area")["twin", "narrow"].half_width
    assert difference.value == -of("area")["twin", "narrow"].value


def test_any_function_of_a_curve_is_a_number():
    def fidelity(curve):
        return curve.at(20)[0]

    result = COMPARED.differences(0.9, numbers=[fidelity, "f8"])
    assert [difference.number for difference in result][::3] == ["fidelity", "F8"]
    curves = [evaluation.curve for evaluation in COMPARED.values()]
    assert result[0].value == fidelity(curves[0]) - fidelity(curves[1])
    assert of("F8", result)["good", "narrow"].half_width < of("F8")["good", "narrow"].half_width


def test_models_that_are_read_off_otherwise_are_not_told_apart_by_that():
    scores = COMPARED["narrow"].scores["knn", "sqrt"]
    hull, higher = scores.curve(), PRCurve.from_masses([4, 1], [1, 4])
    key = ("auto", None)
    models = {
        name: Evaluation({key: curve}, Metrics({}), scores={key: scores})
        for name, curve in (("hull", hull), ("higher", higher))
    }
    result = Comparison(models).differences(numbers="area")
    assert result[0].value == hull.area - higher.area < -0.1
    assert result[0].half_width > 1.9 * (higher.area - hull.area)
    assert not result[0].clear


def test_a_model_beside_itself_differs_by_nothing():
    evaluation = COMPARED["good"]
    result = Comparison({"a": evaluation, "b": evaluation}).differences(numbers=["area", "recall"])
    assert [(x.value, x.clear) for x in result] == [(0.0, False)] * 2
    assert result[1].half_width == 0.0
    assert result[1].p == 1.0
    assert result.family == "± and p for the pair of a number, confidence 0.95"


def bare(info, key=("knn", 5)):
    curve = PRCurve.from_masses([3, 6], [6, 3], info=info)
    return Evaluation({key: curve}, Metrics({"recall": 0.5}, {}))


test_errors_name_the_argument = refusals("""
COMPARED.differences(numbers=[lambda _: float("inf")])
    ValueError: numbers: finite numbers of the curve and of all that are drawn from it expected, got
    inf
Comparison({"a": COMPARED["good"]}).differences()
    ValueError: differences: at least two models expected, got 1
COMPARED.differences(baseline="best")
    ValueError: baseline: one of 'good', 'twin', 'narrow' or None expected, got 'best'
COMPARED.differences(numbers="density")
    ValueError: numbers: errors of density are known of models of Evaluator(…, halvings=12)
Comparison({"a": bare({}), "b": bare({}, ("ipr", 5))}).differences()
    ValueError: differences: models with a method and k in common expected, got none
""")


@pytest.mark.parametrize(("size", "clear"), [(3, False), (30, True)])
def test_what_no_draw_moves_is_as_sure_as_its_samples(size, clear):
    """Sets that are apart, and equal ones: every bootstrap sample gives 0, or 1.  Both cells of
    sets that are apart may have samples of the other set."""
    scores = {
        "apart": Scores(np.ones(size), np.zeros(size), np.arange(size)),
        "equal": Scores(np.ones(size), np.ones(size), np.arange(size)),
    }
    models = {
        name: Evaluation({("s", None): score.curve()}, Metrics({}), scores={("s", None): score})
        for name, score in scores.items()
    }
    (result,) = Comparison(models).differences(numbers=["area"])
    assert result.value == -1
    most = 1 + size / -np.log(0.05)  # samples for each that may be in the other set's cell
    mixed = PRCurve.from_masses([most - 1, 1], [1, most - 1])
    least = 2 * (1 - 0.05 ** (1 / size))
    assert result.half_width == pytest.approx(min(1.0, max(least, mixed.area)), rel=0.02)
    assert result.clear == clear
    assert (result.p < 0.05) == clear


def of_counts(p, q):
    info = {"scored_real": 1000, "scored_fake": 1000}
    return PRCurve.from_masses(1000 * np.array(p), 1000 * np.array(q), info=info)


def far_models(*areas, with_profiles=True):
    """Models that have nothing in common with the real samples, but at resolution 0.8."""
    far, models = of_counts([1, 0], [0, 1]), {}
    for i, area in enumerate(areas):
        profile = Profile({0: far, 0.8: of_counts([1 - area, area], [0.001, 0.999])})
        extra = {"profile": profile} if with_profiles else {}
        models[f"m{i}"] = Evaluation({("auto", None): far}, Metrics({}), **extra)
    return Comparison(models)


def test_models_without_an_area_differ_by_their_coarse_areas():
    compared = far_models(0.6, 0.61, 0.2)
    result = of("coarse area", compared.differences())
    assert [difference.clear for difference in result.values()] == [False, True, True]
    assert result["m0", "m2"].value == pytest.approx(0.4, abs=0.01)
    (alone,) = Comparison({k: compared[k] for k in ("m0", "m2")}).differences(numbers="coarse_area")
    deviation = np.sqrt((0.6 * 0.4 + 0.2 * 0.8) / 1000)  # of two shares of independent samples
    assert alone.half_width == pytest.approx(1.96 * deviation, rel=0.1)
    assert alone.words == "is closer to the real samples than"


def of_sizes(masses, size):
    """A model of so many generated samples, in ranges of scores by masses."""
    counts = [np.round(n * np.array(x)) for n, x in zip((1000, size), masses, strict=True)]
    entries = {"n_real": 1000, "n_fake": size, "scored_real": 1000, "scored_fake": size}
    curve = PRCurve.from_masses(*counts, info=entries)
    return Evaluation({("auto", None): curve}, Metrics({}))


def test_what_fits_to_more_samples_would_detect_is_no_clear_difference():
    """A model of few samples is higher, as its fit misses more of what differs."""
    few, many = of_sizes(([0.6, 0.4], [0.4, 0.6]), 300), of_sizes(([0.7, 0.3], [0.3, 0.7]), 5000)
    (found,) = Comparison({"few": few, "many": many}).differences(numbers="area")
    assert found.clear
    smaller = {"real": [0.5, 0.5], "fake": [0.5, 0.5], "ratio": 1.8}
    falling = Evaluation(
        {("auto", None): few.curve._changed({"smaller_fit": smaller})}, Metrics({})
    )
    (wider,) = Comparison({"few": falling, "many": many}).differences(numbers="area")
    assert not wider.clear
    assert wider.p >= 0.05
    # No more samples of the same number make it smaller: it is added, and not in quadrature.
    fall = undetected(falling.curve, [read_row("number", "area")])[0, 0]
    assert wider.half_width - found.half_width == pytest.approx(fall, rel=0.05)


def test_no_difference_is_surer_than_the_numbers_of_its_models():
    """Where no sample is unlike the other set, some may still be: 4 % of 150, in the difference as
    in the interval of each model."""
    entries = {"n_real": 150, "n_fake": 150, "scored_real": 150, "scored_fake": 150}
    smaller = {"real": [0.5, 0.5], "fake": [0.5, 0.5], "ratio": 1.8}
    models = {
        name: Evaluation({("auto", None): PRCurve.from_masses(p, q, info=entries)}, Metrics({}))
        for name, p, q in (("near", [90, 60], [60, 90]), ("far", [150, 0], [0, 150]))
    }
    for model in models.values():
        model.curves["auto", None] = model.curve = model.curve._changed({"smaller_fit": smaller})
    (found,) = Comparison(models).differences(numbers="fidelity")
    intervals = [model.curve.interval("fidelity") for model in models.values()]
    assert found.value == pytest.approx(1.0)
    assert found.half_width >= max(interval.half_width for interval in intervals) > 0.04


def test_models_of_other_sizes_have_a_note_on_what_depends_on_them():
    sizes = {"few": 60, "many": 600}
    models = {name: RNG.normal(size=(size, 2)) + 0.5 for name, size in sizes.items()}
    evaluator = Evaluator(REAL, "knn", which=["precision", "coverage"], halvings=12)
    compared = evaluator.compare(models)
    assert "Numbers of generated samples differ, few (60)" in unwrapped(str(compared))
    differences = compared.differences()
    assert differences.left_out == ["coverage"] != {difference.number for difference in differences}


def test_few_large_weights_and_groups_widen_differences():
    rng = np.random.default_rng(1)
    real, fakes = rng.normal(size=(200, 1)), rng.normal(size=(2, 200, 1)) - 1
    weights = {name: np.exp(1.3 * fake[:, 0]) for name, fake in zip("ab", fakes, strict=True)}
    evaluator = Evaluator(real, lambda x: x[:, 0], which=())
    compared = evaluator.compare(dict(zip("ab", fakes, strict=True)), w_fake=weights)
    differences = compared.differences(numbers="area")
    (difference,) = differences
    assert "leave an effective size below 100" in unwrapped(str(differences))
    drawn = bootstrap_models([next(iter(x.scores.values())) for x in compared.values()], 0)
    areas = [[curve.area for curve in of_model] for of_model in drawn]
    deviation = np.hypot(*np.std(areas, axis=1, ddof=1))
    freedom = min((w**2).sum() ** 2 / (w**4).sum() for w in weights.values()) / 2
    assert freedom < 10
    assert difference.half_width > 0.9 * t.ppf(0.975, freedom) * deviation


def test_a_clear_difference_and_the_intervals_of_both_models_agree():
    """Sets of 100 far samples prove little of fidelity, and no difference of it either."""
    for seed in range(4):
        real, near, far = np.random.default_rng(seed).normal(size=(3, 100, 8))
        near[:, 0] += 1.0
        sets = {"near": near, "far": far + 1.5}
        models = Evaluator(real, "knn", which=[], random_state=seed).compare(sets)
        numbers = {"fidelity": "fidelity", "diversity": "diversity", "area": "area"}
        for title, key in numbers.items():
            (difference,) = (x for x in models.differences() if x.number == title)
            first, second = (model.curve.interval(key) for model in models.values())
            assert second.half_width <= difference.half_width + 1e-9
            assert not (difference.clear and first.value <= second.high)
