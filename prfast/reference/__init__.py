"""Ground truth: pairs of distributions whose exact curve is known, and samples of them.

The likelihood ratio is the perfect scorer (2019 paper, Theorem 4), so the curve is exact where the
ratio's distribution is: each class here cuts the space into cells between level sets of the ratio
and hands their masses to PRCurve.  Every class has

    curve(...)                              the PRCurve of P (real) and Q (generated)
    sample(n, m=None, random_state=0)       n points of P and m (default n) of Q, (n, d) arrays
    log_ratio(points)                       ln dP/dQ at points, a perfect scorer

    discrete    finitely many cells
    toys        the six pairs of the 2018 paper's Fig. 2, TOYS["a"] to TOYS["f"]
    shift       N(0, I) and N(μ, I): the pair of the 2024 paper's Table 1
    densities   densities that a user gives
    mixtures    mixtures of Gaussians of one covariance or of several, and two Gaussians
    nearest     what the kNN classifier comes to, of a curve whose cells are those of the ratio
    level_sets  cells between level sets of a log-ratio that is known along a line
    arguments   what the classes are given, checked
"""

from prfast.reference.mixtures import (
    TOYS,
    Densities,
    Discrete,
    GaussianMixtures,
    Gaussians,
    GaussianShift,
)
from prfast.reference.nearest import knn_limit, knn_risk

__all__ = [
    "TOYS",
    "Densities",
    "Discrete",
    "GaussianMixtures",
    "GaussianShift",
    "Gaussians",
    "knn_limit",
    "knn_risk",
]
