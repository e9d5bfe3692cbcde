"""The automatic estimator: a cross-fitted log-ratio log dP/dQ that needs no choices.

Every published scorer is blind to something: in high dimension all neighbors of every point may be
real ones, and noise then scores as perfect.  Here a library of simple base learners (bases), each
sensitive to another kind of difference, is stacked into one score.  Each sample is scored by a fit
without its fold, so that fitting noise gains next to nothing:

    samples ─► folds ─► coordinates ─► bases ─► columns ─► level 2 ─► s ≈ log dP/dQ ─► curves
               sample   without        fitted    of each    monotone    read_out: hull,
                        labels         per fold  sample     maps, ≥ 0   smooth, their mean

    sample       Folds: the fold of each row and the rows that are fitted to; Sample: with points
    block        Block: points of a fold, their coordinates; normal scores and screening of columns
    coordinates  the fit of the coordinates: fences, axes, whitening, radii, energies of bands
    regressions  ridge regression from sums, and its bases linear, quadratic, radial, additive,
                 products and kernel (Nyström); plain, the linear base of many features
    gaussians    the bases gaussians, mixtures and ranks (fits to normal scores of columns)
    counts       the bases neighbors, atoms (identical rows), values (repeated values of a column)
                 and ranges (distances beyond the range of a class)
    trees        boosted trees on raw columns, where a trial shows a gain
    model        BASES, the table of the library; level 2; Model, which scores points of any sample
    read_out     monotone log-ratios, and from scores to curves
    memory       samples or threads for some bytes
    workers      threads, and the share of each phase in the progress bar
    columns      columns that separate the sets by themselves
    estimator    Auto and its result, AutoScores

Cross-fitting: where each fold is scored by a fit on other samples alone, the pooled rates at a
fixed threshold are means of the rates of K classifiers, and λ fpr + fnr is at least α_λ in
expectation (2019 paper, Theorem 5); the hull, the minimum over thresholds, is lower by its noise.
The bases are such fits, except that the coordinates are fitted to all points, without their labels.
Level 2 is not quite one: it learns from columns of the other folds, whose fits used this fold.
Hence its monotone maps and slopes >= 0, and no certificate for the hull.  No theorem covers the
curves smooth and mean, which are nearer to the truth.  Without evidence of a difference the default
curve is shrunk towards that of equal distributions.
"""

from prfast.methods.auto.estimator import Auto, AutoScores

__all__ = ["Auto", "AutoScores"]
