"""The cells of the 2018 paper, with what lies in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from prfast.curve import PRCurve
from prfast.estimate.check import checked
from prfast.estimate.explain import drawn
from prfast.estimate.method import mean_curve, run_curves
from prfast.estimate.scores import how_made
from prfast.inputs.arrays import read_pair
from prfast.inputs.features import features_info
from prfast.inputs.locks import cached_property
from prfast.inputs.options import RandomState, Shown, read_jobs, read_seed
from prfast.results import values
from prfast.results.values import aligned, frame
from prfast.scorers.methods import METHODS, recorded
from prfast.scorers.partition import KMeansPartition, Labels, counted

# What lies in the cells of a partition: labels of every sample, counts, curves, run by run.


@dataclass(frozen=True, repr=False, eq=False)
class Cells:
    """What `prfast.partition` found; prints as a table of the first run.

    real, fake: the cell of each sample in each run, integers of shapes (runs, n) and (runs, m),
    read-only as the counts are.
    curve: the mean of the runs, the same as ``prfast.pr_curve(real, fake, "kmeans", …)``.
    """

    real: Labels
    fake: Labels
    curve: PRCurve

    def __post_init__(self) -> None:
        for name in ("real", "fake"):
            object.__setattr__(self, name, _read_only(getattr(self, name)))

    def __reduce__(self) -> tuple[type[Cells], tuple[Labels, Labels, PRCurve]]:
        """By its labels: NumPy forgets what was read-only."""
        return Cells, (self.real, self.fake, self.curve)

    @property
    def runs(self) -> int:
        """How often the samples were partitioned."""
        return len(self.real)

    @property
    def clusters(self) -> int:
        """Cells of a run."""
        return int(self.curve.info["clusters"])

    @cached_property
    def counts_real(self) -> Labels:
        """Real samples in each cell, shape (runs, clusters)."""
        return _read_only(counted(self.real, self.clusters))

    @cached_property
    def counts_fake(self) -> Labels:
        """Generated samples in each cell, shape (runs, clusters)."""
        return _read_only(counted(self.fake, self.clusters))

    @property
    def curves(self) -> list[PRCurve]:
        """The curve of each run, of whose α at each λ ``curve`` is the mean."""
        return run_curves(zip(self.counts_real, self.counts_fake, strict=True))

    def rows(self) -> list[dict[str, Any]]:
        """A record a cell and run: `run`, `cell`, the counts `real` and `fake`, and the shares of
        their sets that these are, `p` and `q`."""
        n, m = self.real.shape[1], self.fake.shape[1]
        return [
            {"run": run, "cell": cell, "real": x, "fake": y, "p": x / n, "q": y / m}
            for run, counts in enumerate(zip(self.counts_real, self.counts_fake, strict=True))
            for cell, (x, y) in enumerate(zip(*(one.tolist() for one in counts), strict=True))
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``real`` and ``fake``, the cell of each sample, a list a run; ``cells``, as `rows` has
            them; ``curve``, the mean of the runs.
        """
        return {
            "real": self.real.tolist(),
            "fake": self.fake.tolist(),
            "cells": self.rows(),
            "curve": self.curve.to_dict(),
        }

    def to_frame(self) -> Any:
        """A table of pandas.

        Returns
        -------
        pandas.DataFrame
            A row a run and cell, the columns of `rows`.

        Raises
        ------
        ImportError
            pandas is missing; the message says how to install it.
        """
        return frame(self.rows())

    def lines(self) -> list[list[str]]:
        """The cells of the printed table, its heading first: the first run, by falling p / q."""
        first = [row for row in self.rows() if row["run"] == 0]
        # A cell of neither set has no ratio: last.
        first.sort(key=lambda row: -row["p"] / (row["p"] + row["q"] or 1))
        return [
            ["cell", "real", "fake", "p", "q"],
            *(
                [str(row[name]) for name in ("cell", "real", "fake")]
                + [f"{row[name]:.4f}" for name in ("p", "q")]
                for row in first
            ),
        ]

    def _repr_html_(self) -> str:
        head, *lines = self.lines()
        return values.shown(
            drawn({"mean of the runs": self.curve}),
            values.table(head, lines, "Cells of the first run"),
            values.folded("How it was made", self.curve.explain().splitlines()),
        )

    def __repr__(self) -> str:
        sizes = f"{self.real.shape[1]} real, {self.fake.shape[1]} generated samples"
        return f"Cells({self.runs} runs of {self.clusters} cells, {sizes})"

    def __str__(self) -> str:
        """A line a cell of the first run: counts and shares, the most real cells first."""
        return "\n".join(aligned(self.lines(), first=str.rjust))


def _read_only(array: Labels) -> Labels:
    """A view that refuses to be changed."""
    view = array.view()
    view.flags.writeable = False
    return view


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
    """The k-means cells behind ``pr_curve(real, fake, "kmeans")``, and the cell of each sample.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples of the real distribution P and of the generated one Q, usually features of some
        network; n ≠ m is fine.  They are used as they are.
    clusters : int
        Cells of a run, 20 by default, as in the paper.
    runs : int
        How often they are made, each time from another seed; 10 by default.
    balance : bool
        True (default): weigh both sets alike in the clustering, where n ≠ m.
    random_state : int, generator of NumPy or None
        Seed of all runs, as for `prfast.pr_curve`.
    n_jobs : int or None
        Processes that share the runs, at most one a usable core; None (default) is one, -1 every
        core.  No result depends on it.
    progress : bool or None
        A bar, as for `prfast.pr_curve`.

    Returns
    -------
    Cells
        Labels and counts of every run, and the curve, with the `info` of that function: the same to
        the last bit, for the same options and the same version of scikit-learn.

    Warns
    -----
    Contradiction
        As `prfast.pr_curve`.

    Raises
    ------
    TypeError, ValueError
        Naming the argument, what was expected and what came: wrong shape or dtype, widths that
        differ, non-finite values, fewer samples than clusters, an option out of range.

    References
    ----------
    2018: Sajjadi et al., Assessing Generative Models via Precision and Recall, §4 and Fig. 9.
    """
    features = features_info(real, fake)
    real, fake = read_pair(real, fake)
    seed = read_seed(random_state)
    made = KMeansPartition(
        clusters=clusters,
        runs=runs,
        balance=balance,
        progress=progress,
        random_state=seed,
        n_jobs=read_jobs(n_jobs),
    )
    of_real, of_fake = made.labels(real, fake)
    settings = {name: getattr(made, name) for name in recorded(METHODS["kmeans"])}
    sizes = len(real), len(fake)
    info = how_made("kmeans", settings, None, real, fake, sizes, seed) | features
    counts = (counted(labels, made.clusters) for labels in (of_real, of_fake))
    curve = mean_curve(zip(*counts, strict=True), info)
    return Cells(of_real, of_fake, checked({"kmeans": curve}, real, fake, seed)["kmeans"])
