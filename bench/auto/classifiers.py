"""Cross-fitted classifiers of scikit-learn, the strong alternatives to "auto".

Each is fitted on ten stratified folds with one thread; the curve is the hull of the pooled
out-of-fold log-odds, minus the log-odds of the prior.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import logit
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from prfast import PRCurve

FOLDS = 10


def trees(seed: int) -> Any:
    # The defaults (31 leaves, rate .1) overfit 1000 + 1000 rows.
    return HistGradientBoostingClassifier(
        learning_rate=0.05, max_leaf_nodes=15, early_stopping=False, random_state=seed
    )


def logistic(seed: int) -> Any:
    folds = StratifiedKFold(3, shuffle=True, random_state=seed)
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))
    penalties = {"logisticregression__C": np.logspace(-4, 4, 5)}
    return GridSearchCV(model, penalties, scoring="neg_log_loss", cv=folds)


def mlp(seed: int) -> Any:
    network = MLPClassifier(
        (64, 64), learning_rate_init=3e-3, early_stopping=True, random_state=seed
    )
    return make_pipeline(StandardScaler(), network)


CLASSIFIERS: dict[str, Callable[[int], Any]] = {"trees": trees, "logistic": logistic, "mlp": mlp}


def curve(name: str, real: Any, fake: Any, seed: int) -> PRCurve:
    """Return the curve of the classifier's out-of-fold log-odds of "real"."""
    points = np.concatenate([real, fake])
    is_real = np.repeat([True, False], [len(real), len(fake)])
    scores = np.empty(len(points))
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for fitted, held_out in folds.split(points, is_real):
            model = CLASSIFIERS[name](seed).fit(points[fitted], is_real[fitted])
            of_real = model.predict_proba(points[held_out])[:, 1]
            scores[held_out] = logit(of_real) - logit(is_real[fitted].mean())
    return PRCurve.from_scores(scores[is_real], scores[~is_real])
