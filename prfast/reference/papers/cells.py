"""The function `partition`: k-means cells of the 2018 paper, with labels, counts and curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from prfast.curve import PRCurve
from prfast.estimate.diagnostics import checked
from prfast.estimate.explain import drawn
from prfast.inputs.arrays import read_pair
from prfast.inputs.concurrency import cached_property
from prfast.inputs.options import RandomState, Shown
from prfast.inputs.samples import features_info
from prfast.methods.base import Histograms, read_context, run_curves
from prfast.methods.kmeans import KMeans, Labels, cell_counts
from prfast.results.values import Display, Result


@dataclass(frozen=True, repr=False, eq=False)
class Cells(Result):
    """Result of `prfast.reference.papers.partition`; prints as a table of the first run.

    real, fake: the cell of each sample in each run, integers of shapes (runs, n) and (runs, m).
    curve: the mean of the runs, the same as ``prfast.pr_curve(real, fake, "kmeans", …)``.
    """

    real: Labels
    fake: Labels
    curve: PRCurve

    @property
    def runs(self) -> int:
        """Number of runs."""
        return len(self.real)

    @property
    def clusters(self) -> int:
        """Number of cells of a run."""
        return int(self.curve.info["clusters"])

    @cached_property
    def counts_real(self) -> Labels:
        """Real samples in each cell, shape (runs, clusters)."""
        return cell_counts(self.real, self.clusters)

    @cached_property
    def counts_fake(self) -> Labels:
        """Generated samples in each cell, shape (runs, clusters)."""
        return cell_counts(self.fake, self.clusters)

    @property
    def curves(self) -> list[PRCurve]:
        """The curve of each run; α of ``curve`` is the mean of theirs at each λ."""
        return run_curves(zip(self.counts_real, self.counts_fake, strict=True))

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each run and cell: `run`, `cell`, the counts `real` and `fake`, and
        the shares `p` and `q` of the sets."""
        n, m = self.real.shape[1], self.fake.shape[1]
        return [
            {"run": run, "cell": cell, "real": x, "fake": y, "p": x / n, "q": y / m}
            for run, counts in enumerate(zip(self.counts_real, self.counts_fake, strict=True))
            for cell, (x, y) in enumerate(zip(*(c.tolist() for c in counts), strict=True))
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``real`` and ``fake``, the cell of each sample, a list for each run; ``cells``, as from
            `rows`; ``curve``, the mean of the runs.
        """
        return {
            "real": self.real.tolist(),
            "fake": self.fake.tolist(),
            "cells": self.rows(),
            "curve": self.curve.to_dict(),
        }

    def _display(self) -> Display:
        """Return the cells of the first run, by falling p / q."""
        first = [row for row in self.rows() if row["run"] == 0]
        # Cells without samples have no ratio, and come last.
        first.sort(key=lambda row: -row["p"] / (row["p"] + row["q"] or 1))
        return Display(
            "Cells of the first run",
            [
                [str(row[name]) for name in ("cell", "real", "fake")]
                + [f"{row[name]:.4f}" for name in ("p", "q")]
                for row in first
            ],
            ["cell", "real", "fake", "p", "q"],
            picture=drawn({"mean of the runs": self.curve}),
            details=self.curve.explain().splitlines(),
        )

    def __repr__(self) -> str:
        sizes = f"{self.real.shape[1]} real, {self.fake.shape[1]} generated samples"
        return f"Cells({self.runs} runs of {self.clusters} cells, {sizes})"


def partition(
    real: Any,
    fake: Any,
    *,
    clusters: int = 20,
    runs: int = 10,
    balance: bool = True,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    progress: Shown = None,
) -> Cells:
    """Return the k-means cells of ``pr_curve(real, fake, "kmeans")``, and the cell of each sample.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples of the real distribution P and of the generated one Q, usually features of some
        network; n and m may differ.  They are used as they are.
    clusters : int
        Number of cells of a run, 20 by default, as in the paper.
    runs : int
        Number of runs of k-means, each with a seed of its own; 10 by default.
    balance : bool
        True (default): weigh both sets alike in the clustering, where n ≠ m.
    random_state : int, generator of NumPy or None
        Seed of all runs, as for `prfast.pr_curve`.
    n_jobs : int or None
        Number of processes for the runs, at most that of the usable cores; None (default) is one,
        -1 every core.  No result depends on it.
    progress : bool or None
        Progress bar, as for `prfast.pr_curve`.

    Returns
    -------
    Cells
        Labels and counts of every run, and the curve with its `info`: that of `pr_curve` to the
        last bit, for the same options and the same version of scikit-learn.

    Warns
    -----
    Contradiction
        As `prfast.pr_curve`.

    Raises
    ------
    TypeError, ValueError
        Wrong shape or dtype, widths that differ, non-finite values, fewer samples than clusters, an
        option out of range.  The message names the argument, what was expected and what came.

    References
    ----------
    2018: Sajjadi et al., Assessing Generative Models via Precision and Recall, §4 and Fig. 9.
    """
    features = features_info(real, fake)
    real, fake = read_pair(real, fake)
    context = read_context(random_state, n_jobs, progress=progress)
    kmeans = KMeans(clusters=clusters, runs=runs, balance=balance)
    of_real, of_fake = kmeans.labels(real, fake, context)
    sizes = len(real), len(fake)
    provenance = kmeans.record(real, fake, None, sizes, context.seed)
    counts = (cell_counts(labels, kmeans.clusters) for labels in (of_real, of_fake))
    curve = Histograms(list(zip(*counts, strict=True)), provenance).curve(**features)
    return Cells(of_real, of_fake, checked({"kmeans": curve}, real, fake, context.seed)["kmeans"])
