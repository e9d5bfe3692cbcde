"""A call of each public function of two sets, each a function of (real, fake, options)."""

import numpy as np
from sklearn.linear_model import LogisticRegression

import prfast
from prfast.methods import Auto, Classifier, KMeans

LABELS = np.arange(60) % 2, np.arange(50) % 2
DISTANCES = ("frechet_distance", "kernel_distance", "gaussian_distance")


def first(points):
    """Score points without a fit."""
    return -points[:, 0]


def curve_of(method):
    def call(real, fake, **options):
        return prfast.pr_curve(real, fake, method, **options)

    return call


def pr_curves(real, fake, **options):
    curves = prfast.pr_curves(real, fake, ["knn", KMeans(clusters=4, runs=2)], 3, **options)
    return list(curves.values())


def profile(real, fake, **options):
    return prfast.profile(real, fake, [0, 0.8], Auto(folds=2), **options)


def distances(real, fake, **options):
    return prfast.metrics(real, fake, which=DISTANCES, **options)


def copies(real, fake, **options):
    return prfast.copies(real, real[::-1][:20], fake, **options)


def by_class(real, fake, **options):
    return prfast.by_class(real, fake, *LABELS, Auto(folds=2), metrics_k=3, **options)


def evaluator(real, fake, **options):
    return prfast.Evaluator(real, ["knn", Auto(folds=2)], 3, halvings=2, **options).evaluate(fake)


CALLS = {
    "pr_curve, auto": curve_of(Auto(folds=3)),
    "pr_curve, knn": curve_of("knn"),
    "pr_curve, kmeans": curve_of(KMeans(clusters=4, runs=3)),
    "pr_curve, classifier": curve_of("classifier"),
    "pr_curve, adam": curve_of(Classifier(training="adam", classifiers=2)),
    "pr_curve, of scikit-learn": curve_of(LogisticRegression()),
    "pr_curves": pr_curves,
    "profile": profile,
    "two_sample_test": prfast.two_sample_test,
    "metrics": prfast.metrics,
    "metrics, distances": distances,
    "realism": prfast.realism,
    "copies": copies,
    "explain": prfast.explain,
    "by_class": by_class,
    "Evaluator": evaluator,
}
WITHOUT_SEED = {"realism"}
# Their random numbers decide no entry of the result for samples as small as these.
SEEDLESS = WITHOUT_SEED | {"metrics"}


def content(result):
    """Return all that a result holds, as lists and dictionaries."""
    if isinstance(result, np.ndarray | np.generic):
        return result.tolist()
    if isinstance(result, list):
        return [content(entry) for entry in result]
    return result.to_dict()
