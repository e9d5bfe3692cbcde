"""Mode dropping, invention and re-weighting: PR and Lorenz curves drawn (2023 Fig. 3).

Mixtures of two truncated Gaussians on a line, as exact masses of fine cells:

    dropping      P has both components, Q the first alone
    invention     P has the first alone, Q both
    re-weighting  both have both; the first is the same, with less weight in Q, the second is more
                  spread in Q, within the same bounds

The figure, modes.png in the folder of results, has a column each: densities, PR, Lorenz.
"""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from bench.results import Figure, Findings

BOTH, FIRST = ((0.6, 1.0), (0.4, 1.0)), ((1.0, 1.0),)  # (weight, standard deviation)
SCENARIOS = {
    "dropping": (BOTH, FIRST),
    "invention": (FIRST, BOTH),
    "re-weighting": (((0.5, 1.0), (0.5, 1.0)), ((0.2, 1.0), (0.8, 1.5))),
}
# What theory says of each: maximum precision, maximum recall, precision at full recall.
EXPECTED = {
    "dropping": (1.0, 0.6, 0.0),
    "invention": (0.6, 1.0, 0.6),
    "re-weighting": (1.0, 1.0, 0.4),
}
CENTERS, REACH = (-4.0, 4.0), 3.0


def run(options: Namespace) -> Findings:
    from prfast import PRCurve

    cells = 400 if options.tiny else 20_000
    figures, numbers, drawn = [], [], {}
    for name, sides in SCENARIOS.items():
        edges, p, q = masses(sides, cells)
        curve = PRCurve.from_masses(p, q)
        drawn[name] = edges, p, q, curve
        results = (curve.max_precision, curve.max_recall, float(curve.precision_at(1.0)))
        off = max(abs(x - y) for x, y in zip(results, EXPECTED[name], strict=True))
        figures.append(Figure(f"{name}: off theory", off, at_most=1e-9))
        numbers.append({"scenario": name, "max_precision": results[0], "max_recall": results[1]})
        numbers[-1] |= {"precision_at_full_recall": results[2], "area": curve.area}
    picture = options.results / f"{options.case}.png"
    draw(drawn, str(picture))
    return Findings({}, figures, [f"{cells} cells.  Drawn to {picture}"], numbers)


def masses(sides: Any, cells: int) -> tuple[Any, Any, Any]:
    """Edges of the cells, masses of both sides: differences of distribution functions."""
    import numpy as np
    from scipy.special import ndtr

    # Both supports are whole numbers of cells.
    edges = np.linspace(CENTERS[0] - REACH, CENTERS[1] + REACH, 14 * (cells // 14) + 1)
    results = []
    for mixture in sides:
        mass = np.zeros(edges.size - 1)
        for (weight, spread), center in zip(mixture, CENTERS, strict=False):
            inside = np.clip((edges - center) / spread, -REACH / spread, REACH / spread)
            part = np.diff(ndtr(inside))
            mass += weight * part / part.sum()
        results.append(mass)
    return edges, *results


def draw(drawn: dict[str, Any], path: str) -> None:
    from prfast import PRCurve
    from prfast.plots import COLORS, new_figure, plot_curves, plot_lorenz

    same = PRCurve.from_masses([1], [1])
    picture, axes = new_figure(len(drawn), (10.5, 9.5), (1, 2, 2))
    for i, (name, (edges, p, q, curve)) in enumerate(drawn.items()):
        column = axes[i :: len(drawn)]
        width = edges[1] - edges[0]
        for mass, label, color in ((p, "P, real", "black"), (q, "Q, generated", COLORS[0])):
            column[0].stairs(mass / width, edges, color=color, label=label)
        column[0].set(title=f"mode {name}", xlim=(edges[0], edges[-1]), xticks=[], yticks=[])
        plot_curves(curve, column[1], truth=same, legend=False, shade=True)
        plot_lorenz(curve, column[2], truth=same, legend=False, shade=True)
    axes[0].legend(fontsize="small", loc="upper right")
    picture.savefig(path, dpi=120)
