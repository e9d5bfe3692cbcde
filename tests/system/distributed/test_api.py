"""Functions of partitioned samples on workers: the numbers, records and errors of arrays."""

import gc
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
import worker_tasks
from refusals import refused
from sample_files import write

import prfast
import prfast.distributed

da = pytest.importorskip("dask.array")

from prfast.distributed import Evaluator, metrics, shards  # noqa: E402
from prfast.distributed.api import read_samples  # noqa: E402
from prfast.distributed.dask import DaskCluster  # noqa: E402

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(120, 4)).astype(np.float32)
FAKE = np.concatenate([RNG.normal(0.5, size=(90, 4)), REAL[:10]]).astype(np.float32)
LABELS = np.arange(120) % 3, np.arange(100) % 3


@pytest.fixture(autouse=True)
def _workers(client):
    client.wait_for_workers(2, timeout=60)


def in_files(folder, real=REAL, fake=FAKE):
    return (
        shards(write(folder, name, rows, "npy", (41, 42)), rows=30)
        for name, rows in (("real", real), ("fake", fake))
    )


def in_chunks():
    return da.from_array(REAL, chunks=(50, 4)), da.from_array(FAKE, chunks=(33, 3))


def all_results(real, fake, package=prfast, **client):
    """Return numbers and records of every function of a package that takes samples."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", prfast.Contradiction)
        scalars = package.metrics(real, fake, 3, **client)
        distances = ("frechet_distance", "kernel_distance", "gaussian_distance")
        distances = package.metrics(real, fake, 3, distances, **client)
        curves = package.pr_curves(real, fake, k=2, **client)
        classes = package.by_class(real, fake, *LABELS, ["coverage"], 2, **client)
        return {
            "metrics": (dict(scalars), dict(scalars.info)),
            "distances": (dict(distances), dict(distances.errors), dict(distances.info)),
            "realism": package.realism(real, fake, **client).tobytes(),
            "curves": {key: (curve.area, dict(curve.info)) for key, curve in curves.items()},
            "classes": str(classes),
        }


@pytest.fixture(scope="module")
def results_of_arrays():
    return all_results(REAL, FAKE)


def test_results_of_files_are_those_of_arrays(client, results_of_arrays, tmp_path):
    results = all_results(*in_files(tmp_path), prfast.distributed, client=client)
    assert results == results_of_arrays


@pytest.mark.nightly
def test_results_of_dask_arrays_are_those_of_arrays(results_of_arrays):
    assert all_results(*in_chunks(), prfast.distributed) == results_of_arrays


def test_the_bandwidth_of_many_rows_is_that_of_the_same_random_ones():
    many, name = np.random.default_rng(1).normal(size=(2100, 2)), "gaussian_distance"
    result = metrics(da.from_array(many, chunks=(400, 2)), in_chunks()[1][:, :2], 3, name)
    assert result == prfast.metrics(many, FAKE[:, :2], 3, name)


def test_weights_are_refused():
    selection = np.arange(120) % 2.0  # rows of weight 0 would be dropped
    message = "w_real: None expected for partitioned samples"
    with refused(ValueError, message):
        metrics(*in_chunks(), w_real=selection)
    with refused(ValueError, message):
        Evaluator(in_chunks()[0], ["knn"], 3, w_real=selection).evaluate(in_chunks()[1])


def test_an_evaluator_of_files(client, tmp_path):
    real, fake = in_files(tmp_path)
    evaluator = Evaluator(real, ["knn", "ipr"], 3, halvings=1, client=client)
    expected = prfast.Evaluator(REAL, ["knn", "ipr"], 3, halvings=1)
    assert str(evaluator.compare({"a": fake})) == str(expected.compare({"a": FAKE}))
    with refused(TypeError, "pickle: a reference that is an array expected, got partitions"):
        pickle.dumps(evaluator)
    with refused(TypeError, "fake: shards or a dask array expected"):
        evaluator.evaluate(FAKE)
    with refused(TypeError, "fake: update takes arrays, with a reference that is an array"):
        evaluator.update(FAKE)


def test_chunks_of_unknown_length_and_of_many_columns(client):
    array = da.from_array(REAL, chunks=(50, 2))
    samples = read_samples("real", array[array[:, 0] > 0], client)
    rows = [chunk.rows.result() for chunk in samples.partitions]
    assert np.array_equal(np.concatenate(rows), REAL[REAL[:, 0] > 0])
    assert samples.dtype == np.float32


def test_chunks_are_released_with_the_set(client):
    gc.collect()  # tracebacks of tests before hold handles
    read_samples("real", in_chunks()[0], client)
    for _ in range(100):
        if not client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)):
            break
        client.run(int)  # gives the scheduler time
    assert client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)) == 0


@pytest.mark.nightly
def test_results_survive_the_death_of_a_worker(client, tmp_path):
    real, fake = (da.from_array(rows, chunks=(30, 4)) for rows in (REAL, FAKE))
    evaluator = Evaluator(real, ["knn"], 3, client=client)
    cluster = DaskCluster(client)
    cluster.gather([cluster.submit(worker_tasks.die_once, str(tmp_path / "mark"), 0)])
    expected = prfast.Evaluator(REAL, ["knn"], 3).evaluate(FAKE)
    areas = [x.curve.area for x in (evaluator.evaluate(fake), expected)]
    assert areas[0] == areas[1]


def test_functions_of_arrays_refuse_partitioned_samples():
    array = da.from_array(REAL)
    message = "real: an array expected, got a dask.array.core.Array; prfast.distributed.pr_curve, "
    for call in (prfast.pr_curve, prfast.metrics, prfast.realism):
        with refused(TypeError, message):
            call(array, array)
    with refused(TypeError, message):
        prfast.Evaluator(array)


def test_no_client_is_started_silently(tmp_path):
    np.save(tmp_path / "a.npy", REAL)
    program = (
        "from prfast.distributed import metrics, shards; "
        f"x = shards({str(tmp_path / 'a.npy')!r}); metrics(x, x)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    message = "client: a distributed.Client expected for partitioned samples, and there is none; "
    assert f"{message}client = distributed.Client() starts" in done.stderr.splitlines()[-1]
