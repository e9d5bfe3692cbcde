"""The function `choose_k`: k of a neighbor method by cross-validation in the training half."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.curve import PRCurve
from prfast.inputs.arrays import Float64s, read_pair
from prfast.inputs.errors import WrongValue, closest
from prfast.inputs.options import (
    MEMORY,
    RandomState,
    Shown,
    is_word,
    read_count,
    read_list,
    read_seed,
    read_share,
    read_ties,
)
from prfast.inputs.samples import stream
from prfast.methods.base import Split, split_share
from prfast.methods.neighbors import (
    NEIGHBOR_METHODS,
    NeighborScorer,
    check_k,
    expected_pairs,
    sqrt_k,
)
from prfast.neighbors import NeighborSearch
from prfast.neighbors.resources import Rows, in_range
from prfast.results.values import Display, Result


@dataclass(frozen=True)
class KChoice(Result):
    """Result of `choose_k`: the number of neighbors, and the area of every k."""

    k: int
    """The k of the smallest area; the smallest one of several."""
    areas: dict[int, float]
    """{k: area of the curve of the training half, scored fold by fold}, k rising."""
    info: dict[str, Any]
    """Method, folds, split, seed, sizes."""

    _index = "k"

    @property
    def at_end(self) -> bool:
        """Whether k is the largest candidate, so that a larger one may be better."""
        return self.k == max(self.areas)

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each candidate, rising: ``k`` and its ``area``."""
        return [{"k": k, "area": area} for k, area in self.areas.items()]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``k``; ``at_end``; ``areas``, as from `rows`; ``info``.
        """
        return {"k": self.k, "at_end": self.at_end, "areas": self.rows(), "info": dict(self.info)}

    def _display(self) -> Display:
        end = "; the largest of them, larger ones may be better" if self.at_end else ""
        return Display(
            "Areas of the training half",
            [[str(k), f"{area:.4f}"] for k, area in self.areas.items()],
            ["k", "area"],
            notes=[f"Chosen: k = {self.k}{end}"],
            details=[f"{name}: {x}" for name, x in self.info.items()],
        )


def choose_k(
    real: Any,
    fake: Any,
    method: str = "knn",
    ks: Sequence[int] | int | None = None,
    *,
    folds: int = 5,
    split: float = 0.5,
    random_state: RandomState = 0,
    ties: str = "closed",
    backend: str = "auto",
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: Shown = None,
) -> KChoice:
    """Return the k of a neighbor method whose curve on held-out samples has the smallest area, by
    cross-validation in the training half (2024 paper, §5.2).

    The population curve of a scorer that was fitted to other samples than those it scores lies
    above the true one at every λ (2019 paper, Theorem 5), so of several k the one with the lowest
    population curve is the closest to the truth; the area is an integral over all λ.  The areas are
    estimated from samples, with noise and a bias downwards, as a curve is a minimum over measured
    thresholds.  Where the sets are close, all k have nearly the same population curve; noise then
    decides, and the smallest area may be below the true one.  Only the training half is used, so
    that the other half stays independent of k.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples, as for `pr_curve`.
    method : str
        "knn" (default), "ipr", "parzen" or "coverage".
    ks : int or sequence of int, optional
        Numbers of neighbors to choose from, of at least 1 and as many as the method has neighbors
        in a fold's training samples; by default the powers of 2 below the size of the smaller set
        of those, and ⌊√n⌋ of the real training half.
    folds : int
        Number of parts of the training half, 5 by default: each is scored by a fit to the others.
    split : float
        Share of each set that trains, 0.5 by default.
    random_state
        As for `pr_curve`, with the same training half for the same values.  Folds are drawn by a
        random stream of their own.
    ties, backend, n_jobs, memory, progress
        As for `pr_curve` and its neighbor methods.  All k come from the same passes.

    Returns
    -------
    KChoice
        ``k``, for ``pr_curve(real, fake, method, k=choice.k)``; ``areas``, {k: area}; ``info``;
        ``at_end``, whether k is the largest of `ks`, so that a larger one may be better.

    Raises
    ------
    TypeError, ValueError
        As `pr_curve`; a method that counts no neighbors; k that a fold has too few samples for; a
        training half with fewer samples than folds.

    References
    ----------
    2024: Sykes, Simon, Rabin, Unifying and extending Precision Recall metrics for assessing
    generative models, §5.2, which proposes it.  2019: Simon, Webster, Rabin, Revisiting Precision
    and Recall Definition for Generative Model Evaluation, Theorem 5.
    """
    real, fake = read_pair(real, fake)
    if not is_word(method, *NEIGHBOR_METHODS):
        known = ", ".join(map(repr, NEIGHBOR_METHODS))
        text = f"one of {known} expected, got {method!r}"
        raise WrongValue("method", text + closest(method, NEIGHBOR_METHODS))
    folds = read_count("folds", folds, at_least=2)
    seed = read_seed(random_state)
    closed = read_ties(ties)
    search = NeighborSearch(backend, n_jobs, memory, progress)
    part = split_share(len(real), len(fake), read_share("split", split), seed)
    parts = _assign_folds(part, folds, seed)
    least = [min(len(rest) for _, rest in side) for side in parts]
    if ks is None:
        candidates = _default_ks(least, sqrt_k(part.real_train))
    else:
        items = read_list("ks", ks, (int, np.integer, str))
        candidates = sorted({read_count("ks", k) for k in items})
    for k in candidates:
        try:
            check_k(method, k, *least)
        except WrongValue as error:
            raise WrongValue("ks", f"{error.text}, beside the fold that is left out") from None
    areas = _areas(in_range(real, fake), parts, method, candidates, search, closed)
    info = {
        "method": method,
        "folds": folds,
        "split": split,
        "ties": ties,
        "n_real": len(real),
        "n_fake": len(fake),
        "random_state": seed,
    }
    best = min(areas, key=areas.__getitem__)  # the first, smallest, of equal ones
    return KChoice(best, areas, info)


Parts = list[tuple[NDArray[np.int64], NDArray[np.int64]]]  # rows of a fold, and the others


def _assign_folds(part: Split, folds: int, seed: int) -> list[Parts]:
    """Return the folds of the real and of the generated training samples, of nearly equal sizes."""
    rng = stream(seed, "choose_k")
    sides = []
    for name, rows in (("real", part.real_train), ("fake", part.fake_train)):
        if len(rows) < folds:
            raise WrongValue(
                name,
                f"at least {folds} training samples for {folds} folds expected, got {len(rows)}",
            )
        fold = rng.permutation(len(rows)) % folds
        sides.append([(rows[fold == i], rows[fold != i]) for i in range(folds)])
    return sides


def _default_ks(least: Sequence[int], usual: int) -> list[int]:
    """Return the powers of 2 below the size of the smaller training set of a fold, and the usual
    k."""
    most = max(1, min(least) - 1)
    powers = [1 << i for i in range(most.bit_length()) if 1 << i <= most]
    return sorted({*powers, min(usual, most)})


def _areas(
    samples: tuple[Any, Any],
    parts: list[Parts],
    method: str,
    ks: list[int],
    search: NeighborSearch,
    closed: bool,
) -> dict[int, float]:
    """Return {k: area of the curve of all folds together}, each fold scored by a fit on the others.

    Scores are ratios, which have the same meaning in every fold, and a common threshold is a
    classifier in each: so the population curve of all folds, too, is not below the true one (2019
    paper, Theorem 5).  The estimate is a minimum over all thresholds on these samples, which is on
    average below the population curve, and can be below the true one.
    """
    scores: list[dict[int, list[Float64s]]] = [{k: [] for k in ks} for _ in samples]
    sizes = [[tuple(map(len, fold)) for fold in side] for side in parts]
    pairs = sum(
        expected_pairs([method], (rest_x, rest_y), own_x + own_y)
        for (own_x, rest_x), (own_y, rest_y) in zip(*sizes, strict=True)
    )
    with search.progress.work(pairs, "choose_k", share=pairs):
        for folds in zip(*parts, strict=True):
            scorer = NeighborScorer([(method, k) for k in ks], search, closed=closed)
            scorer.fit(*(Rows(x, rest) for x, (_, rest) in zip(samples, folds, strict=True)))
            for of_set, x, (own, _) in zip(scores, samples, folds, strict=True):
                for (_, k), values in scorer.score(Rows(x, own)).items():
                    of_set[k].append(values)
    joined = [{k: np.concatenate(of_set[k]) for k in ks} for of_set in scores]
    return {k: PRCurve.from_scores(joined[0][k], joined[1][k]).area for k in ks}
