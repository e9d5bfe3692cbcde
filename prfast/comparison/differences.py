"""Is A better than B?  Differences between models, with errors that hold for all pairs at once.

    numbers of curves   scores of every model ─► bootstrap with the same real samples ──┐
    metrics             halves of the samples, the same real ones for every model ──────┤
                                                                                        ▼
                      covariance of the models' errors ─► largest of all pairs ─► ±, p, clear

± of a number's difference is c √(s² + b² + g²): s its standard deviation, b what the hulls of
unequal samples lose unequally (`_LOST`; 0 for metrics), g what another read-out
adds to the hulls unequally (0 where the curve is the hull), and c such that all pairs of that
number hold at once (`prfast.estimate.intervals`).  Where no bootstrap sample moves a number, as
of sets that are apart, the share that so many samples miss at the level is added.  So of models
that are equal, in at most 1 − confidence of all comparisons any pair is called clear by a number;
of several numbers each has that chance for itself.

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
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from prfast.comparison.difference import Difference, Differences
from prfast.curve import PRCurve
from prfast.curve.curve import LEVEL
from prfast.curve.summary import ROWS, Number, Row, read_row, row_of, shown
from prfast.estimate.intervals import (
    DRAWS,
    Scores,
    are_paired,
    chance,
    critical,
    finite_values,
    largest,
    redrawn,
    scored,
    unseen,
)
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_list, read_seed, read_share
from prfast.results.values import curve_name
from prfast.scalars.measure import Halves
from prfast.scalars.table import NAMES

# By title the row of a number that has one beside it (`summary.Row.beside`), and the title of that.
_BESIDE = {row.title: (row, row_of(row.beside).title) for row in ROWS if row.beside}

# What a hull has lost, in units of what one drawn from it loses again: of a difference both hulls
# err likewise, and 3 holds the level; an interval of one curve takes 4 (`intervals.LOST`).
_LOST = 3.0

Models = Mapping[str, Any]
Pairs = Sequence[tuple[int, int]]


class Asked(NamedTuple):
    """Numbers of curves, {title: function, more than another in words}, and names of metrics."""

    numbers: dict[str, tuple[Number, str]]
    metrics: list[str]


class Errors(NamedTuple):
    """Values of a number of all models, covariance of their errors, what each hull has lost, what
    the read-out adds to it, from how many independent draws they are known, and the samples of
    each model whose number no draw moves, 0 for the others."""

    values: Float64s
    covariance: Any
    lost: Float64s
    added: Float64s
    freedom: int
    unmoved: Sequence[int]


class CurveDifferences:
    """Differences between the curves of several models, by any number of a curve.

    The bootstrap samples are drawn once and serve every number; models that share their real
    samples are resampled with the same ones.

    Parameters
    ----------
    names : sequence of str
        Of the models.
    curves : sequence of PRCurve
        One a model.
    scores : sequence of Scores or None
        The scores that each curve is made of, where they are at hand.
    pairs : sequence of (int, int), optional
        The pairs of models that are compared; all by default.
    confidence : float
        Level at which a number holds for all pairs at once.
    title : str
        Name of the curves in the differences.
    """

    def __init__(
        self,
        names: Sequence[str],
        curves: Sequence[PRCurve],
        scores: Sequence[Scores | None] = (),
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
        self._draws = redrawn(models, seed, DRAWS)
        self._sizes = [min(scored(hull) or (1, 1)) for hull in self._hulls]
        self.paired = any(are_paired(models[0], other) for other in models[1:])
        self._by_number: dict[Number, dict[tuple[int, int], Difference]] = {}

    @property
    def unknown(self) -> str | None:
        """The first model with a curve whose cells do not count samples; None if all do."""
        drawn = zip(self.names, self._draws, strict=True)
        return next((name for name, of_model in drawn if not of_model), None)

    def of(self, number: Number, title: str = "", words: str = "") -> list[Difference]:
        """Return the difference of each pair by this number."""
        drawn = np.array([finite_values(number, of_model, "numbers") for of_model in self._draws])
        values, swept = (
            np.array(finite_values(number, of_kind, "numbers"))
            for of_kind in (self.curves, self._hulls)
        )
        lost = _LOST * (drawn.mean(axis=1) - swept)
        unmoved = np.where(np.ptp(drawn, axis=1) == 0, self._sizes, 0)
        errors = Errors(values, np.cov(drawn), lost, values - swept, DRAWS - 1, unmoved.tolist())
        judged = _judged(
            self.names, self._pairs, self.title, title, words, errors, self.confidence, self._seed
        )
        return list(judged)

    def deviation(self, number: Number, i: int) -> float | None:
        """Return the standard deviation of a number of model i over the bootstrap samples; None if
        its cells do not count samples."""
        draws = self._draws[i]
        return float(np.std(finite_values(number, draws), ddof=1)) if draws else None

    def falls_short(self, number: Number, i: int, j: int) -> bool:
        """Return whether the number of model i is clearly below that of model j.

        False where the cells of a curve do not count samples.
        """
        if self.unknown is not None or i == j:
            return False
        if number not in self._by_number:
            self._by_number[number] = dict(zip(self._pairs, self.of(number), strict=True))
        one, sign = self._by_number[number].get((i, j)), 1
        if one is None:
            one, sign = self._by_number[number][j, i], -1
        return one.clear and sign * one.value < 0


def differences(
    models: Models, confidence: Any, numbers: Any, baseline: Any, random_state: Any
) -> Differences:
    """What `Comparison.differences` returns; it documents the arguments."""
    confidence, seed = read_share("confidence", confidence), read_seed(random_state)
    names = list(models)
    if len(names) < 2:
        raise WrongValue("differences", f"at least two models expected, got {len(names)}")
    pairs = _read_pairs(names, baseline)
    asked = _read_numbers(models, numbers)
    found: list[Difference] = []
    requested = _with_beside(asked)
    first, *others = models.values()
    keys = [key for key in first.curves if all(key in one.curves for one in others)]
    if requested.numbers and not keys:
        raise WrongValue("differences", "models with a method and k in common expected, got none")
    for key in keys if requested.numbers else ():
        of_curves = CurveDifferences(
            names,
            [one.curves[key] for one in models.values()],
            [one.scores.get(key) for one in models.values()],
            pairs=pairs,
            confidence=confidence,
            seed=seed,
            title=curve_name(*key),
        )
        if of_curves.unknown is not None:
            raise WrongValue(
                f"models[{of_curves.unknown!r}]",
                f"a curve {key} whose cells count samples expected",
            )
        for title, (number, words) in requested.numbers.items():
            found += of_curves.of(number, title, words)
    halves = [one.halves for one in models.values()]
    for name in asked.metrics:
        values = [one[name] for one in models.values()]
        found += metric_differences(names, name, values, halves, pairs, confidence, seed)
    wanted = [*asked.numbers, *(name.replace("_", " ") for name in asked.metrics)]
    told = [one for one in _worded(models, found) if one.number in wanted]
    return Differences(told, confidence, len(pairs))


def metric_differences(
    names: Sequence[str],
    metric: str,
    values: Sequence[float],
    halves: Sequence[Halves],
    pairs: Pairs | None = None,
    confidence: float = LEVEL,
    seed: int = 0,
) -> list[Difference]:
    """Return the difference of each pair of models by a metric, whose errors come from halves of
    the samples."""
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
    title = metric.replace("_", " ")
    return list(_judged(names, pairs, "", title, "", errors, confidence, seed))


def _with_beside(asked: Asked) -> Asked:
    """With the numbers that have to bear out the words of those that are asked for."""
    titles = {_BESIDE[title][1] for title in asked.numbers if title in _BESIDE}
    beside = {row.title: (row.value, row.words.more) for row in ROWS if row.title in titles}
    return Asked(asked.numbers | beside, asked.metrics)


def _worded(models: Models, found: Sequence[Difference]) -> list[Difference]:
    """Without the words of a number that the one beside it does not bear out."""
    clear = {(one.model, one.other, one.curve, one.number): one for one in found if one.clear}

    def borne_out(one: Difference, row: Row, beside: str) -> bool:
        other = clear.get((one.model, one.other, one.curve, beside))
        if other is None or (other.value > 0) != (one.value > 0):
            return False
        curves = models[one.other if one.value > 0 else one.model].curves
        return any(row.says_of(curves[key]) for key in curves if curve_name(*key) == one.curve)

    return [
        replace(one, words="")
        if one.number in _BESIDE and not borne_out(one, *_BESIDE[one.number])
        else one
        for one in found
    ]


def _read_pairs(names: Sequence[str], baseline: Any) -> Pairs:
    if baseline is None:
        return list(combinations(range(len(names)), 2))
    if baseline not in names:
        known = ", ".join(map(repr, names))
        raise WrongValue("baseline", f"one of {known} or None expected, got {baseline!r}")
    j = list(names).index(baseline)
    return [(i, j) for i in range(len(names)) if i != j]


def _read_numbers(models: Models, numbers: Any) -> Asked:
    """By default what the table of a comparison shows, as far as its errors are known."""
    halved = [set(one.halves.values) if one.halves else set() for one in models.values()]
    known = [name for name in NAMES if all(name in one for one in halved)]
    if numbers is None:
        return Asked({row.title: (row.value, row.words.more) for row in shown("comparison")}, known)
    asked = Asked({}, [])
    for one in read_list("numbers", numbers, (str,)):
        if isinstance(one, str) and one in NAMES:
            if one not in known:
                raise WrongValue(
                    "numbers",
                    f"errors of {one} are known of models of Evaluator(…, halvings=12), which "
                    "measures it, and not of these",
                )
            asked.metrics.append(one)
        else:
            value = read_row("numbers", one)
            row = next((row for row in ROWS if row.value is value), None)
            title = row.title if row else str(getattr(value, "__name__", value))
            asked.numbers[title] = (value, row.words.more if row else "")
    return asked


def _judged(
    names: Sequence[str],
    pairs: Pairs,
    curve: str,
    title: str,
    words: str,
    errors: Errors,
    confidence: float,
    seed: int,
) -> Iterator[Difference]:
    """The differences of all pairs, by what the largest of them would be by chance."""
    c = errors.covariance
    most = largest(c, pairs, errors.freedom, seed)
    times = critical(most, confidence)
    for i, j in pairs:
        value = float(errors.values[i] - errors.values[j])
        variance = max(0.0, float(c[i, i] + c[j, j] - 2 * c[i, j]))
        unequal = (one[i] - one[j] for one in (errors.lost, errors.added))
        error = math.hypot(math.sqrt(variance), *unequal)
        half = times * error + sum(
            unseen((errors.unmoved[k],) * 2, confidence) for k in (i, j) if errors.unmoved[k]
        )
        p = chance(most, abs(value) / error) if error else _missed(abs(value), errors, i, j)
        if abs(value) <= half:
            p = max(p, 1 - confidence)
        yield Difference(names[i], names[j], curve, title, value, half, p, words)


def _missed(size: float, errors: Errors, i: int, j: int) -> float:
    """Return how often the samples of both models miss shares that add up to this size."""
    samples = min(filter(None, (errors.unmoved[i], errors.unmoved[j])), default=0)
    return max(0.0, 1 - size / 2) ** samples if samples else float(size == 0)
