"""Parts of a report: extreme samples, heading, sentences on bands, provenance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from os.path import commonprefix
from typing import Any

from prfast.comparison.pairs import Difference, metric_differences
from prfast.comparison.results import Evaluation
from prfast.curve import PRCurve
from prfast.curve.summary import ALIKE
from prfast.estimate.profile_notes import units_text
from prfast.inputs.errors import ArgumentError
from prfast.plots.drawing import Band
from prfast.plots.views import band_of
from prfast.report.words import OPPOSED
from prfast.results.info import agreed, scalars
from prfast.results.values import Section, curve_name, listed, shortened

UNKNOWN = "not recorded"
_SETS = {"real": "real", "fake": "generated"}
EXTREMES = 5  # samples of either set that are named
_TITLE = 60  # characters of names in a title

Info = Mapping[str, Any]
Models = Mapping[str, Evaluation]


def extreme_sections(
    names: Sequence[str], models: Models, samples: Mapping[str, Sequence[Any]]
) -> list[Section]:
    """Return a section on the models that "auto" tells from the real samples, if there are any: the
    samples that are least like real ones, and the real samples that they miss most.

    samples: texts or names of files of the samples of "real" and of the models.  Tables have
    sections of their own, with the cells of such rows.
    """
    lines = []
    for name, (model, one) in zip(names, models.items(), strict=True):
        curve, scores = one.curve, one.curve.scores
        is_table = hasattr(one, "generated_rows")
        if is_table or scores is None or curve.provenance.method != "auto" or curve.area >= ALIKE:
            continue
        texts = {"generated": samples.get(model), "real": samples.get("real")}
        lines += [
            [name, x["set"], str(x["row"]), f"{x['score']:.2f}"]
            + [str(text[x["row"]]) for text in [texts[x["set"]]] if text is not None]
            for x in scores.extremes(EXTREMES)
        ]
    if not lines:
        return []
    width = max(map(len, lines))
    return [
        Section(
            "Extreme samples",
            [
                "The generated samples that are least like real ones, and the real samples that a "
                "model misses most, by held-out scores: the logarithm of the ratio of real and "
                "generated samples."
            ],
            ["model", "set", "row", "log-ratio", "sample"][:width],
            [line + [""] * (width - len(line)) for line in lines],
        )
    ]


# ---- names and heading ---------------------------------------------------------------------------


def without_folders(names: Sequence[str]) -> tuple[list[str], str]:
    """Return names of files without their common folders, and these folders."""
    start = len(commonprefix(names))  # noqa: RUF071 (cut at a separator below)
    cut = max(names[0].rfind(slash, 0, start) for slash in "/\\") + 1 if len(names) > 1 else 0
    if any(len(name) <= cut for name in names):
        cut = 0
    return [name[cut:] for name in names], names[0][:cut]


def title_of(names: Sequence[str]) -> str:
    """Return the title: the names of the models if they are short, otherwise their number."""
    whose = listed(names)
    return f"{whose if len(whose) <= _TITLE else f'{len(names)} models'} against real samples"


def facts_of(models: Models, folders: str, day: date) -> list[tuple[str, str]]:
    """Return the lines below the title: date, features, numbers of samples, folder."""
    infos = [info for model in models.values() for info in (model.curve.info, model.info)]
    facts = [
        ("Written", day.isoformat()),
        ("Features", _features(infos)),
        ("Real samples", _span(_sizes(infos, "n_real"))),
        ("Generated samples", _span(_sizes(infos, "n_fake"))),
    ]
    return [*facts, ("Folder of all models", folders)] if folders else facts


def features_of(infos: Sequence[Info]) -> Info:
    """Return the first record of features; empty if there is none."""
    records = (info.get("features") for info in infos)
    return next((record for record in records if isinstance(record, Mapping)), {})


def _features(infos: Sequence[Info]) -> str:
    """Return the model that extracted the features, as far as it is recorded, and their number."""
    record = features_of(infos)
    widths = _sizes(infos, "n_features")
    model = record.get("model")
    if model is None:
        parts = [f"model {UNKNOWN}"]
    else:
        parts = [str(model), *(str(record[key]) for key in ("weights", "layer") if record.get(key))]
        missing = [word for key, word in _SETS.items() if key not in record.get("recorded", _SETS)]
        parts += [f"{UNKNOWN} of the {word} samples" for word in missing]
    return ", ".join([*parts, f"{_span(widths)} numbers a sample"] if widths else parts)


def _sizes(infos: Sequence[Info], key: str) -> list[int]:
    return sorted({info[key] for info in infos if isinstance(info.get(key), int)})


def _span(values: Sequence[int]) -> str:
    """Return the one value, or the least and the largest, as text."""
    if not values:
        return UNKNOWN
    return str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}"


# ---- confidence bands ----------------------------------------------------------------------------


def known_band(curve: PRCurve, confidence: float) -> Band | None:
    """Return the band of a curve and the upper bound; None for a curve without counts."""
    try:
        return band_of(curve, confidence)
    except ArgumentError:
        return None


def about_bands(
    names: Sequence[str], bands: Sequence[Band | None], confidence: float | None
) -> list[str]:
    """Return the sentences on the bands; none without bands."""
    if confidence is None or not any(bands):
        return []
    lines = [
        f"Bands, what the samples prove: with {100 * confidence:g} % confidence the scorer's own "
        "curve, on endless samples, lies inside its band, and with the same confidence the true "
        "one below the dotted line, at every λ at once."
    ]
    pairs = list(zip(names, bands, strict=True))
    empirical = [name for name, band in pairs if band and not band.certified]
    if empirical:
        lines.append(
            f"Bands that are empirical, not certified: of {shortened(empirical)}; the samples were "
            "scored without a split or in folds."
        )
    without = [name for name, band in pairs if not band]
    if without:
        lines.append(f"No band of {shortened(without)}: the curve counts no samples.")
    return lines


def differences_of_metrics(
    models: Models, names: Sequence[str], seed: int
) -> dict[str, list[Difference]]:
    """Return the differences of the metrics that are compared with numbers of the curves, if all
    models have split-half metrics."""
    halves = [model.halves for model in models.values() if model.halves is not None]
    if len(halves) < len(models):
        return {}
    return {
        key: metric_differences(
            names, key, [one[key] for one in models.values()], halves, seed=seed
        )
        for key in OPPOSED
        if all(key in of_model.values for of_model in halves)
    }


# ---- provenance ----------------------------------------------------------------------------------


def provenance_of(models: Models) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Return the entries on which the records of all models agree, and {key: the value of each
    model} of the others."""
    infos = [_record(model) for model in models.values()]
    common = agreed(infos)
    keys = dict.fromkeys(key for info in infos for key in info if key not in common)
    return common, {key: [text_of_value(info.get(key, "–")) for info in infos] for key in keys}


def _record(one: Evaluation) -> dict[str, Any]:
    """Return the records of the features, the curve, the metrics and the profile of a model."""
    parts = {
        "features": features_of([one.curve.info, one.info]),
        "curve": scalars(one.curve.info),
        "metrics": scalars(one.info),
    }
    if one.profile is not None:
        origin = one.profile.provenance
        parts["profile"] = {
            "resolutions": [f"{sigma:g}" for sigma in one.profile.resolutions],
            "noise": origin.noise or UNKNOWN,
            "unit": units_text(origin),
        }
    return {
        f"{part}: {key}": value
        for part, info in parts.items()
        for key, value in info.items()
        if key != "features"  # a part by itself
    }


def unshown_curves(models: Models) -> dict[str, str]:
    """Return a line with the names of curves that are not the first of their evaluation."""
    names = dict.fromkeys(
        curve_name(*key) for model in models.values() for key in list(model.curves)[1:]
    )
    return {"curves not shown": ", ".join(names)} if names else {}


def text_of_value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {text_of_value(one)}" for key, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(text_of_value, value))
    return "none" if value is None else str(value)
