"""The executor protocol on dask.distributed, and its clients.

The only module that imports dask.distributed.
"""

from __future__ import annotations

import asyncio
import re
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from typing import Any

from prfast.inputs.concurrency import resolve_threads
from prfast.inputs.errors import WrongType, WrongValue, import_optional, kind_of

START = "client = distributed.Client() starts workers on this machine"

# Results are equal to the last bit only where workers and this process have the same versions.
_PACKAGES = ("prfast", "numpy", "scipy", "scikit-learn")
_PATIENCE = 30.0  # seconds without a finished task before the state of the workers is checked
_TIMEOUT = 7.0  # of a connection, in seconds
_FULL = 0.8  # share of its memory limit at which a worker pauses
_IDLE_BYTES = 150_000_000  # memory of an idle worker

# By default malloc returns each freed array to the system, and faulting the pages in again takes a
# quarter of the time of tasks with long lists.  Workers with these settings retain up to 1 GB.
KEEPS_MEMORY = {
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": str(1 << 30),
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": str(32 << 20),
}


class DaskCluster:
    """The protocol `partitions.Cluster` on the workers of a `distributed.Client`.

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
        with self._translate_errors():
            workers = _workers(client)
            if not workers:
                raise WrongValue(
                    "client",
                    "a cluster with workers expected, got none; client.wait_for_workers(1) waits "
                    f"for the first of those that are being started, {START}",
                )
            _check_versions(client)
        self.threads = sum(threads for threads, _, _ in workers)
        self.task_memory: int | None = None
        if all(limit for _, limit, _ in workers):
            self.task_memory = min(
                max(0, int(_FULL * limit) - _IDLE_BYTES) // threads
                for threads, limit, _ in workers
                if limit
            )

    def submit(self, function: Callable[..., Any], *args: Any) -> Any:
        key = f"prfast-{function.__name__.strip('_')}-{uuid.uuid4().hex}"
        with self._translate_errors():
            return self._client.submit(function, *args, key=key, pure=False)

    def gather(self, handles: Sequence[Any]) -> list[Any]:
        self.persist(handles)
        with self._translate_errors():
            results: list[Any] = self._client.gather(list(handles))
        return results

    def persist(self, handles: Sequence[Any]) -> None:
        try:
            with self._translate_errors():
                for handle in handles:
                    self._wait(handle)
        except BaseException:
            # The traceback refers to the handles, so that the tasks would go on without this.
            self.cancel(handles)
            raise

    def cancel(self, handles: Sequence[Any]) -> None:
        # Not client.cancel: for a task whose inputs have been released it breaks the scheduler's
        # connection to this client, and with it all other tasks of the client.
        with suppress(Exception):  # a scheduler that is gone holds nothing
            for handle in {handle.key: handle for handle in handles}.values():
                handle.release()

    def chunks(self, array: Any) -> list[Any]:
        """Return a handle for each chunk of rows of a dask array, from the first row on."""
        with self._translate_errors():
            handles: list[Any] = self._client.compute(array.to_delayed().ravel().tolist())
        return handles

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Translate errors of distributed into MemoryError and ConnectionError."""
        try:
            yield
        except _library().KilledWorker as error:
            raise MemoryError(
                f"the workers died that ran {error.task}, most often because their memory was too "
                "small: give them more, or fewer threads each, or smaller partitions"
            ) from None
        except (CancelledError, asyncio.CancelledError):
            if self._client.status != "running":
                raise ConnectionError("the scheduler does not answer any more") from None
            raise ConnectionError(
                "tasks were cancelled by someone else, or the cluster was restarted"
            ) from None

    def _wait(self, handle: Any) -> None:
        """Wait until a task is finished; raise its error."""
        # The scheduler computes lost results again, so other states than these are not final.
        while handle.status != "finished":
            if handle.status in ("error", "cancelled"):
                handle.result(timeout=_TIMEOUT)  # raises
            try:
                handle.exception(timeout=_PATIENCE)
            except TimeoutError:
                self._check_workers()

    def _check_workers(self) -> None:
        """Raise where no worker can run a task, for which Dask would wait without end."""
        workers = _workers(self._client)
        if not workers:
            raise ConnectionError("no worker is left, and none has come")
        if all(paused for _, _, paused in workers):
            raise MemoryError(
                "all workers have stopped, as their memory is full: give them more, or fewer "
                "threads each, or smaller partitions"
            )


def _check_versions(client: Any) -> None:
    """Raise WrongValue where a worker has other versions of `_PACKAGES` than this process."""
    versions = client.get_versions(packages=_PACKAGES)
    own = versions["client"]["packages"]
    for worker, found in versions["workers"].items():
        for name in _PACKAGES:
            if (version := found["packages"][name]) != own[name]:
                raise WrongValue(
                    "client",
                    f"its worker {worker} has {name} {version}, and this process {own[name]}: "
                    "results might differ; give both the same",
                )


def _workers(client: Any) -> list[tuple[int, int | None, bool]]:
    """Return (threads, memory limit in bytes, paused) of every worker.

    `Client.scheduler_info` of distributed 2025.5 to 2026.1 lists at most five workers.  The nested
    function is pickled by value, so a scheduler without prfast can run it.
    """

    def list_workers(dask_scheduler: Any) -> list[tuple[int, int | None, bool]]:
        workers = dask_scheduler.workers.values()
        return [(one.nthreads, one.memory_limit, one.status.name == "paused") for one in workers]

    workers: list[tuple[int, int | None, bool]] = client.run_on_scheduler(list_workers)
    return workers


def _library() -> Any:
    return import_optional("distributed", "partitioned samples", "cluster")


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
            "a distributed.Client expected for partitioned samples, and there is none; "
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
            import_optional("dask", "partitioned samples", "cluster").config.set(KEEPS_MEMORY),
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
    with _connect(where) as client:
        yield client


def _connect(where: str) -> Any:
    """Return a client; raise ConnectionError where no scheduler answers within the timeout."""
    results: list[Any] = []

    def connect() -> None:
        try:
            results.append(_library().Client(where, timeout=_TIMEOUT, set_as_default=False))
        except Exception as error:
            results.append(error)

    # In a thread, as `Client(timeout=…)` hangs on the port of a dashboard.
    connecting = threading.Thread(target=connect, daemon=True)
    connecting.start()
    connecting.join(2 * _TIMEOUT)
    if not results:
        raise ConnectionError(f"{where}: no scheduler answers; is it the port of its dashboard?")
    if isinstance(results[0], Exception):
        raise ConnectionError(f"{where}: no scheduler answers ({results[0]})") from None
    return results[0]
