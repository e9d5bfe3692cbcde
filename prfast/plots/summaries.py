"""Plots of profiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from prfast.curve.summary import Interval, read_row
from prfast.estimate.profiles import Axis, Profile
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongType, kind_of
from prfast.inputs.options import read_list
from prfast.plots.drawing import COLORS, literal_text, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = (5.6, 4.0)  # inches
_POINTS = 200  # of a line


def plot_profile(
    profile: Profile,
    ax: Axes | None = None,
    *,
    numbers: Sequence[str] = ("fidelity", "diversity", "area"),
    title: str | None = None,
    legend: bool = True,
) -> Axes:
    """Draw numbers of one profile against the resolution, with 95 % intervals.

    Example: ``prfast.plots.plot_profile(prfast.profile(*prfast.reference.TOYS["a"].sample(500)))``.
    See also `prfast.profile`.

    Parameters
    ----------
    profile : Profile
    numbers : sequence of str
        Keys of numbers, as for `PRCurve.interval`; "fidelity", "diversity" and "area" by default.
    ax, title, legend
        See `plot_curves`, with its errors.
    """
    if not isinstance(profile, Profile):
        raise WrongType("profile", f"a Profile expected, got {kind_of(profile)}")
    keys = read_list("numbers", numbers, (str,))
    lines = {read_row("numbers", key).title: (profile, key) for key in keys}
    ax = _draw(lines, ax, None, legend)
    ax.set(ylabel="number of the curve", title=literal_text(title or ""))
    return ax


def plot_profiles(
    profiles: Mapping[str, Profile],
    ax: Axes | None = None,
    *,
    number: str = "area",
    colors: Sequence[Any] | None = None,
    title: str | None = None,
    legend: bool = True,
) -> Axes:
    """Draw a number of several models against the resolution, a line each, with 95 % intervals.

    See also `plot_profile`.

    >>> x = prfast.profile(*prfast.reference.GaussianShift(1).sample(500), [0, 1], "knn")
    >>> prfast.plots.plot_profiles({"model": x})

    Parameters
    ----------
    profiles : mapping of str to Profile
        A mapping by model, such as `Comparison.profiles`; with the same resolutions.
    number : str
        Key of a number, as for `PRCurve.interval`; "area" by default.
    ax, colors, title, legend
        See `plot_curves`, with its errors.
    """
    if not isinstance(profiles, Mapping) or not profiles:
        raise WrongType("profiles", f"a mapping of names to profiles expected, got {profiles!r}")
    ax = _draw({name: (profile, number) for name, profile in profiles.items()}, ax, colors, legend)
    ax.set(ylabel=read_row("number", number).title, title=literal_text(title or ""))
    return ax


def _draw(
    lines: Mapping[str, tuple[Profile, str]], ax: Axes | None, colors: Any, legend: bool
) -> Axes:
    """Draw lines by name, each a number of a profile."""
    for name, (profile, _) in lines.items():
        if not isinstance(profile, Profile):
            raise WrongType("profiles", f"a Profile expected for {name!r}, got {kind_of(profile)}")
    axis = Axis([profile for profile, _ in lines.values()], common=True)
    ax = new_axes(_SIZE) if ax is None else ax
    palette = COLORS if colors is None else read_list("colors", colors, (str,))
    x = axis.ticks
    fine = np.linspace(x[0], x[-1], _POINTS)
    for i, (name, (profile, number)) in enumerate(lines.items()):
        color = palette[i % len(palette)]
        intervals = profile.intervals(number)
        value, low, high = interpolated(x, intervals, fine)
        ax.plot(fine, value, color=color, linewidth=1.8, label=literal_text(name), zorder=3)
        ax.plot(x, [point.value for point in intervals], "o", color=color, markersize=4, zorder=3)
        ax.fill_between(fine, low, high, color=color, alpha=0.14, linewidth=0)
    ax.set_xticks(x, axis.labels)
    ax.set(ylim=(0, 1.02), xlim=(x[0], x[-1]), xlabel=axis.title)
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
