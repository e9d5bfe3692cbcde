"""What made a curve, what differs, and what the method cannot see, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prfast.curve import PRCurve
from prfast.curve.notes import notes_of
from prfast.estimate.columns import sentences
from prfast.results.info import CAUTION
from prfast.scorers.auto.read_out import ENOUGH
from prfast.scorers.auto.words import ALIKE, told_apart
from prfast.scorers.methods import METHODS

UNKNOWN = "What made this curve is not known: its info names no method."


def explain(curve: PRCurve) -> str:
    """What `PRCurve.explain` returns: a sentence a line."""
    info = curve.info
    method = info.get("method")
    if not isinstance(method, str):
        return "\n".join([*_caution(info), UNKNOWN, *notes_of(info)])
    return "\n".join([*_caution(info), made(method, info), *notes_of(info), *_sees(method, curve)])


def _caution(info: Mapping[str, Any]) -> list[str]:
    return [f"Caution: {info[CAUTION]}"] if CAUTION in info else []


def made(method: str, info: Mapping[str, Any]) -> str:
    """The method, of how many samples, what was scored, what became of it since."""
    summary = f", {METHODS[method].summary}" if method in METHODS else ""
    said = [f"Method {method}{summary}"]
    if "k" in info:
        said.append(f"k = {info['k']}")
    if "n_real" in info and "n_fake" in info:
        said.append(f"{info['n_real']} real and {info['n_fake']} generated samples")
    if "split" in info:
        said.append(_split(info))
    if "mean_of" in info:
        said.append(f"the mean of {info['mean_of']} curves")
    if "intersection_of" in info:
        said.append(f"the minimum of {info['intersection_of']} curves")
    if info.get("swapped") is True:
        said.append("real and generated exchanged since")
    return "; ".join(said) + "."


def _split(info: Mapping[str, Any]) -> str:
    """Which samples were scored."""
    split = info["split"]
    if "folds" in info:
        return f"each scored by a fit that has not seen it, {info['folds']} folds"
    if split is None:
        return "all of them scored"
    if isinstance(split, float):
        return f"{1 - split:.3g} of them scored, the rest fitted on"
    return "a coin for each pair says which of the two is scored"


def column_sentences(curve: PRCurve) -> list[str]:
    """Return a sentence on each column that tells the sets apart by itself; none where the evidence
    is too little, or the sets have been exchanged since."""
    columns, width = curve.info.get("columns"), curve.info.get("n_features")
    if not isinstance(columns, list) or width is None:
        return []
    if "shrunk" in curve.info or curve.info.get("swapped") is True:
        return []
    return sentences(columns, width, curve.total_variation)


def _rows(info: Mapping[str, Any]) -> list[str]:
    """Return a sentence on the samples whose log-ratio says most of what differs."""
    if info.get("swapped") is True:
        return []
    words = {
        "missed": "Real samples that are missed most",
        "least_real": "Generated samples least like real ones",
    }
    return [
        f"{words[key]}: row{'s' if len(info[key]) > 1 else ''} {', '.join(map(str, info[key]))}."
        for key in words
        if info.get(key)
    ]


def _sees(method: str, curve: PRCurve) -> list[str]:
    """What told the sets apart, where that is recorded, and what the method cannot see."""
    info = curve.info if method == "auto" else {}
    said = []
    if "shrunk" in info:
        said.append(_shrinkage(info))
    elif "covered" in info and curve.fidelity >= ALIKE:
        said.append("Beside repetition, nothing told the two apart.")
    elif isinstance(info.get("weights"), Mapping):
        columns = column_sentences(curve)
        if curve.area < ALIKE or not columns:
            said.append(told_apart(info["weights"], curve.area))
        said += [*columns, *_rows(info)]
    blind = METHODS[method].blind if method in METHODS else ""
    if blind:
        said.append(f"It cannot see {blind}.")
    elif not said:
        said.append("What it cannot see is not known; compare with another method.")
    return said


def _shrinkage(info: Mapping[str, Any]) -> str:
    """Return why the curve was drawn towards that of equal distributions, and how far."""
    evidence, drawn = info.get("evidence", 0.0) + 0.0, 1.0 - info["shrunk"]
    return (
        f"There is too little evidence of a difference: held-out samples give {evidence:g} nats, "
        f"and {ENOUGH:g} are needed; the curve is drawn {drawn:.0%} of the way to that of equal "
        "distributions, and the ± covers both."
    )
