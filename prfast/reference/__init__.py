"""Reference distributions: pairs whose exact curve is known, and samples of them.

The likelihood ratio is the perfect scorer (2019, Theorem 4), so the curve is exact where the masses
of its level sets are known.  Every class has

    curve(...)                              the PRCurve of P (real) and Q (generated)
    sample(n, m=None, random_state=0)       n points of P and m (default n) of Q, (n, d) arrays
    log_ratio(points)                       ln dP/dQ at points, a perfect scorer

Arguments of another type, shape or range than documented raise TypeError or ValueError.

    mixtures    the classes, and TOYS, the six pairs of the 2018 paper's Fig. 2
    nearest     curves of mixtures along a line, and the limit of the kNN classifier
    papers      experiments of the papers on samples: choose_k, plug_in, partition
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
