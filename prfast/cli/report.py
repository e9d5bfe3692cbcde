"""`prfast report`: one HTML file about files of generated samples against a file of real ones."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import Any

from prfast.cli.arguments import (
    add_files,
    add_jobs,
    add_method,
    add_seed,
    curve_options,
    metric_name,
    progress,
    which_help,
)
from prfast.cli.outputs import check_place, note, say
from prfast.cli.samples import of_each
from prfast.comparison.evaluator import Evaluator
from prfast.comparison.models import Evaluation
from prfast.estimate.curves import pr_curve
from prfast.inputs.errors import ArgumentError
from prfast.inputs.options import read_count, read_positive, read_share
from prfast.metrics import metrics
from prfast.metrics.result import Metrics
from prfast.scorers.neighbors import NEIGHBOR_METHODS

_OPTIONS = {"metrics_k": "--metrics-k", "halvings": "--halvings"}

ABOUT = {
    "usage": "prfast report REAL FAKE [FAKE ...] -o FILE.html [options]",
    "help": "one HTML file to share: curves, metrics and what they say",
    "description": (
        "One self-contained HTML file about files of generated samples against a file "
        "of real ones: interactive curves, sortable numbers, a reading in words and every option.  "
        "Files as for curve; needs the extra report."
    ),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    add_files(parser)
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="a .html file")
    parser.add_argument("--title", help="heading (default: the names)")
    parser.add_argument(
        "--names", nargs="+", metavar="NAME", help="of the models (default: their files)"
    )
    add_method(parser)
    parser.add_argument(
        "--metrics-k", type=int, default=5, metavar="K", help="neighbours of metrics (default: 5)"
    )
    parser.add_argument(
        "--which",
        type=metric_name,
        nargs="+",
        metavar="NAME",
        help=f"metrics, {which_help()}",
    )
    parser.add_argument(
        "--halvings",
        type=int,
        default=0,
        metavar="N",
        help="random halvings of the samples, from which the ± of metrics comes, each at half the "
        "cost of the metrics; only for auto and methods that count neighbours (default: 0, 12 do)",
    )
    parser.add_argument(
        "--order",
        type=float,
        default=math.inf,
        metavar="A",
        help="order of the frontier, in (0, inf] (default: inf)",
    )
    parser.add_argument(
        "--confidence",
        type=float,
        default=0.95,
        metavar="C",
        help="of the bands of the curves, in (0, 1) (default: 0.95)",
    )
    add_jobs(parser)
    add_seed(parser)


def run(options: argparse.Namespace) -> None:
    """The report of the files."""
    from prfast.report.write import load_plotly, write_report

    if not options.output.lower().endswith((".html", ".htm")):
        raise ValueError(f"{options.output}: a file ending in .html expected")
    check_place(options.output, [options.real, *options.fake])
    names = options.fake if options.names is None else options.names
    if len(names) != len(options.fake):
        raise ValueError(f"--names: {len(options.fake)} names expected, got {len(names)}")
    if len(set(names)) < len(names):
        raise ValueError("--names: names that differ expected; they are the files by default")
    order = read_positive("--order", options.order)
    confidence = read_share("--confidence", options.confidence)
    load_plotly()
    evaluate = _evaluate(options)
    found = dict(zip(names, of_each(options, evaluate), strict=True))
    about = {"real samples": options.real, "generated samples": ", ".join(options.fake)}
    write_report(
        found,
        options.output,
        title=options.title,
        order=order,
        confidence=confidence,
        about=about,
        random_state=options.seed,
    )
    for name, one in found.items():
        for caution in one.cautions():
            note(f"{name}: {caution}")
    say(f"Report written to {options.output}")


def _evaluate(options: argparse.Namespace) -> Callable[[Any, Any], Evaluation]:
    """Curve and metrics of a pair of arrays; but for methods that the evaluator has not, the real
    side is prepared once."""
    of_curve = curve_options(options)
    k = read_count("--metrics-k", options.metrics_k)
    halvings = read_count("--halvings", options.halvings, at_least=0)
    own = {"folds", "fitted", "read_out"} & of_curve.keys()  # the evaluator's "auto" has none
    prepares = options.method in ("auto", *NEIGHBOR_METHODS)
    if prepares and of_curve["split"] != "bernoulli" and not own:
        return _prepared(options.method, of_curve, k, options.which, halvings)
    if halvings:
        known = ", ".join(("auto", *NEIGHBOR_METHODS))
        raise ValueError(
            f"--halvings: only with --method {known}, without options of auto's own, and a split "
            "that is a share"
        )
    return _unprepared(options.method, of_curve, k, options.which)


def _prepared(
    method: str, of_curve: dict[str, Any], k: int, which: Any, halvings: int
) -> Callable[[Any, Any], Evaluation]:
    made: list[Evaluator] = []

    def evaluate(real: Any, fake: Any) -> Evaluation:
        try:
            if not made:
                own: dict[str, Any] = {"k": "sqrt", "halvings": halvings} | of_curve
                own["split"] = 0.5 if own["split"] == "auto" or method == "auto" else own["split"]
                made.append(Evaluator(real, method, metrics_k=k, which=which, **own))
            return made[0].evaluate(fake)
        except ArgumentError as error:
            raise error.renamed(_OPTIONS.get(error.argument, error.argument)) from None

    return evaluate


def _unprepared(
    method: str, of_curve: dict[str, Any], k: int, which: Any
) -> Callable[[Any, Any], Evaluation]:
    shared = ("ties", "backend", "memory", "n_jobs", "progress")
    of_metrics = {"progress": progress()} | {
        name: of_curve[name] for name in shared if name in of_curve
    }

    def evaluate(real: Any, fake: Any) -> Evaluation:
        curve = pr_curve(real, fake, method, **of_curve)
        found = _of_metrics(lambda: metrics(real, fake, k, which, **of_metrics))
        return Evaluation({(method, of_curve.get("k")): curve}, found)

    return evaluate


def _of_metrics(call: Callable[[], Metrics]) -> Metrics:
    """What `call` gives; of two k, errors name the one of the metrics."""
    try:
        return call()
    except ArgumentError as error:
        raise (error.renamed("--metrics-k") if error.argument == "k" else error) from None
