"""A job's share of the blocks, and the answers once all of them are there."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from prfast.batch.asking import PatientSearch
from prfast.batch.folder import Folder, Share
from prfast.batch.plan import BLOCKS, Plan, load_plan
from prfast.curve import PRCurve
from prfast.estimate.neighbors import CurveOptions, neighbor_scores
from prfast.estimate.record import with_features
from prfast.estimate.several import several_curves
from prfast.inputs.features import features_info
from prfast.scalars.measure import measure
from prfast.scalars.result import Metrics
from prfast.scalars.wanted import MetricOptions


class Answers(NamedTuple):
    """What one process gives for the same files."""

    metrics: dict[int, Metrics]
    """By k."""
    curves: dict[tuple[str, int | str], PRCurve]
    """By method and k."""


class Progress(NamedTuple):
    """Blocks that this job has made, and those of this round that it leaves to others."""

    made: int
    left: int
    waits: bool
    """Is there anything left to do, in this round or after it?"""


def make_blocks(place: str, share: Share) -> Progress:
    """A job's share of what can be asked now."""
    plan = load_plan(place)
    folder = Folder(os.path.join(place, BLOCKS), plan.mark, share)
    found = _asked(plan, folder, last=False)
    return Progress(len(folder.made), len(folder.missing), found is None)


def finalize(place: str) -> tuple[Plan, Answers]:
    """All that was asked, from the blocks.

    Raises
    ------
    ValueError
        Blocks that are missing, damaged, of another plan, copies of others; files that are no
        blocks of this plan; samples that have changed.  By name.
    """
    plan = load_plan(place)
    for chunk in (one for points in plan.sets(Folder("", "", None)) for one in points.pieces):
        chunk.load()
    folder = Folder(os.path.join(place, BLOCKS), plan.mark, None)
    found = _asked(plan, folder, last=True)
    if found is None:
        first, *others = sorted(folder.missing)
        more = f" and {len(others)} more" if others else ""
        raise ValueError(
            f"{place}: blocks are missing, {first} ({folder.missing[first]}){more}; run prfast "
            "block again"
        )
    folder.check()
    return plan, found


def _asked(plan: Plan, folder: Folder, *, last: bool) -> Answers | None:
    """The answers; None where something waits."""
    real, fake = plan.sets(folder)
    features = features_info(real, fake)
    search = PatientSearch(plan.rows, plan.question["backend"])
    metrics: dict[int, Metrics] = {}
    if plan.question["metrics"] is not None:
        of_metrics = MetricOptions(**plan.question["metrics"])
        metrics = measure(real, fake, of_metrics, search, features=features)
    curves: dict[Any, PRCurve] = {}
    if plan.question["curves"] is not None:
        wanted = CurveOptions(**plan.question["curves"])
        scored = neighbor_scores(real, fake, wanted, search)
        if last and not search.waits:
            curves = several_curves([scored], real, fake, wanted.seed)
            curves = with_features(curves, features)
    return None if search.waits else Answers(metrics, curves)
