"""prfast: exact precision-recall curves between real and generated samples.

Data flows one way, and so do imports:

    files or arrays ─► Pair.read ─► Pair ─► method.scores(pair, …) ─► Scores ─► PRCurve

A `Pair` is the two sets of samples with their weights, groups and repeated rows (`samples`).  A
profile is the same over `pair.smoothed(…)`.  A test fits to earlier parts of `pair.partition(…)`
and scores the next part.  An Evaluator has the real half of the pair prepared, and `compare_tables`
encodes tables into a pair.  `methods` and `scalars` count neighbors by `neighbors`; it calls
`kernels` in Cython, and these serial C in `csrc`.  `estimate` has intervals, profiles, tests and
the sentences about curves and metrics; `comparison` compares models.  The docstring of each folder
describes it.

    Curves       pr_curve, pr_curves → PRCurve
    Test         two_sample_test, a valid p-value and a bound
    Resolution   profile → Profile, the curves at several resolutions
    Metrics      metrics → Metrics (precision, recall, density, coverage, …); realism, by sample
    Comparison   Evaluator, which prepares the real samples once; by_class
    Tables       compare_tables, data frames of any columns; encode, such frames as arrays; copies,
                 a test of whether samples copy those of training
    Files        load, samples from a file; record, a result with all that reproduces it
    Compiled     get_include, the C header for other compiled code

    methods      the methods of `pr_curve`, to be configured or added to
    theory       Lorenz and ROC curves, φ-divergences, frontiers, error bounds of the 2023 paper
    reference    distributions with known curves; experiments of the papers (reference.papers)
    plots        pictures on matplotlib axes (extra: plot)
    report       one HTML page on several models (extra: report)
    tables       results of `compare_tables` and `encode`
    features     features of images by pretrained models (extra: features)
    distributed  samples in partitions, on one machine or many
    compat       drop-in replacements for prdc and for the code of the 2018 paper

Internal folders: results, base classes of results and their provenance; files; records;
integrations, prfast inside other packages.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from prfast.results.registry import register

if find_spec("prfast.kernels.masses") is None:
    raise ImportError(
        f"prfast: no compiled module in {__path__[0]}; if that is a copy of the sources, leave the "
        "folder or install it: python -m pip install -e ."
    )

if TYPE_CHECKING:
    from prfast import (
        compat,
        distributed,
        features,
        methods,
        plots,
        reference,
        report,
        tables,
        theory,
    )
    from prfast.comparison import Evaluator, by_class
    from prfast.curve import PRCurve
    from prfast.estimate.curves import pr_curve, pr_curves
    from prfast.estimate.diagnostics import Contradiction
    from prfast.estimate.explain import explain
    from prfast.estimate.profiles import Profile, profile
    from prfast.estimate.two_sample import two_sample_test
    from prfast.files import load
    from prfast.inputs.errors import ArgumentError, WrongType, WrongValue
    from prfast.records import record
    from prfast.results.info import get_include
    from prfast.scalars import Metrics, copies, metrics, realism
    from prfast.tables import compare_tables, encode

    __version__: str

__all__ = [
    "ArgumentError",
    "Contradiction",
    "Evaluator",
    "Metrics",
    "PRCurve",
    "Profile",
    "WrongType",
    "WrongValue",
    "__version__",
    "by_class",
    "compare_tables",
    "compat",
    "copies",
    "distributed",
    "encode",
    "explain",
    "features",
    "get_include",
    "load",
    "methods",
    "metrics",
    "plots",
    "pr_curve",
    "pr_curves",
    "profile",
    "realism",
    "record",
    "reference",
    "report",
    "tables",
    "theory",
    "two_sample_test",
]

# Public names that are imported on first access, by module; other names are public modules.
_LAZY = {
    "comparison": ("Evaluator", "by_class"),
    "curve": ("PRCurve",),
    "estimate.curves": ("pr_curve", "pr_curves"),
    "estimate.diagnostics": ("Contradiction",),
    "estimate.explain": ("explain",),
    "estimate.profiles": ("Profile", "profile"),
    "estimate.two_sample": ("two_sample_test",),
    "files": ("load",),
    "inputs.errors": ("ArgumentError", "WrongType", "WrongValue"),
    "results.info": ("get_include",),
    "records": ("record",),
    "scalars": ("Metrics", "copies", "metrics", "realism"),
    "tables": ("compare_tables", "encode"),
}

# What renders results, by class and verb.
register(
    {
        ("PRCurve", "display"): "estimate.notes:display_curve",
        ("PRCurve", "explain"): "estimate.notes:explain_curve",
        ("PRCurve", "interval"): "estimate.intervals:interval",
        ("PRCurve", "plot"): "plots.views:plot_view",
        ("Profile", "display"): "estimate.profile_notes:display_profile",
        ("Profile", "sentences"): "estimate.profile_notes:sentences_of",
        ("Metrics", "notes"): "estimate.notes:notes_of_metrics",
        ("Profile", "plot"): "plots:plot_profiles",
        ("Comparison", "plot"): "plots:plot_curves",
        ("Comparison", "report"): "report:write_report",
    }
)

if not TYPE_CHECKING:

    def __getattr__(name):
        if name == "__version__":
            return import_module("prfast.results.info").version()
        for module, names in _LAZY.items():
            if name in names:
                globals()[name] = getattr(import_module(f"prfast.{module}"), name)
                return globals()[name]
        if name in __all__:
            return import_module(f"prfast.{name}")
        raise AttributeError(f"module 'prfast' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
