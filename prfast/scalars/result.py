"""Metrics, what `metrics` returns, and the half widths of the intervals of metrics.

Split-half errors.  Both sets are cut in two at random, and the metrics T₁ and T₂ of the two pairs
of halves are computed.  The halves are independent, and the variance of a metric is about
proportional to 1/n, so

    Var(T) ≈ mean over halvings of ((T₁ − T₂) / 2)²,   Cov(T, T') likewise by products:

models whose real samples are cut into the same halves share that part of the noise.  A jackknife
that leaves out a tenth gives standard deviations that are 1.0 to 1.9 times too large, since
neighbors are not a smooth function of the samples.  For distances between equal distributions the
variance falls as 1/n², and the split-half deviation is √2 times too large.

Measured for differences of two models with ten halvings, n = 1000, d = 4, 8 and 32, 80 to 150
replications each: intervals of nominal level 0.95 cover 0.90 to 1.00 for every usual metric, most
of them 0.92 to 0.97; the deviation is 0.83 to 1.16 times that of the replications.  The Fréchet and
the kernel distance and authenticity were not among them.

A metric's own standard error, where it has one, takes precedence: a few halvings estimate a
deviation roughly, and they suppose a variance that falls as 1/n, where that of the kernel distance
of equal distributions falls as 1/n².
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from prfast.curve.provenance import few_note
from prfast.curve.summary import LEVEL, legend, quantile
from prfast.inputs.arrays import Float64s
from prfast.results.info import scalars
from prfast.results.values import Display, Values, value_and_error
from prfast.scalars.table import NAMES, digits, ends_of


@dataclass(frozen=True, eq=False)
class Halves:
    """Split-half differences (T₁ − T₂) / 2 of each metric, a number a halving."""

    values: dict[str, Float64s]
    real: tuple[int, int, int] | None = None
    """Checksum of the real samples, seed and number of halvings, which determine the halves of the
    real samples; None where they are not known."""

    def deviation(self, name: str) -> float:
        """Return the standard deviation of a metric."""
        return float(np.sqrt(np.mean(self.values[name] ** 2)))

    def half_width(self, name: str, confidence: float) -> float:
        """Return the half width of an interval: the deviation times the quantile of Student's t."""
        from scipy.stats import t  # here, to keep `import prfast` quick

        halvings = len(self.values[name])
        return float(t.ppf((1 + confidence) / 2, halvings)) * self.deviation(name)

    def shares_real(self, other: Halves) -> bool:
        """Return whether both have the same halves of the same real samples."""
        return self.real is not None and self.real == other.real


def half_width(
    name: str,
    value: float,
    errors: Mapping[str, float],
    halves: Halves | None = None,
    confidence: float = LEVEL,
) -> float | None:
    """Return the half width of the interval of a metric, the number behind its ±.

    It is that of the metric's standard error in `errors` (`Metrics.errors`), else that of `halves`,
    at most as far as the metric can move; None where neither is known.
    """
    if name in errors:
        half = quantile(confidence) * errors[name]
    elif halves is not None and name in halves.values:
        half = halves.half_width(name, confidence)
    else:
        return None
    least, most = ends_of(name)
    return min(half, max(value - least, most - value))


class Metrics(Values[float]):
    """Mapping of names to values, in the order of ``which``; values are also attributes.

    ``info``: options, sizes and version that produced them, for printing; ``errors``: standard
    errors of the metrics that have one; ``k`` and ``sizes``, the numbers of real and of generated
    samples among which neighbors were counted, or None.
    """

    def __init__(
        self,
        values: Mapping[str, float],
        info: Mapping[str, Any] | None = None,
        errors: Mapping[str, float] | None = None,
        *,
        k: int | None = None,
        sizes: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(values, info)
        self._errors: Mapping[str, float] = MappingProxyType(dict(errors or {}))
        self.k, self.sizes = k, sizes

    @property
    def errors(self) -> Mapping[str, float]:
        """Standard errors, {name: error}, of the metrics that have one."""
        return self._errors

    def __reduce__(self) -> tuple[Any, ...]:
        again = partial(type(self), k=self.k, sizes=self.sizes)
        return again, (dict(self), dict(self.info), dict(self.errors))

    def __getattr__(self, name: str) -> float:
        if name in NAMES and name in self:
            return self[name]
        raise AttributeError(f"Metrics has {', '.join(self)}, not {name!r}")

    def text(self, name: str) -> str:
        """Return a metric as tables show it: "0.7123", or "0.001234 ± 0.000045" with the half width
        of its 95 % interval."""
        return value_and_error(self[name], self._half_width(name), digits(name))

    def notes(self) -> list[str]:
        """Return the notes below the table: the meaning of ±, and a note on few samples."""
        return [*([legend(of_scorer=False)] if self.errors else []), *few_note(self.sizes)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``values``, {name: number}, where infinity is "inf"; ``errors``, {name: standard error},
            if there are any; ``info``.
        """
        return super().to_dict() | ({"errors": dict(self.errors)} if self.errors else {})

    def _half_width(self, name: str) -> float | None:
        return half_width(name, self[name], self.errors)

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each metric: ``name``, ``value`` and, if any metric has a standard
        error, ``half_width``, that of the 95 % interval, NaN for others."""
        rows = super().rows()
        if self.errors:
            for row in rows:
                half = self._half_width(row["name"])
                row["half_width"] = math.nan if half is None else half
        return rows

    def _display(self) -> Display:
        info = ", ".join(f"{key} {value}" for key, value in scalars(self.info).items())
        return super()._display()._replace(summary=info)

    def __repr__(self) -> str:
        info = ", ".join(f"{key}={value!r}" for key, value in self.info.items())
        return f"{super().__repr__()[:-1]}; {info})"
