"""`prfast demo`: class dropping and inventing (2018, §4.1; 2019, Fig. 2).

P has the first five classes of a labeled set, Q the first q, with disjoint samples and equally
many of each class.  If the supports of the classes were disjoint, the curve would be the rectangle
with maximum precision min(1, 5/q) and maximum recall min(1, q/5).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from itertools import tee
from typing import Any, NamedTuple

import numpy as np

from prfast.cli.files import Printout, engines_used
from prfast.curve import PRCurve
from prfast.curve.summary import rows_of_table
from prfast.estimate.curves import pr_curve
from prfast.estimate.diagnostics import contradictions
from prfast.files.write import write_whole
from prfast.inputs.options import read_seed
from prfast.reference import Discrete

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
    methods = list(methods)
    for q, real, fake in class_pairs(
        features, labels, qs=qs, per_class=per_class, random_state=random_state
    ):
        curves = {
            method: pr_curve(real, fake, method, random_state=random_state) for method in methods
        }
        yield Case(q, rectangle(q), curves)


def class_pairs(
    features: Any, labels: Any, *, qs: Iterable[int], per_class: int, random_state: int = 0
) -> Iterator[tuple[int, Any, Any]]:
    """Yield (q, real, generated): samples of the first five classes, others of the first q."""
    rng = np.random.default_rng(read_seed(random_state))
    qs = list(qs)
    of_class = [
        rng.permutation(np.flatnonzero(labels == c)) for c in range(max([*qs, REAL_CLASSES]))
    ]
    real = [rows[:per_class] for rows in of_class[:REAL_CLASSES]]
    fake = [rows[per_class : 2 * per_class] for rows in of_class]
    for q in qs:
        yield q, features[np.concatenate(real)], features[np.concatenate(fake[:q])]


def table(cases: Iterable[Case]) -> Iterator[str]:
    """Yield lines: sides of the rectangle, then numbers of each method and IoU with it."""
    columns = rows_of_table("demo")
    titles = [f"{title:<5}" for title in (*(row.title for row in columns), "IoU")]
    heads = "     " + "   ".join(titles)
    for number, (q, truth, curves) in enumerate(cases):
        if number == 0:
            methods = "".join(f"{m:<{len(heads)}}" for m in curves)
            yield "      rectangle               " + methods.rstrip()
            yield (" q    max prec.  max rec." + heads * len(curves)).rstrip()
        line = f"{q:>2}    {truth.max_precision:<9.3f}  {truth.max_recall:<8.3f}"
        for curve in curves.values():
            values = [*(row.value(curve) for row in columns), curve.iou(truth)]
            line += "     " + "   ".join(
                f"{value:<{len(title)}.3f}" for title, value in zip(titles, values, strict=True)
            )
        yield line.rstrip()


def draw(cases: Iterable[Case], path: str) -> None:
    """Draw a panel for each method, with a color for each q and dashed rectangles."""
    from matplotlib import colormaps

    from prfast.plots import new_figure, plot_curves

    cases = list(cases)
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
    """Print the cases line by line, then draw them."""
    qs = range(1, 11)
    shown, kept = tee(class_cases(*digits(), qs=qs, per_class=87, random_state=options.seed))
    print("Digits.  Real: 0 to 4.  Generated: 0 to q-1, other images, 87 of each digit.\n")
    with engines_used():
        for line in table(shown):
            print(line, flush=True)
    cases = [*kept]
    write_whole(options.plot, lambda path: draw(cases, path))
    notes = [f"q = {case.q}: {text}" for case in cases for text in contradictions(case.curves)]
    return Printout(f"\nCurves drawn to {options.plot}", notes)
