"""Content of a report: numbers, points, bands, sentences, heading and provenance."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

import numpy as np

from prfast.comparison.differences import CurveDifferences, Difference, metric_differences
from prfast.curve import PRCurve
from prfast.curve.curve import LEVEL
from prfast.curve.summary import f_1_8, f_8, shown
from prfast.estimate.intervals import DRAWS, Scores, has_intervals, several_intervals
from prfast.inputs.errors import ArgumentError
from prfast.plots.pr import band_of, view_axes, view_points
from prfast.report.cautions import OPPOSED, Column, without_folders
from prfast.report.page import Content
from prfast.report.words import glossary, metric_title, sentences
from prfast.results.info import agreed, scalars, version
from prfast.results.values import listed, shortened
from prfast.scalars.result import Halves, half_width
from prfast.scalars.table import TABLE

UNKNOWN = "not recorded"
LEVELS = (0.9, 0.75, 0.5)  # of the table of points
_NAMED = 4  # largest number of models whose own sizes are in the heading
_SETS = {"real": "real", "fake": "generated"}
_TITLE = 60  # characters of names in a title

Info = Mapping[str, Any]


# ---- confidence bands ----------------------------------------------------------------------------


def bands_of(curves: Sequence[PRCurve], confidence: float | None) -> list[dict[str, Any] | None]:
    """Return the outline of the band and the upper bound of each curve; None for a curve that does
    not count samples."""
    return [None if confidence is None else _band_points(curve, confidence) for curve in curves]


def _band_points(curve: PRCurve, confidence: float) -> dict[str, Any] | None:
    try:
        band = band_of(curve, confidence)
    except ArgumentError:
        return None
    x, y = band.edge
    return {
        "x": band.x.tolist(),
        "y": band.y.tolist(),
        "upper": {"x": x.tolist(), "y": y.tolist()},
        "certified": band.certified,
    }


def about_bands(
    names: Sequence[str], bands: Sequence[dict[str, Any] | None], confidence: float | None
) -> str:
    """Return the sentences on the bands; "" without bands."""
    if confidence is None or not any(bands):
        return ""
    lines = [
        f"Bands: with {100 * confidence:g} % confidence the scorer's own curve, on endless "
        "samples, lies inside its band, and with the same confidence the true one below the dotted "
        "line, at every λ at once."
    ]
    pairs = list(zip(names, bands, strict=True))
    empirical = [name for name, band in pairs if band and not band["certified"]]
    if empirical:
        lines.append(
            f"Of {shortened(empirical)} this is empirical, not certified: the samples were scored "
            "without a split or in folds."
        )
    without = [name for name, band in pairs if not band]
    if without:
        lines.append(f"No band of {shortened(without)}: the curve counts no samples.")
    return " ".join(lines)


# ---- heading: date, features, numbers of samples -------------------------------------------------


def facts(
    names: Sequence[str], infos: Sequence[Sequence[Info]], day: date
) -> list[tuple[str, str]]:
    """Return the lines below the title; infos: the `info` of curve and metrics of each model."""
    return [
        ("Written", day.isoformat()),
        ("Features", _features([info for own in infos for info in own])),
        ("Real samples", _span(sorted({n for own in infos for n in _sizes(own, "n_real")}))),
        ("Generated samples", _generated(names, [_sizes(own, "n_fake") for own in infos])),
    ]


def features_of(infos: Sequence[Info]) -> Mapping[str, Any]:
    """Return the first record of features; empty if there is none."""
    records = (info.get("features") for info in infos)
    return next((record for record in records if isinstance(record, Mapping)), {})


def _features(infos: Sequence[Info]) -> str:
    """Return the model that extracted the features, as far as it is recorded, and their number."""
    record = features_of(infos)
    widths = sorted({info["n_features"] for info in infos if "n_features" in info})
    width = f"{_span(widths)} numbers a sample" if widths else ""
    model = record.get("model")
    if model is None:
        parts = [f"model {UNKNOWN}"]
    else:
        parts = [str(model), *(str(record[key]) for key in ("weights", "layer") if record.get(key))]
        missing = [word for key, word in _SETS.items() if key not in record.get("recorded", _SETS)]
        parts += [f"{UNKNOWN} of the {word} samples" for word in missing]
    return ", ".join([*parts, *filter(None, [width])])


def _generated(names: Sequence[str], sizes: Sequence[Sequence[int]]) -> str:
    known = sorted({n for own in sizes for n in own})
    if len(known) < 2 or len(names) == 1:
        return _span(known) + (" of each model" if known and len(names) > 1 else "")
    if len(names) > _NAMED:
        return f"{_span(known)} a model"
    return listed([f"{_span(own)} of {name}" for name, own in zip(names, sizes, strict=True)])


def _sizes(infos: Sequence[Info], key: str) -> list[int]:
    return sorted({info[key] for info in infos if isinstance(info.get(key), int)})


def _span(values: Sequence[int]) -> str:
    """Return the one value, or the least and the largest, as text."""
    if not values:
        return UNKNOWN
    return str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}"


# ---- the page ------------------------------------------------------------------------------------


class ReportData(NamedTuple):
    """Checked arguments of `write_report`."""

    curves: Mapping[str, PRCurve]
    metrics: Mapping[str, Mapping[str, float]]
    """Metrics of the models that have them."""
    alerts: Sequence[tuple[str, Sequence[str]]]
    """Names of models with contradictions, and sentences on these."""
    scores: Mapping[str, Scores]
    """Scores of the curves, of models that have them."""
    halves: Mapping[str, Halves]
    """Split-half metrics, of models that have them."""
    title: str | None
    order: float
    """Order of the Rényi frontier."""
    confidence: float | None
    """Confidence of the bands."""
    about: Mapping[str, Any]
    """Further lines on how the report was computed."""
    notes: Sequence[str]
    """Sentences on the samples."""
    seed: int
    library: str
    """Version of the plotting library."""
    day: date
    """Date in the heading."""


def content_of(data: ReportData) -> Content:
    """Return the content of the page."""
    curves = list(data.curves.values())
    names, folders = without_folders(list(data.curves))
    differences = CurveDifferences(
        names, curves, [data.scores.get(name) for name in data.curves], seed=data.seed
    )
    points = [view_points(curve, order=data.order) for curve in curves]
    common, own = _agreed([_info(data, name) for name in data.curves])
    bands = bands_of(curves, data.confidence)
    metrics = _metrics(data)
    labels = dict(zip(data.curves, names, strict=True))
    numbers = _numbers(curves, data.seed)
    return Content(
        data.title or _title(names),
        _facts(data, names, folders),
        names,
        [(labels[name], lines) for name, lines in data.alerts],
        sentences(names, differences, metrics, data.notes, _of_halves(data, names)),
        points,
        view_axes(points, data.order),
        bands,
        about_bands(names, bands, data.confidence),
        [(f_8(curve), f_1_8(curve)) for curve in curves],
        numbers["report"],
        list(metrics.values()),
        _points(curves) + numbers["ends"],
        glossary(metrics, any(bands)),
        list((dict(data.about) | common | _made(data)).items()),
        own,
    )


def _title(names: Sequence[str]) -> str:
    """Return the title: the names of the models if they are short, otherwise their number."""
    whose = listed(names)
    return f"{whose if len(whose) <= _TITLE else f'{len(names)} models'} against real samples"


def _facts(data: ReportData, names: Sequence[str], folders: str) -> list[tuple[str, str]]:
    """Return the lines below the title."""
    infos = [
        [data.curves[name].info, getattr(data.metrics.get(name), "info", {})]
        for name in data.curves
    ]
    lines = facts(names, infos, data.day)
    return [*lines, ("Folder of all models", folders)] if folders else lines


def _numbers(curves: Sequence[PRCurve], seed: int) -> dict[str, list[Column]]:
    """Return the columns of both tables of numbers of the curves, with half widths."""
    tables = {name: shown(name) for name in ("report", "ends")}
    rows = [row for of_table in tables.values() for row in of_table]
    halves: list[dict[str, float]] = []
    for curve in curves:
        intervals = (
            several_intervals(curve, [row.value for row in rows], LEVEL, seed)
            if has_intervals(curve)
            else []
        )
        halves.append({row.key: x.half_width for row, x in zip(rows, intervals, strict=False)})
    return {
        name: [
            Column(
                row.title,
                [row.value(curve) for curve in curves],
                [of_curve.get(row.key, np.nan) for of_curve in halves],
                row.larger_is_better,
            )
            for row in of_table
        ]
        for name, of_table in tables.items()
    }


def _of_halves(data: ReportData, names: Sequence[str]) -> dict[str, list[Difference]]:
    """Return the differences of the metrics that are compared with numbers of the curves, if all
    models have split-half metrics."""
    halves = [of_model for name in data.curves if (of_model := data.halves.get(name)) is not None]
    if len(halves) < len(data.curves):
        return {}
    metrics = [data.metrics[name] for name in data.curves]
    shared = [key for key in OPPOSED if all(key in of_model.values for of_model in halves)]
    return {
        key: metric_differences(names, key, [m[key] for m in metrics], halves, seed=data.seed)
        for key in shared
    }


def _points(curves: Sequence[PRCurve]) -> list[Column]:
    """Return the columns of recall at some precisions and of precision at the same recalls."""
    recalls = [
        Column(f"recall at precision {x:g}", [curve.recall_at(x) for curve in curves])
        for x in LEVELS
    ]
    precisions = [
        Column(f"precision at recall {x:g}", [curve.precision_at(x) for curve in curves])
        for x in LEVELS
    ]
    return recalls + precisions


def _metrics(data: ReportData) -> dict[str, Column]:
    """Return the column of every metric that a model has, by its name."""
    metrics = [data.metrics.get(name, {}) for name in data.curves]
    return {
        key: Column(
            metric_title(key),
            [of_model.get(key, np.nan) for of_model in metrics],
            [_half_width(data, name, key) for name in data.curves],
            key not in TABLE or TABLE[key].larger_is_better,
            getattr(TABLE.get(key), "digits", ".4f"),
        )
        for key in dict.fromkeys(key for of_model in metrics for key in of_model)
    }


def _half_width(data: ReportData, name: str, key: str) -> float:
    """Return the half width of a metric of a model; NaN where its error is not known."""
    own: Mapping[str, float] = getattr(data.metrics.get(name), "errors", {})
    value = data.metrics.get(name, {}).get(key, np.nan)
    half = half_width(key, value, own, data.halves.get(name))
    return np.nan if half is None else half


def _info(data: ReportData, name: str) -> dict[str, Any]:
    """Return the records of the features, the curve and the metrics of a model."""
    of_curve = data.curves[name].info
    of_metrics = getattr(data.metrics.get(name), "info", {})
    parts = {
        "features": features_of([of_curve, of_metrics]),
        "curve": scalars(of_curve),
        "metrics": scalars(of_metrics),
    }
    return {
        f"{part}: {key}": value
        for part, info in parts.items()
        for key, value in info.items()
        if key != "features"  # a part of its own
    }


def _made(data: ReportData) -> dict[str, Any]:
    """Return the options and versions that produced the report."""
    return {
        "frontier: order": "∞" if np.isinf(data.order) else f"{data.order:g}",
        **({} if data.confidence is None else {"bands: confidence": data.confidence}),
        "bootstrap: samples": DRAWS,
        "bootstrap: random_state": data.seed,
        "prfast": version(),
        "numpy": np.__version__,
        "plotly": data.library,
        "Python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def _agreed(
    infos: Sequence[Mapping[str, Any]],
) -> tuple[dict[str, Any], list[tuple[str, list[Any]]]]:
    """Return the entries on which all records agree, and the values of each record for the others,
    "–" where it has none."""
    common = agreed(infos)
    keys = dict.fromkeys(key for info in infos for key in info if key not in common)
    return common, [(key, [info.get(key, "–") for info in infos]) for key in keys]
