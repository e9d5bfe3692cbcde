"""From log-ratios to a curve: the hull of their error rates, shrunk for want of evidence.

The hull, α_λ = min_t λ fpr(t) + fnr(t): each t is too high in expectation, for any scorer that has
not seen the samples, but the minimum over noise is too low.

The scores s are log-ratios by fits to other samples.  The gain of their log-likelihood over that of
equal distributions, Σ w (log 2 − log(1 + e^{∓s})), is the evidence that the sets differ; it is
rarely large where they do not.  Below MIN_EVIDENCE the curve is shrunk towards that of equal
distributions, in proportion, so that noise of a few samples is not reported as a difference.
"""

from __future__ import annotations

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.masses import apart
from prfast.inputs.arrays import Float64s
from prfast.methods.auto.folds import balanced
from prfast.methods.auto.stack import softplus

MIN_EVIDENCE = 3.0  # nats, below which the difference is shrunk


def evidence_of(
    real: Float64s, fake: Float64s, weights: Float64s | None, units: tuple[int, int]
) -> float:
    """Return the evidence in nats.

    weights: the caller's weights of the samples of both sets, optional.  units: the numbers of
    independent samples; n and m of them count as twice their harmonic mean: with few samples of
    one set, many of the other add no evidence.
    """
    is_real = np.arange(len(real) + len(fake)) < len(real)
    w = balanced(is_real, weights)
    gain = np.log(2.0) - softplus(np.concatenate([-real, fake]))
    number = 4.0 / (1.0 / max(units[0], 1) + 1.0 / max(units[1], 1))
    return float(w @ gain / w.sum()) * number


def share_of(evidence: float) -> float:
    """Return the share of the hull in the curve; the rest is that of equal distributions."""
    return float(np.clip(evidence / MIN_EVIDENCE, 0.0, 1.0))


def shrunk(hull: PRCurve, share: float, unlike: tuple[float, float]) -> tuple[Float64s, Float64s]:
    """Return the masses of both sets on the cells of the curve.

    unlike: the shares of either set that have nothing of the other, beside those of the hull.
    """
    p, q = hull.masses
    if share < 1.0:
        # A mean at fixed λ adds masses; all masses of equal distributions are in one cell.
        p, q = (np.append(share * x, 1.0 - share) for x in (p, q))
    return apart(p, q, unlike)
