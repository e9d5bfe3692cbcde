"""`prfast finalize`: the answers of a plan, from the blocks that jobs have made."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from prfast.batch.answer import finalize
from prfast.batch.plan import FILE
from prfast.cli.arguments import add_record, metrics_table, table
from prfast.cli.outputs import check_outputs, say, write_record
from prfast.records.record import curve_entry, metrics_entry

ABOUT = {
    "usage": "prfast finalize FOLDER [--json FILE] [--no-hash]",
    "help": "metrics and curves from the blocks of a plan",
    "description": (
        "Puts together what jobs (prfast block) have found out for the plan in a folder: the "
        "metrics and curves that one process gives, to the last bit."
    ),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="folder of prfast plan")
    add_record(parser)


def run(options: argparse.Namespace) -> None:
    """As tables, and as `prfast metrics --json` and `prfast curve --json` write them."""
    check_outputs(options.json, None, [f"{options.folder}/{FILE}"])
    plan, (metrics, curves) = finalize(options.folder)
    fake = plan.fake["given"]
    options.real = plan.real["given"]
    results = {
        "metrics": [metrics_entry({"fake": fake}, one) for one in metrics.values()],
        "curves": [curve_entry({"fake": fake}, curve) for curve in curves.values()],
    }
    looks = [
        ("real", _path(plan.real), None, _look(plan.real)),
        ("fake", _path(plan.fake), None, _look(plan.fake)),
    ]
    write_record(options, results, looks)
    if options.json != "-":
        say("\n".join(metrics_table([fake], [metrics])))
        if curves:
            say("\n" + "\n".join(table([name for name, _ in curves], list(curves.values()))))


def _look(side: Mapping[str, Any]) -> dict[str, Any]:
    """What the plan says of a set."""
    return {
        "shape": [side["chunks"][-1][1], side["width"]],
        "dtype": np.dtype(side["dtype"]).name,
        "features": None,
    }


def _path(side: Mapping[str, Any]) -> str:
    """As it was given where that is the same from here."""
    given, path = str(side["given"]), str(side["path"])
    return given if os.path.abspath(given) == path else path
