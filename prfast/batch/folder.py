"""A folder as a cluster: a task is a file, which any job may have written."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from prfast.balls.engines.blocks import parts
from prfast.balls.engines.blocks.parts import PartialResult as Found
from prfast.batch.digest import digest
from prfast.batch.stored import load_found, write_found

# Tasks with a file of their own, which is a block; what puts them together is done where it is
# asked for.
LOOKS: tuple[Callable[..., Any], ...] = (parts.count, parts.nearest, parts.log_sum)


class Waiting(Exception):
    """What is asked for needs blocks that are not there."""


class Share(NamedTuple):
    """The job `job` of `jobs`, counted from 0."""

    job: int
    jobs: int

    def has(self, number: int) -> bool:
        return number % self.jobs == self.job


class Handle:
    """A task that is done when somebody asks for what it returns."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self.function, self.args = function, args
        self.key = digest((function, args))

    @property
    def is_look(self) -> bool:
        return self.function in LOOKS

    @property
    def about(self) -> str:
        """What it looks at, in words."""
        queries, refs = (
            f"{os.path.basename(part.group.pieces[0].path)} {part.start}:{part.stop}"
            for part in self.args[:2]
        )
        return f"{self.function.__name__} of {queries} in {refs}"


class Folder:
    """The four verbs (`prfast.cluster.sharded`) with files for memory.

    share: which blocks this job makes where some are missing; None makes none.
    """

    threads = 1
    room: int | None = None
    memory: int | None = None

    def __init__(self, place: str, plan: str, share: Share | None) -> None:
        self.place, self.plan, self.share = place, plan, share
        self.made: list[str] = []
        self.missing: dict[str, str] = {}
        """What the missing blocks are about, by their names."""
        self._seen: set[str] = set()

    def submit(self, function: Callable[..., Any], *args: Any) -> Handle:
        return Handle(function, args)

    def persist(self, handles: Sequence[Any]) -> None:
        pass

    def cancel(self, handles: Sequence[Any]) -> None:
        pass

    def gather(self, handles: Sequence[Any]) -> list[Any]:
        """What the tasks return.  The blocks of one call are shared out evenly, in an order that
        all jobs agree on, whatever is there already.

        Raises
        ------
        Waiting
            Blocks are missing, which this job is not to make.
        """
        if not all(self._answered(one) for one in handles):
            blocks: dict[str, Handle] = {}
            for one in handles:
                _blocks_of(one, blocks)
            first = int(next(iter(blocks), "0"), 16)
            lacking = [
                (number, one)
                for number, one in enumerate(blocks.values())
                if not os.path.exists(self._path(one))
            ]
            for number, one in lacking:
                if self.share is not None and self.share.has(first + number):
                    self._value(one)
                else:
                    self.missing[self._name(one)] = one.about
            if any(self._name(one) in self.missing for _, one in lacking):
                raise Waiting
        return [self._answer(one) for one in handles]

    def _answer(self, handle: Handle) -> Any:
        """What was put together is kept as well, for the rounds to come."""
        if self._answered(handle):
            return self._load(handle)
        found = self._value(handle)
        if isinstance(found, Found) and not handle.is_look:
            self._write(handle, found, "put together")
        return found

    def _answered(self, handle: Handle) -> bool:
        return os.path.exists(self._path(handle))

    def _value(self, handle: Handle) -> Any:
        if handle.is_look and os.path.exists(self._path(handle)):
            return self._load(handle)
        found = handle.function(*self._given(handle.args))
        if handle.is_look:
            self._write(handle, found, handle.about)
            self.made.append(handle.about)
        return found

    def _given(self, value: Any) -> Any:
        """Handles replaced by what they stand for."""
        if isinstance(value, Handle):
            return self._value(value)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(self._given, value))
        return type(value)(map(self._given, value)) if isinstance(value, list | tuple) else value

    def _write(self, handle: Handle, found: Any, about: str) -> None:
        write_found(self._path(handle), found, self.plan, about)

    def _load(self, handle: Handle) -> Any:
        self._seen.add(self._name(handle))
        return load_found(self._path(handle), self.plan)

    def _path(self, handle: Handle) -> str:
        return os.path.join(self.place, self._name(handle))

    def _name(self, handle: Handle) -> str:
        return f"{handle.function.__name__}-{handle.key[:24]}.npz"

    def check(self) -> None:
        """Look at every file that was not read yet.

        Raises
        ------
        ValueError
            One is no block of this plan, damaged, or a copy of another.
        """
        for name in sorted(set(os.listdir(self.place)) - self._seen):
            if name.startswith("tmp") and "-" not in name:
                continue  # begun by a job that was killed
            load_found(os.path.join(self.place, name), self.plan)


def _blocks_of(value: Any, found: dict[str, Handle]) -> None:
    """The looks that a value needs, by their keys, and not the looks that only those need."""
    if isinstance(value, Handle):
        if value.is_look:
            found.setdefault(value.key, value)
        else:
            _blocks_of(value.args, found)
    elif isinstance(value, list | tuple):
        for one in value:
            _blocks_of(one, found)
