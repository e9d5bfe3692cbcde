"""Methods that turn samples into a curve, as objects: ``pr_curve(real, fake, KNN(k=5))``.

A string is shorthand for a method: ``pr_curve(real, fake, "knn", k=5)``.  Methods have options
only: an object may be used any number of times, by several threads too.

    Auto             the automatic estimator: a cross-fitted library of base scores, stacked
    KNN, IPR, Parzen, Coverage   (2024 paper): ratios of counts of neighbors, from shared passes
    KMeans           histograms on k-means cells (2018 paper)
    Classifier       an ensemble of linear classifiers (2019 paper)

The caller's own objects are methods as well: a scikit-learn classifier, a function of points, or an
object with

    fit(real, fake)      score(points) -> (n,) numbers, larger where more like real      (`Scorer`)

To add a method, derive a class from ``base.FittedMethod`` and add it to METHODS in ``table``.
"""

from prfast.methods.adapters import Scorer
from prfast.methods.auto.estimator import Auto
from prfast.methods.base import Method
from prfast.methods.classifier import Classifier
from prfast.methods.kmeans import KMeans
from prfast.methods.neighbors import IPR, KNN, Coverage, Parzen
from prfast.methods.table import METHODS
from prfast.samples.noise import Noise

__all__ = [
    "IPR",
    "KNN",
    "METHODS",
    "Auto",
    "Classifier",
    "Coverage",
    "KMeans",
    "Method",
    "Noise",
    "Parzen",
    "Scorer",
]
