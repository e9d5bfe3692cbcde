"""What the pages of metrics say, by hand: a row a metric of prfast/metrics/table.py."""

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
    "distribution and its dimension. The ball holds none of the other set only where the k "
    "nearest "
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
    falls: frozenset = frozenset()
    """The columns of the table of cases in which it loses a tenth or more of what it is for equal
    sets."""
    wrong: frozenset = frozenset()
    """... and those of sets that are far off in which it is 0.1 or more."""


ALL = frozenset({"shift by 2", "twice as wide", "half as wide", "half of the modes"})

WORDS = {
    "precision": Words(
        "Which share of the generated samples lies where real ones are?",
        (
            "generated samples far from all real ones: noise, artefacts, invented modes",
            "a shift, and a spread that is too large",
        ),
        (
            "**One real outlier.** Its ball reaches back to the others and holds whatever lies "
            "between: with one of 1000, precision of a set that has nothing in common goes from "
            "0 to "
            "1.",
            "**A model that is too narrow**, or copies a few real samples: precision 1. It does "
            "not "
            "ask what is missing; look at recall or coverage beside it.",
            "**Dimension.** In many dimensions the points that lie further inside are in many "
            "balls, "
            "those further outside in none.",
        ),
        "No number that holds for all distributions: near 1 in few dimensions, and the lower the "
        "more there are. So compare models with each other, or with other real samples.",
        KYNKAANNIEMI,
        falls=frozenset({"shift by 2", "twice as wide"}),
        wrong=frozenset({"… and a real outlier"}),
    ),
    "recall": Words(
        "Which share of the real samples lies where generated ones are?",
        (
            "modes that are not made, and a spread that is too small",
            "a shift",
        ),
        (
            "**One generated outlier.** Its ball holds real samples that the model never makes: "
            "one "
            "of 1000 brings recall from 0 to 1.",
            "**A model that is too wide**: its balls are wide and hold everything; recall is 1 "
            "where "
            "most samples are poor.",
            "**Dimension**, as of precision.",
        ),
        "As precision: no number that holds for all distributions.",
        KYNKAANNIEMI,
        falls=frozenset({"shift by 2", "half as wide", "half of the modes"}),
        wrong=frozenset({"… or a generated one"}),
    ),
    "density": Words(
        "In how many balls of real samples does a generated one lie, beside what is to be "
        "expected?",
        (
            "generated samples far from real ones, by degrees: one ball counts for 1/k alone",
            "a shift, and a spread that is too large",
        ),
        (
            "**Narrow models.** It has no upper end: samples in the middle of the real ones lie "
            "in "
            "many balls, and density is far above 1. Above 1 is not better than 1.",
            "**Missing modes.** It does not ask what is missing.",
            "**One real outlier** adds 1/k at most.",
        ),
        "1, exactly, for any n, m, k, distribution and dimension: a generated sample takes each "
        "place "
        "in the order of distances from a real one with equal chance, so it is in the ball with "
        "probability k/n, and n balls divided by k make 1. Its scatter grows with the dimension.",
        NAEEM,
        lambda n, m, k: 1.0,
        falls=frozenset({"shift by 2", "twice as wide"}),
        wrong=frozenset({"… and a real outlier"}),
    ),
    "coverage": Words(
        "Which share of the real samples has a generated one nearby?",
        (
            "modes that are not made, in proportion to their share",
            "a shift, and a spread that is too large: fewer real samples have a neighbour",
        ),
        (
            "**Narrow models**, by degrees: half as wide is not seen here, since a few samples "
            "near "
            "the edge are enough for the real ones there.",
            "**Many generated samples**: it rises with m, the more of them, the more balls hold "
            "one. "
            "Compare models by the same m.",
            "Outliers do not fool it: a ball too wide is one real sample's alone.",
        ),
        ONE_OF_OWN
        + "1 − Π (n − i) / (n + m − i) over i = 1, …, k. That is 0.969 for n = m and k = 5, and "
        "1 − 2⁻ᵏ for large ones.",
        NAEEM,
        lambda n, m, k: nearest_hold_one(n, m, k),
        falls=frozenset({"shift by 2", "twice as wide", "half of the modes"}),
    ),
    "complementary_precision": Words(
        "Which share of the generated samples has a real one nearby, as near as generated ones "
        "are "
        "to each other?",
        (
            "a model that is too narrow: its own balls are too small to reach a real sample",
            "a shift",
        ),
        (
            "**A model that is too wide**: its balls are wide, and each holds a real sample. It "
            "is "
            "the counterpart of precision, and sees what that does not: use the smaller, "
            "symmetric "
            "precision.",
            "**Missing modes**: seen late; half of them missing costs a seventh.",
        ),
        ONE_OF_OWN
        + "1 − Π (m − i) / (n + m − i) over i = 1, …, k; coverage with the sets exchanged.",
        KHAYATKHOEI,
        lambda n, m, k: nearest_hold_one(m, n, k),
        falls=ALL - {"twice as wide"},
    ),
    "symmetric_precision": Words(
        "The smaller of precision and complementary precision: are generated samples near real "
        "ones, "
        "by the balls of either set?",
        ("a shift, and a spread that is too large or too small",),
        (
            "**Missing modes**: it looks at what is generated.",
            "One outlier does not fool it: the other precision stays where it was.",
        ),
        "At most what precision is, which is no fixed number; in one or two dimensions at most "
        "what "
        "complementary precision is.",
        KHAYATKHOEI,
        falls=ALL - {"half of the modes"},
    ),
    "symmetric_recall": Words(
        "The smaller of recall and coverage: are real samples near generated ones, by the balls "
        "of "
        "either set?",
        (
            "a shift, a spread that is too large or too small, and missing modes: all that is "
            "shown here",
        ),
        ("One outlier does not fool it: coverage stays where it was.",),
        "At most what recall is, which is no fixed number; in one or two dimensions at most what "
        "coverage is.",
        KHAYATKHOEI,
        falls=ALL,
    ),
    "precision_cover": Words(
        "Which share of the generated samples has k or more real ones in a ball that reaches the "
        "C·k-th "
        "generated one?",
        (
            "generated samples where real ones are too few: less than a C-th as many",
            "a shift, a spread that is too small, modes that are made too often",
        ),
        (
            "**A model that is too wide**: its balls are wide and hold k real samples.",
            "It forgives an excess up to about C = `cover_factor` (3): what is made twice as "
            "often as "
            "it is real costs a quarter.",
        ),
        "By the order of the points around one: of the first (C + 1)k − 1, k or more are real. A "
        "hypergeometric probability, whatever the distribution; k is `cover_k`, 3 by default.",
        CHEEMA,
        lambda n, m, k: nearest_hold_k(m, n, 3),
        falls=frozenset({"shift by 2", "half as wide", "half of the modes"}),
    ),
    "recall_cover": Words(
        "Which share of the real samples has k or more generated ones in a ball that reaches the "
        "C·k-th "
        "real one?",
        (
            "real samples where generated ones are too few: less than a C-th as many",
            "a shift, a spread that is too large, missing modes",
        ),
        (
            "**A model that is too narrow**, as of coverage.",
            "It forgives modes that are made too rarely, down to a C-th.",
        ),
        "As precision cover, with the sets exchanged.",
        CHEEMA,
        lambda n, m, k: nearest_hold_k(n, m, 3),
        falls=frozenset({"shift by 2", "twice as wide", "half of the modes"}),
    ),
    "p_precision": Words(
        "How near is a generated sample to the real ones, as a probability to lie in their "
        "support?",
        (
            "generated samples far from real ones, by degrees",
            "a shift, and a spread that is too large",
        ),
        (
            "**Narrow models and missing modes**: it does not ask what is missing.",
            "**Dimension**: it has one radius for all, R = `p_factor` × the mean distance to the "
            "k-th "
            "neighbour, which in many dimensions holds next to everything: it is then 1 "
            "for whatever lies inside.",
            "One outlier does not fool it: the radius is a mean.",
        ),
        "No number that holds for all distributions: it depends on the dimension.",
        PARK,
        falls=frozenset({"shift by 2", "twice as wide"}),
    ),
    "p_recall": Words(
        "How near is a real sample to the generated ones, as a probability to lie in their "
        "support?",
        ("missing modes, and a spread that is too small", "a shift"),
        (
            "**Models that are too wide**: their mean radius is wide.",
            "**Dimension**, as of P-precision.",
            "One outlier does not fool it: the radius is a mean.",
        ),
        "As P-precision: no number that holds for all distributions.",
        PARK,
        falls=frozenset({"shift by 2", "half as wide", "half of the modes"}),
    ),
    "f1": Words(
        "One number of precision and recall: their harmonic mean.",
        ("what either of them sees, if the other is not large enough to hide it",),
        (
            "**Two kinds of failure look alike**: dropped modes and poor samples. Use a curve, "
            "or the "
            "two numbers.",
            "It is low only where one of the two is: outliers in both sets fool both.",
        ),
        "No number that holds for all distributions, as precision and recall have none.",
        KYNKAANNIEMI + " for the two",
        falls=ALL,
    ),
}
