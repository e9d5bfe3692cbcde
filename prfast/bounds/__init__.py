"""Bounds of an error on a target from that on a source: domain adaptation (2023 paper, §5).

    adaptation    R_Q <= 1 − F(1 − R_P) (Prop. 24, 25); a φ and a loss (Prop. 28); φ-Lorenz curve
    hypotheses    over a finite set of hypotheses: the discrepancy and its bound (Cor. 34)
    margin        a loss with the triangle inequalities that these need (Eq. 33)
    multipliers   λ of the source: where a bound is least, and its value there
    roots         where a falling function has given values, for λ without a closed form
    losses        losses of a side and the masses of its samples, checked; their means

Source and target are the real and the generated side of a curve: `pr_curve(source, target)`.  Every
bound is a minimum over how many times, λ, the source is counted:

    R_Q  <=  λ × a risk on the source  +  what the target has beyond λ times the source
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
