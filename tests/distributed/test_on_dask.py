"""Everything that takes samples, on workers: the numbers, records and errors of one process."""

import gc
import warnings

import numpy as np
import pytest
from refusals import refused
from written import KINDS, write

import prfast

distributed = pytest.importorskip("distributed")
da = pytest.importorskip("dask.array")

from prfast.distributed.reading import read_samples  # noqa: E402

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(120, 4)).astype(np.float32)
FAKE = np.concatenate([RNG.normal(0.5, size=(90, 4)), REAL[:10]]).astype(np.float32)
DISTANCES = ("frechet_distance", "kernel_distance")
LABELS = np.arange(120) % 3, np.arange(100) % 3


@pytest.fixture(autouse=True)
def _workers(client):
    client.wait_for_workers(2, timeout=60)


def in_files(folder, kind, real=REAL, fake=FAKE):
    return (
        prfast.distributed.shards(write(folder, name, rows, kind, (41, 42)), rows=30)
        for name, rows in (("real", real), ("fake", fake))
    )


def everything(real, fake, package=prfast, **where):
    """Numbers and records of every function of a package that takes samples."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", prfast.Contradiction)
        metrics = package.metrics(real, fake, 3, **where)
        distances = package.metrics(real, fake, 3, DISTANCES, **where)
        curves = package.pr_curves(real, fake, k=[2, "sqrt"], **where)
        of_class = package.by_class(real, fake, *LABELS, ["coverage"], 2, **where)
        return {
            "metrics": (dict(metrics), dict(metrics.info)),
            "distances": (dict(distances), dict(distances.errors)),
            "realism": package.realism(real, fake, **where).tobytes(),
            "curves": {key: (one.area, dict(one.info)) for key, one in curves.items()},
            "classes": str(of_class),
        }


@pytest.fixture(scope="module")
def of_one_process():
    return everything(REAL, FAKE)


def test_shards_of_npy_on_workers(client, of_one_process, tmp_path):
    assert (
        everything(*in_files(tmp_path, "npy"), prfast.distributed, client=client) == of_one_process
    )


@pytest.mark.nightly
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "npy"])
def test_shards_of_other_files_on_workers(client, kind, tmp_path):
    real, fake = in_files(tmp_path, kind)
    assert prfast.distributed.metrics(real, fake, client=client) == prfast.metrics(REAL, FAKE)


def test_dask_arrays_on_workers(client, of_one_process):
    real, fake = da.from_array(REAL, chunks=(50, 4)), da.from_array(FAKE, chunks=(33, 3))
    assert everything(real, fake, prfast.distributed) == of_one_process


def test_subsets_of_dask_arrays_are_looked_at_by_the_workers(client):
    real, fake = da.from_array(REAL, chunks=(50, 4)), da.from_array(FAKE, chunks=(33, 3))
    options = {"kernel_subsets": 4, "kernel_subset_size": 60}
    found, expected = (
        package.metrics(*sets, which="kernel_distance", **options)
        for package, sets in ((prfast.distributed, (real, fake)), (prfast, (REAL, FAKE)))
    )
    assert found == expected
    assert found.info["kernel_deviation"] == expected.info["kernel_deviation"]


def test_an_evaluator_on_workers(client, tmp_path):
    real, fake = in_files(tmp_path, "npy")
    evaluator = prfast.distributed.Evaluator(real, ["knn", "ipr"], 3, halvings=1, client=client)
    wanted = prfast.Evaluator(REAL, ["knn", "ipr"], 3, halvings=1)
    assert str(evaluator.compare({"a": fake})) == str(wanted.compare({"a": FAKE}))


@pytest.mark.nightly
def test_auto_on_workers(client, tmp_path):
    curves = [
        prfast.distributed.pr_curve(*in_files(tmp_path, "npy"), client=client),
        prfast.pr_curve(REAL, FAKE),
    ]
    assert curves[0].area == curves[1].area
    assert curves[0].info == curves[1].info


@pytest.mark.parametrize("scale", [1e-170, 1e180])
def test_squares_out_of_range_on_workers(client, scale, tmp_path):
    real, fake = (rows.astype(np.float64) * scale for rows in (REAL, FAKE))
    found = prfast.distributed.metrics(*in_files(tmp_path, "npy", real, fake), client=client)
    assert found == prfast.metrics(real, fake)


def test_chunks_of_unknown_length_and_of_many_columns(client):
    array = da.from_array(REAL, chunks=(50, 2))
    some = array[array[:, 0] > 0]
    found = read_samples("real", some, client)
    assert np.array_equal(
        np.concatenate([piece.held.result().rows for piece in found.pieces]), REAL[REAL[:, 0] > 0]
    )
    assert found.dtype == np.float32


@pytest.mark.parametrize("dtype", ["float16", "int8", "int64", ">f8"])
def test_chunks_are_made_numbers_once(client, dtype):
    array = da.from_array((10 * REAL).astype(dtype), chunks=(50, 4))
    found = read_samples("real", array, client)
    assert found.dtype == prfast.inputs.arrays.read_numbers("x", (10 * REAL).astype(dtype)).dtype
    assert {piece.held.type.__name__ for piece in found.pieces} == {"Held"}


def test_chunks_are_forgotten_with_the_set(client):
    gc.collect()  # tracebacks of tests before hold handles
    read_samples("real", da.from_array(REAL, chunks=(50, 4)), client)
    for _ in range(100):
        if not client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)):
            break
        client.run(int)  # gives the scheduler time
    assert client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)) == 0


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        (np.where(np.arange(480).reshape(120, 4) == 333, np.nan, REAL), ValueError, None),
        (REAL[:, 0], ValueError, None),
        (REAL[:, :0], ValueError, None),
        (REAL.astype("complex64"), TypeError, "real: float32, float64, float16, integer or"),
        (REAL[:1], ValueError, None),
    ],
)
def test_errors_of_dask_arrays_are_those_of_one_process(client, rows, error, message):
    if message is None:
        with pytest.raises(error) as raised:
            prfast.metrics(rows, FAKE)
        message = str(raised.value)
    pieces = da.from_array(rows, chunks=(50, *rows.shape[1:]))
    with refused(error, message):
        prfast.distributed.metrics(pieces, da.from_array(FAKE))


@pytest.mark.nightly
def test_chunks_that_come_out_otherwise_when_they_are_made_again(client):
    found = read_samples("real", da.from_array(REAL, chunks=(120, 4)), client)
    (piece,) = found.pieces
    other = piece._replace(checksum=piece.checksum ^ 1)
    assert np.array_equal(piece._replace(held=piece.held.result()).load(), REAL)
    with refused(ValueError, "a chunk: was computed again and came out otherwise"):
        other._replace(held=piece.held.result()).load()


def test_a_file_that_changed_after_the_look(client, tmp_path):
    real, fake = in_files(tmp_path, "npy")
    evaluator = prfast.distributed.Evaluator(real, ["knn"], 3, client=client)
    np.save(real.files[2], REAL[42:][::-1])
    with pytest.raises(ValueError, match=r"real-11\.npy: has changed since it was looked at"):
        evaluator.curves(fake)


@pytest.mark.nightly
def test_a_worker_that_is_killed_changes_nothing(client, tmp_path):
    import submitted

    from prfast.distributed.dask import DaskCluster

    real, fake = (da.from_array(rows, chunks=(30, 4)) for rows in (REAL, FAKE))
    evaluator = prfast.distributed.Evaluator(real, ["knn"], 3, client=client)
    cluster = DaskCluster(client)
    cluster.gather([cluster.submit(submitted.die_once, str(tmp_path / "mark"), 0)])
    curves = evaluator.curves(fake)
    wanted = prfast.Evaluator(REAL, ["knn"], 3).curves(FAKE)
    assert {key: one.area for key, one in curves.items()} == {
        key: one.area for key, one in wanted.items()
    }


def test_a_frame_is_no_array(client):
    dd = pytest.importorskip("dask.dataframe")
    pandas = pytest.importorskip("pandas")
    frame = dd.from_pandas(pandas.DataFrame(REAL), npartitions=2)
    with pytest.raises(TypeError, match=r"real: shards or a dask .*; real\.to_dask_array\(\)"):
        prfast.distributed.metrics(frame, frame)


def test_functions_of_arrays_name_those_of_pieces():
    array = da.from_array(REAL)
    message = "real: an array expected, got a dask.array.core.Array; prfast.distributed.pr_curve, "
    for call in (prfast.pr_curve, prfast.metrics, prfast.realism):
        with refused(TypeError, message):
            call(array, array)
    with refused(TypeError, message):
        prfast.Evaluator(array)


def test_dask_arrays_need_dask():
    from prfast.distributed.partitions import Here

    with refused(TypeError, "client: a distributed.Client expected for dask arrays; client = "):
        read_samples("real", da.from_array(REAL), Here())


def test_no_client_is_started_silently(tmp_path):
    import subprocess
    import sys

    np.save(tmp_path / "a.npy", REAL)
    program = (
        "from prfast.distributed import metrics, shards; "
        f"x = shards({str(tmp_path / 'a.npy')!r}); metrics(x, x)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(
        "client: a distributed.Client expected for samples in pieces, and there is none; client = "
        "distributed.Client() starts workers on this machine, distributed.Client('tcp://…:8786') "
        "takes those of a scheduler"
    )
