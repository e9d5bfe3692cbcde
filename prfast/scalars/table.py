"""Table of the metrics, a row each: which balls, what is counted for a sample, its share.

Everything else follows from the rows: names and their order, what is computed for a choice of
names, which sizes are too small for k, the lines of the docstring of `metrics`.

A metric is a mean over samples (`SampleMetric`), a function of such means (`DerivedMetric`), or a
function of both sets as wholes (`SetMetric`).  Those that are `usual` are computed by default, the
others only if `which` has their names, or "all".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.samples.pair import SETS, Pair
from prfast.scalars.distances import (
    DIRECTIONS,
    gaussian_distance,
    kernel_distance,
    sliced_distance,
)
from prfast.scalars.moments import frechet_distance
from prfast.scalars.options import DistanceInputs, Estimate, MetricOptions
from prfast.scalars.supports import alpha_precision, beta_recall, good_share


class Share(NamedTuple):
    """Contribution of each sample to a metric, which is Σ values / (each · samples)."""

    values: NDArray[Any]  # integers or float64, one a sample
    each: int = 1

    def mean(self, chosen: Any = slice(None), weights: NDArray[Any] | None = None) -> float:
        """Return the metric over all samples of the set, or over the chosen ones; weights: of all
        samples, optional."""
        values = self.values[chosen]
        if weights is not None:
            total = self.each * math.fsum(weights[chosen].tolist())
            return math.fsum((weights[chosen] * values).tolist()) / total
        if values.dtype.kind == "f":
            return math.fsum(values.tolist()) / len(values)
        return int(values.sum()) / (self.each * len(values))


# Functions of `SampleMetric.share`.  Their arguments: the count of each sample, the rank k of the
# neighbor whose distance is the radius of a ball, the options.


def any_pair(pairs: NDArray[Any], k: int, options: MetricOptions) -> Share:
    """Return 1 where there is a pair."""
    return Share(pairs >= 1)


def no_pair(pairs: NDArray[Any], k: int, options: MetricOptions) -> Share:
    """Return 1 where there is none."""
    return Share(pairs < 1)


def pairs_per_k(pairs: NDArray[Any], k: int, options: MetricOptions) -> Share:
    """Return pairs / k."""
    return Share(pairs, k)


def clipped_pairs(pairs: NDArray[Any], k: int, options: MetricOptions) -> Share:
    """Return min(pairs, k) / k."""
    return Share(np.minimum(pairs, k), k)


def enough_pairs(pairs: NDArray[Any], k: int, options: MetricOptions) -> Share:
    """Return 1 where there are `cover_k` pairs or more."""
    return Share(pairs >= options.cover_k)


def nearness(logs: NDArray[Any], k: int, options: MetricOptions) -> Share:
    """Return 1 − Π min(1, d/R) from Σ ln min(1, D/R²)."""
    return Share(-np.expm1(logs / 2))


class NeighborRank(NamedTuple):
    """Rank of the neighbor of its center whose distance is the radius of a ball."""

    option: str
    """Its name in messages."""
    number: Callable[[int, MetricOptions], int]
    """The rank as a function of the argument `k` and the options."""
    needed: Callable[[MetricOptions], bool] = lambda options: True
    """Whether that neighbor has to be searched; not if the radius is an option."""


K = NeighborRank("k", lambda k, options: k)
COVER = NeighborRank("cover_k × cover_factor", lambda k, options: options.cover_neighbor)
P_K = NeighborRank("p_k", lambda k, options: options.p_k, lambda options: options.p_radius is None)
NEAREST = NeighborRank("authenticity", lambda k, options: 1)


class CountSpec(NamedTuple):
    """Specification of a count for each sample of one set; several metrics may share one.

    The radii of the balls around the points of a set are the distances of their k-th other point.
    """

    counted: str
    over: str
    around: str
    k: int


@dataclass(frozen=True)
class Metric:
    """A metric of the table."""

    formula: str
    says: str
    """Meaning, in a sentence for readers who do not know the formula."""
    _: KW_ONLY
    usual: bool = False
    larger_is_better: bool = True
    largest: float = 1.0
    """The largest possible value."""
    digits: str = ".4f"
    """Format in which it is printed."""
    note: str = ""
    """Sentence below tables that have it, on what it does not mean."""


@dataclass(frozen=True)
class SampleMetric(Metric):
    """A metric that is the mean over one set of a share that each sample has."""

    over: str
    """The set of the mean, "real" or "fake"."""
    around: str
    """The set of the centers of the balls, "real" or "fake"."""
    rank: NeighborRank
    share: Callable[[NDArray[Any], int, MetricOptions], Share]
    """Function of the counts (see `counted`), the rank of the neighbor, and the options."""
    counted: str = "pairs"
    """Number of each sample: "pairs", how many points of the other set its own ball holds or, where
    the balls are around the other set, how many of their balls hold it; "narrow", the same of balls
    whose radius is at most the median radius, less its own ball where it is the center of one;
    "logs", Σ ln min(1, D/R²) over the points of the other set, for one radius R =
    p_factor × the mean radius, or p_radius;
    "nearest", 1 where the ball of a nearest point of the other set holds it."""

    def spec(self, k: int, options: MetricOptions) -> CountSpec:
        """Return what is counted for each sample."""
        return CountSpec(self.counted, self.over, self.around, self.rank.number(k, options))


@dataclass(frozen=True)
class DerivedMetric(Metric):
    """A metric that is a function of others, or of means of `PARTS`."""

    of: tuple[str, ...]
    value: Callable[..., float]
    """Function of these, of the number k of neighbors, and of the numbers of real and of generated
    samples."""


@dataclass(frozen=True)
class SetMetric(Metric):
    """A metric of both sets as wholes, to which no sample has a share; it has a unit, and no k."""

    value: Callable[[DistanceInputs], Estimate]
    pairs: Callable[[int, int, int, MetricOptions], int]
    """Number of pairs of samples whose distances take as long, a function of the numbers n and m of
    samples and d of features; for the progress bar."""
    needs_arrays: bool = False
    """Whether it is not available for partitioned samples."""
    of_number: bool = False
    """Whether it depends on the number of generated samples."""


def _smaller(one: float, other: float, *_: Any) -> float:
    return min(one, other)


def _harmonic_mean(p: float, r: float, *_: Any) -> float:
    return 2 * p * r / (p + r) if p + r > 0 else 0.0


def _relative(fake: float, real: float, *_: Any) -> float:
    return min(1.0, fake / real) if real > 0 else 0.0


def _kernel_pairs(n: int, m: int, d: int, options: MetricOptions) -> int:
    """Return the number of pairs of all samples, or of those of the subsets."""
    if options.kernel_subsets is None:
        return n * n + m * m + n * m
    return options.kernel_subsets * 3 * options.kernel_subset_size**2


# Means over samples that are no metrics by themselves.
PARTS = {
    "clipped pairs of fake": SampleMetric("", "", "fake", "real", K, clipped_pairs, "narrow"),
    "clipped pairs of real": SampleMetric("", "", "real", "real", K, clipped_pairs, "narrow"),
    "clipped pairs in balls": SampleMetric("", "", "real", "real", K, clipped_pairs),
}
TABLE: dict[str, SampleMetric | DerivedMetric | SetMetric] = {
    "precision": SampleMetric(
        "Y in a ball r_k(x) of X",
        "The share of generated samples that are near a real one, as near as real ones are to each "
        "other.",
        "fake",
        "real",
        K,
        any_pair,
        usual=True,
    ),
    "recall": SampleMetric(
        "X in a ball r_k(y) of Y",
        "The share of real samples that are near a generated one, as near as generated ones are to "
        "each other.",
        "real",
        "fake",
        K,
        any_pair,
        usual=True,
    ),
    "density": SampleMetric(
        "balls r_k(x) that hold y, divided by k, mean over Y",
        "How many real samples each generated one is near, over k; above 1 if generated ones crowd "
        "among them.",
        "fake",
        "real",
        K,
        pairs_per_k,
        usual=True,
        largest=math.inf,
    ),
    "coverage": SampleMetric(
        "X whose ball r_k(x) holds a y",
        "The share of real samples with a generated one among their nearest.",
        "real",
        "real",
        K,
        any_pair,
        usual=True,
    ),
    "complementary_precision": SampleMetric(
        "Y whose ball r_k(y) holds an x",
        "The share of generated samples with a real one among their nearest.",
        "fake",
        "fake",
        K,
        any_pair,
    ),
    "symmetric_precision": DerivedMetric(
        "the smaller of the two precisions",
        "Precision that neither a far real sample nor a far generated one can raise.",
        ("precision", "complementary_precision"),
        _smaller,
    ),
    "symmetric_recall": DerivedMetric(
        "the smaller of recall and coverage",
        "Recall that neither a far generated sample nor a far real one can raise.",
        ("recall", "coverage"),
        _smaller,
    ),
    "precision_cover": SampleMetric(
        "Y whose ball r_{k′}(y) holds k or more of X",
        "The share of generated samples with several real ones near.",
        "fake",
        "fake",
        COVER,
        enough_pairs,
    ),
    "recall_cover": SampleMetric(
        "X whose ball r_{k′}(x) holds k or more of Y",
        "The share of real samples with several generated ones near.",
        "real",
        "real",
        COVER,
        enough_pairs,
    ),
    "p_precision": SampleMetric(
        "1 − Π_x min(1, d(x, y) / R_X), mean over Y",
        "How near generated samples are to real ones: 1 for each that coincides with one, 0 for "
        "each that is near none, and in between by distance.",
        "fake",
        "real",
        P_K,
        nearness,
        "logs",
    ),
    "p_recall": SampleMetric(
        "1 − Π_y min(1, d(x, y) / R_Y), mean over X",
        "How near real samples are to generated ones: 1 for each that coincides with one, 0 for "
        "each that is near none, and in between by distance.",
        "real",
        "fake",
        P_K,
        nearness,
        "logs",
    ),
    "f1": DerivedMetric(
        "harmonic mean of precision and recall",
        "Precision and recall in one, as low as the lower of the two lets it be.",
        ("precision", "recall"),
        _harmonic_mean,
    ),
    "authenticity": SampleMetric(
        "Y not in the ball r_1(x) of their nearest x; 1 less it are copies of X",
        "The share of generated samples that are farther from their nearest real one than that is "
        "from its own nearest; the others may be copies.",
        "fake",
        "real",
        NEAREST,
        no_pair,
        "nearest",
    ),
    "clipped_density": DerivedMetric(
        "min(1, balls min(r_k(x), median) that hold y / k), mean over Y / that of X",
        "The share of generated samples that lie where real ones are dense, beside what real ones "
        "have among each other.",
        ("clipped pairs of fake", "clipped pairs of real"),
        _relative,
    ),
    "clipped_coverage": DerivedMetric(
        "g / m; g good y alone would make the mean of min(1, y in r_k(x) / k) as large",
        "The share of generated samples that would cover the real ones as well, if all others were "
        "far away.",
        ("clipped pairs in balls",),
        good_share,
    ),
    "alpha_precision": SetMetric(
        "1 − Σ |α − share of Y in the ball of α of X around its mean| / Σ α",
        "Whether generated samples are as far from the mean of the real ones as these are; nothing "
        "else.",
        alpha_precision,
        lambda n, m, d, options: n + m,
        needs_arrays=True,
        of_number=True,
        note="alpha_precision compares distances from the mean of the real samples, nothing else.",
    ),
    "beta_recall": SetMetric(
        "1 − Σ |β − share of X near Y, in the ball of β around its mean| / Σ β",
        "The share of real samples nearer to a generated one than to a real one; about 0.5 where "
        "both sets are alike.",
        beta_recall,
        lambda n, m, d, options: n * n + 2 * n * m,
        needs_arrays=True,
        of_number=True,
        note="beta_recall of equal sets is about m / (n + m − 1), ½ for n = m, and of copies 1.",
    ),
    "frechet_distance": SetMetric(
        "FD: |μ − ν|² + tr(S + T − 2 (S T)^½), of means and covariances",
        "How far apart the means and the covariances of both sets are; 0 where they are the same.",
        frechet_distance,
        lambda n, m, d, options: 2 * (n + m) * d + 10 * d * d,
        of_number=True,
        larger_is_better=False,
        largest=math.inf,
    ),
    "kernel_distance": SetMetric(
        "KID: squared MMD of (x·y / d + 1)³, unbiased, over all pairs",
        "How far apart both sets are in moments up to the third; about 0 where they are alike, and "
        "then often below 0.",
        kernel_distance,
        _kernel_pairs,
        digits=".6f",
        larger_is_better=False,
        largest=math.inf,
    ),
    "gaussian_distance": SetMetric(
        "squared MMD of exp(−|x − y|² / 2σ²), unbiased; as CMMD and KAD",
        "How far apart both sets are at distances of about the bandwidth, in any respect; about 0 "
        "where they are alike, and then often below 0.",
        gaussian_distance,
        lambda n, m, d, options: n * n + m * m + n * m,
        digits=".6f",
        larger_is_better=False,
        largest=math.inf,
    ),
    "sliced_distance": SetMetric(
        "d × mean over lines of the squared Wasserstein distance, unbiased",
        "How far apart both sets are in their projections on lines, in squares of the features' "
        "unit; about 0 where they are alike, and then often below 0.",
        sliced_distance,
        lambda n, m, d, options: (n + m) * DIRECTIONS,
        larger_is_better=False,
        largest=math.inf,
    ),
}
NAMES = tuple(TABLE)
USUAL = tuple(name for name, row in TABLE.items() if row.usual)
SET_METRICS = tuple(name for name, row in TABLE.items() if isinstance(row, SetMetric))
ALL = "all"  # in place of names


def needed_rows(names: Iterable[str]) -> dict[str, SampleMetric]:
    """Return the means over samples among the metrics of these names and those that they are
    derived from, in the order of the table."""
    needed = list(names)
    for name in needed:
        row = TABLE.get(name)
        needed += row.of if isinstance(row, DerivedMetric) else ()
    rows = {name: row for name, row in (TABLE | PARTS).items() if name in needed}
    return {name: row for name, row in rows.items() if isinstance(row, SampleMetric)}


def set_metrics(names: Iterable[str]) -> dict[str, SetMetric]:
    """Return the rows of these names that are metrics of both sets as wholes."""
    return {name: row for name in names if isinstance(row := TABLE[name], SetMetric)}


def is_of_samples(name: str) -> bool:
    """Return whether a metric is a plain mean over samples, or derived from such metrics: defined
    for a part of the samples, such as a class."""
    row = TABLE.get(name)
    if isinstance(row, DerivedMetric):
        return all(map(is_of_samples, row.of))
    return isinstance(row, SampleMetric)


def depends_on_number(name: str) -> bool:
    """Return whether a metric depends on the number of generated samples, however many there are:
    through the radii of balls around them, or how many are within a ball of a real one."""
    row = (TABLE | PARTS)[name]
    if isinstance(row, DerivedMetric):
        return any(map(depends_on_number, row.of))
    if isinstance(row, SetMetric):
        return row.of_number
    return row.around == "fake" or (row.over == "real" and row.counted != "narrow")


def notes_of_metrics(names: Iterable[str]) -> list[str]:
    """Return the notes of the metrics among these names that have one."""
    chosen = set(names)
    return [row.note for name, row in TABLE.items() if name in chosen and row.note]


def takes_weights(name: str, weighted: Sequence[str]) -> bool:
    """Return whether a metric is defined where these sets have weights: if it is a weighted mean of
    shares that do not depend on how many samples of a set with weights are near."""
    row = TABLE.get(name)
    if isinstance(row, DerivedMetric):
        return all(takes_weights(base, weighted) for base in row.of)
    if not isinstance(row, SampleMetric):
        return False
    other = SETS[1 - SETS.index(row.over)]
    return row.share in (any_pair, no_pair) or other not in weighted


def means(
    shares: dict[str, Share], names: Sequence[str], k: int, pair: Pair, **chosen: Any
) -> dict[str, float]:
    """Return the metrics of these names that are means over samples, or derived from them.

    chosen: `real` and `fake`, indices of the samples over which the means are; all by default.
    """
    weights = dict(zip(SETS, pair.masses, strict=True)) if pair.weighted else {}
    values = {}
    for name, row in needed_rows(names).items():
        rows = chosen.get(row.over, slice(None))
        values[name] = shares[name].mean(rows, weights.get(row.over))
    for name in names:
        derived = TABLE[name]
        if isinstance(derived, DerivedMetric):
            values[name] = derived.value(*(values[base] for base in derived.of), k, pair.sizes)
    return {name: values[name] for name in names if name in values}


_LINES = "<the rows of prfast.scalars.table>"


def with_rows(docstring: str | None) -> str:
    """Return the docstring with its placeholder replaced by a line for each metric, its name and
    formula."""
    before, _, after = (docstring or _LINES).partition(_LINES)
    indent = "\n" + before.rpartition("\n")[2]
    width = max(map(len, NAMES))
    lines = [f"{name:<{width}}  {row.formula}" for name, row in TABLE.items()]
    return before + indent.join(lines) + after
