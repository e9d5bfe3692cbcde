"""Results as entries of a record: their numbers, intervals, masses, and how they were made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from prfast.comparison.evaluation import Evaluation
from prfast.comparison.groups import Groups
from prfast.curve import PRCurve
from prfast.curve.interval import LEVEL
from prfast.curve.summary import for_record, shown
from prfast.estimate.intervals import has_intervals, several_intervals
from prfast.inputs.errors import WrongType
from prfast.inputs.kinds import kind_of
from prfast.records.keys import plain_keys
from prfast.results.text import for_json
from prfast.scalars.result import Metrics

_SHARES = ("class", "real", "fake", "difference", "standard_error", "clear")


class Entries(NamedTuple):
    """Of curves, of metrics, and of what was found class by class."""

    curves: list[dict[str, Any]]
    metrics: list[dict[str, Any]]
    classes: list[dict[str, Any]]


def intervals(curve: PRCurve) -> dict[str, list[float]]:
    """Where these numbers may lie, at a level of 0.95."""
    rows = shown("interval")
    found = several_intervals(curve, [row.value for row in rows], LEVEL)
    return {f"{row.key}_interval": [x.low, x.high] for row, x in zip(rows, found, strict=True)}


def curve_entry(who: Mapping[str, Any], curve: PRCurve) -> dict[str, Any]:
    """who: whose curve it is.  Intervals where its cells count samples."""
    return {
        **who,
        **for_record(curve),
        **(intervals(curve) if has_intervals(curve) else {}),
        "curve": curve.to_dict(),
    }


def metrics_entry(who: Mapping[str, Any], found: Metrics) -> dict[str, Any]:
    """who: whose metrics they are.  Standard errors where there are any; "inf" for ∞."""
    values = {name: for_json(value) for name, value in found.items()}
    errors = {"errors": dict(found.errors)} if found.errors else {}
    return {**who, "k": found.info.get("k"), **values, **errors, "info": plain_keys(found.info)}


def classes_entry(who: Mapping[str, Any], groups: Groups) -> dict[str, Any]:
    """who: whose classes they are.  The shares of each, its curves and its metrics."""
    told = groups.to_dict()
    return {
        **who,
        "labels": told["labels"],
        "shares": [{name: row[name] for name in _SHARES} for row in told["classes"]],
        "curves": [
            curve_entry({"class": label, "method": method, "k": k}, curve)
            for label, curves in groups.curves.items()
            for (method, k), curve in curves.items()
        ],
        "metrics": [metrics_entry({"class": x}, found) for x, found in groups.metrics.items()],
        "left_out": told["left_out"],
    }


def entries_of(result: Any, who: Mapping[str, Any]) -> Entries:
    """Of a curve, metrics, an evaluation, classes, or a mapping of them: by names of models, by
    (method, k) as of `pr_curves`, by k as of `metrics`."""
    if isinstance(result, PRCurve):
        return Entries([curve_entry(who, result)], [], [])
    if isinstance(result, Metrics):
        return Entries([], [metrics_entry(who, result)], [])
    if isinstance(result, Groups):
        return Entries([], [], [classes_entry(who, result)])
    if isinstance(result, Evaluation):
        found = Entries([], [metrics_entry(who, result.metrics)], [])
        for (method, k), curve in result.curves.items():
            found.curves.append(curve_entry({**who, "method": method, "k": k}, curve))
        return found
    if not isinstance(result, Mapping) or not result:
        raise WrongType(
            "result",
            "a PRCurve, Metrics, Groups, an Evaluation, or a mapping of them by names expected, "
            "got " + ("an empty one" if isinstance(result, Mapping) else kind_of(result)),
        )
    whole = Entries([], [], [])
    for key, one in result.items():
        match key:
            case str():
                named = {**who, "name": key}
            case (method, k):
                named = {**who, "method": method, "k": k}
            case _:
                named = dict(who)
        part = entries_of(one, named)
        for all_of, some in zip(whole, part, strict=True):
            all_of.extend(some)
    return whole
