"""`prfast plan`: what jobs of an array are to find out about two files."""

from __future__ import annotations

import argparse
from typing import Any

from prfast.batch.plan import ROWS, make_plan
from prfast.cli.arguments import metric_name, neighbors, which_help, whole_number
from prfast.cli.outputs import say
from prfast.estimate.methods import read_curve_options
from prfast.inputs.options import TIES, read_count, read_seed, read_share
from prfast.scalars.result import read_metric_options
from prfast.scorers.neighbors import NEIGHBOR_METHODS

ABOUT = {
    "usage": "prfast plan FOLDER REAL FAKE [options]",
    "help": "metrics and curves by jobs that share a folder: what they are to find out",
    "description": (
        "Looks at a file of real and one of generated samples and writes into a folder what jobs "
        "of an array (prfast block) are to find out; prfast finalize puts it together."
    ),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="folder of the plan; made if need be")
    parser.add_argument("real", metavar="REAL", help="file of real samples")
    parser.add_argument("fake", metavar="FAKE", help="file of generated samples")
    parser.add_argument(
        "--k",
        type=whole_number,
        nargs="+",
        default=[5],
        metavar="K",
        help="of metrics (default: 5)",
    )
    parser.add_argument("--which", type=metric_name, nargs="+", metavar="NAME", help=which_help())
    parser.add_argument(
        "--curves",
        nargs="+",
        choices=NEIGHBOR_METHODS,
        metavar="METHOD",
        help=f"curves of {', '.join(NEIGHBOR_METHODS)} besides (default: none)",
    )
    parser.add_argument(
        "--curve-k",
        type=neighbors,
        default="sqrt",
        metavar="K",
        help="of curves (default: sqrt, as of pr_curves)",
    )
    parser.add_argument(
        "--split",
        type=_split,
        default=0.5,
        metavar="SHARE",
        help="of curves: a share (default: 0.5), or none",
    )
    parser.add_argument(
        "--ties", choices=TIES, default="closed", help="d <= r (default: closed) or d < r"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="of curves (default: 0)")
    parser.add_argument(
        "--rows", metavar="N", type=int, default=ROWS, help=f"of a chunk (default: {ROWS})"
    )


def run(options: argparse.Namespace) -> None:
    """Check everything, then write the plan."""
    rows = read_count("--rows", options.rows)
    seed = read_seed(options.seed, "--seed")
    metrics = read_metric_options(options.k, options.which, options.ties)._asdict()
    question: dict[str, Any] = {"backend": "auto", "metrics": metrics, "curves": None}
    if options.curves:
        told = options.curve_k, options.split, seed, options.ties, True
        wanted = read_curve_options(options.curves, *told)
        question["curves"] = wanted._asdict()
    plan = make_plan(options.folder, options.real, options.fake, question, rows)
    chunks = len(plan.real["chunks"]), len(plan.fake["chunks"])
    say(f"{options.folder}: {chunks[0]} chunks of real and {chunks[1]} of generated samples")


def _split(text: str) -> float | None:
    try:
        return None if text == "none" else read_share("--split", float(text))
    except ValueError:
        message = f"a share in (0, 1) or none expected, got {text!r}"
        raise argparse.ArgumentTypeError(message) from None
