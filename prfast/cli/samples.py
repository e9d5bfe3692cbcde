"""Samples of files, all opened and checked before anything is computed; errors name the file."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

import numpy as np

from prfast.cli.outputs import harmless
from prfast.cluster.dask import client_at
from prfast.cluster.reading import read_other, read_samples
from prfast.cluster.shards import shards
from prfast.files.columns import read_wanted
from prfast.files.load import load_array, place_and_key
from prfast.inputs.errors import ArgumentError
from prfast.inputs.features import (
    check_alike,
    check_all_alike,
    first_recorded,
    plain,
    record_of,
    with_record,
)
from prfast.inputs.options import MEMORY
from prfast.inputs.progress import Progress
from prfast.inputs.tables import Table, first_labels, labels_of, named
from prfast.records.inputs import looked_at

Found = TypeVar("Found")


class Inputs:
    """The real samples, and those of each file of generated ones; all have been read once.

    What is mapped, and MEMORY bytes besides, is kept; other files are loaded again in their turn,
    so that many models need no more memory than one.
    """

    def __init__(self, options: argparse.Namespace, client: Any, at_least: int) -> None:
        self.paths: list[str] = options.fake
        self.real_path: str = options.real
        self._client, self._at_least = client, at_least
        self._wanted = read_wanted(
            getattr(options, "columns", None), getattr(options, "drop", None)
        )
        self._kept: dict[str, Any] = {}
        if client is None:
            for path in (self.real_path, *self.paths):
                if not os.path.exists(place_and_key(path)[0]):
                    load_array(path)  # says what is wrong, and no other file is read before
        with self._names(self.paths[0]):
            real = self._load(self.real_path)
            self._labels = labels_of(real)
            read = read_samples("real", real, client, at_least=at_least)
            self.real = with_record(read, record_of(real))
        self.sizes = []
        self.looks = {self.real_path: looked_at(self.real)}
        free, records = MEMORY, list[tuple[str, Any]]()
        for path in self.paths:
            samples = self.fake(path)
            records.append((path, first_recorded([samples])))
            check_all_alike(records)
            self.sizes.append(len(samples))
            self.looks[path] = looked_at(samples)
            held = _bytes_held(samples)
            if held <= free:
                self._kept[path] = samples
                free -= held

    def fake(self, path: str) -> Any:
        """The samples of a file, as wide as the real ones."""
        if path in self._kept:
            return self._kept[path]
        with self._names(path):
            found = self._load(path)
            self._labels = first_labels(self._labels, labels_of(found))
            check_alike("real", self.real, "fake", found)
            real, at_least = plain(self.real), self._at_least
            read = read_other("fake", found, real, self._labels, at_least=at_least)
            return with_record(read, record_of(found))

    @property
    def named_real(self) -> Any:
        """The real samples, as a table where the files name their columns."""
        labels = named(self._labels)
        if labels is None or not isinstance(self.real, np.ndarray):
            return self.real
        if len(labels) != self.real.shape[1]:
            return self.real
        columns = list(zip(labels, self.real.T, strict=True))
        return Table(len(self.real), columns, "", self.real)

    def check(self, call: Callable[[int, int], None]) -> None:
        """Numbers of real and of generated samples, as `call` does; its errors name the file."""
        for path, size in zip(self.paths, self.sizes, strict=True):
            try:
                call(len(self.real), size)
            except ArgumentError as error:
                raise (error if len(self.paths) == 1 else error.at(path)) from None

    def each(
        self,
        call: Callable[..., Found],
        progress: Progress,
        names: Sequence[str],
        *beside: Sequence[Any],
    ) -> list[Found]:
        """What `call` gives for the samples of each file; one bar of all, by their names.  beside:
        what else it is handed, an entry a file."""
        found, number = [], len(self.paths)
        with progress.work(number):
            for i, (path, name, *more) in enumerate(
                zip(self.paths, names, *beside, strict=True), start=1
            ):
                name = f"{name} ({i} of {number})" if number > 1 else name
                with self._names(path), progress.work(1, harmless(name)):
                    found.append(call(self.fake(path), *more))
        return found

    def _load(self, path: str) -> Any:
        if self._client is None:
            return load_array(path, self._wanted)
        return shards(path, columns=self._wanted.columns, drop=self._wanted.drop)

    @contextmanager
    def _names(self, path: str) -> Iterator[None]:
        """Errors of samples name the file that these are from."""
        try:
            yield
        except ArgumentError as error:
            files = {"real": self.real_path, "fake": path, "real and fake": path}
            file = files.get(error.argument.partition("[")[0])  # of a table: real['width']
            if file is None:
                raise
            raise error.at(file) from None


def _bytes_held(samples: Any) -> int:
    """Bytes of memory that samples take: none where they are mapped, or elsewhere in pieces."""
    samples = plain(samples)
    if not isinstance(samples, np.ndarray):
        return 0
    base: Any = samples
    while base is not None and not isinstance(base, np.memmap):
        base = getattr(base, "base", None)
    return samples.nbytes if base is None else 0


@contextmanager
def inputs_of(options: argparse.Namespace, at_least: int = 1) -> Iterator[Inputs]:
    """The samples of all files, of at least so many each; in pieces on workers if that is asked."""
    where = getattr(options, "cluster", None)
    with nullcontext() if where is None else client_at(where, "--cluster") as client:
        yield Inputs(options, client, at_least)
