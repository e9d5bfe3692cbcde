"""Reports: curves of several models -> one HTML file that asks for nothing (extra: report).

spread     how far numbers move if other samples are drawn
reading    sentences that follow from numbers by fixed rules, and cautions
lines      points on the exact curves in every view, each with its λ
page       escaped text, tables, the program and the plotting library in one file
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.estimate.redraw import ROUNDS, Spreads
from prfast.files.write import write_whole
from prfast.inputs.extra import load_extra
from prfast.inputs.options import read_positive, read_seed
from prfast.plots.plots import frontier_end
from prfast.report.lines import lines
from prfast.report.page import Column, Content, page
from prfast.report.words import (
    area,
    coverage,
    read,
    realism,
)
from prfast.results.info import agreed
from prfast.results.version import version

LEVELS = (0.9, 0.75, 0.5)  # of the table of points
# Title, number, are larger values better?
_NUMBERS: list[tuple[str, Callable[[PRCurve], float], bool]] = [
    ("area", area, True),
    ("F8", coverage, True),
    ("F1/8", realism, True),
    ("max precision", lambda curve: curve.max_precision, True),
    ("max recall", lambda curve: curve.max_recall, True),
    ("total variation", lambda curve: curve.total_variation, False),
]


def write_report(
    models: Mapping[str, Any],
    path: str,
    *,
    title: str | None = None,
    order: float = np.inf,
    about: Mapping[str, Any] | None = None,
    random_state: int | None = 0,
) -> None:
    """Write one self-contained HTML file about models: curves, numbers, and what they say.

    Curves are interactive (λ, precision and recall at every point; models and views to choose),
    tables can be sorted, a plain-language reading follows from the numbers by the rules of
    ``prfast.report.words``, and every option is told.  The file loads nothing from elsewhere;
    most of its 5 MB are the plotting library.

    Parameters
    ----------
    models : mapping of str to PRCurve or Evaluation
        Curves, or curves with metrics, by the names of their models; a `Comparison` is such a
        mapping.  Of an evaluation with several curves the first is shown, and the others are named.
    path : str
        Where to write; all of it or nothing.
    title : str, optional
        Heading; by default the names.
    order : float
        Of the Rényi frontier, in (0, ∞]; ∞ (default) is the PR curve on logarithmic scales.
    about : mapping, optional
        More lines for "How it was computed", such as the names of files.
    random_state : int or None
        Seed of the redrawings that say which differences sampling explains; default 0.

    Raises
    ------
    ImportError
        plotly is missing; the message names the extra to install.
    TypeError, ValueError
        Not such a mapping, an empty one, names that are not text; `order` not in (0, ∞].
    OSError
        The file cannot be written.
    """
    curves, metrics = _read_models(models)
    unshown = dict.fromkeys(
        f"{method} k={k}"
        for one in models.values()
        for method, k in list(getattr(one, "curves", ()))[1:]
    )
    about = dict(about or {}) | ({"curves not shown": ", ".join(unshown)} if unshown else {})
    order = read_positive("order", order)
    seed = read_seed(random_state)
    plotly, library = load_plotly()
    text = page(_content(curves, metrics, title, order, about, seed, library), plotly)

    def write(draft: str) -> None:
        with open(draft, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)

    write_whole(path, write)


def load_plotly() -> tuple[str, str]:
    """The source of plotly.js, and the version of the package it is from."""
    plotly, offline = (
        load_extra(module, "reports", "report") for module in ("plotly", "plotly.offline")
    )
    return str(offline.get_plotlyjs()), str(plotly.__version__)


def _read_models(models: Any) -> tuple[dict[str, PRCurve], dict[str, Mapping[str, float]]]:
    """The curves, and the metrics of models that have them."""
    if not isinstance(models, Mapping):
        raise TypeError(
            f"models: a mapping of names to curves expected, got {type(models).__name__}"
        )
    if not models:
        raise ValueError("models: at least one expected, got none")
    curves, metrics = {}, {}
    for name, one in models.items():
        if not isinstance(name, str):
            raise TypeError(f"models: names expected as str, got {type(name).__name__}")
        curve = one if isinstance(one, PRCurve) else getattr(one, "curve", None)
        if not isinstance(curve, PRCurve):
            raise TypeError(
                f"models[{name!r}]: a PRCurve or an Evaluation expected, got {type(one).__name__}"
            )
        curves[name] = curve
        if not isinstance(one, PRCurve):
            metrics[name] = one.metrics
    return curves, metrics


def _content(
    curves: dict[str, PRCurve],
    metrics: dict[str, Mapping[str, float]],
    title: str | None,
    order: float,
    about: Mapping[str, Any],
    seed: int,
    library: str,
) -> Content:
    names, found = list(curves), list(curves.values())
    spreads = Spreads(found, seed)
    views = [lines(curve, order) for curve in found]
    keys = list(dict.fromkeys(key for one in metrics.values() for key in one))
    infos = [
        {f"curve: {key}": value for key, value in curves[name].info.items()}
        | {
            f"metrics: {key}": value
            for key, value in getattr(metrics.get(name), "info", {}).items()
        }
        for name in names
    ]
    common, own = _agreed(infos)
    made: dict[str, Any] = {**about, **common}
    made |= {
        "frontier: order": "∞" if np.isinf(order) else f"{order:g}",
        "redrawings: number": ROUNDS,
        "redrawings: random_state": seed,
        "prfast": version(),
        "numpy": np.__version__,
        "plotly": library,
        "Python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }
    return Content(
        title or f"{', '.join(names)} against real samples",
        names,
        read(names, spreads),
        views,
        _axes([one["frontier"] for one in views], order),
        [(coverage(curve), realism(curve)) for curve in found],
        [
            Column(
                title,
                [number(curve) for curve in found],
                [spreads.deviation(i, number) for i in range(len(found))],
                falling,
            )
            for title, number, falling in _NUMBERS
        ],
        [
            *(
                Column(f"recall at precision {x:g}", [c.recall_at(x) for c in found])
                for x in LEVELS
            ),
            *(
                Column(f"precision at recall {x:g}", [c.precision_at(x) for c in found])
                for x in LEVELS
            ),
        ],
        [
            Column(
                key.replace("_", " "), [metrics.get(name, {}).get(key, np.nan) for name in names]
            )
            for key in keys
        ],
        list(made.items()),
        own,
    )


def _agreed(
    infos: Sequence[Mapping[str, Any]],
) -> tuple[dict[str, Any], list[tuple[str, list[Any]]]]:
    """What all records agree on, and each record's own of the rest, "–" where it has none."""
    common = agreed(infos)
    keys = dict.fromkeys(key for info in infos for key in info if key not in common)
    return common, [(key, [info.get(key, "–") for info in infos]) for key in keys]


def _axes(frontiers: Sequence[Mapping[str, Any]], order: float) -> dict[str, dict[str, Any]]:
    """{view: what its picture says beside the lines}."""
    a = "∞" if np.isinf(order) else f"{order:g}"
    ends = [(np.array(one["x"]), np.array(one["y"])) for one in frontiers]
    return {
        "pr": {
            "x": "recall",
            "y": "precision",
            "end": 1,
            "diagonal": False,
            "hover": ["recall", "precision"],
            "about": "Further up and to the right is better; equal distributions fill the square.",
        },
        "lorenz": {
            "x": "share of real, t",
            "y": "least share of generated, F(t)",
            "end": 1,
            "diagonal": True,
            "hover": ["real", "generated"],
            "about": "Equal distributions are the diagonal. A level start is real mass that is not "
            "generated, an upright end generated mass that is not real. λ is the slope.",
        },
        "roc": {
            "x": "real rejected (fpr)",
            "y": "generated rejected (1 − fnr)",
            "end": 1,
            "diagonal": True,
            "hover": ["real rejected", "generated rejected"],
            "about": "Of the best classifiers of real against generated samples. Equal "
            "distributions are the diagonal: nothing can be told apart.",
        },
        "frontier": {
            "x": f"D<sub>{a}</sub>(μ‖P), recall",
            "y": f"D<sub>{a}</sub>(μ‖Q), precision",
            "end": frontier_end(ends),
            "diagonal": False,
            "hover": ["to real", "to generated"],
            "about": f"Rényi divergences of order {a} between a compromise μ and both sides: "
            "nearer to the origin is better. P is real, Q generated.",
        },
    }
