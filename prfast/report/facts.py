"""The heading of a report: when it was written, of which features, and of how many samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from prfast.results.text import listed

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
