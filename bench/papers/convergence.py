"""α̂_λ of the kNN classifier as n grows (2024 paper, Theorem 3.1, Eq. 10): k = √n and a fixed k.

P = N(0, I_2), Q shifted by Δ = 0.8, split in halves.  With k = √n, so that k → ∞ and k/n → 0, the
theorem says E[α̂_λ] → α_λ, whether α̂_λ is the least risk of all thresholds γ (Eq. 9) or that of the
plug-in γ = λ (item 1).  With k = 4, as in the literature, the limits are others: of the plug-in
Eq. 10, of the minimum the least of Eq. 10 over γ; both are in closed form over the cells of the
truth (`prfast.reference.knn_risk`, `knn_limit`).
"""

from argparse import ArgumentParser, Namespace
from itertools import pairwise
from typing import Any

from bench.papers.experiments import add_draws, draws_of, mean_and_error
from bench.report import Figure, Findings
from prfast import pr_curves
from prfast.reference import GaussianShift, knn_limit, knn_risk
from prfast.reference.papers import plug_in

DELTA, DIM, K = 0.8, 2, 4
LAM = (1 / 3, 1.0, 3.0)


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 30)


def run(options: Namespace) -> Findings:
    sizes = (60, 200) if options.tiny else (400, 1600, 6400, 25_600)
    pair = GaussianShift(DELTA, DIM)
    truth = pair.curve()
    results = estimates(pair, sizes, draws_of(options))
    limit = knn_limit(truth, K)
    rows = []
    for (lam, size, k), (least, plugged) in results.items():
        row: dict[str, Any] = {"lambda": lam, "n": size, "k": k, "draws": len(least)}
        row["alpha"] = truth.at(lam)[0]
        row["best"], row["best_error"] = mean_and_error(least)
        row["plug_in"], row["plug_in_error"] = mean_and_error(plugged)
        row["best_limit"] = limit.at(lam)[0] if k == K else row["alpha"]
        row["plug_in_limit"] = knn_risk(truth, K, lam) if k == K else row["alpha"]
        rows.append(row)
    notes = [f"{draws_of(options)} draws"]
    return Findings({}, figures_of(rows, sizes), notes, rows)


def estimates(pair: Any, sizes: Any, draws: int) -> dict[Any, tuple[list[float], list[float]]]:
    """{(λ, n, k): α̂_λ by the best γ and by γ = λ, a number a draw}; k "sqrt" or 4."""
    results: dict[Any, tuple[list[float], list[float]]] = {
        (lam, size, k): ([], []) for lam in LAM for k in ("sqrt", K) for size in sizes
    }
    for size in sizes:
        for draw_number in range(draws):
            sets = pair.sample(size, random_state=draw_number)
            curves = pr_curves(*sets, ("knn",), ("sqrt", K), random_state=draw_number)
            for k in ("sqrt", K):
                plugged = plug_in(*sets, LAM, "knn", k, random_state=draw_number)[0]
                for lam, plugged_in in zip(LAM, plugged, strict=True):
                    least, risks = results[lam, size, k]
                    least.append(curves["knn", k].at(lam)[0])
                    risks.append(float(plugged_in))
    return results


def figures_of(rows: list[dict[str, Any]], sizes: Any) -> list[Figure]:
    most = [row for row in rows if row["n"] == sizes[-1]]
    root, fixed = (
        [row for row in most if (row["k"] == K) is is_fixed] for is_fixed in (False, True)
    )

    def off(of: list[dict[str, Any]], name: str) -> float:
        return max(abs(row[name] - row[f"{name}_limit"]) for row in of)

    grows = [
        abs(after[name] - after["alpha"]) - abs(before[name] - before["alpha"])
        for before, after in pairwise(rows)
        if before["k"] == after["k"] == "sqrt" and before["lambda"] == after["lambda"]
        for name in ("best", "plug_in")
    ]
    n = sizes[-1]
    return [
        Figure(f"k = √n, best γ: largest |mean − α_λ|, n = {n}", off(root, "best"), at_most=0.02),
        Figure(f"k = √n, γ = λ: largest |mean − α_λ|, n = {n}", off(root, "plug_in"), at_most=0.02),
        Figure("k = √n: largest rise of |mean − α_λ| from n to the next", max(grows), at_most=0.01),
        Figure("k = 4, best γ: largest |mean − its limit|", off(fixed, "best"), at_most=0.01),
        Figure("k = 4, γ = λ: largest |mean − Eq. 10|", off(fixed, "plug_in"), at_most=0.01),
        Figure(
            "k = 4, best γ: least limit − α_λ",
            min(row["best_limit"] - row["alpha"] for row in fixed),
            at_least=0.01,
        ),
    ]
