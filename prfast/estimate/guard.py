"""Contradictions between curves of the same samples, and between curves and metrics, in words.

A scorer that does not detect a difference returns a high curve, exact and wrong.  Two things reveal
this:

- The metrics.  By the curve most generated samples look real (F_1/8 at least 0.75), but fewer than
  a twentieth of them are near a real one (precision); or the same for the real samples (F_8,
  coverage).  There is no false alarm for Gaussians that are shifted or widened until their true
  F_1/8 is 0.6, in 1 to 512 dimensions: their precision is above 0.1, from 60 samples on.
- Another method.  The curve of a scorer lies above the true one, up to sampling, if it was not
  fitted on the samples that it scores (2019 paper, Theorem 5): of two curves whose areas differ by
  more than 0.2 the higher one misses something.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.curve import read_curve
from prfast.curve.summary import f_1_8, f_8
from prfast.estimate.intervals import scored
from prfast.inputs.errors import WrongType, kind_of
from prfast.inputs.options import read_number
from prfast.results.values import curve_name, listed

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
    findings = against_metrics(named, metrics or {})
    reported = {name for finding in findings for name in finding.names}
    sentences = [finding.sentence for finding in findings]
    sentences += [
        curve.provenance.caution
        for name, curve in named.items()
        if curve.provenance.caution and name not in reported
    ]
    return [*dict.fromkeys(sentences), *_against_each_other(named)]


def against_metrics(named: Mapping[str, PRCurve], metrics: Mapping[str, float]) -> list[Finding]:
    """Return findings on curves by which the sets look alike although by the metrics they do
    not."""
    findings: list[Finding] = []
    rest = dict(named)
    for row in WITNESSES:
        if not metrics.get(row.metric, math.inf) < LOW * _expected(row.metric, metrics):
            continue
        high = [n for n, c in rest.items() if all(score(c) >= HIGH for score in row.scores)]
        if high:
            whose = "its curve" if len(high) == 1 else "their curves"
            why = f"{row.unseen}: {row.words.format(whose)}"
            findings.append(Finding(high, f"{listed(high)} cannot see {why}. {ADVICE}"))
        rest = {name: curve for name, curve in rest.items() if name not in high}
    return findings


def metrics_see_nothing(metrics: Mapping[str, float]) -> bool:
    """Return whether the metrics are at least half of their expectation for equal
    distributions."""
    return all(metrics[row.metric] >= NEAR * _expected(row.metric, metrics) for row in WITNESSES)


def _expected(metric: str, metrics: Any) -> float:
    """Return the expectation of a metric for equal distributions, at most 1: for N real and M
    generated samples that of coverage is 1 − Π_{i=1..k} (N − i) / (N + M − i), which is small where
    M is far below N."""
    k, sizes = (getattr(metrics, name, None) for name in ("k", "sizes"))
    if metric != "coverage" or k is None or sizes is None:
        return 1.0
    n, m = sizes
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

    Without a split, when a scorer scores the samples that it was fitted on, a curve may lie far too
    low; cells of k-means, which are fitted to both sets together, hide more than they invent.
    """
    made = curve.provenance
    is_held_out = made.split is not None or made.folds is not None or not made.has_split
    return is_held_out or made.method == "kmeans"


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
