"""Realism of each generated sample (Kynkäänniemi 2019, Eq. 3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.inputs.options import MEMORY, read_count, read_flag
from prfast.inputs.progress import Shown
from prfast.scalars.options import check_neighbor


def realism(
    real: Any,
    fake: Any,
    k: int = 3,
    *,
    prune: bool = True,
    squared: bool = False,
    backend: str = "auto",
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: Shown = None,
    client: Any = None,
) -> Float64s:
    """Realism of each generated sample: max over x of r_k(x) / d(x, y) (Kynkäänniemi 2019, Eq. 3).

    At least 1 where the sample lies in the ball of a real one; ∞ where it equals one.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
    k : int
        Number of neighbours, 3 by default; a real sample is never its own.
    prune : bool
        True (default), as in the paper: leave out the real samples whose radius is above the
        median.
    squared : bool
        Give the square of the ratio, as one public implementation does; False by default.
    backend, n_jobs, memory, progress, client
        As for `metrics`.

    Returns
    -------
    realism : float64 array, shape (m,)

    Raises
    ------
    TypeError, ValueError
        As `metrics`.
    """
    from prfast.cluster.reading import read_pair  # only now: `import prfast` is quick

    real, fake = read_pair(real, fake, client)
    k = read_count("k", k)
    prune, squared = read_flag("prune", prune), read_flag("squared", squared)
    check_neighbor("k", k, "real", len(real))
    from prfast.balls import Search, in_range

    x, y = in_range(real, fake)
    search = Search(backend, n_jobs, memory, progress)
    with search.progress.work(len(x) * (len(x) + len(y)), "realism"):
        d2 = search.kth_within(x, [k])[:, 0].copy()
        if prune:
            radii = np.sqrt(d2)
            d2[radii > np.median(radii)] = -1.0  # no ball
        ratio = search.largest_ratio(y, x, d2)
    return ratio if squared else np.sqrt(ratio)
