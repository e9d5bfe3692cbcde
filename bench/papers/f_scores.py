"""F_8 against F_1/8 over a family of models (2018 paper, Fig. 7): digits against distorted digits.

F_8 weighs recall, F_1/8 precision.  The paper sets the two against each other for many GANs and
VAEs: those with the higher precision lie above the diagonal, those with the higher recall below it.
Here one half of scikit-learn's digits is real and the other half is a model of known faults:

    fewer digits   only the first c of ten: precision 1, recall c/10
    near the mean  only the share of each digit nearest to its mean, as truncation does
    shuffled       a share s has its pixels shuffled: precision 1 − s, recall 1
    blur, noise    every image smoothed, or with Gaussian noise added: both fall with strength
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from itertools import pairwise
from math import hypot
from typing import Any

from bench.papers.experiments import add_draws, averages, draws_of
from bench.results import Figure, Findings

METHODS = ("kmeans", "knn")
BETAS = {"f_1/8": 1 / 8, "f_8": 8}


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 5)


def run(options: Namespace) -> Findings:
    import numpy as np

    from prfast import pr_curve
    from prfast.cli import demo

    pixels, labels = demo.digits()
    results: dict[Any, list[Any]] = {}
    expected = {}
    for draw in range(draws_of(options)):
        rng = np.random.default_rng(draw)
        order = rng.permutation(len(pixels))[: 300 if options.tiny else None]
        half = len(order) // 2
        real, (images, digits) = pixels[order[:half]], (pixels[order[half:]], labels[order[half:]])
        for family, models in family_of_models(options.tiny).items():
            for strength, (model, truth) in models.items():
                fake = model(images, digits, rng)
                expected[family, strength] = truth
                for method in METHODS:
                    curve = pr_curve(real, fake, method, random_state=draw)
                    numbers = {name: curve.f_score(beta) for name, beta in BETAS.items()}
                    numbers["area"] = curve.area
                    results.setdefault((family, strength, method), []).append(numbers)
    rows = []
    for (family, strength, method), of in results.items():
        row = {"model": family, "strength": strength, "method": method}
        truth = expected[family, strength]
        for name, beta in BETAS.items():
            row[f"expected_{name}"] = None if truth is None else truth.f_score(beta)
        rows.append(row | averages(of))
    judged = [figure for method in METHODS for figure in figures_of(rows, method)]
    return Findings({}, judged, [f"{draws_of(options)} draws"], rows)


def family_of_models(tiny: bool) -> dict[str, dict[Any, Any]]:
    """{family: {strength: (model, expected curve or None)}}, from weak to strong."""
    import numpy as np

    from prfast.reference import Discrete

    ten = np.ones(10)
    few, parts, shares = (8, 5, 2), (0.5, 0.25, 0.1), (0.2, 0.5, 0.8)
    if tiny:
        few, parts, shares = (5,), (0.5,), (0.5,)
    return {
        "fewer digits": {c: (fewer(c), Discrete(ten, np.arange(10) < c).curve()) for c in few},
        "near the mean": {share: (near_mean(share), None) for share in parts},
        "shuffled": {s: (shuffled(s), Discrete([1, 0], [1 - s, s]).curve()) for s in shares},
        "blur": {sd: (blurred(sd), None) for sd in ((0.6,) if tiny else (0.4, 0.6, 1.0))},
        "noise": {sd: (noisy(sd), None) for sd in ((3,) if tiny else (1.5, 3, 6))},
    }


# ---- models: (images (n, 64), digits (n,), rng) -> images --------------------------------------


def fewer(number: int) -> Any:
    return lambda images, digits, rng: images[digits < number]


def near_mean(share: float) -> Any:
    def model(images: Any, digits: Any, rng: Any) -> Any:
        import numpy as np

        parts = []
        for digit in np.unique(digits):
            own = images[digits == digit]
            far = np.linalg.norm(own - own.mean(axis=0), axis=1)
            parts.append(own[far <= np.quantile(far, share)])
        return np.concatenate(parts)

    return model


def shuffled(share: float) -> Any:
    def model(images: Any, digits: Any, rng: Any) -> Any:
        result = images.copy()
        number = round(share * len(result))
        result[:number] = rng.permuted(result[:number], axis=1)
        return result

    return model


def blurred(sd: float) -> Any:
    def model(images: Any, digits: Any, rng: Any) -> Any:
        from scipy.ndimage import gaussian_filter

        return gaussian_filter(images.reshape(-1, 8, 8), (0, sd, sd)).reshape(images.shape)

    return model


def noisy(sd: float) -> Any:
    return lambda images, digits, rng: images + sd * rng.standard_normal(images.shape)


# ---- what is shown -----------------------------------------------------------------------------


def figures_of(rows: list[dict[str, Any]], method: str) -> list[Figure]:
    """Sides of the diagonal, distance to what is known, and order of strength."""
    own = [row for row in rows if row["method"] == method]
    side = {
        family: [row["f_1/8"] - row["f_8"] for row in own if row["model"] == family]
        for family in ("fewer digits", "near the mean", "shuffled")
    }
    known = [row for row in own if row["expected_f_8"] is not None]
    off = max(
        abs(row[name] - row[f"expected_{name}"]) for row in known for name in ("f_1/8", "f_8")
    )
    # Beyond two standard errors of the difference.
    steps = [
        after["area"] - before["area"] - 2 * hypot(after["area_error"], before["area_error"])
        for before, after in pairwise(own)
        if before["model"] == after["model"]
    ]
    return [
        Figure(f"{method}: fewer digits, least F_1/8 − F_8", min(side["fewer digits"]), at_least=0),
        Figure(
            f"{method}: near the mean, least F_1/8 − F_8", min(side["near the mean"]), at_least=0
        ),
        Figure(f"{method}: shuffled, largest F_1/8 − F_8", max(side["shuffled"]), at_most=0),
        Figure(
            f"{method}: area grows with strength by, beyond 2 SE", max(steps, default=0), at_most=0
        ),
        Figure(f"{method}: largest |F − expected|", off),
    ]
