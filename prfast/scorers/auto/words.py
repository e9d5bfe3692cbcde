"""What each base of the automatic estimator says when it tells the two sets apart."""

from __future__ import annotations

from collections.abc import Mapping

ALIKE = 0.98  # areas from here on say that nothing told the two apart
LEAST = 0.1  # of the score, before a base is named
MOST = 3  # bases that are named

# A base and what differs where it has a large share in the score.
WORDS = {
    "linear": "the means differ",
    "plain": "the means differ, a little in many features",
    "quadratic": "spread, correlations or, of many features, fine detail differ",
    "radial": "the distances from the centre differ",
    "additive": "the shapes of single features differ",
    "products": "two or three features depend on each other in another way",
    "kernel": "the shape of the cloud differs, in no simple way",
    "gaussians": "the covariances differ as a whole",
    "mixtures": "clusters have other weights",
    "neighbors": "samples crowd in other places or lie too close to others",
    "atoms": "the same rows come more or less often",
    "ranges": "one set reaches beyond the other in single features",
    "ranks": "the distributions of single features, or their correlations, differ",
    "values": "single features have other exact values: zeros, whole numbers or rounding",
    "trees": "thresholds and combinations of a few features differ",
}


def told_apart(weights: Mapping[str, float], area: float) -> str:
    """Return a sentence on the bases that tell the two sets apart, and by what, the largest first.

    weights: the share that each base has in the score, >= 0, of any sum.
    """
    total = sum(weights.values())
    if not total > 0 or area >= ALIKE:
        return "Nothing told the two apart."
    shares = {name: weight / total for name, weight in weights.items()}
    order = sorted(shares, key=lambda name: -shares[name])
    named = [name for name in order if shares[name] >= LEAST][:MOST] or order[:1]
    said = [f"{name} ({shares[name]:.0%}): {WORDS.get(name, 'another base')}" for name in named]
    return f"{'Mostly' if shares[order[0]] >= 0.5 else 'By several bases:'} {'; '.join(said)}."
