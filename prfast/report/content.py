"""What a report shows: the numbers, points and words of its models."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.summary import coverage, realism, shown
from prfast.estimate.redraw import ROUNDS, Spreads
from prfast.plots.views import view_axes, view_points
from prfast.report.page import Column, Content
from prfast.report.words import sentences
from prfast.results.version import version

LEVELS = (0.9, 0.75, 0.5)  # of the table of points


def content_of(
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
    points = [view_points(curve, order=order) for curve in found]
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
        sentences(names, spreads),
        points,
        view_axes(points, order),
        [(coverage(curve), realism(curve)) for curve in found],
        [
            Column(
                row.title,
                [row.value(curve) for curve in found],
                [spreads.deviation(i, row.value) for i in range(len(found))],
                row.larger_is_better,
            )
            for row in shown("report")
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
    keys = list(dict.fromkeys(key for info in infos for key in info))
    common, own = {}, []
    for key in keys:
        values = [info.get(key, "–") for info in infos]
        if all(value == values[0] for value in values):
            common[key] = values[0]
        else:
            own.append((key, values))
    return common, own
