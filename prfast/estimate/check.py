"""A curve alone, checked against precision and coverage of a share of its samples.

Of the smaller set a quarter, at least 200 and at most 1000 samples, and as many of the other: two
million pairs at most, beside the n² of the curve.  Only curves that say that the sets look alike
are checked, of methods that are known to be blind to something (`Method.blind`).
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from prfast.balls import Search
from prfast.cluster.sharded import Sharded
from prfast.cluster.taken import take
from prfast.curve import PRCurve
from prfast.curve.summary import f_1_8
from prfast.estimate.guard import HIGH, WITNESSES, against_metrics
from prfast.inputs.arrays import Floats
from prfast.inputs.copies import equal_rows
from prfast.inputs.streams import stream
from prfast.results.info import CAUTION
from prfast.scalars.measure import measure
from prfast.scalars.options import read_metric_options
from prfast.scalars.result import Metrics
from prfast.scorers.methods import METHODS

Key = TypeVar("Key")

K = 5  # neighbours of the metrics
FEWEST, MOST = 200, 1000
ENOUGH = 50  # samples below which nothing is checked


class Contradiction(UserWarning):
    """A curve says that two sets look alike; the metrics of the same samples, that they do not."""


def checked(
    curves: Mapping[Key, PRCurve], real: Floats | Sharded, fake: Floats | Sharded, seed: int
) -> dict[Key, PRCurve]:
    """The curves, with equal rows in `info`, and a caution there, and a warning, where the metrics
    contradict them."""
    found = _with_equal_rows(curves, real, fake)
    metrics: Metrics | None = None
    for key, curve in found.items():
        method = str(curve.info["method"])
        if not (method in METHODS and METHODS[method].blind and f_1_8(curve) >= HIGH):
            continue
        if metrics is None:
            if min(len(real), len(fake)) < ENOUGH:
                return found
            metrics = share_metrics(real, fake, seed)
        for finding in against_metrics({method: curve}, metrics):
            found[key] = curve.with_info(**{CAUTION: finding.sentence})
            warnings.warn(finding.sentence, Contradiction, stacklevel=_outside())
    return found


def _with_equal_rows(
    curves: Mapping[Key, PRCurve], real: Floats | Sharded, fake: Floats | Sharded
) -> dict[Key, PRCurve]:
    """Return the curves with a record of repeated and copied rows, which "auto" has already; of
    samples in pieces there is none."""
    others = [key for key, curve in curves.items() if curve.info["method"] != "auto"]
    if not others or isinstance(real, Sharded) or isinstance(fake, Sharded):
        return dict(curves)
    equal = equal_rows(real, fake).record()
    return dict(curves) | {key: curves[key].with_info(**equal) for key in others if equal}


def _outside() -> int:
    """The level, seen from `checked`, of whoever called prfast: the line that a warning names."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("prfast."):
        level, frame = level + 1, frame.f_back
    return level


def share_metrics(real: Floats | Sharded, fake: Floats | Sharded, seed: int) -> Metrics:
    """Precision and coverage of equally many samples of both sets, drawn at random."""
    least = min(len(real), len(fake))
    size = min(least, max(FEWEST, least // 4), MOST)
    rng = stream(seed, "check")
    x, y = (_some(one, np.sort(rng.choice(len(one), size, replace=False))) for one in (real, fake))
    wanted = read_metric_options(K, [row.metric for row in WITNESSES], "closed")
    found: Metrics = measure(x, y, wanted, Search(n_jobs=1, progress=False))
    return found


def _some(points: Floats | Sharded, rows: NDArray[np.int64]) -> Floats:
    """Some rows; of samples in pieces, MOST are few enough to be held here."""
    return take(points, rows) if isinstance(points, Sharded) else points[rows]
