"""prfast: exact precision-recall curves between real and generated samples.

Data flows one way, and so do imports.  A folder is a chapter; its `__init__.py` lists its modules:

    real, fake ─► inputs ─► methods ─► estimate ─► curve ─► plots, report, cli
                  check     fit on     split,      masses on level sets of dQ/dP,
                            one part,  fit, score  every number in closed form
                            score              │
                            another            ├─► theory: the same object as Lorenz, ROC,
                              │                │   frontiers, D_φ; error bounds
                              │                └─► comparison: many models, many classes
                          neighbors ◄─ scalars   radii and counts: exact, a tree, an approximation
                              │
                            kernels            memoryviews in, threads, status codes out
                              │
                            csrc               serial C

    results: base classes and provenance of results, tables; files: samples and results on disk;
    features: features of images and texts by pretrained models; distributed: samples in pieces,
    and the processes that compute on them; records: results with all that is needed to reproduce
    them; reference: distributions with known curves; compat: drop-ins for other packages;
    integrations: prfast inside other packages

    pr_curve(real, fake, method=…)   samples -> PRCurve
    pr_curves(real, fake, k=…)       every neighbour method and k from the same passes
    choose_k(real, fake, "knn")      k by cross-validation inside the training half
    plug_in(real, fake, lam)         the threshold of the ratio instead of the best one
    partition(real, fake)            the cells of the 2018 paper with labels, counts and curves
    PRCurve                          .at .area .f_score .iou .upper .mean .from_scores …
    contradictions(curves, metrics)  differences that one method misses and others detect
    metrics(real, fake, k=…)         precision, recall, density, coverage, …
    realism(real, fake)              a number for each generated sample
    by_class(real, fake, labels …)   curves and metrics of each class, missing and invented classes
    load("x.parquet", columns=…)     samples from a file, from a table the columns of features
    distributed                      the same for samples in pieces, on the workers of a cluster
    Evaluator(real)                  the reference prepared once, for any number of models
    min_sums(p, q, lam)              α of two histograms at many λ
    reference                        distributions with known curves, and their samples
    lorenz, roc, lorenz_of_alpha     the curve as a Lorenz or a ROC curve
    renyi_frontier, tsallis_frontier, mauve_frontier     the curve as divergence frontiers,
    interpolated_frontier                                exclusive, inclusive, of mixtures
    phi_divergence, divergence_table KL, JS, χ², Hellinger, TV, Tsallis, or any convex function
    degroot, f1_score                the least error of a classifier, for any share of real samples
    adaptation_bound, phi_bound      bounds of an error on a target from that on a source
    plots                            curves -> matplotlib axes (extra: plot)
    compat                           drop-ins for prdc and for the code of the 2018 paper
    report                           models -> one HTML file to share (extra: report)
    record(result, real, fake)       the content of --json: numbers, checksums, versions
    features                         images, texts -> samples by pretrained models (extra: features)
    get_include                      the C header, for other compiled code
"""

from typing import TYPE_CHECKING

try:
    from prfast.kernels import balls as _balls  # noqa: F401
    from prfast.kernels import masses as _masses  # noqa: F401
except ImportError as error:
    raise ImportError(
        f"prfast: no compiled module in {__path__[0]} ({error}); if that is a copy of the sources, "
        "leave the folder or install it: python -m pip install -e ."
    ) from error

from prfast.curve import PRCurve, min_sums
from prfast.scalars import Metrics, metrics, realism

__all__ = [
    "METHODS",
    "Cells",
    "Contradiction",
    "Evaluator",
    "Frontier",
    "InclusiveFrontier",
    "Lorenz",
    "Metrics",
    "PRCurve",
    "Roc",
    "__version__",
    "adaptation_bound",
    "by_class",
    "choose_k",
    "compat",
    "contradictions",
    "critic_bound",
    "degroot",
    "degroot_information",
    "discrepancy",
    "distributed",
    "divergence_table",
    "f1_score",
    "features",
    "get_include",
    "hypothesis_bound",
    "in_mode_collapse_region",
    "in_phi_lorenz_diagram",
    "interpolated_frontier",
    "load",
    "lorenz",
    "lorenz_bound",
    "lorenz_of_alpha",
    "margin_loss",
    "mauve_frontier",
    "metrics",
    "min_sums",
    "partition",
    "phi_bound",
    "phi_divergence",
    "phi_function",
    "phi_lorenz",
    "plots",
    "plug_in",
    "pr_curve",
    "pr_curves",
    "realism",
    "record",
    "reference",
    "renyi_frontier",
    "report",
    "roc",
    "tsallis_frontier",
]

# Chapters, and their public names, that are imported on first access.
_LATE = {
    "comparison": ("Evaluator", "by_class"),
    "compat": (),
    "distributed": (),
    "estimate": (
        "Cells",
        "Contradiction",
        "choose_k",
        "contradictions",
        "partition",
        "plug_in",
        "pr_curve",
        "pr_curves",
    ),
    "features": (),
    "files": ("load",),
    "kernels": ("get_include",),
    "methods": ("METHODS",),
    "neighbors": (),
    "plots": (),
    "records": ("record",),
    "reference": (),
    "report": (),
    "theory": (
        "Frontier",
        "InclusiveFrontier",
        "Lorenz",
        "Roc",
        "adaptation_bound",
        "critic_bound",
        "degroot",
        "degroot_information",
        "discrepancy",
        "divergence_table",
        "f1_score",
        "hypothesis_bound",
        "in_mode_collapse_region",
        "in_phi_lorenz_diagram",
        "interpolated_frontier",
        "lorenz",
        "lorenz_bound",
        "lorenz_of_alpha",
        "margin_loss",
        "mauve_frontier",
        "phi_bound",
        "phi_divergence",
        "phi_function",
        "phi_lorenz",
        "renyi_frontier",
        "roc",
        "tsallis_frontier",
    ),
}

# The same names for type checkers.
if TYPE_CHECKING:
    from prfast import compat, distributed, features, plots, reference, report
    from prfast import neighbors as neighbors
    from prfast.comparison import Evaluator, by_class
    from prfast.estimate import (
        Cells,
        Contradiction,
        choose_k,
        contradictions,
        partition,
        plug_in,
        pr_curve,
        pr_curves,
    )
    from prfast.files import load
    from prfast.kernels import get_include
    from prfast.methods import METHODS
    from prfast.records import record
    from prfast.theory import (
        Frontier,
        InclusiveFrontier,
        Lorenz,
        Roc,
        adaptation_bound,
        critic_bound,
        degroot,
        degroot_information,
        discrepancy,
        divergence_table,
        f1_score,
        hypothesis_bound,
        in_mode_collapse_region,
        in_phi_lorenz_diagram,
        interpolated_frontier,
        lorenz,
        lorenz_bound,
        lorenz_of_alpha,
        margin_loss,
        mauve_frontier,
        phi_bound,
        phi_divergence,
        phi_function,
        phi_lorenz,
        renyi_frontier,
        roc,
        tsallis_frontier,
    )

    __version__: str

else:

    def __getattr__(name):
        from importlib import import_module

        if name == "__version__":
            return import_module("prfast.results.info").version()
        for chapter, names in _LATE.items():
            if name == chapter:
                return import_module(f"prfast.{chapter}")
            if name in names:
                globals()[name] = getattr(import_module(f"prfast.{chapter}"), name)
                return globals()[name]
        raise AttributeError(f"module 'prfast' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
