"""The curve of "auto" against curves of a cross-fitted logistic regression, and of boosted trees.

`pr_curve(real, fake)` of 10 000 + 10 000 samples, d = 64 and 512, beside what a user would write
with scikit-learn: ten folds of `cross_val_predict`, and `PRCurve.from_scores` of the scores.  One
thread; CPU seconds, and the area of each: the lower one has seen more of the difference.
"""

from argparse import Namespace
from collections.abc import Callable
from typing import Any

from bench.contender import Contender
from bench.report import Figure, Findings
from bench.speed.clouds import Samples, add_kinds, area_of, chosen, prfast_call

DIMS = {"isotropic": (64, 512), "relu": (512,)}
PEERS = {"logistic regression": "logistic", "boosted trees": "trees"}


add_options = add_kinds


def run(options: Namespace) -> Findings:
    size = 200 if options.tiny else 10_000
    repeats = options.repeats or (2 if options.tiny else 5)
    findings = Findings(notes=[f"{size} + {size} samples, {repeats} turns"])
    for of in chosen(options, size, DIMS):
        ours = {"of": of, "function": "pr_curve", "n_jobs": 1}
        contenders = {"prfast": Contender(prfast_call, ours, 1, area_of)}
        for name, model in PEERS.items():
            contenders[name] = Contender(cross_fitted, {"of": of, "model": model}, 1, float)
        result = findings.side_by_side(of.name, contenders, repeats)
        for name in PEERS:
            label, pair = f"{of.name}: {name} / prfast, CPU", (result[name], result["prfast"])
            findings.ratio(label, *pair, cpu=True, better="higher")
        for name, value in result.items():
            findings.figures.append(Figure(f"{of.name}: area of {name}", value.answer))
    return findings


def cross_fitted(of: Samples, model: str) -> Callable[[], Any]:
    import numpy as np
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    import prfast

    real, fake = of.draw()
    points, labels = np.concatenate([real, fake]), np.repeat([1, 0], [len(real), len(fake)])
    folds = StratifiedKFold(10, shuffle=True, random_state=0)

    def call() -> float:
        probability = (
            make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
            if model == "logistic"
            else HistGradientBoostingClassifier(random_state=0)
        )
        scores = cross_val_predict(
            probability, points, labels, cv=folds, method="decision_function"
        )
        return prfast.PRCurve.from_scores(scores[labels == 1], scores[labels == 0]).area

    return call
