"""From columns of bases to a log-ratio, and from log-ratios to curves.

The meta-learner combines the columns of all bases into one log-ratio: each column is mapped to a
log-ratio by a monotone function g_c, followed by a logistic regression,

    s = β₀ + Σ_c β_c g_c,   β_c ≥ 0,   minimizes   Σ w log(1 + e^{∓s}) + ½ PENALTY Σ β_c²,

∓: − for real samples.  It is fitted for each group of folds on the others.  The maps are monotone
and the slopes non-negative because a flexible meta-learner can recover the labels of a fold from
the columns.

The curve of the log-ratios is the hull of their error rates, a smooth calibrated curve, or the mean
of both:

    hull    α_λ = min_t λ fpr(t) + fnr(t); each t is too high in expectation, for any scorer, but
            the minimum over noise is too low: the sweep of the exact ratio has .93 of the area at
            n = 1000
    smooth  α_λ = Σ w min(λ η, 1 − η) / Σ …, η = σ(g(s)), g a monotone log-ratio; too high at
            cliffs and gaps of the scores, and therefore bounded by the error rates of thresholds
            on groups of folds that did not choose them
    mean    the mean of the two, whose errors have opposite signs

The stiffness of g is chosen by the log-likelihood of the folds that g was not fitted on.  Where
that is one of the two lowest, the ratio has cliffs, which a hull follows and a smooth curve cannot:
"auto" is then the hull, otherwise the mean.

The gain of the same log-likelihood over that of equal distributions is the evidence that the sets
differ.  It is rarely large where they do not.  Below MIN_EVIDENCE, "auto" is therefore shrunk
towards the curve of equal distributions, in proportion, so that noise of a few samples is not
reported as a difference.

g maps a score to the log-ratio: it is the monotone polyline under which the labels are most
likely.  x is first replaced by the normal score u of its rank, so that knots lie where the samples
are.  With the hat functions h_j of the knots and steps b_j ≥ 0,

    g(u) = a + Σ_j (Σ_{i ≤ j} b_i) h_j(u)   minimizes   Σ w log(1 + e^{∓g}) + ½ s Σ (Δ² g)²,

∓: − for real samples; Δ² are the changes of slope at the knots.  `prfast.kernels.monotone` computes
it from BINS bins of the ranks.  Ranks need no labels: they are those of all samples, on whichever
folds g is fitted.  The meta-learner maps the columns of bases in the same way.

A fold that g is not fitted on may have ranks that no other fold has.  Where a cluster has nearly
one value in each group of folds, say, the ranks of the group with the lowest are between those of
the cluster and the gap below it, and g is lower there.  Normal scores of held-out samples are
therefore interpolated, by their values, between those of the samples that g is fitted to, and
thresholds are halfway between scores, not ranks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.curve import PRCurve, Provenance
from prfast.curve.masses import apart, majorant
from prfast.inputs.arrays import Float64s, blocks
from prfast.kernels import monotone
from prfast.methods.auto.sample import (
    Executor,
    Flags,
    Ints,
    Sample,
    balanced,
    normal_scores,
)

CURVE_ESTIMATORS = ("auto", "mean", "hull", "smooth")
CLIP = 12.0
BINS = 400
STIFFNESS = ((14, 3.0), (14, 0.3), (40, 0.1), (80, 0.01))  # segments, smoothness
MIN_EVIDENCE = 3.0  # nats, below which the difference is shrunk
PENALTY = 40.0  # of the slopes of the meta-learner
_FIRST_ROWS = 1500  # from which it is fitted first
_HESSIAN_ROWS = 1000  # whose columns stay in the cache
_STEP = 1 / 128  # log-ratios that are closer are in one cell of the smooth curve
_MAP = (20, 1.0)  # segments and smoothness of the maps of the meta-learner
_ALL = slice(None)


class NormalScores(NamedTuple):
    """A map from values, ascending, to their normal scores."""

    values: Float64s
    u: Float64s

    def transform(self, x: Float64s, known: Flags | slice = _ALL) -> Float64s:
        """Return the normal scores of other values, interpolated between known ones."""
        return interpolate_monotone(x, self.values[known], self.u[known])


def _changes(x: NDArray[Any]) -> Flags:
    """Return whether each number differs from the one before; of the first, True."""
    flags = np.ones(len(x), bool)
    np.not_equal(x[1:], x[:-1], out=flags[1:])
    return flags


class RankBins:
    """Normal scores of ranks, and bins of them.  All samples weigh alike, as a weight by class
    would be a label."""

    def __init__(self, x: Float64s, scores: Float64s | None = None) -> None:
        """scores: the normal scores of so many ranks, `normal_scores`, if several share them."""
        order = x.argsort()
        ascending = x[order]
        is_first = _changes(ascending)
        first = np.flatnonzero(is_first)
        ends = np.append(first[1:], len(x))
        values, counts = ascending[first], ends - first
        self.place = place = np.empty(len(x), np.int64)
        place[order] = is_first.cumsum() - 1
        twice = first + ends  # the mean rank of each value
        u = (normal_scores(len(x)) if scores is None else scores)[twice]
        self.normal_scores = NormalScores(values, u)
        self.flat = len(values) < 2
        self.u = u[place]
        number = _changes(BINS * twice // (2 * len(x))).cumsum() - 1  # without empty bins
        self.bin, self.bins = number[place], int(number[-1]) + 1
        self.middle = np.bincount(number, counts * u) / np.bincount(number, counts)

    def counts(self, cell: Ints, cells: int, weight: Float64s | None = None) -> Float64s:
        """Return the numbers of samples of each cell in each bin, or the sums of their weights,
        (cells, bins)."""
        counts = np.bincount(cell * self.bins + self.bin, weight, cells * self.bins)
        return counts.reshape(cells, self.bins).astype(np.float64)

    def held_out(self, rows: Flags) -> tuple[Flags, Float64s]:
        """Return which values occur in these rows, and the normal scores of all rows, interpolated
        between those of these values."""
        u = np.empty(len(self.place))
        known = monotone.held_out_scores(*self.normal_scores, self.place, rows.view(np.uint8), u)
        return known, u


class MonotoneMap:
    """Normal score ↦ log dP/dQ, non-decreasing, within ±CLIP; 0 where there is only one value."""

    def __init__(
        self, bins: RankBins, p: Float64s, q: Float64s, segments: int, smoothness: float
    ) -> None:
        """Fit to the masses of both classes in each bin."""
        u = bins.normal_scores.u
        self._ends = float(u[0]), float(u[-1])
        self._heights = np.zeros(segments + 1)
        if not bins.flat:
            monotone.fit(bins.middle, p, q, *self._ends, smoothness, self._heights)

    def __call__(self, u: Float64s) -> Float64s:
        g = np.zeros(len(u))
        if self._ends[0] < self._ends[1]:
            monotone.interpolate(np.ascontiguousarray(u), *self._ends, self._heights, CLIP, g)
        return g


def interpolate_monotone(x: Float64s, knots: Float64s, heights: Float64s) -> Float64s:
    """Return the polyline through non-decreasing heights, itself non-decreasing: `np.interp` may
    round a piece to above its right end, where the next one begins."""
    end = np.searchsorted(knots, x, side="right")
    right = heights[np.minimum(end, knots.size - 1)]
    return np.asarray(np.minimum(np.interp(x, knots, heights), right))


def softplus(x: Float64s) -> Float64s:
    """Return log(1 + eˣ), in much less time than `np.logaddexp`."""
    return np.asarray(np.maximum(x, 0.0) + np.log(1.0 + np.exp(-np.abs(x))))


def expit(x: Float64s) -> Float64s:
    """Return 1 / (1 + e⁻ˣ)."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * x))


def log_loss(g: Float64s, p: Float64s, q: Float64s) -> float:
    """Return Σ p log(1 + e^{−g}) + q log(1 + e^g) for masses p real and q generated."""
    return float((p + q) @ softplus(g) - p @ g)


def backtrack(
    beta: Float64s, step: Float64s, loss: Callable[[Float64s], float], best: float
) -> tuple[Float64s, float]:
    """Return the end of the step, halved until the loss decreases, and the loss there; the start
    and `best` where it never does."""
    for _ in range(20):
        reached = loss(beta + step)
        if reached <= best:
            return beta + step, reached
        step = step / 2
    return beta, best


# ---- the meta-learner ----------------------------------------------------------------------------


class MetaLearner(NamedTuple):
    """The meta-learner of one group of folds."""

    maps: list[MonotoneMap]
    known: list[Flags]
    """The values of each column in the other groups, between which those of its own are."""
    slopes: Float64s
    intercept: float
    spread: Float64s
    """The standard deviation of each mapped column."""

    def score(self, u: Float64s) -> Float64s:
        """Return the log-ratio from the normal scores of the columns, (rows, columns)."""
        columns = [g(column) for g, column in zip(self.maps, u.T, strict=True)]
        return self.combine(np.array(columns).T)

    def combine(self, mapped: Float64s) -> Float64s:
        """Return the log-ratio from the mapped columns."""
        return np.clip(mapped @ self.slopes + self.intercept, -CLIP, CLIP)


class Stack(NamedTuple):
    """The meta-learners of all groups of folds."""

    normal_scores: list[NormalScores]
    """The normal scores of each column."""
    learners: list[MetaLearner]
    """One for each group of folds."""

    def score(self, columns: Float64s, fold: int) -> Float64s:
        learner = self.learners[fold % len(self.learners)]
        triples = zip(self.normal_scores, columns.T, learner.known, strict=True)
        return learner.score(np.column_stack([u.transform(x, known) for u, x, known in triples]))

    @property
    def contributions(self) -> Float64s:
        """The contribution of each column to the score: slope × spread, mean over the groups."""
        mean: Float64s = np.mean([one.slopes * one.spread for one in self.learners], axis=0)
        return mean


def _masses(counts: Float64s) -> tuple[Float64s, Float64s]:
    """Return the masses of both classes from their numbers in each bin, (…, 2, bins), with equal
    sums."""
    total = counts.sum(axis=-1)
    weight = total.sum(axis=-1, keepdims=True) / (2 * np.where(total == 0, 1, total))
    masses = weight[..., None] * counts
    return masses[..., 0, :], masses[..., 1, :]


class MappedColumn(NamedTuple):
    """A column of the fitted samples, and its maps: one for each group of folds, fitted to the
    others."""

    normal_scores: NormalScores
    maps: list[MonotoneMap]
    known: list[Flags]
    """The values that occur in the other groups."""
    mapped: Float64s
    """The column by each map, (groups, rows)."""


def map_columns(
    sample: Sample, columns: Float64s, execute: Executor, share: float = 0.0
) -> list[MappedColumn]:
    """Return the maps of the columns of the fitted samples, for `fit_stack`.

    share: the share of the fit, for the progress bar.
    """
    scores = normal_scores(len(columns))
    cell = sample.group_and_class(np.arange(len(columns)))
    weight = sample.weight_of(sample.fitted)
    outside = cell // 2 != np.arange(sample.groups)[:, None]

    def map_column(x: Float64s) -> MappedColumn:
        bins = RankBins(x, scores)
        counts = bins.counts(cell, 2 * sample.groups, weight).reshape(-1, 2, bins.bins)
        masses = zip(*_masses(counts.sum(axis=0) - counts), strict=True)
        maps, known, mapped = [], [], np.empty(outside.shape)
        for own, of_group in enumerate(masses):
            maps.append(MonotoneMap(bins, *of_group, *_MAP))
            values, u = bins.held_out(outside[own])
            known.append(values)
            mapped[own] = maps[own](u)
        return MappedColumn(bins.normal_scores, maps, known, mapped)

    return execute(map_column, list(columns.T), share)


def fit_stack(
    sample: Sample,
    columns: list[MappedColumn],
    execute: Executor,
    share: float = 0.0,
    before: Stack | None = None,
) -> tuple[Stack, Float64s]:
    """Return the meta-learners of the fitted samples, and their scores.

    share: the share of the fit, for the progress bar.  before: those of the first columns, to start
    from.
    """
    group, real = sample.group_of(sample.fitted_fold), sample.fitted_real
    weight = sample.weight_of(sample.fitted)
    parts = list(sample.parts(sample.fitted))

    def learn(own: int) -> tuple[MetaLearner, list[Float64s]]:
        outside = group != own
        total = np.zeros(len(group))  # no weight for the samples of the group
        total[outside] = balanced(real[outside], None if weight is None else weight[outside])
        design = np.ones((1 + len(columns), len(group)))
        for row, column in zip(design[1:], columns, strict=True):
            row[:] = column.mapped[own]
        mapped = design[1:].T
        start = np.zeros(len(design))
        if before is None:
            start[1:] = 1.0 / len(columns)
        else:
            learner = before.learners[own]
            start[: 1 + len(learner.slopes)] = learner.intercept, *learner.slopes
        p = np.where(real, total, 0.0)
        slopes, intercept = _logistic(design, p, total, start, is_near=before is not None)
        maps, known = zip(*((c.maps[own], c.known[own]) for c in columns), strict=True)
        learner = MetaLearner([*maps], [*known], slopes, intercept, mapped.std(axis=0))
        of_parts = [part for fold, part in parts if fold % sample.groups == own]
        return learner, [learner.combine(mapped[part]) for part in of_parts]

    learned = execute(learn, range(sample.groups), share)
    of_groups = [iter(scores) for _, scores in learned]
    scores = [next(of_groups[fold % sample.groups]) for fold, _ in parts]
    stack = Stack([c.normal_scores for c in columns], [learner for learner, _ in learned])
    return stack, np.concatenate(scores)


def _logistic(
    design: Float64s, p: Float64s, total: Float64s, start: Float64s, *, is_near: bool = False
) -> tuple[Float64s, float]:
    """Return slopes ≥ 0 and the intercept, by Newton steps.

    design: ones, then the columns.  p: the weights of real samples, 0 for generated ones; total:
    the weights of all.
    """
    penalty = np.full(len(design), PENALTY)
    penalty[0] = 1e-6
    beta, step = start, max(1, len(p) // _FIRST_ROWS)
    if step > 1 and not is_near:  # the first steps are by some samples, in proportion to all
        some = np.ascontiguousarray(design[:, ::step])
        beta = _newton(beta, some, p[::step], total[::step], penalty / step)
    beta = _newton(beta, design, p, total, penalty)
    return beta[1:], float(beta[0])


def _newton(
    beta: Float64s, design: Float64s, p: Float64s, total: Float64s, penalty: Float64s
) -> Float64s:
    """Return the minimum of the loss from a start; the first coefficient alone may be negative."""

    def loss(beta: Float64s) -> float:
        return log_loss(beta @ design, p, total - p) + 0.5 * float(penalty @ beta**2)

    best = loss(beta)
    for _ in range(50):
        eta = expit(beta @ design)
        gradient = design @ (total * eta - p) + penalty * beta
        weight, hessian = total * np.maximum(eta * (1.0 - eta), 1e-9), np.diag(penalty)
        for part in blocks(len(weight), _HESSIAN_ROWS):
            some = design[:, part]
            hessian += (some * weight[part]) @ some.T
        hessian.flat[:: len(beta) + 1] += 1e-9 * np.trace(hessian)
        step = minimize_nonnegative(hessian, hessian @ beta - gradient, beta > 0) - beta
        if -gradient @ step < 1e-7 * max(1.0, best):  # twice the decrease
            return beta + step
        beta, reached = backtrack(beta, step, loss, best)
        if best - reached < 1e-8 * max(1.0, best):
            break
        best = reached
    return beta


def minimize_nonnegative(hessian: Float64s, right: Float64s, used: Flags) -> Float64s:
    """Return the minimum of ½ xᵀHx − rᵀx over x₁, x₂, … ≥ 0, with any x₀, by block pivoting (Kim
    and Park, 2011); used: a guess of the x_j > 0."""
    used, fewest, trials = used.copy(), len(right) + 1, 3
    used[0] = True
    tolerance = 1e-10 * np.abs(right).max()
    x = np.zeros(len(right))
    for _ in range(100 * len(x)):
        at = np.flatnonzero(used)
        x = np.zeros(len(x))
        x[at] = np.linalg.solve(hessian[at[:, None], at], right[at])
        wrong = np.where(used, x < 0, hessian @ x - right < -tolerance)
        wrong[0] = False
        number = int(np.count_nonzero(wrong))
        if not number:
            break
        if number < fewest:
            fewest, trials = number, 3
        elif trials:
            trials -= 1
        else:  # one at a time, which ends
            wrong[: np.flatnonzero(wrong)[-1]] = False
        used ^= wrong
    x[1:] = np.maximum(x[1:], 0.0)
    return x


# ---- curves --------------------------------------------------------------------------------------


class CurveEstimates(NamedTuple):
    """The curves of scores."""

    hull: PRCurve
    smooth: PRCurve
    counts: dict[str, list[Any]]
    """The numbers of real and generated samples on the cells of the hull, by falling ratio; of
    samples with weights the masses."""
    has_cliffs: bool
    """Whether held-out samples are most likely under one of the two least stiff ratios."""
    evidence: float
    """The gain in held-out log-likelihood over equal distributions, in nats."""
    unlike: tuple[float, float] = (0.0, 0.0)
    """The shares of either set that have no mass of the other set, beside the scored samples."""

    @property
    def auto(self) -> PRCurve:
        return self.named("auto", Provenance())

    def named(self, name: str, origin: Provenance) -> PRCurve:
        """Return the curve of one of CURVE_ESTIMATORS; origin: its provenance but for what follows
        from the estimates."""
        share = 1.0
        if name == "auto":
            share = float(np.clip(self.evidence / MIN_EVIDENCE, 0.0, 1.0))
            name = "hull" if self.has_cliffs else "mean"
        curves = {"hull": [self.hull], "smooth": [self.smooth], "mean": [self.hull, self.smooth]}
        evidence = round(self.evidence, 1)
        origin = origin.added(curve_estimator=name, hull=self.counts, evidence=evidence)
        if share == 1.0 and not any(self.unlike):
            return PRCurve.mean(curves[name], info=origin)
        p, q = PRCurve.mean(curves[name]).masses
        if share < 1.0:
            # A mean at fixed λ adds masses; all masses of equal distributions are in one cell.
            p, q = (np.append(share * x, 1.0 - share) for x in (p, q))
            origin = replace(origin, shrunk=round(share, 3))
        return PRCurve.from_masses(*apart(p, q, self.unlike), info=origin)

    @property
    def cells(self) -> tuple[Float64s, Float64s]:
        """The masses of the hull, with those of samples that are unlike the other set."""
        return np.asarray(self.counts["real"]), np.asarray(self.counts["fake"])

    def with_unlike(
        self, shares: tuple[float, float], sizes: tuple[int, int] | None
    ) -> CurveEstimates:
        """Return the estimates for sets of which these shares have no mass of the other set.

        sizes: the numbers of all samples; None where they have weights.
        """
        p, q = PRCurve.from_masses(*apart(*self.hull.masses, shares)).masses
        if sizes is not None:
            # The ends of cells are rounded, so that the counts sum to the sizes.
            p, q = (
                np.diff(np.rint(size * np.cumsum(x)), prepend=0).astype(int)
                for size, x in zip(sizes, (p, q), strict=True)
            )
        return self._replace(unlike=shares, counts={"real": p.tolist(), "fake": q.tolist()})


def estimate_curves(
    s: Float64s,
    real: Flags,
    group: Ints,
    units: tuple[int, int] | None = None,
    given: Float64s | None = None,
) -> CurveEstimates:
    """Return the curves of scores of both sets.

    group: the group of folds of each sample.  units: the numbers of independent samples of either
    set, to which the evidence is scaled; by default all samples.  given: the caller's weights of
    the samples (`Folds.weight`), whose sums are the effective sizes already.
    """
    n, m = int(real.sum()), int((~real).sum())
    weight = _weights(real, given)
    bins = RankBins(s)
    stiffness, evidence = _choose_stiffness(bins, real, group, given)
    if units is not None and given is None:
        evidence *= _harmonic_mean(*units) / _harmonic_mean(n, m)
    masses = _scaled_masses(bins.counts((~real).astype(np.int64), 2, given))
    g = MonotoneMap(bins, *masses, *stiffness)(bins.u)
    smooth = PRCurve.from_masses(*_pool(g, weight))
    smooth = smooth.intersection(_held_out_curve(s, real, group, given))
    if given is None:
        hull = PRCurve.from_scores(s[real], s[~real])
        p, q = (np.rint(size * x).astype(int) for size, x in zip((n, m), hull.masses, strict=True))
    else:
        hull = PRCurve.from_scores(s[real], s[~real], w_real=given[real], w_fake=given[~real])
        p, q = hull.masses
    counts = {"real": p.tolist(), "fake": q.tolist()}
    return CurveEstimates(hull, smooth, counts, stiffness in STIFFNESS[2:], evidence)


def _weights(real: Flags, given: Float64s | None) -> Float64s:
    """Return weights with equal sums in both sets, together twice the harmonic mean of the sizes:
    with few samples of one set, many of the other add no evidence."""
    share = float(real.mean() if given is None else given[real].sum() / given.sum())
    return balanced(real, given) * (4.0 * share * (1.0 - share))


def _scaled_masses(counts: Float64s) -> tuple[Float64s, Float64s]:
    """Return the masses of both classes from their numbers in each bin, with these weights."""
    p, q = _masses(counts)
    total = counts.sum(axis=1)
    scale = 4.0 * total[0] * total[1] / total.sum() ** 2
    return scale * p, scale * q


def _harmonic_mean(n: int, m: int) -> float:
    return 2.0 / (1.0 / n + 1.0 / m)


def _pool(g: Float64s, weight: Float64s) -> tuple[Float64s, Float64s]:
    """Return the masses w σ(g) and w σ(−g) of samples, pooled where log-ratios are within _STEP."""
    cell = np.rint(g / _STEP).astype(np.int64)
    cell -= cell.min()
    p, q = (np.bincount(cell, weight * expit(x)) for x in (g, -g))
    used = p + q > 0
    return np.asarray(p[used]), np.asarray(q[used])


def _is_one_sided(real: Flags, group: Ints) -> bool:
    """Return whether a group has all samples of a set, so that the other groups allow no fit."""
    return any(not 0 < real[group != g].sum() < (group != g).sum() for g in np.unique(group))


def _held_out_curve(
    s: Float64s, real: Flags, group: Ints, given: Float64s | None = None
) -> PRCurve:
    """Return the curve of error rates of each group at the thresholds that are best on the others.

    At a fixed λ the pooled rates of all groups are those of classifiers that have not seen the
    samples, too high in expectation; the curve is the least concave function above them at all λ
    where the threshold of a group changes.
    """
    if _is_one_sided(real, group):
        return PRCurve.from_masses([1], [1])
    n, m = int(real.sum()), int((~real).sum())
    rates = []
    for g in np.unique(group):
        held = group == g
        others = ~held & real, ~held & ~real
        x, y = s[others[0]], s[others[1]]
        if given is None:
            fpr, fnr, ratio = PRCurve.from_scores(x, y).vertices
            rejected = np.rint(len(x) * fpr + len(y) * (1.0 - fnr)).astype(int)
        else:
            w, v = given[others[0]], given[others[1]]
            fpr, fnr, ratio = PRCurve.from_scores(x, y, w_real=w, w_fake=v).vertices
            rejected = _number_below(x, w, fpr) + _number_below(y, v, 1.0 - fnr)
        # Thresholds halfway between the scores of the other groups on both sides.
        ends = np.concatenate([[-np.inf], np.sort(s[~held]), [np.inf]])
        threshold = 0.5 * (ends[rejected] + ends[rejected + 1])
        if given is None:
            low, high = (np.searchsorted(np.sort(s[held & of]), threshold) for of in (real, ~real))
            rates.append((ratio, low / n, (np.sum(held & ~real) - high) / m))
        else:
            (low, _), (high, most) = (
                _mass_below(s[held & of], given[held & of], threshold) for of in (real, ~real)
            )
            rates.append((ratio, low / given[real].sum(), (most - high) / given[~real].sum()))
    ratios = np.unique(np.concatenate([ratio for ratio, _, _ in rates]))
    ratios = ratios[(ratios > 0) & np.isfinite(ratios)]
    alpha = np.zeros(ratios.size)
    for ratio, fpr, fnr in rates:
        vertex = np.searchsorted(-ratio, -ratios) - 1  # the last whose edge has a larger ratio
        alpha += ratios * fpr[vertex] + fnr[vertex]
    values = np.minimum(alpha, np.minimum(ratios, 1.0)) / (1.0 + ratios)
    theta = np.concatenate([[0.0], ratios / (1.0 + ratios), [1.0]])
    return PRCurve.from_rates(*majorant(theta, np.concatenate([[0.0], values, [0.0]])))


def _number_below(x: Float64s, weight: Float64s, share: Float64s) -> Ints:
    """Return how many of the smallest x have these shares of the weight."""
    ends = np.cumsum(weight[np.argsort(x, kind="stable")])
    middle = ends - 0.5 * np.diff(ends, prepend=0.0)  # far from the shares, despite rounding
    return np.asarray(np.searchsorted(middle, share * ends[-1]), np.int64)


def _mass_below(x: Float64s, weight: Float64s, threshold: Float64s) -> tuple[Float64s, float]:
    """Return the weight below each threshold, and that of all."""
    order = np.argsort(x, kind="stable")
    ends = np.append(0.0, np.cumsum(weight[order]))
    return ends[np.searchsorted(x[order], threshold)], float(ends[-1])


def _choose_stiffness(
    bins: RankBins, real: Flags, group: Ints, given: Float64s | None
) -> tuple[tuple[int, float], float]:
    """Return the stiffness with the highest held-out log-likelihood, and its gain over equal
    distributions; the stiffest and 0 where a group has all of a set."""
    if _is_one_sided(real, group):
        return STIFFNESS[0], 0.0
    weight = _weights(real, given)
    groups = np.unique(group)
    cell = 2 * np.searchsorted(groups, group) + ~real
    counts = bins.counts(cell, 2 * len(groups), given).reshape(-1, 2, bins.bins)
    loss = np.zeros(len(STIFFNESS))
    for number, g in enumerate(groups):
        held = group == g
        masses = _scaled_masses(counts.sum(axis=0) - counts[number])
        u, total = bins.held_out(~held)[1][held], weight[held]
        held_p = np.where(real[held], total, 0.0)
        for i, stiffness in enumerate(STIFFNESS):
            loss[i] += log_loss(MonotoneMap(bins, *masses, *stiffness)(u), held_p, total - held_p)
    best = int(np.argmin(loss))
    return STIFFNESS[best], float(weight.sum() * np.log(2.0) - loss[best])
