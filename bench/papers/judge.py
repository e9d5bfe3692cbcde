"""Scores of generated samples by a classifier: the inception score and its parts.

The 2018 paper's Inception network, or classifier of MNIST, is here a logistic regression of
standardized features, trained on labeled real samples that no model has seen.
"""

from typing import Any, NamedTuple

import numpy as np


class Judgement(NamedTuple):
    """Entropies, in nats, of the classes of generated samples."""

    conditional: float
    """Mean entropy of p(y|x): small where every sample is clearly of some class."""
    marginal: float
    """Entropy of p(y), the mean of p(y|x): large where all classes are there."""
    confidence: float
    """Mean of the largest p(y|x)."""
    shares: list[float]
    """Of the samples, by predicted class."""

    @property
    def score(self) -> float:
        """The inception score, exp of the mutual information of sample and class."""
        from math import exp

        return exp(self.marginal - self.conditional)


class Judge:
    """A classifier of labeled real samples."""

    def __init__(self, features: Any, labels: Any) -> None:
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import GridSearchCV
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))
        # As sure of itself as it is right: the penalty of the smallest held-out log-loss.
        penalties = {"logisticregression__C": [1e-3, 1e-2, 1e-1, 1.0]}
        search = GridSearchCV(model, penalties, scoring="neg_log_loss", cv=3)
        self._model = search.fit(features, labels).best_estimator_

    def __call__(self, features: Any) -> Judgement:
        return judgement_of(self._model.predict_proba(features))


def judgement_of(p: Any) -> Judgement:
    """Return the judgement of p(y|x), a row a sample and a column a class."""
    from scipy.stats import entropy

    shares = np.bincount(p.argmax(axis=1), minlength=p.shape[1]) / len(p)
    return Judgement(
        float(entropy(p, axis=1).mean()),
        float(entropy(p.mean(axis=0))),
        float(p.max(axis=1).mean()),
        shares.tolist(),
    )
