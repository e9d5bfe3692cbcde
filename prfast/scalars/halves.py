"""Split-half errors of metrics.

Both sets are cut in two at random.  The metrics T₁ and T₂ of the two pairs of halves are
independent, and the variance of a metric is about proportional to 1/n, so

    Var(T) ≈ mean over halvings of ((T₁ − T₂) / 2)²,   Cov(T, T') likewise by products:

models whose real samples are cut into the same halves share that part of the noise.  A jackknife
gives too large errors, since neighbors are not a smooth function of the samples.  For distances
between equal distributions the variance falls as 1/n², and the split-half deviation is √2 times too
large.  So a metric's standard error takes precedence if it has one.

All halves share the passes over the distances for metrics that count pairs (`_shared_counts`); the
whole sets are one halving more.  Other metrics, and all where the counts have no room in the
memory, are measured half by half.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue
from prfast.kernels.distances import HALVINGS
from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import HalfCount, HalfKth, common_unit
from prfast.samples.pair import SETS, Pair
from prfast.scalars.measure import Halves, SharesOfK, check_sizes, expected_work, measure
from prfast.scalars.options import MetricOptions, ReferenceCache
from prfast.scalars.table import CountSpec, means, needed_rows

Int32s: TypeAlias = NDArray[np.int32]
RowsOfHalves: TypeAlias = list[tuple[Any, Any]]  # the real and the generated rows of each half

_NUMBER_BYTES = 32  # of a sample, halving and metric: a radius, a count, and both in the kernels


def halve(
    pair: Pair,
    options: MetricOptions,
    search: NeighborSearch,
    halvings: int,
    *,
    seed: int,
    reference: int | None = None,
    cache: ReferenceCache | None = None,
) -> tuple[Halves, SharesOfK | None]:
    """Return the split-half differences of metrics, for one k.  Also the shares of all samples, as
    `measure` takes them, if the passes of the halves give them.

    reference: checksum of the real samples; cache: results from earlier calls with the same real
    samples, seed and number of halvings.
    """
    (n, m), k, cache = pair.sizes, options.ks[0], {} if cache is None else cache
    check_halves(n, m, options)
    halves = _cuts(pair, halvings, seed)
    for x, y in halves:  # whose sizes differ where samples depend on each other
        check_halves(2 * len(x), 2 * len(y), options)
    work = halvings * expected_work(n, m, options) / 2
    values = []
    with search.progress.work(len(halves), "halves", share=work):
        quiet = search.quiet()
        halves_and_all = [*halves, (np.arange(n), np.arange(m))]
        names = _shared_names(pair, options, search.backend, search.memory, len(halves_and_all))
        counted = options._replace(names=names)
        counts = _shared_counts(pair, counted, quiet, halves_and_all, cache)
        measured = options._replace(names=[name for name in options.names if name not in names])
        for number, (x, y) in enumerate(halves):
            half = pair.take(x, y)
            shares = _shares(counts, counted, halves_and_all[number], number)
            of_half = means(shares, names, k, half)
            if measured.names:
                of_half |= measure(half, measured, quiet)[k]
            values.append(of_half)
            search.progress.advance()
    pairs = list(zip(values[::2], values[1::2], strict=True))
    differences = {
        name: np.array([(a[name] - b[name]) / 2 for a, b in pairs]) for name in options.names
    }
    of_all = None
    if names and not needed_rows(measured.names):
        of_all = {k: _shares(counts, counted, halves_and_all[-1], len(halves))}
    return Halves(differences, None if reference is None else (reference, seed, halvings)), of_all


def check_halves(n: int, m: int, options: MetricOptions) -> None:
    """Raise WrongValue if a half has too few samples for the metrics."""
    try:
        check_sizes(n // 2, m // 2, options)
    except WrongValue as error:
        raise WrongValue("halvings", f"halves of {n} and {m} samples: {error}") from None


def _cuts(pair: Pair, halvings: int, seed: int) -> RowsOfHalves:
    """Return the rows of both sets in each half; those of real rows depend on no generated one."""
    sides = (pair.partition(2, seed, f"halving {i}", equal_apart=True) for i in range(halvings))
    return [
        (np.flatnonzero(real == half), np.flatnonzero(fake == half))
        for real, fake in sides
        for half in (0, 1)
    ]


def _shared_names(
    pair: Pair, options: MetricOptions, backend: str, memory: int, halves: int
) -> list[str]:
    """Return the names of the metrics that follow from counts of pairs, if these have room."""
    names = [
        name
        for name in options.names
        if (rows := needed_rows([name]).values()) and all(row.counted == "pairs" for row in rows)
    ]
    numbers = len(needed_rows(names)) * halves // 2 * sum(pair.sizes)
    is_possible = (
        not (pair.real.is_partitioned or pair.fake.is_partitioned)
        and backend != "approximate"
        and not common_unit(*pair.points)
        and _NUMBER_BYTES * numbers <= memory
    )
    return names if is_possible else []


def _shared_counts(
    pair: Pair,
    options: MetricOptions,
    search: NeighborSearch,
    halves: RowsOfHalves,
    cache: ReferenceCache,
) -> dict[CountSpec, Int32s]:
    """Return the numbers of pairs, shape (samples, halvings).  A pass inside each set gives the
    radii, and there is a pass over the pairs of both sets for every `HALVINGS` halvings.

    Inside each set so many of the nearest are listed that the k nearest in each half are among
    them.  Between the sets, a pair within a ball is counted in the halvings with both samples in
    the same half.  Both halves are side by side, as each sample is in one of them.
    """
    specs = {row.spec(options.ks[0], options) for row in needed_rows(options.names).values()}
    if not specs:
        return {}
    points, sizes = pair.points, pair.sizes
    parts: dict[CountSpec, list[Int32s]] = {spec: [] for spec in specs}
    for first in range(0, len(halves), 2 * HALVINGS):
        chosen = halves[first : first + 2 * HALVINGS]
        halvings = len(chosen[::2])  # the last one is that of all samples, without a second half
        sides = [np.zeros(size, np.uint16) for size in sizes]  # the half of a sample, a bit each
        radii: dict[tuple[str, int], Float64s] = {}
        for i, name in enumerate(SETS):
            for bit, second in enumerate(chosen[1::2]):
                sides[i][second[i]] |= np.uint16(1 << bit)
            ks = sorted({spec.k for spec in specs if spec.around == name})
            if not ks:
                continue
            d2 = cache.get(("halves", first, *ks)) if name == "real" else None
            if d2 is None:
                # A half has fewer than k of this many nearest for one sample in millions.
                rank = 2 * ks[-1] + 8 + int(7 * np.sqrt(2 * ks[-1]))
                task = HalfKth(np.array(ks, np.int64), sides[i], halvings, rank)
                search.run(points[i], [points[i]], [task])
                d2 = task.d2
                if name == "real":
                    cache["halves", first, *ks] = d2
            for of_k, k in enumerate(ks):
                radii[name, k] = np.full((sizes[i], HALVINGS), -1.0)
                radii[name, k][:, :halvings] = d2[:, of_k, :halvings]
        tasks: dict[tuple[str, int], HalfCount] = {}
        for (name, k), t in radii.items():
            fake_t, real_t = (t if name == around else None for around in ("fake", "real"))
            closed = options.ties == "closed"
            tasks[name, k] = HalfCount((sides[1], sides[0]), fake_t, real_t, closed)
        for spec in specs:
            counts = np.zeros((sizes[SETS.index(spec.over)], HALVINGS), np.int32)
            side = "rows" if spec.over == "fake" else "cols"
            setattr(tasks[spec.around, spec.k], side, counts)
            parts[spec].append(counts[:, :halvings])
        search.run(points[1], [points[0]], list(tasks.values()))
    return {spec: np.concatenate(of_spec, axis=1) for spec, of_spec in parts.items()}


def _shares(
    counts: dict[CountSpec, Int32s], options: MetricOptions, rows: tuple[Any, Any], half: int
) -> dict[str, Any]:
    """Return the share of each sample of a pair of halves, by metric."""
    of_set, shares = dict(zip(SETS, rows, strict=True)), {}
    for name, row in needed_rows(options.names).items():
        spec = row.spec(options.ks[0], options)
        of_rows = counts[spec][of_set[spec.over], half // 2].astype(np.int64)
        shares[name] = row.share(of_rows, spec.k, options)
    return shares
