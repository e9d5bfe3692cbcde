"""Differences between models, with intervals that hold simultaneously for all pairs.

    numbers of curves   scores of every model ─► bootstrap with the same real samples ──┐
    metrics             halves of the samples, the same real ones for every model ──────┤
                                                                                        ▼
                      covariance of the models' errors ─► largest of all pairs ─► ±, p, clear

The half width of a difference is c √(s² + b² + g²): s is its standard deviation, b the difference
of the biases of both hulls (estimated by the bootstrap, times `_LOST`; 0 for metrics), g the
difference of what another curve estimator adds to the hulls (0 where the curve is the hull), and c
the critical value of the largest difference of all pairs (max-t; `prfast.estimate.intervals`).
Where no bootstrap sample changes a number, as for separated sets, the mass that this many samples
miss at the level is added.  Of equal models, some pair is called clear by a given number in at most
1 − confidence of all comparisons; several numbers are not corrected for each other.

Measured by `python -m bench intervals` at 0.95, n = 1000, 150 to 400 draws: the true difference of
area, F_8, F_1/8 and total variation is within its ± in .93 to .98, for fixed scorers and for "knn"
on halves, sizes equal or four to one; fidelity, by fixed scorers, .93 to .97, diversity, 50 draws,
.98 to 1.00; metrics, whose truth is the mean over draws, .93 to .97.  Of five models equal to the
real samples some pair is called clear by a number in 0 to .03.

The curve of "auto" is its hull, or the mean of it and a smoother one.  The hull is resampled,
every sample scored by its own fold's fit, and the ± stands about the difference of the numbers that
are shown: the level is empirical.  Measured, n = 600, d = 5, 100 draws, the truth
being the mean over draws: area .98, diversity .97, F_8 .94, F_1/8 .96, fidelity .96; of three
models of P itself some pair is called clear in 0 to .05 of 60 draws.

Its fits differ from draw to draw, and the bootstrap holds them fixed.  So c is that of a t
distribution with the samples of a fold as degrees of freedom, with weights fewer (`_freedom`).  Of
two equal models, 100 draws of 100 samples in 2 dimensions, shifted by 1, the area was called
different in .13 by the normal c and is in .07, of 200 samples .04 and .02; of 400 samples with
weights of an effective size of 80 and freedom of 8, in .12 and .03, F_8 in .24 and .12.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple, overload

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.summary import LEVEL, ROWS, Number, read_row, rows_of_table
from prfast.estimate.intervals import (
    DRAWS,
    adjusted_p,
    are_paired,
    bootstrap_models,
    critical_value,
    finite_values,
    max_t_draws,
    scored,
    unseen,
)
from prfast.estimate.notes import FEW_WEIGHTED
from prfast.estimate.profiles import Profile
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_list, read_seed, read_share
from prfast.methods.base import Scores
from prfast.results.values import Display, Result, curve_name, shortened
from prfast.scalars.measure import Halves
from prfast.scalars.table import NAMES

# Factor on the bootstrap estimate of a hull's bias.  In a difference the biases cancel in part, and
# 3 holds the level; intervals of a single curve take 4 (`intervals.LOST`).
_LOST = 3.0


_COARSE = "coarse_area"
_SEPARATE = 0.05  # area, below which a model has hardly anything in common with the real samples


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
            size = f"{self.value:+.3f} ± {self.half_width:.3f}"
            return f"{self.model} and {self.other} cannot be told apart by {number}: {size}"
        one, other = (self.model, self.other) if self.value > 0 else (self.other, self.model)
        size = f"{abs(self.value):+.3f} ± {self.half_width:.3f}"
        if self.words:
            return f"{one} {self.words} {other} ({number}): {size}"
        return f"{one} has a higher {number} than {other}: {size}"

    def __str__(self) -> str:
        return self.sentence()


class Differences(Result, Sequence[Difference]):
    """The differences of all pairs by all numbers, as a sequence; prints as a table.

    ``copied`` are the models whose samples equal real ones: their differences cannot tell copying
    from skill, and no report compares them.  ``separate`` are those that have hardly anything in
    common with the real samples at full resolution, where there are two or more and no coarse
    areas are compared: that their areas do not differ says nothing.
    """

    def __init__(
        self,
        items: Sequence[Difference],
        confidence: float,
        pairs: int,
        copied: Sequence[str],
        separate: Sequence[str],
        weighted: Sequence[str],
    ) -> None:
        self._items, self.confidence, self.pairs = tuple(items), confidence, pairs
        self.copied, self.separate = list(copied), list(separate)
        self._weighted = list(weighted)  # of few effective samples

    @overload
    def __getitem__(self, index: int) -> Difference: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Difference]: ...
    def __getitem__(self, index: int | slice) -> Difference | Sequence[Difference]:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    @property
    def clear(self) -> list[Difference]:
        """The differences whose intervals exclude 0."""
        return [one for one in self._items if one.clear]

    @property
    def family(self) -> str:
        """Description of the pairs for which the level holds simultaneously."""
        which = "the pair" if self.pairs == 1 else f"all {self.pairs} pairs at once"
        return f"± and p for {which} of a number, confidence {self.confidence:g}"

    def sentences(self) -> list[str]:
        """Return a sentence each: "A is more diverse than B (diversity): +0.060 ± 0.020"."""
        several = len({one.curve for one in self._items if one.curve}) > 1
        return [one.sentence(curve=several) for one in self._items]

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary each, for JSON or a table."""
        return [
            {
                "model": one.model,
                "other": one.other,
                "curve": one.curve,
                "number": one.number,
                "difference": one.value,
                "half_width": one.half_width,
                "p": one.p,
                "clear": one.clear,
            }
            for one in self._items
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``confidence``; ``pairs``, the number of pairs for which it holds simultaneously;
            ``differences``, as `rows`.
        """
        return {"confidence": self.confidence, "pairs": self.pairs, "differences": self.rows()}

    def _display(self) -> Display:
        lines = [
            [
                f"{one.model} − {one.other}",
                one.heading,
                f"{one.value:+.3f} ± {one.half_width:.3f}",
                "< 0.001" if one.p < 0.0005 else f"{one.p:.3f}",
                "clear" if one.clear else "",
            ]
            for one in self
        ]
        return Display(
            "Differences",
            lines,
            ["models", "number", "difference", "p", "clear?"],
            notes=[f"{self.family}.", *self._separate_note(), *self._weighted_note()],
            cautions=[
                f"Samples of {shortened(self.copied)} equal real ones: their differences cannot "
                "tell copying from skill, and do not count, also where they are clear."
            ]
            if self.copied
            else [],
        )

    def _separate_note(self) -> list[str]:
        if not self.separate:
            return []
        return [
            f"{shortened(self.separate)} have areas below {_SEPARATE} at full resolution, where "
            "models far from the real samples are alike however far they are; Evaluator(…, "
            'resolutions="auto") compares their coarse areas.'
        ]

    def _weighted_note(self) -> list[str]:
        if not self._weighted:
            return []
        return [
            f"The weights of {shortened(self._weighted)} leave an effective size below "
            f"{FEW_WEIGHTED}: the level does not hold there, and equal models were called "
            "different in up to 1 of 7 draws."
        ]

    def __repr__(self) -> str:
        return f"Differences({len(self)}, {len(self.clear)} of them clear; {self.family})"


def _freedom(curve: PRCurve, scores: Scores | PRCurve | None) -> float:
    """Return the degrees of freedom of the errors of a model: of cross-fitted scores, whose fits
    differ from draw to draw more than the bootstrap shows, the samples of a fold; with weights or
    groups half of those of a variance by these, if that is less; at least 1."""
    made, freedom = curve.provenance, float(DRAWS - 1)
    if made.folds and (sizes := made.units):
        freedom = min(freedom, min(sizes) / made.folds)
    if isinstance(scores, Scores) and scores.pair is not None:
        freedom = min(freedom, scores.pair.freedom / 2)
    return max(1.0, freedom)


Models = Mapping[str, Any]
Pairs = Sequence[tuple[int, int]]


class Errors(NamedTuple):
    """A number of all models with its errors, an entry a model."""

    values: Float64s
    covariance: Any  # of the errors of the models
    lost: Float64s  # biases of the hulls
    added: Float64s  # what the curve estimator adds to the hulls
    freedom: float  # degrees of freedom of the covariance
    unmoved: Sequence[int]
    """Numbers of samples where no bootstrap sample changes the number, 0 for other models."""


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
        self._pairs = list(combinations(range(len(self.names)), 2)) if pairs is None else pairs
        known = list(scores) or [None] * len(self.curves)
        models = [
            curve if one is None else one for curve, one in zip(self.curves, known, strict=True)
        ]
        self._hulls = [one.curve() if isinstance(one, Scores) else one.hull for one in models]
        self._draws = bootstrap_models(models, seed, DRAWS)
        self._freedom = min(map(_freedom, self.curves, known))
        self._sizes = [min(scored(hull) or (1, 1)) for hull in self._hulls]
        self.paired = any(are_paired(models[0], other) for other in models[1:])

    @property
    def unknown(self) -> str | None:
        """The first model with a curve that has no sample counts; None if all have them."""
        drawn = zip(self.names, self._draws, strict=True)
        return next((name for name, of_model in drawn if not of_model), None)

    def of(self, number: Number, title: str = "") -> list[Difference]:
        """Return the difference of each pair by this number."""
        row = next((row for row in ROWS if row.value is number), None)
        words, most = ("", math.inf) if row is None else (row.more, row.ends[1] - row.ends[0])
        drawn = np.array([finite_values(number, of_model, "numbers") for of_model in self._draws])
        values, swept = (
            np.array(finite_values(number, of_kind, "numbers"))
            for of_kind in (self.curves, self._hulls)
        )
        lost = _LOST * (drawn.mean(axis=1) - swept)
        unmoved = np.where(np.ptp(drawn, axis=1) == 0, self._sizes, 0)
        errors = Errors(
            values, np.cov(drawn), lost, values - swept, self._freedom, unmoved.tolist()
        )
        about, level = (self.title, title, words), (self.confidence, self._seed)
        return _with_intervals(self.names, self._pairs, about, errors, *level, largest=most)

    def deviation(self, number: Number, i: int) -> float | None:
        """Return the bootstrap standard deviation of a number of model i, None without counts."""
        draws = self._draws[i]
        return float(np.std(finite_values(number, draws), ddof=1)) if draws else None


def differences(
    models: Models, confidence: Any, numbers: Any, baseline: Any, random_state: Any
) -> Differences:
    """Return the differences between models; `Comparison.differences` documents the arguments."""
    confidence, seed = read_share("confidence", confidence), read_seed(random_state)
    names = list(models)
    if len(names) < 2:
        raise WrongValue("differences", f"at least two models expected, got {len(names)}")
    pairs = _read_pairs(names, baseline)
    profiles = _profiles(models)
    of_curves, of_metrics, is_coarse = _read_numbers(models, numbers, bool(profiles))
    items: list[Difference] = []
    first, *others = models.values()
    keys = [key for key in first.curves if all(key in one.curves for one in others)]
    if of_curves and not keys:
        raise WrongValue("differences", "models with a method and k in common expected, got none")
    for key in keys if of_curves else ():
        by_number = CurveDifferences(
            names,
            [one.curves[key] for one in models.values()],
            [one.scores.get(key) for one in models.values()],
            pairs=pairs,
            confidence=confidence,
            seed=seed,
            title=curve_name(*key),
        )
        if by_number.unknown is not None:
            raise WrongValue(
                f"models[{by_number.unknown!r}]",
                f"a curve {key} whose cells count samples expected",
            )
        for title, number in of_curves.items():
            items += by_number.of(number, title)
    if is_coarse:
        items += _coarse_differences(names, profiles, pairs, confidence, seed)
    halves = [one.halves for one in models.values()]
    for name in of_metrics:
        values = [one[name] for one in models.values()]
        items += metric_differences(names, name, values, halves, pairs, confidence, seed)
    copied = [name for name, one in models.items() if one.curve.provenance.copies]
    separate = [name for name, one in models.items() if _is_separate(one.curve)]
    if is_coarse or len(separate) < 2 or not of_curves:
        separate = []
    weighted = [name for name, one in models.items() if _has_few_weighted(one.curve)]
    return Differences(items, confidence, len(pairs), copied, separate, weighted)


def _profiles(models: Models) -> list[Profile]:
    """Return the profiles of the models; empty where some have none, or other resolutions."""
    profiles = [one.profile for one in models.values() if one.profile is not None]
    alike = len({one.coarse_resolution for one in profiles}) == 1
    return profiles if alike and len(profiles) == len(models) else []


def _has_few_weighted(curve: PRCurve) -> bool:
    origin = curve.provenance
    few = origin.units is not None and origin.units[1] < FEW_WEIGHTED
    return few and "fake" in origin.weighted


def _is_separate(curve: PRCurve) -> bool:
    return curve.area < _SEPARATE and not curve.provenance.resolution


def _coarse_differences(
    names: Sequence[str], profiles: Sequence[Profile], pairs: Pairs, confidence: float, seed: int
) -> list[Difference]:
    """Return the differences of the coarse areas.  Profiles keep no scores: each is resampled by
    itself, and what shared real samples move in both does not drop out, so the ± is rather wide."""
    sigma = profiles[0].coarse_resolution
    by_number = CurveDifferences(
        names,
        [one.curves[sigma] for one in profiles],
        [one.estimates[sigma] for one in profiles],
        pairs=pairs,
        confidence=confidence,
        seed=seed,
    )
    if by_number.unknown is not None:
        name = by_number.unknown
        raise WrongValue(f"models[{name!r}]", "a profile whose curves count samples expected")
    return by_number.of(read_row("numbers", "area"), _COARSE.replace("_", " "))


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
    pairs = list(combinations(range(len(names)), 2)) if pairs is None else pairs
    covariance = np.zeros((len(halves), len(halves)))
    for i, one in enumerate(halves):
        for j, other in enumerate(halves):
            if i == j or one.shares_real(other):
                covariance[i, j] = np.mean(one.values[metric] * other.values[metric])
    none = np.zeros(len(halves))
    freedom = min(len(one.values[metric]) for one in halves)
    errors = Errors(
        np.array(values, np.float64), covariance, none, none, freedom, [0] * len(halves)
    )
    about = "", metric.replace("_", " "), ""
    return _with_intervals(names, pairs, about, errors, confidence, seed)


def _read_pairs(names: Sequence[str], baseline: Any) -> Pairs:
    if baseline is None:
        return list(combinations(range(len(names)), 2))
    if baseline not in names:
        known = ", ".join(map(repr, names))
        raise WrongValue("baseline", f"one of {known} or None expected, got {baseline!r}")
    j = list(names).index(baseline)
    return [(i, j) for i in range(len(names)) if i != j]


def _read_numbers(
    models: Models, numbers: Any, has_profiles: bool
) -> tuple[dict[str, Number], list[str], bool]:
    """Return {title: function} of numbers of curves, names of metrics, and whether the coarse area
    is one of the numbers; by default those in the table of a comparison that have errors."""
    halved = [set(one.halves.values) if one.halves else set() for one in models.values()]
    known = [name for name in NAMES if all(name in one for one in halved)]
    if numbers is None:
        return {row.title: row.value for row in rows_of_table("comparison")}, known, has_profiles
    of_curves: dict[str, Number] = {}
    of_metrics: list[str] = []
    is_coarse = False
    for one in read_list("numbers", numbers, (str,)):
        if isinstance(one, str) and one == _COARSE:
            if not has_profiles:
                expected = "models of Evaluator(…, resolutions=…)"
                raise WrongValue("numbers", f"{_COARSE} is known of {expected}, and not of these")
            is_coarse = True
        elif isinstance(one, str) and one in NAMES:
            if one not in known:
                raise WrongValue(
                    "numbers",
                    f"errors of {one} are known of models of Evaluator(…, halvings=12), which "
                    "measures it, and not of these",
                )
            of_metrics.append(one)
        else:
            value = read_row("numbers", one)
            titles = (row.title for row in ROWS if row.value is value)
            of_curves[next(titles, str(getattr(value, "__name__", value)))] = value
    return of_curves, of_metrics, is_coarse


def _with_intervals(
    names: Sequence[str],
    pairs: Pairs,
    about: tuple[str, str, str],
    errors: Errors,
    confidence: float,
    seed: int,
    largest: float = math.inf,
) -> list[Difference]:
    """Return the differences of all pairs, by the null distribution of the largest (max-t).

    about: the curve, the title of the number, the phrase for a larger value.  largest: the
    greatest difference that the number can have.
    """
    c = errors.covariance
    most = max_t_draws(c, pairs, errors.freedom, seed)
    times = critical_value(most, confidence)
    items = []
    for i, j in pairs:
        value = float(errors.values[i] - errors.values[j])
        variance = max(0.0, float(c[i, i] + c[j, j] - 2 * c[i, j]))
        unequal = (one[i] - one[j] for one in (errors.lost, errors.added))
        error = math.hypot(math.sqrt(variance), *unequal)
        half = times * error + sum(
            unseen((errors.unmoved[k],) * 2, confidence) for k in (i, j) if errors.unmoved[k]
        )
        p = adjusted_p(most, abs(value) / error) if error else _chance_to_miss(value, errors, i, j)
        half = min(half, largest)
        if abs(value) <= half:
            p = max(p, 1 - confidence)
        curve, title, words = about
        items.append(Difference(names[i], names[j], curve, title, value, half, p, words))
    return items


def _chance_to_miss(value: float, errors: Errors, i: int, j: int) -> float:
    """Return the probability that the samples of both models miss masses that sum to |value|."""
    samples = min(filter(None, (errors.unmoved[i], errors.unmoved[j])), default=0)
    return max(0.0, 1 - abs(value) / 2) ** samples if samples else float(value == 0)
