"""What `metrics` returns."""

from __future__ import annotations

from prfast.metrics.table import NAMES
from prfast.results.flat import flat
from prfast.results.values import Values


class Metrics(Values[float]):
    """Names and values, in the order asked for, also as attributes; ``info`` says how made."""

    def __getattr__(self, name: str) -> float:
        if name in NAMES and name in self:
            return self[name]
        raise AttributeError(f"Metrics has {', '.join(self)}, not {name!r}")

    def scalars(self, prefix: str = "") -> dict[str, float]:
        """The metrics for a logger, a flat {name: float}, as `PRCurve.scalars`; those that are not
        finite are left out.

        Raises
        ------
        TypeError
            A prefix that is no string.
        """
        return flat(self.items(), prefix)

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value:.4g}" for name, value in self.items())
        info = ", ".join(f"{key}={value!r}" for key, value in self.info.items())
        return f"Metrics({values}; {info})"
