"""Split-half errors of metrics.

Both sets are cut in two at random, and the metrics T₁ and T₂ of the two pairs
of halves are computed.  The halves are independent, and the variance of a metric is about
proportional to 1/n, so

    Var(T) ≈ mean over halvings of ((T₁ − T₂) / 2)²,   Cov(T, T') likewise by products:

models whose real samples are cut into the same halves share that part of the noise.  A jackknife
that leaves out a tenth gives standard deviations that are 1.0 to 1.9 times too large, since
neighbors are not a smooth function of the samples.  For distances between equal distributions the
variance falls as 1/n², and the split-half deviation is √2 times too large.

Measured for differences of two models with ten halvings, n = 1000, d = 4, 8 and 32, 80 to 150
replications each: intervals of nominal level 0.95 cover 0.90 to 1.00 for every usual metric, most
of them 0.92 to 0.97; the deviation is 0.83 to 1.16 times that of the replications.  The Fréchet and
the kernel distance and authenticity were not among them.

A metric's own standard error, where it has one, takes precedence: a few halvings estimate a
deviation roughly, and they suppose a variance that falls as 1/n, where that of the kernel distance
of equal distributions falls as 1/n².

All halves share the distances, in three passes like those of `measure` (`_Shared`).  Inside each
set the nearest of a sample are listed, so many that the k nearest in each half are among them;
between the sets, a pair within a ball is counted in those halvings in which both samples are in the
same half.  The whole sets are one halving more, with all samples in one half, so that an evaluator
has its metrics from the same passes: with 12 halvings it takes 1.1 to 1.6 times as long as without
where k = 5, and 2 to 3 times where k = √n.  Where lists are too short, as with many equal
distances, halves are searched one by one, and nothing is saved.

The counts of a half are those of `measure` to the last bit.  Where they have no room in the memory,
the half is measured by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.concurrency import bounded_map, thread_pool
from prfast.inputs.errors import WrongValue
from prfast.kernels.distances import HALVINGS
from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import HalfCount, HalfKth, common_unit, mean_radius
from prfast.samples.pair import Pair
from prfast.samples.partitioned import PartitionedRows
from prfast.scalars.measure import (
    CountSpec,
    Halves,
    SharesOfK,
    check_sizes,
    expected_work,
    measure,
)
from prfast.scalars.nearness import log_sums
from prfast.scalars.options import MetricOptions, ReferenceCache
from prfast.scalars.table import (
    SETS,
    Share,
    means,
    needed_rows,
    set_metrics,
)

Int32s: TypeAlias = NDArray[np.int32]

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
    """Return the split-half differences of metrics, for samples that have been read and one k; and
    the shares of all samples, as `measure` takes them, where the passes of the halves give them.

    reference: checksum of the real samples, if it is known; cache: results from earlier calls with
    the same real samples, seed and number of halvings.  A group is in one half.
    """
    real, fake = pair.points
    check_halves(*pair.sizes, options)
    pairs = _cuts(pair, halvings, seed)
    for x, y in pairs if pair.is_grouped else ():  # halves of groups differ in size
        check_halves(2 * len(x), 2 * len(y), options)
    work = halvings * expected_work(len(real), len(fake), real.shape[1], options) / 2
    values = []
    with search.progress.work(len(pairs), "halves", share=work):
        quiet = search.quiet()
        cuts_and_all = [*pairs, (np.arange(len(real)), np.arange(len(fake)))]
        shared = _Shared.of(
            real, fake, options, quiet, cuts_and_all, {} if cache is None else cache
        )
        of_half = partial(_of_half, pair, options, quiet, shared)
        for one in _in_threads(of_half, list(enumerate(pairs)), shared and search.threads):
            values.append(one)
            search.progress.advance()
    differences = {
        name: np.array(
            [(a[name] - b[name]) / 2 for a, b in zip(values[::2], values[1::2], strict=True)]
        )
        for name in options.names
    }
    of_all = None if shared is None else {options.ks[0]: shared.shares(len(pairs))}
    return Halves(differences, None if reference is None else (reference, seed, halvings)), of_all


def _of_half(
    pair: Pair,
    options: MetricOptions,
    search: NeighborSearch,
    shared: _Shared | None,
    half: tuple[int, tuple[Any, Any]],
) -> Mapping[str, float]:
    """Return the metrics of a pair of halves, given its number and the rows of both."""
    number, (x, y) = half
    rows = pair.take(x, y)
    of_samples = None if shared is None else shared.metrics(number, rows)
    if of_samples is not None:
        options = options._replace(names=list(set_metrics(options.names)))
        if not options.names:
            return of_samples
    of_sets = measure(rows, options, search)[options.ks[0]]
    return {**(of_samples or {}), **of_sets}


def _in_threads(call: Any, arguments: list[Any], threads: int | None) -> Iterator[Any]:
    """Yield the results in order; threads: None or 1 where the calls have threads of their own."""
    if not threads or threads == 1:
        yield from map(call, arguments)
        return
    with thread_pool(min(threads, len(arguments))) as executor:
        yield from bounded_map(executor, call, arguments, 2 * threads)


def check_halves(n: int, m: int, options: MetricOptions) -> None:
    """Raise WrongValue if a half has too few samples for the metrics."""
    try:
        check_sizes(n // 2, m // 2, options)
    except WrongValue as error:
        raise WrongValue("halvings", f"halves of {n} and {m} samples: {error}") from None


def _cuts(pair: Pair, halvings: int, seed: int) -> list[tuple[Any, Any]]:
    """Return the rows of both sets in each half, those of a halving one after the other.

    The halves of the real samples do not depend on the generated ones.
    """
    sides = [pair.partition(2, seed, f"halving {i}", pair.groups) for i in range(halvings)]
    return [
        (np.flatnonzero(real == half), np.flatnonzero(fake == half))
        for real, fake in sides
        for half in (0, 1)
    ]


# ---- metrics of all halves -----------------------------------------------------------------------


class _Shared(NamedTuple):
    """Counts from which the metrics of all halves follow, those of both halves of a halving side by
    side: each sample is in one of them.  The last is of all samples, and has no second half."""

    options: MetricOptions
    rows: dict[str, list[Any]]
    """The samples of each half."""
    specs: dict[str, CountSpec]
    """What is counted, by metric."""
    radii: dict[tuple[str, int], Float64s]
    """Squared radii of the samples of a set, by rank, (samples, halvings)."""
    counts: dict[CountSpec, Int32s]
    """Numbers of pairs, (samples, halvings)."""
    logs: dict[CountSpec, list[Float64s]]
    """Sums of logarithms for the samples of each half."""

    @classmethod
    def of(
        cls,
        real: Floats,
        fake: Floats,
        options: MetricOptions,
        search: NeighborSearch,
        halves: list[tuple[Any, Any]],
        cache: ReferenceCache,
    ) -> _Shared | None:
        """Return the counts; None where halves are measured one by one."""
        points = {"real": real, "fake": fake}
        rows = needed_rows(options.names)
        sizes = {name: len(samples) for name, samples in points.items()}
        if (
            any(isinstance(samples, PartitionedRows) for samples in points.values())
            or not rows
            or any(row.counted in ("nearest", "narrow") for row in rows.values())
            or options.p_radius is not None
            or search.backend == "approximate"
            or common_unit(real, fake)
            or _NUMBER_BYTES * len(rows) * len(halves) // 2 * sum(sizes.values()) > search.memory
        ):
            return None
        k = options.ks[0]
        specs = {
            name: CountSpec(row.counted, row.over, row.around, row.rank.number(k, options))
            for name, row in rows.items()
        }
        of_halves = dict(zip(SETS, (list(each) for each in zip(*halves, strict=True)), strict=True))
        shared = cls(options, of_halves, specs, {}, {}, {})
        shared._find_radii(points, search, cache)
        shared._count_pairs(points, search)
        shared._sum_logs(points, search)
        return shared

    def _sides(self, name: str, size: int) -> list[tuple[Any, int]]:
        """Return the half of each sample, a bit for each of up to `HALVINGS` halvings, and how many
        these are."""
        of_set, sides = self.rows[name], []
        for first in range(0, len(of_set), 2 * HALVINGS):
            some, bits = of_set[first : first + 2 * HALVINGS], np.zeros(size, np.uint16)
            for bit, rows in enumerate(some[1::2]):
                bits[rows] |= np.uint16(1 << bit)
            sides.append((bits, len(some[::2])))
        return sides

    def _find_radii(
        self, points: dict[str, Floats], search: NeighborSearch, cache: ReferenceCache
    ) -> None:
        for name, samples in points.items():
            ks = sorted({spec.k for spec in self.specs.values() if spec.around == name})
            if not ks:
                continue
            saved = cache.get(("halves", *ks)) if name == "real" else None
            if saved is None:
                # Of this many nearest a half has fewer than k for one sample in millions.
                rank = 2 * ks[-1] + 8 + int(7 * np.sqrt(2 * ks[-1]))
                parts = []
                for sides, halvings in self._sides(name, len(samples)):
                    task = HalfKth(np.array(ks, np.int64), sides, halvings, rank)
                    search.run(samples, [samples], [task])
                    parts.append(task.d2[:, :, :halvings])
                saved = np.concatenate(parts, axis=2)
                if name == "real":
                    cache["halves", *ks] = saved
            self.radii.update({(name, k): saved[:, i] for i, k in enumerate(ks)})

    def _count_pairs(self, points: dict[str, Floats], search: NeighborSearch) -> None:
        """Compute `counts` from a pass over the pairs of both sets, for every 16 halvings."""
        specs = {spec for spec in self.specs.values() if spec.counted == "pairs"}
        closed, sizes = self.options.ties == "closed", {name: len(x) for name, x in points.items()}
        both = zip(*(self._sides(name, sizes[name]) for name in ("fake", "real")), strict=True)
        parts: dict[CountSpec, list[Int32s]] = {spec: [] for spec in specs}
        for number, ((fake, halvings), (real, _)) in enumerate(both if specs else ()):
            first = number * HALVINGS
            tasks: dict[tuple[str, int], HalfCount] = {}
            for around, k in {(spec.around, spec.k) for spec in specs}:
                t = np.full((sizes[around], HALVINGS), -1.0)
                t[:, :halvings] = self.radii[around, k][:, first : first + halvings]
                of_y, of_x = (t if around == name else None for name in ("fake", "real"))
                tasks[around, k] = HalfCount((fake, real), of_y, of_x, closed)
            for spec in specs:
                counts = np.zeros((sizes[spec.over], HALVINGS), np.int32)
                side = "rows" if spec.over == "fake" else "cols"
                setattr(tasks[spec.around, spec.k], side, counts)
                parts[spec].append(counts[:, :halvings])
            search.run(points["fake"], [points["real"]], list(tasks.values()))
        self.counts.update({spec: np.concatenate(of, axis=1) for spec, of in parts.items()})

    def _sum_logs(self, points: dict[str, Floats], search: NeighborSearch) -> None:
        specs = {spec.over: spec for spec in self.specs.values() if spec.counted == "logs"}
        for half in range(len(self.rows["real"]) if specs else 0):
            x, y = (points[name][self.rows[name][half]] for name in SETS)
            radii = [self._radius(specs[s], half) if s in specs else -1.0 for s in SETS]
            sums = log_sums(x, y, (radii[0], radii[1]), search)
            for name, spec in specs.items():
                self.logs.setdefault(spec, []).append(sums[SETS.index(name)])

    def _radius(self, spec: CountSpec, half: int) -> float:
        d2 = self.radii[spec.around, spec.k][self.rows[spec.around][half], half // 2]
        return self.options.p_factor * mean_radius(d2)

    def shares(self, half: int) -> dict[str, Share]:
        """Return the share of each sample of a pair of halves, by metric."""
        options, shares = self.options, {}
        for name, row in needed_rows(options.names).items():
            spec = self.specs[name]
            if spec.counted == "logs":
                counts: Any = self.logs[spec][half]
            else:
                counts = self.counts[spec][self.rows[spec.over][half], half // 2].astype(np.int64)
            shares[name] = row.share(counts, spec.k, options)
        return shares

    def metrics(self, half: int, pair: Pair) -> dict[str, float]:
        """Return the metrics of a pair of halves that are means over samples."""
        options, shares = self.options, self.shares(half)
        sizes = tuple(len(self.rows[name][half]) for name in SETS)
        weights = dict(zip(SETS, pair.masses, strict=True)) if pair.weighted else None
        return means(shares, options.names, options.ks[0], (sizes[0], sizes[1]), weights)
