"""Divergences of the two distributions of a curve, and divergence frontiers (2023 paper, §4).

φ-divergences D_φ(P‖Q) = Σ q_i φ(p_i/q_i) + φ(0) Q(p = 0) + φ◇(0) P(q = 0) are sums over the cells
of a curve, so merging cells, which raises the curve, lowers all of them (Corollary 19).  Frontiers
are pairs of divergences between P, Q and their compromises: exclusive, (D_a(μ‖Q), D_a(μ‖P)), and
inclusive, (D_a(Q‖R), D_a(P‖R)).  The exclusive frontier of order ∞ is the PR curve itself, as
(−log α, −log β) (Theorem 11).

    renyi       Rényi's and Tsallis' divergences D_a of rows of masses, from logarithms; the
                compromises, power means of P and Q (Proposition 21); the points of both frontiers
    phi         the convex functions φ with their duals, conjugates and derivatives: Table 1,
                Tsallis' family (Eq. 17) and the frontier integral
    conjugates  a φ that is a Python function, and validation of it and of its conjugate
    critics     D_φ, and its lower bound by the values of any function, a critic (Eq. 23)
    frontiers   the frontiers of any order as results, MAUVE with its area, interpolated
                φ-divergences (D_φ(Q‖R_λ), D_φ(P‖R_λ)), and B_π = Σ min(π p_i, (1 − π) q_i), the
                error of the best classifier, with DeGroot's information

    renyi ─► phi ─► conjugates ─► critics ─► frontiers
"""

from prfast.divergences.critics import (
    CriticBound,
    Divergences,
    critic_bound,
    divergence_table,
    phi_divergence,
    phi_function,
)
from prfast.divergences.frontiers import (
    Frontier,
    InclusiveFrontier,
    degroot,
    degroot_information,
    f1_score,
    interpolated_frontier,
    mauve_frontier,
    renyi_frontier,
    tsallis_frontier,
)
from prfast.divergences.phi import Phi

__all__ = [
    "CriticBound",
    "Divergences",
    "Frontier",
    "InclusiveFrontier",
    "Phi",
    "critic_bound",
    "degroot",
    "degroot_information",
    "divergence_table",
    "f1_score",
    "interpolated_frontier",
    "mauve_frontier",
    "phi_divergence",
    "phi_function",
    "renyi_frontier",
    "tsallis_frontier",
]
