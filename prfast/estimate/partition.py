"""The cells of the 2018 paper, with what lies in them."""

from __future__ import annotations

from typing import Any

from prfast.estimate.cells import Cells
from prfast.estimate.check import checked
from prfast.estimate.method import mean_curve
from prfast.estimate.record import how_made
from prfast.inputs.features import features_info
from prfast.inputs.options import RandomState, read_jobs, read_seed
from prfast.inputs.progress import Shown
from prfast.inputs.samples import read_pair
from prfast.scorers.methods import METHODS, recorded
from prfast.scorers.partition import KMeansPartition, counted


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
