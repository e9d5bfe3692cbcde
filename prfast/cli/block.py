"""`prfast block`: one job of an array, which makes its share of the blocks of a plan."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping

from prfast.batch.answer import make_blocks
from prfast.batch.folder import Share
from prfast.cli.outputs import say

ABOUT = {
    "usage": "prfast block FOLDER [--share I/N]",
    "help": "make one job's share of the blocks of a plan",
    "description": (
        "Makes a share of the blocks that the plan in a folder (prfast plan) needs next; what is "
        "there already is left as it is."
    ),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="folder of prfast plan")
    parser.add_argument(
        "--share",
        metavar="I/N",
        help="the I-th of N shares, from 0 on (default: that of the job of an array of Slurm, or "
        "0/1, everything)",
    )


def run(options: argparse.Namespace) -> None:
    share = of_slurm(os.environ) if options.share is None else read_share_of(options.share)
    done = make_blocks(options.folder, share)
    said = f"{options.folder}: {done.made} blocks made"
    if done.left:
        said += f", {done.left} of this round left to other jobs"
    elif not done.waits:
        said += f"; all is there for prfast finalize {options.folder}"
    say(said)


def read_share_of(text: str) -> Share:
    """I/N, 0 <= I < N."""
    job, _, jobs = text.partition("/")
    if not (job.isdecimal() and jobs.isdecimal() and int(job) < int(jobs)):
        raise ValueError(f"--share: I/N with 0 <= I < N expected, got {text!r}")
    return Share(int(job), int(jobs))


def of_slurm(environment: Mapping[str, str]) -> Share:
    """The share of a job of an array; everything where there is none."""
    if "SLURM_ARRAY_TASK_ID" not in environment:
        return Share(0, 1)
    names = ("ID", "MIN", "MAX", "STEP", "COUNT")
    try:
        found = [int(environment[f"SLURM_ARRAY_TASK_{name}"]) for name in names]
    except (KeyError, ValueError) as error:
        raise ValueError(f"--share: I/N expected, as Slurm does not say it: {error}") from None
    job, first, last, step, jobs = found
    if (last - first) // step + 1 != jobs:  # such as 3,7: COUNT of them, two by number
        raise ValueError(
            f"--share: I/N expected, as the array has gaps: {jobs} jobs from {first} to {last}"
        )
    return Share((job - first) // step, jobs)
