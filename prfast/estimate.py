"""From samples to a curve: read, split, fit, score, sweep."""

from __future__ import annotations

from typing import Any

from prfast._version import version
from prfast.curve import PRCurve
from prfast.samples import (
    Floats,
    Split,
    read_count,
    read_pair,
    read_seed,
    read_share,
    read_vector,
    split_bernoulli,
    split_share,
)
from prfast.scorers import Partition, Scorer, choose


def pr_curve(
    real: Any,
    fake: Any,
    method: Any = "kmeans",
    *,
    split: float | str | None = "auto",
    random_state: int | None = 0,
    n_jobs: int | None = None,
    **options: Any,
) -> PRCurve:
    """The precision-recall curve of generated against real samples.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples of the real distribution P and of the generated one Q, usually features of some
        network; n ≠ m is fine.  Used as they are: no scaling, no subsampling.
    method : str, scorer, scikit-learn classifier or function
        "kmeans" (default): histograms on 20 k-means cells, mean of 10 runs (2018 paper).
        "classifier": an ensemble of 10 linear classifiers, median of their decision values
        (2019 paper).  Any scikit-learn classifier; a clone of it is fitted.  Any object with
        fit(real, fake) and score(points); it is fitted as it is.  Any function of points, such as
        the decision_function of a fitted classifier: larger where more like real.
    split : "auto", "bernoulli", float or None
        What a scorer is fitted on.  A share in (0, 1): that share of each set, drawn at random;
        the rest is scored.  "bernoulli": a fair coin per pair (x_i, y_i) sends one to training and
        the other to evaluation (2019 paper, Algorithm 1).  None: fitted and scored on all samples,
        which can fall below the truth.  "auto" (default) is the method's own: none for "kmeans" and
        for functions, "bernoulli" for "classifier", 0.5 for other scorers.
    random_state : int or None
        Seed of everything random (default 0); None takes a fresh one.  `info` records it.
    n_jobs : int or None
        Processes that share runs or classifiers; None (default) is one.  The result does not depend
        on it.
    **options
        The method's own: clusters, runs, balance for "kmeans"; classifiers, weight_decay for
        "classifier".

    Returns
    -------
    PRCurve
        With `info`: method, options, split, sizes, seed, version.

    Raises
    ------
    TypeError, ValueError
        Naming the argument, what was expected and what came: wrong shape or dtype, widths that
        differ, too few samples, non-finite values, an unknown method or option.

    References
    ----------
    2018: Sajjadi et al., Assessing Generative Models via Precision and Recall.
    2019: Simon, Webster, Rabin, Revisiting Precision and Recall Definition for Generative Model
    Evaluation.
    """
    real, fake = read_pair(real, fake)
    seed = read_seed(random_state)
    n_jobs = None if n_jobs is None else read_count("n_jobs", n_jobs)
    name, scorer, settings, own_split = choose(method, options, seed, n_jobs)
    used_split = own_split if isinstance(split, str) and split == "auto" else split
    if used_split is not None and not isinstance(used_split, str):
        used_split = read_share("split", used_split)  # a plain float, to be recorded
    info = {
        "method": name,
        **settings,
        "split": used_split,
        "n_real": len(real),
        "n_fake": len(fake),
        "n_features": real.shape[1],
        "random_state": seed,
        "version": version(),
    }
    if isinstance(scorer, Partition):
        if used_split is not None:
            raise ValueError(f"split: None expected for method {name!r}, got {split!r}")
        runs = [PRCurve.from_masses(p, q) for p, q in scorer.masses(real, fake)]
        return PRCurve.mean(runs, info=info)
    scores = _scores(scorer, real, fake, used_split, seed)
    return PRCurve.from_scores(*scores, info=info)


def _scores(
    scorer: Scorer, real: Floats, fake: Floats, split: Any, seed: int
) -> tuple[Floats, Floats]:
    """Scores of the real and of the generated evaluation samples."""
    if split is None:
        scorer.fit(real, fake)
        return _score(scorer, real), _score(scorer, fake)
    part = _split(len(real), len(fake), split, seed)
    scorer.fit(real[part.real_train], fake[part.fake_train])
    return _score(scorer, real[part.real_test]), _score(scorer, fake[part.fake_test])


def _split(n: int, m: int, split: Any, seed: int) -> Split:
    if isinstance(split, str):
        if split != "bernoulli":
            raise ValueError(
                f"split: 'auto', 'bernoulli', a share in (0, 1) or None expected, got {split!r}"
            )
        return split_bernoulli(n, m, seed)
    return split_share(n, m, split, seed)


def _score(scorer: Scorer, points: Floats) -> Floats:
    scores = read_vector("method: scores", scorer.score(points), finite=False)
    if scores.size != len(points):
        raise ValueError(
            f"method: one score a point expected, got {scores.size} for {len(points)} points"
        )
    return scores
