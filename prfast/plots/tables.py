"""Plot of the columns of tables that differ, for several models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from prfast.inputs.errors import WrongType
from prfast.inputs.options import read_count, read_list
from prfast.plots.drawing import COLORS, literal_text, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH, _LINE, _ENDS = 6.4, 0.32, 1.1  # inches: of the axes; height of a line; of ticks and labels
_OFFSET = 0.5  # of a line, over which the points of the models are spread


def plot_columns(
    models: Mapping[str, Any],
    ax: Axes | None = None,
    *,
    most: int = 12,
    colors: Sequence[Any] | None = None,
    title: str | None = None,
    legend: bool = True,
) -> Axes:
    """Draw the columns, and pairs of columns, in which generated tables differ most from the real
    one: a line for each, a point with its 95 % interval for each model.

    Parameters
    ----------
    models : mapping of str to TableEvaluation
        A `TableComparison`, the result of `prfast.compare_tables`.
    most : int
        Number of lines, 12 by default: in turn the largest differences of each model.
    ax, colors, title, legend
        As for `plot_curves`.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ImportError
        matplotlib is missing; the message names the extra to install.
    TypeError, ValueError
        Not such a mapping, or one without a difference.
    """
    if not isinstance(models, Mapping) or not all(hasattr(x, "copies") for x in models.values()):
        raise WrongType(
            "models", f"the result of compare_tables expected, got {type(models).__name__}"
        )
    by_name: dict[str, dict[str, Any]] = {}
    for model, one in models.items():
        for difference in one.columns:
            by_name.setdefault(difference.name, {})[model] = difference
    names = _lines(models, by_name, read_count("most", most))[::-1]
    ax = new_axes((_WIDTH, _ENDS + _LINE * len(names))) if ax is None else ax
    palette = COLORS if colors is None else read_list("colors", colors, (str,))
    for i, model in enumerate(models):
        at = [(y, by_name[name].get(model)) for y, name in enumerate(names)]
        points = [(y, one) for y, one in at if one is not None]
        shift = _OFFSET * (0.5 - (i + 0.5) / len(models))
        ax.errorbar(
            [one.value for _, one in points],
            [y + shift for y, _ in points],
            xerr=[one.half_width for _, one in points],
            fmt="o",
            markersize=4,
            linewidth=1.2,
            color=palette[i % len(palette)],
            label=literal_text(model),
        )
    ax.axvline(0.0, color="0.6", linewidth=0.8)
    ax.set_yticks(range(len(names)), [literal_text(name) for name in names])
    ax.set_xlabel("total variation by itself")
    ax.set_title(literal_text(title or ""))
    ax.grid(axis="x", color="0.92")
    ax.set_axisbelow(True)
    if legend:
        ax.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.01, 0.5))
    return ax


def _lines(models: Mapping[str, Any], by_name: Mapping[str, Any], most: int) -> list[str]:
    """Return the names of the lines: in turn the next largest difference of each model, in the
    order of the largest of any model."""
    names: dict[str, None] = {}
    for of_rank in zip_longest(*(one.columns for one in models.values())):
        for one in of_rank:
            if one is not None and len(names) < most:
                names[one.name] = None
    return sorted(names, key=lambda name: -max(x.value for x in by_name[name].values()))
