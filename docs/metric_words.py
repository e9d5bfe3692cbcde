"""The text of the pages of metrics, an entry per metric of prfast/scalars/table.py."""

from metric_terms import (
    ALAA,
    ALL,
    BINKOWSKI,
    CHEEMA,
    GAUSSIAN,
    HEUSEL,
    KHAYATKHOEI,
    KYNKAANNIEMI,
    NAEEM,
    ONE_OF_OWN,
    PARK,
    SALVY,
    Words,
    nearest_hold_k,
    nearest_hold_one,
)

WORDS = {
    "precision": Words(
        "Which share of the generated samples lies where real ones are?",
        (
            "generated samples far from all real ones: noise, artifacts, invented modes",
            "a shift, and a spread that is too large",
        ),
        (
            "**One real outlier.** Its ball reaches back to the others and holds whatever lies "
            "between: with one of 1000, precision of a set that has nothing in common goes from 0 "
            "to 1.",
            "**A model that is too narrow**, or copies a few real samples: precision 1. It does "
            "not ask what is missing; look at recall or coverage beside it.",
            "**Dimension.** In many dimensions the points that lie further inside are in many "
            "balls, those further outside in none.",
        ),
        "No number that holds for all distributions: near 1 in few dimensions, and the lower the "
        "more there are. So compare models with each other, or with other real samples.",
        KYNKAANNIEMI,
        seen=frozenset({"shift by 2", "twice as wide"}),
        fooled_by=frozenset({"real outlier"}),
    ),
    "recall": Words(
        "Which share of the real samples lies where generated ones are?",
        (
            "modes that are not made, and a spread that is too small",
            "a shift",
        ),
        (
            "**One generated outlier.** Its ball holds real samples that the model never makes: "
            "one of 1000 brings recall from 0 to 1.",
            "**A model that is too wide**: its balls are wide and hold everything; recall is 1 "
            "where most samples are poor.",
            "**Dimension**, as of precision.",
        ),
        "As precision: no number that holds for all distributions.",
        KYNKAANNIEMI,
        seen=frozenset({"shift by 2", "half as wide", "half of the modes"}),
        fooled_by=frozenset({"fake outlier"}),
    ),
    "density": Words(
        "In how many balls of real samples does a generated one lie, beside what is to be "
        "expected?",
        (
            "generated samples far from real ones, by degrees: one ball counts for 1/k alone",
            "a shift, and a spread that is too large",
        ),
        (
            "**Narrow models.** It has no upper end: samples in the middle of the real ones lie in "
            "many balls, and density is far above 1. Above 1 is not better than 1.",
            "**Missing modes.** It does not ask what is missing.",
            "**One real outlier** adds 1/k at most.",
        ),
        "1, exactly, for any n, m, k, distribution and dimension: a generated sample takes each "
        "place in the order of distances from a real one with equal chance, so it is in the ball "
        "with probability k/n, and n balls divided by k make 1. Its scatter grows with the "
        "dimension.",
        NAEEM,
        lambda n, m, k: 1.0,
        seen=frozenset({"shift by 2", "twice as wide"}),
        fooled_by=frozenset({"real outlier"}),
    ),
    "coverage": Words(
        "Which share of the real samples has a generated one nearby?",
        (
            "modes that are not made, in proportion to their share",
            "a shift, and a spread that is too large: fewer real samples have a neighbor",
        ),
        (
            "**Narrow models**, by degrees: half as wide is not seen here, since a few samples "
            "near the edge are enough for the real ones there.",
            "**Many generated samples**: it rises with m, the more of them, the more balls hold "
            "one. Compare models by the same m.",
            "Outliers do not fool it: a ball too wide is one real sample's alone.",
        ),
        ONE_OF_OWN
        + "1 − Π (n − i) / (n + m − i) over i = 1, …, k. That is 0.969 for n = m and k = 5, and 1 "
        "− 2⁻ᵏ for large ones.",
        NAEEM,
        lambda n, m, k: nearest_hold_one(n, m, k),
        seen=frozenset({"shift by 2", "twice as wide", "half of the modes"}),
    ),
    "complementary_precision": Words(
        "Which share of the generated samples has a real one nearby, as near as generated ones are "
        "to each other?",
        (
            "a model that is too narrow: its own balls are too small to reach a real sample",
            "a shift",
        ),
        (
            "**A model that is too wide**: its balls are wide, and each holds a real sample. It is "
            "the counterpart of precision, and sees what that does not: use the smaller, symmetric "
            "precision.",
            "**Missing modes**: seen late; half of them missing costs a seventh.",
        ),
        ONE_OF_OWN
        + "1 − Π (m − i) / (n + m − i) over i = 1, …, k; coverage with the sets exchanged.",
        KHAYATKHOEI,
        lambda n, m, k: nearest_hold_one(m, n, k),
        seen=ALL - {"twice as wide"},
    ),
    "symmetric_precision": Words(
        "The smaller of precision and complementary precision: are generated samples near real "
        "ones, by the balls of either set?",
        ("a shift, and a spread that is too large or too small",),
        (
            "**Missing modes**: it looks at what is generated.",
            "One outlier does not fool it: the other precision stays where it was.",
        ),
        "At most what precision is, which is no fixed number; in one or two dimensions at most "
        "what complementary precision is.",
        KHAYATKHOEI,
        seen=ALL - {"half of the modes"},
    ),
    "symmetric_recall": Words(
        "The smaller of recall and coverage: are real samples near generated ones, by the balls of "
        "either set?",
        (
            "a shift, a spread that is too large or too small, and missing modes: all that is "
            "shown here",
        ),
        ("One outlier does not fool it: coverage stays where it was.",),
        "At most what recall is, which is no fixed number; in one or two dimensions at most what "
        "coverage is.",
        KHAYATKHOEI,
        seen=ALL,
    ),
    "precision_cover": Words(
        "Which share of the generated samples has k or more real ones in a ball that reaches the "
        "C·k-th generated one?",
        (
            "generated samples where real ones are too few: less than a C-th as many",
            "a shift, a spread that is too small, modes that are made too often",
        ),
        (
            "**A model that is too wide**: its balls are wide and hold k real samples.",
            "It forgives an excess up to about C = `cover_factor` (3): what is made twice as often "
            "as it is real costs a quarter.",
        ),
        "By the order of the points around one: of the first k + k′ − 1, k or more are real, k′ "
        "being C·k or `cover_reach`. A hypergeometric probability, whatever the distribution: that "
        "of BetaBinomial(n; k′, m − k′) ≥ k for n real and m generated samples; k is `cover_k`, 3 "
        "by default. With k = 1 it is complementary precision at k′.",
        CHEEMA,
        lambda n, m, k: nearest_hold_k(m, n, 3),
        seen=frozenset({"shift by 2", "half as wide", "half of the modes"}),
    ),
    "recall_cover": Words(
        "Which share of the real samples has k or more generated ones in a ball that reaches the "
        "C·k-th real one?",
        (
            "real samples where generated ones are too few: less than a C-th as many",
            "a shift, a spread that is too large, missing modes",
        ),
        (
            "**A model that is too narrow**, as of coverage.",
            "It forgives modes that are made too rarely, down to a C-th.",
        ),
        "As precision cover, with the sets exchanged. With k = 1 it is coverage at k′.",
        CHEEMA,
        lambda n, m, k: nearest_hold_k(n, m, 3),
        seen=frozenset({"shift by 2", "twice as wide", "half of the modes"}),
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
            "k-th neighbor, which in many dimensions holds next to everything: it is then 1 for "
            "whatever lies inside. `p_radius` gives it another.",
            "One outlier does not fool it: the radius is a mean.",
        ),
        "No number that holds for all distributions: it depends on the dimension.",
        PARK,
        seen=frozenset({"shift by 2", "twice as wide"}),
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
        seen=frozenset({"shift by 2", "half as wide", "half of the modes"}),
    ),
    "f1": Words(
        "One number of precision and recall: their harmonic mean.",
        ("what either of them sees, if the other is not large enough to hide it",),
        (
            "**Two kinds of failure look alike**: dropped modes and poor samples. Use a curve, or "
            "the two numbers.",
            "It is low only where one of the two is: outliers in both sets fool both.",
        ),
        "No number that holds for all distributions, as precision and recall have none.",
        KYNKAANNIEMI + " for the two",
        seen=ALL,
    ),
    "authenticity": Words(
        "Which share of the generated samples is no copy of a real one: further from its nearest "
        "real sample than that is from its own nearest? The rest may be memorized (memorization, "
        "memorization).",
        ("copies of real samples, exact or nearly so: the only metric here that sees them",),
        (
            "**Poor samples are authentic.** Noise has 1: read it beside precision, and compare it "
            "with the authenticity of other real samples, never with 1.",
            "**A model that is too narrow** is less authentic without a copy: in the middle of the "
            "real samples their neighbors are near.",
            "It needs the samples that the model was trained on as real ones; of others it says "
            "nothing.",
            "synthcity's authenticity is another number: it compares real samples with the "
            "neighbor distance of the real sample that has the index of their nearest generated "
            "one, and so needs n = m.",
        ),
        "No number that holds for all distributions: that a sample and its nearest real one are "
        "each other's nearest has probability 2/3 on a line and 0.62 in the plane, so authenticity "
        "is 1/3 and 0.38 there, and it rises with the dimension.",
        ALAA,
        seen=frozenset({"half as wide", "copies"}),
    ),
    "clipped_density": Words(
        "Which share of the generated samples lies where real ones are dense? Density with two "
        "clips, radii at their median and samples at 1, divided by what real samples have among "
        "each other.",
        (
            "generated samples far from real ones, in proportion: a share p of them makes it 1 − p",
            "a shift, and a spread that is too large",
        ),
        (
            "**Sparse regions.** Balls reach no further than the median radius, so where real "
            "samples are sparser than that, good samples count little, and so do bad ones there: "
            "a mode five times as wide as the others is not measured.",
            "**Narrow models and missing modes**: it does not ask what is missing, and ends at 1.",
            "One real outlier does not fool it: its ball is cut.",
        ),
        "About 1, and never above: it ends at 1, so its mean is below 1 by half its scatter. Two "
        "sets of 1000 in 2 to 64 dimensions had 0.97 to 1.00.",
        SALVY,
        seen=frozenset({"shift by 2", "twice as wide"}),
    ),
    "clipped_coverage": Words(
        "Which share of the generated samples, if they were good and all others far away, would "
        "cover the real ones as well? Coverage of k samples rather than one in each ball, turned "
        "into that share.",
        (
            "modes that are not made, in proportion to their share",
            "generated samples far from real ones: a share p of them makes it 1 − p",
            "a shift, and a spread that is too large",
        ),
        (
            "**Missing modes and poor samples look alike**: half of the modes, or all of them with "
            "half as many good samples, are both about a half.",
            "**Many generated samples**: 10 000 of which a tenth is good cover as much as 1000 "
            "good ones, and it says a tenth: a share of what was generated, not of the real ones.",
            "**Narrow models** and copies are not seen; it ends at 1.",
            "One outlier does not fool it: a ball too wide is one real sample's alone.",
        ),
        "About 1, and never above, as clipped density: its mean is below 1 by half its scatter. "
        "Before the calibration the expectation is E min(J, k) / k, J ~ BetaBinomial(m; k, n − k), "
        "whatever the distribution: 0.75 for n = m and k = 5.",
        SALVY,
        seen=frozenset({"shift by 2", "twice as wide", "half of the modes"}),
    ),
    "alpha_precision": Words(
        "Are generated samples as far from the mean of the real ones as these are? The α-precision "
        "of synthcity (its ``naive`` one, without a network).",
        ("a shift, and a spread that is too large or too small",),
        (
            "**Only distances from the mean count.** Samples anywhere on the same spheres around "
            "it are perfect: shuffled columns, a few directions, between the modes.",
            "**Missing modes** at the same distance from the mean.",
            "It needs a network that makes one ball of the real samples to be what its paper "
            "defines; without it, and with it as the network was trained, it measures something "
            "else.",
        ),
        "About 1: less by the scatter of a distribution function, of the order 1/√n + 1/√m.",
        ALAA,
        seen=frozenset({"shift by 2", "twice as wide", "half as wide"}),
    ),
    "beta_recall": Words(
        "Which share of the real samples is nearer to a generated one than to another real one? "
        "The β-recall of synthcity (its ``naive`` one, without a network).",
        ("modes that are not made", "a shift, and a spread that is too large"),
        (
            "**Equal sets have about ½**, m / (n + m − 1), not 1: never compare it with 1, nor for "
            "other n and m. Code of the paper refuses n ≠ m, for an index that it takes from the "
            "wrong set; here any sizes do.",
            "**Copies have 1**, twice what is right: it rewards memorization.",
            "**A model that is too narrow** has more than equal sets where it is near many real "
            "samples.",
        ),
        "About m / (n + m − 1), ½ for n = m: the chance that the nearest of the n − 1 real and m "
        "generated samples around a real one is generated.",
        ALAA,
        seen=frozenset({"shift by 2", "twice as wide", "half of the modes"}),
    ),
    "frechet_distance": Words(
        "How far apart are the normal distributions that have the means and covariances of the two "
        "sets? Smaller is better. Fréchet distance (Frechet, FD); of Inception features FID, the "
        "Fréchet Inception distance.",
        ("a shift, another spread, missing modes: whatever changes a mean or a covariance",),
        (
            "**Other shapes with the same moments**: a normal distribution of the right mean and "
            "covariance has distance 0, and may look like nothing real.",
            "**The number of samples**: it is too high, by an amount that falls as 1/n and rises "
            "as d². Compare distances of the same n and m only.",
            "**Poor samples and missing modes look alike**: it is one number.",
            "**Copies** have distance 0.",
        ),
        "0 for endless samples. Of n and m it is higher: of standard normal ones by about (1/n + "
        "1/m)(d + d(d + 1)/4), the variance of the means and of the roots of the covariances.",
        HEUSEL,
        nearly=lambda n, m, d: (1 / n + 1 / m) * (d + d * (d + 1) / 4),
        seen=ALL,
    ),
    "gaussian_distance": Words(
        "How far apart are the two sets at distances of about the bandwidth? Smaller is better. A "
        "squared MMD of the Gaussian kernel; of CLIP features CMMD, of audio ones KAD.",
        ("a shift, another spread, missing modes: in the limit whatever distinguishes two sets",),
        (
            "**The bandwidth decides.** Much larger than the distances it compares the means, "
            "as CMMD's 10 does for features of length 1; much smaller, every sample is alone and "
            "it is 0. It is in `info`; two numbers of different bandwidths do not compare.",
            "**Details much finer than the bandwidth**, and rare modes, whose share is squared.",
            "**Poor samples and missing modes look alike**: it is one number.",
            "**Copies** have less than 0, as equal sets may.",
        ),
        "0 in the mean, for any n, m, distribution and dimension: the estimator is unbiased, so it "
        "is often negative; CMMD, with bias, is above 0. Its standard error comes with it, in "
        "`errors`.",
        GAUSSIAN,
        lambda n, m, k: 0.0,
        seen=ALL,
    ),
    "kernel_distance": Words(
        "How far apart are the two sets in all products of up to three features? Smaller is "
        "better. Of Inception features KID, the kernel Inception distance; a squared MMD.",
        ("a shift, another spread, missing modes: whatever changes moments up to the third",),
        (
            "**Differences beyond the third moments**, which its kernel, a cubic polynomial, does "
            "not have.",
            "**Units**: features of large values decide it; the cube makes them decide more.",
            "**Poor samples and missing modes look alike**: it is one number.",
            "**Copies** have less than 0, as equal sets may.",
        ),
        "0 in the mean, for any n, m, distribution and dimension: the estimator is unbiased, so it "
        "is often negative. Its distribution is skewed to the right, so that can be more than half "
        "of the time: in 57 % of 2000 equal normal pairs of 100 + 100 samples in 2 dimensions, in "
        "55 % of them in 8. Its standard error comes with it, in `errors`.",
        BINKOWSKI,
        lambda n, m, k: 0.0,
        seen=ALL,
    ),
}
