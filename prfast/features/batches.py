"""Inputs batch by batch: the next one is read and prepared while the model is at work."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from prfast.features.model import Model
from prfast.inputs.blocks import blocks
from prfast.inputs.errors import WrongValue
from prfast.inputs.executor import thread_pool
from prfast.inputs.progress import Progress


class Inputs(Protocol):
    """Pictures or texts."""

    about: dict[str, Any]
    """What the record says of them besides."""

    def __len__(self) -> int: ...
    def name(self, i: int) -> str: ...
    def load(self, i: int) -> tuple[Any, bytes]: ...
    def digest(self, i: int) -> bytes: ...


class Batches:
    """Features of the inputs, and a checksum of the names and contents that have been read."""

    def __init__(
        self, inputs: Inputs, model: Model, size: int, threads: int, progress: Progress
    ) -> None:
        self.inputs, self.model, self.size = inputs, model, size
        self.threads, self.progress = threads, progress
        self._total = hashlib.sha256()

    def about(self) -> dict[str, Any]:
        """What the record says of the inputs, once all have been read."""
        return self._about(self._total)

    def about_all(self) -> dict[str, Any]:
        """The same of all inputs, which are read for it alone; `run` does not notice."""
        return self._about(self._of_first(len(self.inputs)))

    def _about(self, total: Any) -> dict[str, Any]:
        found = {"count": len(self.inputs), "sha256": total.hexdigest()}
        return {"inputs": found | self.inputs.about}

    def skip(self, count: int) -> str:
        """The checksum of the first inputs, of which no features are needed."""
        self._total = self._of_first(count)
        return self._total.hexdigest()

    def _of_first(self, count: int) -> Any:
        total = hashlib.sha256()
        for i in range(count):
            total.update(self._noted(i, self.inputs.digest(i)))
        return total

    def _noted(self, i: int, digest: bytes) -> bytes:
        return self.inputs.name(i).encode() + b"\0" + digest

    def run(
        self, done: int, before: NDArray[Any] | None = None, place: str = "the batches before"
    ) -> Iterator[tuple[int, NDArray[Any], str]]:
        """From a row on: the first row of a batch, its features, and the checksum of all inputs up
        to its last one; before: the rows that are there already, and the place where they are."""
        count = len(self.inputs)
        rest = [range(count)[one] for one in blocks(count, self.size) if one.start >= done]
        threads = max(1, min(self.threads, count - done))
        with thread_pool(threads) as executor, self.progress.work(count, "features"):
            self.progress.advance(done)
            waiting = [executor.submit(self._prepared, i) for batch in rest[:1] for i in batch]
            for batch, following in zip(rest, [*rest, range(0)][1:], strict=True):
                found = [one.result() for one in waiting]
                waiting = [executor.submit(self._prepared, i) for i in following]
                rows = self.model.features([one for one, _ in found])
                self._check(batch, rows, before, place)
                before = rows
                for i, (_, digest) in zip(batch, found, strict=True):
                    self._total.update(self._noted(i, digest))
                yield batch.start, rows, self._total.hexdigest()
                self.progress.advance(len(batch))

    def _prepared(self, i: int) -> tuple[Any, bytes]:
        one, digest = self.inputs.load(i)
        return self.model.prepare(one), digest

    def _check(
        self, batch: range, rows: NDArray[Any], before: NDArray[Any] | None, place: str
    ) -> None:
        if rows.shape[1] == 0:
            raise WrongValue("model", f"at least one feature expected, got shape {rows.shape}")
        if before is not None and (rows.shape[1], rows.dtype) != (before.shape[1], before.dtype):
            raise WrongValue(
                "model",
                f"{before.shape[1]} features of {before.dtype} as in {place} expected, "
                f"got {rows.shape[1]} of {rows.dtype}",
            )
        finite = np.isfinite(rows).all(axis=1)
        if not finite.all():
            name = self.inputs.name(batch[int((~finite).argmax())])
            raise WrongValue(name, "finite features expected, got others from the model")
