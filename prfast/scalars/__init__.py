"""Scalars: precision, recall, density, coverage and their relatives, and distances.

X are the N real and Y the M generated samples, r_k^S(s) is the distance of s from its k-th nearest
other point of S.  All data, no split; a point is never its own neighbour.  Every metric is the mean
over one set of what the points of the other set say of each sample; whose balls are looked at, and
whose mean it is, makes four of them:

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

    authenticity                          1 less: the ball r_1 of the nearest x holds y   Alaa 2022

Two are of both sets as wholes, and no sample has a share of them:

    frechet_distance      |μ − ν|² + tr(S + T − 2 (S T)^½), FD or FID     Heusel 2017    `moments`
    kernel_distance       squared MMD of (x·y / d + 1)³, unbiased, KID    Bińkowski 2018 `kernel`

A row of `table` says it for each metric, and everything else follows the rows: a new metric is a
row there, with a function in `shares` if it makes something new of a count, or in a file of its own
if it is of wholes.

    wanted      the options, as they are once they have been read
    shares      what each sample adds to a metric
    table       the metrics by name, a row each
    options     reads them
    passes      the passes over the distances that count for all metrics at once
    nearest     which generated samples lie in the ball of their nearest real one
    estimate    two sets as wholes, what is kept of the real one, what is found
    moments     the Fréchet distance
    kernel      the kernel distance, over all pairs or of subsets
    kernel_error, sums     its standard error; its sums over blocks
    parts       blocks of rows, and what is found of each on threads, or where they are
    measure     samples that have been read -> shares, their means, how they were made
    halves      how far they would move with other samples;  errors: ... or their own error
    api         the public function `metrics`
    realism     a number for each generated sample
    result      names and values, with how they were made
"""

from prfast.scalars.api import metrics, realism
from prfast.scalars.result import Metrics
from prfast.scalars.table import NAMES

__all__ = ["NAMES", "Metrics", "metrics", "realism"]
