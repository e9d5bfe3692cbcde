"""Reference distributions: pairs whose exact curve is known, and samples of them.

The likelihood ratio is the perfect scorer (2019, Theorem 4), so the curve is exact where the
distribution of the ratio is known: each class partitions the space into cells between level sets of
the ratio and makes a PRCurve of their masses.  Every class has

    curve(...)                              the PRCurve of P (real) and Q (generated)
    sample(n, m=None, random_state=0)       n points of P and m (default n) of Q, (n, d) arrays
    log_ratio(points)                       ln dP/dQ at points, a perfect scorer

Arguments of another type, shape or range than documented raise TypeError or ValueError.

    mixtures    the classes: densities of the user, finitely many cells, mixtures of Gaussians, two
                Gaussians, N(0, I) and N(μ, I) of the 2024 paper's Table 1, and TOYS, the six pairs
                of the 2018 paper's Fig. 2
    nearest     curves of mixtures along a line, and the limit of the kNN classifier for a curve
                whose cells are level sets of the ratio
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
