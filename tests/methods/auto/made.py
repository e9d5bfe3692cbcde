"""What the tests of the automatic estimator share: small pairs of sets, and their coordinates."""

from dataclasses import fields

import numpy as np

from prfast.methods.auto.coordinates import Coordinates
from prfast.methods.auto.sample import Sample, in_folds


def pair(n=120, m=90, d=4, shift=0.7, seed=0):
    """Normal samples, the generated ones shifted along the first axis and wider on the second."""
    rng = np.random.default_rng(seed)
    real, fake = rng.normal(size=(n, d)), rng.normal(size=(m, d))
    fake[:, 0] += shift
    fake[:, 1 % d] *= 1.5
    return real, fake


def coordinates(real, fake, folds=5, most=10**6, seed=0):
    return Coordinates(in_folds(real, fake, folds, most, seed))


class Labeled(Sample):
    """Rows of both sets under other labels: the points, their numbers and folds stay."""

    def of_real(self, rows):
        return self.labels[rows]

    def points(self, rows):
        return np.concatenate([self.real, self.fake])[rows]

    def columns(self, rows, columns):
        return self.points(rows)[:, columns]


def relabeled(sample, labels):
    given = {one.name: getattr(sample, one.name) for one in fields(Sample)}
    found = Labeled(**given)
    object.__setattr__(found, "labels", labels)
    return Coordinates(found)


def plain_run(call, arguments, share=0):
    """What the estimator's threads do, one after another."""
    return [call(one) for one in arguments]


def scored(base, made):
    """(rows in the order of `fitted`, columns): every fitted row by the fit without its fold."""
    return np.concatenate([base.score(block) for _, block in made.again()])


def outside(made, fold):
    """Real and generated points outside a fold."""
    sample = made.sample
    kept = sample.fitted[sample.fitted_fold != fold]
    real = sample.of_real(kept)
    return sample.points(kept[real]), sample.points(kept[~real])
