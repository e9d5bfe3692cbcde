"""Divergences of the two distributions of a curve, and the frontiers they draw (2023 paper, §4).

φ-divergences, a number each:

    phi         a convex function φ with its limits, its dual, its conjugate, their derivatives
    table       those that have names: Table 1 and Tsallis' family
    given       one that a user gives
    conjugates  does the conjugate fit that a user gives with it?
    choose      the φ that a caller names or gives
    sums        D_φ(P‖Q) = Σ q_i φ(p_i/q_i) + φ(0) Q(p = 0) + φ◇(0) P(q = 0)
    critics     a lower bound of D_φ by the values of any function (Eq. 23), shifted at best
    bayes_error B_π = Σ min(π p_i, (1 − π) q_i), the best error of a classifier, and DeGroot's gain

    least       the minimum of a convex function of a number

A divergence is a sum over the cells of a curve, so merging cells, which raises the curve, lowers
every one of them (Corollary 19).

Frontiers, pairs of divergences between P, Q and every compromise between the two:

    exclusive   (D_a(μ‖Q), D_a(μ‖P)): Rényi's and Tsallis' of any order a, Kullback-Leibler at 1
    path        the compromises μ_θ of an order, on the common support (Proposition 21)
    renyi       D_a of every row of masses, from logarithms, and Tsallis' from it
    inclusive   (KL(Q‖R), KL(P‖R)) over mixtures R: MAUVE
    numerics    sums of logarithms, parameters dense about 0

            numerics ─┬─► path ──────┐
                      ├─► renyi ─────┴─► exclusive      a kind of pair and its order
                      └─► inclusive

Order ∞ of the exclusive ones is the PR curve itself, as (−log α, −log β) (Theorem 11).
"""

from prfast.divergences.bayes_error import degroot, degroot_information, f1_score
from prfast.divergences.choose import phi_function
from prfast.divergences.critics import CriticBound, critic_bound
from prfast.divergences.exclusive import Frontier, renyi_frontier, tsallis_frontier
from prfast.divergences.inclusive import InclusiveFrontier, mauve_frontier
from prfast.divergences.sums import Divergences, divergence_table, phi_divergence

__all__ = [
    "CriticBound",
    "Divergences",
    "Frontier",
    "InclusiveFrontier",
    "critic_bound",
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
