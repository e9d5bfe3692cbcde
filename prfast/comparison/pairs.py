"""Differences of all pairs of models by a number, with intervals that hold for all at once.

    numbers of curves   scores of every model ─► bootstrap with the same real samples ──┐
    metrics             halves of the samples, the same real ones for every model ──────┤
                                                                                        ▼
                      covariance of the models' errors ─► largest of all pairs ─► ±, p, clear

The half width of a difference is c √(s² + b² + g² + u²): s is its standard deviation, b the
difference of the biases of both hulls (estimated by the bootstrap, times `_LOST`; 0 for metrics), g
the difference of what another curve estimator adds to the hulls (0 where the curve is the hull), u
that of what fits to more samples would detect (`prfast.estimate.intervals.undetected`), and c the
critical value of the largest difference of all pairs (max-t; `prfast.estimate.intervals`).
Where no bootstrap sample changes a number, as for separated sets, the mass that this many samples
miss at the level is added.  Of equal models, some pair is called clear by a given number in at most
1 − confidence of all comparisons; several numbers are not corrected for each other.

Measured by `python -m bench intervals` at 0.95, n = 1000, 150 to 400 draws: the true difference of
a number is within its ± in .93 to .98, diversity in .98 to 1.00; of five models equal to the real
samples some pair is called clear by a number in 0 to .03.  The bootstrap holds the fits of "auto"
fixed: it takes the c of a t distribution (`_freedom`), n = 600: .94 to .98.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.summary import LEVEL, ROWS, Number
from prfast.estimate.intervals import (
    DRAWS,
    bootstrap_models,
    finite_values,
    max_t_draws,
    scored,
    undetected,
    unseen,
)
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue
from prfast.methods.base import Scores
from prfast.results.values import value_and_error
from prfast.scalars.measure import Halves

# Factor on the bootstrap estimate of a hull's bias.  In a difference the biases cancel in part, and
# 3 holds the level; intervals of a single curve take 4 (`intervals.LOST`).
_LOST = 3.0


@dataclass(frozen=True)
class Difference:
    """A number of `model` minus that of `other`, with its error; prints as a sentence."""

    model: str
    other: str
    curve: str
    """Name of the curve, from its method and k; "" for a metric."""
    number: str
    value: float
    half_width: float
    """Half the width of the interval: the number behind ±."""
    p: float
    """p-value: probability that of equal models any pair differs by at least this much."""
    words: str = ""
    """Phrase for the model with the larger value, such as "is more diverse than"."""

    @property
    def heading(self) -> str:
        """The number with its curve, as "knn k=5: area"."""
        return f"{self.curve}: {self.number}" if self.curve else self.number

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.value - self.half_width

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.value + self.half_width

    @property
    def clear(self) -> bool:
        """Whether the interval excludes 0."""
        return abs(self.value) > self.half_width

    def sentence(self, *, curve: bool = False) -> str:
        """Return the difference in words; curve: with the name of the curve (default False)."""
        number = f"{self.number} of {self.curve}" if curve and self.curve else self.number
        if not self.clear:
            size = value_and_error(self.value, self.half_width, "+.3f")
            return f"{self.model} and {self.other} cannot be told apart by {number}: {size}"
        more, less = (self.model, self.other) if self.value > 0 else (self.other, self.model)
        size = value_and_error(abs(self.value), self.half_width, "+.3f")
        if self.words:
            return f"{more} {self.words} {less} ({number}): {size}"
        return f"{more} has a higher {number} than {less}: {size}"

    def __str__(self) -> str:
        return self.sentence()


Pairs = Sequence[tuple[int, int]]


class CurveDifferences:
    """Differences between the curves of several models, by any number of a curve.

    Bootstrap samples are drawn once for all numbers; models that share their real samples also
    share the resamples of these.

    scores: those behind each curve, or another curve to resample; None where not known.  pairs: of
    models, all by default.  confidence: simultaneous level of a number for all pairs.  title: of
    the curves.
    """

    def __init__(
        self,
        names: Sequence[str],
        curves: Sequence[PRCurve],
        scores: Sequence[Scores | PRCurve | None] = (),
        *,
        pairs: Pairs | None = None,
        confidence: float = LEVEL,
        seed: int = 0,
        title: str = "",
    ) -> None:
        self.names, self.curves, self.title = list(names), list(curves), title
        self.confidence, self._seed = confidence, seed
        self._pairs = pairs_of(names) if pairs is None else pairs
        scores = list(scores) or [None] * len(self.curves)
        models = [x or curve for curve, x in zip(self.curves, scores, strict=True)]
        self._hulls = [x.curve() if isinstance(x, Scores) else x.hull for x in models]
        self._draws = bootstrap_models(models, seed, DRAWS)
        self._freedom = min(map(_freedom, self.curves, scores))
        self._sizes = [min(scored(hull) or (1, 1)) for hull in self._hulls]
        first, *others = models
        self.paired = isinstance(first, Scores) and any(
            isinstance(other, Scores) and first.shares_real(other) for other in others
        )
        drawn = zip(self.names, self._draws, strict=True)
        self.unknown = next((name for name, of_model in drawn if not of_model), None)
        """The first model with a curve that has no sample counts; None if all have them."""

    def of(self, number: Number, title: str = "") -> list[Difference]:
        """Return the difference of each pair by this number."""
        row = next((row for row in ROWS if row.value is number), None)
        words, most = ("", math.inf) if row is None else (row.more, row.ends[1] - row.ends[0])
        drawn = np.array([finite_values(number, x, "numbers") for x in self._draws])
        values, swept = (
            np.array(finite_values(number, x, "numbers")) for x in (self.curves, self._hulls)
        )
        sides = np.array([undetected(curve, [number])[0] for curve in self.curves])
        results = _with_intervals(
            self.names,
            self._pairs,
            values,
            np.cov(drawn),
            self._freedom,
            self.confidence,
            self._seed,
            unequal=(_LOST * (drawn.mean(axis=1) - swept), values - swept, sides @ (1, -1)),
            unmoved=np.where(np.ptp(drawn, axis=1) == 0, self._sizes, 0).tolist(),
            largest=most,
        )
        return [replace(x, curve=self.title, number=title, words=words) for x in results]


def _freedom(curve: PRCurve, scores: Scores | PRCurve | None) -> float:
    """Return the degrees of freedom of the errors of a model, at least 1.

    Fits of cross-fitted scores differ from draw to draw more than the bootstrap shows: they have
    the samples of a fold, with weights or groups half the freedom of a variance by these, if less.
    """
    made, freedom = curve.provenance, float(DRAWS - 1)
    if made.folds and (sizes := made.units):
        freedom = min(freedom, min(sizes) / made.folds)
    if isinstance(scores, Scores) and scores.pair is not None:
        freedom = min(freedom, scores.pair.freedom / 2)
    return max(1.0, freedom)


def metric_differences(
    names: Sequence[str],
    metric: str,
    values: Sequence[float],
    halves: Sequence[Halves],
    pairs: Pairs | None = None,
    confidence: float = LEVEL,
    seed: int = 0,
) -> list[Difference]:
    """Return the difference of each pair of models by a metric, with split-half covariances."""
    covariance = np.zeros((len(halves), len(halves)))
    for i, first in enumerate(halves):
        for j, second in enumerate(halves):
            if i == j or first.shares_real(second):
                covariance[i, j] = np.mean(first.values[metric] * second.values[metric])
    freedom = min(len(half.values[metric]) for half in halves)
    pairs = pairs_of(names) if pairs is None else pairs
    results = _with_intervals(names, pairs, values, covariance, freedom, confidence, seed)
    return [replace(result, number=metric.replace("_", " ")) for result in results]


def _with_intervals(
    names: Sequence[str],
    pairs: Pairs,
    values: Any,
    covariance: Any,
    freedom: float,
    confidence: float,
    seed: int,
    *,
    unequal: Sequence[Float64s] = (),
    unmoved: Sequence[int] | None = None,
    largest: float = math.inf,
) -> list[Difference]:
    """Return the differences of all pairs, by the null distribution of the largest (max-t).

    values, covariance, freedom: a number of all models, and the covariance of its errors with the
    degrees of freedom.  unequal: further errors of each model that do not vary.  unmoved: numbers
    of samples of the models whose number no bootstrap sample changes, 0 for other models.  largest:
    the greatest difference that the number can have.
    """
    most = max_t_draws(covariance, pairs, freedom, seed)
    times = float(np.quantile(most, confidence))
    items = []
    for i, j in pairs:
        value = float(values[i] - values[j])
        variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
        scatter = math.sqrt(max(0.0, float(variance)))
        error = math.hypot(scatter, *(errors[i] - errors[j] for errors in unequal))
        samples = [unmoved[k] for k in (i, j) if unmoved[k]] if unmoved else []
        half = times * error + sum(unseen(size, confidence) for size in samples)
        if error:
            p = (1 + float(np.sum(most >= abs(value) / error))) / (1 + len(most))
        elif samples:  # the probability that they miss masses that sum to |value|
            p = max(0.0, 1 - abs(value) / 2) ** min(samples)
        else:
            p = float(value == 0)
        half = min(half, largest)
        if abs(value) <= half:
            p = max(p, 1 - confidence)
        items.append(Difference(names[i], names[j], "", "", value, half, p))
    return items


def pairs_of(names: Sequence[str], baseline: Any = None) -> Pairs:
    """Return all pairs of models, or those with a baseline."""
    if baseline is None:
        return list(combinations(range(len(names)), 2))
    if baseline not in names:
        listed = ", ".join(map(repr, names))
        raise WrongValue("baseline", f"one of {listed} or None expected, got {baseline!r}")
    j = list(names).index(baseline)
    return [(i, j) for i in range(len(names)) if i != j]
