"""Reference distributions: pairs whose exact curve is known, and samples of them.

The likelihood ratio is the perfect scorer (2019, Theorem 4), so the curve is exact where the masses
of its level sets are known.  Every class has

    curve(...)                              the PRCurve of P (real) and Q (generated)
    sample(n, m=None, random_state=0)       n points of P and m (default n) of Q, (n, d) arrays
    log_ratio(points)                       ln dP/dQ at points, a perfect scorer

Arguments of another type, shape or range than documented raise TypeError or ValueError.
"""

from prfast.reference import papers
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
    "papers",
]
