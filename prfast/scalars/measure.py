"""`Metrics`, and their computation for samples that have been read.  A pass inside each set gives
the radii, a pass of Y over X all pairs, and two at most the nearest balls."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from prfast.curve.summary import LEVEL, quantile
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.errors import WrongValue
from prfast.neighbors import Count, NeighborSearch
from prfast.neighbors.tasks import common_unit, in_unit, inside, mean_radius, squared_mean_radius
from prfast.results.info import made_of, version
from prfast.results.registry import renderer
from prfast.results.values import Display, Values, listed, value_and_error
from prfast.samples.pair import SETS, Pair
from prfast.samples.partitioned import Rows, check_array
from prfast.samples.record import sizes_record, space_record
from prfast.scalars.options import DistanceInputs, Estimate, MetricOptions, ReferenceCache
from prfast.scalars.supports import least_of_nearest, log_sums
from prfast.scalars.table import (
    COVER,
    NAMES,
    P_K,
    SET_METRICS,
    TABLE,
    CountSpec,
    Share,
    means,
    needed_rows,
    table_notes,
)

SharesOfK: TypeAlias = dict[int, dict[str, Share]]  # by k and name


@dataclass(frozen=True, eq=False)
class Halves:
    """Split-half differences (T₁ − T₂) / 2 of each metric, a number a halving (`halves`)."""

    values: dict[str, Float64s]
    real: tuple[int, int, int] | None = None
    """The checksum of the real samples, the seed and the number of halvings."""

    def deviation(self, name: str) -> float:
        """Return the standard deviation of a metric."""
        return float(np.sqrt(np.mean(self.values[name] ** 2)))

    def half_width(self, name: str, confidence: float) -> float:
        """Return the half width of an interval: the deviation times the quantile of Student's t."""
        from scipy.stats import t  # here, to keep `import prfast` quick

        halvings = len(self.values[name])
        return float(t.ppf((1 + confidence) / 2, halvings)) * self.deviation(name)


def half_width(
    name: str,
    value: float,
    errors: Mapping[str, float],
    halves: Halves | None = None,
    confidence: float = LEVEL,
) -> float | None:
    """Return the half width of the interval of a metric, the number behind its ±.  It is that of
    its standard error, else of `halves`, at most as far as it can move; None where there is
    neither."""
    if name in errors:
        half = quantile(confidence) * errors[name]
    elif halves is not None and name in halves.values:
        half = halves.half_width(name, confidence)
    else:
        return None
    return min(half, max(value, TABLE[name].largest - value))


class Metrics(Values[float]):
    """Mapping of names to values, in the order of ``which``; values are also attributes.

    ``info``: options, sizes and version that produced them, for printing; ``errors``: standard
    errors of the metrics that have one; ``k`` and ``sizes``, the numbers of real and of generated
    samples among which neighbors were counted, or None.
    Example: ``prfast.metrics(*prfast.reference.GaussianShift(1).sample(500)).to_dict()``.
    See also `metrics`.
    """

    def __init__(
        self,
        values: Mapping[str, float],
        info: Mapping[str, Any] | None = None,
        errors: Mapping[str, float] | None = None,
        *,
        k: int | None = None,
        sizes: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(values, info)
        self.errors: Mapping[str, float] = MappingProxyType(dict(errors or {}))
        self.k, self.sizes = k, sizes

    def __reduce__(self) -> tuple[Any, ...]:
        again = partial(type(self), k=self.k, sizes=self.sizes)
        return again, (dict(self), dict(self.info), dict(self.errors))

    def __getattr__(self, name: str) -> float:
        if name in NAMES and name in self:
            return self[name]
        raise AttributeError(f"Metrics has {', '.join(self)}, not {name!r}")

    def text(self, name: str) -> str:
        """Return a metric as tables show it, as "0.7123", or "0.001234 ± 0.000045" at 95 %."""
        half = half_width(name, self[name], self.errors)
        return value_and_error(self[name], half, TABLE[name].digits)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON: ``values``, {name: number}, ∞ as "inf";
        ``errors``, {name: standard error}, if there are any; ``info``."""
        return super().to_dict() | ({"errors": dict(self.errors)} if self.errors else {})

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each metric: ``name``, ``value`` and, if any has a standard error,
        ``half_width``, that of the 95 % interval, NaN for others."""
        rows = super().rows()
        if self.errors:
            for row in rows:
                half = half_width(row["name"], row["value"], self.errors)
                row["half_width"] = math.nan if half is None else half
        return rows

    def _display(self) -> Display:
        notes = renderer(self, "notes")(self, table_notes(self))
        return super()._display()._replace(notes=notes, summary=made_of(self.info))

    def __repr__(self) -> str:
        k = "" if self.k is None else f"; k={self.k}"
        return f"{super().__repr__()[:-1]}{k})"


def measure(
    pair: Pair,
    options: MetricOptions,
    search: NeighborSearch,
    cache: ReferenceCache | None = None,
    shares: SharesOfK | None = None,
) -> dict[int, Metrics]:
    """Return the metrics by k; groups have no standard errors.

    cache: results from earlier calls with the same real samples; shares: those of `sample_shares`.
    """
    (real, fake), cache = pair.points, {} if cache is None else cache
    n, m = len(real), len(fake)
    of_sets = [name for name in options.names if name in SET_METRICS]
    total = expected_work(n, m, options)
    inputs = DistanceInputs(real, fake, options, search, cache)
    info = provenance(pair, options, search)
    estimates: dict[str, Estimate] = {}
    with search.progress.work(total, "metrics", share=total):
        if shares is None:
            shares = sample_shares(real, fake, options, search, cache)
        for name in of_sets:
            share = n * n + m * m + n * m
            with search.progress.work(1, name.replace("_", " "), share=share):
                estimates[name] = SET_METRICS[name].value(inputs)
            info |= estimates[name].info
    info |= sizes_record(pair)
    errors = {name: x.error for name, x in estimates.items() if x.error is not None}
    errors = {} if pair.is_grouped else errors
    results = {}
    for k in options.ks:
        values = means(shares[k], options.names, k, pair)
        values |= {name: estimate.value for name, estimate in estimates.items()}
        in_order = {name: values[name] for name in options.names}
        neighbors = {"k": k} if needed_rows(options.names) else {}
        results[k] = Metrics(in_order, neighbors | info, errors, k=k, sizes=(n, m))
    return results


def expected_work(n: int, m: int, options: MetricOptions) -> float:
    """Return about the work, in pairs of samples."""
    of_sets = sum(name in SET_METRICS for name in options.names)
    passes = bool(needed_rows(options.names)) + of_sets
    return passes * (n * n + m * m + n * m)


def provenance(pair: Pair, options: MetricOptions, search: NeighborSearch) -> dict[str, Any]:
    """Return the `info` of metrics, except k: of the options, those that they depend on."""
    ranks = [row.rank for row in needed_rows(options.names).values()]
    chosen = ["ties"]
    if COVER in ranks:
        reach = "cover_factor" if options.cover_reach is None else "cover_reach"
        chosen += ["cover_k", reach]
    if P_K in ranks:
        chosen += ["p_k", "p_factor"] if options.p_radius is None else ["p_radius"]
    values = {name: getattr(options, name) for name in chosen}
    info = {name: list(x) if isinstance(x, tuple) else x for name, x in values.items()}
    if "gaussian_distance" in options.names:
        info["random_state"] = options.seed
    (real, fake), backend = pair.points, search.backend
    info |= {"backend": backend, "n_real": len(real), "n_fake": len(fake)}
    info |= {"n_features": int(real.shape[1]), "version": version(), **space_record(pair)}
    return info


def check_sizes(n: float, m: float, options: MetricOptions) -> None:
    """Raise WrongValue if there are too few samples."""
    sizes = {"real": n, "fake": m}
    # In the order of the table, not of the names: the message is always the same.
    for row in needed_rows(options.names).values():
        if row.counted == "logs" and options.p_radius is not None:
            continue
        largest, around = max(row.spec(k, options).k for k in options.ks), row.around
        if not 1 <= largest < sizes[around]:
            is_cover = row.rank == COVER
            option = "cover_reach" if is_cover and options.cover_reach is not None else row.rank
            text = f"from 1 to {sizes[around] - 1} expected, the other points of {around}"
            raise WrongValue(option, f"{text}, got {largest}")
    of_sets = [name for name in options.names if name in SET_METRICS]
    for name, size in sizes.items():
        if size < 2 and of_sets:
            raise WrongValue(name, f"at least 2 samples expected for {of_sets[0]}, got {size}")


def check_available(backend: str, real: Any, options: MetricOptions) -> None:
    """Raise WrongValue if a metric is not available with this backend, or for such samples."""
    nearest = [n for n, row in needed_rows(options.names).items() if row.counted == "nearest"]
    of_sets = [name for name in options.names if name in SET_METRICS]
    of_arrays = [name for name in of_sets if SET_METRICS[name].needs_arrays]
    if nearest or of_arrays:
        check_array("which", real, "other metrics", listed(nearest + of_arrays))
    if backend == "approximate" and nearest:
        raise WrongValue("backend", f"an exact one expected for {nearest[0]}, got {backend!r}")


def sample_shares(
    real: Floats,
    fake: Floats,
    options: MetricOptions,
    search: NeighborSearch,
    cache: ReferenceCache | None = None,
) -> SharesOfK:
    """Return {k: {name: Share}} of all metrics that are needed; cache: as for `measure`."""
    check_sizes(len(real), len(fake), options)
    check_available(search.backend, real, options)
    rows = needed_rows(options.names)
    if not rows:
        return {k: {} for k in options.ks}
    # Metrics of one kind of ball share its counts.
    specs = {(k, name): row.spec(k, options) for k in options.ks for name, row in rows.items()}
    different = list(dict.fromkeys(specs.values()))
    unit, closed = common_unit(real, fake), options.ties == "closed"
    points = {"real": in_unit(real, unit), "fake": in_unit(fake, unit)}
    radii: dict[tuple[str, int, bool], Float64s] = {}  # squared; by set, k, whether narrow
    for name, samples in points.items():
        around = (spec for spec in different if spec.around == name)
        ks = sorted({s.k for s in around if s.counted != "logs" or options.p_radius is None})
        if ks:
            d2 = search.kth_within(samples, ks)
            radii |= {(name, k, False): d2[:, i].copy() for i, k in enumerate(ks)}
    if cache is not None and ("real", 1, False) in radii:
        cache["nearest", unit] = radii["real", 1, False]  # for β-recall
    counts: dict[CountSpec, NDArray[Any]] = {}
    # All pairs in one pass of Y over X: a sample of Y is a row, one of X a column.
    tasks: dict[tuple[str, int, bool], Count] = {}
    squared_radii = dict.fromkeys(SETS, -1.0)  # R² of the sums of logarithms, by their samples
    for spec in different:
        balls = spec.around, spec.k, spec.counted == "narrow"
        if spec.counted == "logs":
            squared_radii[spec.over] = _squared_radius(spec.around, radii.get(balls), options, unit)
            continue
        if spec.counted == "narrow" and balls not in radii:  # of at most the median radius
            d2 = radii[spec.around, spec.k, False]
            middle = np.sort(d2)[[(len(d2) - 1) // 2, len(d2) // 2]]
            radii[balls] = np.minimum(d2, squared_mean_radius(middle, closed))
        if spec.counted == "narrow" and spec.over == spec.around:
            within = Count(None, radii[balls], closed, np.zeros(len(points[spec.over]), np.int64))
            search.run(points[spec.over], [points[spec.over]], [within])
            counts[spec] = within.rows - inside(0.0, radii[balls], closed)  # its own ball
            continue
        t = radii[balls]
        query_t, ref_t = (t, None) if spec.around == "fake" else (None, t)
        task = tasks.setdefault(balls, Count(query_t, ref_t, closed))
        side = "rows" if spec.over == "fake" else "cols"
        if getattr(task, side) is None:
            setattr(task, side, np.zeros(len(points[spec.over]), np.int64))
        counts[spec] = getattr(task, side)
    search.run(points["fake"], [points["real"]], list(tasks.values()))
    if max(squared_radii.values()) >= 0:
        logs = log_sums(points["real"], points["fake"], (*squared_radii.values(),), search)
        of_set = dict(zip(SETS, logs, strict=True))
        counts |= {spec: of_set[spec.over] for spec in different if spec.counted == "logs"}
    for spec in different:
        if spec.counted == "nearest":
            # Most samples are in no ball at all, and so not in that of their nearest.
            d2 = radii[spec.around, spec.k, False]
            in_balls = np.flatnonzero(tasks[spec.around, spec.k, False].rows)
            counts[spec] = np.zeros(len(fake), np.int64)
            if in_balls.size:
                # Let T be the squared distance of x from its nearest other real sample, and
                # m = min D(x, y).  y is in the ball of its nearest x if and only if the largest T
                # of the x at m is >= m (closed) or > m (open): of equally near ones one suffices.
                near = Rows(points["fake"], in_balls)
                nearest, values = least_of_nearest(near, points["real"], -d2, search)
                counts[spec][in_balls] = inside(nearest, -values, closed)
    shares: SharesOfK = {k: {} for k in options.ks}
    for (k, name), spec in specs.items():
        shares[k][name] = rows[name].share(counts[spec], spec.k, options)
    return shares


def _squared_radius(around: str, d2: Float64s | None, options: MetricOptions, unit: int) -> float:
    """Return R² of P-precision or P-recall in units of 2**unit, from its option or radii."""
    if options.p_radius is None:
        assert d2 is not None
        r = options.p_factor * mean_radius(d2)
        return r * r
    radius = options.p_radius[SETS.index(around)]
    with np.errstate(over="ignore", under="ignore"):
        square = float(np.square(np.ldexp(radius, -unit)))
    if radius and not sys.float_info.min <= square <= sys.float_info.max:
        text = "a radius whose square is a float64 number, as those of the samples, expected"
        raise WrongValue("p_radius", f"{text}, got {radius}")
    return square
