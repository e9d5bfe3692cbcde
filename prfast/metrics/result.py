"""What `metrics` returns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from prfast.metrics.table import NAMES


class Metrics(Mapping[str, float]):
    """Names and values, in the order asked for, also as attributes; `info` says how made."""

    def __init__(self, values: Mapping[str, float], info: Mapping[str, Any]) -> None:
        self._values = dict(values)
        self.info: Mapping[str, Any] = MappingProxyType(dict(info))

    def __getitem__(self, name: str) -> float:
        return self._values[name]

    def __getattr__(self, name: str) -> float:
        if name in NAMES and name in self._values:
            return self._values[name]
        raise AttributeError(f"Metrics has {', '.join(self._values)}, not {name!r}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __reduce__(self) -> tuple[Any, ...]:
        return Metrics, (self._values, dict(self.info))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value:.4g}" for name, value in self._values.items())
        info = ", ".join(f"{key}={value!r}" for key, value in self.info.items())
        return f"Metrics({values}; {info})"
