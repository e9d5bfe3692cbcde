"""Noise that smooths both sets of samples: the resolution σ of a curve (docs/resolution.md).

A smoothed sample is x + σ s ∘ ε, ε standard normal.  The scale s_j is the standard deviation of
feature j in the real set: models are smoothed alike.  A category is replaced, with probability 1 −
exp(−(σ / CATEGORY)²), by that of a random real sample.  The noise of a row depends on the seed, the
set and the place of the row.  So it is the same ε for every σ and every model.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, Floats, Ints, blocks, read_numbers
from prfast.inputs.errors import WrongType, WrongValue, closest, kind_of
from prfast.inputs.options import is_word, stream
from prfast.kernels.masses import ascending, quantiles
from prfast.samples.partition import systematic

SCALES = {
    "std": "standard deviations of each feature of the real set",
    "common": "the root mean square of the features' standard deviations",
}
FENCE = 50.0  # reaches from the median, where the coordinates of "auto" are winsorized
SCALE_FENCE = 5.0  # reaches, where a feature is winsorized for its scale: 8 normal deviations
MOST_NOISE = 1e6  # largest resolution
CATEGORY = 4.0  # standard deviations between categories: 4 % are replaced at resolution 0.8
DEAD = 1e-6  # share of the largest standard deviation, up to which a feature is dead
UNITS = 1000.0  # largest ratio of standard deviations of features that have one unit
FEWEST_LIVE = 16  # other features of one unit, without which no feature is dead
_REACH = 0.9  # quantile of the distances from the median
_REACH_ROWS = 10_000  # rows from which medians and reaches are computed
_MOST_COPIES = 4  # of a sample, each with other noise
_COARSE = 0.5  # resolution from which on copies are so different that more of them help
_ALIKE_PART = 4  # below it, copies are made up to these samples over this
BLUR = 0.05  # standard deviations of each column
_NUMBERS = 1 << 18  # numbers of a block


class Noise:
    """The noise of resolution 1; resolution σ has σ times as much.

    Example: ``prfast.methods.Noise("common")``.  See also `prfast.profile`.

    Parameters
    ----------
    scale : "std", "common" or array
        Standard deviation of the noise in each feature.  "std" (default): that of the feature in
        the real set.  "common": one for all features, the root mean square of these.  An array
        of shape (d,): these standard deviations; 0 leaves a feature as it is.

        Standard deviations are those of the weighted real set.  They are computed after each
        feature is winsorized at its median ± 5 times the 0.9 quantile of the distances from it.  So
        rare fill values do not decide them.  More than 5 % still raise them, and from 10 % on they
        do decide.  If a feature is constant, or varies by less than 1e-6 of others of the same
        unit, it is the median of the others.
    categories : sequence
        Features that are categories, none by default: numbers of columns or, of tables, names.  The
        columns of a one-hot code are a tuple, and replaced together:
        ``categories=[3, (5, 6, 7)]``.
    details : sequence
        Features that any noise destroys, none by default, such as the number of decimals of another
        feature.  They are 0 at each resolution above 0.

    Raises
    ------
    TypeError, ValueError
        Another scale; standard deviations that are negative or not finite; a column in two
        categories.
    """

    def __init__(
        self, scale: Any = "std", *, categories: Iterable[Any] = (), details: Iterable[Any] = ()
    ) -> None:
        if isinstance(scale, str):
            if not is_word(scale, *SCALES):
                names = ", ".join(map(repr, SCALES))
                text = f"one of {names}, or an array expected, got {scale!r}"
                raise WrongValue("scale", text + closest(scale, SCALES))
        else:
            scale = read_numbers("scale", scale).astype(np.float64)
            if scale.ndim != 1 or not (np.isfinite(scale) & (scale >= 0)).all():
                text = "finite standard deviations >= 0, shape (d,), expected"
                raise WrongValue("scale", f"{text}, got shape {scale.shape}")
        for name, columns in {"categories": categories, "details": details}.items():
            if isinstance(columns, str) or not isinstance(columns, Iterable):
                raise WrongType(name, f"a sequence expected, got {kind_of(columns)}")
        groups = (code if isinstance(code, list | tuple) else (code,) for code in categories)
        *codes, self.details = (
            tuple(x.item() if isinstance(x, np.generic) else x for x in columns)
            for columns in (*groups, details)
        )
        self.scale, self.categories = scale, tuple(codes)

    def record(self) -> dict[str, Any]:
        """Return the options for the record of a result."""
        scale = self.scale if isinstance(self.scale, str) else self.scale.tolist()
        groups = [list(code) for code in self.categories]
        categories = {"categories": groups} if groups else {}
        details = {"details": [*self.details]} if self.details else {}
        return {"scale": scale, **categories, **details}

    def __eq__(self, other: object) -> bool:
        return self.record() == other.record() if isinstance(other, Noise) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        columns = {"categories": [*self.categories], "details": [*self.details]}
        options = "".join(f", {name}={listed}" for name, listed in columns.items() if listed)
        return f"Noise({self.record()['scale']!r}{options})"


def read_noise(noise: Any) -> Noise:
    """Return the argument `noise`: a `Noise`, or its scale."""
    if isinstance(noise, Noise):
        return noise
    try:
        return Noise(noise)
    except (WrongType, WrongValue) as error:
        raise error.renamed("noise") from None


@dataclass(frozen=True, eq=False)
class Smoother:
    """The noise in the units of a real set."""

    noise: Noise
    donors: Floats  # the real rows, whose categories replace others; each as often as its weight
    seed: int
    scale: Float64s  # standard deviations, (d,)
    groups: list[Ints]  # the columns of each category
    details: Ints  # the columns that are 0 where there is noise

    def smooth(self, name: str, points: Floats, sigma: float, dtype: Any, copy: int = 0) -> Floats:
        """Return smoothed samples of the set `name`, "real" or "fake"."""
        n, d = points.shape
        result = np.empty((n, d), dtype)
        rng = stream(self.seed, f"noise {name} {copy}")
        for rows in blocks(n, _NUMBERS // d):
            normal = rng.standard_normal((rows.stop - rows.start, d))
            with np.errstate(over="ignore", invalid="ignore"):
                result[rows] = points[rows] + sigma * (normal * self.scale)
            if not np.isfinite(result[rows]).all():
                text = f"noise within {np.dtype(dtype)} expected, got {sigma}"
                raise WrongValue("resolution", text)
        if self.groups:
            rng = stream(self.seed, f"categories {name} {copy}")
            draws = rng.random((n, len(self.groups), 2))
            replaced = draws[:, :, 0] < -np.expm1(-((sigma / CATEGORY) ** 2))
            donors = (draws[:, :, 1] * len(self.donors)).astype(np.int64)
            for i, columns in enumerate(self.groups):
                result[:, columns] = points[:, columns]
                at = np.flatnonzero(replaced[:, i])
                result[np.ix_(at, columns)] = self.donors[np.ix_(donors[at, i], columns)]
        result[:, self.details] = 0.0
        return result


class AddedNoise(NamedTuple):
    """The noise of both sets of a pair."""

    original: Any  # the pair without noise
    smoother: Smoother
    sigma: float
    copies: int = 1  # how many times the pair contains each sample, each time with other noise

    @property
    def is_everywhere(self) -> bool:
        """Whether all features have noise: no exact value is left."""
        return bool(self.smoother.scale.all())

    def copies_of(self, limit: int) -> int:
        """Return how many copies of the samples are about as many as a fit takes, `limit` of a set.

        They are the more alike the less noise they have.
        """
        limit = limit if self.sigma >= _COARSE else limit // _ALIKE_PART
        return int(min(max(limit // max(self.original.sizes), 1), _MOST_COPIES))

    def sets(self, first: tuple[Any, ...] = ()) -> tuple[Any, Any]:
        """Return the samples of both sets with noise; first: points of their first copy."""
        pair, copies, sets = self.original, self.copies, []
        dtype, smooth = np.result_type(*pair.points), self.smoother.smooth  # one rounding
        for i, (name, samples) in enumerate({"real": pair.real, "fake": pair.fake}.items()):
            rows = list(first[i : i + 1])
            for number in range(len(rows), copies):
                rows.append(smooth(name, samples.points, self.sigma, dtype, number))
            source = rows[0] if copies == 1 else np.concatenate(rows)
            beside = {"weights": samples.weights, "labels": samples.labels}
            changes = {key: x if x is None else np.tile(x, copies) for key, x in beside.items()}
            changes |= {"rows": np.tile(samples.rows, copies), "index": None}
            sets.append(replace(samples, source=source, selection=None, **changes))
        return sets[0], sets[1]

    def record(self) -> dict[str, Any]:
        noise, seed = self.smoother.noise.record(), self.smoother.seed
        return {"resolution": self.sigma, "noise": noise, "random_state": seed}


def fit_noise(
    noise: Noise, points: Floats, seed: int, labels: Any = None, mass: Float64s | None = None
) -> Smoother:
    """Return the noise in the units of the real rows `points`, of these weights or equal ones."""
    if mass is not None:
        # Whole weights are exact, up to so many rows.
        most = max(len(points), min(_REACH_ROWS, 16 * _NUMBERS // points.shape[1]))
        times = min(mass.sum(), most * mass.min()) / mass.min()
        points = points[systematic(mass, round(times))]
    d = points.shape[1]
    groups, details = _read_groups(noise, d, labels)
    numeric = np.setdiff1d(np.arange(d), np.concatenate([*groups, details]))
    if not isinstance(noise.scale, str):
        if noise.scale.shape != (d,):
            raise WrongValue("noise", f"a scale of shape ({d},) expected, got {noise.scale.shape}")
        fitted = noise.scale[numeric]
    else:  # the codes of categories are no lengths
        fitted = feature_scales(points[:, numeric])
        if noise.scale == "common" and fitted.size:
            exponent = np.frexp(fitted.max())[1]  # squares stay in the range of float64
            fitted = np.ldexp(np.sqrt(np.mean(np.ldexp(fitted, -exponent) ** 2)), exponent)
    scale = np.zeros(d)
    scale[numeric] = fitted
    return Smoother(noise, points if groups else points[:0], seed, scale, groups, details)


def blurred(sets: Sequence[Float64s], seed: int) -> tuple[list[Float64s], bool]:
    """Return rows of both sets with noise of BLUR standard deviations in each column.  Return also
    whether the columns are alike, up to this noise and four standard errors.

    Unlike those of a resolution, rows have one copy: fits to several detect more than these.
    """
    scale, rng = feature_scales(sets[0]), stream(seed, "details")
    allowed = (BLUR + 4 * math.sqrt(sum(1 / len(x) for x in sets))) * scale
    with np.errstate(over="ignore", invalid="ignore"):
        real, fake = ([x.mean(axis=0), x.std(axis=0)] for x in sets)
        are_alike = bool((np.abs(np.subtract(real, fake)) <= allowed).all())
    return [x + BLUR * scale * rng.standard_normal(x.shape) for x in sets], are_alike


# ---- scales --------------------------------------------------------------------------------------


def feature_scales(real: Floats) -> Float64s:
    """Return the winsorized standard deviation of each feature; the median for a dead one.

    Dead features of embeddings vary by 1e-33 beside others that vary by 0.05.  A column of a table
    may vary as little for its unit, so a feature is dead only beside many of one unit.
    """
    n, d = real.shape
    scale = np.empty(d)
    for columns in blocks(d, max(1, _NUMBERS // n)):
        x = real[:, columns].astype(np.float64, order="C")  # sums in one order in any layout
        exponent = np.frexp(np.abs(x).max(axis=0))[1]  # squares stay in the range of float64
        x = np.ldexp(x, -exponent)
        median, reach = medians_and_reaches(x[:: -(-n // _REACH_ROWS)])
        width = np.where(reach > 0, SCALE_FENCE * reach, np.inf)
        # From the median: the deviation of a constant is 0, not a rounding of its mean.
        scale[columns] = np.ldexp(np.clip(x - median, -width, width).std(axis=0), exponent)
    live = scale > DEAD * float(scale.max(initial=0.0))
    living = scale[live]
    if len(living) >= FEWEST_LIVE and living.max() <= UNITS * living.min():
        scale[~live] = np.median(living)
    scale[scale == 0] = np.median(scale[scale > 0]) if (scale > 0).any() else 1.0
    return scale


def medians_and_reaches(x: Float64s) -> tuple[Float64s, Float64s]:
    """Return the median of each column, and its reach, the _REACH quantile of the distances from
    the median.  If that is 0, it is the median of the distances above 0."""
    median = np.median(ascending(x), axis=1)
    distance = np.abs(x - median)
    (reach,) = quantiles(distance, [_REACH])
    for j in np.flatnonzero(reach == 0):
        above = distance[distance[:, j] > 0, j]
        reach[j] = np.median(above) if above.size else 0.0
    return median, reach


# ---- categories ----------------------------------------------------------------------------------


def _read_groups(noise: Noise, width: int, labels: Any) -> tuple[list[Any], Any]:
    """Return the numbers of the columns of each category, and of the details."""
    listed = [*(("categories", code) for code in noise.categories), ("details", noise.details)]
    *groups, details = (
        np.array([_column(name, column, width, labels) for column in columns], np.int64)
        for name, columns in listed
    )
    in_groups = np.concatenate([np.empty(0, np.int64), *groups])
    if len(np.unique(in_groups)) < len(in_groups):
        raise WrongValue("categories", "each column in one category expected")
    if len(np.unique(details)) < len(details) or np.isin(details, in_groups).any():
        raise WrongValue("details", "different columns, which are no categories, expected")
    return groups, details


def _column(name: str, column: Any, width: int, labels: list[Any] | None) -> int:
    """Return the number of a column; name: of the argument."""
    if labels is not None and column in labels:
        return labels.index(column)
    if isinstance(column, int | np.integer) and not isinstance(column, bool):
        if not -width <= column < width:
            raise WrongValue(name, f"columns below {width} expected, got {column}")
        return int(column) % width
    expected = "numbers of columns" if labels is None else "numbers or names of columns"
    raise WrongValue(name, f"{expected} expected, got {column!r}")
