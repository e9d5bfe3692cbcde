"""Values that tests of the ground truth share: trade-offs with both ends, a mixture."""

import numpy as np

from prfast.reference import GaussianMixtures

LAM = np.array([0, 0.01, 0.1, 0.5, 0.9, 1, 1.1, 2, 10, 100, np.inf])


def modes(dim):
    """Return the mixture of the 2024 paper: four modes, one of them only real, one only
    generated."""
    means = np.array([0, -5, 3, 5])[:, None] * np.ones(dim)
    return GaussianMixtures(means, [0.3, 0.2, 0.5, 0], [0, 0.5, 0.2, 0.3])
