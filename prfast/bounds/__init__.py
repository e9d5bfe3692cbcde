"""Bounds of an error on a target from that on a source (2023 paper, §4.4).

adaptation    R_Q <= 1 − F(1 − R_P) (Prop. 24, 25); a φ and a loss (Prop. 28); the φ-Lorenz curve
hypotheses    a finite set of hypotheses: the discrepancy and its bound (Cor. 34)
multipliers   the λ at which a bound is least
losses        losses and their weights, checked
"""

from prfast.bounds.adaptation import (
    AdaptationBound,
    PhiBound,
    adaptation_bound,
    lorenz_bound,
    phi_bound,
    phi_lorenz,
)
from prfast.bounds.hypotheses import HypothesisBound, discrepancy, hypothesis_bound

__all__ = [
    "AdaptationBound",
    "HypothesisBound",
    "PhiBound",
    "adaptation_bound",
    "discrepancy",
    "hypothesis_bound",
    "lorenz_bound",
    "phi_bound",
    "phi_lorenz",
]
