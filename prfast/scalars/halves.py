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

All halves share the distances.  Pairs of samples that are near each other are listed once, with D
in float64, for the whole sets: inside each set up to a neighbor so far that the k nearest in a half
are among the nearest in the whole, between the sets up to the same radii, and up to the largest R
of P-precision and P-recall.  Counts and sums of a half run over the pairs whose samples are both in
it (`_Shared`); they are those of `measure` to the last bit.  Where a list does not reach far
enough, or has no room in the memory, the half is measured by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.concurrency import bounded_map, one_blas_thread, thread_pool
from prfast.inputs.errors import WrongValue
from prfast.inputs.samples import Design, SampleSet
from prfast.kernels import distances as kernels
from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import common_unit, inside, largest_value, mean_radius, select
from prfast.scalars.measure import CountSpec, Halves, check_sizes, expected_work, measure
from prfast.scalars.table import (
    SETS,
    MetricOptions,
    ReferenceCache,
    means,
    needed_rows,
    set_metrics,
)

Int32s: TypeAlias = NDArray[np.int32]

_OTHER = dict(zip(SETS, SETS[::-1], strict=True))
_FEWEST = 1000  # samples of each set, below which sharing costs more than it saves
_PAIR_BYTES = 16
_BLOCK = 1 << 22  # products of samples at a time
_LARGEST, _TINY = 1e12, 1e-36  # values whose products are in the range of float32; rounding below


def halve(
    real: Floats,
    fake: Floats,
    options: MetricOptions,
    search: NeighborSearch,
    halvings: int,
    *,
    seed: int,
    reference: int | None = None,
    cache: ReferenceCache | None = None,
    design: Design | None = None,
) -> Halves:
    """Return the split-half differences of metrics, for samples that have been read and one k.

    reference: checksum of the real samples, if it is known; cache: results from earlier calls with
    the same real samples, seed and number of halvings; design: weights of the samples, and
    their groups, each of which is in one half.
    """
    check_halves(len(real), len(fake), options)
    groups = (None, None) if design is None or not design.grouped else design.group_numbers
    cuts = [
        _cuts(len(points), halvings, [seed, i], of_set)
        for i, (points, of_set) in enumerate(zip((real, fake), groups, strict=True))
    ]
    for x, y in zip(*cuts, strict=True):  # halves of groups differ in size
        check_halves(2 * min(map(len, x)), 2 * min(map(len, y)), options)
    pairs = [half for x, y in zip(*cuts, strict=True) for half in zip(x, y, strict=True)]
    work = halvings * expected_work(len(real), len(fake), real.shape[1], options) / 2
    values = []
    with search.progress.work(len(pairs), "halves", share=work):
        quiet = search.quiet()
        shared = _Shared.of(real, fake, options, quiet, pairs, {} if cache is None else cache)
        of_half = partial(_of_half, real, fake, options, quiet, shared, design)
        for one in _in_threads(of_half, list(enumerate(pairs)), shared and search.threads):
            values.append(one)
            search.progress.advance()
    differences = {
        name: np.array(
            [(a[name] - b[name]) / 2 for a, b in zip(values[::2], values[1::2], strict=True)]
        )
        for name in options.names
    }
    return Halves(differences, None if reference is None else (reference, seed, halvings))


def _of_half(
    real: Floats,
    fake: Floats,
    options: MetricOptions,
    search: NeighborSearch,
    shared: _Shared | None,
    design: Design | None,
    half: tuple[int, tuple[Any, Any]],
) -> Mapping[str, float]:
    """Return the metrics of a pair of halves, given its number and the rows of both."""
    number, (x, y) = half
    own = None if design is None else design.of(x, y)
    of_samples = None if shared is None else shared.metrics(number, own)
    if of_samples is not None:
        options = options._replace(names=list(set_metrics(options.names)))
        if not options.names:
            return of_samples
    of_sets = measure(_rows(real, x), _rows(fake, y), options, search, design=own)[options.ks[0]]
    return {**(of_samples or {}), **of_sets}


def _in_threads(call: Any, arguments: list[Any], threads: int | None) -> Iterator[Any]:
    """Yield the results in order; threads: None or 1 where the calls have threads of their own."""
    if not threads or threads == 1:
        yield from map(call, arguments)
        return
    with thread_pool(min(threads, len(arguments))) as executor:
        yield from bounded_map(executor, call, arguments, 2 * threads)


def _rows(points: Any, rows: Any) -> Any:
    return select(points, rows) if isinstance(points, SampleSet) else points[rows]


def check_halves(n: int, m: int, options: MetricOptions) -> None:
    """Raise WrongValue if a half has too few samples for the metrics."""
    try:
        check_sizes(n // 2, m // 2, options)
    except WrongValue as error:
        raise WrongValue("halvings", f"halves of {n} and {m} samples: {error}") from None


def _cuts(size: int, halvings: int, seed: list[int], groups: Any = None) -> list[list[Any]]:
    """Return the sorted rows of both halves, for each halving; groups: the number of the group of
    each row, which is in one half, optional."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2,)))
    if groups is not None:
        size = int(groups.max()) + 1
    cuts = []
    for _ in range(halvings):
        order = rng.permutation(size)
        halves = [np.sort(order[: size // 2]), np.sort(order[size // 2 :])]
        if groups is not None:
            halves = [np.flatnonzero(np.isin(groups, half)) for half in halves]
        cuts.append(halves)
    return cuts


# ---- pairs of near samples -----------------------------------------------------------------------


class _Near(NamedTuple):
    """Pairs of a query and a reference, in the order of queries, then of references."""

    query: Int32s
    ref: Int32s
    d2: Float64s

    def of(self, queries: Any, refs: Any) -> _Near:
        """Return the pairs of the queries and references whose flags are set."""
        chosen = np.flatnonzero(queries[self.query] & refs[self.ref])
        return _Near(self.query[chosen], self.ref[chosen], self.d2[chosen])


def near_pairs(
    queries: Floats, refs: Floats, limits: Float64s, memory: int, *, same: bool = False
) -> _Near | None:
    """Return the pairs of `near_blocks`; None where they would take more than `memory` bytes."""
    parts, pairs = [], 0
    for _, part in near_blocks(queries, refs, limits, same=same):
        parts.append(part)
        pairs += len(part.d2)
        if _PAIR_BYTES * pairs > memory:
            return None
    return _Near(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def near_blocks(
    queries: Floats, refs: Floats, limits: Float64s, *, same: bool = False
) -> Iterator[tuple[slice, _Near]]:
    """Yield the pairs with D at most the limit of the query, for blocks of queries.

    same: both sets are the same, and no sample is its own neighbor.

    A product in float32 bounds D: with u = 2⁻²⁴ and rows a, b less a common center its error, those
    of the norms and of the rounding of the rows are below (d + 16) u (|a|² + |b|²) together, of
    which twice is allowed for.
    """
    d = queries.shape[1]
    share = (1 - 2 * (d + 16) * 2.0**-24) / 2
    center = refs.mean(axis=0, dtype=np.float64)
    b, of_norms = _centered(refs, center)
    # Half of |a|² + |b|² − D, less what rounding may add: a product as large makes a candidate.
    of_refs = _rounded_down(share * of_norms)
    for rows in blocks(len(queries), max(1, _BLOCK // max(d, len(refs)))):
        a, norms = _centered(queries[rows], center)
        of_queries = _rounded_down(share * norms - limits[rows] / 2 - _TINY)
        products = a @ b.T
        products -= of_refs
        candidates = products >= of_queries[:, None]
        query = np.repeat(np.arange(len(a)), np.count_nonzero(candidates, axis=1))
        ref = np.flatnonzero(candidates) - query * len(refs)
        query += rows.start
        if same:
            other = query != ref
            query, ref = query[other], ref[other]
        d2 = kernels.pairs(queries, refs, query, ref)
        near = d2 <= limits[query]
        yield rows, _Near(query[near].astype(np.int32), ref[near].astype(np.int32), d2[near])


def _centered(points: Floats, center: Float64s) -> tuple[NDArray[np.float32], Float64s]:
    """Return the points less the center, and their squared norms."""
    rows = (points - center).astype(np.float32)
    return rows, np.einsum("ij,ij->i", rows, rows, dtype=np.float64)


def _rounded_down(values: Float64s) -> NDArray[np.float32]:
    return np.nextafter(values.astype(np.float32), np.float32(-np.inf))


# ---- metrics of all halves -----------------------------------------------------------------------


class _Inside(NamedTuple):
    """Squared radii of the samples of one set, in the whole and in each half."""

    limits: Float64s
    """D of the neighbor up to which pairs are listed."""
    halves: list[dict[int, Float64s] | None]
    """By rank; a number for each sample of the half.  None where the list does not reach so far."""


class _Shared(NamedTuple):
    """Lists of pairs from which the metrics of all halves follow."""

    options: MetricOptions
    sizes: dict[str, int]
    rows: dict[str, list[Any]]
    """The samples of each half."""
    specs: dict[str, CountSpec]
    """What is counted, by metric."""
    inside: dict[str, _Inside]
    balls: dict[str, _Near]
    """Pairs in the balls around the samples of a set, which are the queries."""
    logs: dict[CountSpec, list[NDArray[np.int64]]]
    """Sums of logarithms for the samples of each half (`LogSum`)."""

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
        """Return the lists; None where halves are measured one by one."""
        points = {"real": real, "fake": fake}
        rows = needed_rows(options.names)
        sizes = {name: len(samples) for name, samples in points.items()}
        if (
            any(isinstance(samples, SampleSet) for samples in points.values())
            or not rows
            or any(row.counted in ("nearest", "narrow") for row in rows.values())
            or options.p_radius is not None
            or search.backend == "approximate"
            or min(sizes.values()) < _FEWEST
            or max(map(largest_value, points.values())) > _LARGEST
            or common_unit(real, fake)
        ):
            return None
        k = options.ks[0]
        specs = {
            name: CountSpec(row.counted, row.over, row.around, row.rank.number(k, options))
            for name, row in rows.items()
        }
        of_halves = dict(zip(SETS, (list(each) for each in zip(*halves, strict=True)), strict=True))
        memory = search.memory // 8
        within: dict[str, _Inside] = {}
        balls: dict[str, _Near] = {}
        with one_blas_thread("scipy.linalg"):
            for name, samples in points.items():
                ks = sorted({spec.k for spec in specs.values() if spec.around == name})
                if not ks:
                    continue
                saved = cache.get(("halves", *ks)) if name == "real" else None
                if saved is None:
                    saved = _inside(samples, ks, of_halves[name], search, memory)
                    if name == "real":
                        cache["halves", *ks] = saved
                if saved is None:
                    return None
                within[name] = saved
                if any(s.around == name and s.counted == "pairs" for s in specs.values()):
                    near = near_pairs(samples, points[_OTHER[name]], saved.limits, memory)
                    if near is None:
                        return None
                    balls[name] = near
            shared = cls(options, sizes, of_halves, specs, within, balls, {})
            shared._sum_logs(real, fake, search.threads)
        return shared

    def _sum_logs(self, real: Floats, fake: Floats, threads: int) -> None:
        """Compute `logs` of all halves from one pass over the pairs of both sets."""
        specs = {spec.over: spec for spec in self.specs.values() if spec.counted == "logs"}
        halves = range(len(self.rows["real"]))
        if not specs:
            return
        # By set: sums, squares of R, and rows in each half; R of a set that is not needed is 0.
        sums = {name: [np.zeros(len(half), np.int64) for half in self.rows[name]] for name in SETS}
        t = {name: [self._radius(specs.get(name), half) ** 2 for half in halves] for name in SETS}
        place = {name: [self._place(name, half) for half in halves] for name in SETS}
        # Sums are of distances that are added up in another order, which may be smaller.
        rounding = 1 + (real.shape[1] + 8) * 2.0**-51
        limits = np.full(len(fake), rounding * max(max(of_set) for of_set in t.values()))

        def add(half: int) -> None:
            kernels.log_sums(
                first,
                near.ref,
                level,
                place["fake"][half][rows],
                place["real"][half],
                t["fake"][half],
                t["real"][half],
                sums["fake"][half],
                sums["real"][half],
            )

        with thread_pool(threads) as executor:
            for rows, near in near_blocks(fake, real, limits):
                ends = np.arange(rows.start, rows.stop + 1)
                first = np.searchsorted(near.query, ends).astype(np.int64)
                queries, refs = (of_pair.astype(np.int64) for of_pair in (near.query, near.ref))
                level = kernels.pair_levels(fake, real, queries, refs)
                for _ in bounded_map(executor, add, halves):
                    pass
        self.logs.update({spec: sums[name] for name, spec in specs.items()})

    def _place(self, name: str, half: int) -> Int32s:
        """Return the number of each sample in a half, −1 if it is not in it."""
        rows = self.rows[name][half]
        place = np.full(self.sizes[name], -1, np.int32)
        place[rows] = np.arange(len(rows), dtype=np.int32)
        return place

    def _radius(self, spec: CountSpec | None, half: int) -> float:
        """Return R in a half, 0 without one."""
        radii = None if spec is None else self.inside[spec.around].halves[half]
        if spec is None or radii is None:
            return 0.0
        return self.options.p_factor * mean_radius(radii[spec.k])

    def metrics(self, half: int, design: Design | None = None) -> dict[str, float] | None:
        """Return the metrics of a pair of halves that are means over samples; None where the lists
        do not reach far enough.  design: weights of the samples of both."""
        options, closed = self.options, self.options.ties == "closed"
        radii = {name: one.halves[half] for name, one in self.inside.items()}
        if any(of_set is None for of_set in radii.values()):
            return None
        place = {name: self._place(name, half) for name in SETS}
        chosen = {name: rows >= 0 for name, rows in place.items()}
        near = {
            name: pairs.of(chosen[name], chosen[_OTHER[name]]) for name, pairs in self.balls.items()
        }
        counts: dict[CountSpec, NDArray[Any]] = {}
        for spec in set(self.specs.values()):
            if spec.counted == "logs":
                counts[spec] = self.logs[spec][half]
                continue
            pairs = near[spec.around]
            center = place[spec.around][pairs.query]
            held = inside(pairs.d2, (radii[spec.around] or {})[spec.k][center], closed)
            samples = center if spec.over == spec.around else place[spec.over][pairs.ref]
            size = len(self.rows[spec.over][half])
            counts[spec] = np.bincount(samples[held], minlength=size)
        shares = {
            name: row.share(counts[self.specs[name]], self.specs[name].k, options)
            for name, row in needed_rows(options.names).items()
        }
        sizes = tuple(len(self.rows[name][half]) for name in SETS)
        weights = None
        if design is not None and design.weighted:
            weights = dict(zip(SETS, design.weights, strict=True))
        return means(shares, options.names, options.ks[0], (sizes[0], sizes[1]), weights)


def _inside(
    points: Floats, ks: list[int], halves: list[Any], search: NeighborSearch, memory: int
) -> _Inside | None:
    """Return the radii in all halves, from one list of the pairs inside the set; None without
    room for it."""
    # Of this many nearest a half has fewer than k for one sample in millions.
    rank = min(len(points) - 1, 2 * max(ks) + 8 + int(7 * np.sqrt(2 * max(ks))))
    limits = search.kth_within(points, [rank])[:, 0].copy()
    near = near_pairs(points, points, limits, memory, same=True)
    if near is None:
        return None
    order = np.lexsort((near.d2, near.query))
    near = _Near(near.query, near.ref[order], near.d2[order])  # the order leaves queries in place
    of_halves: list[dict[int, Float64s] | None] = []
    for rows in halves:
        chosen = np.zeros(len(points), bool)
        chosen[rows] = True
        pairs = near.of(chosen, chosen)
        sizes = np.bincount(pairs.query, minlength=len(points))[rows]
        if sizes.min() < max(ks):
            of_halves.append(None)
            continue
        first = np.cumsum(sizes) - sizes
        of_halves.append({k: pairs.d2[first + k - 1] for k in ks})
    return _Inside(limits, of_halves)
