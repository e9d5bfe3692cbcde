"""The automatic estimator as a whole: what decides its scores, and what does not."""

import multiprocessing
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from made import pair

from prfast import PRCurve, pr_curve
from prfast.methods.auto import Auto
from prfast.methods.base import read_context

REAL, FAKE = pair(300, 200, 6)


def auto_scores(real, fake, folds=10, **context):
    return Auto(folds=folds).scores(real, fake, context=read_context(**context))


def log_ratios(**context):
    return both(auto_scores(REAL, FAKE, **context))


def both(scores):
    return np.concatenate([scores.real, scores.fake])


# ---- scores ------------------------------------------------------------------------------------


def test_every_sample_has_a_log_ratio_and_the_curve_is_its_read_out():
    scored = auto_scores(REAL, FAKE, n_jobs=1)
    assert (scored.real.shape, scored.fake.shape) == ((300,), (200,))
    assert scored.real.mean() > scored.fake.mean() + 0.5
    curve = pr_curve(REAL, FAKE)
    assert curve.hull == PRCurve.from_scores(scored.real, scored.fake)
    assert curve.info["weights"] == scored.provenance.weights
    assert sum(scored.provenance.weights.values()) == pytest.approx(1, abs=1e-3)


@pytest.mark.nightly
@pytest.mark.parametrize("read_out", ["mean", "hull", "smooth"])
def test_read_outs_are_of_the_same_scores(read_out):
    curve = pr_curve(REAL, FAKE, read_out=read_out)
    assert curve.info["read_out"] == read_out
    assert curve.hull == pr_curve(REAL, FAKE).hull
    if read_out == "hull":
        lam = np.geomspace(0.1, 10, 9)
        np.testing.assert_allclose(curve.at(lam), curve.hull.at(lam), rtol=1e-12)


# ---- what changes nothing ------------------------------------------------------------------------


@pytest.mark.usefixtures("many_cores")
@pytest.mark.parametrize("jobs", [1, 2, 3, 16])
def test_threads_change_no_bit(jobs):
    assert np.array_equal(log_ratios(n_jobs=jobs), log_ratios(n_jobs=1))


@pytest.mark.nightly
def test_threads_change_no_bit_of_many_features_in_several_blocks():
    real, fake = pair(700, 600, 300)
    one, three = (both(auto_scores(real, fake, 2, n_jobs=jobs)) for jobs in (1, 3))
    assert np.array_equal(one, three)


def test_a_seed_decides_everything_whatever_was_called_before():
    first = log_ratios(random_state=3)
    log_ratios(random_state=4)
    assert np.array_equal(log_ratios(random_state=3), first)
    assert not np.array_equal(log_ratios(random_state=4), first)


def test_the_state_of_numpys_random_numbers_is_left_as_it_was():
    before = np.random.get_state()[1:3]  # noqa: NPY002
    log_ratios()
    after = np.random.get_state()[1:3]  # noqa: NPY002
    assert np.array_equal(before[0], after[0])
    assert before[1] == after[1]


@pytest.mark.nightly
def test_calls_in_several_threads_are_those_of_one():
    expected = [log_ratios(random_state=seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda seed: log_ratios(random_state=seed), range(4)))
    # OpenBLAS keeps its threads where not the main thread asks for one: last digits differ.
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=0.02)


def _in_child(queue):
    queue.put(log_ratios())


@pytest.mark.skipif(sys.platform != "linux", reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_child_gives_the_same():
    expected = log_ratios()  # threads have run in the parent
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=_in_child, args=(queue,))
    child.start()
    found = queue.get()
    child.join(10)
    assert child.exitcode == 0
    assert np.array_equal(found, expected)


# ---- while it runs -------------------------------------------------------------------------------
