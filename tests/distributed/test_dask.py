"""The verbs on workers of dask.distributed: what they return, and what goes wrong."""

import gc
import os
import signal
import socket
import threading
import time
from concurrent.futures import Future
from contextlib import contextmanager

import pytest
import submitted
from refusals import refused

distributed = pytest.importorskip("distributed")

from prfast.distributed import dask  # noqa: E402
from prfast.distributed.dask import (  # noqa: E402  # noqa: E402
    DaskCluster,
    check_versions,
    current_client,
    read_workers,
    reader,
)
from prfast.distributed.partitions import Group  # noqa: E402


@pytest.fixture
def cluster(client):
    client.wait_for_workers(2, timeout=60)  # one may have been killed
    return DaskCluster(client)


def known(client):
    """Tasks that the scheduler and the workers know of."""
    everywhere = client.run(lambda dask_worker: len(dask_worker.state.tasks))
    here = client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))
    return here + sum(everywhere.values())


@contextmanager
def interrupted(seconds):
    """Ctrl-C after so many seconds."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    yield
    timer.join()


def test_answers_come_in_order(cluster):
    handles = [cluster.submit(submitted.slowly, 0.1 - i / 50, i) for i in range(5)]
    assert cluster.gather(handles) == [0, 1, 2, 3, 4]
    assert cluster.gather([]) == []


def test_a_handle_stands_for_its_value_wherever_it_is_among_the_arguments(cluster):
    one, two = cluster.submit(submitted.double, 1), cluster.submit(submitted.double, 2)
    group = Group((one, two), 0, 0, 2, None)
    handle = cluster.submit(submitted.total, one, [one, two], {"deep": (two, 1)}, group)
    assert cluster.gather([handle]) == [2 + 6 + 5 + 6]


def test_equal_calls_are_different_tasks(cluster):
    one, two = (cluster.submit(submitted.double, 1) for _ in range(2))
    assert one.key != two.key
    assert one.key.startswith("prfast-double-")


def test_a_task_raises_its_own_error_and_ends_the_others(cluster, client):
    others = [cluster.submit(submitted.slowly, 0.2, i) for i in range(20)]
    with pytest.raises(ValueError, match=r"^x: refused$"):
        cluster.gather([*others, cluster.submit(submitted.refuse, "x")])
    del others
    soon(lambda: known(client) == 0)


@pytest.mark.nightly
def test_an_error_in_one_thread_leaves_the_tasks_of_another(cluster):
    found, submitted_there = [], threading.Event()

    def other():
        handle = cluster.submit(submitted.slowly, 0.5, 7)
        submitted_there.set()
        found.extend(cluster.gather([handle]))

    thread = threading.Thread(target=other)
    thread.start()
    submitted_there.wait()
    with pytest.raises(ValueError, match="refused"):
        cluster.gather([cluster.submit(submitted.refuse, "x")])
    thread.join()
    assert found == [7]


@pytest.mark.nightly
def test_what_is_kept_outlives_the_errors_of_others(cluster):
    kept = cluster.submit(submitted.double, 1)
    cluster.keep([kept])
    cluster.persist([kept])
    with pytest.raises(ValueError, match="refused"):
        cluster.gather([cluster.submit(submitted.refuse, "x")])
    assert cluster.gather([kept]) == [2]
    with pytest.raises(ValueError, match="refused"):
        cluster.persist([cluster.submit(submitted.refuse, "x")])


@pytest.mark.nightly
def test_an_interrupt_leaves_nothing_running(cluster, client):
    handles = [cluster.submit(submitted.slowly, 0.3, i) for i in range(20)]
    with pytest.raises(KeyboardInterrupt), interrupted(0.3):
        cluster.gather(handles)
    del handles
    soon(lambda: known(client) == 0)
    assert cluster.gather([cluster.submit(submitted.double, 1)]) == [2]


def soon(true, seconds=5):
    end = time.monotonic() + seconds
    gc.collect()  # tracebacks of errors hold handles
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.nightly
def test_what_a_dead_worker_held_or_ran_is_done_again(cluster, tmp_path):
    held = [cluster.submit(submitted.double, i) for i in range(4)]
    cluster.persist(held)
    mark = str(tmp_path / "mark")
    killer = cluster.submit(submitted.die_once, mark, 5)
    assert cluster.gather([killer, *held]) == [5, 0, 2, 4, 6]
    assert os.path.exists(mark)


@pytest.mark.nightly
def test_a_task_that_kills_every_worker_says_what_helps(cluster):
    with pytest.raises(MemoryError, match=r"the workers died that ran prfast-die-.*smaller pieces"):
        cluster.gather([cluster.submit(submitted.die)])


@pytest.mark.nightly
def test_tasks_cancelled_by_someone_else(cluster, client):
    handle = cluster.submit(submitted.slowly, 0.2, 1)
    client.cancel([handle], force=True)
    with pytest.raises(ConnectionError, match="cancelled by someone else"):
        cluster.gather([handle])


def test_threads_and_memory_are_those_of_unequal_workers():
    workers = {
        i: {"cls": distributed.Worker, "options": {"nthreads": i, "memory_limit": i * i * 10**9}}
        for i in (1, 3)
    }
    scheduler = {"cls": distributed.Scheduler, "options": {"dashboard_address": ":0"}}
    # They are of this process, whose memory other tests have filled: none is to pause for it.
    shares = ("target", "spill", "pause", "terminate")
    patient = {f"distributed.worker.memory.{name}": False for name in shares}
    with (
        pytest.importorskip("dask.config").set(patient),
        distributed.SpecCluster(workers, scheduler) as unequal,
        distributed.Client(unequal, set_as_default=False) as client,
    ):
        cluster = DaskCluster(client)
        assert cluster.threads == 4
        assert (cluster.room, cluster.memory) == (650_000_000, 650_000_000 + 7_050_000_000)
        handles = [cluster.submit(submitted.double, i) for i in range(10)]
        assert cluster.gather(handles) == [2 * i for i in range(10)]


def test_every_worker_is_counted():
    with (
        distributed.LocalCluster(
            n_workers=6,
            threads_per_worker=1,
            processes=False,
            dashboard_address=":0",
            memory_limit="1GB",
        ) as six,
        distributed.Client(six, set_as_default=False) as client,
    ):
        cluster = DaskCluster(client)
        assert (cluster.threads, cluster.room, cluster.memory) == (6, 650_000_000, 3_900_000_000)


def test_no_workers():
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0") as empty,
        distributed.Client(empty, set_as_default=False) as client,
        refused(
            ValueError,
            "client: a cluster with workers expected, got none; client.wait_for_workers(1) waits "
            "for the first of those that are being started, client = distributed.Client() starts ",
        ),
    ):
        DaskCluster(client)


@pytest.mark.nightly
def test_a_scheduler_that_is_gone_is_noticed():
    gone = distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0")
    with gone, distributed.Client(gone, set_as_default=False) as client:
        cluster = DaskCluster(client)
        handle = cluster.submit(submitted.slowly, 1, 1)
        timer = threading.Timer(0.3, gone.close)
        timer.start()
        start = time.monotonic()
        with pytest.raises(ConnectionError, match="the scheduler does not answer any more"):
            cluster.gather([handle])
        assert time.monotonic() - start < 10
        timer.join()


@pytest.fixture
def impatient(monkeypatch):
    """Workers are looked at after a tenth of a second without a result."""
    monkeypatch.setattr(dask, "_LOOK", 0.1)
    monkeypatch.setattr(dask, "_PATIENCE", 1)


@pytest.mark.nightly
def test_workers_that_have_stopped_for_want_of_memory(impatient):
    few = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=":0", memory_limit="500MB"
    )
    with few, distributed.Client(few, set_as_default=False) as client:
        cluster = DaskCluster(client)
        client.submit(submitted.fill, 0.86 * 500e6).result()  # which has patience
        soon(lambda: dask._workers(client) == [(1, 500_000_000, True)])
        with pytest.raises(MemoryError, match="1 of 1 workers have stopped, as their memory is"):
            cluster.gather([cluster.submit(submitted.double, 1)])


@pytest.mark.nightly
def test_workers_that_have_gone_and_do_not_come_back(impatient):
    with (
        distributed.LocalCluster(n_workers=1, dashboard_address=":0") as few,
        distributed.Client(few, set_as_default=False) as client,
    ):
        cluster = DaskCluster(client)
        few.scale(0)
        with pytest.raises(ConnectionError, match="no worker is left, and none has come"):
            cluster.gather([cluster.submit(submitted.slowly, 1, 1)])


class Late(Future):
    """Its result comes just as somebody has waited too long for it."""

    def result(self, timeout=None):
        if timeout is not None and not self.done():
            self.set_result(42)
            raise TimeoutError
        return super().result(timeout)


def test_a_result_that_comes_just_after_the_time_out_is_a_result():
    assert dask._result(Late(), pytest.fail) == 42


def test_looks_go_on_until_there_is_a_result(impatient):
    waiting, looks = Future(), []

    def look():
        looks.append(1)
        if len(looks) == 3:
            waiting.set_exception(TimeoutError("of a task"))

    with pytest.raises(TimeoutError, match="of a task"):
        dask._result(waiting, look)


def test_something_else_than_a_client():
    with pytest.raises(TypeError, match=r"client: a distributed\.Client expected, got a int"):
        DaskCluster(1)


def test_the_current_client(client):
    assert current_client() is client


@pytest.mark.nightly
def test_an_asynchronous_client(client):
    import asyncio

    async def ask():
        async with distributed.Client(
            client.scheduler.address, asynchronous=True, set_as_default=False
        ) as other:
            DaskCluster(other)

    with pytest.raises(ValueError, match="client: a Client that is not asynchronous expected"):
        asyncio.run(ask())


def test_workers_are_what_this_process_is(client):
    found = read_workers(client.run)
    assert len(found) == 2
    assert all({"prfast", "numpy", "the C library"} <= set(one) for one in found.values())
    check_versions(found)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["prfast", "numpy", "the C library"])
def test_a_worker_of_another_version_is_refused(name):
    own = reader()(("prfast", "numpy", "scipy", "scikit-learn"))
    other = own | {name: "0.0"}
    with refused(ValueError, f"client: its worker tcp://b has {name} 0.0, and this process "):
        check_versions({"tcp://a": own, "tcp://b": other})
    assert reader()(("no-such-package",))["no-such-package"] == "none"


@pytest.mark.nightly
def test_an_error_leaves_what_others_have_submitted(cluster, client):
    """Also where nobody holds what stands between the tasks that are given up."""
    own = client.submit(submitted.double, 21, pure=False)
    assert own.result() == 42
    later = [cluster.submit(submitted.slowly, 0.2, i) for i in range(6)]
    for first in later[:]:
        between = cluster.submit(submitted.double, first)
        later.append(cluster.submit(submitted.double, between))
    del first, between
    with refused(ValueError, "x: refused"):
        cluster.gather([cluster.submit(submitted.refuse, "x"), *later])
    del later
    soon(lambda: known(client) == 2)  # on the scheduler and on a worker
    assert own.status == "finished"
    assert own.result() == 42


def test_a_client_that_is_closed():
    with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=":0") as few:
        client = distributed.Client(few, set_as_default=False)
        client.close()
        with refused(ValueError, "client: an open client expected, got one that is closed"):
            DaskCluster(client)


@pytest.mark.parametrize("where", ["tcp://127.0.0.1", "127.0.0.1:8786", "tcp://:x", ""])
def test_an_address_that_is_none(where):
    expected = f"--cluster: tcp://HOST:PORT, local or local:WORKERS expected, got {where!r}"
    with refused(ValueError, expected), dask.client_at(where, "--cluster"):
        pass


@pytest.mark.nightly
def test_something_answers_that_is_no_scheduler(monkeypatch):
    """It takes the connection and says nothing."""
    monkeypatch.setattr(dask, "_ANSWER", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as other:
        where = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        with (
            pytest.raises(ConnectionError, match=f"{where}: no scheduler answers"),
            dask.client_at(where, "--cluster"),
        ):
            pass
