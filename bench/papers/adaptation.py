"""Errors on a target from those on a source: Eq. 20, Proposition 25, fewer sets (2023 paper, §5.2).

The section reads its example off a figure with α_1 ≈ 0.38: Eq. 20 says R_Q <= R_P + 1.24, which
is nothing; Proposition 25 says R_P + 0.62 at λ = 1 and less at the best λ, far from 1.  To restrict
the sets of errors to those that hypotheses can make is named there as the next step.

Here the source is all of scikit-learn's digits alike and the target the same digits weighted by
e^(t ink), ink standardized, t such that α_1 = 0.38, so that the first two numbers are arithmetic;
both distributions are known, and so is every number.  For each digit d a logistic regression scores
"is it d?", and the hypotheses are the thresholds of this score.  Two thresholds differ on an
interval of scores, so with the best threshold for both domains, h*,

    R_Q  <=  1 − F_intervals(1 − R_P − R_P(h*)) + R_Q(h*)
"""

from argparse import Namespace
from typing import Any

import numpy as np

from bench.report import Figure, Findings
from prfast import PRCurve
from prfast.cli import demo
from prfast.theory import adaptation_bound, lorenz_bound

ALPHA = 0.38
NAMES = {"loose": "Eq. 20", "one": "λ = 1", "best": "Prop. 25", "restricted": "intervals and h*"}


def run(options: Namespace) -> Findings:
    pixels, labels = demo.digits()
    if options.tiny:
        pixels, labels = pixels[:300], labels[:300]
    p = np.full(len(pixels), 1 / len(pixels))
    q = inky(pixels)
    curve = PRCurve.from_masses(p, q)
    digits = (8, 0) if options.tiny else range(10)
    every = {digit: Thresholds(pixels, labels == digit, p, q, curve) for digit in digits}
    rows = [row_of(digit, thresholds) for digit, thresholds in every.items()]
    return Findings({}, figures_of(rows, every, curve), [], rows)


def inky(pixels: Any) -> Any:
    """Masses e^(t ink) of the images, t such that α_1 = 0.38."""
    from scipy.optimize import brentq

    ink = pixels.sum(axis=1)
    ink = (ink - ink.mean()) / ink.std()

    def masses(t: float) -> Any:
        results = np.exp(t * ink)
        return results / results.sum()

    return masses(brentq(lambda t: np.minimum(masses(t), 1 / len(ink)).sum() - ALPHA, 0.1, 9.0))


class Thresholds:
    """The risks of every threshold of one score, and the curve of intervals."""

    def __init__(self, pixels: Any, labels_of_digit: Any, p: Any, q: Any, curve: Any) -> None:
        from sklearn.linear_model import LogisticRegression

        model = LogisticRegression(C=0.01, max_iter=2000).fit(pixels, labels_of_digit)
        score = model.decision_function(pixels)
        order = np.argsort(score)
        up_to = [np.append(0, np.minimum(np.cumsum(side[order]), 1)) for side in (p, q)]
        low, high = np.triu_indices(len(order) + 1, 1)
        source, target = (cumulated[high] - cumulated[low] for cumulated in up_to)
        self.intervals = PRCurve.from_rates(source, 1 - target)
        self.curve = curve
        self.risks = [
            np.append(0, np.cumsum((side * labels_of_digit)[order]))
            + np.append(np.cumsum((side * ~labels_of_digit)[order][::-1])[::-1], 0)
            for side in (p, q)
        ]
        self.fitted = int(np.searchsorted(score[order], 0.0))
        self.star = int(np.argmin(self.risks[0] + self.risks[1]))

    def bounds(self, risk: Any) -> dict[str, Any]:
        """Each bound of R_Q at source risks R_P."""
        near, far = self.risks[0][self.star], self.risks[1][self.star]
        total = self.curve.total_variation
        inside = lorenz_bound(self.intervals, np.minimum(risk + near, 1.0)) + far
        return {
            "loose": risk + 2 * total,
            "one": risk + total,
            "best": lorenz_bound(self.curve, risk),
            "restricted": inside,
        }


def row_of(digit: int, thresholds: Thresholds) -> dict[str, Any]:
    """Return the fitted threshold."""
    risk, far = (float(side[thresholds.fitted]) for side in thresholds.risks)
    results = {name: float(value) for name, value in thresholds.bounds(risk).items()}
    lam = adaptation_bound(thresholds.curve, risk).lam
    star = float(thresholds.risks[1][thresholds.star])
    return {"digit": digit, "R_P": risk, "R_Q": far, "λ*": lam, "R_Q(h*)": star} | results


def figures_of(rows: list[dict[str, Any]], every: Any, curve: Any) -> list[Figure]:
    total = curve.total_variation
    excess = {
        name: max(
            float((thresholds.risks[1] - thresholds.bounds(thresholds.risks[0])[name]).max())
            for thresholds in every.values()
        )
        for name in NAMES
    }
    mean = {name: float(np.mean([row[name] for row in rows])) for name in ("R_P", "R_Q", *NAMES)}
    gain = [row["one"] - row["best"] for row in rows]
    return [
        Figure("Eq. 20, bound − R_P (the paper: 1.24)", 2 * total, at_least=1.235, at_most=1.245),
        Figure("λ = 1, bound − R_P (the paper: 0.62)", total, at_least=0.615, at_most=0.625),
        Figure("least gain of λ* over λ = 1", min(gain), at_least=0.0),
        Figure("least λ*", min(row["λ*"] for row in rows), at_least=1.0),
        *(
            Figure(f"{NAMES[name]}: largest R_Q − bound of a threshold", value, at_most=1e-12)
            for name, value in excess.items()
        ),
        *(Figure(f"mean {NAMES.get(name, name)}", value) for name, value in mean.items()),
        Figure(
            "digits for which intervals and h* are below Prop. 25",
            float(sum(row["restricted"] < row["best"] for row in rows)),
        ),
    ]
