"""What does not fit in the workers' memory is refused before any work."""

import numpy as np
import pytest
from refusals import refused

import prfast
from prfast.distributed.dask import DaskCluster
from prfast.distributed.partitions import Here
from prfast.distributed.reading import check_kept, check_piece, read_samples

ROWS = np.zeros((1000, 4), np.float32)


class Small(Here):
    """A worker with little memory."""

    threads, room, memory = 2, 16_000, 64_000


def test_pieces_that_are_too_large(tmp_path):
    np.save(tmp_path / "a.npy", ROWS)
    with refused(
        ValueError,
        "real: pieces of 1000 samples × 4 features take 0.128 MB of a task, and workers have "
        "0.016 MB a thread: at most 125 samples a piece expected (rows= of shards, rechunk of a "
        "dask array), or more memory or fewer threads",
    ):
        read_samples("real", prfast.distributed.shards(tmp_path / "a.npy"), Small())
    assert (
        len(read_samples("real", prfast.distributed.shards(tmp_path / "a.npy", rows=125), Small()))
        == 1000
    )


def test_chunks_that_do_not_fit_together():
    check_kept("real", 32_000, 125, 4, 4, Small())
    with refused(
        ValueError,
        "real: 0.032 MB of chunks that workers keep, and 0.0323 MB of tasks, do not fit in the "
        "0.064 MB that they have: write them to files",
    ):
        check_kept("real", 32_000, 126, 4, 4, Small())


def test_tasks_about_many_neighbors(tmp_path):
    np.save(tmp_path / "a.npy", np.random.default_rng(0).normal(size=(1000, 4)))
    pieces = prfast.distributed.shards(tmp_path / "a.npy", rows=20)
    with pytest.raises(
        ValueError,
        match=r"^client: workers with .* MB a thread expected for tasks on 1000 × 1000 samples "
        r"with k = 900, got 0\.016 MB: more memory, fewer threads, or a smaller k$",
    ):
        prfast.distributed.metrics(pieces, pieces, 900, ["precision"], client=Small())


def test_where_nobody_knows_the_memory_nothing_is_refused():
    check_piece("real", 10**9, 10**3, 8, Here())
    check_kept("real", 10**15, 10**9, 10**3, 8, Here())


def test_arrays_of_dask_are_refused_before_they_are_computed(client):
    da = pytest.importorskip("dask.array")
    client.wait_for_workers(2, timeout=60)
    large = da.zeros((10**7, 100), chunks=(10**4, 100))
    with pytest.raises(
        ValueError, match=r"real: 8 GB of chunks that workers keep, and .* do not fit"
    ):
        prfast.distributed.metrics(large, large)
    with pytest.raises(
        ValueError, match=r"real: pieces of 1000000 samples × 100 features take 6\.4 GB"
    ):
        prfast.distributed.metrics(large.rechunk((10**6, 100)), large)


def test_both_sets_are_counted(client):
    da = pytest.importorskip("dask.array")
    client.wait_for_workers(2, timeout=60)
    cluster = DaskCluster(client)
    chunk = 10_000, 100, 8
    real = da.zeros((200_000, 100), chunks=chunk[:2])
    fake = da.zeros((3_600_000, 100), chunks=chunk[:2])
    check_kept("fake", fake.nbytes, *chunk, cluster)  # alone it fits
    with pytest.raises(ValueError, match=r"^fake: 3\.04 GB of chunks that workers keep"):
        prfast.distributed.metrics(real, fake)
