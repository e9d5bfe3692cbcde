"""Two sets of samples of known truth."""

from prfast.reference import GaussianShift

TRUTH = GaussianShift(1.0, 3)
REAL, FAKE = TRUTH.sample(300, 200)
