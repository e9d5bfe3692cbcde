"""The passes over the distances, and what each sample adds to a metric."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.balls import Count, Points, Search, in_range
from prfast.balls.thresholds import mean_radius
from prfast.inputs.arrays import Float64s, Floats
from prfast.metrics.options import MetricOptions, check_sizes


@dataclass(frozen=True)
class Share:
    """What each sample adds to a metric, which is Σ values / (each · samples)."""

    of: str  # "real" or "fake": the set that the mean is over
    values: NDArray[Any]  # whole numbers or float64, a sample each
    each: int = 1

    def mean(self, chosen: Any = slice(None)) -> float:
        """The metric over all samples of the set, or over those chosen."""
        values = self.values[chosen]
        if values.dtype.kind == "f":
            return math.fsum(values.tolist()) / len(values)
        return int(values.sum()) / (self.each * len(values))


Shares = dict[str, Share]


def shares(real: Floats, fake: Floats, wanted: MetricOptions, search: Search) -> dict[int, Shares]:
    """{k: {name: Share}} of all metrics that are needed, for samples that have been read."""
    needed, ks = wanted.needed, wanted.ks
    reach, p_k = wanted.cover_reach, wanted.p_k
    check_sizes(len(real), len(fake), wanted)
    x, y = in_range(real, fake)
    closed = wanted.ties == "closed"
    radii = _radii(x, y, needed, ks, reach, p_k, search)
    found = _count(x, y, radii, needed, ks, (wanted.cover_k, reach), closed, search)
    fixed = _p_metrics(x, y, radii, needed, p_k, wanted.p_factor, search)
    return {k: {**found[k], **fixed} for k in ks}


def _radii(
    x: Points, y: Points, needed: set[str], ks: list[int], reach: int, p_k: int, search: Search
) -> dict[tuple[str, int], Float64s]:
    """D of the k-th neighbour inside each set, {("x" or "y", k): (n,)}, those that are needed."""
    wanted: dict[str, set[int]] = {"x": set(), "y": set()}
    if needed & {"precision", "density", "coverage"}:
        wanted["x"].update(ks)
    if needed & {"recall", "complementary_precision"}:
        wanted["y"].update(ks)
    for name, side, k in (
        ("precision_cover", "y", reach),
        ("recall_cover", "x", reach),
        ("p_precision", "x", p_k),
        ("p_recall", "y", p_k),
    ):
        if name in needed:
            wanted[side].add(k)
    radii = {}
    for side, points in (("x", x), ("y", y)):
        order = sorted(wanted[side])
        if order:
            d2 = search.kth_within(points, order)
            radii.update({(side, k): d2[:, i].copy() for i, k in enumerate(order)})
    return radii


def _count(
    x: Points,
    y: Points,
    radii: dict[tuple[str, int], Float64s],
    needed: set[str],
    ks: list[int],
    cover: tuple[int, int],
    closed: bool,
    search: Search,
) -> dict[int, Shares]:
    """Whatever is a count of pairs, from one pass of Y over X: rows are Y's, columns X's."""
    n, m = len(x), len(y)

    def task(side: str, k: int, rows: set[str], cols: set[str]) -> Count:
        t = radii[side, k]
        return Count(
            t if side == "y" else None,
            t if side == "x" else None,
            closed,
            np.zeros(m, np.int64) if needed & rows else None,
            np.zeros(n, np.int64) if needed & cols else None,
        )

    tasks: dict[tuple[str, int], Count] = {}
    for k in ks:
        if needed & {"precision", "density", "coverage"}:
            tasks["x", k] = task("x", k, {"precision", "density"}, {"coverage"})
        if needed & {"recall", "complementary_precision"}:
            tasks["y", k] = task("y", k, {"complementary_precision"}, {"recall"})
    cover_k, reach = cover
    if "precision_cover" in needed:
        tasks["y cover", reach] = task("y", reach, {"precision_cover"}, set())
    if "recall_cover" in needed:
        tasks["x cover", reach] = task("x", reach, set(), {"recall_cover"})
    search.count(y, x, list(tasks.values()))

    found: dict[int, Shares] = {k: {} for k in ks}
    for (side, k), done in tasks.items():
        for parts in found.values() if "cover" in side else [found[k]]:
            if side == "x" and done.rows is not None:
                parts["precision"] = Share("fake", done.rows >= 1)
                parts["density"] = Share("fake", done.rows, k)
            if side == "x" and done.cols is not None:
                parts["coverage"] = Share("real", done.cols >= 1)
            if side == "y" and done.rows is not None:
                parts["complementary_precision"] = Share("fake", done.rows >= 1)
            if side == "y" and done.cols is not None:
                parts["recall"] = Share("real", done.cols >= 1)
            if side == "y cover":
                parts["precision_cover"] = Share("fake", done.rows >= cover_k)
            if side == "x cover":
                parts["recall_cover"] = Share("real", done.cols >= cover_k)
    return found


def _p_metrics(
    x: Points,
    y: Points,
    radii: dict[tuple[str, int], Float64s],
    needed: set[str],
    k: int,
    factor: float,
    search: Search,
) -> Shares:
    """1 − Π min(1, d/R) = 1 − exp Σ ln min(1, d/R): logarithms, so that nothing underflows."""
    found = {}
    for name, of, side, queries, refs in (
        ("p_precision", "fake", "x", y, x),
        ("p_recall", "real", "y", x, y),
    ):
        if name in needed:
            reach = factor * mean_radius(radii[side, k])
            logs = search.log_distances(queries, refs, reach * reach)
            found[name] = Share(of, np.array([-math.expm1(log) for log in logs.tolist()]))
    return found
