"""A cluster of dask.distributed: the only file that imports it.

A future that is lost is being computed again; only "error" and "cancelled" are final.
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

from prfast.inputs.columns import load_extra
from prfast.inputs.errors import WrongType, WrongValue, kind_of
from prfast.kernels.threads import resolve_threads

# Are the workers what this process is?  Only then are results equal to the last bit.


_PACKAGES = ("prfast", "numpy", "scipy", "scikit-learn")


def reader() -> Callable[[tuple[str, ...]], dict[str, str]]:
    """A function that reads the versions where it is called; it is sent as it is, for workers that
    have no prfast."""

    def read(packages: tuple[str, ...]) -> dict[str, str]:
        import platform
        from importlib.metadata import PackageNotFoundError, version

        found = {}
        for name in packages:
            try:
                found[name] = version(name)
            except PackageNotFoundError:
                found[name] = "none"
        # Its logarithms may differ from those of another in their last bit.
        found["the C library"] = " ".join(platform.libc_ver()) or platform.version()
        found["the machine"] = platform.machine()
        return found

    return read


def versions() -> dict[str, str]:
    """Of this process: all that results may depend on in their last bit."""
    return reader()(_PACKAGES)


def check_versions(workers: Mapping[str, Mapping[str, str]]) -> None:
    """{worker: what `reader` gave there}.

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
    """run: calls a function in every worker and gives {worker: what it returned}."""
    return run(reader(), _PACKAGES)


_LOOK = 1.0  # seconds between two looks at the scheduler while tasks are awaited,
_ANSWER = 7.0  # in which it must answer
_PATIENCE = 30  # looks without a result before workers are looked at
_SHORTEST, _LONGEST = 0.001, 0.02  # seconds between two looks at the tasks

_FULL = 0.8  # of its memory: a worker that has more in use stops taking tasks
_ITSELF = 150_000_000  # bytes of a worker before any task

# A worker gives each freed array back to the system, which clears it when it is wanted again: a
# quarter of the time of tasks with long lists.  Those that are started with this keep up to 1 GB.
KEEPS_MEMORY = {
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": str(1 << 30),
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": str(32 << 20),
}

START = "client = distributed.Client() starts workers on this machine"


class _Mine(threading.local):
    """What a thread of this process has submitted: calls of several end each their own."""

    def __init__(self) -> None:
        self.handles: WeakSet[Any] = WeakSet()


class DaskCluster:
    """The verbs of `Cluster` on the workers of a `distributed.Client`.

    Parameters
    ----------
    client : distributed.Client
        Not an asynchronous one.  What is submitted here has keys that begin with "prfast-"; chunks
        of dask arrays keep those that dask gave them.

    Raises
    ------
    TypeError, ValueError
        No such client, no workers, or one whose versions differ from those of this process.
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

    # ---- the verbs ---------------------------------------------------------------------------

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
        # Not by client.cancel: of a task whose inputs nobody holds any more it brings down the
        # scheduler's connection to this client, with all that others have submitted by it.
        with suppress(Exception):  # who is gone has forgotten them
            for one in {handle.key: handle for handle in handles}.values():
                one.release()

    # ---- beside the verbs --------------------------------------------------------------------

    def keep(self, handles: Sequence[Any]) -> None:
        """They stay until they are cancelled, or nobody has them, whatever becomes of others."""
        self._mine.handles.difference_update(handles)

    def chunks(self, array: Any) -> list[Any]:
        """A handle of each chunk of rows of a dask array."""
        with self._answering():
            found: list[Any] = self._client.compute(array.to_delayed().ravel().tolist())
        self._mine.handles.update(found)
        return found

    # ---- what may go wrong ---------------------------------------------------------------------

    @contextmanager
    def _all_or_nothing(self, handles: Sequence[Any]) -> Iterator[None]:
        """Whatever ends the wait early ends everything that this thread has submitted here."""
        try:
            with self._answering():
                yield
        except BaseException:
            self.cancel([*handles, *self._mine.handles])
            raise

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """What distributed raises about itself, in words."""
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
        """Until all are finished, or one never will."""
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
        """What finished tasks returned; what was lost since is computed again."""
        coroutine = self._client.gather(list(handles), asynchronous=True)
        waiting = asyncio.run_coroutine_threadsafe(coroutine, self._client.loop.asyncio_loop)
        try:
            return _result(waiting, self._look)
        finally:
            waiting.cancel()

    def _look(self) -> None:
        """ConnectionError where the scheduler does not answer."""
        client = self._client
        if client.status != "running":
            raise self._gone()
        try:
            client.sync(client.scheduler.ncores, callback_timeout=_ANSWER)
        except (OSError, TimeoutError):
            raise self._gone() from None

    def _look_at_workers(self) -> None:
        """Nothing has come for long: is there nobody, or has somebody stopped for good?"""
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
    """What a future returns or raises, with a look around now and then until it does."""
    while True:
        try:
            return waiting.result(timeout=_LOOK)
        except TimeoutError:
            if waiting.done():  # meanwhile, or the error is its own
                return waiting.result()
            look()


def _workers(client: Any) -> list[tuple[int, int | None, bool]]:
    """Threads, bytes of memory, and is it paused, of all of them: `scheduler_info` of distributed
    2025.5 to 2026.1 tells of five.  What asks is sent as it is, for a scheduler that has no
    prfast."""

    def ask(dask_scheduler: Any) -> list[tuple[int, int | None, bool]]:
        workers = dask_scheduler.workers.values()
        return [(one.nthreads, one.memory_limit, one.status.name == "paused") for one in workers]

    found: list[tuple[int, int | None, bool]] = client.run_on_scheduler(ask)
    return found


def _lost(error: BaseException) -> bool:
    return getattr(error, "reason", None) == "scheduler-connection-lost"


def _library() -> Any:
    return load_extra("distributed", "samples in pieces", "cluster")


def is_client(value: Any) -> bool:
    """Is it a `distributed.Client`?  Known without importing anything."""
    return any(
        base.__name__ == "Client" and base.__module__.startswith("distributed.")
        for base in type(value).__mro__
    )


def current_client() -> Any:
    """The client that was made last in this process.

    Raises
    ------
    ValueError
        There is none; none is started here.
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
    """A client of a scheduler by its address, or of workers that are started here: local, as many
    as there are cores, or local:4; they end with it."""
    kind, _, number = where.partition(":")
    distributed = _library()
    if kind == "local":
        if number and not (number.isdecimal() and int(number)):
            raise WrongValue(name, f"local:WORKERS expected, got {where!r}")
        workers = int(number) if number else resolve_threads(None)
        with (
            load_extra("dask", "samples in pieces", "cluster").config.set(KEEPS_MEMORY),
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
    """A client; ConnectionError also where something answers that is no scheduler."""
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
