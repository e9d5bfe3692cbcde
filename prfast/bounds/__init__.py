"""Bounds of an error on a target from that on a source: domain adaptation (2023 paper, §5).

    adaptation    R_Q <= 1 − F(1 − R_P) (Prop. 24, 25); bounds with a φ and a loss (Prop. 28); the
                  φ-Lorenz curve; the margin loss (Eq. 33)
    hypotheses    bounds over a finite set of hypotheses by their discrepancy (Cor. 34)
    multipliers   the multiplier λ of the source for which a bound is smallest, and the bound there

Source and target are the real and the generated side of a curve: `pr_curve(source, target)`.  Every
bound is a minimum over the multiplier λ of the source:

    R_Q  <=  λ × a risk on the source  +  the target mass beyond λ times the source
                                          1 − α_λ, or D_φ(Q‖λP) of a φ
"""

from prfast.bounds.adaptation import (
    AdaptationBound,
    PhiBound,
    adaptation_bound,
    in_phi_lorenz_diagram,
    lorenz_bound,
    margin_loss,
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
    "in_phi_lorenz_diagram",
    "lorenz_bound",
    "margin_loss",
    "phi_bound",
    "phi_lorenz",
]
