"""Table of the metrics, a row each: its formula, its meaning, and of what it is made.

A metric is a mean over samples (`SampleMean`), a function of such means (`Derived`), or a function
of both sets as wholes (`OfSets`).  Everything else follows from the rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.samples.pair import SETS, Pair
from prfast.scalars.distances import gaussian_distance, kernel_distance
from prfast.scalars.moments import frechet_distance
from prfast.scalars.options import DistanceInputs, Estimate, MetricOptions
from prfast.scalars.supports import alpha_precision, beta_recall, good_share

# The neighbor of its center that is the radius of a ball: names of ranks in messages.
K, COVER, P_K, NEAREST = "k", "cover_k × cover_factor", "p_k", "authenticity"


class Share(NamedTuple):
    """Contribution of each sample to a metric, Σ values / (each · samples)."""

    values: NDArray[Any]  # integers or float64, one a sample
    each: int = 1


class CountSpec(NamedTuple):
    """A count for each sample of a set, of balls up to the k-th other point of their center."""

    counted: str
    over: str
    around: str
    k: int


class SampleMean(NamedTuple):
    """The mean over one set of a share that each sample has.

    `counted` is the number of each sample:

    pairs    how many points of the other set its own ball holds or, where the balls are around the
             other set, how many of their balls hold it
    narrow   the same of balls whose radius is at most the median radius, less its own ball where it
             is the center of one
    logs     Σ ln min(1, D/R²) over the points of the other set, for one radius R = p_factor × the
             mean radius, or p_radius
    nearest  1 where the ball of a nearest point of the other set holds it
    """

    over: str  # the set of the mean, "real" or "fake"
    around: str  # the set of the centers of the balls
    rank: str
    kind: str  # of the share
    counted: str = "pairs"

    def spec(self, k: int, options: MetricOptions) -> CountSpec:
        """Return what is counted for each sample."""
        cover = options.cover_reach or options.cover_factor * options.cover_k
        ranks = {K: k, COVER: cover, P_K: options.p_k, NEAREST: 1}
        return CountSpec(self.counted, self.over, self.around, ranks[self.rank])

    def share(self, counts: NDArray[Any], k: int, options: MetricOptions) -> Share:
        """Return the share of each sample; k: the rank of the neighbor."""
        match self.kind:
            case "any":
                return Share(counts >= 1)
            case "none":
                return Share(counts < 1)
            case "number":
                return Share(counts, k)
            case "clipped":
                return Share(np.minimum(counts, k), k)
            case "several":
                return Share(counts >= options.cover_k)
        return Share(-np.expm1(counts / 2))  # 1 − Π min(1, d/R), of logs


class Derived(NamedTuple):
    """A function of other metrics, or of means of `PARTS`."""

    of: tuple[str, ...]
    value: Callable[..., float]  # of these, of k, and of the numbers of real and generated samples


class OfSets(NamedTuple):
    """A function of both sets as wholes: no sample has a share in it, and it has no k."""

    value: Callable[[DistanceInputs], Estimate]
    needs_arrays: bool = False  # not available for partitioned samples
    of_number: bool = False  # depends on the number of generated samples


@dataclass(frozen=True)
class Metric:
    """A row of the table."""

    formula: str
    says: str  # its meaning, for readers who do not know the formula
    of: SampleMean | Derived | OfSets
    _: KW_ONLY
    usual: bool = False  # computed by default
    larger_is_better: bool = True
    largest: float = 1.0  # possible value
    digits: str = ".4f"
    note: str = ""  # below tables that have it, on what it does not mean


_distance = partial(Metric, larger_is_better=False, largest=math.inf)


# Means over samples that are no metrics by themselves.
PARTS = {
    "clipped pairs of fake": SampleMean("fake", "real", K, "clipped", "narrow"),
    "clipped pairs of real": SampleMean("real", "real", K, "clipped", "narrow"),
    "clipped pairs in balls": SampleMean("real", "real", K, "clipped"),
}
TABLE: dict[str, Metric] = {
    "precision": Metric(
        "Y in a ball r_k(x) of X",
        "The share of generated samples that are near a real one, as near as real ones are to each "
        "other.",
        SampleMean("fake", "real", K, "any"),
        usual=True,
    ),
    "recall": Metric(
        "X in a ball r_k(y) of Y",
        "The share of real samples that are near a generated one, as near as generated ones are to "
        "each other.",
        SampleMean("real", "fake", K, "any"),
        usual=True,
    ),
    "density": Metric(
        "balls r_k(x) that hold y, divided by k, mean over Y",
        "How many real samples each generated one is near, over k; above 1 if generated ones crowd "
        "among them.",
        SampleMean("fake", "real", K, "number"),
        usual=True,
        largest=math.inf,
    ),
    "coverage": Metric(
        "X whose ball r_k(x) holds a y",
        "The share of real samples with a generated one among their nearest.",
        SampleMean("real", "real", K, "any"),
        usual=True,
    ),
    "complementary_precision": Metric(
        "Y whose ball r_k(y) holds an x",
        "The share of generated samples with a real one among their nearest.",
        SampleMean("fake", "fake", K, "any"),
    ),
    "symmetric_precision": Metric(
        "the smaller of the two precisions",
        "Precision that neither a far real sample nor a far generated one can raise.",
        Derived(("precision", "complementary_precision"), lambda a, b, *_: min(a, b)),
    ),
    "symmetric_recall": Metric(
        "the smaller of recall and coverage",
        "Recall that neither a far generated sample nor a far real one can raise.",
        Derived(("recall", "coverage"), lambda a, b, *_: min(a, b)),
    ),
    "precision_cover": Metric(
        "Y whose ball r_{k′}(y) holds k or more of X",
        "The share of generated samples with several real ones near.",
        SampleMean("fake", "fake", COVER, "several"),
    ),
    "recall_cover": Metric(
        "X whose ball r_{k′}(x) holds k or more of Y",
        "The share of real samples with several generated ones near.",
        SampleMean("real", "real", COVER, "several"),
    ),
    "p_precision": Metric(
        "1 − Π_x min(1, d(x, y) / R_X), mean over Y",
        "How near generated samples are to real ones: 1 for each that coincides with one, 0 for "
        "each that is near none, and in between by distance.",
        SampleMean("fake", "real", P_K, "nearness", "logs"),
    ),
    "p_recall": Metric(
        "1 − Π_y min(1, d(x, y) / R_Y), mean over X",
        "How near real samples are to generated ones: 1 for each that coincides with one, 0 for "
        "each that is near none, and in between by distance.",
        SampleMean("real", "fake", P_K, "nearness", "logs"),
    ),
    "f1": Metric(
        "harmonic mean of precision and recall",
        "Precision and recall in one, as low as the lower of the two lets it be.",
        Derived(("precision", "recall"), lambda p, r, *_: 2 * p * r / (p + r) if p + r else 0.0),
    ),
    "authenticity": Metric(
        "Y not in the ball r_1(x) of their nearest x; 1 less it are copies of X",
        "The share of generated samples that are farther from their nearest real one than that is "
        "from its own nearest; the others may be copies.",
        SampleMean("fake", "real", NEAREST, "none", "nearest"),
    ),
    "clipped_density": Metric(
        "min(1, balls min(r_k(x), median) that hold y / k), mean over Y / that of X",
        "The share of generated samples that lie where real ones are dense, beside what real ones "
        "have among each other.",
        Derived(
            ("clipped pairs of fake", "clipped pairs of real"),
            lambda fake, real, *_: min(1.0, fake / real) if real else 0.0,
        ),
    ),
    "clipped_coverage": Metric(
        "g / m; g good y alone would make the mean of min(1, y in r_k(x) / k) as large",
        "The share of generated samples that would cover the real ones as well, if all others were "
        "far away.",
        Derived(("clipped pairs in balls",), good_share),
    ),
    "alpha_precision": Metric(
        "1 − Σ |α − share of Y in the ball of α of X around its mean| / Σ α",
        "Whether generated samples are as far from the mean of the real ones as these are; nothing "
        "else.",
        OfSets(alpha_precision, needs_arrays=True, of_number=True),
        note="alpha_precision compares distances from the mean of the real samples, nothing else.",
    ),
    "beta_recall": Metric(
        "1 − Σ |β − share of X near Y, in the ball of β around its mean| / Σ β",
        "The share of real samples nearer to a generated one than to a real one; about 0.5 where "
        "both sets are alike.",
        OfSets(beta_recall, needs_arrays=True, of_number=True),
        note="beta_recall of equal sets is about m / (n + m − 1), ½ for n = m, and of copies 1.",
    ),
    "frechet_distance": _distance(
        "FD: |μ − ν|² + tr(S + T − 2 (S T)^½), of means and covariances",
        "How far apart the means and the covariances of both sets are; 0 where they are the same.",
        OfSets(frechet_distance, of_number=True),
    ),
    "kernel_distance": _distance(
        "KID: squared MMD of (x·y / d + 1)³, unbiased, over all pairs",
        "How far apart both sets are in moments up to the third; about 0 where they are alike, and "
        "then often below 0.",
        OfSets(kernel_distance),
        digits=".6f",
    ),
    "gaussian_distance": _distance(
        "squared MMD of exp(−|x − y|² / 2σ²), unbiased; as CMMD and KAD",
        "How far apart both sets are at distances of about the bandwidth, in any respect; about 0 "
        "where they are alike, and then often below 0.",
        OfSets(gaussian_distance),
        digits=".6f",
    ),
}
NAMES = tuple(TABLE)
USUAL = tuple(name for name, row in TABLE.items() if row.usual)
SET_METRICS = {name: row.of for name, row in TABLE.items() if isinstance(row.of, OfSets)}
ALL = "all"  # in place of names


def needed_rows(names: Iterable[str]) -> dict[str, SampleMean]:
    """Return the means over samples among the metrics of these names and those that they are
    derived from, in the order of the table."""
    needed = set(names)
    for name in names:
        if isinstance(derived := TABLE[name].of, Derived):
            needed.update(derived.of)
    rows = {name: row.of for name, row in TABLE.items()} | PARTS
    return {
        name: row for name, row in rows.items() if name in needed and isinstance(row, SampleMean)
    }


def is_of_samples(name: str) -> bool:
    """Return whether a metric is a mean over samples, and so defined for a part of them."""
    return name not in SET_METRICS and needed_rows([name]).keys() <= TABLE.keys()


def depends_on_number(name: str) -> bool:
    """Return whether a metric depends on the number of generated samples.  It does by the radii of
    balls around them, or by how many are within a ball of a real one."""
    if name in SET_METRICS:
        return SET_METRICS[name].of_number
    return any(
        row.around == "fake" or (row.over == "real" and row.counted != "narrow")
        for row in needed_rows([name]).values()
    )


def table_notes(names: Iterable[str]) -> list[str]:
    """Return the notes of the metrics among these names that have one."""
    chosen = set(names)
    return [row.note for name, row in TABLE.items() if name in chosen and row.note]


def takes_weights(name: str, weighted: Sequence[str]) -> bool:
    """Return whether a metric is a mean of shares that do not count samples of these sets."""
    return is_of_samples(name) and all(
        row.kind in ("any", "none") or SETS[1 - SETS.index(row.over)] not in weighted
        for row in needed_rows([name]).values()
    )


def means(
    shares: dict[str, Share], names: Sequence[str], k: int, pair: Pair, **chosen: Any
) -> dict[str, float]:
    """Return the metrics of these names that are means over samples, or derived from them.

    chosen: `real` and `fake`, indices of the samples over which the means are; all by default.
    """
    weights = dict(zip(SETS, pair.masses, strict=True)) if pair.weighted else {}
    values = {}
    for name, row in needed_rows(names).items():
        rows, w = chosen.get(row.over, slice(None)), weights.get(row.over)
        each, x = shares[name].each, shares[name].values[rows]
        if w is not None:
            total = each * math.fsum(w[rows].tolist())
            values[name] = math.fsum((w[rows] * x).tolist()) / total
        elif x.dtype.kind == "f":
            values[name] = math.fsum(x.tolist()) / len(x)
        else:
            values[name] = int(x.sum()) / (each * len(x))
    for name in names:
        if isinstance(derived := TABLE[name].of, Derived):
            values[name] = derived.value(*(values[base] for base in derived.of), k, pair.sizes)
    return {name: values[name] for name in names if name in values}
