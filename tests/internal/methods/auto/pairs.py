"""Small pairs of sets for the tests of the automatic estimator, and the rows that are fitted to."""

import numpy as np

from prfast.methods.auto.coordinates import Data
from prfast.methods.auto.folds import assign_folds
from prfast.methods.auto.model import cross_fit
from prfast.methods.base import ExecutionContext
from prfast.samples.pair import Pair


def pair(n=120, m=90, d=4, shift=0.7, seed=0):
    """Return normal samples, the generated ones shifted along the first axis and wider on the
    second."""
    rng = np.random.default_rng(seed)
    real, fake = rng.normal(size=(n, d)), rng.normal(size=(m, d))
    fake[:, 0] += shift
    fake[:, 1 % d] *= 1.5
    return real, fake


def data_of(real, fake, folds=5, max_fitted=10**6, seed=0):
    sets = Pair.read(real, fake)
    return Data(assign_folds(sets, folds, max_fitted, ExecutionContext(seed)), sets.points)


def flip_labels(data, flipped):
    """Return the data where these rows have the label of the other set, with the same folds and
    coordinates."""
    relabeled = data_of(*data.stored["points"].sets, data.count)
    relabeled.real = data.real ^ flipped
    relabeled.y = np.where(relabeled.real, 1.0, -1.0)
    return relabeled


def cross_fitted_columns(base, data):
    """Return the columns of every fitted row, by the fit without its fold."""
    return cross_fit(base, data)[1]


def outside(data, fold):
    """Return the real and the generated points outside a fold, over their units."""
    points, used = data.view(slice(None)).points, data.fold != fold
    points = points / data.coordinates.divisor
    return points[used & data.real], points[used & ~data.real]


def in_order(function, arguments):
    """Return the results of a function, as `execution` does."""
    return [function(argument) for argument in arguments]
