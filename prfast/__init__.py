"""prfast: exact precision-recall curves between real and generated samples.

Data flows one way, and so do imports:

    real, fake ─► samples ─► scorers ─► estimate ─► PRCurve ─► plots, cli
                  validate   fit on one  sweep,     masses on level sets of dQ/dP,
                  and split  half, score hull       every number in closed form
                             the other
                                 │
                               balls       radii and counts: exact, a tree, an approximation;
                                 │         metrics.py counts with it as well
                             _kernels    memoryviews in, threads, status codes out
                                 │
                               csrc      serial C

    pr_curve(real, fake, method=…)   samples -> PRCurve
    pr_curves(real, fake, k=…)       every neighbour method and k from the same passes
    PRCurve                          .at .area .f_score .iou .mean .from_scores .from_masses …
    metrics(real, fake, k=…)         precision, recall, density, coverage, …
    realism(real, fake)              a number for each generated sample
    min_sums(p, q, lam)              α of two histograms at many λ
    reference                        curves whose truth is known, with samples
    plots                            curves -> matplotlib axes (extra: plot)
    compat                           drop-ins for prdc and for the code of the 2018 paper
"""

from typing import Any

try:
    from prfast import _kernels as _kernels
except ImportError as error:
    raise ImportError(
        f"prfast: no compiled module in {__path__[0]} ({error}); if that is a copy of the sources, "
        "leave the folder or install it: python -m pip install -e ."
    ) from error

from prfast import reference
from prfast.curve import PRCurve
from prfast.estimate import pr_curve, pr_curves
from prfast.metrics import Metrics, metrics, realism
from prfast.minsum import min_sums
from prfast.scorers import METHODS

__all__ = [
    "METHODS",
    "Metrics",
    "PRCurve",
    "__version__",
    "compat",
    "metrics",
    "min_sums",
    "plots",
    "pr_curve",
    "pr_curves",
    "realism",
    "reference",
]


def __getattr__(name: str) -> Any:
    if name in ("compat", "plots"):
        from importlib import import_module

        return import_module(f"prfast.{name}")
    if name == "__version__":
        from prfast._version import version

        return version()
    raise AttributeError(f"module 'prfast' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
