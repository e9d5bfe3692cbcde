"""Two sets of samples for scorers: shifted Gaussians, and whole numbers."""

import numpy as np

from prfast.reference import GaussianShift


def samples(n=256, m=256, dim=3, delta=1.0, seed=0):
    return GaussianShift(delta, dim).sample(n, m, seed)


def integers(n, m, seed=0):
    """Whole features: their sums, and the means of a power of two of them, are exact."""
    rng = np.random.default_rng(seed)
    return rng.integers(-9, 9, (n, 4)).astype(float), rng.integers(-6, 12, (m, 4)).astype(float)
