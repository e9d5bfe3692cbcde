"""Copies: whether generated samples lie nearer to training samples than to held-out ones.

A model that has not seen the held-out samples cannot lie nearer to the training samples than to
them, other than by chance: where training and held-out samples are random parts of one set, the
share of generated samples whose nearest neighbor among both is a training sample has the
expectation π = n_train / (n_train + n_held_out).

The test of this is one of permutations: given all samples, each assignment of the labels "training"
and "held-out" to the n_train + n_held_out samples is equally likely.  It is exact whatever the
distribution and the dimension, and samples that are the nearest neighbors of many generated ones
(hubs), which make a binomial test reject too often, count as often as they do.

Few copies among many samples are lost in their chance.  The ratio of the distances to the nearest
and to the second nearest distinct sample does not depend on the labels, and is small for copies.
So the test is made of the samples with a ratio of at most each of RADII, with the correction of
Šidák.

A model that overfits is nearer to the training samples, too, and need not copy.  E(c), the share of
generated samples with a ratio of at most c and a training sample as the nearest, beyond what is
expected by chance, is the share of copies if only these are so near.  A density that changes little
between two samples, however high it is around training samples, has E(c) = E(f c) / f^d in d
dimensions, at most E(f c) / f.  So the share of copies is at least the smaller of E(c) and
(f E(c) − E(f c)) / (f − 1).  Rows on a grid, which are equal by chance, have no distances between
0 and a step: there c is ½ and f is 2.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s, in_order, of_class, read_labels
from prfast.inputs.errors import ArgumentError
from prfast.inputs.options import MEMORY, ProgressOption, RandomState, read_seed
from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import Count, common_unit, in_unit
from prfast.samples.features import check_all_alike
from prfast.samples.pair import Pair
from prfast.samples.partitioned import check_array
from prfast.samples.repetition import chance_of_equality
from prfast.samples.samples import Samples
from prfast.scalars.copied import RARELY, Copies, Excess, Tail
from prfast.scalars.permutations import PERMUTATIONS, permuted_sums

RADII = (1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 3 / 4, 1.0)  # ratios up to which samples are tested
_PAIRS = ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (4, 6))  # of these, of copies and around them


def copies(
    train: Any,
    held_out: Any,
    fake: Any,
    *,
    labels: Any = None,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: ProgressOption = None,
) -> Copies:
    """Return whether generated samples are copies of training samples, as a test.

    Parameters
    ----------
    train, held_out : array, shapes (n, d) and (h, d)
        The samples that a model was trained on, at least two, and samples of the same source that
        it has not seen: a random part of one set each.
    fake : array, shape (m, d)
        Generated samples.  Distances are Euclidean; tables are encoded first (`prfast.encode`).
    labels : array of int or str, shape (m,), optional
        Label of each generated sample, such as its class or cluster: the test of each is in
        `groups`, where copies of one kind are not diluted.  None (default): no such tests.
    random_state : int, generator of NumPy or None
        Seed of the permutations; default 0.
    n_jobs, memory, progress
        As for `prfast.metrics`.

    Returns
    -------
    Copies
        Whether the model overfits or copies: `share`, the part of the generated samples that are
        nearer to a training than to a held-out sample (DCR), with `interval`, its expectation, and
        `p_value`.  Whether it copies: `copied`, the estimated share of copies, and `at_least`,
        above 0 where copies are proved; `are_exact`.  `dcr` and `nndr`, medians of DCR and NNDR;
        `closer`, by sample.

    Raises
    ------
    TypeError, ValueError
        As `prfast.metrics`; fewer than two training samples.

    Notes
    -----
    Valid where training and held-out samples are exchangeable, as random parts of one set are; a
    later month or another site is not, and held-out samples without those that equal a training
    sample are not, where samples are equal by chance.  ``prfast.scalars.memorization`` has the
    definitions.
    """
    seed = read_seed(random_state)
    check_all_alike({"train": train, "held_out": held_out, "fake": fake}.items())
    train = Samples.read("train", train, at_least=2)
    held_out = _read_other("held_out", held_out, train)
    fake = _read_other("fake", fake, train)
    labels = in_order("labels", labels, "fake", fake.index)
    for name, samples in {"train": train, "held_out": held_out, "fake": fake}.items():
        check_array(name, samples.source, "an array", "partitioned samples")
    equal = Pair(train, held_out).repetition
    train, held_out, fake = train.points, held_out.points, fake.points
    exponent = max(common_unit(train, points) for points in (held_out, fake))
    train, held_out, fake = (in_unit(points, exponent) for points in (train, held_out, fake))
    search = NeighborSearch("auto", n_jobs, memory, progress)
    n, h, m = len(train), len(held_out), len(fake)
    different = np.concatenate([train, held_out])[np.unique(equal.group)]
    of_fake = np.array([]) if labels is None else read_labels("labels", labels, m)
    with search.progress.work(m * (n + h) * 4, "copies"):
        nearest = search.kth(fake, train, [1, 2])
        others = search.kth(fake, held_out, [1, min(2, h)])
        first = np.minimum(nearest[:, 0], others[:, 0])
        second = search.kth(fake, different, [min(2, len(different))])[:, 0]

        def weights(rows: Any) -> Float64s:
            return _weights(search, (train, held_out), fake[rows], first[rows])

        radius = np.searchsorted(RADII, np.minimum(np.sqrt(_ratio(first, second)), 1.0))
        within = np.zeros((len(RADII), n + h))
        for i in np.unique(radius):
            within[i] = weights(np.flatnonzero(radius == i))
        within = within.cumsum(axis=0)
        by_label = {
            label: _tail(weights(np.flatnonzero(of_class(of_fake, label))), n, m, seed)
            for label in np.unique(of_fake).tolist()
        }
    tails = tuple(_tail(within[i], n, m, seed) for i in np.unique(radius))
    repeated = equal.counts[0][equal.counts[0] > 1].sum() if equal.discrete else 0
    chance = repeated / n
    if max(equal.copied / h, (others[:, 0] == 0).mean()) > RARELY:  # training samples may be unique
        chance = max(chance, min(n * chance_of_equality(train, np.unique(equal.group[:n])), 1.0))
    # Distances of rows on a grid tell equal rows from others, and no more.
    excesses = []
    for near, wide in _PAIRS[-1 if chance > RARELY else 0 :]:
        f = RADII[wide] / RADII[near]
        density = (f * within[near] - within[wide]) / (f - 1)
        excesses.append((_excess(within[near], n, m), _excess(density, n, m)))
    to_train, to_held_out = (
        np.ldexp(np.sqrt(d2), exponent) for d2 in (nearest[:, 0], others[:, 0])
    )
    info = {
        "n_train": n,
        "n_held_out": h,
        "n_fake": m,
        "n_distinct": len(equal.counts[0]),
        "held_out_equal": equal.copied,
        "train_equal": int(repeated),
        "equal_by_chance": float(chance),
        "permutations": PERMUTATIONS,
        "random_state": seed,
    }
    of_train, of_held_out = (float(np.median(np.sqrt(_ratio(*x.T)))) for x in (nearest, others))
    return Copies(
        to_train, to_held_out, (of_train, of_held_out), by_label, info, tails, tuple(excesses)
    )


def _tail(weights: Float64s, n: int, m: int, seed: int) -> Tail:
    """Return the test of some generated samples, by the weights of the n training samples and of
    the held-out ones."""
    size = float(weights.sum())
    share = min(float(weights[:n].sum()) / size, 1.0)  # thirds may sum to a little more
    permuted = permuted_sums(weights / size, n, seed)
    p = (1 + int((permuted >= share * (1 - 1e-12)).sum())) / (1 + len(permuted))
    return Tail(size / m, share, p, float(permuted.std()))


def _excess(weights: Float64s, n: int, m: int) -> Excess:
    expected = n / len(weights)
    value = (weights[:n].sum() - expected * weights.sum()) / (1 - expected)
    error = math.sqrt(n / (1 - expected)) * weights.std(ddof=1)  # of permutations of the labels
    return float(value) / m, max(float(error), 1.0) / m  # of one sample at least


def _ratio(first: Float64s, second: Float64s) -> Float64s:
    """Return first / second, 1 for 0 / 0."""
    return np.where(second == 0, 1.0, first / np.where(second == 0, 1.0, second))


def _read_other(name: str, values: Any, train: Samples) -> Samples:
    """Return a set of the columns of the training set, which errors name."""
    try:
        return Samples.read(name, values, like=train)
    except ArgumentError as error:
        names = error.argument.replace("real", "train")
        raise error.renamed(names) from None


def _weights(search: NeighborSearch, sets: tuple[Any, Any], fake: Any, least: Float64s) -> Float64s:
    """Return how many generated samples have each training and held-out sample, in this order, as
    their nearest; a sample with several nearest ones counts for each with the same part.

    They do not depend on which samples are held out.  sets: training and held-out samples; least:
    squared distances of the generated ones to the nearest.
    """
    ties = np.zeros(len(fake), np.int64)  # how many samples are the nearest of each
    search.run(fake, sets, [Count(least, None, rows=ties, side=side) for side in (0, 1)])
    weights = np.zeros(sum(map(len, sets)))
    for number in np.unique(ties):
        rows = ties == number
        counts = [np.zeros(len(points), np.int64) for points in sets]
        radii = least[rows]
        tasks = [Count(radii, None, cols=cols, side=side) for side, cols in enumerate(counts)]
        search.run(fake[rows], sets, tasks)
        weights += np.concatenate(counts) / number
    return weights
