"""The automatic estimator: a cross-fitted log-ratio log dP/dQ that needs no choices.

Every published scorer is blind to something: in high dimension all neighbors of every point may be
real ones, and noise then scores as perfect.  Here a library of simple base learners (bases), each
sensitive to another kind of difference, is stacked into one score.  Each sample is scored by a fit
without its fold, so that fitting noise gains next to nothing:

    Pair ─► folds ─► coordinates ─► bases ─► columns ─► stack ─► s ≈ log dP/dQ ─► readout ─► curve

    folds        the fold of each row, and the rows that are fitted to
    coordinates  views of points, without labels; `modes`, the clusters of both sets
    bases        LIBRARY, the bases by name; `ridge`, `densities` and `counts` have their classes
    crossfit     what a base is, and the loop that leaves out each fold
    stack        monotone maps of columns, and slopes >= 0
    model        the fit, in threads; Model, which scores points of any sample
    readout      the hull of the scores, shrunk for want of evidence
    large        units that are a large share of a set
    estimator    Auto and its result, AutoScores; the memory of a fit

Cross-fitting: where each fold is scored by a fit on other samples only, the pooled rates at a fixed
threshold are means of the rates of K classifiers, and λ fpr + fnr is at least α_λ in expectation
(2019, Theorem 5); the hull, the minimum over thresholds, is lower by its noise.  The bases
are such fits, except that the coordinates are fitted to all points, without their labels.  The
meta-learner is not quite one: it learns from columns of the other folds, whose fits used this fold.
Hence its monotone maps and slopes >= 0, and no certificate for the hull.
"""

from prfast.methods.auto.estimator import Auto

__all__ = ["Auto"]
