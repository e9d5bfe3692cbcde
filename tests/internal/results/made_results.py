"""A result of every kind, of two small sets of samples."""

import numpy as np

import prfast
from prfast.comparison import Evaluator

RNG = np.random.default_rng(0)
REAL, FAKE = RNG.normal(size=(60, 3)), RNG.normal(size=(50, 3)) + 0.5
EVIL = "<b>model</b>"
GIVEN = prfast.PRCurve.from_masses([3, 2, 1, 0], [0, 1, 2, 3])  # of no known number of samples
METRICS = prfast.metrics(REAL, FAKE, 3)
DISTANCES = prfast.metrics(REAL, FAKE, which=["frechet_distance", "kernel_distance"])
DIVERGENCES = prfast.theory.divergence_table(GIVEN)
MODELS = Evaluator(REAL, ["knn", "ipr"], 3, halvings=4, which=["precision", "recall"]).compare(
    {"a": FAKE, EVIL: FAKE[:40]}
)
CURVE = MODELS["a"].curve
# Class 2 is real alone.
GROUPS = prfast.by_class(REAL, FAKE, np.arange(60) % 3, np.arange(50) % 2, "knn", 3)
RESULTS = {
    "curve": CURVE,
    "curve of masses": GIVEN,
    "interval": CURVE.interval("f8"),
    "metrics": METRICS,
    "distances": DISTANCES,
    "divergences": DIVERGENCES,
    "evaluation": MODELS["a"],
    "comparison": MODELS,
    "differences": MODELS.differences(numbers=["area", "recall"]),
    "groups": GROUPS,
}
