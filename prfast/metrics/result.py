"""What `metrics` returns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from prfast.metrics.table import NAMES, digits
from prfast.results.flat import flat
from prfast.results.text import as_text
from prfast.results.values import Values


class Metrics(Values[float]):
    """Names and values, in the order asked for, also as attributes; ``info`` says how made.

    ``errors``: the standard error of those that have one.
    """

    def __init__(
        self,
        values: Mapping[str, float],
        info: Mapping[str, Any] | None = None,
        errors: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(values, info)
        self._errors: Mapping[str, float] = MappingProxyType(dict(errors or {}))

    @property
    def errors(self) -> Mapping[str, float]:
        """Standard errors, {name: error}, of metrics that come with one."""
        return self._errors

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self), dict(self.info), dict(self.errors))

    def __getattr__(self, name: str) -> float:
        if name in NAMES and name in self:
            return self[name]
        raise AttributeError(f"Metrics has {', '.join(self)}, not {name!r}")

    def scalars(self, prefix: str = "") -> dict[str, float]:
        """The metrics for a logger, a flat {name: float}, `prefix` as for `PRCurve.scalars`; those
        that are not finite are left out.

        Raises
        ------
        TypeError
            A prefix that is no string.
        """
        return flat(self.items(), prefix)

    def text(self, name: str) -> str:
        """A metric as tables have it: "0.7123"; "0.001234 ± 0.000045" with its standard error."""
        told, error = as_text(self[name], digits(name)), self.errors.get(name)
        return told if error is None else f"{told} ± {as_text(error, digits(name))}"

    def _text(self, name: str) -> str:
        return self.text(name)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``values``, {name: number}, where what is infinite is "inf"; ``errors``, {name: standard
            error}, if there are any; ``info``, how they were made.
        """
        return super().to_dict() | ({"errors": dict(self.errors)} if self.errors else {})

    def _columns(self) -> dict[str, list[Any]]:
        errors = {"standard_error": [self.errors.get(name, math.nan) for name in self]}
        return super()._columns() | (errors if self.errors else {})

    def _repr_html_(self) -> str:
        return self._table("value ± standard error" if self.errors else "value")

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value:.4g}{self._told(name)}" for name, value in self.items())
        info = ", ".join(f"{key}={value!r}" for key, value in self.info.items())
        return f"Metrics({values}; {info})"

    def _told(self, name: str) -> str:
        error = self.errors.get(name)
        return "" if error is None else f" ± {error:.2g}"
