"""Histograms of both sets on common k-means cells (2018, §4)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.curve import PRCurve, Provenance
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.concurrency import one_blas_thread
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_count, read_flag
from prfast.methods.base import (
    ExecutionContext,
    Histograms,
    Method,
    run_seeds,
    weighted_curve,
)
from prfast.results.info import version
from prfast.samples.pair import Pair
from prfast.samples.record import sizes_record

Labels = NDArray[np.integer[Any]]


class KMeans(Method):
    """Histograms on mini-batch k-means cells of real ∪ fake, one pair per run.

    The curve is the exact mean over the runs.  Each set's histogram is divided by its own size.
    A run is one fit of scikit-learn's ``MiniBatchKMeans(n_init=10)``, as in the authors' code.  The
    mean of all samples is subtracted before, so that an origin far away costs no digits.
    Example: ``prfast.pr_curve(*prfast.reference.TOYS["a"].sample(500), prfast.methods.KMeans())``.
    See also `prfast.reference.papers.partition`.

    Parameters
    ----------
    clusters : int
        Number of cells of a run, 20 by default as in the paper.
    runs : int
        Number of runs, 10 by default as in the authors' code; the paper has "several".
    balance : bool
        True (default): weight both sets equally in the clustering (a sample counts 1/n or 1/m);
        otherwise the larger set dominates.  Nothing changes where n = m.
        scikit-learn 1.7 and before draws mini-batches without the weights, and balances the cells
        less.

    Raises
    ------
    TypeError, ValueError
        Not integers or True and False, fewer than 2 clusters or 1 run, more than 10⁶ runs.

    References
    ----------
    2018: Sajjadi et al., Assessing Generative Models via Precision and Recall, §4.
    """

    name = "kmeans"
    has_split = False
    takes_weights = True
    summary = "histograms on k-means cells, mean of runs (2018)"
    blind = (
        "differences inside a cell: noise added to every sample, modes that are narrower, a few "
        "hundred samples copied over and over"
    )

    def __init__(self, *, clusters: int = 20, runs: int = 10, balance: bool = True) -> None:
        self.clusters = read_count("clusters", clusters, at_least=2)
        self.runs = read_count("runs", runs, at_most=1_000_000)
        self.balance = read_flag("balance", balance)

    def settings(self) -> dict[str, Any]:
        return self.get_params() | {"scikit_learn": version("scikit-learn")}

    def scores(
        self, pair: Pair, split: float | str | None, context: ExecutionContext
    ) -> Histograms:
        labels = self.labels_of(pair, context)
        provenance = self.record(pair, None, pair.sizes, context.seed)
        if pair.is_plain:
            counts = (cell_counts(cells, self.clusters) for cells in labels)
            return Histograms(
                [PRCurve.from_masses(*x) for x in zip(*counts, strict=True)], provenance
            )
        # The curve of cells is that of scores, the order of their ratios.
        curves, sizes = [], Provenance(scored_real=len(pair.real), scored_fake=len(pair.fake))
        for cells in zip(*labels, strict=True):
            p, q = (
                np.bincount(cell, w, self.clusters) / w.sum()
                for cell, w in zip(cells, pair.masses, strict=True)
            )
            ratio = p / np.maximum(p + q, np.finfo(float).tiny)
            curves.append(weighted_curve((ratio[cells[0]], ratio[cells[1]]), pair, sizes))
        return Histograms(curves, provenance.added(**sizes_record(pair)))

    def labels_of(self, pair: Pair, context: ExecutionContext) -> tuple[Labels, Labels]:
        """Return the cell of each sample, shapes (runs, n) and (runs, m), by `n_jobs` processes.
        Each run has a seed of its own."""
        (n, m), clusters = pair.sizes, self.clusters
        if n + m < clusters:
            text = f"at least {clusters} samples together expected for {clusters} clusters"
            raise WrongValue("real and fake", f"{text}, got {n} + {m}")
        union = np.concatenate(pair.points)
        _change_unit(union)
        # In float64, rounded once: float32 features far from 0 keep what tells them apart.
        center = union.mean(axis=0, dtype=np.float64)
        np.subtract(union, center, out=union, casting="same_kind")
        _change_unit(union)
        # The mean weight is 1: balancing does not change the scale of the objective.
        shares = [(n + m) / (2 * n), (n + m) / (2 * m)] if self.balance else [1.0, 1.0]
        weights = np.repeat(shares, [n, m])
        if pair.mean_weights is not None:
            weights *= pair.mean_weights
        arguments = union, weights, clusters
        labels = np.stack(run_seeds(_cells, arguments, self.runs, "kmeans", context))
        return labels[:, :n], labels[:, n:]


def cell_counts(labels: Labels, clusters: int) -> Labels:
    """Return the number of samples in each cell of each run, shape (runs, clusters)."""
    return np.stack([np.bincount(cells, minlength=clusters) for cells in labels])


def _change_unit(points: Floats) -> None:
    """Divide by a power of two, exactly, where squares might leave the range of float32."""
    exponent = int(np.frexp(max(points.max(), -points.min()))[1])
    if abs(exponent) > 32:
        np.ldexp(points, -exponent, out=points)


def _cells(union: Floats, weights: Float64s, clusters: int, seed: int) -> Any:
    """Return the cell of each sample, by one BLAS thread: rounding depends on their number."""
    from sklearn.cluster import MiniBatchKMeans

    kmeans = MiniBatchKMeans(clusters, n_init=10, random_state=seed)
    with one_blas_thread():
        return kmeans.fit(union, sample_weight=weights).labels_
