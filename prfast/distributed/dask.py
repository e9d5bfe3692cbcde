"""The executor protocol on dask.distributed, its clients, and a comparison of versions.

The only module that imports dask.distributed.  Its scheduler computes lost futures again, so of a
future's states only "finished", "error" and "cancelled" are final.
"""

from __future__ import annotations

import asyncio
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from operator import floordiv
from typing import Any
from weakref import WeakSet

from prfast.inputs.errors import WrongType, WrongValue, import_optional, kind_of
from prfast.kernels.threads import resolve_threads

# Results are equal to the last bit only where workers and this process have the same versions.
_PACKAGES = ("prfast", "numpy", "scipy", "scikit-learn")


def reader() -> Callable[[tuple[str, ...]], dict[str, str]]:
    """Return a function that reads the versions of the process that calls it.

    It is a closure, which is pickled by value, so workers without prfast can run it.
    """

    def read(packages: tuple[str, ...]) -> dict[str, str]:
        import platform
        from importlib.metadata import PackageNotFoundError, version

        found = {}
        for name in packages:
            try:
                found[name] = version(name)
            except PackageNotFoundError:
                found[name] = "none"
        # Logarithms of different C libraries may differ in their last bit.
        found["the C library"] = " ".join(platform.libc_ver()) or platform.version()
        found["the machine"] = platform.machine()
        return found

    return read


def versions() -> dict[str, str]:
    """Return the versions in this process on which the last bit of results may depend."""
    return reader()(_PACKAGES)


def check_versions(workers: Mapping[str, Mapping[str, str]]) -> None:
    """Check that all workers have the versions of this process.

    workers: {address: versions}, as `read_workers` returns them.

    Raises
    ------
    ValueError
        A worker differs from this process.
    """
    own = versions()
    for worker, found in workers.items():
        for name, version in own.items():
            if found[name] != version:
                raise WrongValue(
                    "client",
                    f"its worker {worker} has {name} {found[name]}, and this process {version}: "
                    "results might differ; give both the same",
                )


def read_workers(run: Callable[..., Mapping[str, Any]]) -> Mapping[str, Mapping[str, str]]:
    """Return the versions of all workers.

    run: calls a function in every worker and returns {address: value}, as `Client.run`.
    """
    return run(reader(), _PACKAGES)


_LOOK = 1.0  # seconds between two polls of the scheduler while tasks run
_ANSWER = 7.0  # timeout of a poll in seconds
_PATIENCE = 30  # polls without a finished task before the workers' state is checked
_SHORTEST, _LONGEST = 0.001, 0.02  # seconds between two polls of the tasks, by exponential backoff

_FULL = 0.8  # share of its memory limit at which a worker pauses
_ITSELF = 150_000_000  # bytes of an idle worker

# By default malloc returns each freed array to the system, and faulting the pages in again takes a
# quarter of the time of tasks with long lists.  Workers with these settings retain up to 1 GB.
KEEPS_MEMORY = {
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": str(1 << 30),
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": str(32 << 20),
}

START = "client = distributed.Client() starts workers on this machine"


class _Mine(threading.local):
    """Handles submitted by the current thread, so that a failed call cancels only its own tasks."""

    def __init__(self) -> None:
        self.handles: WeakSet[Any] = WeakSet()


class DaskCluster:
    """The protocol `prfast.distributed.sharded.Cluster` on the workers of a `distributed.Client`.

    Parameters
    ----------
    client : distributed.Client
        A synchronous client.  Keys of submitted tasks begin with "prfast-"; chunks of dask arrays
        have the keys of the dask graph.

    Raises
    ------
    TypeError, ValueError
        Another kind of client, no workers, or a worker with other versions than this process.
    ConnectionError
        The scheduler does not answer.
    """

    def __init__(self, client: Any) -> None:
        if not is_client(client):
            raise WrongType("client", f"a distributed.Client expected, got {kind_of(client)}")
        if client.asynchronous:
            raise WrongValue("client", "a Client that is not asynchronous expected")
        if client.status != "running":
            raise WrongValue("client", f"an open client expected, got one that is {client.status}")
        self._client = client
        self._killed = _library().KilledWorker
        self._mine = _Mine()
        self._paused = 0
        with self._answering():
            workers = _workers(client)
        if not workers:
            raise WrongValue(
                "client",
                "a cluster with workers expected, got none; client.wait_for_workers(1) waits for "
                f"the first of those that are being started, {START}",
            )
        threads, limits, _ = zip(*workers, strict=True)
        self.threads = sum(threads)
        self.room: int | None = None
        self.memory: int | None = None
        if all(limits):
            free = [max(0, int(_FULL * limit) - _ITSELF) for limit in limits]
            self.room = min(map(floordiv, free, threads))
            self.memory = sum(free)
        with self._answering():
            check_versions(read_workers(client.run))

    # ---- the executor protocol ---------------------------------------------------------------

    def submit(self, function: Callable[..., Any], *args: Any) -> Any:
        key = f"prfast-{function.__name__.strip('_')}-{uuid.uuid4().hex}"
        with self._answering():
            future = self._client.submit(function, *args, key=key, pure=False)
        self._mine.handles.add(future)
        return future

    def gather(self, handles: Sequence[Any]) -> list[Any]:
        with self._all_or_nothing(handles):
            self._wait(handles)
            found: list[Any] = self._fetched(handles)
        return found

    def persist(self, handles: Sequence[Any]) -> None:
        with self._all_or_nothing(handles):
            self._wait(handles)

    def cancel(self, handles: Sequence[Any]) -> None:
        # Not client.cancel: for a task whose inputs have been released it breaks the scheduler's
        # connection to this client, and with it all other tasks of the client.
        with suppress(Exception):  # a scheduler that is gone holds nothing
            for one in {handle.key: handle for handle in handles}.values():
                one.release()

    # ---- beyond the protocol -----------------------------------------------------------------

    def keep(self, handles: Sequence[Any]) -> None:
        """Exclude tasks from the cleanup after an error; they live as long as their handles."""
        self._mine.handles.difference_update(handles)

    def chunks(self, array: Any) -> list[Any]:
        """Return a handle for each chunk of rows of a dask array, from the first row on."""
        with self._answering():
            found: list[Any] = self._client.compute(array.to_delayed().ravel().tolist())
        self._mine.handles.update(found)
        return found

    # ---- what may go wrong ---------------------------------------------------------------------

    @contextmanager
    def _all_or_nothing(self, handles: Sequence[Any]) -> Iterator[None]:
        """Cancel the tasks, and all that this thread has submitted, where the block raises."""
        try:
            with self._answering():
                yield
        except BaseException:
            self.cancel([*handles, *self._mine.handles])
            raise

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Translate errors of distributed into MemoryError and ConnectionError."""
        try:
            yield
        except self._killed as error:
            raise MemoryError(
                f"the workers died that ran {error.task}, most often because their memory was too "
                "small: give them more, or fewer threads each, or smaller pieces"
            ) from None
        except (CancelledError, asyncio.CancelledError) as error:
            if self._client.status != "running" or _lost(error):
                raise self._gone() from None
            raise ConnectionError(
                "tasks were cancelled by someone else, or the cluster was restarted"
            ) from None

    def _wait(self, handles: Sequence[Any]) -> None:
        """Wait until all tasks are finished; raise the error of the first that fails."""
        left, pause, looked, idle = list(handles), _SHORTEST, time.monotonic(), 0
        while still := [one for one in left if one.status != "finished"]:
            for one in still:
                if one.status in ("error", "cancelled"):
                    one.result(timeout=_ANSWER)  # raises
            idle = 0 if len(still) < len(left) else idle
            left = still
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST)
            if time.monotonic() - looked > _LOOK:
                self._look()
                idle += 1
                if idle % _PATIENCE == 0:
                    self._look_at_workers()
                looked = time.monotonic()

    def _fetched(self, handles: Sequence[Any]) -> Any:
        """Return the results of finished tasks; the scheduler recomputes those lost since."""
        coroutine = self._client.gather(list(handles), asynchronous=True)
        waiting = asyncio.run_coroutine_threadsafe(coroutine, self._client.loop.asyncio_loop)
        try:
            return _result(waiting, self._look)
        finally:
            waiting.cancel()

    def _look(self) -> None:
        """Poll the scheduler; raise ConnectionError where it does not answer."""
        client = self._client
        if client.status != "running":
            raise self._gone()
        try:
            client.sync(client.scheduler.ncores, callback_timeout=_ANSWER)
        except (OSError, TimeoutError):
            raise self._gone() from None

    def _look_at_workers(self) -> None:
        """Raise where no worker is left, or where the same number stays paused between checks."""
        workers = _workers(self._client)
        number, paused = len(workers), sum(stopped for _, _, stopped in workers)
        if not number:
            raise ConnectionError("no worker is left, and none has come")
        if paused and paused == self._paused:
            raise MemoryError(
                f"{paused} of {number} workers have stopped, as their memory is full: give them "
                "more, or fewer threads each, or smaller pieces"
            )
        self._paused = paused

    def _gone(self) -> ConnectionError:
        return ConnectionError("the scheduler does not answer any more; nothing of it is left")


def _result(waiting: Future[Any], look: Callable[[], None]) -> Any:
    """Return or raise the outcome of a future, with a call of `look` every second."""
    while True:
        try:
            return waiting.result(timeout=_LOOK)
        except TimeoutError:
            if waiting.done():  # it finished meanwhile, or itself raised TimeoutError
                return waiting.result()
            look()


def _workers(client: Any) -> list[tuple[int, int | None, bool]]:
    """Return (threads, memory limit in bytes, paused) of every worker.

    `Client.scheduler_info` of distributed 2025.5 to 2026.1 lists at most five workers.  The nested
    function is pickled by value, so a scheduler without prfast can run it.
    """

    def ask(dask_scheduler: Any) -> list[tuple[int, int | None, bool]]:
        workers = dask_scheduler.workers.values()
        return [(one.nthreads, one.memory_limit, one.status.name == "paused") for one in workers]

    found: list[tuple[int, int | None, bool]] = client.run_on_scheduler(ask)
    return found


def _lost(error: BaseException) -> bool:
    return getattr(error, "reason", None) == "scheduler-connection-lost"


def _library() -> Any:
    return import_optional("distributed", "samples in pieces", "cluster")


def is_client(value: Any) -> bool:
    """Whether the value is a `distributed.Client`; imports nothing."""
    return any(
        base.__name__ == "Client" and base.__module__.startswith("distributed.")
        for base in type(value).__mro__
    )


def current_client() -> Any:
    """Return the default client, which is the one created last in this process.

    Raises
    ------
    ValueError
        There is no client; this function starts none.
    """
    try:
        return _library().default_client()
    except ValueError:
        raise WrongValue(
            "client",
            "a distributed.Client expected for samples in pieces, and there is none; "
            f"{START}, distributed.Client('tcp://…:8786') takes those of a scheduler",
        ) from None


@contextmanager
def client_at(where: str, name: str) -> Iterator[Any]:
    """Open a client: of a scheduler by its address ("tcp://HOST:PORT"), or of a local cluster.

    where: "local" starts one worker a core, "local:4" four; they end with the context.  name: the
    argument or option that error messages name.
    """
    kind, _, number = where.partition(":")
    distributed = _library()
    if kind == "local":
        if number and not (number.isdecimal() and int(number)):
            raise WrongValue(name, f"local:WORKERS expected, got {where!r}")
        workers = int(number) if number else resolve_threads(None)
        with (
            import_optional("dask", "samples in pieces", "cluster").config.set(KEEPS_MEMORY),
            distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                dashboard_address=":0",
                silence_logs="CRITICAL",
            ) as cluster,
            distributed.Client(cluster, set_as_default=False) as client,
        ):
            yield client
        return
    if not re.fullmatch(r"\w+://.+:\d+", where):
        raise WrongValue(name, f"tcp://HOST:PORT, local or local:WORKERS expected, got {where!r}")
    with _connected(where) as client:
        yield client


def _connected(where: str) -> Any:
    """Return a client; raise ConnectionError where no scheduler answers within the timeout.

    In a thread, as `Client(timeout=…)` can hang on a server that is not a scheduler.
    """
    found: list[Any] = []

    def connect() -> None:
        try:
            found.append(_library().Client(where, timeout=_ANSWER, set_as_default=False))
        except Exception as error:
            found.append(error)

    waiting = threading.Thread(target=connect, daemon=True)
    waiting.start()
    waiting.join(2 * _ANSWER)
    if not found:
        raise ConnectionError(f"{where}: no scheduler answers; is it the port of its dashboard?")
    if isinstance(found[0], Exception):
        raise ConnectionError(f"{where}: no scheduler answers ({found[0]})") from None
    return found[0]
