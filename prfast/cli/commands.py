"""What the commands do with the options of the command line."""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

from prfast.cli.outputs import (
    check_outputs,
    check_place,
    complain,
    say,
    write_json,
)
from prfast.cli.tables import (
    metrics_table,
    numbers,
    rows,
    table,
)
from prfast.comparison.evaluator import Evaluator
from prfast.comparison.models import Evaluation
from prfast.curve import PRCurve
from prfast.divergences.sums import Divergences, divergence_table, read_names
from prfast.estimate.curves import pr_curve
from prfast.files.load import load_array
from prfast.files.write import write_whole
from prfast.inputs.options import (
    read_count,
    read_positive,
    read_seed,
    read_share,
)
from prfast.metrics.measure import metrics
from prfast.metrics.result import Metrics
from prfast.plots.records import view_record
from prfast.results.text import for_json
from prfast.scorers.methods import METHODS, check_options
from prfast.scorers.neighbors import NEIGHBOR_METHODS

_FEW = 100


def run_curve(options: argparse.Namespace) -> None:
    check_outputs(options.json, options.plot, [options.real, *options.fake])
    view, more = _view(options)
    settings = _settings(options)
    split = _split(options.split)
    read_seed(options.seed, "--seed")
    jobs = _jobs(options.jobs)
    wanted = None if options.divergences is None else options.divergences.split(",")
    if wanted is not None:
        read_names(wanted, "--divergences")

    def curve(real: Any, fake: Any) -> PRCurve:
        return pr_curve(
            real,
            fake,
            options.method,
            split=split,
            random_state=options.seed,
            n_jobs=jobs,
            **settings,
        )

    curves = _of_each(options, curve)
    found = [divergence_table(c, wanted) for c in curves] if wanted else []
    write_json(
        options.json,
        {
            "real": options.real,
            "curves": [
                {"fake": path, **numbers(c), **_divergences(found[i : i + 1])}
                | {"curve": c.to_dict()}
                | ({"view": view_record(c, view, **more)} if options.view else {})
                for i, (path, c) in enumerate(zip(options.fake, curves, strict=True))
            ],
        },
    )
    if options.plot:
        from prfast.plots import plots

        figure, (ax,) = plots.new_figure(1, (5.0, 5.0))
        title = f"{options.method}: {options.real}"
        plots.VIEWS[view](curves, ax, labels=options.fake, title=title, **more)
        write_whole(options.plot, lambda path: figure.savefig(path, dpi=150))
    _warn_of_few(options, curves)
    # Last: a terminal that takes nothing loses nothing else.
    if options.json != "-":
        say("\n".join(table(options.fake, curves)))
        if found:
            say("\n" + "\n".join(rows("divergence", options.fake, found, ".5g")))


def _warn_of_few(options: argparse.Namespace, curves: Sequence[PRCurve]) -> None:
    for path, curve in zip(options.fake, curves, strict=True):
        n, m = curve.info["n_real"], curve.info["n_fake"]
        if min(n, m) < _FEW:
            complain(
                f"prfast: note: {path}: {n} real and {m} generated samples; a curve of fewer than "
                f"{_FEW} says next to nothing"
            )
        elif m != curves[0].info["n_fake"]:
            complain(
                f"prfast: note: {path}: {m} generated samples, {options.fake[0]}: "
                f"{curves[0].info['n_fake']}; curves of different numbers differ for that alone"
            )


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    """The options of the method: of --option, and those that have a name of their own."""
    settings = dict(_option(text) for text in options.option)
    for name in ("k", "ties", "backend"):
        value = getattr(options, name)
        if value is None:
            continue
        if options.method not in NEIGHBOR_METHODS:
            known = ", ".join(NEIGHBOR_METHODS)
            raise ValueError(
                f"--{name}: only for the methods that count neighbours ({known}), "
                f"got --method {options.method}"
            )
        if name in settings:
            raise ValueError(f"--{name}: once expected, got --option {name}={settings[name]} too")
        settings[name] = value
    check_options(options.method, settings)
    if "progress" in METHODS[options.method].options:
        settings.setdefault("progress", _progress())
    return settings


def _view(options: argparse.Namespace) -> tuple[str, dict[str, float]]:
    """The view and its options; neither may be said in vain."""
    if options.view and not options.plot and not options.json:
        raise ValueError(f"--view {options.view}: --plot or --json expected as well, to hold it")
    if options.order is None:
        return options.view or "pr", {}
    if options.view != "frontier":
        raise ValueError("--order: only with --view frontier")
    return options.view, {"order": read_positive("--order", options.order)}


def run_metrics(options: argparse.Namespace) -> None:
    check_outputs(options.json, None, [options.real, *options.fake])
    jobs = _jobs(options.jobs)

    def several(real: Any, fake: Any) -> dict[int, Metrics]:
        found: dict[int, Metrics] = metrics(
            real,
            fake,
            options.k,
            options.which,
            ties=options.ties,
            backend=options.backend,
            n_jobs=jobs,
            progress=_progress(),
        )
        return found

    found = _of_each(options, several)
    write_json(
        options.json,
        {
            "real": options.real,
            "metrics": [
                {"fake": path, "k": k, **one, "info": dict(one.info)}
                for path, by_k in zip(options.fake, found, strict=True)
                for k, one in by_k.items()
            ],
        },
    )
    if options.json != "-":
        say("\n".join(metrics_table(options.fake, found)))


def run_report(options: argparse.Namespace) -> None:
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
    found = dict(zip(names, _of_each(options, evaluate), strict=True))
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
    settings, split, jobs = _settings(options), _split(options.split), _jobs(options.jobs)
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
                progress=settings.get("progress", _progress()),
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


def _of_each(options: argparse.Namespace, call: Callable[[Any, Any], Any]) -> list[Any]:
    """What `call` gives for the real file and each fake one; errors name the file."""
    real = load_array(options.real)
    found = []
    for path in options.fake:
        try:
            found.append(call(real, load_array(path)))
        except (ValueError, TypeError) as error:
            message = str(error)
            for name, file in (("real", options.real), ("fake", path), ("real and fake", path)):
                if message.startswith((f"{name}:", f"{name}[")):
                    message = f"{file}: {message}"
            message = message.replace("split: None expected", "--split: none expected", 1)
            raise ValueError(message) from None
    return found


def _jobs(jobs: int | None) -> int | None:
    return None if jobs is None else read_count("--jobs", jobs)


def _progress() -> bool:
    """A bar where somebody watches, if tqdm is there."""
    watched = sys.stderr is not None and sys.stderr.isatty()
    return watched and importlib.util.find_spec("tqdm") is not None


def run_demo(options: argparse.Namespace) -> None:
    from prfast.cli import demo

    check_outputs(options.json, options.plot, [])
    found = demo.class_cases(
        *demo.digits(),
        qs=range(1, 11),
        per_class=87,
        random_state=read_seed(options.seed, "--seed"),
        n_jobs=_jobs(options.jobs),
    )
    cases: list[demo.Case] = []
    if options.json != "-":
        say("Digits.  Real: 0 to 4.  Generated: 0 to q-1, other images, 87 of each digit.\n")
        for line in demo.table(_kept(found, cases)):
            say(line)
    else:
        cases = list(found)
    write_json(
        options.json,
        {
            "cases": [
                {
                    "q": case.q,
                    "rectangle": numbers(case.truth),
                    "methods": {
                        name: {
                            **numbers(c),
                            "iou_with_rectangle": c.iou(case.truth),
                            "curve": c.to_dict(),
                        }
                        for name, c in case.curves.items()
                    },
                }
                for case in cases
            ]
        },
    )
    title = "Real: digits 0–4.  Generated: digits 0 to q − 1.  Dashed: theory"
    write_whole(options.plot, lambda path: demo.draw(cases, path, title))
    if options.json != "-":
        say(f"\nCurves drawn to {options.plot}")


def _kept(found: Any, cases: list[Any]) -> Any:
    """The cases as they are found, and each appended to the list."""
    for case in found:
        cases.append(case)
        yield case


def _divergences(found: Sequence[Divergences]) -> dict[str, Any]:
    """The entry of a curve's JSON, if they were asked for."""
    if not found:
        return {}
    return {"divergences": {name: for_json(value) for name, value in found[0].items()}}


def _option(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise ValueError(f"--option: NAME=VALUE expected, got {text!r}")
    try:
        return name, json.loads(value)
    except (json.JSONDecodeError, RecursionError):
        return name, value


def _split(text: str) -> float | str | None:
    if text in ("auto", "bernoulli"):
        return text
    if text == "none":
        return None
    try:
        return read_share("--split", float(text))
    except ValueError:
        raise ValueError(
            f"--split: auto, bernoulli, none or a share in (0, 1) expected, got {text!r}"
        ) from None
