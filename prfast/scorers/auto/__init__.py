"""auto: a log-ratio log dP/dQ that needs no choices, cross-fitted.

Every published scorer is blind to something: in high dimension all neighbours of every point may be
real ones, and noise then reads as perfect.  Here a library of simple bases, each of which sees
another kind of difference, is stacked into one score, and each sample is scored by a fit that has
not seen it (its fold is left out), so that nothing is gained by noise:

    samples ─► folds ─► coordinates ─► bases ─► columns ─► level 2 ─► s ≈ log dP/dQ ─► curves
               sample   without        fitted    of every   monotone    read_out: hull,
                        labels         per fold  sample     maps, ≥ 0   smooth, their mean

    sample        both sets in folds, read in blocks
    coordinates   centred, on axes, whitened, standardised, radii
    bases         the table of the library:
      ridge         least squares, refitted per fold from sums; regressions, kernel: features for it
      plain         the linear base of very many features
      gaussians     two Gaussians          mixtures   two mixtures of common components
      counts        among near neighbours  atoms      among identical rows
      ranges        outside the range that a class has
    monotone      a column as a log-ratio
    stack         level 2: all columns as one
    read_out      from scores to curves
    quiet         no warnings of a library, whatever other threads do
    memory        how many samples can be fitted in so many bytes
    estimator     all of it: Auto

Cross-fitting: for a fixed threshold the pooled rates are means of the rates of K classifiers, each
fitted on other samples, so over-estimation (2019 paper, Theorem 5) holds in expectation for the
hull.  It does not for smooth and mean, which are nearer to the truth.
"""

from prfast.scorers.auto.estimator import Auto, Scored

__all__ = ["Auto", "Scored"]
