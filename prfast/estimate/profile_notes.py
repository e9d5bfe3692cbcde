"""A profile as text and HTML: sentences on differences of detail and of mass, and a table."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

from prfast.curve.summary import ALIKE, ROWS
from prfast.estimate.notes import legend, notes_of_several, picture_of
from prfast.estimate.profiles import Profile
from prfast.results.values import Display, listed, value_and_error
from prfast.samples.ladder import COARSE, MATCHING, REACHED, name_of, noise_of
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
    intervals = {
        row.key: dict(zip(profile.curves, profile.intervals(row.key), strict=True)) for row in _ROWS
    }
    areas = intervals["area"]
    ladder = profile.resolutions
    (finest, *_, coarsest), sigma = ladder, ladder.coarse
    at_finest, coarse = areas[finest], areas[sigma]
    if at_finest.high >= ALIKE:
        every = {(row.title, x): intervals[row.key][x] for row in _ROWS for x in areas}
        title, x = least = min(every, key=lambda name: every[name].high)
        if every[least].high < 1:
            area = "" if title == "area" else f", area {areas[x]:.2f}"
            return [
                f"{PERHAPS}: {title} {every[least]:.2f} at {name_of(x)}{area}; "
                "prfast.two_sample_test, or prfast test, decides whether they may be chance."
            ]
        method = profile.provenance.method or "auto"
        detected = "" if method == "auto" else f" that {method} detects"
        start = "at any resolution" if finest == 0 else f"from {name_of(finest)} on"
        return [f"{NONE}{detected} {start}: area {at_finest:.2f}."]
    if not finest < sigma or not COARSE / 2 <= sigma <= 2 * COARSE:
        return [
            f"Area {at_finest:.2f} at {name_of(finest)}, {areas[coarsest]:.2f} at "
            f"{name_of(coarsest)}; what remains at {COARSE:g} is not known."
        ]

    def unlike(x: float) -> str:
        """Return the sets that are clearly unlike the other one at a resolution."""
        sides = {key: intervals[key][x] for key in _UNLIKE}
        numbers = ", ".join(f"{key} {side.value:.2f}" for key, side in sides.items())
        if not (found := [_UNLIKE[key] for key, side in sides.items() if side.high < ALIKE]):
            found = ["location, spread or proportions"]
            numbers += f", overlap {intervals['overlap'][x]:.2f}"
        return f"{' and '.join(found)} ({numbers} at {name_of(x)})"

    # The coarsest one up to which the area does not rise clearly.
    unchanged = max(x for x, area in areas.items() if x <= sigma and area.low <= at_finest.high)
    blur = noise_of(sigma)
    full = f"at {name_of(finest)}"
    numbers = f"area {at_finest.value:.2f} {full}, {coarse.value:.2f} at {name_of(sigma)}"
    same = f"No clear change of the area up to {name_of(unchanged)}"
    if unchanged == sigma and 1 - coarse.value < (1 - at_finest.value) / 2:
        return [f"The samples are too few to tell whether detail or mass differs: {numbers}."]
    if unchanged == sigma and coarse.value >= MATCHING:
        shared = intervals["overlap"][finest].value
        lead = "Small differences" if shared >= MATCHING else "Frequencies differ"
        return [f"{lead}: overlap {shared:.2f} {full}, {numbers}."]
    if unchanged == sigma:
        return [
            f"{same}: {numbers}. What differs is too large for {blur} to hide: {unlike(sigma)}."
        ]
    summary = profile.summary()
    reached = [
        f"{area:g} at {ladder.text(summary[name])}"
        for name, area in REACHED.items()
        if area > at_finest.value and math.isfinite(summary[name].value)
    ]
    numbers += f"; it reaches {listed(reached)}." if reached else "."
    detail = f"Differences of detail, finer than {name_of(sigma)}"
    if coarse.value >= MATCHING:
        return [f"{detail}: {numbers} {_LEFT_OUT}"]
    if coarse.high >= MATCHING:
        return [
            f"{detail}, and perhaps of mass: {numbers} The samples are too few to tell whether "
            f"what remains, an area of {coarse.value:.2f} ({coarse.low:.2f} to {coarse.high:.2f}), "
            "is of mass."
        ]
    hidden = f"{blur} hides a part of the difference: {numbers}"
    start = f"{hidden[0].upper()}{hidden[1:]}"
    if unchanged == finest:
        return [f"{start} That part is detail. What remains is larger: {unlike(sigma)}."]
    # Junk and missing modes are a difference of one set, or most of it remains at the end.
    missing, sides = 1 - at_finest.value, [intervals[key][finest] for key in _UNLIKE]
    if sum(x.high < ALIKE for x in sides) != 1 and areas[coarsest].value >= 1 - missing / 2:
        ends = (profile.resolution_at(1 - x * missing).value for x in (0.75, 0.25))
        first, last = map(ladder.number, ends)
        return [
            f"{start} Most of the difference is of the size of resolution {first} to {last}: "
            "noise, blur or a shift of about that size."
        ]
    return [f"{same}, but {hidden} No clear part of it is finer than that."]


def summary_cells(profile: Profile) -> dict[str, str]:
    """Return cells of a table of models by their titles."""
    half, _, coarse = profile.summary().values()
    return {
        "coarse area": value_and_error(coarse.value, coarse.half_width),
        "half resolution": profile.resolutions.text(half),
    }


def display_profile(profile: Profile) -> Display:
    origin, summary = profile.provenance, profile.summary()
    curves = {f"{sigma:g}": curve for sigma, curve in profile.curves.items()}
    # All curves have the same samples, so the note on them is printed once.
    repeated: dict[str, Any] = {"covered": origin.covered, "diversities": origin.diversities}
    origins = {name: replace(x.provenance, **repeated) for name, x in curves.items()}
    cautions = [estimate.provenance.caution for estimate in profile.estimates.values()]
    ladder = profile.resolutions
    reached = [f"{name.replace('_', ' ')} {ladder.text(summary[name])}" for name in REACHED]
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
            f"{'; '.join(reached)}; coarse area, at {ladder.coarse:g}, "
            f"{summary['coarse_area']:.2f}.".capitalize(),
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
