"""`prfast finalize`: the answers of a plan, from the blocks that jobs have made."""

from __future__ import annotations

import argparse

from prfast.batch.answer import finalize
from prfast.batch.plan import FILE
from prfast.cli.outputs import check_outputs, say, write_json
from prfast.cli.tables import metrics_record, metrics_table, numbers, table

ABOUT = {
    "usage": "prfast finalize FOLDER [--json FILE]",
    "help": "metrics and curves from the blocks of a plan",
    "description": (
        "Puts together what jobs (prfast block) have found out for the plan in a folder: the "
        "metrics and curves that one process gives, to the last bit."
    ),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="folder of prfast plan")
    parser.add_argument("--json", metavar="FILE", help="write all results; - is the terminal")


def run(options: argparse.Namespace) -> None:
    """As tables, and as `prfast metrics --json` and `prfast curve --json` write them."""
    check_outputs(options.json, None, [f"{options.folder}/{FILE}"])
    plan, (metrics, curves) = finalize(options.folder)
    fake = plan.fake["given"]
    write_json(
        options.json,
        {
            "real": plan.real["given"],
            "metrics": [
                {"fake": fake, "k": k, **metrics_record(one)} for k, one in metrics.items()
            ],
            "curves": [
                {"fake": fake, **numbers(curve), "curve": curve.to_dict()}
                for curve in curves.values()
            ],
        },
    )
    if options.json != "-":
        say("\n".join(metrics_table([fake], [metrics])))
        if curves:
            say("\n" + "\n".join(table([name for name, _ in curves], list(curves.values()))))
