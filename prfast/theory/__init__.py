"""The duality between divergences, classifiers and curves of the 2023 paper, from a `PRCurve`.

Arguments of another type, shape or range than documented raise TypeError or ValueError.

    tradeoffs    the Lorenz curve, the ROC curve, mode collapse regions (2023, §3); min_sums
    renyi        Rényi's and Tsallis' divergences, compromises, points of frontiers (§2.2, §4.3)
    phi          the convex functions φ with their duals, conjugates and derivatives (Table 1)
    divergences  φ-divergences (Definition 15), frontiers, MAUVE, DeGroot's error
    adaptation   bounds of the error on a target by that on a source (§5); the φ-Lorenz curve
    hypotheses   critics, the margin loss, bounds over a class of hypotheses (§5.3)
"""

from prfast.theory.adaptation import (
    AdaptationBound,
    PhiBound,
    adaptation_bound,
    in_phi_lorenz_diagram,
    lorenz_bound,
    phi_bound,
    phi_lorenz,
)
from prfast.theory.divergences import (
    Divergences,
    Frontier,
    InclusiveFrontier,
    degroot,
    degroot_information,
    divergence_table,
    mauve_frontier,
    phi_divergence,
    renyi_divergence,
    renyi_frontier,
    tsallis_frontier,
)
from prfast.theory.hypotheses import (
    HypothesisBound,
    critic_bound,
    discrepancy,
    hypothesis_bound,
    margin_loss,
)
from prfast.theory.phi import Phi, phi_function
from prfast.theory.tradeoffs import Lorenz, Roc, in_mode_collapse_region, lorenz, min_sums, roc

__all__ = [
    "AdaptationBound",
    "Divergences",
    "Frontier",
    "HypothesisBound",
    "InclusiveFrontier",
    "Lorenz",
    "Phi",
    "PhiBound",
    "Roc",
    "adaptation_bound",
    "critic_bound",
    "degroot",
    "degroot_information",
    "discrepancy",
    "divergence_table",
    "hypothesis_bound",
    "in_mode_collapse_region",
    "in_phi_lorenz_diagram",
    "lorenz",
    "lorenz_bound",
    "margin_loss",
    "mauve_frontier",
    "min_sums",
    "phi_bound",
    "phi_divergence",
    "phi_function",
    "phi_lorenz",
    "renyi_divergence",
    "renyi_frontier",
    "roc",
    "tsallis_frontier",
]
