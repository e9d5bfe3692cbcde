"""The automatic estimator: a cross-fitted log-ratio log dP/dQ that needs no choices.

Every published scorer is blind to something: in high dimension all neighbors of every point may be
real ones, and noise then scores as perfect.  Here a library of simple base learners (bases), each
sensitive to another kind of difference, is stacked into one score.  Each sample is scored by a fit
without its fold, so that fitting noise gains next to nothing:

    samples ─► folds ─► coordinates ─► bases ─► columns ─► meta-learner ─► s ≈ log dP/dQ ─► curve
               sample   without        fitted    of each    monotone        hull, smooth or
                        labels         per fold  sample     maps, ≥ 0       their mean

`estimator.Auto.scores` and `model.fit` are this line from left to right.

    estimator    Auto and its result, AutoScores; the memory of a fit
    model        BASES, the table of the library; boosted trees; the fit, in threads; Model, which
                 scores points of any sample
    calibration  monotone log-ratios, the meta-learner, and from scores to curves
    sample       Folds: the fold of each row and the rows that are fitted to; Sample: with points;
                 normal scores and screening of columns
    coordinates  fences, axes, whitening, radii, energies of bands; Block: points of a fold
    regressions  ridge regression from sums, and its bases linear, quadratic, radial, additive,
                 products and kernel (Nyström); ppca_linear, the linear base of many features
    densities    the bases gaussians, mixtures and ranks (fits to normal scores of columns)
    counts       the bases neighbors, duplicates (identical rows), values (repeated values of a
                 column) and ranges (distances beyond the range of a class)
    heavy        samples of which one fold alone has a large share of a set

Cross-fitting: where each fold is scored by a fit on other samples only, the pooled rates at a fixed
threshold are means of the rates of K classifiers, and λ fpr + fnr is at least α_λ in expectation
(2019, Theorem 5); the hull, the minimum over thresholds, is lower by its noise.  The bases
are such fits, except that the coordinates are fitted to all points, without their labels.  The
meta-learner is not quite one: it learns from columns of the other folds, whose fits used this fold.
Hence its monotone maps and slopes >= 0, and no certificate for the hull.  No theorem covers the
curves smooth and mean, which are nearer to the truth.  Without evidence of a difference the default
curve is shrunk towards that of equal distributions.
"""

from prfast.methods.auto.estimator import Auto, AutoScores

__all__ = ["Auto", "AutoScores"]
