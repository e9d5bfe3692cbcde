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
from prfast import Evaluator, metrics

da = pytest.importorskip("dask.array")

from prfast.distributed import Chunks, shards  # noqa: E402
from prfast.distributed.dask import DaskCluster  # noqa: E402
from prfast.samples.samples import Samples  # noqa: E402

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(120, 4)).astype(np.float32)
FAKE = np.concatenate([RNG.normal(0.5, size=(90, 4)), REAL[:10]]).astype(np.float32)
LABELS = np.arange(120) % 3, np.arange(100) % 3


@pytest.fixture(autouse=True)
def _workers(client):
    client.wait_for_workers(2, timeout=60)


def in_files(folder, client):
    for name, rows in (("real", REAL), ("fake", FAKE)):
        yield shards(write(folder, name, rows, "npy", (41, 42)), rows=30, client=client)


def chunked(rows, *chunks):
    return Chunks(da.from_array(rows, chunks=chunks))


def in_chunks():
    return chunked(REAL, 50, 4), chunked(FAKE, 33, 3)


def all_results(real, fake):
    """Return numbers and records of every function that takes partitioned samples."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", prfast.Contradiction)
        scalars = prfast.metrics(real, fake, 3)
        distances = ("frechet_distance", "kernel_distance", "gaussian_distance")
        distances = prfast.metrics(real, fake, 3, distances)
        curves = prfast.pr_curves(real, fake, k=2)
        classes = prfast.by_class(real, fake, *LABELS, ["coverage"], 2)
        return {
            "metrics": (dict(scalars), dict(scalars.info)),
            "distances": (dict(distances), dict(distances.errors), dict(distances.info)),
            "realism": prfast.realism(real, fake).tobytes(),
            "curves": {key: (curve.area, dict(curve.info)) for key, curve in curves.items()},
            "classes": str(classes),
        }


@pytest.fixture(scope="module")
def results_of_arrays():
    return all_results(REAL, FAKE)


def test_results_of_files_are_those_of_arrays(client, results_of_arrays, tmp_path):
    results = all_results(*in_files(tmp_path, client))
    assert results == results_of_arrays


@pytest.mark.nightly
def test_results_of_dask_arrays_are_those_of_arrays(results_of_arrays):
    assert all_results(*in_chunks()) == results_of_arrays


def test_the_bandwidth_of_many_rows_is_that_of_the_same_random_ones():
    many, name = np.random.default_rng(1).normal(size=(2100, 2)), "gaussian_distance"
    result = metrics(chunked(many, 400, 2), chunked(FAKE[:, :2], 33, 2), 3, name)
    assert result == prfast.metrics(many, FAKE[:, :2], 3, name)


def test_weights_are_refused():
    selection = np.arange(120) % 2.0  # rows of weight 0 would be dropped
    message = "w_real: None expected for partitioned samples"
    with refused(ValueError, message):
        metrics(*in_chunks(), w_real=selection)
    with refused(ValueError, message):
        Evaluator(in_chunks()[0], ["knn"], 3, w_real=selection).evaluate(in_chunks()[1])


def test_an_evaluator_of_files(client, tmp_path):
    real, fake = in_files(tmp_path, client)
    evaluator = Evaluator(real, ["knn", "ipr"], 3, halvings=1)
    expected = prfast.Evaluator(REAL, ["knn", "ipr"], 3, halvings=1)
    assert str(evaluator.compare({"a": fake})) == str(expected.compare({"a": FAKE}))
    with refused(TypeError, "pickle: arrays expected, got partitioned samples"):
        pickle.dumps(evaluator)
    with refused(TypeError, "fake: partitioned samples expected, as the real ones are"):
        evaluator.evaluate(FAKE)


def test_chunks_of_unknown_length_and_of_many_columns(client):
    array = da.from_array(REAL, chunks=(50, 2))
    samples = Samples.read("real", Chunks(array[array[:, 0] > 0], client)).source
    rows = [chunk.rows.result() for chunk in samples.partitions]
    assert np.array_equal(np.concatenate(rows), REAL[REAL[:, 0] > 0])
    assert samples.dtype == np.float32


def test_chunks_are_released_with_the_set(client):
    gc.collect()  # tracebacks of tests before hold handles
    Samples.read("real", in_chunks()[0])
    for _ in range(100):
        if not client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)):
            break
        client.run(int)  # gives the scheduler time
    assert client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)) == 0


@pytest.mark.nightly
def test_results_survive_the_death_of_a_worker(client, tmp_path):
    real, fake = (chunked(rows, 30, 4) for rows in (REAL, FAKE))
    evaluator = Evaluator(real, ["knn"], 3)
    cluster = DaskCluster(client)
    cluster.gather([cluster.submit(worker_tasks.die_once, str(tmp_path / "mark"), 0)])
    expected = prfast.Evaluator(REAL, ["knn"], 3).evaluate(FAKE)
    areas = [x.curve.area for x in (evaluator.evaluate(fake), expected)]
    assert areas[0] == areas[1]


def test_dask_arrays_are_chunks_first():
    array = da.from_array(REAL)
    message = "real: an array expected, got a dask.array.core.Array; prfast.distributed.Chunks"
    for call in (prfast.pr_curve, metrics, prfast.realism, Evaluator):
        with refused(TypeError, message):
            call(array, array)
    with refused(TypeError, "array: a dask array expected, got a numpy.ndarray"):
        Chunks(REAL)


def test_no_client_is_started_silently(tmp_path):
    np.save(tmp_path / "a.npy", REAL)
    program = (
        "from prfast import metrics; from prfast.distributed import shards; "
        f"x = shards({str(tmp_path / 'a.npy')!r}); metrics(x, x)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    message = "client: a distributed.Client expected for partitioned samples, and there is none; "
    assert f"{message}client = distributed.Client() starts" in done.stderr.splitlines()[-1]
