"""Checks of curves against precision and coverage of a subsample, with cautions and warnings.

The subsample has a quarter of the smaller set, at least 200 and at most 1000 samples, and as many
of the other: at most two million pairs, beside the n² of the curve.  Only these curves are checked:

- high curves of methods with known blind spots (`Method.blind`);
- low curves of "auto".  Where the metrics detect no difference, the noise test
  (`prfast.estimate.details`) is applied to at most 1000 samples of each set.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.summary import f_1_8
from prfast.estimate.details import about_details, is_far_apart
from prfast.estimate.guard import HIGH, WITNESSES, against_metrics, metrics_see_nothing
from prfast.inputs.arrays import Floats
from prfast.inputs.copies import equal_rows, stream
from prfast.inputs.samples import Samples, take_rows
from prfast.methods.table import METHODS
from prfast.neighbors import NeighborSearch
from prfast.results.info import CAUTION
from prfast.scalars.api import read_metric_options
from prfast.scalars.measure import measure
from prfast.scalars.result import Metrics

Key = TypeVar("Key")

K = 5  # neighbors of the metrics
FEWEST, MOST = 200, 1000  # samples of each set
ENOUGH = 50  # samples below which nothing is checked
EQUAL_ROWS = ("distinct", "copied", "discrete")  # the entries of `EqualRows.record`


class Contradiction(UserWarning):
    """A curve and the metrics of the same samples disagree on whether the two sets look alike."""


def checked(
    curves: Mapping[Key, PRCurve], real: Samples, fake: Samples, seed: int
) -> dict[Key, PRCurve]:
    """Return the curves with repeated and copied rows in `info`; where metrics contradict a curve,
    add a caution to its `info` and warn."""
    answers = _with_equal_rows(curves, real, fake)
    metrics: Metrics | None = None
    for key, curve in answers.items():
        method = curve.provenance.method or ""
        is_high = method in METHODS and bool(METHODS[method].blind) and f_1_8(curve) >= HIGH
        if not (is_high or is_far_apart(curve)) or min(len(real), len(fake)) < ENOUGH:
            continue
        if metrics is None:
            metrics = share_metrics(real, fake, seed)
        cautions: list[str] = []
        if is_high:
            cautions = [one.sentence for one in against_metrics({method: curve}, metrics)]
        elif metrics_see_nothing(metrics):
            rng = stream(seed, "details")
            some = _drawn((real, fake), min(len(real), len(fake), MOST), rng)
            cautions = about_details(curve, some, seed, rng)
        for sentence in cautions:
            answers[key] = curve.with_info(**{CAUTION: sentence})
            warnings.warn(sentence, Contradiction, stacklevel=_outside())
    return answers


def _with_equal_rows(
    curves: Mapping[Key, PRCurve], real: Samples, fake: Samples
) -> dict[Key, PRCurve]:
    """Return the curves with repeated and copied rows in `info`; those of "auto" have them."""
    others = [key for key, curve in curves.items() if curve.provenance.method != "auto"]
    if not others:
        return dict(curves)
    autos = (one.info for one in curves.values() if one.provenance.method == "auto")
    recorded = next(autos, None)
    equal: Mapping[str, Any]
    if recorded is not None:
        equal = {key: recorded[key] for key in EQUAL_ROWS if key in recorded}
    else:
        equal = equal_rows(real, fake).record()
    return dict(curves) | {key: curves[key].with_info(**equal) for key in others if equal}


def _outside() -> int:
    """Return the `stacklevel`, seen from `checked`, of the first caller outside prfast."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("prfast."):
        level, frame = level + 1, frame.f_back
    return level


def share_metrics(real: Samples, fake: Samples, seed: int) -> Metrics:
    """Return precision and coverage of a random subsample, equally many samples of each set."""
    least = min(len(real), len(fake))
    size = min(least, max(FEWEST, least // 4), MOST)
    x, y = _drawn((real, fake), size, stream(seed, "check"))
    wanted = read_metric_options(K, [row.metric for row in WITNESSES], "closed")
    return measure(x, y, wanted, NeighborSearch(n_jobs=1, progress=False))[K]


def _drawn(sets: Sequence[Samples], size: int, rng: np.random.Generator) -> list[Floats]:
    """Return equally many rows of both sets, at most MOST, drawn at random."""
    return [take_rows(one, np.sort(rng.choice(len(one), size, replace=False))) for one in sets]
