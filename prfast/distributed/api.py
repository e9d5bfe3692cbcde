"""The functions of prfast for partitioned samples, with the same options and a client.

Both sets are validated on the workers; results are those of the function of the same name.
"""

from __future__ import annotations

from typing import Any, NoReturn

import prfast.comparison as comparison
import prfast.estimate.curves as estimate
import prfast.scalars as scalars
from prfast.comparison.class_results import Groups
from prfast.curve import PRCurve
from prfast.distributed.reading import read_pair, read_samples
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongType
from prfast.scalars.measure import Metrics


def pr_curve(
    real: Any,
    fake: Any,
    method: Any = "auto",
    k: int | str | None = None,
    *,
    client: Any = None,
    **options: Any,
) -> PRCurve:
    """Return what `prfast.pr_curve` returns, for partitioned samples.

    Parameters
    ----------
    real, fake : Shards or dask array, shapes (n, d) and (m, d)
        Samples in files (`prfast.distributed.shards`) or dask arrays.
    method, k, **options
        As for `prfast.pr_curve`; `method` is "auto" (default) or counts neighbors.
    client : distributed.Client, optional
        Dask client; None (default) is the client that was made last.  Tasks run on the threads of
        its workers, whatever `n_jobs` is.

    Raises
    ------
    TypeError, ValueError
        As `prfast.pr_curve`; arrays of this process; a client without workers, or whose workers
        have too little memory.
    ConnectionError, MemoryError
        The scheduler does not answer; workers died.
    """
    real, fake = read_pair(real, fake, client)
    return estimate.pr_curve(real, fake, method, k, **options)


def pr_curves(
    real: Any, fake: Any, *args: Any, client: Any = None, **options: Any
) -> dict[tuple[str, int | str], PRCurve]:
    """Return what `prfast.pr_curves` returns, for partitioned samples.

    Samples, `client` (optional) and errors as for `pr_curve`; options as for `prfast.pr_curves`.
    """
    return estimate.pr_curves(*read_pair(real, fake, client), *args, **options)


def metrics(
    real: Any, fake: Any, *args: Any, client: Any = None, **options: Any
) -> Metrics | dict[int, Metrics]:
    """Return what `prfast.metrics` returns, for partitioned samples.

    Samples, `client` (optional) and errors as for `pr_curve`; options as for `prfast.metrics`.
    Authenticity, α-precision and β-recall need arrays, and are refused.
    """
    pair = read_pair(real, fake, client, at_least=2)
    result: Metrics | dict[int, Metrics] = scalars.metrics(*pair, *args, **options)
    return result


def realism(real: Any, fake: Any, *args: Any, client: Any = None, **options: Any) -> Float64s:
    """Return what `prfast.realism` returns, for partitioned samples.

    Samples, `client` (optional) and errors as for `pr_curve`; options as for `prfast.realism`.
    """
    return scalars.realism(*read_pair(real, fake, client), *args, **options)


def by_class(
    real: Any,
    fake: Any,
    labels_real: Any,
    labels_fake: Any,
    *args: Any,
    client: Any = None,
    **options: Any,
) -> Groups:
    """Return what `prfast.by_class` returns, for partitioned samples, whose labels are arrays in
    this process.

    Samples, `client` (optional) and errors as for `pr_curve`; options as for `prfast.by_class`.
    """
    real, fake = read_pair(real, fake, client, at_least=2)
    return comparison.by_class(real, fake, labels_real, labels_fake, *args, **options)


class Evaluator(comparison.Evaluator):
    """An evaluator whose reference, and all sets, are partitioned samples.

    Parameters
    ----------
    real : Shards or dask array, shape (n, d)
        Samples of the reference distribution.
    *args, **options
        As for `prfast.Evaluator`; every method is "auto" or counts neighbors.
    client : distributed.Client, optional
        As for `pr_curve`.

    Notes
    -----
    It takes no batches, and cannot be pickled.
    """

    def __init__(self, real: Any, *args: Any, client: Any = None, **options: Any) -> None:
        super().__init__(read_samples("real", real, client, at_least=2), *args, **options)

    def update(self, *args: Any, **options: Any) -> NoReturn:
        """Raise a TypeError: partitioned samples are evaluated as a whole."""
        message = "update takes arrays, with a reference that is an array; use evaluate"
        raise WrongType("fake", message)

    def __reduce__(self) -> NoReturn:
        raise WrongType("pickle", "a reference that is an array expected, got partitions")
