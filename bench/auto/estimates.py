"""The curve of every method from one draw, and that of the exact ratio, read the same way.

Classifiers of scikit-learn, the strong alternatives to "auto", are fitted on ten stratified folds
with one thread; the curve is the hull of the pooled out-of-fold log-odds, minus those of the prior.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

import prfast
from prfast import PRCurve
from prfast.methods import METHODS

if TYPE_CHECKING:
    from bench.auto.cases import Draw

ORACLE = "oracle"  # the hull of the exact ratio's sweep
CLASSIFIERS = ("trees", "logistic", "mlp")  # slow: not among the methods by default
FOLDS = 10


def known_methods() -> list[str]:
    """ "auto" and the published methods, then the exact ratio."""
    return [*METHODS, ORACLE]


def curve(method: str, drawn: Draw, seed: int, jobs: int | None) -> PRCurve:
    """Return the curve of a method; of the exact ratio only where it is known."""
    if method == ORACLE:
        assert drawn.log_ratios is not None
        return prfast.PRCurve.from_scores(*drawn.log_ratios)
    if method in CLASSIFIERS:
        return _cross_fitted(method, drawn.real, drawn.fake, seed)
    with warnings.catch_warnings():  # what a method is blind to is measured here
        warnings.simplefilter("ignore", prfast.Contradiction)
        return prfast.pr_curve(drawn.real, drawn.fake, method, random_state=seed, n_jobs=jobs)


def _classifier(name: str, seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, StratifiedKFold
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if name == "trees":  # the defaults (31 leaves, rate .1) overfit 1000 + 1000 rows
        return HistGradientBoostingClassifier(
            learning_rate=0.05, max_leaf_nodes=15, early_stopping=False, random_state=seed
        )
    if name == "mlp":
        network = MLPClassifier(
            (64, 64), learning_rate_init=3e-3, early_stopping=True, random_state=seed
        )
        return make_pipeline(StandardScaler(), network)
    folds = StratifiedKFold(3, shuffle=True, random_state=seed)
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))
    penalties = {"logisticregression__C": np.logspace(-4, 4, 5)}
    return GridSearchCV(model, penalties, scoring="neg_log_loss", cv=folds)


def _cross_fitted(name: str, real: Any, fake: Any, seed: int) -> PRCurve:
    """Return the curve of the classifier's out-of-fold log-odds of "real"."""
    from scipy.special import logit
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.model_selection import StratifiedKFold
    from threadpoolctl import threadpool_limits

    points = np.concatenate([real, fake])
    is_real = np.repeat([True, False], [len(real), len(fake)])
    scores = np.empty(len(points))
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for fitted, held_out in folds.split(points, is_real):
            model = _classifier(name, seed).fit(points[fitted], is_real[fitted])
            probability = model.predict_proba(points[held_out])[:, 1]
            scores[held_out] = logit(probability) - logit(is_real[fitted].mean())
    return PRCurve.from_scores(scores[is_real], scores[~is_real])
