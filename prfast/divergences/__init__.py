"""Divergences of the two distributions of a curve, and the frontiers they draw (2023 paper, §4).

φ-divergences, a number each:

    phi         a convex function φ with its limits, its dual, its conjugate, their derivatives
    table       those that have names: Table 1 and Tsallis' family
    integral    that of the frontier integral
    given       one that a user gives
    conjugates  does the conjugate fit that a user gives with it?
    choose      the φ that a caller names or gives
    sums        D_φ(P‖Q) = Σ q_i φ(p_i/q_i) + φ(0) Q(p = 0) + φ◇(0) P(q = 0)
    critics     a lower bound of D_φ by the values of any function (Eq. 23), shifted at best
    least       the minimum of a convex function of a number, for the best shift
    bayes_error B_π = Σ min(π p_i, (1 − π) q_i), the best error of a classifier, and DeGroot's gain

A divergence is a sum over the cells of a curve, so merging cells, which raises the curve, lowers
every one of them (Corollary 19).

Frontiers, pairs of divergences between P, Q and every compromise between the two:

    frontiers   Rényi's and Tsallis' of any order a: exclusive, (D_a(μ‖Q), D_a(μ‖P)), and
                inclusive, (D_a(Q‖R), D_a(P‖R)); Kullback-Leibler at 1
    mauve       the inclusive ones as exp(−c D), and their area: MAUVE at order 1
    interpolated (D_φ(Q‖R_λ), D_φ(P‖R_λ)) over the mixtures R_λ
    pairs       the points of both kinds, from Rényi's divergences
    compromises power means of P and Q of an exponent (Proposition 21)
    renyi       D_a of every row of masses, from logarithms, and Tsallis' from it
    numerics    sums of logarithms, parameters dense about 0

    phi ─┬─► integral ─► table ─┬─► given ─► choose ─┬─► sums ───────┐
         └─► conjugates ────────┘                    ├─► critics     │
                                             least ──┘               │
    numerics ─┬─► compromises ─┬─► pairs ─┬─► frontiers ─────────────┴─► interpolated
              └─► renyi ───────┘          └─► mauve

`bayes_error` is made of curves alone.

Order ∞ of the exclusive ones is the PR curve itself, as (−log α, −log β) (Theorem 11).
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
