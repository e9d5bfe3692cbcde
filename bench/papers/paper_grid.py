"""The 2024 paper's reading of a curve: a coarse grid of angles, an IoU on lines between points.

The paper states Eq. 9, α_λ = min over γ of λ fpr(f_γ) + fnr(f_γ), "λ = atan(θ) and γ uniformly
sampled" (App. B), f_γ(z) = [γ s_P(z) >= s_Q(z)], strict where γ < 1 (§3.1), and the two constant
classifiers always added (§3.2).  It does not state the number of angles, what happens at 0 and
π/2, or how the IoU is read off.  This is a reading that reproduces its Table 1 with a split; the
number of angles is a fit, and any odd number from 11 to 19 is about as close:

    17 angles for λ and for γ alike, 0 and π/2 among them
    at every λ the minimum over all γ and both constants; at λ = ∞ over those of fpr = 0, at λ = 0
        over those of fnr = 0
    straight lines between the points in order of recall, precision 0 beyond the last
    IoU = Σ min / Σ max of precision at 111 recalls in [0, 1], the truth treated the same way
"""

from typing import Any

import numpy as np

ANGLES, RECALLS = 17, 111


def slopes() -> Any:
    """tan of the angles, with an exact 1 and ∞."""
    result = np.tan(np.linspace(0, np.pi / 2, ANGLES))
    result[ANGLES // 2], result[-1] = 1.0, np.inf
    return result


def grid_line(real_scores: Any, fake_scores: Any) -> Any:
    """Precision at the recalls, from scores s = s_P / s_Q, which are 1 where both are 0.

    So γ s_P >= s_Q is s >= 1/γ for γ >= 1, and strictly s > 1/γ below, 0/0 included.  At γ = ∞ it
    is s_P > 0 or 0/0, at γ = 0 it is s_Q = 0 without 0/0: the scalar metrics.
    """
    gamma = slopes()
    rates = []
    for scores in (real_scores, fake_scores):
        accepted = [np.isinf(scores)]
        for threshold in gamma[1:-1]:
            accepted.append(scores >= 1 / threshold if threshold >= 1 else scores > 1 / threshold)
        rates.append(np.mean([*accepted, scores > 0], axis=1))
    # The constants: nothing is real, everything is.
    fpr, fnr = np.append(1 - rates[0], [1, 0]), np.append(rates[1], [0, 1])
    lam = gamma[1:-1]
    alpha = (lam[:, None] * fpr + fnr).min(axis=1)
    return polyline(lam, alpha, fpr[fnr == 0].min(), fnr[fpr == 0].min())


def truth_line(truth: Any) -> Any:
    """Return the same of a pair whose α is known and whose supports are everything."""
    lam = slopes()[1:-1]
    return polyline(lam, truth.alpha(lam), 1.0, 1.0)


def polyline(lam: Any, alpha: Any, max_recall: float, max_precision: float) -> Any:
    """Precision at the recalls, on straight lines between the points in order of recall."""
    recall = np.concatenate([[max_recall], alpha / lam, [0.0]])
    precision = np.concatenate([[0.0], alpha, [max_precision]])
    order = np.lexsort((-precision, recall))
    at = np.linspace(0, 1, RECALLS)
    return np.interp(at, recall[order], precision[order], right=0.0)


def iou(first: Any, second: Any) -> float:
    return float(np.minimum(first, second).sum() / np.maximum(first, second).sum())
