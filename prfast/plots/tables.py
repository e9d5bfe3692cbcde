"""Plot of the columns of tables that differ, for several models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from prfast.inputs.errors import WrongType
from prfast.inputs.options import read_count, read_list
from prfast.plots.drawing import COLORS, literal_text, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH, _LINE, _ENDS = 6.4, 0.32, 1.1  # inches: of the axes; height of a line; of ticks and labels
_OFFSET = 0.5  # of a line, over which the points of the models are spread


def plot_differences(
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
        Number of lines, 12 by default: those whose largest difference of any model is largest.
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
    if not isinstance(models, Mapping) or not all(
        hasattr(x, "differences") for x in models.values()
    ):
        raise WrongType(
            "models", f"the result of compare_tables expected, got {type(models).__name__}"
        )
    by_name: dict[str, dict[str, Any]] = {}
    for model, one in models.items():
        for difference in one.differences:
            by_name.setdefault(difference.name, {})[model] = difference
    largest = {name: max(x.value for x in of.values()) for name, of in by_name.items()}
    shown = sorted(largest, key=lambda name: -largest[name])[: read_count("most", most)][::-1]
    ax = new_axes((_WIDTH, _ENDS + _LINE * len(shown))) if ax is None else ax
    palette = COLORS if colors is None else read_list("colors", colors, (str,))
    for i, model in enumerate(models):
        at = [(y, by_name[name].get(model)) for y, name in enumerate(shown)]
        points = [(y, one) for y, one in at if one is not None]
        shift = _OFFSET * (0.5 - (i + 0.5) / len(models))
        ax.errorbar(
            [one.value for _, one in points],
            [y + shift for y, _ in points],
            xerr=[1.96 * one.error for _, one in points],
            fmt="o",
            markersize=4,
            linewidth=1.2,
            color=palette[i % len(palette)],
            label=literal_text(model),
        )
    ax.axvline(0.0, color="0.6", linewidth=0.8)
    ax.set_yticks(range(len(shown)), [literal_text(name) for name in shown])
    ax.set_xlabel("total variation by itself")
    ax.set_title(literal_text(title or ""))
    ax.grid(axis="x", color="0.92")
    ax.set_axisbelow(True)
    if legend:
        ax.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.01, 0.5))
    return ax
