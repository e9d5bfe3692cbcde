"""What `metrics` returns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from prfast.curve.interval import LEVEL, legend, quantile
from prfast.curve.notes import few_note
from prfast.results.flat import flat
from prfast.results.info import scalars
from prfast.results.text import aligned, as_text
from prfast.results.values import Values
from prfast.scalars.table import NAMES, digits


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
        """Return a metric as tables have it: "0.7123", or "0.001234 ± 0.000045" with the half
        width of its 95 % interval."""
        value, error = as_text(self[name], digits(name)), self.errors.get(name)
        if error is None:
            return value
        return f"{value} ± {as_text(quantile(LEVEL) * error, digits(name))}"

    def notes(self) -> list[str]:
        """Return what stands below the table: what ± means, and a note on few samples."""
        sizes = self.info.get("n_real"), self.info.get("n_fake")
        known = sizes if all(isinstance(one, int) for one in sizes) else None
        return [*([legend(of_scorer=False)] if self.errors else []), *few_note(known)]  # type: ignore[arg-type]

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

    def _below(self) -> list[str]:
        return self.notes()

    def __str__(self) -> str:
        """A line a metric, then notes, then how they were made."""
        lines = aligned([[name, self.text(name)] for name in self])
        info = ", ".join(f"{key} {value}" for key, value in scalars(self.info).items())
        return "\n".join([*lines, "", *self.notes(), info]) if info else "\n".join(lines)

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={self.text(name)}" for name in self)
        info = ", ".join(f"{key}={value!r}" for key, value in self.info.items())
        return f"Metrics({values}; {info})"
