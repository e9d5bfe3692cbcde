"""From samples to a curve: read, split, fit, score, sweep.

split       which samples train and which are scored
curves      scores of the evaluation samples -> PRCurve
"""

from prfast.estimate.curves import pr_curve, pr_curves

__all__ = ["pr_curve", "pr_curves"]
