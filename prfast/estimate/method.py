"""The curve of one method: a mean of histograms, or the sweep of its scores."""

from __future__ import annotations

from prfast.curve import PRCurve
from prfast.estimate.check import checked
from prfast.estimate.record import how_made
from prfast.estimate.scores import score_samples
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import WrongValue
from prfast.scorers.methods import Chosen, Partition


def method_curve(
    chosen: Chosen, real: Floats, fake: Floats, split: float | str | None, seed: int
) -> PRCurve:
    """What `pr_curve` returns, for samples that have been read."""
    name, scorer, settings, _ = chosen

    def info() -> dict[str, object]:  # once fitted: k is known then
        values = {key: getattr(scorer, key) for key in settings}
        return how_made(name, values, split, real, fake, seed)

    if isinstance(scorer, Partition):
        if split is not None:
            raise WrongValue("split", f"None expected for method {name!r}, got {split!r}")
        runs = [PRCurve.from_masses(p, q) for p, q in scorer.masses(real, fake)]
        curve = PRCurve.mean(runs, info=info())
    else:
        scored = score_samples(scorer, real, fake, split, seed)
        curve = PRCurve.from_scores(scored.real, scored.fake, info=info())
    return checked({name: curve}, real, fake, seed)[name]
