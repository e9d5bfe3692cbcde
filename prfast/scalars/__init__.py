"""Scalar metrics: precision, recall, density, coverage and their relatives, and distances.

X are the N real and Y the M generated samples, r_k^S(s) is the distance of s from its k-th nearest
other point of S.  All samples are used, without a split; a point is never its own neighbor.  The
docstring of `metrics` has the formula of each metric, and the sources.  The set around whose points
balls are, and the set of the mean, make four kinds:

                     mean over Y                            mean over X
    balls around X   x whose ball holds y: precision,       y in the ball of x: coverage,
                     density, p_precision                   recall_cover
    balls around Y   x in the ball of y: precision_cover,   y whose ball holds x: recall,
                     complementary_precision                p_recall

`metrics` (api, options) ─► passes over all pairs (measure), by the rows of table ─► `Metrics`.
Metrics of both sets as wholes: supports, distances (kernel), moments, by blocks; errors: halves.
`copies` (memorization) has p-values by labels drawn anew (permutations).
"""

from prfast.scalars.api import metrics, realism
from prfast.scalars.measure import Metrics
from prfast.scalars.memorization import Copies, copies
from prfast.scalars.table import NAMES

__all__ = ["NAMES", "Copies", "Metrics", "copies", "metrics", "realism"]
