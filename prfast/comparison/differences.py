"""Differences between models by all their numbers, with intervals that hold for all pairs at once.

    numbers of curves   scores of every model ─► bootstrap with the same real samples ──┐
    metrics             halves of the samples, the same real ones for every model ──────┤
                                                                                        ▼
                      covariance of the models' errors ─► largest of all pairs ─► ±, p, clear

The half width of a difference is the quantile at the level of c √(s² + b² + g²) + e + u.  s is its
standard deviation.  b is the difference of the biases of both hulls (estimated by the bootstrap,
times `_LOST`; 0 for metrics).  g is that of what another curve estimator adds to the hulls (0 where
the curve is the hull).  u is that of what fits to more samples would detect
(`prfast.estimate.intervals.undetected`).  e is the most that either number changes by samples in an
end cell without any, by as many as are missed at the level (`raised`), times an exponential
variable that is 1 at the level: models do not share them.  c is the largest difference of all pairs
(max-t; `prfast.estimate.intervals`).  Numbers near an end of their range, and those that no
bootstrap sample changes, have at least the mass that so many samples miss at the level, as in the
interval of each model.  Of equal models, some pair is called clear by a given number in at most 1 −
confidence of all comparisons; several numbers are not corrected for each other.

The bootstrap holds the fits of "auto" fixed: c is of a t distribution (`_freedom`).
`docs/uncertainty.md` has the measured coverage, by `python -m bench intervals`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.summary import Row, read_row, rows_of_table
from prfast.estimate.intervals import (
    DRAWS,
    bootstrap_models,
    finite_values,
    max_t_draws,
    parts_of,
    raised,
    undetected,
    unseen,
)
from prfast.estimate.notes import UNEVEN
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_list, read_seed, read_share
from prfast.methods.base import Scores
from prfast.results.values import Display, Result, curve_name, shortened, value_and_error
from prfast.samples.notes import copies_caution
from prfast.scalars.table import NAMES, depends_on_number

Models = Mapping[str, Any]

# Factor on the bootstrap estimate of a hull's bias.  In a difference the biases cancel in part, and
# 3 holds the level; intervals of a single curve take 4 (`intervals.LOST`).
_LOST = 3.0
_COARSE = "coarse_area"
_FEW_WEIGHTED = 100  # effective size of weighted generated samples, below which is a note


@dataclass(frozen=True)
class Difference:
    """A number of `model` minus that of `other`; prints as a sentence.  See also `Differences`."""

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
    def clear(self) -> bool:
        """Whether the interval excludes 0."""
        return abs(self.value) > self.half_width

    def sentence(self, *, curve: bool = False) -> str:
        """Return the difference in words; curve: with the name of the curve (default False)."""
        number = f"{self.number} of {self.curve}" if curve and self.curve else self.number
        value = abs(self.value) if self.clear else self.value
        size = value_and_error(value, self.half_width, "+.3f")
        if not self.clear:
            return f"{self.model} and {self.other} cannot be told apart by {number}: {size}"
        more, less = (self.model, self.other) if self.value > 0 else (self.other, self.model)
        if self.words:
            return f"{more} {self.words} {less} ({number}): {size}"
        return f"{more} has a higher {number} than {less}: {size}"

    def __str__(self) -> str:
        return self.sentence()


@dataclass(frozen=True, eq=False, repr=False)
class Differences(Result, Sequence[Difference]):
    """The differences of all pairs by all numbers, as a sequence; prints as a table.

    See also `Comparison`.

    >>> real, fake = prfast.reference.GaussianShift(1.0, dim=8).sample(500)
    >>> models = prfast.Evaluator(real).compare({"near": fake - 0.3, "far": fake})
    >>> print(models.differences())
    """

    items: Sequence[Difference]
    confidence: float
    pairs: int
    """The number of pairs for which the level holds simultaneously."""
    copied: list[str]
    """The models whose samples equal real ones: copying cannot be told from skill."""
    weighted: list[str]
    """The models whose weights leave few effective samples: the level does not hold."""
    left_out: list[str]
    """The metrics that depend on the number of generated samples, where models differ in it."""

    def __getitem__(self, index: Any) -> Any:
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)

    @property
    def clear(self) -> list[Difference]:
        """The differences whose intervals exclude 0."""
        return [difference for difference in self.items if difference.clear]

    @property
    def family(self) -> str:
        """Description of the pairs for which the level holds simultaneously."""
        which = "the pair" if self.pairs == 1 else f"all {self.pairs} pairs at once"
        return f"± and p for {which} of a number, confidence {self.confidence:g}"

    def sentences(self) -> list[str]:
        """Return a sentence each: "A is more diverse than B (diversity): +0.060 ± 0.020"."""
        several = len({x.curve for x in self.items if x.curve}) > 1
        return [difference.sentence(curve=several) for difference in self.items]

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary each, for JSON or a table."""
        return [
            {"model": x.model, "other": x.other, "curve": x.curve, "number": x.number}
            | {"difference": x.value, "half_width": x.half_width, "p": x.p, "clear": x.clear}
            for x in self.items
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON: ``confidence``; ``pairs``, the number of pairs
        for which it holds simultaneously; ``differences``, as `rows`."""
        return {"confidence": self.confidence, "pairs": self.pairs, "differences": self.rows()}

    def _display(self) -> Display:
        lines = [
            [
                f"{x.model} − {x.other}",
                f"{x.curve}: {x.number}" if x.curve else x.number,
                value_and_error(x.value, x.half_width, "+.3f"),
                "< 0.001" if x.p < 0.0005 else f"{x.p:.3f}",
                "clear" if x.clear else "",
            ]
            for x in self
        ]
        notes = [f"{self.family}."]
        if any(x.curve and x.clear for x in self.items):
            notes.append(
                "Clear: beyond the choice of samples. Numbers of curves are upper limits: where "
                "the method misses more of one model's faults, the true order may be reversed."
            )
        if self.left_out:
            notes.append(
                f"{shortened(self.left_out)}: left out, as numbers of generated samples differ. "
                "Compare as many of each model."
            )
        if self.weighted:
            notes.append(
                f"The weights of {shortened(self.weighted)} leave an effective size below "
                f"{_FEW_WEIGHTED}: the level does not hold there, and equal models were called "
                "different in up to 1 of 7 draws."
            )
        head = ["models", "number", "difference", "p", "clear?"]
        return Display("Differences", lines, head, notes, copies_caution(self.copied), words=[4])

    def __repr__(self) -> str:
        return f"Differences({len(self)}, {len(self.clear)} of them clear; {self.family})"


def differences(
    models: Models, confidence: Any, numbers: Any, baseline: Any, random_state: Any
) -> Differences:
    """Return the differences between models; `Comparison.differences` documents the arguments."""
    family = _Family.read(list(models), baseline, confidence, random_state)
    every = list(models.values())
    profiles = [model.profile for model in every if model.profile is not None]
    sigmas = {profile.resolutions.coarse for profile in profiles}
    has_coarse = len(profiles) == len(every) and len(sigmas) == 1
    of_curves, of_metrics, is_coarse = _read_numbers(models, numbers, has_coarse)
    items = list[Difference]()
    keys = [key for key in every[0].curves if all(key in model.curves for model in every)]
    if of_curves and not keys:
        raise WrongValue("differences", "models with a method and k in common expected, got none")
    for key in keys if of_curves else ():
        curves, scores = [x.curves[key] for x in every], [x.scores.get(key) for x in every]
        needed = f"a curve {key} whose cells"
        items += _of_curves(curve_name(*key), needed, curves, scores, of_curves, family)
    if is_coarse:
        # Profiles keep no scores: each is resampled by itself, and what shared real samples move in
        # both does not drop out, so the ± is rather wide.
        (sigma,) = sigmas
        coarse = [read_row("numbers", "area")._replace(title=_COARSE.replace("_", " "))]
        curves, estimates = (
            [getattr(x, which)[sigma] for x in profiles] for which in ("curves", "estimates")
        )
        items += _of_curves("", "a profile whose curves", curves, estimates, coarse, family)
    origins = {name: model.curve.provenance for name, model in models.items()}
    sizes = [origin.n_fake for origin in origins.values() if origin.n_fake]
    is_uneven = len(sizes) > 1 and max(sizes) > UNEVEN * min(sizes)
    left_out = [metric for metric in of_metrics if is_uneven and depends_on_number(metric)]
    for metric in (metric for metric in of_metrics if metric not in left_out):
        items += _of_metric(every, metric, family)
    copied = [name for name, origin in origins.items() if origin.copies]
    weighted = [
        name
        for name, origin in origins.items()
        if "fake" in origin.weighted and origin.units and origin.units[1] < _FEW_WEIGHTED
    ]
    return Differences(items, family.confidence, len(family.pairs), copied, weighted, left_out)


def _of_curves(
    title: str,
    needed: str,
    curves: Sequence[PRCurve],
    scores: Sequence[Any],
    rows: Sequence[Row],
    family: _Family,
) -> list[Difference]:
    """Return the differences by numbers of curves, from bootstrap samples that are drawn once for
    all numbers; models that share their real samples also share the resamples.

    needed: what a model needs.  scores: those behind each curve, or another curve to resample; None
    where not known.
    """
    items: list[Difference] = []
    sources = [x or curve for curve, x in zip(curves, scores, strict=True)]
    draws = bootstrap_models(sources, family.seed, DRAWS)
    for name, of_model in zip(family.names, draws, strict=True):
        if not of_model:
            raise WrongValue(f"models[{name!r}]", f"{needed} count samples expected")
    hulls = [x.curve() if isinstance(x, Scores) else x.hull for x in sources]
    freedom = min(map(_freedom, curves, scores))
    parts = [parts_of(x) or parts_of(hull) for x, hull in zip(curves, hulls, strict=True)]
    shares = [unseen(x, family.confidence) if x else 1.0 for x in parts]
    ends = [[raised(part.hull, part.sizes, family.confidence) for part in x] for x in parts]
    for row in rows:
        least, most = row.ends
        samples = np.array([finite_values(row, x, "numbers") for x in draws])
        values, swept = (np.array(finite_values(row, x, "numbers")) for x in (curves, hulls))
        absent = np.zeros(len(curves))
        for i, (model_parts, raised_parts) in enumerate(zip(parts, ends, strict=True)):
            low = finite_values(row, [part.hull for part in model_parts], "numbers")
            high = finite_values(row, raised_parts, "numbers")
            weights = [part.share for part in model_parts]
            if model_parts:
                absent[i] = abs(np.average(np.subtract(high, low), weights=weights))
        is_unsure = np.minimum(values - least, most - values) < shares
        is_unsure |= np.ptp(samples, axis=1) == 0
        sides = np.array([undetected(curve, [row])[0] for curve in curves])
        items += family.differences(
            (title, row.title, row.more),
            values,
            np.cov(samples),
            freedom,
            undetected=sides @ (1, -1),
            missed=np.where(is_unsure, shares, 0.0),
            absent=absent,
            unequal=(_LOST * (samples.mean(axis=1) - swept), values - swept),
            largest=most - least,
        )
    return items


def _of_metric(models: Sequence[Any], metric: str, family: _Family) -> list[Difference]:
    """Return the differences by a metric, from halves of the samples."""
    halves = [model.halves for model in models]
    covariance = np.zeros((len(models), len(models)))
    for i, first in enumerate(halves):
        for j, second in enumerate(halves):
            # Either the same model, or the same halves of the same real samples.
            if i == j or (first.real is not None and first.real == second.real):
                covariance[i, j] = np.mean(first.values[metric] * second.values[metric])
    freedom = min(len(half.values[metric]) for half in halves)
    values = np.array([model[metric] for model in models])
    nothing: dict[str, Any] = dict.fromkeys(
        ("undetected", "missed", "absent"), np.zeros(len(models))
    )
    return family.differences(("", metric, ""), values, covariance, freedom, **nothing)


def _read_numbers(
    models: Models, numbers: Any, has_coarse: bool
) -> tuple[list[Row], list[str], bool]:
    """Return the rows of numbers of curves, names of metrics, and whether the coarse area is one of
    the numbers."""
    halved = [set(model.halves.values) if model.halves else set() for model in models.values()]
    with_errors = [name for name in NAMES if all(name in metrics for metrics in halved)]
    if numbers is None:
        return rows_of_table("comparison"), with_errors, has_coarse
    of_curves: dict[str, Row] = {}  # by title
    of_metrics: list[str] = []
    is_coarse = False
    for number in read_list("numbers", numbers, (str,)):
        if isinstance(number, str) and number == _COARSE:
            if not has_coarse:
                expected = "models of Evaluator(…, resolutions=…)"
                raise WrongValue("numbers", f"{_COARSE} is known of {expected}, and not of these")
            is_coarse = True
        elif isinstance(number, str) and number in NAMES:
            if number not in with_errors:
                text = f"errors of {number} are known of models of Evaluator(…, halvings=12), which"
                raise WrongValue("numbers", f"{text} measures it, and not of these")
            of_metrics.append(number)
        else:
            row = read_row("numbers", number)
            of_curves[row.title] = row
    return [*of_curves.values()], of_metrics, is_coarse


def _freedom(curve: PRCurve, scores: Scores | PRCurve | None) -> float:
    """Return the degrees of freedom of the errors of a model, at least 1.

    Fits of cross-fitted scores differ more than the bootstrap shows.  Their freedom is the samples
    of a fold or, with weights or groups, half that of a variance by these, if less.
    """
    made, freedom = curve.provenance, float(DRAWS - 1)
    if made.folds and (sizes := made.units):
        freedom = min(freedom, min(sizes) / made.folds)
    if isinstance(scores, Scores) and scores.pair is not None:
        freedom = min(freedom, scores.pair.freedom / 2)
    return max(1.0, freedom)


class _Family(NamedTuple):
    """The pairs of models for which a level holds simultaneously."""

    names: Sequence[str]
    pairs: Sequence[tuple[int, int]]
    confidence: float
    seed: int

    @classmethod
    def read(cls, names: list[str], baseline: Any, confidence: Any, random_state: Any) -> _Family:
        """Return the pairs of all models, or of all others with the baseline."""
        confidence, seed = read_share("confidence", confidence), read_seed(random_state)
        if len(names) < 2:
            raise WrongValue("differences", f"at least two models expected, got {len(names)}")
        if baseline is None:
            pairs = list(combinations(range(len(names)), 2))
        elif baseline in names:
            pairs = [(i, names.index(baseline)) for i, name in enumerate(names) if name != baseline]
        else:
            listed = ", ".join(map(repr, names))
            raise WrongValue("baseline", f"one of {listed} or None expected, got {baseline!r}")
        return cls(names, pairs, confidence, seed)

    def differences(
        self,
        labels: tuple[str, str, str],
        values: Float64s,
        covariance: Any,
        freedom: float,
        *,
        undetected: Float64s,
        missed: Float64s,
        absent: Float64s,
        unequal: Sequence[Float64s] = (),
        largest: float = math.inf,
    ) -> list[Difference]:
        """Return the differences of all pairs, by the null distribution of the largest (max-t).

        labels: the curve, the number and its phrase.  values: the number of each model, whose
        errors have the covariance, of so many degrees of freedom.  undetected: how far fits to more
        samples would move each number, down.  missed: the share of mass that samples of each model
        may miss, 0 where its number varies.  absent: the change of each number by samples in an end
        cell without any.  unequal: further errors that do not vary.  largest: the greatest
        difference that the number can have.
        """
        curve, number, words = labels
        most = max_t_draws(covariance, self.pairs, freedom, self.seed)
        # Samples that are absent: 1 at the level, where P(more than x) = (1 − confidence)^x.
        rare = np.random.default_rng([self.seed, 3]).exponential(size=len(most))
        rare /= -math.log1p(-self.confidence)
        items = []
        for i, j in self.pairs:
            value = float(values[i] - values[j])
            variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
            scatter = math.sqrt(max(0.0, float(variance)))
            error = math.hypot(scatter, *(x[i] - x[j] for x in unequal))
            fall = abs(float(undetected[i] - undetected[j]))  # expected, so its size is no error
            missing = float(missed[i] + missed[j])
            reach = most * error + rare * max(absent[i], absent[j]) + fall
            half = max(float(np.quantile(reach, self.confidence)), missing)
            if error:
                p = (1 + float(np.sum(reach >= abs(value)))) / (1 + len(reach))
            elif half:  # the probability that samples miss masses that sum to |value|
                p = (1 - self.confidence) ** (abs(value) / half)
            else:
                p = float(value == 0)
            half = float(min(half, largest))
            if abs(value) <= half:
                p = max(p, 1 - self.confidence)
            names = self.names[i], self.names[j]
            items.append(Difference(*names, curve, number, value, half, p, words))
        return items
