"""The metrics, a row each: which balls, what is counted of a sample, what that adds to the mean.

Everything else follows from the rows: names and their order, what is computed for a choice of
names, which sizes are too small for k, the lines of the docstring of `metrics`.

A metric is a mean over samples (`Row`), is made of such means (`Made`), or is found of both sets as
wholes (`Whole`).  Those that ask for more than the passes that the others share are computed where
they are asked for by name, or with all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from numpy.typing import NDArray

from prfast.scalars.estimate import (
    Estimate,
    MetricOptions,
    Pair,
    Share,
    any_pair,
    enough_pairs,
    nearness,
    no_pair,
    pairs_per_k,
)

SETS = ("real", "fake")


class Reach(NamedTuple):
    """Which neighbour of its centre a ball reaches: what the user calls it, and its number for the
    k that was asked for."""

    option: str
    number: Callable[[int, MetricOptions], int]
    needed: Callable[[MetricOptions], bool] = lambda wanted: True
    """Is that neighbour looked for?  Not where the radius is given."""


K = Reach("k", lambda k, wanted: k)
COVER = Reach("cover_k × cover_factor", lambda k, wanted: wanted.cover_neighbor)
P_K = Reach("p_k", lambda k, wanted: wanted.p_k, lambda wanted: wanted.p_radius is None)
NEAREST = Reach("authenticity", lambda k, wanted: 1)


class Row(NamedTuple):
    """A metric: the mean over one set of a share that each sample has.

    counted of a sample: "pairs", the points of the other set that its own ball holds or, where the
    balls are around the other set, whose ball holds it; "logs", Σ ln min(1, d/R) over the points
    of the other set, for one radius R = p_factor × the mean radius, or p_radius; or "nearest", 1
    where the ball of a nearest point of the other set holds it.
    """

    over: str  # "real" or "fake": the set that the mean is over
    around: str  # "real" or "fake": the set that the centres of the balls are
    reach: Reach
    share: Callable[[NDArray[Any], int, MetricOptions], Share]
    formula: str
    says: str
    """What it tells, in a sentence for those who do not know the formula."""
    counted: str = "pairs"
    usual: bool = True
    larger_is_better: bool = True


class Made(NamedTuple):
    """A metric that is made of others."""

    of: tuple[str, ...]
    value: Callable[..., float]
    formula: str
    says: str
    usual: bool = True
    larger_is_better: bool = True


class Whole(NamedTuple):
    """A metric of both sets as wholes, which no sample has a share of; it has a unit, and no k."""

    value: Callable[[Pair], Estimate]
    formula: str
    says: str
    digits: str
    """How it is printed, as in ".4f"."""
    pairs: Callable[[int, int, int, MetricOptions], int]
    """Pairs of samples that take as long, of n and m samples and d features: for a bar."""
    usual: bool = False
    larger_is_better: bool = False


def _harmonic_mean(p: float, r: float) -> float:
    return 2 * p * r / (p + r) if p + r > 0 else 0.0


def _frechet_distance(pair: Pair) -> Estimate:
    from prfast.scalars.moments import frechet_distance  # only now: `import prfast` is quick

    return frechet_distance(pair)


def _kernel_distance(pair: Pair) -> Estimate:
    from prfast.scalars.kernel import kernel_distance

    return kernel_distance(pair)


def _kernel_pairs(n: int, m: int, d: int, wanted: MetricOptions) -> int:
    """All of them, or those of the subsets."""
    if wanted.kernel_subsets is None:
        return n * n + m * m + n * m
    return wanted.kernel_subsets * 3 * wanted.kernel_subset_size**2


TABLE: dict[str, Row | Made | Whole] = {
    # mean over, balls around, to neighbour, share
    "precision": Row(
        "fake",
        "real",
        K,
        any_pair,
        "Y in a ball r_k(x) of X",
        "The share of generated samples that are near a real one, as near as real ones are to each "
        "other.",
    ),
    "recall": Row(
        "real",
        "fake",
        K,
        any_pair,
        "X in a ball r_k(y) of Y",
        "The share of real samples that are near a generated one, as near as generated ones are to "
        "each other.",
    ),
    "density": Row(
        "fake",
        "real",
        K,
        pairs_per_k,
        "balls r_k(x) that hold y, divided by k, mean over Y",
        "How many real samples each generated one is near, over k; above 1 if generated ones crowd "
        "among them.",
    ),
    "coverage": Row(
        "real",
        "real",
        K,
        any_pair,
        "X whose ball r_k(x) holds a y",
        "The share of real samples with a generated one among their nearest.",
    ),
    "complementary_precision": Row(
        "fake",
        "fake",
        K,
        any_pair,
        "Y whose ball r_k(y) holds an x",
        "The share of generated samples with a real one among their nearest.",
    ),
    "symmetric_precision": Made(
        ("precision", "complementary_precision"),
        min,
        "the smaller of the two precisions",
        "Precision that neither a far real sample nor a far generated one can raise.",
    ),
    "symmetric_recall": Made(
        ("recall", "coverage"),
        min,
        "the smaller of recall and coverage",
        "Recall that neither a far generated sample nor a far real one can raise.",
    ),
    "precision_cover": Row(
        "fake",
        "fake",
        COVER,
        enough_pairs,
        "Y whose ball r_{k′}(y) holds k or more of X",
        "The share of generated samples with several real ones near.",
    ),
    "recall_cover": Row(
        "real",
        "real",
        COVER,
        enough_pairs,
        "X whose ball r_{k′}(x) holds k or more of Y",
        "The share of real samples with several generated ones near.",
    ),
    "p_precision": Row(
        "fake",
        "real",
        P_K,
        nearness,
        "1 − Π_x min(1, d(x, y) / R_X), mean over Y",
        "How near generated samples are to real ones: 1 for each that coincides with one, 0 for "
        "each that is near none, and in between by distance.",
        "logs",
    ),
    "p_recall": Row(
        "real",
        "fake",
        P_K,
        nearness,
        "1 − Π_y min(1, d(x, y) / R_Y), mean over X",
        "How near real samples are to generated ones: 1 for each that coincides with one, 0 for "
        "each that is near none, and in between by distance.",
        "logs",
    ),
    "f1": Made(
        ("precision", "recall"),
        _harmonic_mean,
        "harmonic mean of precision and recall",
        "Precision and recall in one, as low as the lower of the two lets it be.",
    ),
    "authenticity": Row(
        "fake",
        "real",
        NEAREST,
        no_pair,
        "Y not in the ball r_1(x) of their nearest x; 1 less it are copies of X",
        "The share of generated samples that are farther from their nearest real one than that is "
        "from its own nearest; the others may be copies.",
        "nearest",
        usual=False,
    ),
    "frechet_distance": Whole(
        _frechet_distance,
        "FD: |μ − ν|² + tr(S + T − 2 (S T)^½), of means and covariances",
        "How far apart the means and the covariances of both sets are; 0 where they are the same.",
        ".4f",
        lambda n, m, d, wanted: 2 * (n + m) * d + 10 * d * d,
    ),
    "kernel_distance": Whole(
        _kernel_distance,
        "KID: squared MMD of (x·y / d + 1)³, unbiased, over all pairs",
        "How far apart both sets are in moments up to the third; about 0 where they are alike, and "
        "then often below 0.",
        ".6f",
        _kernel_pairs,
    ),
}
NAMES = tuple(TABLE)
USUAL = tuple(name for name, row in TABLE.items() if row.usual)
WHOLES = tuple(name for name, row in TABLE.items() if isinstance(row, Whole))
ALL = "all"  # instead of their names


def needed_rows(names: Iterable[str]) -> dict[str, Row]:
    """The rows that metrics of these names are, or are made of, in the order of the table."""
    waiting, found = list(names), set()
    for name in waiting:
        row = TABLE[name]
        found.add(name)
        waiting += row.of if isinstance(row, Made) else ()
    return {name: row for name, row in TABLE.items() if name in found and isinstance(row, Row)}


def wholes(names: Iterable[str]) -> dict[str, Whole]:
    """The rows of these names that no sample has a share of."""
    found = {name: TABLE[name] for name in names}
    return {name: row for name, row in found.items() if isinstance(row, Whole)}


def ends_of(name: str) -> tuple[float, float]:
    """Return the least and the largest that a metric can be: of shares, but for the density, which
    counts a sample several times, 0 and 1."""
    if name in WHOLES:
        return -math.inf, math.inf
    return (0.0, math.inf) if name == "density" else (0.0, 1.0)


def digits(name: str) -> str:
    """How a metric is printed."""
    row = TABLE[name]
    return row.digits if isinstance(row, Whole) else ".4f"


def means(shares: dict[str, Share], names: Iterable[str], **chosen: Any) -> dict[str, float]:
    """Those of these names that are means, or made of them; chosen: real=, fake=, the samples that
    they are of."""

    def mean(name: str) -> float:
        row = TABLE[name]
        if isinstance(row, Made):
            return row.value(*map(mean, row.of))
        assert isinstance(row, Row)
        return shares[name].mean(chosen.get(row.over, slice(None)))

    return {name: mean(name) for name in names if not isinstance(TABLE[name], Whole)}


_LINES = "<the rows of prfast.scalars.table>"


def with_rows(docstring: str | None) -> str:
    """A docstring with a line a metric, its name and formula, where it speaks of the rows."""
    before, _, after = (docstring or _LINES).partition(_LINES)
    indent = "\n" + before.rpartition("\n")[2]
    width = max(map(len, NAMES))
    lines = [f"{name:<{width}}  {row.formula}" for name, row in TABLE.items()]
    return before + indent.join(lines) + after
