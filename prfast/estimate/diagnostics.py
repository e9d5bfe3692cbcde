"""Diagnostics of curves: contradictions between curves of the same samples, or with metrics.

A scorer that does not detect a difference returns a high curve, exact and wrong.  Two things reveal
this:

- The metrics.  By the curve most generated samples look real (F_1/8 at least 0.75), but fewer than
  a twentieth of them are near a real one (precision); or the same for the real samples (F_8,
  coverage).  There is no false alarm for Gaussians that are shifted or widened until their true
  F_1/8 is 0.6, in 1 to 512 dimensions: their precision is above 0.1, from 60 samples on.
- Another method.  The curve of a scorer lies above the true one, up to sampling, if it was not
  fitted on the samples that it scores (2019, Theorem 5).

Every call of `pr_curve` makes the first check on a subsample (`checked`), for high curves of
methods with known blind spots (`Method.blind`).  A low curve of "auto" can be true but useless:
`noise_caution` tells exact values, rounding or preprocessing, and `half_precision` rounding of one
set.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.curve import read_curve
from prfast.curve.summary import ALIKE, f_1_8, f_8
from prfast.estimate.intervals import scored
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import WrongType, kind_of
from prfast.inputs.options import read_number, stream
from prfast.methods.base import ExecutionContext, read_context
from prfast.methods.table import METHODS
from prfast.neighbors import Count, NeighborSearch, in_range
from prfast.results.values import curve_name, listed
from prfast.samples.noise import feature_scales
from prfast.samples.pair import Pair
from prfast.samples.partitioned import take_rows

# ---- contradictions ------------------------------------------------------------------------------

HIGH = 0.75  # least F-score by which the sets look alike
LOW = 0.05  # metrics below this say that they do not
APART = 0.2  # areas that differ by more contradict each other
NEAR = 0.5  # share of their expectation from which on metrics see no difference
ADVICE = "Look at samples and features, and try another method."


class Witness(NamedTuple):
    """A metric that, if it is low, contradicts high numbers of a curve."""

    metric: str
    scores: tuple[Callable[[PRCurve], float], ...]
    """The numbers of the curve."""
    unseen: str
    """The difference that the method does not detect, for the sentence."""
    words: str
    """The contradiction; {} is "its curve" or "their curves"."""


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


class Finding(NamedTuple):
    """Names of curves that miss a difference, and the sentence on them."""

    names: list[str]
    sentence: str


def contradictions(
    curves: Mapping[Any, PRCurve], metrics: Mapping[str, float] | None = None
) -> list[str]:
    """Return sentences on contradictions between curves of the same samples, and between curves and
    metrics.

    A curve misses a difference if its F_1/8 is at least 0.75 but the precision is below 0.05; if
    its F_8 is at least 0.75, too, but the coverage is below 0.05 of its expectation for equal
    distributions; if its area is larger by more than 0.2 than that of another curve, which is
    named.  Cautions that `pr_curve` recorded in `info` are included.

    Parameters
    ----------
    curves : mapping of (method, k), or str, to PRCurve
        Curves of the same samples, as from `prfast.pr_curves` or `Evaluation.curves`.
    metrics : mapping of str to float, optional
        Metrics of these samples, as from `prfast.metrics`; precision and coverage are used.

    Returns
    -------
    list of str
        Sentences; empty without contradictions.

    Raises
    ------
    TypeError, ValueError
        Arguments that are not such mappings; a precision or coverage that is not a number.

    References
    ----------
    2019: Simon, Webster, Rabin, Revisiting Precision and Recall Definition for Generative Model
    Evaluation, Theorem 5.
    """
    if not isinstance(curves, Mapping):
        raise WrongType("curves", f"a mapping of names to curves expected, got {kind_of(curves)}")
    for key, curve in curves.items():
        read_curve(f"curves[{key!r}]", curve)
    if metrics is not None and not isinstance(metrics, Mapping):
        raise WrongType("metrics", f"a mapping or None expected, got {kind_of(metrics)}")
    for row in WITNESSES:
        if metrics is not None and row.metric in metrics:
            read_number(f"metrics[{row.metric!r}]", metrics[row.metric], -math.inf, math.inf)
    named = dict(zip(_names(curves), curves.values(), strict=True))
    k, sizes = (getattr(metrics, name, None) for name in ("k", "sizes"))  # of `prfast.metrics`
    expected = {} if k is None or sizes is None else {"coverage": expected_coverage(k, *sizes)}
    findings = against_metrics(named, metrics or {}, expected)
    reported = {name for finding in findings for name in finding.names}
    sentences = [finding.sentence for finding in findings]
    sentences += [
        curve.provenance.caution
        for name, curve in named.items()
        if curve.provenance.caution and name not in reported
    ]
    return [*dict.fromkeys(sentences), *_against_each_other(named)]


def against_metrics(
    named: Mapping[str, PRCurve], metrics: Mapping[str, float], expected: Mapping[str, float]
) -> list[Finding]:
    """Return findings on curves by which the sets look alike although by the metrics they do not.

    expected: expectations of the metrics for equal distributions, 1 by default.
    """
    findings: list[Finding] = []
    rest = dict(named)
    for row in WITNESSES:
        if not metrics.get(row.metric, math.inf) < LOW * expected.get(row.metric, 1.0):
            continue
        high = [n for n, c in rest.items() if all(score(c) >= HIGH for score in row.scores)]
        if high:
            whose = "its curve" if len(high) == 1 else "their curves"
            why = f"{row.unseen}: {row.words.format(whose)}"
            findings.append(Finding(high, f"{listed(high)} cannot see {why}. {ADVICE}"))
        rest = {name: curve for name, curve in rest.items() if name not in high}
    return findings


def expected_coverage(k: int, n: int, m: int) -> float:
    """Return the expectation of coverage for n real and m generated samples of one distribution,
    1 − Π_{i=1..k} (n − i) / (n + m − i), which is small where m is far below n."""
    return 1.0 - float(np.prod([(n - i) / (n + m - i) for i in range(1, k + 1)]))


def _against_each_other(named: Mapping[str, PRCurve]) -> list[str]:
    """Return a sentence on the curves that lie far above the lowest of those that are not below
    the true one."""
    trusted = {name: curve.area for name, curve in named.items() if _errs_upwards(curve)}
    if not trusted:
        return []
    lowest = min(trusted, key=lambda name: trusted[name])
    far = [name for name, curve in named.items() if curve.area > trusted[lowest] + _margin(curve)]
    if not far:
        return []
    areas = listed([f"{named[name].area:.2f}" for name in far])
    noun = "area" if len(far) == 1 else "areas"
    return [
        f"{listed(far)} cannot see a difference that {lowest} sees: {noun} {areas} against "
        f"{trusted[lowest]:.2f}. A scorer that misses something gives too high a curve: believe "
        "the lowest."
    ]


def _errs_upwards(curve: PRCurve) -> bool:
    """Return whether a curve is not expected to be below the true one.

    When a scorer scores the samples that it was fitted on, a curve may lie far too low; cells of
    k-means, which are fitted to both sets together, hide more than they invent.
    """
    origin = curve.provenance
    return origin.held_out is not False or origin.method == "kmeans"


def _margin(curve: PRCurve) -> float:
    """Return the largest difference of areas that is no contradiction; larger for few samples."""
    sizes = scored(curve)
    return APART if sizes is None else max(APART, 2 / math.sqrt(min(sizes)))


def _names(curves: Iterable[Any]) -> list[str]:
    """Return the name of each method, with its k if the method occurs several times."""
    keys = list(curves)
    methods = [key[0] if isinstance(key, tuple) and key else key for key in keys]
    return [
        curve_name(method, key[1])
        if methods.count(method) > 1 and isinstance(key, tuple) and len(key) > 1
        else f"{method}"
        for method, key in zip(methods, keys, strict=True)
    ]


# ---- check of every curve ------------------------------------------------------------------------

Key = TypeVar("Key")

K = 5  # neighbors of the metrics
FEWEST, MOST = 200, 1000  # samples of each set
ENOUGH = 50  # samples below which nothing is checked


class Contradiction(UserWarning):
    """A curve and the metrics of the same samples disagree on whether the two sets look alike."""


def checked(
    curves: Mapping[Key, PRCurve], pair: Pair, context: ExecutionContext
) -> dict[Key, PRCurve]:
    """Return the curves with facts on rows in `info`, such as repeated ones.

    A curve that metrics contradict has a caution in its `info`, and there is a warning.

    Samples with weights are not checked, as the metrics have none.
    """
    entries = pair.rows_record()
    results = {key: curve._changed(entries) for key, curve in curves.items()}
    if min(pair.sizes) < ENOUGH or pair.weighted:
        return results
    metrics, expected = dict[str, float](), dict[str, float]()
    for key, curve in results.items():
        origin = curve.provenance
        method = METHODS.get(origin.method or "")
        is_high = method is not None and bool(method.blind) and f_1_8(curve) >= HIGH
        is_low = not is_high and _is_low_auto(curve)
        cautions: list[str] = []
        if (is_high or is_low) and not metrics:
            metrics, expected = share_metrics(pair, context)
        if is_high:
            findings = against_metrics({origin.method or "": curve}, metrics, expected)
            cautions = [finding.sentence for finding in findings]
        elif is_low and all(metrics[name] >= NEAR * expected[name] for name in expected):
            cautions = noise_caution(curve, pair, context)
        if origin.method == "auto" and not origin.resolution and curve.area < ALIKE:
            cautions += filter(None, [half_precision(pair)])
        if cautions:
            sentence = " ".join(cautions)
            results[key] = curve._changed({"caution": sentence})
            warnings.warn(sentence, Contradiction, stacklevel=_outside())
    return results


def _outside() -> int:
    """Return the `stacklevel`, seen from `checked`, of the first caller outside prfast."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("prfast."):
        level, frame = level + 1, frame.f_back
    return level


def share_metrics(
    pair: Pair, context: ExecutionContext
) -> tuple[dict[str, float], dict[str, float]]:
    """Return precision and coverage of a random subsample, equally many samples of each set, and
    their expectations for equal distributions.

    They are the values of `prfast.metrics`: the share of generated samples in the ball of a real
    one, up to its K-th other real sample, and the share of these balls with a generated sample.
    """
    least = min(pair.sizes)
    size = min(least, max(FEWEST, least // 4), MOST)
    x, y = in_range(*_subsamples(pair, size, context, "check"))
    search = NeighborSearch(n_jobs=1, progress=False)
    d2 = search.kth_within(x, [K])[:, 0].copy()
    balls = Count(None, d2, rows=np.zeros(len(y), np.int64), cols=np.zeros(len(x), np.int64))
    search.run(y, [x], [balls])
    of_each = {"precision": balls.rows, "coverage": balls.cols}
    metrics = {name: int((count > 0).sum()) / size for name, count in of_each.items()}
    return metrics, {"precision": 1.0, "coverage": expected_coverage(K, size, size)}


def _subsamples(pair: Pair, size: int, context: ExecutionContext, purpose: str) -> list[Floats]:
    """Return so many random rows of each set."""
    of_sets = zip(pair.points, pair.sample(size, context.seed, purpose), strict=True)
    return [take_rows(points, rows) for points, rows in of_sets]


# ---- noise test of low curves of "auto" ----------------------------------------------------------

LOW_AREA = 0.5  # only curves with a smaller area are tested
NOISE = 0.05  # standard deviations of each column, added to both sets
RISE = 0.3  # rise of the area with noise, from which on there is a caution
EXACT_BASES = ("ranges", "values")  # bases of exact values and of the ends of ranges
DECISIVE_SHARE = 0.4  # of these bases in the score, from which on exact values decide
_DECREASE = ((0.95, "gone"), (0.75, "mostly gone"), (0.0, "partly gone"))  # by the area with noise


def _is_low_auto(curve: PRCurve) -> bool:
    """Return whether a curve is a low one of "auto", to which the noise test applies.

    It does not where rows repeat for another reason than a discrete distribution: noise would make
    copies distinct, and so remove a difference that is not one of details.
    """
    origin = curve.provenance
    repeats = origin.has_equal_rows and not origin.discrete
    is_low = origin.method == "auto" and curve.area < LOW_AREA
    return is_low and not origin.resolution and not repeats


def noise_caution(curve: PRCurve, pair: Pair, context: ExecutionContext) -> list[str]:
    """Return the caution where noise removes the difference between samples, otherwise [].

    It applies where exact values decide the score, or all columns have similar means and spreads.
    """
    size = min(*pair.sizes, MOST)
    sets = [np.asarray(one, np.float64) for one in _subsamples(pair, size, context, "details")]
    scale = feature_scales(sets[0])
    weights = curve.provenance.weights or {}
    exact = sum(weights.get(base, 0.0) for base in EXACT_BASES)
    if exact < DECISIVE_SHARE * sum(weights.values()) and not _alike_by_columns(sets, scale):
        return []
    # Not `Pair.at`, which fits to several copies, and so detects more than a fit to these samples.
    rng = stream(context.seed, "details")
    noisy = [one + NOISE * scale * rng.standard_normal(one.shape) for one in sets]
    if not all(np.isfinite(noised).all() for noised in noisy):
        return []
    auto, context = METHODS["auto"](), read_context(context.seed, n_jobs=1, progress=False)
    without, blurred = (
        auto.scores(Pair.read(*points), None, context).curve().area for points in (sets, noisy)
    )
    if blurred < without + RISE:
        return []
    word = next(word for least, word in _DECREASE if blurred >= least)
    return [
        "auto tells the sets apart by details such as exact values, rounding, preprocessing or "
        "totals that do not add up, of which precision and coverage see nothing: with noise of "
        f"{NOISE:g} standard deviations in each column of both sets the difference is {word} (area "
        f"{blurred:.2f} instead of {without:.2f}, {size} samples of each set). Prepare both sets "
        "in the same way before comparing them, unless the model itself makes these details."
    ]


def _alike_by_columns(sets: Sequence[Floats], scale: Floats) -> bool:
    """Return whether all means and standard deviations differ by at most the noise, plus four
    standard errors."""
    allowed = NOISE + 4 * math.sqrt(sum(1 / len(one) for one in sets))
    with np.errstate(over="ignore", invalid="ignore"):
        x, y = ([one.mean(axis=0), one.std(axis=0)] for one in sets)
        return bool((np.abs(np.subtract(x, y)) <= allowed * scale).all())


_ROUNDED_ROWS = 100  # rows of each set by which rounding is judged
_HALF_BITS = 11  # significant bits of float16; bfloat16 has 8
_LEVEL_BITS = 9  # of numbers that are levels, of which the largest may be 1


def half_precision(pair: Pair) -> str:
    """Return a sentence where the numbers of one set are rounded to half precision and those of the
    other are not, or ""."""
    shares = []
    for points, size in zip(pair.points, pair.sizes, strict=True):
        rows = np.unique(np.linspace(0, size - 1, _ROUNDED_ROWS).astype(np.int64))
        shares.append(_share_of_half_precision(np.asarray(take_rows(points, rows), np.float64)))
    for name, other, i in (("real", "generated", 0), ("generated", "real", 1)):
        if shares[i] == 1.0 and shares[1 - i] < 0.5:  # NaN is neither
            return (
                f"All {name} numbers are rounded, as by half precision (float16, bfloat16), and "
                f"the {other} ones are not, which tells the sets apart: round both alike, such as "
                "by .astype(np.float16)."
            )
    return ""


def _share_of_half_precision(points: Floats) -> float:
    """Return the share of numbers that half precision represents, among those that are not whole
    and of columns that are not levels of equal steps, as of 8 bits; NaN of few numbers."""
    step = np.ldexp(1.0, np.frexp(np.abs(points).max(axis=0))[1] - _LEVEL_BITS)
    are_levels = (np.round(points / step) * step == points).all(axis=0)
    numbers = points[:, ~are_levels]
    numbers = numbers[numbers != np.round(numbers)]
    significand = np.ldexp(np.frexp(numbers)[0], _HALF_BITS)
    few = len(numbers) < len(points) / 2
    return math.nan if few else float((significand == np.round(significand)).mean())
