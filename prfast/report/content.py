"""What a report shows: the numbers, points and words of its models."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

import numpy as np

from prfast.comparison.difference import Difference
from prfast.comparison.differences import CurveDifferences, metric_differences
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
from prfast.scalars.measure import Halves, half_width_of
from prfast.scalars.table import TABLE

# Bands of a report: what the samples behind each curve prove, for the picture and in words.


def bands_of(curves: Sequence[PRCurve], confidence: float | None) -> list[dict[str, Any] | None]:
    """Of each curve the outline of its band and the upper curve; None where it counts nothing."""
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
    """What the bands say; nothing where there is none."""
    if confidence is None or not any(bands):
        return ""
    said = [
        f"Bands: with {100 * confidence:g} % confidence the scorer's own curve, on endless "
        "samples, lies inside its band, and with the same confidence the true one below the dotted "
        "line, at every λ at once."
    ]
    pairs = list(zip(names, bands, strict=True))
    empirical = [name for name, band in pairs if band and not band["certified"]]
    if empirical:
        said.append(
            f"Of {shortened(empirical)} this is empirical, not certified: the samples were scored "
            "without a split or in folds."
        )
    without = [name for name, band in pairs if not band]
    if without:
        said.append(f"No band of {shortened(without)}: the curve counts no samples.")
    return " ".join(said)


# The heading of a report: when it was written, of which features, and of how many samples.


UNKNOWN = "not recorded"
_NAMED = 4  # models whose own sizes the heading names
_SETS = {"real": "real", "fake": "generated"}

Info = Mapping[str, Any]


def facts(
    names: Sequence[str], infos: Sequence[Sequence[Info]], day: date
) -> list[tuple[str, str]]:
    """What stands below the title; infos: of each model the records of its curve and metrics."""
    return [
        ("Written", day.isoformat()),
        ("Features", _features([info for own in infos for info in own])),
        ("Real samples", _span(sorted({n for own in infos for n in _sizes(own, "n_real")}))),
        ("Generated samples", _generated(names, [_sizes(own, "n_fake") for own in infos])),
    ]


def features_of(infos: Sequence[Info]) -> Mapping[str, Any]:
    """The record of the features, of those that have one; empty where none has."""
    found = (info.get("features") for info in infos)
    return next((one for one in found if isinstance(one, Mapping)), {})


def _features(infos: Sequence[Info]) -> str:
    """The model that made the features, as far as that is recorded, and how many there are."""
    record = features_of(infos)
    widths = sorted({info["n_features"] for info in infos if "n_features" in info})
    width = f"{_span(widths)} numbers a sample" if widths else ""
    model = record.get("model")
    if model is None:
        told = [f"model {UNKNOWN}"]
    else:
        told = [str(model), *(str(record[key]) for key in ("weights", "layer") if record.get(key))]
        missing = [word for key, word in _SETS.items() if key not in record.get("recorded", _SETS)]
        told += [f"{UNKNOWN} of the {word} samples" for word in missing]
    return ", ".join([*told, *filter(None, [width])])


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
    """One value, or the least and the largest."""
    if not values:
        return UNKNOWN
    return str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}"


LEVELS = (0.9, 0.75, 0.5)  # of the table of points
_TITLE = 60  # characters of names in a title


class Given(NamedTuple):
    """What a report is about, after it has been read."""

    curves: Mapping[str, PRCurve]
    metrics: Mapping[str, Mapping[str, float]]
    """Of the models that have them."""
    alerts: Sequence[tuple[str, Sequence[str]]]
    """Models whose curves contradict something, and how."""
    scores: Mapping[str, Scores]
    """That the curves are made of, where they are at hand,"""
    halves: Mapping[str, Halves]
    """and metrics of halves of the samples."""
    title: str | None
    order: float
    """Of the frontier."""
    confidence: float | None
    """Of the bands."""
    about: Mapping[str, Any]
    """More lines on how it was computed."""
    notes: Sequence[str]
    """On the samples, to bear in mind."""
    seed: int
    library: str
    """Version of the plotting library."""
    day: date
    """On which it is written."""


def content_of(given: Given) -> Content:
    curves = list(given.curves.values())
    names, folders = without_folders(list(given.curves))
    differences = CurveDifferences(
        names, curves, [given.scores.get(name) for name in given.curves], seed=given.seed
    )
    points = [view_points(curve, order=given.order) for curve in curves]
    common, own = _agreed([_info(given, name) for name in given.curves])
    bands = bands_of(curves, given.confidence)
    metrics = _metrics(given)
    labels = dict(zip(given.curves, names, strict=True))
    numbers = _numbers(curves, given.seed)
    return Content(
        given.title or _title(names),
        _facts(given, names, folders),
        names,
        [(labels[name], said) for name, said in given.alerts],
        sentences(names, differences, metrics, given.notes, _of_halves(given, names)),
        points,
        view_axes(points, given.order),
        bands,
        about_bands(names, bands, given.confidence),
        [(f_8(curve), f_1_8(curve)) for curve in curves],
        numbers["report"],
        list(metrics.values()),
        _points(curves) + numbers["ends"],
        glossary(metrics, any(bands)),
        list((dict(given.about) | common | _made(given)).items()),
        own,
    )


def _title(names: Sequence[str]) -> str:
    """The names, where they fit into a heading."""
    whose = listed(names)
    return f"{whose if len(whose) <= _TITLE else f'{len(names)} models'} against real samples"


def _facts(given: Given, names: Sequence[str], folders: str) -> list[tuple[str, str]]:
    """What stands below the title."""
    infos = [
        [given.curves[name].info, getattr(given.metrics.get(name), "info", {})]
        for name in given.curves
    ]
    found = facts(names, infos, given.day)
    return [*found, ("Folder of all models", folders)] if folders else found


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
        halves.append({row.key: one.half_width for row, one in zip(rows, intervals, strict=False)})
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


def _of_halves(given: Given, names: Sequence[str]) -> dict[str, list[Difference]]:
    """Return the differences of the metrics that are held against numbers of the curves, where
    every model has halves."""
    halves = [given.halves.get(name) for name in given.curves]
    known = [one for one in halves if one is not None]
    if len(known) < len(halves):
        return {}
    metrics = [given.metrics[name] for name in given.curves]
    shared = [key for key in OPPOSED if all(key in one.values for one in known)]
    return {
        key: metric_differences(names, key, [one[key] for one in metrics], known, seed=given.seed)
        for key in shared
    }


def _points(curves: Sequence[PRCurve]) -> list[Column]:
    """Recall at some precisions, precision at the same recalls."""
    recalls = [
        Column(f"recall at precision {x:g}", [curve.recall_at(x) for curve in curves])
        for x in LEVELS
    ]
    precisions = [
        Column(f"precision at recall {x:g}", [curve.precision_at(x) for curve in curves])
        for x in LEVELS
    ]
    return recalls + precisions


def _metrics(given: Given) -> dict[str, Column]:
    """Every metric that a model has, by its name."""
    found = [given.metrics.get(name, {}) for name in given.curves]
    return {
        key: Column(
            metric_title(key),
            [one.get(key, np.nan) for one in found],
            [_half_width(given, name, key) for name in given.curves],
            key not in TABLE or TABLE[key].larger_is_better,
            getattr(TABLE.get(key), "digits", ".4f"),
        )
        for key in dict.fromkeys(key for one in found for key in one)
    }


def _half_width(given: Given, name: str, key: str) -> float:
    """Return the half width of a metric of a model; NaN where its error is not known."""
    own: Mapping[str, float] = getattr(given.metrics.get(name), "errors", {})
    value = given.metrics.get(name, {}).get(key, np.nan)
    half = half_width_of(key, value, own, given.halves.get(name), LEVEL)
    return np.nan if half is None else half


def _info(given: Given, name: str) -> dict[str, Any]:
    """What made the features, the curve and the metrics of a model."""
    of_curve = given.curves[name].info
    of_metrics = getattr(given.metrics.get(name), "info", {})
    parts = {
        "features": features_of([of_curve, of_metrics]),
        "curve": scalars(of_curve),
        "metrics": scalars(of_metrics),
    }
    return {
        f"{part}: {key}": value
        for part, info in parts.items()
        for key, value in info.items()
        if key != "features"  # told as a part
    }


def _made(given: Given) -> dict[str, Any]:
    """What made the report itself."""
    return {
        "frontier: order": "∞" if np.isinf(given.order) else f"{given.order:g}",
        **({} if given.confidence is None else {"bands: confidence": given.confidence}),
        "bootstrap: samples": DRAWS,
        "bootstrap: random_state": given.seed,
        "prfast": version(),
        "numpy": np.__version__,
        "plotly": given.library,
        "Python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def _agreed(
    infos: Sequence[Mapping[str, Any]],
) -> tuple[dict[str, Any], list[tuple[str, list[Any]]]]:
    """What all records agree on, and each record's own of the rest, "–" where it has none."""
    common = agreed(infos)
    keys = dict.fromkeys(key for info in infos for key in info if key not in common)
    return common, [(key, [info.get(key, "–") for info in infos]) for key in keys]
