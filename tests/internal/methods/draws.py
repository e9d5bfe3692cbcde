"""Two sets of samples for scorers: shifted Gaussians."""

from prfast.reference import GaussianShift


def samples(n=256, m=256, dim=3, delta=1.0, seed=0):
    return GaussianShift(delta, dim).sample(n, m, seed)
