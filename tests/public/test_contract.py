"""What every public function of two sets promises: one result for equal numbers, whatever
holds them and whichever threads compute it; sets that do not belong together are refused."""

import json
import pickle
import re

import numpy as np
import pytest
from calls import CALLS, SEEDLESS, WITHOUT_SEED, content, first
from helpers import at_once
from refusals import refused

import prfast
from prfast.samples.features import with_record

RNG = np.random.default_rng(0)
REAL = RNG.integers(-40, 40, (60, 3)).astype(np.float64)
FAKE = RNG.integers(-30, 50, (50, 3)).astype(np.float64)
EVERY = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
NAMED = pytest.mark.parametrize("name", CALLS)


@pytest.fixture(scope="module")
def results():
    return {name: call(REAL, FAKE, n_jobs=1) for name, call in CALLS.items()}


@pytest.fixture(scope="module")
def expected(results):
    return {name: content(result) for name, result in results.items()}


@NAMED
@pytest.mark.usefixtures("many_cores")
def test_threads_change_no_bit(name, expected):
    assert content(CALLS[name](REAL, FAKE, n_jobs=5)) == expected[name]


@NAMED
def test_calls_in_several_threads_have_the_result_of_one(name, expected):
    calls = [lambda: content(CALLS[name](REAL, FAKE, n_jobs=1))] * 3
    assert at_once(calls) == [expected[name]] * 3


LAYOUTS = {
    "Fortran order": np.asfortranarray,
    "every second row": lambda x: np.repeat(x, 2, axis=0)[::2],
    "float32": np.float32,
    "integers": np.int64,
    "big-endian": lambda x: x.astype(">f8"),
    "lists": lambda x: x.tolist(),
}


# Why a result depends on what holds the numbers.
DEPENDS = {
    ("profile", "float32"): "noise has the type of the samples",
    ("by_class", "float32"): "classes are centered in the type of the samples",
    ("metrics, distances", "Fortran order"): "BLAS sums columns in another order",
    ("copies", "lists"): "the call takes rows of an array",
}
SAME = [(name, layout) for name in CALLS for layout in LAYOUTS if (name, layout) not in DEPENDS]


@pytest.mark.parametrize(("name", "layout"), SAME)
def test_equal_numbers_have_one_result(name, layout, expected):
    real, fake = map(LAYOUTS[layout], (REAL, FAKE))
    assert content(CALLS[name](real, fake, n_jobs=1)) == expected[name]


@NAMED
def test_samples_and_the_state_of_numpy_stay_as_they_are(name, expected):
    real, fake = REAL.copy(), FAKE.copy()
    for points in (real, fake):
        points.flags.writeable = False
    before = np.random.get_state()[1:3]  # noqa: NPY002
    assert content(CALLS[name](real, fake, n_jobs=1)) == expected[name]
    after = np.random.get_state()[1:3]  # noqa: NPY002
    assert (before[0].tolist(), before[1]) == (after[0].tolist(), after[1])


@NAMED
def test_a_result_is_the_same_when_pickled_and_its_content_is_json(name, results, expected):
    again = pickle.loads(pickle.dumps(results[name]))
    assert np.all(again == results[name])
    assert (repr(again), str(again)) == (repr(results[name]), str(results[name]))
    assert content(again) == expected[name]
    assert json.loads(json.dumps(expected[name])) == expected[name]


@pytest.mark.parametrize("name", [name for name in CALLS if name not in SEEDLESS])
def test_another_seed_gives_another_result(name, expected):
    assert content(CALLS[name](REAL, FAKE, n_jobs=1, random_state=7)) != expected[name]


@pytest.mark.parametrize("name", ["profile", "two_sample_test", "copies", "by_class", "metrics"])
def test_results_of_other_samples_are_not_equal(name, results):
    assert CALLS[name](REAL, FAKE + 1, n_jobs=1) != results[name]


@pytest.mark.parametrize("name", [name for name in CALLS if name not in WITHOUT_SEED])
def test_a_wrong_seed_is_named(name):
    with refused(ValueError, "random_state: an integer in [0, 2**32) expected, got -1"):
        CALLS[name](REAL, FAKE, random_state=-1)


def error_of(call, real, fake):
    with pytest.raises((TypeError, ValueError)) as error:
        call(real, fake)
    return str(error.value)


@EVERY
def test_wrong_samples_are_named(call):
    wrong = FAKE.copy()
    wrong[7, 1] = np.nan
    text = error_of(call, REAL, wrong)
    assert text == "fake: finite numbers expected, got nan in row 7, column 1"
    text = error_of(call, REAL, FAKE[:, :2])
    assert re.match(
        r"(real|train) and fake: the same number of features expected, got 3 and 2", text
    )
    assert error_of(call, REAL, FAKE[:, 0]).startswith("fake: a 2-D array (samples × features)")


@EVERY
def test_columns_are_matched_by_name_and_others_are_refused(call):
    """By their places widths would be compared with heights."""
    pandas = pytest.importorskip("pandas")
    real, fake = (pandas.DataFrame(points, columns=[*"abc"]) for points in (REAL, FAKE))
    turned = content(call(real, fake[["c", "a", "b"]]))
    assert turned == content(call(real, fake))
    for names, difference in (("abd", " and 'c' only in"), ("abcd", "")):
        points = pandas.DataFrame(FAKE[:, [0, 1, 2, 0][: len(names)]], columns=[*names])
        text = error_of(call, real, points)
        start = (
            rf"(real|train) and fake: the same columns expected, got 'd' only in fake{difference}"
        )
        assert re.match(start, text), text


@EVERY
def test_features_of_two_models_are_refused(call):
    real, fake = with_record(REAL, {"model": "one"}), with_record(FAKE, {"model": "another"})
    text = error_of(call, real, fake)
    assert re.match(r"(real|train) and fake: features made in one way expected, got model", text)


W, V = np.arange(60) % 4, 0.5 + np.arange(50)
GROUPS = np.arange(60) // 3, 100 + np.arange(50) // 2
WEIGHTED = ("pr_curve, auto", "pr_curve, kmeans", "pr_curve, classifier", "two_sample_test")
WEIGHTED += ("profile",)


@pytest.mark.parametrize("name", WEIGHTED)
def test_weights_have_no_unit_and_equal_ones_change_nothing(name, expected):
    call = CALLS[name]
    weighted = content(call(REAL, FAKE, n_jobs=1, w_real=W, w_fake=V))
    assert content(call(REAL, FAKE, n_jobs=1, w_real=W * 2.0**30, w_fake=V / 8)) == weighted
    equal = call(REAL, FAKE, n_jobs=1, w_real=np.full(60, 7), w_fake=[0.1] * 50)
    assert content(equal) == expected[name]
    assert weighted != expected[name]


@pytest.mark.parametrize("name", [*WEIGHTED, "by_class"])
def test_weights_and_groups_of_another_length_are_named(name):
    with refused(ValueError, "w_real: 60 numbers expected, got 59"):
        CALLS[name](REAL, FAKE, w_real=W[1:])
    with refused(ValueError, "groups: one label a sample"):
        CALLS[name](REAL, FAKE, groups=(GROUPS[0][1:], GROUPS[1]))


def scored_curve(real, fake, **given):
    return [prfast.pr_curve(real, fake, first, **given)]


def scored_profile(real, fake, **given):
    """The scored feature has no noise, so that repeated rows stay equal in it."""
    profile = prfast.profile(real, fake, [0, 0.8], first, noise=[0, 1, 1], **given)
    return [*profile.estimates.values()]


def scored_classes(real, fake, **given):
    classes = [np.sign(points[:, 1]).astype(int) for points in (real, fake)]
    result = prfast.by_class(real, fake, *classes, first, which="precision", **given)
    return [result.labels, *(x for curves in result.curves.values() for x in curves.values())]


@pytest.mark.parametrize("call", [scored_curve, scored_profile, scored_classes])
@pytest.mark.parametrize("seed", range(3))
def test_whole_weights_are_repeated_rows(call, seed):
    w, v = (np.random.default_rng(seed).integers(0, 4, n) for n in (60, 50))
    weighted = call(REAL, FAKE, w_real=w, w_fake=v)
    repeated = call(np.repeat(REAL, w, axis=0), np.repeat(FAKE, v, axis=0))
    for curve, expected in zip(weighted, repeated, strict=True):
        for masses in zip(curve.masses, expected.masses, strict=True):
            np.testing.assert_allclose(*masses, rtol=0, atol=1e-12)


def test_several_methods_have_the_weighted_curves_of_each():
    given = {"w_real": W, "w_fake": V, "groups": GROUPS, "n_jobs": 1}
    curves = prfast.pr_curves(REAL, FAKE, ["auto", "kmeans"], **given)
    for name in ("auto", "kmeans"):
        assert curves[name, None] == prfast.pr_curve(REAL, FAKE, name, **given)
