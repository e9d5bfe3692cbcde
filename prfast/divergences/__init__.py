"""Divergences of the two distributions of a curve, and the frontiers they draw (2023 paper, §4).

    phi         convex functions φ: Table 1, Tsallis, a user's own
    sums        D_φ(P‖Q) = Σ q_i φ(p_i/q_i) + φ(0) Q(p = 0) + φ◇(0) P(q = 0); DeGroot's information
    frontiers   Rényi, Tsallis and MAUVE's: (D(μ‖P), D(μ‖Q)) over compromises μ between P and Q

A divergence is a sum over the cells of a curve, so merging cells, which raises the curve, lowers
every one of them (Corollary 19).
"""

from prfast.divergences.frontiers import (
    Frontier,
    InclusiveFrontier,
    mauve_frontier,
    renyi_frontier,
    tsallis_frontier,
)
from prfast.divergences.phi import phi_function
from prfast.divergences.sums import (
    Divergences,
    degroot,
    degroot_information,
    divergence_table,
    f1_score,
    phi_divergence,
)

__all__ = [
    "Divergences",
    "Frontier",
    "InclusiveFrontier",
    "degroot",
    "degroot_information",
    "divergence_table",
    "f1_score",
    "mauve_frontier",
    "phi_divergence",
    "phi_function",
    "renyi_frontier",
    "tsallis_frontier",
]
