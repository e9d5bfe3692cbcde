"""The limit of the kNN classifier (2024, Appendix A), and curves along a line.

For n → ∞ samples of each set and a fixed k, each of the k neighbors of a point z is real with
probability η(z) = p/(p + q), independently.  A classifier f_γ decides "real" for at least t real
neighbors among k.  So it has the rates of Eq. 10

    fpr = E_P[P(Bin(k, η) < t)],      fnr = E_Q[P(Bin(k, η) >= t)].

η is constant on a level set of the ratio, so cells suffice: Σ_i p_i P(Bin(k, η_i) < t).  Eq. 10 as
printed counts a tie, k/(γ + 1) an integer, on neither side, while Eq. 12 needs it on one.  Here it
is real for γ >= 1, generated for γ < 1, as f_γ decides (`prfast.curve.polyline`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.polyline import rejected
from prfast.inputs.arrays import Float64s, read_lambdas, read_shaped_pair, shaped
from prfast.inputs.errors import WrongType, kind_of
from prfast.inputs.options import read_count

CELLS = 1 << 15  # by default; the error of α is inversely proportional to its square
_MAX_NEIGHBORS = 10_000  # each of them adds a sum over all cells


def line_curve(
    cells: int, means: Float64s, sds: Float64s, weights: Float64s, info: dict[str, Any]
) -> PRCurve:
    """Return the curve of two mixtures of Gaussians on a line, from the masses of intervals.

    α is exact at the ratios of the intervals' ends.  Between them it is too high by no more than
    the square of an interval's length h.  The unit is the standard deviation of the components with
    mass there.  For N(0, 1) against N(Δ, 1) this is less than 0.05 Δ h²; h is at most 24 times the
    number of components divided by `cells`.  Points beyond 12 standard deviations, a mass of 4e-33,
    are not distinguished.  Standard deviations must not be negligible beside the means.

    Masses that underflow become the smallest positive number: supports stay equal.  From there on
    (N(0, 1) against N(Δ, 1): Δ > 34, N(0, 1) against N(0, s²): s < 0.15) the ratios of the tails
    are too small, and with them KL; χ² needs tails beyond 12 deviations from Δ = 9 on.
    """
    from scipy.special import ndtr

    used = (weights > 0).any(axis=0)
    means, sds, weights = means[used], sds[used], weights[:, used]
    # Within 12 standard deviations of each mean the density of the ends of intervals is 1/s of the
    # narrowest component that extends to that place; gaps have none.
    low, high = means - 12.0 * sds, means + 12.0 * sds
    cuts = np.unique(np.concatenate([low, high]))
    density = np.zeros(cuts.size - 1)
    for left, right, sd in zip(low, high, sds, strict=True):
        inside = slice(np.searchsorted(cuts, left), np.searchsorted(cuts, right))
        density[inside] = np.maximum(density[inside], 1.0 / sd)
    share = np.append(0.0, np.cumsum(density * np.diff(cuts)))
    ends = np.interp(np.linspace(0.0, share[-1], cells - 1), share, cuts)
    ends = np.concatenate([[-np.inf], ends, [np.inf]])
    masses = np.zeros((2, cells))
    for mean, sd, weight in zip(means, sds, weights.T, strict=True):
        z = (ends - mean) / sd
        # The difference of Φ on the side where both are small keeps the digits of far cells.
        left, right = np.diff(ndtr(z)), -np.diff(ndtr(-z))
        masses += weight[:, None] * np.where(z[1:] <= 0, left, right)
    return PRCurve.from_masses(*np.maximum(masses, 5e-324), info=info)


def knn_risk(truth: PRCurve, k: int, lam: Any, gamma: Any = None) -> Any:
    """Return the limit of λ fpr + fnr of the kNN classifier f_γ as n → ∞, k fixed.

    Example: ``prfast.reference.knn_risk(prfast.reference.TOYS["a"].curve(), k=5, lam=1.0)``.
    See also `knn_limit`.

    Parameters
    ----------
    truth : PRCurve
        The exact curve of P and Q, `pair.curve()`: its cells are level sets of the ratio.
    k : int
        Number of neighbors among both sets, at most 10 000.
    lam : float or array
        λ in [0, ∞], the weight of the false positives, real samples that are rejected.
    gamma : float or array, optional
        γ in [0, ∞] of f_γ; λ itself by default.  Shapes broadcast with that of `lam`.

    Returns
    -------
    float or array of the shape of `lam` and `gamma` Never below α_λ, its limit for γ = λ as k → ∞.
        It is at most α_λ + (1 + λ)/√(e k), by 2024, Eq. 13.  At a fixed k another γ may have a
        smaller risk.  At λ = ∞: fnr where fpr is 0, else ∞.

    Notes
    -----
    2024, Eq. 10; 2024, Eq. 11; 2024, Eq. 12.  The case k = 1, λ = γ = 1 is Cover and Hart's
    2 E[2η(1 − η)].  It holds for distances without ties.  If samples coincide, as those of
    `Discrete` do, the counts are those of a whole cell and the limit is α_λ for any k.
    """
    p, q, k = _read(truth, k)
    gamma = lam if gamma is None else gamma
    lam, gamma, shape = read_shaped_pair("lam", lam, "gamma", gamma, read_lambdas)
    real = np.arange(k + 1.0)
    with np.errstate(divide="ignore"):
        ratios = real / (k - real)
    thresholds, rows = np.unique(rejected(ratios, gamma), return_inverse=True)
    rates = np.array([_rates(p, q, k, int(t)) for t in thresholds]).reshape(-1, 2)[rows]
    fpr, fnr = rates[:, 0], rates[:, 1]
    with np.errstate(invalid="ignore"):
        weighted = np.where(fpr == 0, 0.0, lam * fpr)
    return shaped(weighted + fnr, shape)


def knn_limit(truth: PRCurve, k: int) -> PRCurve:
    """Return the kNN curve of infinitely many samples and a fixed k: α_λ = min_γ of `knn_risk`.

    The mean of curves with a split converges to it as n → ∞ with that k.  It lies above the true
    curve, by the bias of the fixed k.

    It is the curve of the k classifiers "at least t of k are real", t from 1 to k, and the two
    constant ones.  (2024, Eq. 9 and 10: the minimum over γ is taken after the limit.)
    Example: ``print(prfast.reference.knn_limit(prfast.reference.TOYS["a"].curve(), k=5))``.
    See also `knn_risk` and `prfast.methods.KNN`.

    Parameters
    ----------
    truth, k
        See `knn_risk`, for distances without ties.
    """
    p, q, k = _read(truth, k)
    rates = np.array([_rates(p, q, k, t) for t in range(1, k + 1)])
    info = {**truth.info, "limit": "knn", "k": k}
    return PRCurve.from_rates(*np.clip(rates, 0.0, 1.0).T, info=info)


def _read(truth: Any, k: Any) -> tuple[Float64s, Float64s, int]:
    if not isinstance(truth, PRCurve):
        hint = "; its curve() is one" if callable(getattr(truth, "curve", None)) else ""
        raise WrongType("truth", f"a PRCurve expected, got {kind_of(truth)}{hint}")
    return *truth.masses, read_count("k", k, at_most=_MAX_NEIGHBORS)


def _rates(p: Float64s, q: Float64s, k: int, t: int) -> tuple[float, float]:
    """Return Σ p_i P(Bin(k, η_i) < t) and Σ q_i P(Bin(k, η_i) >= t)."""
    from scipy.special import betainc

    # Incomplete beta functions I_{1−η}(k − t + 1, t) and I_η(t, k − t + 1); each has the argument
    # that keeps its digits.
    fpr = p @ betainc(k - t + 1, t, q / (p + q))
    fnr = q @ betainc(t, k - t + 1, p / (p + q))
    return float(fpr), float(fnr)
