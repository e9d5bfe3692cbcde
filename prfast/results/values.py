"""Names -> values, and how they were made: what metrics, divergences and comparisons have in
common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

Value = TypeVar("Value", covariant=True)


class Remade:
    """Pickled as what it is made of, by its `__reduce__`; older pickles are refused."""

    def __setstate__(self, state: Any) -> None:
        raise ValueError(f"a pickled {type(self).__name__} of this version expected; make it again")


class Values(Remade, Mapping[str, Value]):
    """Names and values, in the order given, which nobody changes; picklable."""

    def __init__(self, values: Mapping[str, Value], info: Mapping[str, Any] | None = None) -> None:
        self._values: Mapping[str, Value] = MappingProxyType(dict(values))
        self._info: Mapping[str, Any] = MappingProxyType(dict(info or {}))

    @property
    def info(self) -> Mapping[str, Any]:
        """How the values were made."""
        return self._info

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self._values), dict(self._info))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value:.6g}" for name, value in self.items())
        return f"{type(self).__name__}({values})"
