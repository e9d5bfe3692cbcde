"""The noise test: whether a little noise removes the difference in a low curve of "auto".

Such a curve can be true but useless: exact values, rounding or preprocessing separate sets that are
alike in every other way.  The test applies where precision and coverage detect no difference, and
either exact values decide the score or all columns have similar means and spreads.  Both sets are
scored again, without and with noise, and a caution reports that the noise removes the difference.

For 400 and 1000 samples with many equal values (rectified normals in 40 columns, Poisson counts in
12), the area rises with noise by
    .66 to 1.00  after + .001, noise of 1e-6, + .02 or noise of .05 standard deviations in one set,
    .16 to .46   after noise of .1 standard deviations,
    .14 at most  after more noise, other scales or shifts, fill values and missing modes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from prfast.curve import PRCurve
from prfast.inputs.arrays import Floats
from prfast.methods.auto.coordinates import UNITS
from prfast.methods.auto.estimator import Auto
from prfast.methods.base import read_context
from prfast.methods.columns import best_column_sentence, is_exact

LOW_AREA = 0.5  # only curves with a smaller area are tested
NOISE = 0.05  # standard deviations of each column, added to both sets
DEAD = 1e-6  # share of the largest standard deviation, up to which a column is dead
FEWEST_LIVE = 16  # other columns, without which no column is dead
RISE = 0.3  # rise of the area with noise, from which on there is a caution; see above
EXACT_BASES = ("duplicates", "ranges", "values")  # bases of exact values and of the ends of ranges
# Share of these bases in the score, from which on exact values decide.  It only saves fits where no
# caution would follow: the share was .39 to 1 where there was a caution, and as high elsewhere.
DECISIVE_SHARE = 0.4
_GONE = ((0.95, "gone"), (0.75, "mostly gone"), (0.0, "partly gone"))  # by the area with noise


def is_far_apart(curve: PRCurve) -> bool:
    """Return whether a curve is a low one of "auto", to which the noise test applies.

    It does not where rows repeat for another reason than a discrete distribution: noise would make
    copies distinct, and so remove a difference that is not one of details.
    """
    made = curve.provenance
    repeats = made.has_equal_rows and not made.discrete
    return made.method == "auto" and curve.area < LOW_AREA and not repeats


def about_details(
    curve: PRCurve, sets: Sequence[Floats], seed: int, rng: np.random.Generator
) -> list[str]:
    """Return the caution where noise removes the difference between samples, otherwise []."""
    real, fake = _in_range([np.asarray(one, np.float64) for one in sets])
    scale = _scales(real)
    columns, weights = curve.provenance.columns, curve.provenance.weights or {}
    decides = _share_of(EXACT_BASES, weights) >= DECISIVE_SHARE or any(map(is_exact, columns))
    if not (decides or _alike_by_columns((real, fake), scale)):
        return []
    noised = [one + NOISE * scale * rng.standard_normal(one.shape) for one in (real, fake)]
    if not all(np.isfinite(one).all() for one in noised):
        return []
    context = read_context(seed, n_jobs=1, progress=False)
    pairs = (real, fake), (noised[0], noised[1])
    scored = [Auto().cross_fit(x, y, context) for x, y in pairs]
    areas = [one.estimates().auto.area for one in scored]
    if areas[1] < areas[0] + RISE:
        return []
    words = best_column_sentence(columns, real.shape[1])
    return [_caution(areas[0], areas[1], len(real), words)]


def _in_range(sets: Sequence[Floats]) -> list[Floats]:
    """Return the sets with columns scaled by powers of two where their squares would leave the
    range of float64."""
    largest = np.max([np.abs(one).max(axis=0) for one in sets], axis=0)
    exponent = np.frexp(largest)[1]
    return [np.ldexp(one, np.where(np.abs(exponent) > 400, -exponent, 0)) for one in sets]


def _scales(real: Floats) -> Floats:
    """Return the standard deviation of each column; of a dead one the median of the others.

    Embeddings have dead columns, which vary by 1e-33 beside others that vary by .05: any noise is
    large in them.  In a table a column varies as little for its unit, so a column is dead only
    beside many that have one unit.
    """
    scale = real.std(axis=0)
    live = scale > DEAD * float(scale.max(initial=0.0))
    others = scale[live]
    if len(others) >= FEWEST_LIVE and others.max() <= UNITS * others.min():
        scale[~live] = np.median(others)
    return np.asarray(scale)


def _share_of(bases: Iterable[str], weights: Mapping[str, float]) -> float:
    """Return the share of these bases in the score of "auto"."""
    total = sum(weights.values())
    return sum(weights.get(name, 0.0) for name in bases) / total if total > 0 else 0.0


def _alike_by_columns(sets: Sequence[Floats], scale: Floats) -> bool:
    """Return whether all means and standard deviations differ by at most the noise, plus four
    standard errors."""
    allowed = NOISE + 4 * math.sqrt(sum(1 / len(one) for one in sets))
    moments = [(one.mean(axis=0), one.std(axis=0)) for one in sets]
    return all(
        bool((np.abs(x - y) <= allowed * scale).all()) for x, y in zip(*moments, strict=True)
    )


def _caution(area: float, with_noise: float, size: int, columns: str) -> str:
    """Return the caution, from the areas of `size` samples of each set without and with noise.

    columns: a sentence on the columns that separate the sets.
    """
    gone = next(word for least, word in _GONE if with_noise >= least)
    return (
        "auto tells the sets apart by details such as exact values, rounding or preprocessing, of "
        f"which precision and coverage see nothing: with noise of {NOISE:g} standard deviations in "
        f"each column of both sets the difference is {gone} (area {with_noise:.2f} instead of "
        f"{area:.2f}, {size} samples of each set). {columns}Prepare both sets in the same "
        "way before comparing them, unless the model itself adds such fine noise."
    )
