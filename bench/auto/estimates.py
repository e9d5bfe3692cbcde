"""The curve of every method from one draw, and that of the exact ratio, read the same way."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prfast import PRCurve

ORACLE = "oracle"  # the hull of the exact ratio's sweep
CLASSIFIERS = ("trees", "logistic", "mlp")  # slow: not among the methods by default


def known_methods() -> list[str]:
    """ "auto" and the published methods, then the sweep of the exact ratio."""
    from prfast.methods import METHODS

    return [*METHODS, ORACLE]


def curves(
    methods: Sequence[str],
    real: Any,
    fake: Any,
    log_ratios: tuple[Any, Any] | None,
    seed: int,
    jobs: int | None,
) -> Iterator[tuple[str, PRCurve]]:
    """Method and curve, one by one; those that count neighbors from the same passes.

    The exact ratio's are left out where it is not known.
    """
    import prfast
    from prfast.methods.neighbors import NEIGHBOR_METHODS

    neighbors = [name for name in methods if name in NEIGHBOR_METHODS]
    if neighbors:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", prfast.Contradiction)
            result = prfast.pr_curves(real, fake, neighbors, random_state=seed, n_jobs=jobs)
        for (name, _), curve in result.items():
            yield name, curve
    for name in methods:
        if name in (*neighbors, ORACLE):
            continue
        if name in CLASSIFIERS:
            from bench.auto import classifiers

            yield name, classifiers.curve(name, real, fake, seed)
            continue
        with warnings.catch_warnings():  # what a method is blind to is measured here
            warnings.simplefilter("ignore", prfast.Contradiction)
            curve = prfast.pr_curve(real, fake, name, random_state=seed, n_jobs=jobs)
        yield name, curve
    if log_ratios is not None:
        yield from _oracle(methods, *log_ratios)


def _oracle(methods: Sequence[str], real: Any, fake: Any) -> Iterator[tuple[str, PRCurve]]:
    from prfast import PRCurve

    if ORACLE in methods:
        yield ORACLE, PRCurve.from_scores(real, fake)
