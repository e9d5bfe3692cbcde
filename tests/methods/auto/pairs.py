"""Small pairs of sets for the tests of the automatic estimator, and their coordinates."""

from dataclasses import fields

import numpy as np

from prfast.methods.auto.coordinates import Block, Coordinates
from prfast.methods.auto.sample import Sample, make_sample


def pair(n=120, m=90, d=4, shift=0.7, seed=0):
    """Return normal samples, the generated ones shifted along the first axis and wider on the
    second."""
    rng = np.random.default_rng(seed)
    real, fake = rng.normal(size=(n, d)), rng.normal(size=(m, d))
    fake[:, 0] += shift
    fake[:, 1 % d] *= 1.5
    return real, fake


def coordinates(real, fake, folds=5, max_fitted=10**6, seed=0):
    return Coordinates(make_sample(real, fake, folds, max_fitted, seed))


def fitted_block(coords):
    """Return all fitted rows as one block."""
    return Block(coords, coords.sample, coords.sample.fitted, -1)


class Relabeled(Sample):
    """Rows of both sets under other labels, with the same points, numbers and folds."""

    def is_real(self, rows):
        return self.labels[rows]

    def points(self, rows):
        return np.concatenate([self.real, self.fake])[rows]

    def columns(self, rows, columns):
        return self.points(rows)[:, columns]


def flip_labels(coords, flipped):
    """Return the coordinates where these rows have the label of the other set."""
    sample = coords.sample
    other = Relabeled(**{field.name: getattr(sample, field.name) for field in fields(Sample)})
    labels = (np.arange(len(sample)) < sample.n_real) ^ flipped
    object.__setattr__(other, "labels", labels)
    return Coordinates(other)


def cross_fitted_columns(base, coords):
    """Return the columns of every fitted row, by the fit without its fold."""
    return np.concatenate([base.score(block) for _, block in coords.fitted_blocks()])


def outside(coords, fold):
    """Return the real and the generated points outside a fold."""
    sample = coords.sample
    rows = sample.fitted[sample.fitted_fold != fold]
    real = sample.is_real(rows)
    return sample.points(rows[real]), sample.points(rows[~real])
