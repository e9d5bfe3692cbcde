"""The guard: where answers contradict each other, said in words.

A scorer that cannot see a difference gives a high curve, exact and wrong.  Two things tell:

- The metrics.  By the curve most of what is generated looks real (F_1/8 at least 0.75), but fewer
  than a twentieth of the generated samples are near a real one (precision); or the same of the
  real samples (F_8, coverage).  Gaussians that are moved or widened until their true F_1/8 is 0.6,
  in 1 to 512 dimensions, keep a precision above 0.1, from 60 samples on.
- Another method.  A scorer gives a curve above the true one, up to sampling, if it was not fitted
  on what it scores (2019 paper, Theorem 5): of two whose areas differ by more than 0.2 the higher
  one misses something.
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
from prfast.results.info import CAUTION
from prfast.results.values import curve_name, listed

HIGH = 0.75  # F-scores from here on say that the sets look alike,
LOW = 0.05  # metrics below, that they do not
APART = 0.2  # areas that differ by more contradict each other
NEAR = 0.5  # of what equal distributions have, from which on metrics see no difference
ADVICE = "Look at samples and features, and try another method."


class Witness(NamedTuple):
    """A row: a metric that, where it is low, contradicts scores that are high."""

    metric: str
    scores: tuple[Callable[[PRCurve], float], ...]
    unseen: str
    words: str


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
    """Curves, by name, that miss something, and the sentence that says so."""

    names: list[str]
    sentence: str


def contradictions(
    curves: Mapping[Any, PRCurve], metrics: Mapping[str, float] | None = None
) -> list[str]:
    """Where curves of one pair of sets contradict each other or its metrics, in sentences.

    A curve is said to miss the difference if its F_1/8 is at least 0.75 but the metrics' precision
    is below 0.05; if its F_8 is, too, but the coverage is below 0.05 of what is expected of equal
    distributions; if its area is larger by more than 0.2 than that of another curve, which is
    named.  What `pr_curve` recorded as a caution in `info` is told as well.

    Parameters
    ----------
    curves : mapping of (method, k), or str, to PRCurve
        Of the same samples, such as `prfast.pr_curves` gives or `Evaluation.curves` holds.
    metrics : mapping of str to float, optional
        Of these samples, as `prfast.metrics` gives; precision and coverage are looked at.

    Returns
    -------
    list of str
        Empty where nothing contradicts.

    Raises
    ------
    TypeError, ValueError
        Not such mappings; a precision or coverage that is no number.

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
    found = against_metrics(named, metrics or {})
    told = {name for one in found for name in one.names}
    said = [one.sentence for one in found]
    said += [
        str(c.info[CAUTION]) for name, c in named.items() if CAUTION in c.info and name not in told
    ]
    return [*dict.fromkeys(said), *_against_each_other(named)]


def against_metrics(named: Mapping[str, PRCurve], metrics: Mapping[str, float]) -> list[Finding]:
    """Curves that say that the sets look alike where the metrics say that they do not."""
    found: list[Finding] = []
    left = dict(named)
    for row in WITNESSES:
        if not metrics.get(row.metric, math.inf) < LOW * _expected(row.metric, metrics):
            continue
        high = [n for n, c in left.items() if all(score(c) >= HIGH for score in row.scores)]
        if high:
            whose = "its curve" if len(high) == 1 else "their curves"
            why = f"{row.unseen}: {row.words.format(whose)}"
            found.append(Finding(high, f"{listed(high)} cannot see {why}. {ADVICE}"))
        left = {name: curve for name, curve in left.items() if name not in high}
    return found


def metrics_see_nothing(metrics: Mapping[str, float]) -> bool:
    """Return whether the metrics are at least half of what equal distributions have."""
    return all(metrics[row.metric] >= NEAR * _expected(row.metric, metrics) for row in WITNESSES)


def _expected(metric: str, metrics: Any) -> float:
    """What equal distributions have, at most 1: of N real and M generated samples a coverage of
    1 − Π_{i=1..k} (N − i) / (N + M − i), which is small where M is far below N."""
    info = getattr(metrics, "info", {})
    if metric != "coverage" or not {"n_real", "n_fake", "k"} <= info.keys():
        return 1.0
    n, m, k = info["n_real"], info["n_fake"], info["k"]
    return 1.0 - float(np.prod([(n - i) / (n + m - i) for i in range(1, k + 1)]))


def _against_each_other(named: Mapping[str, PRCurve]) -> list[str]:
    """The curves that lie far above the lowest of those that can be trusted to lie too high."""
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
    """Was it made without scoring the samples that a scorer was fitted on?  Without a split a
    curve may lie far too low; cells of k-means hide more than they invent, and folds are splits."""
    info = curve.info
    blind_to_its_own = info.get("split", True) is not None or "folds" in info
    return blind_to_its_own or info.get("method") == "kmeans"


def _margin(curve: PRCurve) -> float:
    """What areas may differ by: of few samples more."""
    sizes = scored(curve)
    return APART if sizes is None else max(APART, 2 / math.sqrt(min(sizes)))


def _names(curves: Iterable[Any]) -> list[str]:
    """A method by its name alone where it comes once, otherwise with its k."""
    keys = list(curves)
    methods = [key[0] if isinstance(key, tuple) and key else key for key in keys]
    return [
        curve_name(method, key[1])
        if methods.count(method) > 1 and isinstance(key, tuple) and len(key) > 1
        else f"{method}"
        for method, key in zip(methods, keys, strict=True)
    ]
