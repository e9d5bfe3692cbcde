"""`prfast report`: one HTML file about files of generated samples against a file of real ones."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import Any

from prfast.cli.arguments import progress, read_jobs, read_split, settings_of
from prfast.cli.outputs import check_place, say
from prfast.cli.samples import of_each
from prfast.comparison.evaluator import Evaluator
from prfast.comparison.models import Evaluation
from prfast.estimate.curves import pr_curve
from prfast.inputs.options import read_count, read_positive, read_seed
from prfast.metrics.measure import metrics
from prfast.metrics.result import Metrics
from prfast.scorers.neighbors import NEIGHBOR_METHODS


def run(options: argparse.Namespace) -> None:
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
    read_seed(options.seed, "--seed")
    load_plotly()
    evaluate = _evaluate(options)
    found = dict(zip(names, of_each(options, evaluate), strict=True))
    about = {"real samples": options.real, "generated samples": ", ".join(options.fake)}
    write_report(
        found,
        options.output,
        title=options.title,
        order=order,
        about=about,
        random_state=options.seed,
    )
    say(f"Report written to {options.output}")


def _evaluate(options: argparse.Namespace) -> Callable[[Any, Any], Evaluation]:
    """Curve and metrics of a pair of arrays; the methods that count neighbours prepare the real
    side once."""
    settings, split, jobs = settings_of(options), read_split(options.split), read_jobs(options.jobs)
    metrics_k = read_count("--metrics-k", options.metrics_k)
    if options.method in NEIGHBOR_METHODS and split != "bernoulli":
        prepared: list[Evaluator] = []

        def neighbors(real: Any, fake: Any) -> Evaluation:
            if not prepared:
                more = {"k": "sqrt"} | settings
                prepared.append(
                    Evaluator(
                        real,
                        options.method,
                        split=0.5 if split == "auto" else split,  # type: ignore[arg-type]
                        random_state=options.seed,
                        metrics_k=metrics_k,
                        which=options.which,
                        n_jobs=jobs,
                        **more,
                    )
                )
            curves = prepared[0].curves(fake)
            return Evaluation(curves, _of_metrics(lambda: prepared[0].metrics(fake)))

        return neighbors

    def other(real: Any, fake: Any) -> Evaluation:
        curve = pr_curve(
            real,
            fake,
            options.method,
            split=split,
            random_state=options.seed,
            n_jobs=jobs,
            **settings,
        )
        shared = {key: settings[key] for key in ("ties", "backend", "memory") if key in settings}
        numbers = _of_metrics(
            lambda: metrics(
                real,
                fake,
                metrics_k,
                options.which,
                n_jobs=jobs,
                progress=settings.get("progress", progress()),
                **shared,
            )
        )
        return Evaluation({(options.method, settings.get("k")): curve}, numbers)

    return other


def _of_metrics(call: Callable[[], Metrics]) -> Metrics:
    """What `call` gives; of two k, errors name the one of the metrics."""
    try:
        return call()
    except ValueError as error:
        raise ValueError(re.sub("^k:", "--metrics-k:", str(error))) from None
