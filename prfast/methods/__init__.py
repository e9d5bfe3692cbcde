"""Methods that turn samples into a curve; each is a row of the table METHODS.

A *scorer* is fitted on one part of the samples and applied to the other:

    fit(real, fake) -> self      score(points) -> (n,) numbers, larger where more like real

and a *partition* gives histograms of both sets on its cells, one pair per run:

    masses(real, fake) -> [(p, q), ...]

A method has to be one of the two; to add one, write a class and its row.  Only "auto" is neither:
it cross-fits and scores within folds of its own.

    methods          METHODS, and the resolution of a method's name or object
    neighbors        knn, ipr, parzen, coverage (2024 paper): ratios of counts of neighbours, from
                     shared passes over the distances
    classifier       an ensemble of linear classifiers (2019 paper), any scikit-learn classifier, a
                     function that needs no fit
    partition        histograms on k-means cells (2018 paper)
    auto             the automatic estimator: a cross-fitted library of base scores, stacked
"""

from prfast.methods.base import METHODS, Method, Partition, Scorer

__all__ = ["METHODS", "Method", "Partition", "Scorer"]
