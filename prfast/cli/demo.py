"""`prfast demo`: class dropping and inventing (2018, §4.1; 2019, Fig. 2).

P has the first five classes of a labeled set, Q the first q, with disjoint samples and equally
many of each class.  If the supports of the classes were disjoint, the curve would be the rectangle
with maximum precision min(1, 5/q) and maximum recall min(1, q/5).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.cli.files import Printout, engines_used
from prfast.curve import PRCurve
from prfast.estimate.curves import pr_curve
from prfast.estimate.diagnostics import contradictions
from prfast.files.write import write_whole
from prfast.inputs.options import read_seed
from prfast.reference import Discrete
from prfast.results.values import folded

REAL_CLASSES = 5


class Case(NamedTuple):
    """One q: the theoretical rectangle and the curve of each method."""

    q: int
    truth: PRCurve
    curves: dict[str, PRCurve]


def digits() -> tuple[Any, Any]:
    """Return scikit-learn's handwritten digits: pixels, shape (1797, 64), and labels."""
    from sklearn.datasets import load_digits

    images = load_digits()
    return images.data, images.target


def rectangle(q: int) -> PRCurve:
    """Return the curve of uniform distributions on the first five and on the first q classes."""
    number = np.arange(max(q, REAL_CLASSES))
    return Discrete(number < REAL_CLASSES, number < q).curve()


def class_cases(
    features: Any,
    labels: Any,
    *,
    qs: Iterable[int],
    per_class: int,
    methods: Iterable[str] = ("auto", "knn", "kmeans", "classifier"),
    random_state: int = 0,
) -> Iterator[Case]:
    """Yield a case for each q; P and Q have `per_class` disjoint samples of each class."""
    methods, seed, qs = list(methods), random_state, list(qs)
    rng, classes = np.random.default_rng(read_seed(seed)), range(max([*qs, REAL_CLASSES]))
    by_class = [rng.permutation(np.flatnonzero(labels == c)) for c in classes]
    real_rows = np.concatenate([rows[:per_class] for rows in by_class[:REAL_CLASSES]])
    fake_rows = [rows[per_class : 2 * per_class] for rows in by_class]
    for q in qs:
        real, fake = features[real_rows], features[np.concatenate(fake_rows[:q])]
        curves = {method: pr_curve(real, fake, method, random_state=seed) for method in methods}
        yield Case(q, rectangle(q), curves)


def draw(cases: Sequence[Case], path: str) -> None:
    """Draw a panel for each method, with a color for each q and dashed rectangles."""
    from matplotlib import colormaps

    from prfast.plots import new_figure, plot_curves

    methods = list(cases[0].curves)
    figure, panels = new_figure(len(methods), (5.2 * len(methods) + 1, 5.6))
    for ax, method in zip(panels, methods, strict=True):
        plot_curves(
            [case.curves[method] for case in cases],
            ax,
            labels=[f"q = {case.q}" for case in cases],
            truth=[case.truth for case in cases],
            colors=list(colormaps["turbo"](np.linspace(0.05, 0.95, len(cases)))),
            title=method,
            legend=False,
        )
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside right center")
    figure.suptitle("Real: digits 0–4.  Generated: digits 0 to q − 1.  Dashed: theory")
    figure.savefig(path, dpi=130)


def run(options: argparse.Namespace) -> Printout:
    """Compute the cases, draw them, and return a table: the rectangle, curves and their IoU."""
    with engines_used():
        cases = [*class_cases(*digits(), qs=range(1, 11), per_class=87, random_state=options.seed)]
    write_whole(options.plot, lambda path: draw(cases, path))
    lines = [["q", "max prec.", "max rec.", "method", "fidelity", "diversity", "IoU"]]
    notes = []
    for q, truth, curves in cases:
        rectangle_cells = [f"{truth.max_precision:.3f}", f"{truth.max_recall:.3f}"]
        for method, curve in curves.items():
            numbers = curve.fidelity, curve.diversity, curve.iou(truth)
            lines.append([str(q), *rectangle_cells, method, *(f"{x:.3f}" for x in numbers)])
        notes += [f"q = {q}: {text}" for text in contradictions(curves)]
    title = "Digits.  Real: 0 to 4.  Generated: 0 to q-1, other images, 87 of each digit."
    table = "\n".join(folded(lines, {3}))
    limits = "max prec., max rec.: the true ones if no image is of two classes; a fidelity or "
    limits += "diversity above them is an upper limit, as the method cannot tell all classes apart."
    return Printout(f"{title}\n\n{table}\n\n{limits}\n\nCurves drawn to {options.plot}", notes)
