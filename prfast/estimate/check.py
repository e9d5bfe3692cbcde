"""A curve alone, checked against precision and coverage of a share of its samples.

Of the smaller set a quarter, at least 200 and at most 1000 samples, and as many of the other: two
million pairs at most, beside the n² of the curve.  Only these curves are checked:

- those that say that the sets look alike, of methods that are known to be blind to something
  (`Method.blind`);
- those of "auto" that say that the sets are far apart.  Where the metrics see nothing of that, and
  exact values decide or columns are alike by themselves, "auto" scores at most 1000 samples of each
  set twice, as they are and with noise.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from prfast.balls import Search
from prfast.cluster.sharded import Sharded, take
from prfast.curve import PRCurve
from prfast.curve.summary import f_1_8
from prfast.estimate.columns import exact, in_words
from prfast.estimate.guard import (
    DECISIVE,
    EXACT,
    FAR,
    HIGH,
    NOISE,
    RISE,
    WITNESSES,
    about_details,
    against_metrics,
    metrics_see_nothing,
    share_of,
)
from prfast.inputs.arrays import Floats
from prfast.inputs.copies import equal_rows, stream
from prfast.results.info import CAUTION
from prfast.scalars.measure import measure
from prfast.scalars.result import Metrics, read_metric_options
from prfast.scorers.auto.estimator import Auto
from prfast.scorers.auto.pieces import equal_in_pieces
from prfast.scorers.methods import METHODS

Key = TypeVar("Key")

K = 5  # neighbours of the metrics
FEWEST, MOST = 200, 1000
ENOUGH = 50  # samples below which nothing is checked


class Contradiction(UserWarning):
    """A curve and the metrics of the same samples disagree on whether the two sets look alike."""


def checked(
    curves: Mapping[Key, PRCurve], real: Floats | Sharded, fake: Floats | Sharded, seed: int
) -> dict[Key, PRCurve]:
    """The curves, with equal rows in `info`, and a caution there, and a warning, where the metrics
    contradict them."""
    found = _with_equal_rows(curves, real, fake)
    metrics: Metrics | None = None
    for key, curve in found.items():
        method = str(curve.info["method"])
        is_high = method in METHODS and bool(METHODS[method].blind) and f_1_8(curve) >= HIGH
        # Noise would tell equal rows apart, which repeat for another reason.
        repeats = {"distinct", "copied"} & curve.info.keys() and "discrete" not in curve.info
        is_low = method == "auto" and curve.area < FAR and not repeats
        if not (is_high or is_low) or min(len(real), len(fake)) < ENOUGH:
            continue
        if metrics is None:
            metrics = share_metrics(real, fake, seed)
        said: list[str] = []
        if is_high:
            said = [one.sentence for one in against_metrics({method: curve}, metrics)]
        elif metrics_see_nothing(metrics):
            said = _details(curve, real, fake, seed)
        for sentence in said:
            found[key] = curve.with_info(**{CAUTION: sentence})
            warnings.warn(sentence, Contradiction, stacklevel=_outside())
    return found


def _with_equal_rows(
    curves: Mapping[Key, PRCurve], real: Floats | Sharded, fake: Floats | Sharded
) -> dict[Key, PRCurve]:
    """Return the curves with a record of repeated and copied rows, which "auto" has already."""
    others = [key for key, curve in curves.items() if curve.info["method"] != "auto"]
    if not others:
        return dict(curves)
    if isinstance(real, Sharded) and isinstance(fake, Sharded):
        equal = equal_in_pieces(real, fake).record()
    else:
        equal = equal_rows(np.asarray(real), np.asarray(fake)).record()
    return dict(curves) | {key: curves[key].with_info(**equal) for key in others if equal}


def _details(
    curve: PRCurve, real: Floats | Sharded, fake: Floats | Sharded, seed: int
) -> list[str]:
    """Return the caution on a difference that noise removes, if it is one."""
    size = min(len(real), len(fake), MOST)
    rng = stream(seed, "details")
    sets = _in_range([np.asarray(one, np.float64) for one in _drawn((real, fake), size, rng)])
    scale = _scales(sets[0])
    columns = curve.info.get("columns", [])
    decides = share_of(EXACT, curve.info) >= DECISIVE or any(map(exact, columns))
    if not (decides or _alike_by_columns(sets, scale)):
        return []
    noised = [one + NOISE * scale * rng.standard_normal(one.shape) for one in sets]
    if not all(np.isfinite(one).all() for one in noised):
        return []
    scorer = Auto(random_state=seed, n_jobs=1, progress=False)
    area, smoothed = (scorer.scores(*pair).read_out().auto.area for pair in (sets, noised))
    if smoothed < area + RISE:
        return []
    words = in_words(columns, int(curve.info["n_features"]))
    return [about_details((area, smoothed), size, words)]


def _in_range(sets: Sequence[Floats]) -> list[Floats]:
    """Return the sets with columns whose squares leave the range of float64 in units, powers of
    two, in which they do not."""
    largest = np.max([np.abs(one).max(axis=0) for one in sets], axis=0)
    exponent = np.frexp(largest)[1]
    return [np.ldexp(one, np.where(np.abs(exponent) > 400, -exponent, 0)) for one in sets]


def _scales(real: Floats) -> Floats:
    """Return the standard deviation of each column; of a constant one the median of the others."""
    scale = real.std(axis=0)
    some = scale[scale > 0]
    return np.where(scale > 0, scale, np.median(some) if some.size else 1.0)


def _alike_by_columns(sets: Sequence[Floats], scale: Floats) -> bool:
    """Return whether no mean and no standard deviation differs by more than the noise, up to four
    standard errors."""
    allowed = NOISE + 4 * math.sqrt(sum(1 / len(one) for one in sets))
    moments = [(one.mean(axis=0), one.std(axis=0)) for one in sets]
    return all(
        bool((np.abs(x - y) <= allowed * scale).all()) for x, y in zip(*moments, strict=True)
    )


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
    x, y = _drawn((real, fake), size, stream(seed, "check"))
    wanted = read_metric_options(K, [row.metric for row in WITNESSES], "closed")
    found: Metrics = measure(x, y, wanted, Search(n_jobs=1, progress=False))
    return found


def _drawn(sets: Sequence[Floats | Sharded], size: int, rng: np.random.Generator) -> list[Floats]:
    """Return equally many rows of both sets, drawn at random."""
    return [_some(one, np.sort(rng.choice(len(one), size, replace=False))) for one in sets]


def _some(points: Floats | Sharded, rows: NDArray[np.int64]) -> Floats:
    """Some rows; of samples in pieces, MOST are few enough to be held here."""
    return take(points, rows) if isinstance(points, Sharded) else points[rows]
