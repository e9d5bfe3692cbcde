"""Noise that smooths both sets of samples: the resolution σ of a curve.

The curve at resolution σ is that of the smoothed distributions P * N_σ and Q * N_σ, N_σ the normal
distribution with standard deviation σ s_j in feature j.  A smoothed sample is x + σ s ∘ ε, ε
standard normal.  Categories have no unit, and count as CATEGORY standard deviations apart: at
resolution σ a category is replaced, with probability 1 − exp(−(σ / CATEGORY)²), by that of a random
real sample.

Both are Markov kernels, and the kernel of a larger σ is that of a smaller one followed by another
kernel.  By the data processing inequality α_λ(σ) therefore does not decrease with σ, for any λ
(docs/resolution.md).

The scales are those of the weighted real distribution, and a random real sample is drawn by its
weight.  A whole weight has the scales of as many equal rows.

The scales s are those of the real set alone, so that models are smoothed alike.  The noise of a row
depends on the seed, the set and the place of the row among the samples: it is the same ε for every
σ and for the same row of every model, and cancels in part in their differences.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats, blocks, read_numbers
from prfast.inputs.errors import WrongType, WrongValue, closest, kind_of
from prfast.inputs.options import is_word, read_number, stream

SCALES = {
    "std": "standard deviations of each feature of the real set",
    "common": "the root mean square of the features' standard deviations",
    "covariance": "the covariance of the real set",
    "neighbors": "the median distance of a real sample to its nearest other one",
}
FENCE = 50.0  # reaches from the median, where the coordinates of "auto" are winsorized
SCALE_FENCE = 5.0  # reaches, where a feature is winsorized for its scale: 8 normal deviations
CATEGORY = 4.0  # standard deviations between categories: 4 % are replaced at resolution 0.8
DEAD = 1e-6  # share of the largest standard deviation, up to which a feature is dead
UNITS = 1000.0  # largest ratio of standard deviations of features that have one unit
FEWEST_LIVE = 16  # other features of one unit, without which no feature is dead
_REACH = 0.9  # quantile of the distances from the median
_REACH_ROWS = 10_000  # rows from which medians and reaches are computed
_SUM_ROUNDING = 1e-12  # of sums of weights, relative
_NUMBERS = 1 << 18  # numbers of a block


class Noise:
    """The noise of resolution 1, of which resolution σ is σ times as much.

    Parameters
    ----------
    scale : "std", "common", "covariance", "neighbors" or array
        Standard deviation of the noise in each feature.  "std" (default): that of the feature in
        the real set.  "common": one for all features, the root mean square of these.  "covariance":
        noise with the covariance matrix of the real set.  "neighbors": one for all features, such
        that the root mean square length of the noise is the median distance of a distinct real
        sample to its nearest other one.  An array of shape (d,): these standard deviations; 0
        leaves a feature as it is.

        Standard deviations are those of the weighted real set.  They are computed after each
        feature is winsorized at its median ± 5 times
        the 0.9 quantile of the distances from it, so that rare fill values do not decide them; of
        more than 5 % they still raise them, and from 10 % on they do decide.  Of a
        feature that is constant, or varies by less than 1e-6 of others of the same unit, it is the
        median of the others.
    categories : sequence
        Features that are categories, none by default: numbers of columns or, of tables, names.  The
        columns of a one-hot code are a tuple, and replaced together:
        ``categories=[3, (5, 6, 7)]``.
    details : sequence
        Features that any noise destroys, none by default, such as the number of decimals of another
        feature: they are 0 at each resolution above 0.

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
        self.scale = scale
        groups = (code if isinstance(code, list | tuple) else (code,) for code in categories)
        self.categories = tuple(
            tuple(x.item() if isinstance(x, np.generic) else x for x in code) for code in groups
        )
        self.details = tuple(x.item() if isinstance(x, np.generic) else x for x in details)

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


def read_resolution(name: str, value: Any) -> float:
    """Return a resolution, a number in [0, 1e6]."""
    return read_number(name, value, 0.0, 1e6)


@dataclass(frozen=True, eq=False)
class Smoother:
    """The noise in the units of a real set."""

    noise: Noise
    donors: Floats
    """The real rows, whose categories replace others."""
    mass: Float64s | None
    """The weight of each of them; None where all are equal."""
    seed: int
    scale: Float64s
    """Standard deviations, (d,), or a root R of the covariance matrix RᵀR, (d, d)."""
    groups: list[NDArray[np.int64]]
    """The columns of each category."""
    details: NDArray[np.int64]
    """The columns that are 0 where there is noise."""

    def smooth(self, name: str, points: Floats, sigma: float, dtype: Any, copy: int = 0) -> Floats:
        """Return smoothed samples of the set `name`, "real" or "fake"."""
        n, d = points.shape
        result = np.empty((n, d), dtype)
        rng = stream(self.seed, f"noise {name} {copy}")
        for rows in blocks(n, _NUMBERS // d):
            normal = rng.standard_normal((rows.stop - rows.start, d))
            with np.errstate(over="ignore", invalid="ignore"):
                scaled = normal @ self.scale if self.scale.ndim == 2 else normal * self.scale
                result[rows] = points[rows] + sigma * scaled
            if not np.isfinite(result[rows]).all():
                text = f"noise within {np.dtype(dtype)} expected, got {sigma}"
                raise WrongValue("resolution", text)
        if self.groups:
            self._replace(name, points, result, sigma, copy)
        result[:, self.details] = 0.0
        return result

    def _replace(self, name: str, points: Floats, result: Floats, sigma: float, copy: int) -> None:
        """Set the categories of the result: those of the samples, or of random real samples."""
        rng = stream(self.seed, f"categories {name} {copy}")
        draws = rng.random((len(points), len(self.groups), 2))
        replaced = draws[:, :, 0] < -np.expm1(-((sigma / CATEGORY) ** 2))
        donors = self._drawn(draws[:, :, 1])
        for i, columns in enumerate(self.groups):
            result[:, columns] = points[:, columns]
            rows = np.flatnonzero(replaced[:, i])
            result[np.ix_(rows, columns)] = self.donors[np.ix_(donors[rows, i], columns)]

    def _drawn(self, uniform: Float64s) -> NDArray[np.int64]:
        """Return a random real row for each uniform number, by the weights."""
        if self.mass is None:
            return (uniform * len(self.donors)).astype(np.int64)
        total = np.cumsum(self.mass)
        rows = np.searchsorted(total, uniform * total[-1], side="right")
        return np.asarray(np.minimum(rows, len(total) - 1), np.int64)


class AddedNoise(NamedTuple):
    """The noise of both sets of a pair."""

    original: Any
    """The pair without noise."""
    smoother: Smoother
    sigma: float
    copies: int = 1
    """How many times the pair contains each sample, each time with other noise."""

    @property
    def is_everywhere(self) -> bool:
        """Whether all features have noise, so that no exact value is left."""
        scale = self.smoother.scale
        return bool((np.abs(scale).max(axis=0) > 0).all() if scale.ndim == 2 else scale.all())

    def record(self) -> dict[str, Any]:
        """Return the entries of `info` on the resolution."""
        return {"resolution": self.sigma, "noise": self.smoother.noise.record()}


def fit_noise(
    noise: Noise,
    points: Floats,
    seed: int,
    labels: list[Any] | None = None,
    mass: Float64s | None = None,
) -> Smoother:
    """Return the noise in the units of the real rows `points`.

    labels: names of the columns; mass: weights of the rows, None where all are equal.
    """
    d = points.shape[1]
    groups, details = _read_groups(noise, d, labels)
    numeric = np.setdiff1d(np.arange(d), np.concatenate([*groups, details]))
    if not isinstance(noise.scale, str):
        if noise.scale.shape != (d,):
            raise WrongValue("noise", f"a scale of shape ({d},) expected, got {noise.scale.shape}")
        scale = np.zeros(d)
        scale[numeric] = noise.scale[numeric]
    elif len(numeric) == 0:
        scale = np.zeros(d)
    else:  # the codes of categories are no lengths
        of_numeric = _scale_of(noise.scale, points[:, numeric], mass)
        scale = np.zeros((d,) * of_numeric.ndim)
        scale[np.ix_(*[numeric] * of_numeric.ndim)] = of_numeric
    return Smoother(noise, points, mass, seed, scale, groups, details)


# ---- scales --------------------------------------------------------------------------------------


def feature_scales(real: Floats, mass: Float64s | None = None) -> Float64s:
    """Return the standard deviation of each feature, winsorized; of a constant or dead feature, the
    median of the live features.

    mass: weights of the rows, None where all are equal.

    Embeddings have dead features, which vary by 1e-33 beside others that vary by .05: any noise is
    large in them.  In a table a column varies as little for its unit, so a feature is dead only
    beside many that have one unit.
    """
    n, d = real.shape
    scale = np.empty(d)
    step = -(-n // _REACH_ROWS) if mass is None else 1  # no row of large weight is left out
    for columns in blocks(d, max(1, _NUMBERS // n)):
        x = real[:, columns].astype(np.float64, order="C")  # sums in one order in any layout
        exponent = np.frexp(np.abs(x).max(axis=0))[1]  # squares stay in the range of float64
        x = np.ldexp(x, -exponent)
        median, reach = medians_and_reaches(x[::step], mass)
        width = np.where(reach > 0, SCALE_FENCE * reach, np.inf)
        # From the median: the deviation of a constant is 0, not a rounding of its mean.
        deviation = _deviations(np.clip(x - median, -width, width), mass)
        scale[columns] = np.ldexp(deviation, exponent)
    live = scale > DEAD * float(scale.max(initial=0.0))
    of_live = scale[live]
    if len(of_live) >= FEWEST_LIVE and of_live.max() <= UNITS * of_live.min():
        scale[~live] = np.median(of_live)
    scale[scale == 0] = np.median(scale[scale > 0]) if (scale > 0).any() else 1.0
    return scale


def medians_and_reaches(x: Float64s, mass: Float64s | None = None) -> tuple[Float64s, Float64s]:
    """Return the median of each column, and its reach, the _REACH quantile of the distances from
    the median; where that is 0, the median of the distances above 0.

    mass: weights of the rows, None where all are equal.
    """
    median = _medians(x, mass)
    distance = np.abs(x - median)
    if mass is None:
        reach = np.quantile(distance, _REACH, axis=0)
    else:
        reach = _weighted_quantiles(distance, _REACH, mass)
    for j in np.flatnonzero(reach == 0):
        rows = np.flatnonzero(distance[:, j])
        weights = None if mass is None else mass[rows]
        reach[j] = _medians(distance[rows, j, None], weights)[0] if rows.size else 0.0
    return median, reach


def _medians(x: Floats, mass: Float64s | None) -> Floats:
    """Return the median of each column."""
    return np.median(x, axis=0) if mass is None else _weighted_quantiles(x, 0.5, mass)


def _weighted_quantiles(x: Floats, share: float, mass: Float64s) -> Float64s:
    """Return the weighted quantile of each column.

    It is the smallest number up to which there is a share of the mass.  If there is exactly that
    share, it is the mean of this number and the next one.  Equal rows in place of whole weights
    have the same quantiles.
    """
    quantiles = np.empty(x.shape[1])
    for j, column in enumerate(x.T):
        order = np.argsort(column, kind="stable")
        total = np.cumsum(mass[order])
        ends = share * total[-1] * (1 + _SUM_ROUNDING * np.array([-1, 1]))
        at = np.minimum(np.searchsorted(total, ends), len(total) - 1)
        quantiles[j] = column[order[at]].mean()
    return quantiles


def _deviations(x: Float64s, mass: Float64s | None) -> Float64s:
    """Return the standard deviation of each column."""
    if mass is None:
        deviations: Float64s = x.std(axis=0)
        return deviations
    share = (mass / mass.sum())[:, None]
    centered = x - (share * x).sum(axis=0)
    return np.sqrt((share * centered**2).sum(axis=0))  # type: ignore[no-any-return]


def _scale_of(scale: str, real: Floats, mass: Float64s | None) -> Float64s:
    """Return the standard deviations of a named scale, or a root of the covariance matrix."""
    d = real.shape[1]
    if scale == "neighbors":
        return np.full(d, _neighbor_distance(real) / np.sqrt(d))  # distinct rows have no weights
    scales = feature_scales(real, mass)
    if scale == "common":
        exponent = _exponent(scales)
        return np.full(d, np.ldexp(np.sqrt(np.mean(np.ldexp(scales, -exponent) ** 2)), exponent))
    if scale == "covariance":
        return _covariance_root(real, scales, mass)
    return scales


def _exponent(values: Floats) -> int:
    """Return the binary exponent of the largest number, by which squares stay in the range of
    float64."""
    return int(np.frexp(np.abs(values).max())[1])


def _covariance_root(real: Floats, scales: Float64s, mass: Float64s | None) -> Float64s:
    """Return R with RᵀR the covariance matrix of features that are winsorized at FENCE standard
    deviations."""
    middle = _medians(real, mass)
    number = len(real) if mass is None else mass.sum()
    covariance = np.zeros((real.shape[1],) * 2)
    total = np.zeros(real.shape[1])
    for rows in blocks(len(real), max(1, _NUMBERS // real.shape[1])):
        z = np.clip((real[rows] - middle) / scales, -FENCE, FENCE)
        weighted = z if mass is None else z * mass[rows, None]
        covariance += weighted.T @ z
        total += weighted.sum(axis=0)
    mean = total / number
    values, vectors = np.linalg.eigh(covariance / number - np.outer(mean, mean))
    # The symmetric root, which does not depend on the signs of the vectors, as noise would then.
    root: Float64s = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T * scales
    return root


def _neighbor_distance(real: Floats) -> float:
    """Return the median distance of a distinct sample to its nearest other one."""
    from sklearn.neighbors import NearestNeighbors

    distinct = np.unique(real, axis=0)
    if len(distinct) < 2:
        return 1.0
    exponent = _exponent(distinct)
    search = NearestNeighbors(n_neighbors=1).fit(np.ldexp(distinct, -exponent))
    distances, _ = search.kneighbors()
    return float(np.ldexp(np.median(distances), exponent))


# ---- categories ----------------------------------------------------------------------------------


def _read_groups(
    noise: Noise, width: int, labels: list[Any] | None
) -> tuple[list[NDArray[np.int64]], NDArray[np.int64]]:
    """Return the numbers of the columns of each category, and of the details."""
    *groups, details = (
        np.array([_column(name, column, width, labels) for column in columns], np.int64)
        for name, columns in (
            *(("categories", columns) for columns in noise.categories),
            ("details", noise.details),
        )
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
