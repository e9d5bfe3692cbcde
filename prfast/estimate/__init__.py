"""From samples to a curve: read, split, fit, score, sweep.

samples ── split ──► fit on one part, score the other ──► scores ──► PRCurve
           split     scores                               method, neighbors

split         which samples train and which are scored
scores        split, fit, score: the one way from samples to scores
record        what a curve says of its making
method        the curve of one method
neighbors     curves of several neighbour methods and k from the same passes
curves        the public functions
redraw        how much a curve would move if other samples had been scored
paired        scores of models that share their real samples, and such models drawn anew together
spreads       standard deviations of the numbers of several curves, and of their differences
intervals     a number of a curve, ± how far it can be trusted
simultaneous  how large the largest of several differences is by chance alone
"""

from prfast.estimate.curves import pr_curve, pr_curves

__all__ = ["pr_curve", "pr_curves"]
