"""Ridge regression on features of a sample, and the bases that use it; the base ppca_linear.

Ridge regression to labels y = ±1 is fitted for each fold on the others.  With weights w, the
features φ and labels y minus their weighted means, all over the training folds T,
G = Σ_T w φ φᵀ and c = Σ_T w φ y,

    β = (G + r · tr G / min(D, N) · 1)⁻¹ c      for each penalty r.

The sums over T are those over all samples minus those over the fold that is left out: one pass over
the data, and K small systems of equations.

Where rows are few, one solution for all of them yields those of all folds, with λ = r (1 − 1/K)
tr G / min(D, N), G over all rows.  Let Φ be their features, with a column of ones,
times √w, LLᵀ = ΦᵀΦ + λ 1, without a penalty of the ones, Z = Φ L⁻ᵀ, and e the errors of β times √w.
Without the rows F of a fold, β becomes

    β − L⁻ᵀ Z_Fᵀ (1 − Z_F Z_Fᵀ)⁻¹ e_F.

Where features are more than rows, β comes from the products of rows, with Φ the features of all
samples minus their mean:

    β = Φᵀ α,    (Φ Φᵀ + λ / w, 1; 1ᵀ, 0) (α; b) = (y; 0),    λ = r (1 − 1/K) tr Φ Φᵀ / min(D, N),

in which the equations and unknowns of a fold are left out; M is the inverse of the whole matrix, x
its solution and F the fold: the solution of the rest is x − M_·F (M_FF)⁻¹ x_F.

ppca_linear is the linear base of many features, from means and a covariance of few parameters: its
leading axes U with variances v, and one variance s for all the rest (probabilistic PCA).  δ is the
difference of the two means over the training samples, r̄ a penalty r times the mean variance:

    β = (U (v − s) Uᵀ + (s + r̄) 1)⁻¹ δ = δ / (s + r̄) − U ((1 / (s + r̄) − 1 / (v + r̄)) Uᵀ δ).

It is cheap, and therefore fitted for each part of a fold on all samples outside the part: where
features are many, every sample improves the difference of means.

kernel uses Gaussian kernels of several widths (Nyström's method) on x = 4 tanh(single / 4).  With
landmarks l and, for a width of h times their median distance, K = k(l, l') = V Λ Vᵀ, the features
of z are k(z, l) V Λ^(−1/2).  The score is Σ_l k(z, l) γ_l with γ = V Λ^(−1/2) β.  Widths whose
features hardly vary (narrow ones in many dimensions, where no two samples are near) are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, combinations, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.kernels import monotone
from prfast.methods.auto.coordinates import MAX_GRAM, Block, Coordinates
from prfast.methods.auto.sample import PARTS, Ints, column_quantiles

Features = Callable[[Block], Floats]
_MAX_FLOAT64 = 1024  # features, beyond which sums are in float32, for few sets of folds
_FEW_SETS = 5
_FEW_ROWS = 1024  # up to which all folds are left out of one solution
_BLOCK = 64  # of the rows of a matrix
_LEAST = 1e-20  # sum of the squares of features: 0 up to rounding, as they are in units of the data
_LEAF = 40  # rows of one whose inverse factor is not from its halves


class Ridge(NamedTuple):
    """A column for each penalty: φ β + intercept."""

    features: Features
    slopes: Float64s
    """(folds, features, penalties)"""
    intercepts: Float64s
    """(folds, penalties)"""

    def score(self, block: Block) -> Float64s:
        with np.errstate(over="ignore"):  # a far outlier is as far as a number can be
            scores: Float64s = self.features(block) @ self.slopes[block.fold]
        scores += self.intercepts[block.fold]
        return scores


class _Sums:
    """Σ w φ φᵀ, Σ w φ, Σ w φ y, Σ w, Σ w y of some samples."""

    def __init__(self, width: int, kind: type) -> None:
        self.gram: Floats = np.zeros((width, width), kind)
        self.first, self.cross = np.zeros(width), np.zeros(width)
        self.mass = self.balance = 0.0
        self.kind = kind

    def add(self, phi: Floats, weight: Float64s, y: Float64s, moments: Floats) -> None:
        """Add samples; moments: Σ w φ and Σ w φ y over them."""
        self.first += moments[0]
        self.cross += moments[1]
        self.mass += float(weight.sum())
        self.balance += float(weight @ y)
        phi = phi.astype(self.kind, copy=False)
        if (weight != 1).any():  # where the sets have different sizes
            phi = phi * np.sqrt(weight, dtype=self.kind)[:, None]
        self.gram += phi.T @ phi

    def plus(self, other: _Sums) -> None:
        """Add the sums of other samples."""
        self.gram += other.gram
        self.first += other.first
        self.cross += other.cross
        self.mass += other.mass
        self.balance += other.balance

    def of_others(self, total: _Sums) -> tuple[Floats, Float64s, Float64s, float]:
        """Return G and c of the other samples of a total, and the means of φ and y; the matrix of
        these sums is overwritten."""
        size, first = total.mass - self.mass, total.first - self.first
        balance = total.balance - self.balance
        mean = first / size
        gram = np.subtract(total.gram, self.gram, out=self.gram)
        gram -= np.outer(first.astype(gram.dtype), mean.astype(gram.dtype))
        return gram, total.cross - self.cross - mean * balance, mean, balance / size


def ridge(
    coords: Coordinates,
    features: Features,
    penalties: Sequence[float],
    selected: Sequence[Ints] | None = None,
) -> Ridge:
    """Return a ridge regression for each fold, fitted on the others.

    selected: the features that each group of folds uses, of one number; all by default.
    """
    sample = coords.sample
    parts = ((part, block, features(block)) for part, block in coords.fitted_blocks())
    first = next(parts)
    width = first[2].shape[1]
    rows = len(sample.fitted)
    if selected is None and rows <= min(_FEW_ROWS, max(width, _BLOCK) * sample.folds):
        fit = _fit_by_rows if rows < width else _fit_from_all_rows
        return Ridge(features, *fit(coords, coords.features(features), penalties))
    if selected is not None:
        width = len(selected[0])
    kind = first[2].dtype.type if width <= _MAX_FLOAT64 else np.float32
    own = [_Sums(width, kind) for _ in range(held_out_sets(width, sample.folds))]
    total = [_Sums(width, kind) for _ in range(1 if selected is None else len(selected))]
    for part, block, phi in chain([first], parts):
        weight, y = coords.weight[part], np.where(block.real, 1.0, -1.0)
        moments = np.stack([weight, weight * y]) @ phi
        if selected is None:
            own[block.fold % len(own)].add(phi, weight, y, moments)
            continue
        columns = np.ascontiguousarray(phi.T)
        for group, used in enumerate(selected):
            is_own = group == block.fold % sample.groups
            sums = own[block.fold] if is_own else total[group]
            sums.add(columns[used].T, weight, y, moments[:, used])
    for i, sums in enumerate(own):
        total[i % len(total)].plus(sums)
    slopes = np.empty((len(own), width, len(penalties)))
    intercepts = np.empty((len(own), len(penalties)))
    for i, sums in enumerate(own):
        gram, right, mean, middle = sums.of_others(total[i % len(total)])
        slopes[i] = _solve(gram, penalties, min(width, len(sample.fitted)), right)
        intercepts[i] = middle - mean @ slopes[i]
    set_of_fold = np.arange(sample.folds) % len(own)
    return Ridge(features, slopes[set_of_fold], intercepts[set_of_fold])


def _fit_by_rows(
    coords: Coordinates, phi: Floats, penalties: Sequence[float]
) -> tuple[Float64s, Float64s]:
    """Return slopes and intercepts of each fold from the products of rows."""
    sample = coords.sample
    center = phi.mean(axis=0)
    phi = phi - center
    products = (phi @ phi.T).astype(np.float64)
    y = np.where(sample.fitted_real, 1.0, -1.0)
    variance = max(float(np.trace(products)), _LEAST)
    variance *= 1.0 - 1.0 / sample.folds  # of the training samples
    if sample.weight is not None:  # as the trace of weighted sums
        variance *= float(coords.weight.mean())
    ends = np.searchsorted(sample.fitted_fold, np.arange(sample.folds + 1))
    slopes = np.empty((sample.folds, phi.shape[1], len(penalties)))
    intercepts = np.empty((sample.folds, len(penalties)))
    unit = variance / min(phi.shape) / coords.weight
    for i, (before, r) in enumerate(pairwise([0.0, *penalties])):
        add_to_diagonal(products, (r - before) * unit)
        # M = LᵀL − o oᵀ / Σ o, with the intercept: a row and a column of ones, and a zero.
        below = inverse_of_factor(products.copy())
        alpha = below.T @ (below @ np.column_stack([y, np.ones(len(y))]))
        ones = alpha[:, 1]
        last = -1.0 / ones.sum()
        alpha = alpha[:, 0] + (last * float(ones @ y)) * ones
        changes = np.zeros((len(y), sample.folds))
        for fold in range(sample.folds):
            own = slice(ends[fold], ends[fold + 1])
            factor, of_own = below[ends[fold] :, own], ones[own]
            inverse = factor.T @ factor + last * np.outer(of_own, of_own)
            changes[own, fold] = np.linalg.solve(inverse, alpha[own])
        sums = last * (ones @ changes)
        rest = alpha[:, None] - below.T @ (below @ changes) - np.outer(ones, sums)
        rest[np.arange(len(y)), sample.fitted_fold] = 0.0
        intercepts[:, i] = sums - last * float(ones @ y)
        slopes[:, :, i] = rest.T.astype(phi.dtype) @ phi
    return slopes, intercepts - center @ slopes


def _fit_from_all_rows(
    coords: Coordinates, phi: Floats, penalties: Sequence[float]
) -> tuple[Float64s, Float64s]:
    """Return slopes and intercepts of each fold from the solution for all rows."""
    sample, width = coords.sample, phi.shape[1]
    # Folds of one size, with rows of zeros, which change nothing.
    fold = sample.fitted_fold.astype(np.int64)
    starts = np.searchsorted(fold, np.arange(sample.folds))
    place = np.arange(len(fold)) - starts[fold]
    most = int(place.max()) + 1
    place += fold * most
    root = np.zeros(sample.folds * most)
    root[place] = np.sqrt(coords.weight)
    y = root.copy()
    y[place[~sample.fitted_real]] *= -1.0
    mass = float(coords.weight.sum())
    center = (coords.weight @ phi) / mass
    rows = np.zeros((len(root), width))
    rows[place] = phi - center
    rows *= root[:, None]
    gram = rows.T @ rows
    unit = max(float(np.trace(gram)), _LEAST) * (1.0 - 1.0 / sample.folds) / width
    z = np.empty((len(root), width + 1))
    z[:, -1] = root / np.sqrt(mass)
    of_folds = z.reshape(sample.folds, most, width + 1)
    slopes = np.empty((sample.folds, width, len(penalties)))
    intercepts = np.empty((sample.folds, len(penalties)))
    for i, (before, r) in enumerate(pairwise([0.0, *penalties])):
        add_to_diagonal(gram, (r - before) * unit)
        map_ = inverse_of_factor(gram.copy()).T
        np.matmul(rows, map_, out=z[:, :-1])
        solution = y @ z
        error = (y - z @ solution).reshape(sample.folds, 1, most)
        turned = of_folds.swapaxes(1, 2)
        if most <= width:
            left = -(of_folds @ turned)
            add_to_diagonal(left, 1.0)
            change = np.linalg.solve(left, error.swapaxes(1, 2)).swapaxes(1, 2) @ of_folds
        else:  # Zᵀ (1 − Z Zᵀ)⁻¹ = (1 − Zᵀ Z)⁻¹ Zᵀ
            left = -(turned @ of_folds)
            add_to_diagonal(left, 1.0)
            change = np.linalg.solve(left, (error @ of_folds).swapaxes(1, 2))
        own = solution - change.reshape(sample.folds, width + 1)
        slopes[:, :, i] = own[:, :-1] @ map_.T
        intercepts[:, i] = own[:, -1] / np.sqrt(mass)
    return slopes, intercepts - center @ slopes


def inverse_of_factor(x: Floats) -> Floats:
    """Return L⁻¹ of one positive definite matrix L Lᵀ or a stack of them, which are overwritten,
    from those of their halves, in less time and memory than LAPACK takes for L alone."""
    size = x.shape[-1]
    if size <= _LEAF:
        if not monotone.inverse_factors(x if x.ndim == 3 else x[None]):
            raise np.linalg.LinAlgError("a positive definite matrix expected")
        return x
    half = size // 2
    below, rest = x[..., half:, :half], x[..., half:, half:]
    first = inverse_of_factor(x[..., :half, :half])
    factor = below @ first.swapaxes(-2, -1)
    rest -= factor @ factor.swapaxes(-2, -1)
    np.matmul(-inverse_of_factor(rest), factor @ first, out=below)
    x[..., :half, half:] = 0.0
    return x


def add_to_diagonal(x: Floats, numbers: float | Float64s) -> None:
    """Add to the diagonals of square matrices, (…, rows, rows)."""
    diagonals = np.einsum("...ii->...i", x)
    diagonals += numbers


def held_out_sets(width: int, folds: int) -> int:
    """Return how many sets of folds are left out in turn: all folds one by one, or fewer sets where
    the sums of so many features are large."""
    return folds if width <= _MAX_FLOAT64 else min(_FEW_SETS, folds)


def _solve(gram: Floats, penalties: Sequence[float], number: int, right: Float64s) -> Float64s:
    """Return (G + r · tr G / number · 1)⁻¹ c for each penalty r.

    Where a Cholesky factorization fails, as rounding errors of G exceed the penalty, this is 4
    or 16 times as large; where that fails, by eigenvalues, with negative ones replaced by 0.
    """
    scale = max(float(np.trace(gram)), 1e-290) / number
    penalties = [r * scale for r in penalties]
    solutions = np.empty((len(right), len(penalties)))
    right = right.astype(gram.dtype)
    for factor in (1.0, 4.0, 16.0):
        try:
            for i, r in enumerate(penalties):
                matrix = gram.copy()
                add_to_diagonal(matrix, factor * r)
                solutions[:, i] = _solve_positive(matrix, right)
            if np.isfinite(solutions).all():
                return solutions
        except np.linalg.LinAlgError:
            pass
    values, basis = np.linalg.eigh(gram.astype(np.float64))
    along = basis.T @ right
    for i, r in enumerate(penalties):
        solutions[:, i] = basis @ (along / np.maximum(np.maximum(values, 0.0) + r, 1e-290))
    return solutions


def _solve_positive(x: Floats, right: Floats) -> Floats:
    """Return x⁻¹ c for a positive definite matrix, which is overwritten, by a Cholesky
    factorization in columns of blocks: that of NumPy copies the matrix twice, and leaves the
    solution."""
    solution, inverses = right.copy(), []
    parts = [*blocks(len(x), _BLOCK)]
    for part in parts:
        before = x[part, : part.start]
        x[part.start :, part] -= x[part.start :, : part.start] @ before.T
        inverse = inverse_of_factor(x[part, part])
        x[part.stop :, part] = x[part.stop :, part] @ inverse.T
        solution[part] = inverse @ (solution[part] - before @ solution[: part.start])
        inverses.append(inverse)
    for part, inverse in zip(parts[::-1], inverses[::-1], strict=True):
        rest = solution[part] - solution[part.stop :] @ x[part.stop :, part]
        solution[part] = inverse.T @ rest
    return solution


_PPCA_PENALTIES = (0.0, 3.0)  # times the mean variance


class PpcaLinear(NamedTuple):
    """A column for each penalty: z β minus the value at the middle of the two means."""

    slopes: Float64s
    """(folds, parts, features, penalties)"""
    intercepts: Float64s
    """(folds, parts, penalties)"""

    def score(self, block: Block) -> Float64s:
        scores = np.empty((len(block), self.slopes.shape[-1]))
        for part in range(PARTS):
            own = block.part == part
            along = block.centered[own] @ self.slopes[block.fold, part]
            scores[own] = along + self.intercepts[block.fold, part]
        return scores


def ppca_linear(coords: Coordinates) -> PpcaLinear | None:
    """Return a fit for each part of each fold, on all samples outside the part; None where features
    are few, as `linear` then uses the full covariance."""
    if not coords.many:
        return None
    sample = coords.sample
    total = np.zeros((sample.folds, PARTS, 2, sample.width))
    count = np.zeros((sample.folds, PARTS, 2))
    for _, block in coords.fitted_blocks():
        for part in range(PARTS):
            for i, real in enumerate((True, False)):
                own = (block.part == part) & (block.real == real)
                if (weight := sample.weight_of(block.rows)) is not None:
                    own = own * weight
                total[block.fold, part, i] += own.astype(block.centered.dtype) @ block.centered
                count[block.fold, part, i] += float(own.sum())
    all_total, all_count = total.sum(axis=(0, 1)), count.sum(axis=(0, 1))
    basis, v = coords.basis, coords.variance
    rest = max(coords.size - float(v.sum()), 1e-12 * coords.size, 1e-290)
    s = rest / max(sample.width - v.size, 1)
    slopes = np.empty((sample.folds, PARTS, sample.width, len(_PPCA_PENALTIES)))
    intercepts = np.empty((sample.folds, PARTS, len(_PPCA_PENALTIES)))
    for fold, part in np.ndindex(sample.folds, PARTS):
        outside = np.maximum(all_count - count[fold, part], 1e-9)[:, None]
        p, q = (all_total - total[fold, part]) / outside  # the means of both classes
        delta = p - q
        along = basis.T @ delta
        for i, r in enumerate(_PPCA_PENALTIES):
            extra = r * coords.size / sample.width
            few, many = s + extra, np.maximum(v, s) + extra
            slopes[fold, part, :, i] = delta / few - basis @ ((1.0 / few - 1.0 / many) * along)
        intercepts[fold, part] = -0.5 * (p + q) @ slopes[fold, part]
    return PpcaLinear(slopes, intercepts)


LANDMARKS = 250  # at most,
_ROWS_OF_LANDMARK = 8  # and one for so many rows
_WIDTHS = (0.1, 0.3, 1.0, 3.0)
_RESIDUAL = 0.01  # of the kernel of a landmark, up to which others stand for it
_MIN_VARIANCE = 0.01  # of the features of a width, below which it is left out
_VARIANCE_ROWS = 1000  # from which that variance is computed
_KERNEL_PENALTY = 1e-4


class _Width(NamedTuple):
    """k(z, l) = exp(scale · |x − l|²), and V Λ^(−1/2)."""

    scale: np.float32
    map: Floats


def kernel(coords: Coordinates) -> Ridge | None:
    """Return a regression on Gaussian kernels; None where no column or no width varies."""
    if not len(coords.scale):
        return None
    shuffled = coords.sample.shuffled("kernel")
    number = min(LANDMARKS, max(len(shuffled) // _ROWS_OF_LANDMARK, 1))
    landmarks = _bounded(coords.compute(shuffled[:number], "single"))
    points = _bounded(coords.compute(shuffled[-_VARIANCE_ROWS:], "single"))
    points_d2 = _squared_distances(points, landmarks)
    # The matrix of its kernels is positive definite: float32 would leave negative eigenvalues.
    exact = landmarks.astype(np.float64)
    d2 = _squared_distances(exact, exact)
    np.fill_diagonal(d2, 0.0)  # where rounding leaves other numbers
    positive = d2[d2 > 0]
    if not positive.size:
        return None
    median = float(np.median(positive))
    fits = [_fit_width(np.float32(-0.5 / (h**2 * median)), d2, points_d2) for h in _WIDTHS]
    widths = [width for width in fits if width is not None]
    if not widths:
        return None
    fitted = ridge(coords, partial(_features, landmarks, widths), (_KERNEL_PENALTY,))
    # γ = V Λ^(−1/2) β: a score needs the kernels only, without the map of each width.
    ends = np.cumsum([width.map.shape[1] for width in widths])[:-1]
    parts = zip(widths, np.split(fitted.slopes, ends, axis=1), strict=True)
    slopes = np.concatenate([width.map @ beta for width, beta in parts], axis=1)
    kernels = partial(_kernels, landmarks, [width.scale for width in widths])
    return Ridge(kernels, slopes, fitted.intercepts)


def _features(landmarks: Floats, widths: list[_Width], block: Block) -> Floats:
    d2 = _squared_distances(_bounded(block.single), landmarks)
    with np.errstate(over="ignore"):  # of a far outlier: e^−∞ is 0
        return np.hstack([np.exp(width.scale * d2) @ width.map for width in widths])


def _kernels(landmarks: Floats, scales: list[np.float32], block: Block) -> Floats:
    d2 = _squared_distances(_bounded(block.single), landmarks)
    with np.errstate(over="ignore"):  # of a far outlier: e^−∞ is 0
        return np.hstack([np.exp(scale * d2) for scale in scales])


def _fit_width(scale: np.float32, d2: Floats, points_d2: Floats) -> _Width | None:
    """Return a width; None where its features hardly vary.

    d2, points_d2: squared distances of the landmarks, and of some points, from the landmarks.
    """
    kernels = np.exp(scale * points_d2)
    if (kernels**2).sum() < _RESIDUAL * _MIN_VARIANCE * len(kernels):  # no map makes them vary
        return None
    # The diagonal of the factor: what landmarks before each one leave of it.
    own = np.exp(float(scale) * d2)
    left = np.linalg.cholesky(own + 0.1 * _RESIDUAL * np.eye(len(own))).diagonal()
    used = np.flatnonzero(left**2 > _RESIDUAL)
    map_ = np.zeros((len(own), len(used)), np.float32)
    map_[used] = inverse_of_factor(own[np.ix_(used, used)]).T
    varies = (kernels @ map_).var(axis=0).sum() > _MIN_VARIANCE
    return _Width(scale, map_) if varies else None


def _bounded(single: Floats) -> Floats:
    return np.asarray(4.0 * np.tanh(single / 4.0), np.float32)


def _squared_distances(x: Floats, y: Floats) -> Floats:
    """Return |x − y|² of all pairs, at least 0 whatever the rounding."""
    d2 = (x**2).sum(axis=1)[:, None] - np.float32(2) * (x @ y.T) + (y**2).sum(axis=1)
    return np.asarray(np.maximum(d2, 0))


_MAX_ADDITIVE = 128  # columns
_MAX_PRODUCTS = 16  # columns
_KNOTS = (0.05, 0.2, 0.4, 0.6, 0.8, 0.95)


def linear(coords: Coordinates) -> Ridge | None:
    """Return a regression on z itself; None beyond MAX_GRAM features."""
    if coords.sample.width > MAX_GRAM:
        return None
    penalties = (0.3, 3.0) if coords.many else (1e-3, 0.3, 3.0)
    return ridge(coords, _centered, penalties)


def quadratic(coords: Coordinates) -> Ridge:
    """Return a regression on whitened coordinates, their squares and the radii; for many features
    also on the energies of bands of axes, which noise raises and smoothing lowers."""
    return ridge(coords, _squares, (0.01, 0.3) if coords.many else (0.3,))


def radial(coords: Coordinates) -> Ridge:
    """Return a regression on the radii."""
    return ridge(coords, _radial, (1e-3,))


def additive(coords: Coordinates) -> Ridge | None:
    """Return a sum of polylines in single columns, with knots at some quantiles; None where columns
    are too many."""
    if not 0 < len(coords.scale) <= _MAX_ADDITIVE:
        return None
    places = coords.sample.subsample_distinct("knots", 4000)
    knots = column_quantiles(coords.compute(places, "single"), _KNOTS)
    has_more_rows = len(coords.sample.fitted) >= (1 + len(_KNOTS)) * len(coords.scale)
    penalties = (1e-3, 0.1) if has_more_rows else (0.1,)  # which also avoids noise
    return ridge(coords, partial(_hinges, knots.astype(np.float32)), penalties)


def products(coords: Coordinates) -> Ridge | None:
    """Return a regression on bounded products of two and of three columns; None where columns are
    too many.  It detects dependences that no column shows alone, nor any two."""
    width = len(coords.scale)
    if not 2 <= width <= _MAX_PRODUCTS:
        return None
    pairs, triples = (
        np.array(list(combinations(range(width), of)), np.int64).reshape(-1, of) for of in (2, 3)
    )
    return ridge(coords, partial(_products, pairs, triples), (0.01,))


# Features are module-level functions, so that fits can be pickled.


def _centered(block: Block) -> Float64s:
    return block.centered


def _squares(block: Block) -> Floats:
    x, radial, energies = (
        each.astype(np.float32) for each in (block.whitened, block.radial, block.energies)
    )
    return np.hstack([x, x**2 / np.float32(np.sqrt(2.0)), radial, energies, energies**2])


def _radial(block: Block) -> Float64s:
    return block.radial


def _hinges(knots: Floats, block: Block) -> Floats:
    return hinges(block.single, knots)


def hinges(x: Floats, knots: Floats) -> Floats:
    """Return x and max(x − knot, 0) for each knot, in float32; knots: in float32, each a
    number or one for each column."""
    width = x.shape[1]
    phi = np.empty((len(x), (1 + len(knots)) * width), np.float32)
    phi[:, :width] = x
    for i, knot in enumerate(knots, 1):
        own = phi[:, i * width : (i + 1) * width]
        np.maximum(phi[:, :width], knot, out=own)  # in place, for a tenth of the time
        own -= knot
    return phi


def _products(pairs: NDArray[np.int64], triples: NDArray[np.int64], block: Block) -> Floats:
    x = np.tanh(4 * block.single.T).astype(np.float32)
    of_pairs = x[pairs[:, 0]] * x[pairs[:, 1]]
    of_triples = x[triples[:, 0]] * x[triples[:, 1]] * x[triples[:, 2]]
    return np.concatenate([of_pairs, of_triples]).T
