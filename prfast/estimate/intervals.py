"""Confidence intervals of numbers of a curve by the bootstrap, of one curve and of several models.

The interval of a number is value − z s to value + z s + e + b (docs/uncertainty.md).  Bootstrap
samples, as many as were scored, are drawn from the cells of the hull, with the scorer held fixed.
The standard deviation of the number over 400 such curves is s, the normal quantile z.  An end cell
without samples of one set may have mass of it: e is the change of the number by the most samples
that are expected there (`raised`).  The hull of samples lies too low: b is `LOST` times the mean
fall of bootstrap curves below the curve of the mean masses.  e and b are added on the side they
point to.

What fits to more samples would detect extends the interval (`undetected`), by a share
`LEAST_CHANGE` of that side at least.  So many samples may miss a share of mass (`unseen`).  A
number as near an end of its range has at least this share on each side.  So has every number of a
curve of one cell.  An interval is around all estimates of its number: of the hull, of a shrunk
curve, and with the share of single observations unlike the other set.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve, Provenance
from prfast.curve.masses import apart, are_counts, rescaled
from prfast.curve.numbers import CurveNumbers
from prfast.curve.summary import LEVEL, Interval, Row, quantile, read_row, rows_of_table
from prfast.inputs.arrays import Float64s, Ints
from prfast.inputs.concurrency import cached_property
from prfast.inputs.errors import WrongType, WrongValue, kind_of
from prfast.inputs.options import RandomState, read_seed, read_share
from prfast.kernels import masses as kernels
from prfast.methods.base import Scores
from prfast.samples.partition import cells_by_mass
from prfast.samples.record import Sizes

DRAWS = 400  # bootstrap samples of a curve
# Power of the number of samples, with which the bias of a fit falls.  For mixtures and codes with
# an exact truth 0.7 was too narrow; 0.5 widens other intervals by more than a tenth.
RATE = 0.55
# Share of a side of the interval by which fits to more samples move the number at least: the change
# from smaller fits is noisy.
LEAST_CHANGE = 0.4
LOST = 4.0  # bias of a hull of samples, in units of the fall of a bootstrap curve below it
_LEAST_DRAWS = 40  # of each part of a mean


class Part(NamedTuple):
    """A curve, or a part of a mean, the numbers of samples that its hull counts, and its share."""

    hull: PRCurve
    sizes: Sizes
    share: float
    has_smaller_fits: bool


def parts_of(curve: PRCurve, mean_sizes: Sizes | None = None, share: float = 1.0) -> list[Part]:
    """Return the curve, or all curves that it is the mean of; none where one counts no samples.

    mean_sizes: those of the mean that the curve is a part of, for parts without a record.
    """
    made, hull = curve.provenance, curve.hull
    if made.side or made.intersection_of:
        return []
    sizes = made.scored or mean_sizes
    if (effective := hull.provenance.cell_units) is not None:
        is_counted = made.units is not None and all(len(x) == hull._p.size for x in effective)
    elif hull is curve and curve.parts:
        parts = [parts_of(part, sizes, share / len(curve.parts)) for part in curve.parts]
        return list(chain(*parts)) if all(parts) else []
    elif sizes is None:
        return []
    else:  # the cells of a mean of a record have every sample once for each of its parts
        is_mean = made.mean_of or made.settings.get("runs")
        times = hull._totals[0] / sizes[0] if is_mean else 1.0
        each = zip((hull._p, hull._q), hull._totals, sizes, strict=True)
        is_counted = all(are_counts(x, total, times * size) for x, total, size in each)
    units = made.units or sizes
    has_smaller_fits = made.smaller_fit is not None
    return [Part(hull, units, share, has_smaller_fits)] if is_counted and units else []


def scored(curve: PRCurve) -> Sizes | None:
    """Return the numbers of independent samples that the curve counts, of a mean the fewest."""
    sizes = [part.sizes for part in parts_of(curve)]
    return (min(n for n, _ in sizes), min(m for _, m in sizes)) if sizes else None


class Draws:
    """Curves of masses (draws, cells), whose numbers are computed for many curves at once."""

    def __init__(self, p: Any, q: Any) -> None:
        self._p, self._q = (rescaled(np.array(x, np.float64)) for x in (p, q))
        # The mean masses, from before cells are pooled.
        drawn = [x for x in (self._p, self._q) if len(x)]
        self._mean = [(x / x.sum(axis=1, keepdims=True)).mean(axis=0) for x in drawn]
        self._cells = kernels.pool_rows(self._p, self._q)

    @cached_property
    def _stacks(self) -> list[tuple[Ints, CurveNumbers]]:
        """Positions and numbers of curves with equally many cells, also of ratio ∞ and 0."""
        is_last = np.arange(len(self)), self._cells - 1
        kinds = 4 * self._cells + (self._p[:, 0] == 0) + 2 * (self._q[is_last] == 0)
        rows = [np.flatnonzero(kinds == kind) for kind in set(kinds.tolist())]
        return [(i, CurveNumbers(*self._cells_of(i, self._cells[i[0]]))) for i in rows]

    def _cells_of(self, rows: Any, cells: int) -> tuple[Float64s, Float64s]:
        p, q = (np.ascontiguousarray(x[rows, :cells]) for x in (self._p, self._q))
        return p, q

    def values(self, row: Row) -> Iterable[Any]:
        """Return the number of each curve; at once for those with a key."""
        if not row.key:
            return map(row.value, self)
        values = np.empty(len(self))
        for rows, stack in self._stacks:
            values[rows] = row.value(stack)
        return values.tolist()

    @cached_property
    def mean(self) -> Draws:
        """The curve of the mean masses, as a single draw."""
        return Draws(*(x[None] for x in self._mean))

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[PRCurve]:
        for row, cells in enumerate(self._cells):
            yield PRCurve._from_pooled(*self._cells_of(row, cells), Provenance())


def bootstrap_curve(
    curve: PRCurve, seed: Sequence[int] | int, rounds: int = DRAWS, sizes: Sizes | None = None
) -> Draws:
    """Return curves of bootstrap samples of these sizes, by default the curve's own, if any."""
    # The counts on the level sets, by falling ratio, are multinomial.
    sizes = sizes or scored(curve)
    if sizes is None:
        return Draws(np.empty((0, 1)), np.empty((0, 1)))
    rng = np.random.default_rng(seed)
    hull = curve.hull
    numbers, masses = list(sizes), [x / x.sum() for x in hull.masses]
    weights: list[Any] = [1.0, 1.0]
    # The scaled Poisson approximation of Bohm and Zech (2014), conditional on the sum: draws of
    # equal weight in a cell, as many as its effective number.
    for i, effective in enumerate(hull.provenance.cell_units or ()):
        units, mass = np.asarray(effective, np.float64), masses[i]
        numbers[i], masses[i] = max(round(float(units.sum())), 1), units / units.sum()
        weights[i] = np.divide(mass, masses[i], out=np.zeros(mass.size), where=masses[i] > 0)
    counts = rng.multinomial(numbers, masses, size=(rounds, 2))
    return Draws(counts[:, 0] * weights[0], counts[:, 1] * weights[1])


def interval(
    curve: PRCurve, number: Any, confidence: float = LEVEL, random_state: RandomState = 0
) -> Interval:
    row = read_row("number", number)
    confidence = read_share("confidence", confidence)
    seed = read_seed(random_state)
    if curve.provenance.side:
        raise WrongValue("interval", "a curve of scores expected, got a bound of one")
    if scored(curve) is None:
        text = "cells that count the samples of scored_real and scored_fake in its info expected; "
        text += "weighted masses, rates and masses alone count none: pass weights to "
        text += "prfast.pr_curve, or take the number's spread over PRCurve.from_scores of draws "
        raise WrongValue("curve", text + "with replacement, weights included")
    (result,) = several_intervals(curve, [row], confidence, seed)
    return result


def several_intervals(
    curve: PRCurve, rows: Sequence[Row], confidence: float, seed: int = 0
) -> list[Interval]:
    """Return the intervals of numbers of a curve that counts samples, by the same bootstrap."""
    parts, made = parts_of(curve), curve.provenance
    missed = unseen(parts, confidence)
    all_equal = all(part.hull._p.size == 1 for part in parts)  # as are their bootstrap samples
    rounds = max(_LEAST_DRAWS, DRAWS // len(parts))
    curves = []
    for i, part in enumerate(parts):
        hulls = [part.hull, raised(part.hull, part.sizes, confidence)]
        seeds = seed if len(parts) == 1 else [seed, i]
        curves.append((hulls, bootstrap_curve(part.hull, seeds, rounds, part.sizes)))
    estimates = [curve, curve.hull] if made.shrunk is not None else [curve]
    if any(made.single):
        shares = made.single[::-1] if made.swapped else made.single
        estimates.append(PRCurve.from_masses(*apart(*curve.masses, shares)))
    z, weighted, intervals = quantile(confidence), list[Float64s](), []
    for row in rows:
        sides = []
        for hulls, draws in curves:
            (low, high), drawn = finite_values(row, hulls), finite_values(row, draws)
            scatter = z * float(np.std(drawn, ddof=1))
            # The fall below the curve of the mean masses has no error of the first order (Efron
            # 1990).
            (mean,) = finite_values(row, draws.mean)
            shifts = high - low, LOST * (mean - float(np.mean(drawn)))
            rises = (sum(max(sign * shift, 0.0) for shift in shifts) for sign in (-1, 1))
            sides.append([scatter + rise for rise in rises])
        weighted.append(np.average(sides, axis=0, weights=[part.share for part in parts]))
    changes = undetected(curve, rows, LEAST_CHANGE * np.array(weighted))
    for row, (below, above) in zip(rows, np.add(weighted, changes).tolist(), strict=True):
        values = finite_values(row, estimates)
        value, (least, most) = values[0], row.ends
        if all_equal or min(value - least, most - value) < missed:
            below, above = max(below, missed), max(above, missed)
        low = max(min(values) - below, min(least, value))
        high = min(max(values) + above, max(most, value))
        intervals.append(Interval(value, low, high, confidence))
    return intervals


def undetected(curve: PRCurve, rows: Sequence[Row], least: Float64s | float = 0.0) -> Float64s:
    """Return how far fits to more samples are expected to move each number, down and up.

    The bias of a fit falls as a power `RATE` of the number of samples.  So the change from smaller
    fits (`prfast.methods.auto.model.fit_both`) shows what is left of it, (rows, 2).  A change
    towards equal distributions is noise.  least: the least change, down and up.
    """
    smaller = curve.provenance.smaller_fit
    if smaller is None:
        parts = [undetected(part, rows, least) for part in curve.parts]
        return np.mean(parts, axis=0) if parts else np.zeros((len(rows), 2))
    fewer = PRCurve.from_masses(smaller["real"], smaller["fake"])
    fewer = fewer.swap() if curve.provenance.swapped else fewer
    equal = PRCurve.from_masses([1.0], [1.0])
    factor = 1 / (smaller["ratio"] ** RATE - 1)
    sides = []
    for row in rows:
        value, with_fewer, most = finite_values(row, [curve, fewer, equal])
        change = factor * (value - with_fewer)
        sides.append((-change, -math.inf) if most > value else (-math.inf, change))
    return np.where(np.isinf(sides), 0.0, np.maximum(sides, least))


def intervals_of_table(curve: PRCurve) -> dict[str, Interval]:
    """Return the intervals of the numbers that tables and records have, by their keys, if any."""
    if scored(curve) is None:
        return {}
    rows = rows_of_table("interval")
    intervals = several_intervals(curve, rows, LEVEL)
    return dict(zip((row.key for row in rows), intervals, strict=True))


def unseen(parts: Sequence[Part], confidence: float) -> float:
    """Return the largest share of mass of which the samples of a curve may have next to none.

    A fit to other samples does not tell one or two samples of a kind from chance.
    """
    size = min(min(part.sizes) for part in parts)
    if not any(part.has_smaller_fits for part in parts):
        return float(1 - (1 - confidence) ** (1 / size))
    mean = 1.0
    # P(N <= 2) = 1 − confidence for a Poisson number N of this mean; scipy loads slowly.
    for _ in range(100):
        mean = math.log((1 + mean + mean**2 / 2) / (1 - confidence))
    return min(mean / size, 1.0)


def raised(hull: PRCurve, sizes: Sizes, confidence: float) -> PRCurve:
    """Return the curve with real samples in the first and generated ones in the last cell, if these
    have none: the most that are expected where none is, a Poisson number, at this confidence."""
    samples = -math.log1p(-confidence)
    p, q = (masses.copy() for masses in (hull._p, hull._q))
    p[0] = p[0] or samples * hull._totals[0] / sizes[0]
    q[-1] = q[-1] or samples * hull._totals[1] / sizes[1]
    if (units := hull.provenance.cell_units) is None:
        return PRCurve.from_masses(p, q)
    real, fake = (np.array(x, np.float64) for x in units)
    real[0], fake[-1] = real[0] or samples, fake[-1] or samples
    order = np.argsort(p / (p + q), kind="stable")
    record = {"real": real[order].tolist(), "fake": fake[order].tolist()}
    return PRCurve._from_pooled(p[order], q[order], Provenance(effective_cell_sizes=record))


def finite_values(row: Row, curves: Draws | Sequence[PRCurve], name: str = "number") -> list[float]:
    """Return the number of each curve; refuse a function that returns no finite one."""
    values = curves.values(row) if isinstance(curves, Draws) else map(row.value, curves)
    numbers = []
    for value in values:
        is_number = isinstance(value, int | float | np.integer | np.floating)
        if not is_number or isinstance(value, bool):
            text = "a function of a curve that gives a number expected"
            raise WrongType(name, f"{text}, got {kind_of(value)}")
        if not math.isfinite(value):
            text = "finite numbers of the curve and of all that are drawn from it expected"
            raise WrongValue(name, f"{text}, got {value:g}")
        numbers.append(float(value))
    return numbers


def bootstrap_models(
    models: Sequence[Scores | PRCurve], seed: int, rounds: int = DRAWS
) -> list[Draws]:
    """Return bootstrap curves of each model, none for a curve that counts no samples.

    The real samples that models share are resampled once, as shared noise cancels in a difference.
    """
    curves = []
    for i, model in enumerate(models):
        if isinstance(model, PRCurve):
            curves.append(bootstrap_curve(model, [seed, i], rounds))
            continue
        # The seed of the real samples is that of the first model with the same ones.
        first = next(
            j
            for j, x in enumerate(models)
            if x is model or (isinstance(x, Scores) and model.shares_real(x))
        )
        draw = _drawn_scores if model.pair is None else _drawn_groups
        curves.append(draw(model, ([seed, first], [seed, i, 1]), rounds))
    return curves


def _drawn_scores(scores: Scores, seeds: tuple[Sequence[int], Sequence[int]], rounds: int) -> Draws:
    n, m = len(scores.real), len(scores.fake)
    p, q = scores.curve().masses
    cells = cells_by_mass(scores.real, np.ones(n), p)
    real, fake = map(np.random.default_rng, seeds)
    units = scores.effective_size or (n, m)
    draws = (cells[real.integers(n, size=units[0])] for _ in range(rounds))
    counts = [np.bincount(draw, minlength=p.size) for draw in draws]
    return Draws(counts, fake.multinomial(units[1], q / q.sum(), size=rounds))


def _drawn_groups(scores: Scores, seeds: tuple[Sequence[int], Sequence[int]], rounds: int) -> Draws:
    """Return curves of draws of groups, each with its weight in the cell of one of its samples."""
    assert scores.pair is not None
    pair, masses, sets = scores.pair, scores.curve().masses, []
    samples = zip((scores.real, scores.fake), pair.masses, pair.unit_numbers, strict=True)
    for (s, weights, group), mass, seed in zip(samples, masses, seeds, strict=True):
        cell, totals = cells_by_mass(s, weights, mass), np.bincount(group, weights)
        order = np.argsort(group, kind="stable")
        ends = np.cumsum((weights / totals[group])[order])  # from g to g + 1 for the group g
        rng, size, draws = np.random.default_rng(seed), len(totals), []
        for _ in range(rounds):
            at = np.searchsorted(ends, size * rng.random(size), side="right")
            rows = order[np.minimum(at, len(order) - 1)]
            draws.append(np.bincount(cell[rows], totals[group[rows]], mass.size))
        sets.append(draws)
    return Draws(*sets)


SIMULTANEOUS_DRAWS = 20_000


def max_t_draws(
    covariance: Any, pairs: Sequence[tuple[int, int]], freedom: float, seed: int
) -> Float64s:
    """Return draws of the largest |error| / standard deviation over the pairs, in rising order.

    The errors of pairs of models are linear images of normal variables, one a model, with this
    covariance.  It has f degrees of freedom: the variables are divided by one √(χ²_f / f).
    """
    rng = np.random.default_rng([seed, 2])
    values, vectors = np.linalg.eigh(np.asarray(covariance, np.float64))
    root = vectors * np.sqrt(np.clip(values, 0.0, None))
    errors = rng.standard_normal((SIMULTANEOUS_DRAWS, len(values))) @ root.T
    scale = np.sqrt(rng.chisquare(freedom, SIMULTANEOUS_DRAWS) / freedom)
    most = np.zeros(SIMULTANEOUS_DRAWS)
    least = 1e-6 * float(np.sqrt(np.abs(values).max(initial=0.0)))
    for i, j in pairs:
        difference = errors[:, i] - errors[:, j]
        deviation = float(np.sqrt(np.mean(difference**2)))
        if deviation > least:  # otherwise the two are the same, up to rounding
            np.maximum(most, np.abs(difference) / deviation / scale, out=most)
    if not most.any():
        # No pair varies: as for one comparison, since widths may have other terms than scatter.
        most = np.abs(rng.standard_normal(SIMULTANEOUS_DRAWS)) / scale
    return np.sort(most)
