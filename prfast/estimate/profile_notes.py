"""A profile as text and HTML: sentences on differences of detail and of mass, on resolutions and
their unit, and a table."""

from __future__ import annotations

import math

from prfast.curve import Provenance
from prfast.curve.summary import ALIKE, Interval, rows_of_table
from prfast.estimate.display import picture_of
from prfast.estimate.notes import legend, notes_of_several
from prfast.estimate.profiles import COARSE, HALF, MATCHING, Profile
from prfast.results.values import Display, listed, value_and_error
from prfast.samples.noise import CATEGORY, SCALES

_LARGE = "modes or junk, missing or invented, or a spread or place that is far off"


def sentences_of(profile: Profile) -> list[str]:
    """Return what the profile says: differences of detail, and of mass."""
    full, coarse = profile.intervals("area")[0], profile.coarse_area
    (finest, *_, coarsest), sigma = profile.resolutions, profile.coarse_resolution
    if full.high >= ALIKE:
        method = profile.provenance.method or "auto"
        seen = "" if method == "auto" else f" that {method} detects"
        start = "at any resolution" if finest == 0 else f"from resolution {finest:g} on"
        return [f"No clear difference{seen} {start}: area {full:.2f}."]
    start = "at full resolution" if finest == 0 else f"at resolution {finest:g}"
    if not finest < sigma or not COARSE / 2 <= sigma <= 2 * COARSE:
        end = profile.intervals("area")[-1]
        return [
            f"Area {full:.2f} {start}, {end:.2f} at resolution {coarsest:g}; what remains at "
            f"{COARSE:g} is not known."
        ]
    numbers = f"area {full.value:.2f} {start}, {coarse.value:.2f} at resolution {sigma:g}"
    areas = zip(profile.resolutions, profile.intervals("area"), strict=True)
    unchanged = max(at for at, one in areas if at <= sigma and one.low <= full.high)
    if unchanged == sigma:
        if coarse.value >= MATCHING:
            return [f"Small differences: {numbers}."]
        return [
            f"No clear change up to resolution {sigma:g}: {numbers}. What differs is too large "
            f"for noise of {_deviations(sigma)} to hide: {_LARGE} ({_shares_at(profile, sigma)})."
        ]
    crossings = {
        area: profile.resolution_at(area) for area in (HALF, MATCHING) if area > full.value
    }
    reached = [
        f"{area:g} at {range_text(one, finest, coarsest)}"
        for area, one in crossings.items()
        if math.isfinite(one.value)
    ]
    numbers += f"; it reaches {listed(reached)}." if reached else "."
    if coarse.value >= MATCHING:
        return [f"Differences of detail, finer than resolution {sigma:g}: {numbers}"]
    if coarse.high >= MATCHING:
        return [
            f"Differences of detail, finer than resolution {sigma:g}, and perhaps of mass: "
            f"{numbers} The samples are too few to tell whether what remains, an area of "
            f"{coarse.value:.2f} ({coarse.low:.2f} to {coarse.high:.2f}), is of mass."
        ]
    hidden = f"noise of {_deviations(sigma)} hides a part of the difference: {numbers}"
    if unchanged > finest:
        return [
            f"No clear change up to resolution {unchanged:g} ({_shares_at(profile, finest)}), but "
            f"{hidden} That is no fine detail: modes, missing or invented, that such noise "
            "joins to others, strong noise or blur, a shift, or another spread."
        ]
    return [
        f"{hidden[0].upper()}{hidden[1:]} That part is detail, such as noise or blur. What "
        f"remains is larger: {_LARGE} ({_shares_at(profile, sigma)} at resolution {sigma:g})."
    ]


def _shares_at(profile: Profile, sigma: float) -> str:
    """Return fidelity and diversity at a resolution, in words."""
    curve = profile.curves[sigma]
    return f"fidelity {curve.fidelity:.2f}, diversity {curve.diversity:.2f}"


def summary_of(profile: Profile) -> list[str]:
    """Return what the profile says, and its summary numbers."""
    finest, *_, coarsest = profile.resolutions
    half, matching = (
        range_text(one, finest, coarsest)
        for one in (profile.half_resolution, profile.matching_resolution)
    )
    summary = (
        f"half resolution {half}; matching resolution {matching}; "
        f"coarse area, at {profile.coarse_resolution:g}, {profile.coarse_area:.2f}"
    )
    return [*sentences_of(profile), f"In numbers: {summary}."]


def range_text(interval: Interval, finest: float, coarsest: float) -> str:
    """Return a resolution with its interval, such as "0.21 (0.19 to 0.24)"; the ends of a profile
    from `finest` to `coarsest` are "at most" and "above"."""

    def text(sigma: float) -> str:
        if sigma <= finest:
            return f"at most {finest:g}" if finest > 0 else "0"
        return f"{sigma:.2g}" if math.isfinite(sigma) else f"above {coarsest:g}"

    value, low, high = map(text, (interval.value, interval.low, interval.high))
    return value if low == high else f"{value} ({low} to {high})"


def _deviations(sigma: float) -> str:
    return f"{sigma:g} standard deviation{'' if sigma == 1 else 's'}"


def method_line(origin: Provenance) -> str:
    """Return a line on how the curves were made."""
    return (
        f"Method {origin.method}; {origin.n_real} real and {origin.n_fake} "
        f"generated samples; resolutions in {units_text(origin)}."
    )


def units_text(origin: Provenance) -> str:
    """Return the units of the resolutions of a profile."""
    noise = origin.noise or {}
    scale = noise.get("scale", "")
    text = SCALES.get(scale, "") if isinstance(scale, str) else "given scales"
    if "categories" in noise:
        text += f"; categories are replaced with probability 1 − exp(−(σ/{CATEGORY:g})²)"
    return text


def display_profile(profile: Profile) -> Display:
    """Return a profile as text and HTML show it."""
    head, *lines = table_of(profile)
    curves = {f"{sigma:g}": one for sigma, one in profile.curves.items()}
    provenances = {name: one.provenance for name, one in curves.items()}
    cautions = [one.provenance.caution for one in profile.estimates.values()]
    return Display(
        "Profile",
        lines,
        head=head,
        notes=[*summary_of(profile), legend(), *notes_of_several(provenances)],
        cautions=list(dict.fromkeys(text for text in cautions if text)),
        picture=picture_of(curves),
        summary=method_line(profile.provenance),
        details=[f"{key}: {value}" for key, value in profile.info.items()],
    )


_TABLE = ("fidelity", "diversity", "area", "overlap")


def table_of(profile: Profile) -> list[list[str]]:
    """Return the cells of the headings, then of a line for each resolution."""
    numbers = [row for row in rows_of_table("repr") if row.key in _TABLE]
    columns = [profile.intervals(row.key) for row in numbers]
    lines = [
        [
            "0 (full)" if sigma == 0 else f"{sigma:g}",
            *(value_and_error(one.value, one.half_width) for one in of_sigma),
        ]
        for sigma, *of_sigma in zip(profile.resolutions, *columns, strict=True)
    ]
    return [["resolution", *(row.title for row in numbers)], *lines]
