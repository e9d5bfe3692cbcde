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

    precision, recall, realism            some ball, radius r_k                 Kynkäänniemi 2019
    density, coverage                     how many balls / k; some point        Naeem 2020
    complementary_, symmetric_precision   the own ball of y; the smaller        Khayatkhoei 2023
    precision_cover, recall_cover         k or more in the own ball r_{k′}      Cheema 2023
    p_precision, p_recall                 1 − Π min(1, d/R_S), R_S = a · mean r_k^S     Park 2023

    authenticity                          1 − share of y in the ball r_1 of its nearest x Alaa 2022
    clipped_density, clipped_coverage     min(1, balls / k), as a share of good samples  Salvy 2026

Others are functions of both sets as wholes, to which no sample has a share:

    alpha_precision       shares in balls around the mean of X            Alaa 2022      `supports`
    beta_recall           the same of X near to Y, around the mean of Y   Alaa 2022      `supports`
    frechet_distance      |μ − ν|² + tr(S + T − 2 (S T)^½), FD or FID     Heusel 2017    `moments`
    kernel_distance       squared MMD of (x·y / d + 1)³, unbiased, KID    Bińkowski 2018 `kernel`
    gaussian_distance     squared MMD of exp(−|x − y|² / 2σ²), unbiased   Gretton 2012   `distances`
    sliced_distance       squared Wasserstein on lines, without bias      Rabin 2011     `distances`

Each metric is a row of `table`, and everything else follows from the rows: a new metric is a row
there, with a function of the counts if its share is a new one, or with a function in a file of its
own if it is one of both sets as wholes.

    api         the public functions `metrics` and `realism`; their options, checked
    options     the types of options, and of the inputs of metrics of both sets as wholes
    measure     samples that have been read -> `Metrics`: shared passes over the distances
    halves      split-half errors
    table       the metrics by name, a row each; the type of shares
    moments     the Fréchet distance; sums over blocks of rows
    kernel      sums of kernels over pairs, and their distance with its standard error
    distances   the kernel distances and the sliced distance
    supports    nearest and narrow balls; clipped coverage as a share; α-precision and β-recall

Beside the table:

    memorization  copies: a test of whether generated samples are copies of training samples
    permutations  p-values by labels drawn anew
"""

from prfast.scalars.api import metrics, realism
from prfast.scalars.measure import Metrics
from prfast.scalars.memorization import Copies, copies
from prfast.scalars.table import NAMES

__all__ = ["NAMES", "Copies", "Metrics", "copies", "metrics", "realism"]
