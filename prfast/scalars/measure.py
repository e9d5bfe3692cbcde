"""Metrics of samples that have been read: passes over the distances for all metrics at once.

There is one pass inside each set for the radii, one of Y over X for all pairs, one for each sum of
logarithms, and two at most for the nearest balls.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.errors import WrongValue
from prfast.inputs.samples import SampleSet, check_array
from prfast.kernels import distances as kernels
from prfast.neighbors import Count, NeighborSearch, Points
from prfast.neighbors.resources import common_unit, in_unit, select
from prfast.neighbors.tasks import inside, mean_radius
from prfast.results.info import version
from prfast.results.values import listed
from prfast.scalars.moments import Estimate, Pair
from prfast.scalars.result import Halves, Metrics
from prfast.scalars.table import (
    COVER,
    SETS,
    MetricOptions,
    ReferenceCache,
    SampleMetric,
    Share,
    means,
    needed_rows,
    set_metrics,
)

_FEW = 64  # real samples in a range whose pairs are all computed
_PAIRS = 1 << 22  # computed at a time

Ints = NDArray[np.int64]


def measure(
    real: Floats,
    fake: Floats,
    options: MetricOptions,
    search: NeighborSearch,
    cache: ReferenceCache | None = None,
    features: Mapping[str, Any] | None = None,
) -> dict[int, Metrics]:
    """Return the metrics by k, for samples that have been read.

    cache: results from earlier calls with the same real samples; features: the entry of `info` that
    `features_info` gives.
    """
    n, m, d = len(real), len(fake), real.shape[1]
    total = expected_work(n, m, d, options)
    subsets = options.kernel_subsets, options.kernel_subset_size, options.seed
    pair = Pair(real, fake, search, {} if cache is None else cache, *subsets)
    estimates: dict[str, Estimate] = {}
    with search.progress.work(total, "metrics", share=total):
        shares = sample_shares(real, fake, options, search)
        for name, row in set_metrics(options.names).items():
            share = row.pairs(n, m, d, options)
            with search.progress.work(1, name.replace("_", " "), share=share):
                estimates[name] = row.value(pair)
    errors = {name: one.error for name, one in estimates.items() if one.error is not None}
    info = provenance(real, fake, options, search) | dict(features or {})
    for estimate in estimates.values():
        info |= estimate.info
    of_sets = {name: estimate.value for name, estimate in estimates.items()}
    results = {}
    for k in options.ks:
        values = means(shares[k], options.names) | of_sets
        in_order = {name: values[name] for name in options.names}
        results[k] = Metrics(in_order, {"k": k, **info}, errors, k=k, sizes=(n, m))
    return results


def expected_work(n: int, m: int, d: int, options: MetricOptions) -> float:
    """Return the work for n real and m generated samples with d features, in pairs of samples; for
    the progress bar."""
    return expected_pairs(n, m, options) + sum(
        row.pairs(n, m, d, options) for row in set_metrics(options.names).values()
    )


def provenance(
    real: Floats, fake: Floats, options: MetricOptions, search: NeighborSearch
) -> dict[str, Any]:
    """Return the `info` of metrics, except k."""
    subsets = {
        "kernel_subsets": options.kernel_subsets,
        "kernel_subset_size": options.kernel_subset_size,
        "random_state": options.seed,
    }
    cover: dict[str, Any] = {"cover_factor": options.cover_factor}
    if options.cover_reach is not None:
        cover = {"cover_reach": options.cover_reach}
    nearness: dict[str, Any] = {"p_k": options.p_k, "p_factor": options.p_factor}
    if options.p_radius is not None:
        nearness = {"p_radius": list(options.p_radius)}
    return {
        "ties": options.ties,
        "cover_k": options.cover_k,
        **cover,
        "cover_self": options.cover_self,
        **nearness,
        **(subsets if options.draws else {}),
        "backend": search.backend,
        "n_real": len(real),
        "n_fake": len(fake),
        "n_features": real.shape[1],
        "version": version(),
    }


# ---- checks of sizes -----------------------------------------------------------------------------


def check_sizes(n: float, m: float, options: MetricOptions) -> None:
    """Raise WrongValue if there are too few samples for the k-th other point, for a metric of both
    sets as wholes, or for subsets."""
    sizes = {"real": n, "fake": m}
    # In the order of the table, whatever that of the names is, so that the message is the same.
    rows = needed_rows(options.names).values()
    for around, rank in dict.fromkeys((row.around, row.rank) for row in rows):
        if rank.needed(options):
            largest = max(rank.number(k, options) for k in options.ks)
            replaced = rank is COVER and options.cover_reach is not None
            option = "cover_reach" if replaced else rank.option
            own = rank is COVER and options.cover_self
            check_neighbor(option, largest, around, sizes[around], own=own)
    for name, size in sizes.items():
        if size < 2 and set_metrics(options.names):
            first = next(iter(set_metrics(options.names)))
            raise WrongValue(name, f"at least 2 samples expected for {first}, got {size}")
        if options.draws and options.kernel_subset_size > size:
            raise WrongValue(
                "kernel_subset_size",
                f"at most {size} expected, the samples of {name}, got {options.kernel_subset_size}",
            )


def check_neighbor(option: str, k: int, name: str, size: float, *, own: bool = False) -> None:
    """Raise WrongValue if `size` points have no k-th other one.

    own: whether the option counts the point itself besides.
    """
    if not 1 <= k < size:
        others = f"the other points of {name}" + (" and the point itself" if own else "")
        text = f"from {1 + own} to {size - 1 + own} expected, {others}, got {k + own}"
        raise WrongValue(option, text)


def check_available(backend: str, real: Any, options: MetricOptions) -> None:
    """Raise WrongValue if a metric is not available with this backend, or for such samples."""
    nearest = [n for n, row in needed_rows(options.names).items() if row.counted == "nearest"]
    if nearest:
        check_array("which", real, "other metrics", listed(nearest))
    if backend == "approximate" and nearest:
        raise WrongValue("backend", f"an exact one expected for {nearest[0]}, got {backend!r}")


# ---- shares of samples ---------------------------------------------------------------------------


Shares = dict[str, Share]
Sets = dict[str, Points]  # by name, in a range where squares of distances are float64 numbers


class Balls(NamedTuple):
    """Balls around the points of one set, whose radii are the distances of the k-th other point."""

    around: str
    k: int


class CountSpec(NamedTuple):
    """Specification of a count for each sample of one set; several metrics may share one."""

    counted: str
    over: str
    balls: Balls


Radii = dict[Balls, Float64s]
Counts = dict[CountSpec, NDArray[Any]]  # one number a sample


def sample_shares(
    real: Floats, fake: Floats, options: MetricOptions, search: NeighborSearch
) -> dict[int, Shares]:
    """Return {k: {name: Share}} of all metrics that are needed, for samples that have been read."""
    check_sizes(len(real), len(fake), options)
    check_available(search.backend, real, options)
    pairs = expected_pairs(len(real), len(fake), options)
    with search.progress.work(pairs, share=pairs):
        return _sample_shares(real, fake, options, search)


def expected_pairs(n: int, m: int, options: MetricOptions) -> int:
    """Return the number of pairs of all passes, for the progress bar."""
    rows = needed_rows(options.names).values()
    around = {row.around for row in rows if row.rank.needed(options)}
    passes = sum(row.counted != "pairs" for row in rows)
    passes += any(row.counted == "pairs" for row in rows)
    return n * n * ("real" in around) + m * m * ("fake" in around) + n * m * passes


def _sample_shares(
    real: Floats, fake: Floats, options: MetricOptions, search: NeighborSearch
) -> dict[int, Shares]:
    def spec_of(row: SampleMetric, k: int) -> CountSpec:
        return CountSpec(row.counted, row.over, Balls(row.around, row.rank.number(k, options)))

    rows = needed_rows(options.names)
    specs = {(name, k): spec_of(row, k) for name, row in rows.items() for k in options.ks}
    pairs, logs, nearest = (
        [spec for spec in dict.fromkeys(specs.values()) if spec.counted == counted]
        for counted in ("pairs", "logs", "nearest")
    )
    if not rows:
        return {k: {} for k in options.ks}
    unit = common_unit(real, fake)
    points: Sets = {"real": in_unit(real, unit), "fake": in_unit(fake, unit)}
    # The radius R of "logs" is the option p_radius, if there is one.
    fixed = {s.balls: _fixed_radius(s.balls, unit, options) for s in logs if options.p_radius}
    balls = [spec.balls for (name, _), spec in specs.items() if rows[name].rank.needed(options)]
    radii = _radii(points, balls, search)
    closed = options.ties == "closed"
    counts = _pairs(points, radii, pairs, closed, search)
    radius = fixed or {s.balls: options.p_factor * mean_radius(radii[s.balls]) for s in logs}
    counts |= _logs(points, radius, logs, search)
    for spec in nearest:
        held = in_nearest_ball(points["fake"], points["real"], radii[spec.balls], closed, search)
        counts[spec] = held.astype(np.int64)
    shares: dict[tuple[str, CountSpec], Share] = {}
    for (name, _), spec in specs.items():
        if (name, spec) not in shares:  # several k may have the same one
            shares[name, spec] = rows[name].share(counts[spec], spec.balls.k, options)
    return {k: {name: shares[name, specs[name, k]] for name in rows} for k in options.ks}


def _radii(points: Sets, balls: Sequence[Balls], search: NeighborSearch) -> Radii:
    """Return the squared radii of the balls."""
    radii: Radii = {}
    for name, samples in points.items():
        ks = sorted({k for around, k in balls if around == name})
        d2 = search.kth_within(samples, ks) if ks else np.empty((len(samples), 0))
        radii |= {Balls(name, k): d2[:, i].copy() for i, k in enumerate(ks)}
    return radii


def _pairs(
    points: Sets, radii: Radii, specs: Sequence[CountSpec], closed: bool, search: NeighborSearch
) -> Counts:
    """Count pairs in balls, in one pass of Y over X: a sample of Y is a row, one of X a column."""
    tasks: dict[Balls, Count] = {}
    for spec in specs:
        balls = spec.balls
        of_y, of_x = (radii[balls] if balls.around == s else None for s in ("fake", "real"))
        task = tasks.setdefault(balls, Count(of_y, of_x, closed))
        if spec.over == "fake":
            task.rows = np.zeros(len(points["fake"]), np.int64)
        else:
            task.cols = np.zeros(len(points["real"]), np.int64)
    search.count(points["fake"], points["real"], list(tasks.values()))
    done = ((spec, tasks[spec.balls]) for spec in specs)
    return {spec: task.rows if spec.over == "fake" else task.cols for spec, task in done}


def _logs(
    points: Sets, radius: dict[Balls, float], specs: Sequence[CountSpec], search: NeighborSearch
) -> Counts:
    """Return Σ ln min(1, d/R) over the points of the other set, a pass each."""
    counts = {}
    for spec in specs:
        (other,) = (name for name in SETS if name != spec.over)
        r = radius[spec.balls]
        counts[spec] = search.log_distances(points[spec.over], points[other], r * r)
    return counts


def _fixed_radius(balls: Balls, unit: int, options: MetricOptions) -> float:
    """Return R of the option p_radius, in units of 2**unit."""
    assert options.p_radius is not None
    radius = options.p_radius[SETS.index(balls.around)]
    with np.errstate(over="ignore", under="ignore"):
        r = float(np.ldexp(radius, -unit))
        square = float(np.square(r))
    if radius and not sys.float_info.min <= square <= sys.float_info.max:
        text = "a radius whose square is a float64 number, as those of the samples, expected"
        raise WrongValue("p_radius", f"{text}, got {radius}")
    return r


# ---- authenticity --------------------------------------------------------------------------------


# Let T be the squared distance of a real sample x from its nearest other real sample.  y is in the
# ball of its nearest x, at m = min D(x, y), if and only if m is also the least D of y to the x with
# T >= m (closed) or T > m (open).  So the index of the nearest x is not needed, and of several
# equally near ones one ball that holds y suffices: the order of the samples does not matter.
#
# With the real samples sorted by T these x are the last ones, from a position on that depends on y.
# A range of real samples is bisected: the y whose position is in the lower half are compared with
# the upper half; only those without a match there go on to the lower half.  All searches are for
# the nearest distance, which every exact engine computes, and together they cost at most as much as
# the first one.


def in_nearest_ball(
    fake: Points, real: Points, d2: Float64s, closed: bool, search: NeighborSearch
) -> NDArray[np.bool_]:
    """Return whether each generated sample lies in the ball of its nearest real one.

    d2: squared distance of each real sample from the nearest other one.
    """
    least = search.kth(fake, real, [1])[:, 0]
    order = np.argsort(d2, kind="stable")
    t = d2[order]
    place = np.searchsorted(t, least, "left" if closed else "right")
    held: NDArray[np.bool_] = place == 0  # every radius is large enough
    quiet = search.quiet()
    pending = [(0, len(real), np.flatnonzero((place > 0) & (place < len(real))))]
    while pending:
        start, stop, rows = pending.pop()
        if not rows.size:
            continue
        if stop - start <= _FEW:
            held[rows] = _in_any(fake, real, order[start:stop], t[start:stop], least, rows, closed)
            continue
        middle = (start + stop) // 2
        below = rows[place[rows] <= middle]
        if below.size:
            upper = select(real, np.sort(order[middle:stop]))
            near = quiet.kth(select(fake, below), upper, [1])[:, 0]
            held[below] = near == least[below]
        pending.append((start, middle, below[~held[below] & (place[below] < middle)]))
        pending.append((middle, stop, rows[place[rows] > middle]))
    return held


def _in_any(
    fake: Points, real: Points, refs: Ints, t: Float64s, least: Float64s, rows: Ints, closed: bool
) -> Any:
    """Return whether one of a few real samples is a nearest one and its ball holds the sample."""
    held = np.zeros(len(rows), bool)
    for first in range(0, len(rows), _PAIRS // len(refs)):
        part = rows[first : first + _PAIRS // len(refs)]
        query, ref = np.repeat(part, len(refs)), np.tile(refs, len(part))
        d2 = kernels.pairs(fake, real, query, ref).reshape(len(part), len(refs))
        near = (d2 == least[part, None]) & inside(least[part, None], t, closed)
        held[first : first + len(part)] = near.any(axis=1)
    return held


# ---- split-half errors ---------------------------------------------------------------------------


def halve(
    real: Floats,
    fake: Floats,
    options: MetricOptions,
    search: NeighborSearch,
    halvings: int,
    *,
    seed: int,
    reference: int | None = None,
) -> Halves:
    """Return the split-half differences of metrics, for samples that have been read and one k.

    reference: checksum of the real samples, if it is known.
    """
    check_halves(len(real), len(fake), options)
    cuts = [_cuts(len(points), halvings, [seed, i]) for i, points in enumerate((real, fake))]
    differences: dict[str, Any] = {name: np.empty(halvings) for name in options.names}
    for i, (x, y) in enumerate(zip(*cuts, strict=True)):
        halves = ((_rows(real, a), _rows(fake, b)) for a, b in zip(x, y, strict=True))
        first, second = (measure(*half, options, search)[options.ks[0]] for half in halves)
        for name, values in differences.items():
            values[i] = (first[name] - second[name]) / 2
    return Halves(differences, None if reference is None else (reference, seed, halvings))


def _rows(points: Any, rows: Any) -> Any:
    return select(points, rows) if isinstance(points, SampleSet) else points[rows]


def check_halves(n: int, m: int, options: MetricOptions) -> None:
    """Raise WrongValue if a half has too few samples for the metrics."""
    try:
        check_sizes(n // 2, m // 2, options)
    except WrongValue as error:
        raise WrongValue("halvings", f"halves of {n} and {m} samples: {error}") from None


def _cuts(size: int, halvings: int, seed: list[int]) -> list[list[Any]]:
    """Return the sorted rows of both halves, for each halving."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2,)))
    cuts = []
    for _ in range(halvings):
        order = rng.permutation(size)
        cuts.append([np.sort(order[: size // 2]), np.sort(order[size // 2 :])])
    return cuts
