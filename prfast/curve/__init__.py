"""PRCurve: masses (p_i, q_i) on the level sets of the likelihood ratio q / p, by falling ratio.

    scores, masses, rates ──► cells ──► PRCurve ──► at, area, F_β, median, IoU, …
                              sort,      the vertices (a_i, b_i) of
                              pool       the error-rate polyline

Every number of α_λ = min_i (λ a_i + b_i) has a closed form (2019, Theorem 4; 2023, Theorem 13).

    masses      scores, masses and rates to cells
    polyline    closed forms of arcs: area, median, outline
    numbers     numbers and points of a curve, or of a stack of curves
    bands       confidence bounds of error rates, at all thresholds at once
    provenance  Provenance, how a curve was made, as attributes
    summary     table of the numbers of a curve that are shown, a row each; Interval
    curve       PRCurve: constructors, record, operations, bounds, output
    picture     small plot of lines as SVG, without matplotlib
"""

from prfast.curve.curve import PRCurve, read_curve
from prfast.curve.numbers import Grid, Vertices
from prfast.curve.provenance import Provenance
from prfast.curve.summary import Interval

__all__ = ["Grid", "Interval", "PRCurve", "Provenance", "Vertices", "read_curve"]
