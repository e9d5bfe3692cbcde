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

from prfast.distributed.partitions import Cluster
from prfast.inputs.concurrency import resolve_threads
from prfast.inputs.errors import WrongType, WrongValue, import_optional, kind_of

START = "client = distributed.Client() starts workers on this machine"

# Results are equal to the last bit only where workers and this process have the same versions.
_PACKAGES = ("prfast", "scipy", "scikit-learn")  # beside those that Dask compares by itself
_TIMEOUT = 7.0  # of a connection, in seconds
_FULL = 0.8  # share of its memory limit at which a worker pauses
_IDLE_BYTES = 150_000_000  # memory of an idle worker

# Without these malloc returns each freed array to the system, and faulting the pages in again takes
# a quarter of the time of tasks with long lists.  Workers with these settings retain up to 1 GB.
KEEPS_MEMORY = {
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": str(1 << 30),
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": str(32 << 20),
}


class DaskCluster:
    """The protocol `partitions.Cluster` on the workers of a `distributed.Client`, None for the one
    that was created last in this process."""

    def __init__(self, client: Any = None) -> None:
        if client is None:
            try:
                client = _library().default_client()
            except ValueError:
                raise WrongValue(
                    "client",
                    "a distributed.Client expected for partitioned samples, and there is none; "
                    f"{START}, distributed.Client('tcp://…:8786') takes those of a scheduler",
                ) from None
        if not isinstance(client, _library().Client):
            raise WrongType("client", f"a distributed.Client expected, got {kind_of(client)}")
        if client.asynchronous:
            raise WrongValue("client", "a synchronous Client expected, got an asynchronous one")
        self._client = client
        with self._translate_errors():
            # `Client.scheduler_info` of distributed 2025.5 to 2026.1 lists at most five workers.  A
            # nested function is pickled by value: a scheduler without prfast can run it.
            def list_workers(dask_scheduler: Any) -> list[tuple[int, int | None]]:
                workers = dask_scheduler.workers.values()
                return [(worker.nthreads, worker.memory_limit) for worker in workers]

            workers: list[tuple[int, int | None]] = client.run_on_scheduler(list_workers)
            if not workers:
                raise WrongValue(
                    "client",
                    "a cluster with workers expected, got none; client.wait_for_workers(1) waits "
                    f"for the first of those that are being started, {START}",
                )
            client.get_versions(check=True, packages=_PACKAGES)  # warns where they differ
        self.threads = sum(threads for threads, _ in workers)
        limits = [(threads, limit) for threads, limit in workers if limit]
        shares = [max(0, int(_FULL * limit) - _IDLE_BYTES) // threads for threads, limit in limits]
        self.task_memory = min(shares, default=None)

    def submit(self, function: Callable[..., Any], *args: Any) -> Any:
        key = f"prfast-{function.__name__.strip('_')}-{uuid.uuid4().hex}"
        with self._translate_errors():
            return self._client.submit(function, *args, key=key, pure=False)

    def gather(self, handles: Sequence[Any]) -> list[Any]:
        with self._translate_errors(handles):
            return self._client.gather(list(handles))

    def wait(self, handle: Any) -> None:
        with self._translate_errors([handle]):
            # The scheduler computes lost results again: other states are not final.
            while handle.status != "finished":
                if (error := handle.exception()) is not None:
                    raise error

    def cancel(self, handles: Sequence[Any]) -> None:
        # Not client.cancel: for a task whose inputs have been released it breaks the scheduler's
        # connection to this client, and with it all other tasks of the client.
        with suppress(Exception):  # a scheduler that is gone holds nothing
            for handle in {handle.key: handle for handle in handles}.values():
                handle.release()

    def chunks(self, array: Any) -> list[Any]:
        """Return a handle for each chunk of rows of a dask array, from the first row on."""
        with self._translate_errors():
            return self._client.compute(array.to_delayed().ravel().tolist())

    @contextmanager
    def _translate_errors(self, handles: Sequence[Any] = ()) -> Iterator[None]:
        """Cancel the tasks after an error; translate those of distributed."""
        if (status := self._client.status) != "running":
            text = f"an open Client expected, got one that is {status}"
            raise WrongValue("client", f"{text}; read the samples again with an open one")
        try:
            yield
        except BaseException as error:
            # The traceback refers to the handles: the tasks would go on without this.
            self.cancel(handles)
            if isinstance(error, _library().KilledWorker):
                raise MemoryError(
                    f"the workers died that ran {error.task}, most often because their memory was "
                    "too small: give them more, or fewer threads each, or smaller partitions"
                ) from None
            if isinstance(error, CancelledError | asyncio.CancelledError):
                raise ConnectionError(
                    "tasks were cancelled by someone else, or the scheduler does not answer any "
                    "more"
                ) from None
            raise


def cluster_of(client: Any) -> Cluster:
    """Return the executor of a `distributed.Client` or None, the default; a `Cluster` itself."""
    return client if isinstance(client, Cluster) else DaskCluster(client)


def _library() -> Any:
    return import_optional("distributed", "partitioned samples")


@contextmanager
def client_at(where: str, name: str) -> Iterator[Any]:
    """Open a client of a scheduler, "tcp://HOST:PORT", or of a local cluster that ends with it.

    where: "local" starts one worker a core, "local:4" four; name: of the option, for errors.
    """
    distributed = _library()
    if local := re.fullmatch(r"local(?::([1-9]\d*))?", where):
        config = import_optional("dask", "partitioned samples").config
        with (
            config.set(KEEPS_MEMORY),
            distributed.LocalCluster(
                n_workers=int(local[1] or resolve_threads(None)),
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
    results: list[Any] = []

    def connect() -> None:
        try:
            results.append(distributed.Client(where, timeout=_TIMEOUT, set_as_default=False))
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
    with results[0] as client:
        yield client
