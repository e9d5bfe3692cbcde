"""Table 1 of the 2024 paper: IoU of neighbour curves with the exact one, shifted Gaussians.

P = N(0, I_64), Q = N(μ1, I_64), Δ = 8μ, 10 000 samples each, several draws.  Side by side:

    printed     the paper's table
    grid        its own protocol: 17 angles for λ and for γ, 0 and π/2 among them; "real" is
                γ s_P >= s_Q, strict where γ < 1; at λ = 0 and ∞ the γ of that angle alone; lines
                between the points, read at 111 recalls; the truth treated the same way
    + trivial   the same with the two constant classifiers, which the paper says are always added;
                an end point that has an error beside it at the matching γ becomes 1
    exact       PRCurve.iou with reference.GaussianShift, no grid; ± its standard error
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from bench.results import Figure, Findings

METHODS = ("ipr", "knn", "parzen", "coverage")
DELTAS = {0.12: 1.0, 0.21: 5 / 3, 0.29: 7 / 3, 0.38: 3.0}
ANGLES, RECALLS = 17, 111
PRINTED = {
    (0.5, 4, 0.12): (0.69, 0.71, 0.72, 0.73),
    (0.5, 4, 0.21): (0.42, 0.49, 0.49, 0.55),
    (0.5, 4, 0.29): (0.24, 0.38, 0.34, 0.48),
    (0.5, 4, 0.38): (0.13, 0.33, 0.24, 0.48),
    (0.5, 100, 0.12): (0.81, 0.87, 0.84, 0.92),
    (0.5, 100, 0.21): (0.69, 0.84, 0.78, 0.90),
    (0.5, 100, 0.29): (0.65, 0.84, 0.75, 0.90),
    (0.5, 100, 0.38): (0.63, 0.84, 0.75, 0.93),
    (None, 4, 0.12): (0.43, 0.70, 0.62, 0.76),
    (None, 4, 0.21): (0.55, 0.81, 0.68, 0.84),
    (None, 4, 0.29): (0.62, 0.79, 0.68, 0.77),
    (None, 4, 0.38): (0.55, 0.61, 0.62, 0.63),
    (None, 100, 0.12): (0.91, 0.93, 0.94, 0.96),
    (None, 100, 0.21): (0.88, 0.93, 0.92, 0.97),
    (None, 100, 0.29): (0.84, 0.92, 0.90, 0.95),
    (None, 100, 0.38): (0.83, 0.91, 0.90, 0.96),
}
COLUMNS = ("grid", "+ trivial", "exact")


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--draws", type=int, default=9, metavar="N", help="draws, 9 by default")


def run(options: Namespace) -> Findings:
    import numpy as np

    from prfast.reference import GaussianShift

    size, draws = (200, 2) if options.tiny else (10_000, options.draws)
    ks = (4, 10) if options.tiny else (4, 100)  # √n is 100 in both protocols
    lines = [f"{'split':>5} {'k':>3} {'μ':>4} {'method':<8}  printed   grid  + trivial   exact"]
    numbers, apart = [], []
    for split in (0.5, None):
        for mu, delta in DELTAS.items():
            truth = GaussianShift(delta, 64)
            curve = truth.curve()
            found = [ious(truth, curve, size, split, ks, draw) for draw in range(draws)]
            for k, of_paper in zip(ks, (4, 100), strict=True):
                for method, printed in zip(METHODS, PRINTED[split, of_paper, mu], strict=True):
                    values = np.array([one[method, k] for one in found])
                    means = values.mean(axis=0).tolist()
                    errors = (values.std(axis=0, ddof=1) / draws**0.5).tolist()
                    apart.append([abs(mean - printed) for mean in means])
                    lines.append(
                        f"{split!s:>5} {k:>3} {mu:.2f} {method:<8}   {printed:.2f}    "
                        f"{means[0]:.3f}    {means[1]:.3f}   {means[2]:.3f} ± {errors[2]:.3f}"
                    )
                    row = {"split": split, "k": k, "delta": delta, "method": method}
                    row |= {"printed": printed, "draws": draws}
                    row |= dict(zip(COLUMNS, means, strict=True))
                    row |= {"errors": dict(zip(COLUMNS, errors, strict=True))}
                    numbers.append(row)
    figures = [
        Figure(f"mean |{name} − printed|", float(value))
        for name, value in zip(COLUMNS, np.mean(apart, axis=0), strict=True)
    ]
    figures += [
        Figure(f"largest |{name} − printed|", float(value))
        for name, value in zip(COLUMNS, np.max(apart, axis=0), strict=True)
    ]
    lines.append(f"{size} + {size} samples, {draws} draws")
    return Findings({}, figures, lines, numbers)


def ious(
    truth: Any, curve: Any, size: int, split: float | None, ks: tuple[int, ...], draw: int
) -> Any:
    """{(method, k): IoU on the grid, with the constant classifiers, exactly} of one draw."""
    from prfast import PRCurve
    from prfast.balls import Search
    from prfast.samples import split_share
    from prfast.scorers.neighbors import scores, train

    real, fake = truth.sample(size, random_state=draw)
    train_real, test_real, train_fake, test_fake = real, real, fake, fake
    if split is not None:
        part = split_share(size, size, split, draw)
        train_real, test_real = real[part.real_train], real[part.real_test]
        train_fake, test_fake = fake[part.fake_train], fake[part.fake_test]
    wanted = [(method, k) for k in ks for method in METHODS]
    search = Search()
    training = train(train_real, train_fake, wanted, search)
    of_real = scores(test_real, training, wanted, search)
    of_fake = scores(test_fake, training, wanted, search)
    line = truth_line(truth)
    found = {}
    for key in wanted:
        on_grid = (grid_line(of_real[key], of_fake[key], trivial) for trivial in (False, True))
        exact = PRCurve.from_scores(of_real[key], of_fake[key])
        found[key] = (*(iou(one, line) for one in on_grid), exact.iou(curve))
    return found


# ---- the paper's protocol ------------------------------------------------------------------------


def slopes() -> Any:
    """tan of the angles, with an exact 1 and ∞."""
    import numpy as np

    found = np.tan(np.linspace(0, np.pi / 2, ANGLES))
    found[ANGLES // 2], found[-1] = 1.0, np.inf
    return found


def grid_line(of_real: Any, of_fake: Any, trivial: bool) -> Any:
    """Precision at the recalls, from scores s_P / s_Q, which are 1 where both are 0.

    So γ s_P >= s_Q is s >= 1/γ for γ >= 1, and strictly s > 1/γ below, 0/0 included.  At γ = ∞ it
    is s_P > 0 or 0/0, at γ = 0 it is s_Q = 0 without 0/0: the scalar metrics.
    """
    import numpy as np

    gamma = slopes()
    rates = []
    for scores in (of_real, of_fake):
        accepted = [np.isinf(scores)]
        for one in gamma[1:-1]:
            accepted.append(scores >= 1 / one if one >= 1 else scores > 1 / one)
        rates.append(np.mean([*accepted, scores > 0], axis=1))
    fpr, fnr = 1 - rates[0], rates[1]
    lam = gamma[1:-1]
    alpha = (lam[:, None] * fpr + fnr).min(axis=1)
    max_recall, max_precision = fpr[0], fnr[-1]
    if trivial:
        alpha = np.minimum(alpha, np.minimum(lam, 1))
        # λ fpr + fnr at λ = ∞, fpr + fnr / λ at λ = 0: infinite unless the other error is 0.
        max_precision = 1.0 if fpr[-1] > 0 else max_precision
        max_recall = 1.0 if fnr[0] > 0 else max_recall
    return polyline(lam, alpha, max_recall, max_precision)


def truth_line(truth: Any) -> Any:
    lam = slopes()[1:-1]
    return polyline(lam, truth.alpha(lam), 1.0, 1.0)


def polyline(lam: Any, alpha: Any, max_recall: float, max_precision: float) -> Any:
    """Precision at the recalls, on straight lines between the points in order of recall."""
    import numpy as np

    recall = np.concatenate([[max_recall], alpha / lam, [0.0]])
    precision = np.concatenate([[0.0], alpha, [max_precision]])
    order = np.lexsort((precision, recall))
    at = np.linspace(0, 1, RECALLS)
    return np.interp(at, recall[order], precision[order], right=0.0)


def iou(one: Any, other: Any) -> float:
    import numpy as np

    return float(np.minimum(one, other).sum() / np.maximum(one, other).sum())
