"""From samples to a curve: read, split, fit, score, sweep.

    samples ── split ──► fit on one part, score the other ──► Scores ──► PRCurve
               methods.base, methods                          methods.base

    curves        the public functions pr_curve and pr_curves
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

__all__ = ["Contradiction", "contradictions", "pr_curve", "pr_curves"]
