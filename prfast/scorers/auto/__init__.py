"""auto: a log-ratio log dP/dQ that needs no choices, cross-fitted.

Every published scorer is blind to something: in high dimension all neighbours of every point may be
real ones, and noise then reads as perfect.  Here a library of simple bases, each of which sees
another kind of difference, is stacked into one score, and each sample is scored by a fit that has
not seen it (its fold is left out), so that next to nothing is gained by noise:

    samples ─► folds ─► coordinates ─► bases ─► columns ─► level 2 ─► s ≈ log dP/dQ ─► curves
               sample   without        fitted    of every   monotone    read_out: hull,
                        labels         per fold  sample     maps, ≥ 0   smooth, their mean

    folds         which rows are in which fold, and which are fitted to
    sample        both sets in folds, read in blocks
    block         points of one fold, with their coordinates
    coordinates   winsorised, centred, on axes, whitened, standardised, radii, energies of bands
    normal_scores of single columns
    screening     the columns that differ most, of many
    bases         the table of the library:
      ridge         least squares, refitted per fold from sums; regressions, kernel: features for it
      plain         the linear base of very many features
      gaussians     two Gaussians          mixtures   two mixtures of common components
      counts        among near neighbours, and nearest distances  atoms      among identical rows
      ranges        outside the range that a class has
      ranks         normal scores of columns; of many columns those that differ most
      values        exact values that come more than once in a column
      trees         boosted trees on raw columns, where a trial pays
    monotone      a column as a log-ratio
    stack         level 2: all columns as one
    model         all that is fitted, which scores any point without a sample
    pieces        the same of sets in pieces, which nobody holds
    read_out      from scores to curves
    workers       threads that share out the work
    memory        how many samples can be fitted in so many bytes
    estimator     all of it: Auto

Cross-fitting: where each fold is scored by a fit on other samples alone, the pooled rates at a
fixed threshold are means of the rates of K classifiers, and λ fpr + fnr is at least α_λ in
expectation (2019 paper, Theorem 5); the hull, the minimum over thresholds, is lower by its noise.
The bases are such fits, but for coordinates, which are made of all points without their labels.
Level 2 is not quite one: the columns of the other folds that it learns from were made by fits to
this fold.  Hence its monotone maps and slopes >= 0, and no certificate for the hull.  smooth and
mean, which are nearer to the truth, have no theorem at all.  Without evidence that anything differs
the default curve is drawn towards that of equal distributions.
"""

from prfast.scorers.auto.estimator import Auto, Scored

__all__ = ["Auto", "Scored"]
