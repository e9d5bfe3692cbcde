"""The curve of one method: cross-fitted, a mean of histograms, or the sweep of its scores."""

from __future__ import annotations

from prfast.curve import PRCurve
from prfast.estimate.check import checked
from prfast.estimate.cross_fitted import KEY, cross_fitted
from prfast.estimate.record import how_made
from prfast.estimate.scores import score_samples
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import WrongValue
from prfast.scorers.auto.estimator import Auto
from prfast.scorers.methods import Chosen, Partition


def method_curve(
    chosen: Chosen, real: Floats, fake: Floats, split: float | str | None, seed: int
) -> PRCurve:
    """What `pr_curve` returns, for samples that have been read."""
    name, scorer, settings, _ = chosen

    def info(scored: tuple[int, int]) -> dict[str, object]:  # once fitted: k is known then
        values = {key: getattr(scorer, key) for key in settings}
        return how_made(name, values, split, real, fake, scored, seed)

    if isinstance(scorer, Partition | Auto) and split is not None:
        has = ", which has folds" if isinstance(scorer, Auto) else ""
        raise WrongValue("split", f"None expected for method {name!r}{has}, got {split!r}")
    if isinstance(scorer, Auto):
        return cross_fitted(scorer, real, fake).curves()[KEY]
    if isinstance(scorer, Partition):
        runs = [PRCurve.from_masses(p, q) for p, q in scorer.masses(real, fake)]
        curve = PRCurve.mean(runs, info=info((len(real), len(fake))))
    else:
        scored = score_samples(scorer, real, fake, split, seed)
        sizes = scored.real.size, scored.fake.size
        curve = PRCurve.from_scores(scored.real, scored.fake, info=info(sizes))
    return checked({name: curve}, real, fake, seed)[name]
