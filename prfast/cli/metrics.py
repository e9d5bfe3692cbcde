"""`prfast metrics`: precision, recall, density, coverage and their relatives, of files."""

from __future__ import annotations

import argparse
from typing import Any

from prfast.cli.arguments import (
    add_cluster,
    add_files,
    add_json,
    add_search,
    metric_name,
    progress,
    read_jobs,
    which_help,
    whole_number,
)
from prfast.cli.outputs import check_outputs, say, write_json
from prfast.cli.samples import of_each
from prfast.cli.tables import metrics_record, metrics_table
from prfast.metrics import metrics
from prfast.metrics.result import Metrics

ABOUT = {
    "usage": "prfast metrics REAL FAKE [FAKE ...] [options]",
    "help": "precision, recall, density, coverage and their relatives",
    "description": (
        "Extreme-value metrics of files of generated samples against a file of real "
        "ones; files as for curve."
    ),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    add_files(parser)
    parser.add_argument(
        "--k",
        type=whole_number,
        nargs="+",
        default=[5],
        metavar="K",
        help="neighbours (default: 5)",
    )
    parser.add_argument("--which", type=metric_name, nargs="+", metavar="NAME", help=which_help())
    add_search(parser, "closed", "auto")
    add_json(parser)
    add_cluster(parser)


def run(options: argparse.Namespace) -> None:
    """Metrics of the files for each k, as tables and JSON."""
    check_outputs(options.json, None, [options.real, *options.fake])
    jobs = read_jobs(options.jobs)

    def several(real: Any, fake: Any, client: Any = None) -> dict[int, Metrics]:
        found: dict[int, Metrics] = metrics(
            real,
            fake,
            options.k,
            options.which,
            ties=options.ties,
            backend=options.backend,
            n_jobs=jobs,
            progress=progress(),
            client=client,
        )
        return found

    found = of_each(options, several)
    write_json(
        options.json,
        {
            "real": options.real,
            "metrics": [
                {"fake": path, "k": k, **metrics_record(one)}
                for path, by_k in zip(options.fake, found, strict=True)
                for k, one in by_k.items()
            ],
        },
    )
    if options.json != "-":
        say("\n".join(metrics_table(options.fake, found)))
