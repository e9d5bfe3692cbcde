"""Diagnostics of curves: contradictions between curves of the same samples, or with metrics.

A scorer that does not detect a difference returns a high curve, exact and wrong.  Metrics and
curves of other methods reveal this.  A scorer not fitted on the samples that it scores has a curve
above the true one, up to sampling (2019, Theorem 5).
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.summary import ALIKE, f_1_8, f_8
from prfast.estimate.intervals import scored
from prfast.inputs.errors import WrongValue
from prfast.methods.base import ExecutionContext, read_context
from prfast.methods.table import METHODS
from prfast.neighbors import Count, NeighborSearch, in_range
from prfast.results.values import curve_name, listed
from prfast.samples.codes import shared_codes
from prfast.samples.noise import BLUR, blurred
from prfast.samples.pair import Pair
from prfast.samples.record import space_record

# ---- contradictions ------------------------------------------------------------------------------

# Metrics give no false alarm for Gaussians in 1 to 512 dimensions whose true F_1/8 is 0.6: their
# precision is above 0.1, from 60 samples on.
HIGH = 0.75  # least F-score by which the sets look alike
LOW = 0.05  # metrics below which they do not
APART = 0.2  # areas that differ by more contradict each other
NEAR = 0.5  # share of their expectation from which on metrics detect no difference
ADVICE = "Look at samples and features, and try another method."


class Witness(NamedTuple):
    """A metric that, if it is low, contradicts high numbers of a curve."""

    metric: str
    scores: tuple[Callable[[PRCurve], float], ...]  # numbers of the curve
    unseen: str  # the difference that the method does not detect
    words: str  # the contradiction; {} is "its curve" or "their curves"


WITNESSES = (
    Witness(
        "precision",
        (f_1_8,),
        "how unlike the generated samples are",
        "by {} most of them look real, but fewer than a twentieth have a real one near (the metric "
        "precision)",
    ),
    Witness(
        "coverage",
        (f_1_8, f_8),
        "how much of what is real is missed",
        "by {} little of it is, but fewer than a twentieth of the real samples have a generated "
        "one near (the metric coverage)",
    ),
)


def contradictions(
    curves: Mapping[Any, PRCurve], metrics: Mapping[str, float] | None = None
) -> list[str]:
    """Return sentences on contradictions between curves of the same samples, or with metrics.

    A curve misses a difference if its F_1/8 is at least 0.75 but the precision is below 0.05; if
    its F_8 is at least 0.75, too, but the coverage is below 0.05 of its expectation for equal
    distributions; if its area is larger by more than 0.2 than that of another curve (2019, Theorem
    5).  Cautions in the `info` of curves are included.  curves: by (method, k), or by method.
    """
    # The k of a method is named where the method occurs several times.
    methods = [key[0] if isinstance(key, tuple) else key for key in curves]
    named = {}
    for method, (key, curve) in zip(methods, curves.items(), strict=True):
        named[curve_name(*key) if methods.count(method) > 1 else f"{method}"] = curve
    shares = dict(metrics or {})
    k, sizes = (getattr(metrics, name, None) for name in ("k", "sizes"))  # of `prfast.metrics`
    if k is not None and sizes is not None and "coverage" in shares:
        shares["coverage"] /= expected_coverage(k, *sizes)
    findings = against_metrics(named, shares)
    sentences = [*findings]
    for name, curve in named.items():
        if curve.provenance.caution and not any(name in names for names in findings.values()):
            sentences.append(curve.provenance.caution)
    # A curve may lie far too low when a scorer scores the samples that it was fitted on.  Cells of
    # k-means are fitted to both sets together, and hide more than they invent.
    trusted = {
        name: curve.area
        for name, curve in named.items()
        if curve.provenance.held_out is not False or curve.provenance.method == "kmeans"
    }
    lowest, least = min(trusted.items(), key=itemgetter(1), default=("", math.inf))
    areas = {}
    for name, curve in named.items():
        counted = scored(curve)
        margin = APART if counted is None else max(APART, 2 / math.sqrt(min(counted)))
        if curve.area > least + margin:
            areas[name] = f"{curve.area:.2f}"
    if areas:
        sentences.append(
            f"{listed([*areas])} cannot detect a difference that {lowest} detects: "
            f"area{'s' * (len(areas) > 1)} {listed([*areas.values()])} against "
            f"{least:.2f}. A scorer that misses a difference gives too high a curve: "
            "trust the lowest."
        )
    return [*dict.fromkeys(sentences)]


def against_metrics(
    curves: Mapping[str, PRCurve], shares: Mapping[str, float]
) -> dict[str, list[str]]:
    """Return sentences on curves that metrics, over their expectations for equal distributions,
    contradict, each with the names of its curves."""
    findings: dict[str, list[str]] = {}
    left = dict(curves)
    for row in WITNESSES:
        if not shares.get(row.metric, math.inf) < LOW:
            continue
        high = [n for n, c in left.items() if all(score(c) >= HIGH for score in row.scores)]
        if high:
            text = row.words.format("its curve" if len(high) == 1 else "their curves")
            findings[f"{listed(high)} cannot detect {row.unseen}: {text}. {ADVICE}"] = high
        left = {name: curve for name, curve in left.items() if name not in high}
    return findings


def expected_coverage(k: int, n: int, m: int) -> float:
    """Return the expectation of coverage for n real and m generated samples of one distribution."""
    return 1.0 - float(np.prod([(n - i) / (n + m - i) for i in range(1, k + 1)]))


# ---- check of every curve ------------------------------------------------------------------------

Key = TypeVar("Key")

K = 5  # neighbors of the metrics
FEWEST, MOST = 200, 1000  # samples of each set
ENOUGH = 50  # samples below which nothing is checked


class Contradiction(UserWarning):
    """Curve and metrics disagree on whether the sets look alike.  See also `pr_curve`."""


def curves_of_scores(
    scores: Mapping[Key, Any],
    pair: Pair,
    context: ExecutionContext,
    rows: tuple[Any, ...] = (),
    entries: dict[str, Any] | None = None,
) -> dict[Key, PRCurve]:
    """Return the curves of scores, with facts on the samples, and with cautions where metrics
    contradict a curve; rows: of the scores, those of the pair; entries: facts that are known."""
    if entries is None:
        entries = space_record(pair) | pair.repetition.record()
        if max(pair.strides) > 1:
            entries["strides"] = list(pair.strides)
        if not pair.real.is_partitioned and (codes := shared_codes(pair.real.points)):
            entries["codes"] = codes
    results: dict[Key, PRCurve] = {key: x.curve(*rows, **entries) for key, x in scores.items()}
    if min(pair.sizes) < ENOUGH or pair.weighted:  # the metrics have no weights
        return results
    shares = dict[str, float]()
    for key, curve in results.items():
        origin = curve.provenance
        method = METHODS.get(origin.method or "")
        is_auto = origin.method == "auto" and not origin.smoothing
        is_high = method is not None and bool(method.blind) and f_1_8(curve) >= HIGH
        is_low = is_auto and not is_high and curve.area < LOW_AREA
        # A blur would tell copies apart, and so remove a difference that is not one of details.
        is_low = is_low and not origin.has_copies
        cautions: list[str] = []
        if (is_high or is_low) and not shares:
            with suppress(WrongValue):  # no distances of these samples are within float64
                shares = share_metrics(pair, context)
        if is_high:
            cautions = [*against_metrics({origin.method or "": curve}, shares)]
        elif is_low and min(shares.values(), default=0.0) >= NEAR:
            cautions = detail_caution(curve, pair, context)
        if is_auto and curve.area < ALIKE:
            cautions += filter(None, [half_precision(pair)])
        if cautions:
            sentence = " ".join(cautions)
            results[key] = curve._changed({"caution": sentence})
            # The warning names the first caller outside prfast.
            level, frame = 1, sys._getframe()
            while frame.f_back and frame.f_globals.get("__name__", "").startswith("prfast."):
                level, frame = level + 1, frame.f_back
            warnings.warn(sentence, Contradiction, stacklevel=level)
    return results


def share_metrics(pair: Pair, context: ExecutionContext) -> dict[str, float]:
    """Return precision and coverage of a random subsample, over their expectations."""
    least = min(pair.sizes)
    size = min(least, max(FEWEST, least // 4), MOST)
    rows = pair.sample(size, context.seed, "check")
    x, y = in_range(*(points[at] for points, at in zip(pair.points, rows, strict=True)))
    search = NeighborSearch(n_jobs=1, progress=False)
    d2 = search.kth_within(x, [K])[:, 0].copy()
    balls = Count(None, d2, rows=np.zeros(len(y), np.int64), cols=np.zeros(len(x), np.int64))
    search.run(y, [x], [balls])
    precision, coverage = (int((count > 0).sum()) / size for count in (balls.rows, balls.cols))
    return {"precision": precision, "coverage": coverage / expected_coverage(K, size, size)}


# ---- test of details of low curves of "auto" -----------------------------------------------------

LOW_AREA = 0.5  # only curves with a smaller area are tested
RISE = 0.3  # least rise of the area by a blur for a caution
DECISIVE_SHARE = 0.4  # least share of bases of exact values by which these decide


def detail_caution(curve: PRCurve, pair: Pair, context: ExecutionContext) -> list[str]:
    """Return the caution where a blur removes a difference by exact values or in alike columns."""
    size = min(*pair.sizes, MOST)
    rows = pair.sample(size, context.seed, "details")
    sets = [np.asarray(x[at], np.float64) for x, at in zip(pair.points, rows, strict=True)]
    noisy, are_alike = blurred(sets, context.seed)
    weights = curve.provenance.weights or {}
    exact = weights.get("ranges", 0.0) + weights.get("values", 0.0)
    is_by_values = exact >= DECISIVE_SHARE * sum(weights.values())
    if not (is_by_values or are_alike) or not all(np.isfinite(x).all() for x in noisy):
        return []
    auto, context = METHODS["auto"](), read_context(context.seed, n_jobs=1, progress=False)
    without, area = (
        auto.scores(Pair.read(*points), None, context).curve().area for points in (sets, noisy)
    )
    if area < without + RISE:
        return []
    return [
        "auto tells the sets apart by details such as exact values, rounding, preprocessing or "
        "totals that do not add up, that precision and coverage do not detect: with noise of "
        f"{BLUR:g} standard deviations in each column of both sets the area is {area:.2f} "
        f"instead of {without:.2f} ({size} samples of each set). Prepare both sets in the same way "
        "before comparing them, unless the model itself makes these details."
    ]


_ROUNDED_ROWS = 100  # rows of each set by which rounding is judged
_HALF_BITS = 11  # significant bits of float16; bfloat16 has 8
_LEVEL_BITS = 9  # of numbers that are levels; the largest may be 1


def half_precision(pair: Pair) -> str:
    """Return a sentence where one set alone is rounded to half precision, or ""."""
    shares = []  # of numbers that half precision represents; NaN of few numbers
    for sample, size in zip(pair.points, pair.sizes, strict=True):
        rows = np.unique(np.linspace(0, size - 1, _ROUNDED_ROWS).astype(np.int64))
        points = np.asarray(sample[rows], np.float64)
        # Whole numbers, and columns that are levels of equal steps, as of 8 bits, do not count.
        step = np.ldexp(1.0, np.frexp(np.abs(points).max(axis=0))[1] - _LEVEL_BITS)
        are_levels = (np.round(points / step) * step == points).all(axis=0)
        numbers = points[:, ~are_levels]
        numbers = numbers[numbers != np.round(numbers)]
        significand = np.ldexp(np.frexp(numbers)[0], _HALF_BITS)
        few = len(numbers) < len(points) / 2
        shares.append(math.nan if few else (significand == np.round(significand)).mean())
    if not (max(shares) == 1.0 and min(shares) < 0.5):  # NaN is neither
        return ""
    rounded, exact = ("real", "generated") if shares[0] == 1.0 else ("generated", "real")
    return (
        f"All {rounded} numbers are rounded, as by half precision (float16, bfloat16), and the "
        f"{exact} ones are not, which tells the sets apart: round both alike, such as by "
        ".astype(np.float16)."
    )
