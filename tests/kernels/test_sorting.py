"""Scores in order: the radix sort against NumPy's, and which of them is taken."""

import subprocess
import sys

import hostile
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prfast import PRCurve
from prfast.curve import masses
from prfast.kernels import masses as kernels
from prfast.kernels import sorting

DTYPES = [np.float32, np.float64]


@st.composite
def vectors(draw, dtype=None, max_size=300):
    """Scores as they come: hostile, tied, in order or against it; none, one, two, many."""
    dtype = dtype or draw(st.sampled_from(DTYPES))
    scores = draw(st.lists(hostile.floats_of(dtype), max_size=max_size))
    order = draw(st.sampled_from(["as they come", "ascending", "descending", "all equal"]))
    if order != "as they come":
        scores.sort(reverse=order == "descending")
    if order == "all equal":
        scores = scores[:1] * len(scores)
    return np.array(scores, dtype)


@given(vectors())
@settings(max_examples=300)
def test_the_radix_sort_is_numpys(scores):
    before = scores.tobytes()
    found, same = kernels.sort(scores, scores[::-1].copy(), 1)
    assert found.dtype == scores.dtype
    assert np.array_equal(found, np.sort(scores))
    assert np.array_equal(same, found)
    assert scores.tobytes() == before


@given(vectors(np.float64), st.integers(0, 2**32 - 1))
@settings(max_examples=300)
def test_weights_stay_beside_their_scores_in_the_order_of_equal_ones(scores, seed):
    weights = np.random.default_rng(seed).random(scores.size)
    before = scores.tobytes(), weights.tobytes()
    found = kernels.sort_weighted(scores, weights, scores[::-1].copy(), weights[::-1].copy(), 1)
    order = np.argsort(scores, kind="stable")
    other = np.argsort(scores[::-1], kind="stable")
    assert np.array_equal(found[0], scores[order])
    assert np.array_equal(found[1], weights[order])
    assert np.array_equal(found[2], scores[order])
    assert np.array_equal(found[3], weights[::-1][other])
    assert (scores.tobytes(), weights.tobytes()) == before


def many(kind, size=50_000):
    """Scores that take each way through the sort: how many digits, and how many stay mixed up."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(size)
    return {
        "all digits": lambda: x,
        "two digits": lambda: rng.integers(0, 300, size).astype(float),
        "one digit": lambda: rng.integers(0, 2, size).astype(float),
        "float32": lambda: x.astype(np.float32).astype(float),
        "a narrow range": lambda: 0.5 + 1e-12 * x,
        # beyond what the highest three digits tell apart: few neighbours, and nearly all
        "a few alike": lambda: x.round(2) + 1e-13 * (rng.random(size) < 0.001),
        "nearly all alike": lambda: np.where(x < 2, 1 + 1e-13 * x, x),
        "saturated": lambda: 1 / (1 + np.exp(-12 - 4 * x)),
        "denormal": lambda: x * 1e-310,
        "all sizes": lambda: np.ldexp(x, rng.integers(-1100, 1000, size)),
        "ascending": lambda: np.sort(x),
        "descending": lambda: -np.sort(x),
        "zeros": lambda: np.where(x > 0, 0.0, -0.0),
        "infinities": lambda: np.where(np.abs(x) < 1, x, np.copysign(np.inf, x)),
    }[kind]()


KINDS = [
    *("all digits", "two digits", "one digit", "float32", "a narrow range", "a few alike"),
    *("nearly all alike", "saturated", "denormal", "all sizes", "ascending", "descending"),
    *("zeros", "infinities"),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.filterwarnings("ignore:overflow encountered in cast:RuntimeWarning")
def test_many_scores_are_in_numpys_order(kind, dtype, threads):
    real = many(kind).astype(dtype)
    fake = real[:40_000][::-1].copy()
    found = kernels.sort(real, fake, threads)
    assert np.array_equal(found[0], np.sort(real))
    assert np.array_equal(found[1], np.sort(fake))
    weights = np.random.default_rng(1).random(real.size)
    wide = real.astype(np.float64)
    order = np.argsort(wide, kind="stable")
    _, _, scores, beside = kernels.sort_weighted(wide[:9], weights[:9], wide, weights, threads)
    assert np.array_equal(scores, wide[order])
    assert np.array_equal(beside, weights[order])


@pytest.mark.parametrize("dtype", DTYPES)
def test_nan_comes_to_an_end_and_loses_no_number(dtype):
    scores = many("all digits", 2000).astype(dtype)
    scores[::3] = np.nan
    for found in kernels.sort(scores, scores[1:], 1):
        assert not np.isnan(found).all()
        assert np.isnan(found).sum() == pytest.approx(2000 / 3, abs=1)


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of address space is Linux's")
@pytest.mark.parametrize("call", ["sort(x, x[:0], 1)", "sort_weighted(x, x, x[:0], x[:0], 1)"])
def test_scratch_that_is_not_there_is_an_error_and_not_a_crash(call):
    """Room for the result, and not for a second copy of the scores."""
    program = f"""
import resource
import numpy as np
from prfast.kernels import masses
x = np.arange(10_000_000.0)
copies = {2.5 if "weighted" in call else 1.5}
pages = int(open("/proc/self/statm").read().split()[0])
room = int(pages * resource.getpagesize() + copies * x.nbytes)
resource.setrlimit(resource.RLIMIT_AS, (room, room))
masses.{call}
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "MemoryError: prfast: no memory for scratch"


# ---- which sort --------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def nothing_decided(monkeypatch):
    monkeypatch.delenv("PRFAST_SORT", raising=False)
    monkeypatch.setattr(sorting, "_sorted", {})
    monkeypatch.setattr(sorting, "_faster", {})


@pytest.fixture
def asked(monkeypatch):
    """The sizes for which the two sorts were timed; the radix sort is said to win."""
    sizes = []

    def measured(scores):
        sizes.append(scores.size)
        return "radix"

    monkeypatch.setattr(sorting, "measured", measured)
    return sizes


@given(hostile.score_pairs(), st.data())
def test_curves_are_those_of_the_other_sort(scores, data):
    weights = [data.draw(hostile.weights_of(len(s))) for s in scores]
    found = []
    for name in sorting.SORTS:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PRFAST_SORT", name)
            found.append(
                (
                    PRCurve.from_scores(*scores),
                    PRCurve.from_scores(*scores, w_real=weights[0], w_fake=weights[1]),
                    PRCurve.from_scores(*scores, w_fake=weights[1]),
                )
            )
    assert found[0] == found[1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", sorting.SORTS)
def test_curves_of_many_scores_are_those_of_numpys_sort(monkeypatch, kind, name):
    real = many(kind)
    fake, weights = real[::2] / 2, 1 + np.random.default_rng(2).random(real.size)
    order, other = np.argsort(real, kind="stable"), np.argsort(fake, kind="stable")
    plain = kernels.sweep(np.sort(real), np.sort(fake))
    ones = np.ones(fake.size)
    weighted = kernels.sweep_weighted(real[order], weights[order], fake[other], ones)
    monkeypatch.setenv("PRFAST_SORT", name)
    assert np.array_equal(masses.of_scores(real, fake), plain)
    assert np.array_equal(masses.of_scores(real, fake, weights), weighted)


def test_a_sort_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setenv("PRFAST_SORT", "bubble")
    message = r"^PRFAST_SORT: one of numpy, radix expected, got 'bubble'$"
    for weights in (None, [1.0, 2.0]):
        with pytest.raises(ValueError, match=message):
            PRCurve.from_scores([0.0, 1.0], [0.5], w_real=weights)


def test_both_sorts_are_timed_once_a_type_when_enough_has_been_sorted(asked):
    scores = many("all digits", sorting.LARGE // 4)
    none = scores[:0]
    for _ in range(3):
        assert sorting.usual(scores, none) == "numpy"
    assert asked == []
    assert sorting.usual(scores, none) == "radix"
    assert sorting.usual(none, scores) == "radix"
    assert asked == [sorting.LARGE >> 8]
    narrow = scores.astype(np.float32)
    assert sorting.usual(narrow[:0], narrow) == "numpy"


def test_few_scores_are_numpys_and_ask_for_nothing(asked):
    few = many("all digits", sorting.FEW // 2)
    for _ in range(2 * sorting.LARGE // sorting.FEW):
        assert sorting.usual(few[1:], few) == "numpy"
    assert asked == []
    assert sorting._sorted == {}


def test_a_large_call_is_decided_at_once_by_a_sample_of_its_larger_class(asked):
    scores = np.zeros(64 * sorting.LARGE, np.float32)
    assert sorting.usual(scores[:5], scores) == "radix"
    assert asked == [1 << 15]


def test_a_sample_is_from_all_over_the_scores():
    scores = np.arange(1000.0)
    assert sorting.sample(scores, 10).tolist() == list(range(0, 1000, 100))
    assert sorting.sample(scores, 999).tolist() == list(range(0, 1000, 2))
    assert np.array_equal(sorting.sample(scores, 1000), scores)


@pytest.mark.parametrize("slow", sorting.SORTS)
def test_the_sort_that_takes_less_time_is_taken(monkeypatch, slow):
    """A clock by which one of them takes a second."""
    clock = [0.0]

    def late(name, sort):
        def call(*arguments):
            clock[0] += 1.0 if name == slow else 0.25
            return sort(*arguments)

        return call

    monkeypatch.setattr(sorting.time, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(sorting.np, "sort", late("numpy", np.sort))
    monkeypatch.setattr(sorting.masses, "sort", late("radix", kernels.sort))
    assert sorting.measured(np.arange(10.0)) in sorting.SORTS
    assert sorting.measured(np.arange(10.0)) != slow


def test_a_thread_a_class_at_most(monkeypatch, many_cores):
    for given_, expected in (("1", 1), ("2", 2), ("64", 2)):
        monkeypatch.setenv("OMP_NUM_THREADS", given_)
        assert sorting.team() == expected


def test_sorts_refuse_weights_of_another_length():
    ones, two = np.ones(1), np.ones(2)
    for arguments in ((ones, two, ones, ones), (ones, ones, two, ones)):
        with pytest.raises(ValueError, match="arrays of one length expected"):
            kernels.sort_weighted(*arguments, 1)
