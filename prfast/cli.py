"""The command line: files -> the same functions -> text, JSON, pictures.

An error is one line on standard error and exit status 2; outputs are written after everything has
been computed, each whole or not at all.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from prfast._version import version
from prfast.curve import PRCurve
from prfast.estimate import pr_curve
from prfast.files import read_array, write_whole
from prfast.samples import read_count, read_seed, read_share
from prfast.scorers import METHODS, check_options


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"prfast: error: {message}\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status."""
    options = _parser().parse_args(argv)
    try:
        options.run(options)
        sys.stdout.flush()
    except OSError as error:
        if isinstance(error, BrokenPipeError):  # the reader of the table has gone: not an error
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
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
        help="curves of one or more files of generated samples against real ones",
        description="Curves of files of generated samples against a file of real ones.  Files: "
        ".npy (memory-mapped), .npz (write FILE.npz:KEY), .csv; samples × features.",
    )
    curve.add_argument("real", metavar="REAL", help="file of real samples")
    curve.add_argument("fake", metavar="FAKE", nargs="+", help="files of generated samples")
    curve.add_argument(
        "--method",
        choices=list(METHODS),
        default="kmeans",
        help="; ".join(f"{name}: {row.summary}" for name, row in METHODS.items()),
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
    _add_common(curve)
    curve.set_defaults(run=_run_curve)

    demo = commands.add_parser(
        "demo",
        help="class dropping and inventing on scikit-learn's digits",
        description="Real: digits 0-4.  Generated: digits 0 to q-1, q = 1 to 10, other images of "
        "them.  Each curve beside the rectangle that theory expects.",
    )
    _add_common(demo, plot="prfast-demo.png")
    demo.set_defaults(run=_run_demo)
    return parser


def _add_common(parser: argparse.ArgumentParser, plot: str | None = None) -> None:
    default = f" (default: {plot})" if plot else ""
    parser.add_argument(
        "--json", metavar="FILE", help="write numbers and curves; - is the terminal"
    )
    parser.add_argument(
        "--plot", metavar="FILE", default=plot, help=f"draw the curves: .png, .pdf, .svg{default}"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed (default: 0)")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="processes (default: 1)")


def _run_curve(options: argparse.Namespace) -> None:
    _check_outputs(options, [options.real, *options.fake])
    settings = dict(_option(text) for text in options.option)
    check_options(options.method, settings)
    split = _split(options.split)
    read_seed(options.seed, "--seed")
    read_count("--jobs", options.jobs)
    real = read_array(options.real)
    curves = []
    for path in options.fake:
        try:
            curves.append(
                pr_curve(
                    real,
                    read_array(path),
                    options.method,
                    split=split,
                    random_state=options.seed,
                    n_jobs=options.jobs,
                    **settings,
                )
            )
        except (ValueError, TypeError) as error:
            message = str(error)
            for name, file in (("real", options.real), ("fake", path), ("real and fake", path)):
                if message.startswith(f"{name}:"):
                    message = f"{file}: {message}"
            message = message.replace("split: None expected", "--split: none expected", 1)
            raise ValueError(message) from None
    if options.json != "-":
        print("\n".join(_table(options.fake, curves)))
    _write_json(
        options.json,
        {
            "real": options.real,
            "curves": [
                {"fake": path, **_numbers(c), "curve": c.to_dict()}
                for path, c in zip(options.fake, curves, strict=True)
            ],
        },
    )
    if options.plot:
        from prfast.plots import new_figure, plot_curves

        figure, (ax,) = new_figure(1, (5.0, 5.0))
        plot_curves(curves, ax, labels=options.fake, title=f"{options.method}: {options.real}")
        write_whole(options.plot, lambda path: figure.savefig(path, dpi=150))


def _run_demo(options: argparse.Namespace) -> None:
    from prfast import demo

    _check_outputs(options, [])
    found = demo.class_cases(
        *demo.digits(),
        qs=range(1, 11),
        per_class=87,
        random_state=read_seed(options.seed, "--seed"),
        n_jobs=read_count("--jobs", options.jobs),
    )
    cases: list[demo.Case] = []
    if options.json != "-":
        print("Digits.  Real: 0 to 4.  Generated: 0 to q-1, other images, 87 of each digit.\n")
        for line in demo.table(_kept(found, cases)):
            print(line, flush=True)
    else:
        cases = list(found)
    _write_json(
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
        print(f"\nCurves drawn to {options.plot}")


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
    common = [(k, v) for k, v in curves[0].info.items() if all(c.info[k] == v for c in curves)]
    info = ", ".join(f"{key} {value}" for key, value in common)
    return [*lines, "", info]


def _check_outputs(options: argparse.Namespace, inputs: Sequence[str]) -> None:
    """Before any work: can the outputs be written, and would one destroy an input?"""
    outputs = [path for path in (options.json, options.plot) if path not in (None, "-")]
    read = {os.path.realpath(path.rpartition(":")[0] or path) for path in inputs}
    read |= {os.path.realpath(path) for path in inputs}
    for path in outputs:
        if os.path.realpath(path) in read:
            raise ValueError(f"{path}: is an input; choose another name for the output")
        if os.path.exists(path) and not os.path.isfile(path):
            what = "folder" if os.path.isdir(path) else "device or pipe"
            raise ValueError(f"{path}: a file expected, got a {what}")
        if not os.path.basename(path):
            raise ValueError(f"{path!r}: the name of a file expected")
        folder = os.path.dirname(os.path.abspath(path))
        if not os.access(folder, os.W_OK):
            raise ValueError(f"{path}: no such folder, or not writable")
    if len(outputs) == 2 and os.path.realpath(outputs[0]) == os.path.realpath(outputs[1]):
        raise ValueError(f"{outputs[0]}: two different files expected for --json and --plot")
    if options.plot:
        from prfast.plots import new_axes

        formats = new_axes().figure.canvas.get_supported_filetypes()
        ending = os.path.splitext(options.plot)[1].lstrip(".").lower()
        if ending not in formats:
            known = ", ".join(sorted(formats))
            raise ValueError(f"{options.plot}: a file ending in one of {known} expected")


def _write_json(path: str | None, record: dict[str, Any]) -> None:
    if path is None:
        return
    text = json.dumps({"prfast": version(), **record}, indent=1, allow_nan=False) + "\n"
    if path == "-":
        sys.stdout.write(text)
        return

    def write(draft: str) -> None:
        with open(draft, "w", encoding="utf-8") as file:
            file.write(text)

    write_whole(path, write)


def _option(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise ValueError(f"--option: NAME=VALUE expected, got {text!r}")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
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
