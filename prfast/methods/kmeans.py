"""Histograms of both sets on common k-means cells (2018 paper, §4); `in_turn` for joblib calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import Progress, Shown, read_count, read_flag, read_progress
from prfast.kernels.blas import one_blas_thread
from prfast.kernels.threads import resolve_threads
from prfast.results.info import version

Labels: TypeAlias = NDArray[np.integer[Any]]


def in_turn(calls: Sequence[Any], n_jobs: int | None, progress: Progress) -> list[Any]:
    """Return the results of `joblib.delayed` calls in their order, and advance the bar by each.

    n_jobs: processes; None is one.
    """
    from joblib import Parallel

    processes = resolve_threads(1 if n_jobs is None else n_jobs, len(calls))
    results = []
    for result in Parallel(n_jobs=processes, return_as="generator")(calls):
        results.append(result)
        progress.advance()
    return results


class KMeansPartition:
    """Histograms on mini-batch k-means cells of real ∪ fake, one pair per run.

    The curve is the exact mean over the runs.  Each set's histogram is divided by its own size.
    With `balance` the clustering weights both sets equally too when their sizes differ (each sample
    counts 1/n or 1/m); otherwise every sample counts the same and the larger set dominates.

    The mean of all samples, in float64, is subtracted before the clustering, so that an origin of
    the features far away costs no digits; otherwise cells do not depend on it.

    Parameters
    ----------
    clusters, runs : int
        20 cells and 10 runs, as in the paper.
    balance : bool
        Whether to weight both sets equally in the clustering (default).  Nothing changes where
        n = m.  scikit-learn 1.7 and before draws mini-batches without the weights, and balances the
        cells less.
    progress : bool or None
        A bar; see `prfast.neighbors.Search`.
    random_state : int
        Seed of all runs; each run has its own stream.
    n_jobs : int or None
        Processes that share the runs, at most one per usable core; None is one.  The result does
        not depend on it.
    """

    def __init__(
        self,
        *,
        clusters: int = 20,
        runs: int = 10,
        balance: bool = True,
        progress: Shown = None,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.clusters = read_count("clusters", clusters, at_least=2)
        self.runs = read_count("runs", runs, at_most=1_000_000)
        self.balance = read_flag("balance", balance)
        self.progress = read_progress(progress)
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def scikit_learn(self) -> str:
        """The version of scikit-learn, on which the cells depend."""
        return version("scikit-learn")

    def masses(self, real: Floats, fake: Floats) -> list[tuple[Float64s, Float64s]]:
        """Return the counts of both sets in each cell, one pair (clusters,) per run."""
        counts = [counted(labels, self.clusters) for labels in self.labels(real, fake)]
        return list(zip(*(of_set.astype(np.float64) for of_set in counts), strict=True))

    def labels(self, real: Floats, fake: Floats) -> tuple[Labels, Labels]:
        """Return the cell of each sample, shapes (runs, n) and (runs, m)."""
        n, m = len(real), len(fake)
        if n + m < self.clusters:
            raise WrongValue(
                "real and fake",
                f"at least {self.clusters} samples together expected for "
                f"{self.clusters} clusters, got {n} + {m}",
            )
        union = np.concatenate([real, fake])
        _change_unit(union)
        # In float64, rounded once: float32 features far from 0 keep what tells them apart.
        centre = union.mean(axis=0, dtype=np.float64)
        np.subtract(union, centre, out=union, casting="same_kind")
        _change_unit(union)
        weights = None
        if self.balance and n != m:
            # The mean weight is 1, so that balancing does not change the scale of the objective.
            weights = np.repeat([(n + m) / (2 * n), (n + m) / (2 * m)], [n, m])
        from joblib import delayed

        seeds = np.random.SeedSequence(self.random_state).generate_state(self.runs)
        calls = [delayed(_cells)(union, weights, self.clusters, int(seed)) for seed in seeds]
        with self.progress.work(self.runs, "kmeans"):
            labels = np.stack(in_turn(calls, self.n_jobs, self.progress))
        return labels[:, :n], labels[:, n:]


def counted(labels: Labels, clusters: int) -> Labels:
    """Return the number of samples in each cell of each run, shape (runs, clusters)."""
    return np.stack([np.bincount(of_run, minlength=clusters) for of_run in labels])


def _change_unit(points: Floats) -> None:
    """Divide by a power of two, exactly, where squares might leave the range of float32."""
    exponent = int(np.frexp(max(points.max(), -points.min()))[1])
    if abs(exponent) > 32:
        np.ldexp(points, -exponent, out=points)


def _cells(union: Floats, weights: Float64s | None, clusters: int, seed: int) -> Any:
    """Return the cell of each sample in one run.

    One BLAS thread: rounding of sums depends on the number of threads, and the cells must not; and
    mini-batches are too small to share (on busy cores waiting threads take ten times as long).
    """
    from sklearn.cluster import MiniBatchKMeans

    kmeans = MiniBatchKMeans(clusters, n_init=10, random_state=seed)
    with one_blas_thread():
        return kmeans.fit(union, sample_weight=weights).labels_
