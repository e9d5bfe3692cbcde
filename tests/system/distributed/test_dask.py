"""The executor protocol on workers of dask.distributed, and its errors."""

import gc
import os
import signal
import threading
import time
from contextlib import contextmanager

import pytest
import worker_tasks
from refusals import refused

distributed = pytest.importorskip("distributed")

from prfast.distributed.dask import DaskCluster  # noqa: E402
from prfast.distributed.partitions import Part  # noqa: E402


@pytest.fixture
def cluster(client):
    client.wait_for_workers(2, timeout=60)  # one may have been killed
    return DaskCluster(client)


@contextmanager
def workers(**options):
    """Yield a client of a cluster of its own; options: of `distributed.LocalCluster`."""
    options = {"threads_per_worker": 1, "dashboard_address": ":0"} | options
    local = distributed.LocalCluster(**options)
    with local, distributed.Client(local, set_as_default=False) as client:
        yield client


def tasks(client):
    """Return the number of tasks that the scheduler and the workers know."""
    on_workers = client.run(lambda dask_worker: len(dask_worker.state.tasks))
    on_scheduler = client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))
    return on_scheduler + sum(on_workers.values())


def wait_until(condition, seconds=5):
    end = time.monotonic() + seconds
    gc.collect()  # tracebacks of errors hold handles
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_handle_is_replaced_by_its_result_anywhere_in_the_arguments(cluster):
    a, b = (cluster.submit(worker_tasks.double, x) for x in (1, 2))
    group = Part((a, b), 0, None, 0, 2)
    handle = cluster.submit(worker_tasks.total, a, [a, b], {"deep": (b, 1)}, group)
    assert cluster.gather([handle]) == [2 + 6 + 5 + 6]


def test_gather_raises_the_error_of_a_task_and_cancels_the_others(cluster, client):
    sleeping = [cluster.submit(worker_tasks.sleep, 0.2, i) for i in range(20)]
    with pytest.raises(ValueError, match=r"^x: refused$"):
        cluster.gather([cluster.submit(worker_tasks.refuse, "x"), *sleeping])
    wait_until(lambda: tasks(client) == 0)
    assert cluster.gather([cluster.submit(worker_tasks.double, 1)]) == [2]


@pytest.mark.nightly
def test_an_error_leaves_the_tasks_of_the_user(cluster, client):
    """Also where nobody holds what stands between the tasks that are cancelled."""
    kept = client.submit(worker_tasks.double, 21, pure=False)
    assert kept.result() == 42
    later = [cluster.submit(worker_tasks.sleep, 0.2, i) for i in range(6)]
    for first in later[:]:
        between = cluster.submit(worker_tasks.double, first)
        later.append(cluster.submit(worker_tasks.double, between))
    del first, between
    with refused(ValueError, "x: refused"):
        cluster.gather([cluster.submit(worker_tasks.refuse, "x"), *later])
    del later
    wait_until(lambda: tasks(client) == 2)  # on the scheduler and on a worker
    assert kept.result() == 42


@pytest.mark.nightly
def test_a_task_that_kills_every_worker_is_an_error_about_memory():
    with workers(n_workers=1) as client:
        cluster = DaskCluster(client)
        with pytest.raises(MemoryError, match=r"the workers died that ran prfast-die-.*smaller pa"):
            cluster.gather([cluster.submit(worker_tasks.die)])


def test_threads_and_memory_are_those_of_all_workers():
    specs = {
        i: {"cls": distributed.Worker, "options": {"nthreads": n, "memory_limit": limit}}
        for i, (n, limit) in enumerate([(1, 10**9), (3, 9 * 10**9), *[(1, 2 * 10**9)] * 4])
    }
    scheduler = {"cls": distributed.Scheduler, "options": {"dashboard_address": ":0"}}
    # The workers are in this process, which may be larger than their limits.
    shares = ("target", "spill", "pause", "terminate")
    never = {f"distributed.worker.memory.{name}": False for name in shares}
    with (
        pytest.importorskip("dask.config").set(never),
        distributed.SpecCluster(specs, scheduler) as six,
        distributed.Client(six, set_as_default=False) as client,
    ):
        cluster = DaskCluster(client)
        assert (cluster.threads, cluster.task_memory) == (8, 650_000_000)


def test_no_workers():
    message = "client: a cluster with workers expected, got none; client.wait_for_workers(1) waits "
    with workers(n_workers=0) as client, refused(ValueError, message):
        DaskCluster(client)


def test_a_closed_client():
    with workers(n_workers=1) as client:
        cluster = DaskCluster(client)
        handle = cluster.submit(worker_tasks.double, 1)
        client.close()
        for use in (
            lambda: DaskCluster(client),
            lambda: cluster.submit(worker_tasks.double, 1),
            lambda: cluster.gather([handle]),
        ):
            with refused(ValueError, "client: an open Client expected, got one that is closed; "):
                use()


@pytest.mark.nightly
def test_a_scheduler_that_is_gone_is_an_error():
    local = distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0")
    with local, distributed.Client(local, set_as_default=False) as client:
        cluster = DaskCluster(client)
        handle = cluster.submit(worker_tasks.sleep, 1, 1)
        timer = threading.Timer(0.3, local.close)
        timer.start()
        with pytest.raises(ConnectionError, match="the scheduler does not answer any more"):
            cluster.gather([handle])
        timer.join()


@pytest.mark.nightly
def test_an_interrupt_leaves_no_task(cluster, client):
    handles = [cluster.submit(worker_tasks.sleep, 0.3, i) for i in range(20)]
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        cluster.gather(handles)
    timer.join()
    wait_until(lambda: tasks(client) == 0)
    assert cluster.gather([cluster.submit(worker_tasks.double, 1)]) == [2]
