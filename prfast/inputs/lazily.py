"""Values that are made when they are first asked for, and then kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class made_once(Generic[T]):
    """functools.cached_property without a lock.

    Before Python 3.12 that one has a lock for all objects of a class: whoever makes the value of
    one holds up those that want it of another, and a child of fork inherits the lock as it is, held
    by a thread that is not there.  Threads that ask one object at the same time may each make it.
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make, self.__doc__ = make, make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, thing: None, owner: type | None = None) -> made_once[T]: ...
    @overload
    def __get__(self, thing: object, owner: type | None = None) -> T: ...
    def __get__(self, thing: object | None, owner: type | None = None) -> T | made_once[T]:
        if thing is None:
            return self
        made = self._make(thing)
        thing.__dict__[self._name] = made  # found there before this is asked again
        return made
