"""The command line: files -> the same functions -> text, JSON, pictures.

An error is one line on standard error and exit status 2; outputs are written after everything has
been computed, each whole or not at all.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from prfast._version import version
from prfast.balls import BACKENDS
from prfast.curve import PRCurve
from prfast.divergences import Divergences, divergence_table, read_names
from prfast.estimate import pr_curve
from prfast.files import read_array, write_whole
from prfast.metrics import NAMES, Metrics, metrics
from prfast.outputs import check_outputs, for_json, say, write_json
from prfast.phi import NAMES as PHIS
from prfast.samples import read_count, read_positive, read_seed, read_share
from prfast.scorers import METHODS, check_options
from prfast.scorers.neighbors import TIES
from prfast.views import VIEWS, view_record


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"prfast: error: {message}\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status."""
    options = _parser().parse_args(argv)
    try:
        options.run(options)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _fail(f"{place}{error.strerror or error}")
    except (ValueError, TypeError, ImportError, MemoryError) as error:
        return _fail(str(error) or type(error).__name__)
    except KeyboardInterrupt:
        print("prfast: interrupted", file=sys.stderr)
        return 130
    return 0


def _fail(message: str) -> int:
    print("prfast: error: " + " ".join(message.split()), file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="prfast",
        description="Exact precision-recall curves between real and generated samples.",
    )
    parser.add_argument("--version", action="version", version=f"prfast {version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    curve = commands.add_parser(
        "curve",
        usage="prfast curve REAL FAKE [FAKE ...] [options]",
        help="curves of one or more files of generated samples against real ones",
        description="Curves of files of generated samples against a file of real ones.  Files: "
        ".npy (memory-mapped), .csv, .parquet, and .npz, .h5, .safetensors, .pt (where there are "
        "several arrays write FILE.npz:KEY); samples × features.  F8 is "
        "recall-like, F1/8 precision-like; area 1 and total variation 0 mean equal distributions.",
    )
    _add_files(curve)
    curve.add_argument(
        "--method",
        choices=list(METHODS),
        default="knn",
        help="(default: knn) "
        + "; ".join(f"{name}: {row.summary}" for name, row in METHODS.items()),
    )
    curve.add_argument(
        "--k", type=int, metavar="K", help="neighbours (default: the root of the training samples)"
    )
    curve.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option of the method, such as clusters=50; may be repeated",
    )
    curve.add_argument(
        "--split",
        default="auto",
        help="auto (default: the method's own), bernoulli, none, or a share such as 0.5",
    )
    curve.add_argument(
        "--divergences",
        metavar="NAME,...",
        help=f"print D(real‖fake) too: all, or some of {', '.join(PHIS)}, tsallis:ORDER",
    )
    curve.add_argument(
        "--view",
        choices=VIEWS,
        help="what --plot draws and --json adds (default: pr, of which JSON has the masses); "
        "frontier: divergences D(μ‖P), D(μ‖Q)",
    )
    curve.add_argument(
        "--order", type=float, metavar="A", help="order of the frontier, in (0, inf] (default: inf)"
    )
    _add_common(curve)
    curve.set_defaults(run=_run_curve)

    scalars = commands.add_parser(
        "metrics",
        usage="prfast metrics REAL FAKE [FAKE ...] [options]",
        help="precision, recall, density, coverage and their relatives",
        description="Extreme-value metrics of files of generated samples against a file of real "
        "ones; files as for curve.",
    )
    _add_files(scalars)
    scalars.add_argument(
        "--k", type=int, nargs="+", default=[5], metavar="K", help="neighbours (default: 5)"
    )
    scalars.add_argument(
        "--which", nargs="+", choices=NAMES, metavar="NAME", help=f"of {', '.join(NAMES)}"
    )
    scalars.add_argument(
        "--ties", choices=TIES, default="closed", help="d <= r (closed, default) or d < r (open)"
    )
    scalars.add_argument("--backend", choices=BACKENDS, default="auto", help="(default: auto)")
    _add_json(scalars)
    scalars.set_defaults(run=_run_metrics)

    demo = commands.add_parser(
        "demo",
        help="class dropping and inventing on scikit-learn's digits",
        description="Real: digits 0-4.  Generated: digits 0 to q-1, q = 1 to 10, other images of "
        "them.  Each curve beside the rectangle that theory expects.",
    )
    _add_common(demo, plot="prfast-demo.png")
    demo.set_defaults(run=_run_demo)
    return parser


def _add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("real", metavar="REAL", help="file of real samples")
    parser.add_argument("fake", metavar="FAKE", nargs="+", help="files of generated samples")


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", metavar="FILE", help="write all results; - is the terminal")
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=int,
        help="threads, or processes of kmeans and classifier (default: every core; one process)",
    )


def _add_common(parser: argparse.ArgumentParser, plot: str | None = None) -> None:
    default = f" (default: {plot})" if plot else ""
    _add_json(parser)
    parser.add_argument(
        "--plot", metavar="FILE", default=plot, help=f"draw the curves: .png, .pdf, .svg{default}"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed (default: 0)")


def _run_curve(options: argparse.Namespace) -> None:
    check_outputs(options.json, options.plot, [options.real, *options.fake])
    view, more = _view(options)
    settings = dict(_option(text) for text in options.option)
    if options.k is not None:
        settings["k"] = options.k
    check_options(options.method, settings)
    if "progress" in METHODS[options.method].options:
        settings.setdefault("progress", _progress())
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
    if options.json != "-":
        say("\n".join(_table(options.fake, curves)))
    if found and options.json != "-":
        say("\n" + "\n".join(_rows("divergence", options.fake, found, ".5g")))
    write_json(
        options.json,
        {
            "real": options.real,
            "curves": [
                {"fake": path, **_numbers(c), **_divergences(found[i : i + 1])}
                | {"curve": c.to_dict()}
                | ({"view": view_record(c, view, **more)} if options.view else {})
                for i, (path, c) in enumerate(zip(options.fake, curves, strict=True))
            ],
        },
    )
    if options.plot:
        from prfast import plots

        figure, (ax,) = plots.new_figure(1, (5.0, 5.0))
        title = f"{options.method}: {options.real}"
        plots.VIEWS[view](curves, ax, labels=options.fake, title=title, **more)
        write_whole(options.plot, lambda path: figure.savefig(path, dpi=150))


def _view(options: argparse.Namespace) -> tuple[str, dict[str, float]]:
    """The view and its options; neither may be said in vain."""
    if options.view and not options.plot and not options.json:
        raise ValueError(f"--view {options.view}: --plot or --json expected as well, to hold it")
    if options.order is None:
        return options.view or "pr", {}
    if options.view != "frontier":
        raise ValueError("--order: only with --view frontier")
    return options.view, {"order": read_positive("--order", options.order)}


def _run_metrics(options: argparse.Namespace) -> None:
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
    if options.json != "-":
        say("\n".join(_metrics_table(options.fake, found)))
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


def _of_each(options: argparse.Namespace, call: Callable[[Any, Any], Any]) -> list[Any]:
    """What `call` gives for the real file and each fake one; errors name the file."""
    real = read_array(options.real)
    found = []
    for path in options.fake:
        try:
            found.append(call(real, read_array(path)))
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


def _run_demo(options: argparse.Namespace) -> None:
    from prfast import demo

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
                    "rectangle": _numbers(case.truth),
                    "methods": {
                        name: {
                            **_numbers(c),
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


# What the JSON and, where there is a title, the table say of a curve.
_NUMBERS: list[tuple[str, str, Callable[[PRCurve], float]]] = [
    ("max precision", "max_precision", lambda curve: curve.max_precision),
    ("max recall", "max_recall", lambda curve: curve.max_recall),
    ("F8", "f_8", lambda curve: curve.f_score(8)),
    ("F1/8", "f_1/8", lambda curve: curve.f_score(1 / 8)),
    ("area", "area", lambda curve: curve.area),
    ("total variation", "total_variation", lambda curve: curve.total_variation),
    ("", "median_lambda", lambda curve: curve.median()),
]


def _numbers(curve: PRCurve) -> dict[str, float | None]:
    """The numbers of a curve for the JSON; None for what does not exist."""
    found = {key: number(curve) for _, key, number in _NUMBERS}
    return {key: None if math.isnan(value) else value for key, value in found.items()}


def _table(names: Sequence[str], curves: Sequence[PRCurve]) -> list[str]:
    columns = [(title, number) for title, _, number in _NUMBERS if title]
    width = max(4, *(len(name) for name in names))
    lines = [" " * width + "".join(f"  {title:>10}" for title, _ in columns)]
    for name, curve in zip(names, curves, strict=True):
        numbers = (f"  {number(curve):>{max(10, len(title))}.4f}" for title, number in columns)
        lines.append(f"{name:<{width}}{''.join(numbers)}")
    return [*lines, "", _common([curve.info for curve in curves])]


def _metrics_table(names: Sequence[str], found: Sequence[dict[int, Metrics]]) -> list[str]:
    """A block a k."""
    lines = []
    for k in found[0]:
        lines += [*_rows(f"k = {k}", names, [one[k] for one in found], ".4f"), ""]
    return [*lines, _common([one[k].info for one in found for k in one], ["k"])]


def _rows(
    title: str, names: Sequence[str], found: Sequence[Mapping[str, float]], digits: str
) -> list[str]:
    """Names of numbers down, files across."""
    width = max(len(name) for name in [title, *found[0]])
    columns = [max(8, len(name)) for name in names]
    lines = [
        f"{title:<{width}}" + "".join(f"  {n:>{w}}" for n, w in zip(names, columns, strict=True))
    ]
    for name in found[0]:
        values = (f"{one[name]:{digits}}".replace("inf", "∞") for one in found)
        cells = "".join(f"  {v:>{w}}" for v, w in zip(values, columns, strict=True))
        lines.append(f"{name:<{width}}{cells}")
    return lines


def _divergences(found: Sequence[Divergences]) -> dict[str, Any]:
    """The entry of a curve's JSON, if they were asked for."""
    if not found:
        return {}
    return {"divergences": {name: for_json(value) for name, value in found[0].items()}}


def _common(infos: Sequence[Any], but: Sequence[str] = ()) -> str:
    """What all records agree on, in one line."""
    agreed = {key: v for key, v in infos[0].items() if all(i[key] == v for i in infos)}
    return ", ".join(f"{key} {value}" for key, value in agreed.items() if key not in but)


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
