"""Attributes that are computed on first access."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class cached_property(Generic[T]):
    """functools.cached_property without the lock that it has up to Python 3.11.

    That lock is one for all instances (bpo-43468): folds that threads prepare at the same time
    would wait for each other, and a child of fork inherits it locked by a thread that it does not
    have.  Threads that read the attribute of one instance at the same time may each compute it.
    """

    def __init__(self, function: Callable[[Any], T]) -> None:
        self._function, self.__doc__ = function, function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> cached_property[T]: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...
    def __get__(self, instance: object | None, owner: type | None = None) -> T | cached_property[T]:
        if instance is None:
            return self
        value = self._function(instance)
        instance.__dict__[self._name] = value  # which Python reads first, from now on
        return value
