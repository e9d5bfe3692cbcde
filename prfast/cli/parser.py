"""The command line: files -> the same functions -> text, JSON, pictures.

An error is one line on standard error and exit status 2; outputs are written after everything has
been computed, each whole or not at all.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import NoReturn

from prfast.balls import BACKENDS
from prfast.balls.thresholds import TIES
from prfast.cli import curve as curve_command
from prfast.cli import demo as demo_command
from prfast.cli import metrics as metrics_command
from prfast.cli import report as report_command
from prfast.cli.outputs import complain
from prfast.divergences.table import NAMES as PHIS
from prfast.metrics.table import NAMES
from prfast.plots.records import VIEWS
from prfast.results.version import version
from prfast.scorers import METHODS


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
        complain("prfast: interrupted")
        return 130
    return 0


def _fail(message: str) -> int:
    complain("prfast: error: " + " ".join(message.split()))
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
    _add_method(curve)
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
    curve.set_defaults(run=curve_command.run)

    scalars = commands.add_parser(
        "metrics",
        usage="prfast metrics REAL FAKE [FAKE ...] [options]",
        help="precision, recall, density, coverage and their relatives",
        description="Extreme-value metrics of files of generated samples against a file of real "
        "ones; files as for curve.",
    )
    _add_files(scalars)
    scalars.add_argument(
        "--k", type=_k, nargs="+", default=[5], metavar="K", help="neighbours (default: 5)"
    )
    scalars.add_argument(
        "--which", type=_which, nargs="+", metavar="NAME", help=f"of {', '.join(NAMES)}"
    )
    _add_search(scalars, "closed", "auto")
    _add_json(scalars)
    scalars.set_defaults(run=metrics_command.run)

    report = commands.add_parser(
        "report",
        usage="prfast report REAL FAKE [FAKE ...] -o FILE.html [options]",
        help="one HTML file to share: curves, metrics and what they say",
        description="One self-contained HTML file about files of generated samples against a file "
        "of real ones: interactive curves, sortable numbers, a reading in words and every option.  "
        "Files as for curve; needs the extra report.",
    )
    _add_files(report)
    report.add_argument("-o", "--output", metavar="FILE", required=True, help="a .html file")
    report.add_argument("--title", help="heading (default: the names)")
    report.add_argument(
        "--names", nargs="+", metavar="NAME", help="of the models (default: their files)"
    )
    _add_method(report)
    report.add_argument(
        "--metrics-k", type=int, default=5, metavar="K", help="neighbours of metrics (default: 5)"
    )
    report.add_argument(
        "--which",
        type=_which,
        nargs="+",
        metavar="NAME",
        help=f"metrics, of {', '.join(NAMES)} (default: all)",
    )
    report.add_argument(
        "--order",
        type=float,
        default=math.inf,
        metavar="A",
        help="order of the frontier, in (0, inf] (default: inf)",
    )
    _add_jobs(report)
    _add_seed(report)
    report.set_defaults(run=report_command.run)

    demo = commands.add_parser(
        "demo",
        help="class dropping and inventing on scikit-learn's digits",
        description="Real: digits 0-4.  Generated: digits 0 to q-1, q = 1 to 10, other images of "
        "them.  Each curve beside the rectangle that theory expects.",
    )
    _add_common(demo, plot="prfast-demo.png")
    demo.set_defaults(run=demo_command.run)
    return parser


def _add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("real", metavar="REAL", help="file of real samples")
    parser.add_argument("fake", metavar="FAKE", nargs="+", help="files of generated samples")


def _add_method(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--method",
        choices=list(METHODS),
        default="knn",
        help="(default: knn) "
        + "; ".join(f"{name}: {row.summary}" for name, row in METHODS.items()),
    )
    parser.add_argument(
        "--k", type=int, metavar="K", help="neighbours (default: the root of the training samples)"
    )
    _add_search(parser)
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option of the method, such as clusters=50; may be repeated",
    )
    parser.add_argument(
        "--split",
        default="auto",
        help="auto (default: the method's own), bernoulli, none, or a share such as 0.5",
    )


def _add_search(
    parser: argparse.ArgumentParser, ties: str | None = None, backend: str | None = None
) -> None:
    """How neighbours are counted; None leaves it to the method, which may count none."""
    parser.add_argument(
        "--ties", choices=TIES, default=ties, help="d <= r (closed, default) or d < r (open)"
    )
    parser.add_argument(
        "--backend", choices=BACKENDS, default=backend, help="of neighbours (default: auto)"
    )


# What options with several values were given: files behind them are taken for values.
_FILES_FIRST = "; files go before the options, or behind a --"


def _k(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        message = f"an integer expected, got {text!r}{_FILES_FIRST}"
        raise argparse.ArgumentTypeError(message) from None


def _which(text: str) -> str:
    if text not in NAMES:
        known = ", ".join(NAMES)
        raise argparse.ArgumentTypeError(f"one of {known} expected, got {text!r}{_FILES_FIRST}")
    return text


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", metavar="FILE", help="write all results; - is the terminal")
    _add_jobs(parser)


def _add_jobs(parser: argparse.ArgumentParser) -> None:
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
    _add_seed(parser)


def _add_seed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed (default: 0)")
