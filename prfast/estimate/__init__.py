"""From samples to a curve: read, split, fit, score, sweep.

    samples ── split ──► fit on one part, score the other ──► Scores ──► PRCurve
               methods.splits, methods                        methods.base

    curves        the public functions pr_curve and pr_curves
    plug_in       precision and recall at the threshold of the ratio itself
    k_choice      choose_k: k of a neighbour method, by cross-validation in the training half
    partition     partition: the cells of k-means, with labels, counts and curves of every run
    intervals     bootstrap confidence intervals; paired bootstrap of models; max-t
    guard         contradictions between curves, and between curves and metrics
    check         checks of every curve: a caution where precision and coverage contradict it
    details       the noise test of `check`, for low curves of "auto"
    explain       method and limits of a curve in words; curves as text and HTML

A scorer that does not detect a difference returns a curve that is too high, however exact it is;
`guard` and `check` warn where something else detects it.
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
