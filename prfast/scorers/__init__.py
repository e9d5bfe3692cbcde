"""Methods: how samples become a curve, one row of a table each.

A *scorer* is fitted on one part of the samples and applied to the other:

    fit(real, fake) -> self      score(points) -> (n,) numbers, larger where more like real

and a *partition* gives histograms of both sets on its cells, one pair a run:

    masses(real, fake) -> [(p, q), ...]

Everything that a method needs to be a curve is to be one of the two; to add one, write a class
and its row.  "auto" alone is neither: it keeps its own folds, fits and scores within them.

    methods          the table of methods, and what a caller may pass as one
    neighbors        ratios of counts of neighbours, a row each: knn, ipr, parzen, coverage (2024
                     paper)
    passes           the passes over the distances that count for all of them at once: inside each
                     training set for radii, scored points against both for everything else
    neighbor_scorer  one of them, or several with several k, as a scorer
    classifier       an ensemble of linear classifiers (2019 paper), any scikit-learn classifier
    adam             one of the ensemble, trained as in the 2019 paper
    auto             the automatic estimator: bases, cross-fitted and stacked
    partition        histograms on k-means cells (2018 paper)
"""

from prfast.scorers.methods import METHODS, Method, Partition, Scorer

__all__ = ["METHODS", "Method", "Partition", "Scorer"]
