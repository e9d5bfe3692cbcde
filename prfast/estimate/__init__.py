"""From samples to a curve: read, split, fit, score, sweep.

samples ── split ──► fit on one part, score the other ──► scores ──► PRCurve
           split     scores                               method, neighbors

split         which samples train and which are scored
scores        split, fit, score: the one way from samples to scores
record        what a curve says of its making
method        the curve of one method
neighbors     curves of several neighbour methods and k from the same passes
cross_fitted  the curve of scores by fits that have not seen what they score
several       curves of both kinds
methods       curves of any methods, each with its options
curves        the public functions
plug_in       the threshold of the ratio itself, beside the best of all thresholds
choose_k      k of a neighbour method, by cross-validation inside the training half
k_choice      what it found
partition     the cells of k-means, with what lies in them
cells         labels, counts and curves of such cells, run by run
redraw        how much a curve would move if other samples had been scored
paired        scores of models that share their real samples, and such models drawn anew together
intervals     a number of a curve, ± how far it can be trusted
simultaneous  how large the largest of several differences is by chance alone
guard         where curves contradict each other, or the metrics
explain       what made a curve, and what its method cannot see, in words
check         a curve alone against the metrics of a share of its samples

A scorer that cannot see a difference gives a curve that is too high, however exact it is; the
guard and the check say so where something else sees it.
"""

from prfast.estimate.check import Contradiction
from prfast.estimate.curves import pr_curve, pr_curves
from prfast.estimate.guard import contradictions
from prfast.estimate.k_choice import KChoice, choose_k
from prfast.estimate.partition import Cells, partition
from prfast.estimate.plug_in import plug_in

__all__ = [
    "Cells",
    "Contradiction",
    "KChoice",
    "choose_k",
    "contradictions",
    "partition",
    "plug_in",
    "pr_curve",
    "pr_curves",
]
