"""The one object: masses (p_i, q_i) on the level sets of the likelihood ratio, by falling ratio.

    scores, masses, rates ──► cells ──► PRCurve ──► at, area, F_β, median, IoU, …
                              sort,      the vertices (a_i, b_i) of
                              pool       the error-rate polyline

With a_i = Σ_{j≤i} p_j and b_i = Σ_{j>i} q_j every number of the curve α_λ = min_i (λ a_i + b_i) has
a closed form (2019 paper, Theorem 4; 2023 paper, Theorem 13); nothing is computed from a grid of λ.

    cells       scores, masses and rates -> pooled cells
    masses      what a curve holds: the cells, their vertices, what made them
    record      ... as JSON
    polyline    the curve read off its vertices: α_λ, precision at a recall, F_β
    arcs        closed forms arc by arc, between neighbouring ratios: area, median
    outline     points for drawing and exchange
    picture     a small picture of lines, as SVG
    readings    its points and numbers, as methods
    scored      how many samples are behind a curve, and what is known of their scorer
    bands       bounds of error rates from counts, at all thresholds at once
    proved      ... as curves: what the samples prove
    curve       PRCurve: how to make one, and to show it
    summary     the numbers of a curve that tables show, a row each
    interval    a number and where it may lie
    minsum      α of two histograms at many λ
"""

from prfast.curve.curve import Interval, PRCurve, read_curve
from prfast.curve.masses import Vertices
from prfast.curve.polyline import Grid
from prfast.curve.readings import min_sums

__all__ = ["Grid", "Interval", "PRCurve", "Vertices", "min_sums", "read_curve"]
