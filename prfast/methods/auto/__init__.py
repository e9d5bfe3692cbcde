"""The automatic estimator: a cross-fitted log-ratio log dP/dQ that needs no choices.

Every published scorer is blind to something.  Here a library of simple base learners (bases), each
sensitive to another kind of difference, is stacked into one score (`docs/auto.md`):

    Pair ─► folds ─► coordinates ─► bases ─► columns ─► stack ─► s ≈ log dP/dQ ─► readout ─► curve

Let each fold be scored by a fit on other samples only.  Then λ fpr + fnr at a fixed threshold is at
least α_λ in expectation (2019, Theorem 5).  The hull, the minimum over thresholds, is lower by its
noise.  The meta-learner is not quite such a fit: it learns from columns of the other folds, whose
fits used this fold.  Hence its monotone maps and slopes >= 0, and no certificate for the hull.
"""

from prfast.methods.auto.estimator import Auto

__all__ = ["Auto"]
