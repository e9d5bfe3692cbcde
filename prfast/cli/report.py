"""`prfast report`: one HTML file about files of generated samples against a file of real ones.

Also the functions that `curve` and `report` share: for methods with an `Evaluator`, the real
samples are prepared once for all models; results equal those of one call for each model, to the
last bit.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from prfast.cli.arguments import (
    add_columns,
    add_files,
    add_json,
    add_method,
    add_seed,
    curve_options,
    metric_name,
    names_of,
    which_help,
)
from prfast.cli.outputs import (
    check_outputs,
    check_place,
    each_model,
    equal_samples,
    inputs_of,
    looks_of,
    note,
    of_curves,
    say,
    write_record,
)
from prfast.comparison.evaluator import Evaluator
from prfast.comparison.results import Evaluation
from prfast.curve import PRCurve
from prfast.estimate.curves import pr_curve
from prfast.estimate.scores import read_split, split_share
from prfast.inputs.errors import ArgumentError
from prfast.inputs.options import read_count, read_positive, read_share
from prfast.methods.base import METHODS, choose
from prfast.methods.neighbors import NEIGHBOR_METHODS, check_k, read_k
from prfast.records.record import entries_of
from prfast.scalars import metrics

PREPARED = ("auto", *NEIGHBOR_METHODS)
OWN = frozenset({"folds", "fitted", "read_out"})  # options of `pr_curve` with "auto" only
_OF_CALLS = ("split", "random_state", "n_jobs")  # options of every method
_OF_BOTH = ("ties", "backend", "memory", "n_jobs", "progress")


def is_prepared(method: str, told: dict[str, Any]) -> bool:
    """Whether `Evaluator` has the method with these options of `pr_curve`."""
    return method in PREPARED and told["split"] != "bernoulli" and not OWN & told.keys()


def check_method(method: str, told: dict[str, Any]) -> None:
    """Raise errors of the method's options, before any file is opened."""
    own = {name: value for name, value in told.items() if name not in _OF_CALLS}
    choose(method, own, told["random_state"], told["n_jobs"])


def check_enough(method: str, told: dict[str, Any], n: int, m: int) -> None:
    """Raise the error of a method that counts neighbours for too few samples, before any work."""
    split = read_split(told["split"], METHODS[method].split)
    if method not in NEIGHBOR_METHODS or split == "bernoulli":  # halves of random size
        return
    train = n, m
    if split is not None:
        part = split_share(n, m, split, told["random_state"])
        train = len(part.real_train), len(part.fake_train)
    check_k(method, read_k(told.get("k", "sqrt"), range(train[0])), *train)


def curve_of(real: Any, method: str, told: dict[str, Any]) -> Callable[[Any], PRCurve]:
    """Return a function that computes the curve of generated samples, as `pr_curve`."""
    if method in NEIGHBOR_METHODS and is_prepared(method, told):  # "auto" has nothing to prepare
        # Metrics are not used; these are valid for every number of real samples.
        return _evaluator(real, method, told, metrics_k=1, which="precision").curve
    return lambda fake: pr_curve(real, fake, method, **told)


def evaluation_of(
    real: Any, method: str, told: dict[str, Any], **more: Any
) -> Callable[[Any], Evaluation]:
    """Return a function that evaluates generated samples; more: metrics_k, which, halvings."""
    if is_prepared(method, told):
        return _evaluator(real, method, told, **more).evaluate
    of_metrics = {name: told[name] for name in _OF_BOTH if name in told}

    def evaluate(fake: Any) -> Evaluation:
        curve = pr_curve(real, fake, method, **told)
        try:
            found = metrics(real, fake, more["metrics_k"], more["which"], **of_metrics)
        except ArgumentError as error:
            raise (error.renamed("metrics_k") if error.argument == "k" else error) from None
        return Evaluation({(method, told.get("k")): curve}, found)

    return evaluate


def of_several(method: str, told: dict[str, Any]) -> dict[str, Any]:
    """Return the options for functions of several methods, whose k and split have no "auto"."""
    own = {"k": "sqrt"} | told
    if own["split"] == "auto" or method == "auto":
        own["split"] = 0.5
    return own


def _evaluator(real: Any, method: str, told: dict[str, Any], **more: Any) -> Evaluator:
    return Evaluator(real, method, **of_several(method, told), **more)


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
    add_columns(parser)
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="a .html file")
    parser.add_argument("--title", help="heading (default: the names)")
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
    add_json(parser)
    add_seed(parser)


def run(options: argparse.Namespace) -> None:
    """Write the report of the files."""
    from prfast.report.write import load_libraries, write_report

    _check_outputs(options)
    names = names_of(options, files_differ=True)
    order = read_positive("--order", options.order)
    confidence = read_share("--confidence", options.confidence)
    if options.output is not None:  # prfast rerun writes none
        load_libraries()
    told, of_metrics = curve_options(options), _of_metrics(options)
    check_method(options.method, told)
    if of_metrics["halvings"] and not is_prepared(options.method, told):
        raise ValueError(
            f"--halvings: only with --method {', '.join(PREPARED)}, without options of auto's own, "
            "and a split that is a share"
        )
    with inputs_of(options, at_least=2) as inputs, _own_names():
        looks = looks_of(inputs, options.names)
        evaluate = evaluation_of(inputs.named_real, options.method, told, **of_metrics)
        found = dict(zip(names, inputs.each(evaluate, told["progress"], names), strict=True))
        provenances = [one.curve.provenance for one in found.values()]
        notes = list(equal_samples(names, inputs, provenances))
    about = {"real samples": options.real, "generated samples": ", ".join(options.fake)}
    if options.output is not None:
        write_report(
            found,
            options.output,
            title=options.title,
            order=order,
            confidence=confidence,
            about=about,
            notes=notes,
            random_state=options.seed,
        )
    write_record(options, _entries(options, found), looks)
    for text in (*of_curves(names, provenances), *notes):
        note(text)
    for name, one in found.items():
        for caution in one.cautions():
            note(f"{name}: {caution}")
    if options.json != "-":
        say(f"Report written to {options.output}")


def _check_outputs(options: argparse.Namespace) -> None:
    inputs = [options.real, *options.fake]
    check_outputs(options.json, None, inputs)
    if options.output is None:
        return
    if not options.output.lower().endswith((".html", ".htm")):
        raise ValueError(f"{options.output}: a file ending in .html expected")
    check_place(options.output, inputs)
    if options.json and os.path.realpath(options.json) == os.path.realpath(options.output):
        raise ValueError(f"{options.output}: two different files expected for --json and --output")


def _entries(options: argparse.Namespace, found: Mapping[str, Evaluation]) -> dict[str, Any]:
    """Return the JSON entries; models have names only with --names."""
    curves, metrics = [], []
    for who, one in zip(each_model(options), found.values(), strict=True):
        part = entries_of(one, who)
        curves += part.curves
        metrics += part.metrics
    return {"curves": curves, "metrics": metrics}


def _of_metrics(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of `Evaluator` for the metrics."""
    return {
        "metrics_k": read_count("--metrics-k", options.metrics_k),
        "which": options.which,
        "halvings": read_count("--halvings", options.halvings, at_least=0),
    }


@contextmanager
def _own_names() -> Iterator[None]:
    """Name the options of the command line in errors."""
    try:
        yield
    except ArgumentError as error:
        raise error.renamed(_OPTIONS.get(error.argument, error.argument)) from None
