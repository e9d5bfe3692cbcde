"""Plots of profiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from prfast.curve.summary import Interval, read_row
from prfast.estimate.profiles import Profile
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongType, kind_of
from prfast.inputs.options import check_named, read_list
from prfast.plots.drawing import COLORS, literal_text, new_axes
from prfast.samples.ladder import Resolutions
from prfast.samples.notes import units_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = (5.6, 4.0)  # inches
_POINTS = 200  # of a line


def plot_profiles(
    profiles: Profile | Mapping[str, Profile],
    ax: Axes | None = None,
    *,
    numbers: Sequence[str] | str | None = None,
    colors: Sequence[Any] | None = None,
    title: str | None = None,
    legend: bool = True,
) -> Axes:
    """Draw numbers of one model or several against the resolution, with 95 % intervals.

    See also `prfast.profile`.

    >>> x = prfast.profile(*prfast.reference.GaussianShift(1).sample(500), [0, 1], "knn")
    >>> prfast.plots.plot_profiles({"model": x})

    Parameters
    ----------
    profiles : Profile, or mapping of str to Profile
        A profile, or profiles by model, such as `Comparison.profiles`.
    numbers : str or sequence of str, optional
        Keys of numbers, as for `PRCurve.interval`, a line each.  Default: "fidelity", "diversity"
        and "area" of one model, "area" of several.
    ax, colors, title, legend
        See `plot_curves`, with its errors.
    """
    models = {"": profiles} if isinstance(profiles, Profile) else profiles
    check_named("profiles", models, "profiles")
    for name, profile in models.items():
        if not isinstance(profile, Profile):
            raise WrongType("profiles", f"a Profile expected for {name!r}, got {kind_of(profile)}")
    if numbers is None:
        numbers = "area" if len(models) > 1 else ("fidelity", "diversity", "area")
    rows = [read_row("numbers", number) for number in read_list("numbers", numbers, (str,))]
    palette = COLORS if colors is None else read_list("colors", colors, (str,))
    ax = new_axes(_SIZE) if ax is None else ax
    ladder = Resolutions.joined(profile.curves for profile in models.values())
    lines = [(name, profile, row) for name, profile in models.items() for row in rows]
    for i, (name, profile, row) in enumerate(lines):
        x, intervals = ladder.axis(profile.curves), profile.intervals(row.key)
        fine, color = np.linspace(x[0], x[-1], _POINTS), palette[i % len(palette)]
        value, low, high = interpolated(x, intervals, fine)
        label = ", ".join(filter(None, (name, row.title if len(rows) > 1 else "")))
        ax.plot(fine, value, color=color, linewidth=1.8, label=literal_text(label), zorder=3)
        ax.plot(x, [point.value for point in intervals], "o", color=color, markersize=4, zorder=3)
        ax.fill_between(fine, low, high, color=color, alpha=0.14, linewidth=0)
    ticks, units = ladder.axis(), {units_text(profile.provenance) for profile in models.values()}
    ax.set_xticks(ticks, [f"{sigma:g}" for sigma in ladder])
    ax.set(ylim=(0, 1.02), xlim=(ticks[0], ticks[-1]), title=literal_text(title or ""))
    ax.set_xlabel(f"resolution, in {units.pop()}" if len(units) == 1 else "resolution")
    ax.set_ylabel(rows[0].title if len(rows) == 1 else "number of the curve")
    ax.grid(color="0.92")
    ax.set_axisbelow(True)
    if legend:
        ax.legend(fontsize="small")
    return ax


def interpolated(x: Float64s, intervals: Sequence[Interval], points: Float64s) -> list[Float64s]:
    """Return values and ends of intervals at points, by the monotone cubic of the summary numbers
    of a profile."""
    from scipy.interpolate import PchipInterpolator

    rows = np.transpose([(interval.value, interval.low, interval.high) for interval in intervals])
    return [PchipInterpolator(x, row)(points) for row in rows]
