"""Parts of metric_words.py: papers, expectations, and the type of an entry."""

from typing import NamedTuple

from scipy.stats import hypergeom

KYNKAANNIEMI = (
    "Kynkäänniemi, Karras, Laine, Lehtinen, Aila: *Improved Precision and Recall Metric for "
    "Assessing Generative Models* (2019)"
)
NAEEM = (
    "Naeem, Oh, Uh, Choi, Yoo: *Reliable Fidelity and Diversity Metrics for Generative Models* "
    "(2020)"
)
KHAYATKHOEI = (
    "Khayatkhoei, AbdAlmageed: *Emergent Asymmetry of Precision and Recall for Measuring Fidelity "
    "and Diversity of Generative Models in High Dimensions* (2023)"
)
CHEEMA = "Cheema, Urner: *Precision Recall Cover: A Method For Assessing Generative Models* (2023)"
ALAA = (
    "Alaa, van Breugel, Saveliev, van der Schaar: *How Faithful is your Synthetic Data? "
    "Sample-level Metrics for Evaluating and Auditing Generative Models* (2022)"
)
HEUSEL = (
    "Heusel, Ramsauer, Unterthiner, Nessler, Hochreiter: *GANs Trained by a Two Time-Scale Update "
    "Rule Converge to a Local Nash Equilibrium* (2017)"
)
BINKOWSKI = "Bińkowski, Sutherland, Arbel, Gretton: *Demystifying MMD GANs* (2018)"
SALVY = (
    "Salvy, Talbot, Thirion: *Enhanced Generative Model Evaluation with Clipped Density and "
    "Coverage* (2026)"
)
GAUSSIAN = (
    "Gretton, Borgwardt, Rasch, Schölkopf, Smola: *A Kernel Two-Sample Test* (2012); Jayasumana et "
    "al.: *Rethinking FID: Towards a Better Evaluation Metric for Image Generation* (2024, CMMD); "
    "Chung et al.: *KAD: No More FAD! An Effective and Efficient Evaluation Metric for Audio "
    "Generation* (2025)"
)
PARK = (
    "Park, Kim: *Probabilistic Precision and Recall Towards Reliable Evaluation of Generative "
    "Models* (2023)"
)


def nearest_hold_one(inside, other, k):
    """P(a ball to the k-th of `inside` − 1 others holds one of `other` points), all of one
    distribution: not all of the k nearest are of its own set."""
    return 1 - float(hypergeom(inside + other - 1, inside - 1, k).pmf(k))


def nearest_hold_k(inside, other, k, factor=3):
    """P(a ball to the (factor·k)-th of its own set holds k or more of the other): of the first
    (factor + 1)·k − 1 points around it k or more are of the other set."""
    return float(hypergeom(inside + other - 1, other, (factor + 1) * k - 1).sf(k - 1))


ONE_OF_OWN = (
    "Around a point of one distribution the two sets come in random order, whatever the "
    "distribution and its dimension. The ball holds none of the other set only where the k nearest "
    "are all of its own: "
)


class Words(NamedTuple):
    asks: str
    """The question that it answers, in a sentence."""
    sees: tuple[str, ...]
    fooled: tuple[str, ...]
    expects: str
    """What it is for equal distributions, and why."""
    paper: str
    expected: object = None
    """(n, m, k) -> that value, where there is one that no distribution changes."""
    nearly: object = None
    """(n, m, d) -> about that value of standard normal distributions."""
    seen: frozenset = frozenset()
    """The changes that it tells from equal sets, as `metric_cases.seen` has it."""
    fooled_by: frozenset = frozenset()
    """The outliers that change what it says of sets that are far off."""


# All changes of metric_cases.py but copies.
ALL = frozenset({"shift by 2", "twice as wide", "half as wide", "half of the modes"})
