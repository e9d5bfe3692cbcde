"""`prfast metrics`: precision, recall, density, coverage and related metrics of files."""

from __future__ import annotations

import argparse
from typing import Any

from prfast.cli.arguments import (
    add_cluster,
    add_columns,
    add_files,
    add_json,
    add_search,
    metric_name,
    metrics_table,
    names_of,
    which_help,
    whole_number,
)
from prfast.cli.outputs import (
    check_outputs,
    each_model,
    equal_samples,
    inputs_of,
    looks_of,
    note,
    of_metrics,
    say,
    write_record,
)
from prfast.inputs.features import features_info, plain
from prfast.inputs.options import Progress, read_jobs, read_seed
from prfast.neighbors import Remembering
from prfast.records.record import metrics_entry
from prfast.scalars.api import read_metric_options
from prfast.scalars.measure import check_sizes, measure
from prfast.scalars.result import Metrics
from prfast.scalars.table import ReferenceCache

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
    add_columns(parser)
    parser.add_argument(
        "--k",
        type=whole_number,
        nargs="+",
        default=[5],
        metavar="K",
        help="neighbours (default: 5)",
    )
    parser.add_argument("--which", type=metric_name, nargs="+", metavar="NAME", help=which_help())
    parser.add_argument(
        "--kernel-subsets",
        type=int,
        metavar="N",
        help="kernel_distance as published, the mean over N random subsets, without an error "
        "(default: all pairs)",
    )
    parser.add_argument(
        "--kernel-subset-size", type=int, default=1000, metavar="N", help="samples (default: 1000)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="of the subsets (default: 0)"
    )
    add_search(parser, "closed", "auto")
    add_json(parser)
    add_cluster(parser)


def run(options: argparse.Namespace) -> None:
    """Print tables of the metrics for each k and write JSON."""
    check_outputs(options.json, None, [options.real, *options.fake])
    wanted = read_metric_options(
        options.k,
        options.which,
        options.ties,
        kernel_subsets=options.kernel_subsets,
        kernel_subset_size=options.kernel_subset_size,
        random_state=read_seed(options.seed, "--seed"),
    )
    settings = {"n_jobs": read_jobs(options.jobs, "--jobs"), "progress": Progress()}
    names = names_of(options)
    with inputs_of(options, at_least=2) as inputs:
        looks = looks_of(inputs, options.names)
        notes = [*of_metrics(names, inputs), *equal_samples(names, inputs)]
        inputs.check(lambda n, m: check_sizes(n, m, wanted))
        real = plain(inputs.real)
        search = Remembering([real], backend=options.backend, **settings)

        cache: ReferenceCache = {}

        def measured(fake: Any) -> dict[int, Metrics]:
            features = features_info(inputs.real, fake)
            return measure(real, plain(fake), wanted, search, cache, features)

        found = inputs.each(measured, search.progress, names)
    entries = [
        metrics_entry(who, one)
        for who, by_k in zip(each_model(options), found, strict=True)
        for one in by_k.values()
    ]
    write_record(options, {"metrics": entries}, looks)
    for text in notes:
        note(text)
    if options.json != "-":
        say("\n".join(metrics_table(names, found)))
