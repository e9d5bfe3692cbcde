"""Scalar metrics: precision, recall, density, coverage and their relatives, and distances.

X are the N real and Y the M generated samples, r_k^S(s) is the distance of s from its k-th nearest
other point of S.  All samples are used, without a split; a point is never its own neighbor.  Every
metric is the mean over the samples of one set of a share that depends on the points of the other
set.  The set around whose points the balls are, and the set of the mean, make four kinds:

                     mean over Y                            mean over X
    balls around X   x whose ball holds y: precision,       y in the ball of x: coverage,
                     density, p_precision                   recall_cover
    balls around Y   x in the ball of y: precision_cover,   y whose ball holds x: recall,
                     complementary_precision                p_recall

Others are functions of both sets as wholes, to which no sample has a share.  The docstring of
`metrics` has the formula of each, and the sources.

    api         the public functions `metrics` and `realism`; their options, checked
    options     the types of options, and of the inputs of metrics of both sets as wholes
    measure     samples that have been read -> `Metrics`: shared passes over the distances
    halves      split-half errors
    table       the metrics by name, a row each; the type of shares
    blocks      blocks of rows, sums over pairs of blocks
    moments     the Fréchet distance
    kernel      sums of kernels over pairs, and their distance with its standard error
    distances   the kernel distances and the sliced distance
    supports    nearest and narrow balls; clipped coverage as a share; α-precision and β-recall
    memorization  copies: a test of whether generated samples are copies of training samples
    copied        its result, and what it says
    permutations  p-values by labels drawn anew
"""

from prfast.scalars.api import metrics, realism
from prfast.scalars.copied import Copies
from prfast.scalars.measure import Metrics
from prfast.scalars.memorization import copies
from prfast.scalars.table import NAMES

__all__ = ["NAMES", "Copies", "Metrics", "copies", "metrics", "realism"]
