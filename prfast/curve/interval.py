"""A number of a curve and where it may lie."""

from __future__ import annotations

from dataclasses import asdict, dataclass

LEVEL = 0.95  # of every ± that is shown without a level of its own


def legend(confidence: float = LEVEL, *, of_scorer: bool = True) -> str:
    """Return the line below every table that has a ±; of_scorer: whether the table has numbers of
    curves, which hold for a scorer."""
    sampling = f"± is the half width of a {100 * confidence:g} % interval for other samples"
    missed = "the curve is an upper limit as far as the scorer misses differences"
    return f"{sampling}, given the scorer; {missed}" if of_scorer else sampling


def quantile(confidence: float) -> float:
    """z with P(|Z| <= z) = confidence for a normal Z."""
    from statistics import NormalDist  # only now: `import prfast` is quick

    return NormalDist().inv_cdf((1 + confidence) / 2)


@dataclass(frozen=True)
class Interval:
    """A number and where it may lie; prints as "0.812 ± 0.014"."""

    value: float
    """Of the curve itself."""
    low: float
    high: float
    confidence: float

    @property
    def half_width(self) -> float:
        """Length of the longer side, which stands behind the ±."""
        return max(self.high - self.value, self.value - self.low)

    def to_dict(self) -> dict[str, float]:
        """Plain numbers for JSON: ``value``, ``low``, ``high``, ``confidence``."""
        return asdict(self)

    def _repr_html_(self) -> str:
        from prfast.results import html

        where = f"level {self.confidence:g}: {self.low:.4g} to {self.high:.4g}"
        return html.shown(html.sentence(f"{self} ({where})"))

    def __format__(self, digits: str) -> str:
        """Both numbers in a format such as ".2f"; by default ".3f"."""
        return f"{self.value:{digits or '.3f'}} ± {self.half_width:{digits or '.3f'}}"

    def __str__(self) -> str:
        return f"{self}"

    def __float__(self) -> float:
        return self.value
