"""What the samples behind a curve prove: what the true one lies below, and a band for the scorer's.

counts of the hull ─► bounds of error rates, at all thresholds at once ─► from_rates ─► a curve
                      bands
"""

from __future__ import annotations

from typing import Any, Self

from prfast.curve import cells
from prfast.curve.bands import BOUNDS, Rates, lower_rates, upper_rates
from prfast.curve.readings import Readings
from prfast.curve.scored import are_counts, proves_fixed, read_sizes
from prfast.inputs.arrays import Float64s, read_weights
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import read_share


class Proved(Readings):
    """A curve, and what the samples behind it prove."""

    __slots__ = ()

    @property
    def hull(self) -> Self:
        """The curve of the scores alone, where this one is read off them otherwise; else itself.

        Its cells are the counts in ``info["hull"]``.

        Raises
        ------
        TypeError, ValueError
            `info["hull"]` is not {"real": counts, "fake": counts}.
        """
        if "hull" not in self._info:
            return self
        p, q = _read_hull(self._info["hull"])
        info = {key: value for key, value in self._info.items() if key != "hull"}
        swapped = info.pop("swapped", False) is True
        found = self._from_pooled(*cells.of_masses(p, q), info)
        return found.swap() if swapped else found

    def upper(self, confidence: float = 0.95, *, bound: str = "mixture") -> Self:
        """The curve that the true one lies below, at every λ at once, with this confidence.

        A scorer's own curve lies on or above the true one, for every λ (2019 paper, Theorem 5).
        With upper bounds A(t), B(t) of its error rates at all thresholds, min over t of
        λ A(t) + B(t) is above both with probability at least `confidence`, whatever the
        distributions, the numbers of samples, drawn independently, and the scorer.  It says what a
        model cannot be; no such lower bound of the truth exists, as a better scorer may always
        come.

        Parameters
        ----------
        confidence : float
            In (0, 1), 0.95 by default.
        bound : "mixture", "dkw" or "joint"
            Of the rates (``prfast.curve.bands``).  "mixture" (default): of martingales, tight at
            both ends of the curve, each class with half of the doubt.  "dkw": Dvoretzky, Kiefer and
            Wolfowitz's, equally wide everywhere, likewise.  "joint": the same of both classes
            together, narrower where both rates matter; for sets drawn independently of each other.

        Returns
        -------
        PRCurve
            With `info` of this curve's hull and `bound`, `side` ("upper"), `confidence` and
            `certified`.  `certified` is True if the record does not deny that the scorer was fixed
            before it saw what it scored: there is a split, or a function was given.  Scores given
            to `from_scores` are taken for such, unless its `info` says otherwise.  False without a
            split, or where the samples were scored in folds: then the bound is that of a fixed
            scorer and only empirical.

        Raises
        ------
        TypeError, ValueError
            `confidence` not in (0, 1); another bound; a curve that does not count samples.
        """
        delta, bound = 1 - read_share("confidence", confidence), _read_bound(bound)
        hull, p, q = self._counted()
        told = {"bound": bound, "confidence": float(confidence)}
        return hull._of_bounds(upper_rates(p, q, delta, bound), told | {"side": "upper"})

    def band(self, confidence: float = 0.95, *, bound: str = "mixture") -> tuple[Self, Self]:
        """(lower, upper): curves that the scorer's own curve lies between, at every λ at once.

        The curve that the same scorer would have on endless samples; the truth is below `upper`,
        but may be below `lower` too.  Each side has half of the doubt, so that this upper curve is
        a little higher than that of `upper`.

        Parameters
        ----------
        confidence, bound
            As for `upper`.

        Returns
        -------
        (PRCurve, PRCurve)
            As that of `upper`; `side` is "lower" and "upper", `confidence` that of both together.

        Raises
        ------
        TypeError, ValueError
            As `upper`.
        """
        delta, bound = 1 - read_share("confidence", confidence), _read_bound(bound)
        hull, p, q = self._counted()
        told = {"bound": bound, "confidence": float(confidence)}
        return (
            hull._of_bounds(lower_rates(p, q, delta / 2, bound), told | {"side": "lower"}),
            hull._of_bounds(upper_rates(p, q, delta / 2, bound), told | {"side": "upper"}),
        )

    def _counted(self) -> tuple[Self, Float64s, Float64s]:
        """The hull, and its cells as counts of the samples that its record says were scored."""
        hull = self.hull
        sizes = read_sizes(hull._info)
        if sizes is None:
            raise WrongValue(
                "curve",
                "scored_real and scored_fake in its info expected, the numbers of samples "
                "that its masses count; a curve of weighted samples, of rates, or of masses alone, "
                "proves nothing",
            )
        for masses, total, size in zip((hull._p, hull._q), hull._totals, sizes, strict=True):
            if not are_counts(masses, total, size):
                raise WrongValue(
                    "curve",
                    f"cells that count {sizes[0]} + {sizes[1]} samples expected, got masses "
                    f"of sums {hull._totals[0]:g} and {hull._totals[1]:g}; a mean, an intersection "
                    "or a bound has none: bound each curve that it was made of",
                )
        return hull, hull._p, hull._q

    def _of_bounds(self, rates: Rates, told: dict[str, Any]) -> Self:
        info = dict(self._info) | told | {"certified": proves_fixed(self._info)}
        return self._from_pooled(*cells.of_rates(*rates), info)


def _read_bound(bound: Any) -> str:
    if not isinstance(bound, str) or bound not in BOUNDS:
        known = ", ".join(map(repr, BOUNDS))
        raise WrongValue("bound", f"one of {known} expected, got {bound!r}")
    return bound


def _read_hull(hull: Any) -> tuple[Float64s, Float64s]:
    name = "info['hull']"
    if not isinstance(hull, dict) or not {"real", "fake"} <= hull.keys():
        raise WrongType(name, "{'real': counts, 'fake': counts} expected")
    p = read_weights(f"{name}['real']", hull["real"])
    return p, read_weights(f"{name}['fake']", hull["fake"], length=p.size)
