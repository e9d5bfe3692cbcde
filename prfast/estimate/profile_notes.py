"""A profile as text and HTML: sentences on differences of detail and of mass, and a table."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

from prfast.curve.summary import ALIKE, LEVEL, ROWS, Interval
from prfast.estimate.notes import legend, notes_of_several, picture_of
from prfast.estimate.profiles import COARSE, HALF, MATCHING, Profile
from prfast.inputs.calls import call
from prfast.results.values import Display, listed, value_and_error
from prfast.samples.notes import units_text

_ROWS = [x for x in ROWS if x.key in ("fidelity", "diversity", "area", "overlap")]
NONE, PERHAPS = "No clear difference", "Small differences, if any"  # sentences that prove nothing
_UNLIKE = {
    "fidelity": "generated samples unlike real ones",
    "diversity": "real samples unlike generated ones",
}
_LEFT_OUT = (
    "The coarse area leaves them out: noise, blur, rounding, or totals that are not the sum or "
    "product of other columns."
)


def sentences_of(profile: Profile) -> list[str]:
    """Return the profile in words: differences of detail, and of mass."""
    intervals = {
        row.key: dict(zip(profile.curves, profile.intervals(row.key), strict=True)) for row in _ROWS
    }
    areas = intervals["area"]
    (finest, *_, coarsest), sigma = areas, profile.coarse_resolution
    at_finest, coarse = areas[finest], areas[sigma]
    if at_finest.high >= ALIKE:
        every = {(row.title, x): intervals[row.key][x] for row in _ROWS for x in areas}
        title, x = least = min(every, key=lambda name: every[name].high)
        if every[least].high < 1:
            area = "" if title == "area" else f", area {areas[x]:.2f}"
            return [
                f"{PERHAPS}: {title} {every[least]:.2f} {_at(x)}{area}; "
                f"{call('two_sample_test')} decides whether they may be chance."
            ]
        method = profile.provenance.method or "auto"
        detected = "" if method == "auto" else f" that {method} detects"
        start = "at any resolution" if finest == 0 else f"from resolution {finest:g} on"
        return [f"{NONE}{detected} {start}: area {at_finest:.2f}."]
    if not finest < sigma or not COARSE / 2 <= sigma <= 2 * COARSE:
        return [
            f"Area {at_finest:.2f} {_at(finest)}, {areas[coarsest]:.2f} {_at(coarsest)}; what "
            f"remains at {COARSE:g} is not known."
        ]

    def unlike(x: float) -> str:
        """Return the sets that are clearly unlike the other one at a resolution."""
        sides = {key: intervals[key][x] for key in _UNLIKE}
        numbers = ", ".join(f"{key} {side.value:.2f}" for key, side in sides.items())
        if not (found := [_UNLIKE[key] for key, side in sides.items() if side.high < ALIKE]):
            found, numbers = ["proportions"], f"{numbers}, overlap {intervals['overlap'][x]:.2f}"
        return f"{' and '.join(found)} ({numbers} {_at(x)})"

    # The coarsest resolution up to which the area does not rise clearly.
    unchanged = max(x for x, area in areas.items() if x <= sigma and area.low <= at_finest.high)
    noise = f"noise of {sigma:g} standard deviation{'' if sigma == 1 else 's'}"
    numbers = f"area {at_finest.value:.2f} {_at(finest)}, {coarse.value:.2f} {_at(sigma)}"
    same = f"No clear change of the area up to resolution {unchanged:g}"
    if unchanged == sigma and coarse.value >= MATCHING:
        shared = intervals["overlap"][finest].value
        lead = "Small differences" if shared >= MATCHING else "Frequencies differ"
        return [f"{lead}: overlap {shared:.2f} {_at(finest)}, {numbers}."]
    if unchanged == sigma:
        return [
            f"{same}: {numbers}. What differs is too large for {noise} to hide: {unlike(sigma)}."
        ]
    crossings = {area: profile.resolution_at(area) for area in (HALF, MATCHING)}
    reached = [
        f"{area:g} at {range_text(interval, finest, coarsest)}"
        for area, interval in crossings.items()
        if area > at_finest.value and math.isfinite(interval.value)
    ]
    numbers += f"; it reaches {listed(reached)}." if reached else "."
    detail = f"Differences of detail, finer than resolution {sigma:g}"
    if coarse.value >= MATCHING:
        return [f"{detail}: {numbers} {_LEFT_OUT}"]
    if coarse.high >= MATCHING:
        return [
            f"{detail}, and perhaps of mass: {numbers} The samples are too few to tell whether "
            f"what remains, an area of {coarse.value:.2f} ({coarse.low:.2f} to {coarse.high:.2f}), "
            "is of mass."
        ]
    hidden = f"{noise} hides a part of the difference: {numbers}"
    start = f"{hidden[0].upper()}{hidden[1:]}"
    if unchanged == finest:
        return [f"{start} That part is detail. What remains is larger: {unlike(sigma)}."]
    # Junk and missing modes are a difference of one set, or most of it remains at the end.
    missing, sides = 1 - at_finest.value, [intervals[key][finest] for key in _UNLIKE]
    if sum(x.high < ALIKE for x in sides) != 1 and areas[coarsest].value >= 1 - missing / 2:
        ends = (profile.resolution_at(1 - x * missing).value for x in (0.75, 0.25))
        first, last = (range_text(Interval(x, x, x, LEVEL), finest, coarsest) for x in ends)
        return [
            f"{start} Most of the difference is of the size of resolution {first} to {last}: "
            "noise, blur or a shift of about that size."
        ]
    return [f"{same}, but {hidden} That is no fine detail: {unlike(finest)}."]


def _at(sigma: float) -> str:
    return f"at resolution {sigma:g}" if sigma else "at full resolution"


def summary_cells(profile: Profile | None) -> dict[str, str]:
    """Return cells of a table of models by their titles; empty ones without a profile."""
    cells = dict.fromkeys(("coarse area", "half resolution"), "")
    if profile is None:
        return cells
    summary, (finest, *_, coarsest) = profile.summary(), profile.curves
    coarse = summary["coarse_area"]
    values = (
        value_and_error(coarse.value, coarse.half_width),
        range_text(summary["half_resolution"], finest, coarsest),
    )
    return dict(zip(cells, values, strict=True))


def range_text(interval: Interval, finest: float, coarsest: float) -> str:
    """Return a resolution of a profile with its interval, such as "0.21 (0.19 to 0.24)"."""

    def text(sigma: float) -> str:
        if sigma <= finest:
            return f"at most {finest:g}" if finest > 0 else "0"
        return f"{sigma:.2g}" if math.isfinite(sigma) else f"above {coarsest:g}"

    value, low, high = map(text, (interval.value, interval.low, interval.high))
    return value if low == high else f"{value} ({low} to {high})"


def display_profile(profile: Profile) -> Display:
    """Return a profile as text and HTML show it."""
    origin, summary = profile.provenance, profile.summary()
    curves = {f"{sigma:g}": curve for sigma, curve in profile.curves.items()}
    # All curves have the same samples, so the note on them is printed once.
    repeated: dict[str, Any] = {"covered": origin.covered, "diversities": origin.diversities}
    origins = {name: replace(x.provenance, **repeated) for name, x in curves.items()}
    cautions = [estimate.provenance.caution for estimate in profile.estimates.values()]
    finest, *_, coarsest = profile.curves
    half, matching = (
        range_text(summary[f"{name}_resolution"], finest, coarsest) for name in ("half", "matching")
    )
    columns = [profile.intervals(row.key) for row in _ROWS]
    lines = []
    for sigma, *intervals in zip(profile.curves, *columns, strict=True):
        cells = [value_and_error(x.value, x.half_width) for x in intervals]
        lines.append(["0 (full)" if sigma == 0 else f"{sigma:g}", *cells])
    return Display(
        "Profile",
        lines,
        head=["resolution", *(row.title for row in _ROWS)],
        notes=[
            *sentences_of(profile),
            f"Half resolution {half}; matching resolution {matching}; coarse area, at "
            f"{profile.coarse_resolution:g}, {summary['coarse_area']:.2f}.",
            *notes_of_several(origins),
            legend(),
        ],
        cautions=list(dict.fromkeys(text for text in cautions if text)),
        picture=partial(picture_of, curves),
        summary=(
            f"Method {origin.method}; {origin.n_real} real and {origin.n_fake} generated samples; "
            f"resolutions in {units_text(origin)}."
        ),
        details=[f"{key}: {value}" for key, value in profile.info.items()],
    )
