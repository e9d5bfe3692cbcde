"""Metrics of whole sets against NumPy.

5000 + 5000 samples of 64 and 2048 features, float32, on one thread and on all cores.  NumPy has the
fewest lines that are fast: covariances in float64 and the eigenvalues of a symmetric product of
them; kernels, and nearest samples, of float32 products, in blocks of 5000 rows.
"""

from argparse import Namespace
from collections.abc import Callable
from itertools import product
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.report import Findings
from bench.speed.clouds import Samples, add_kinds, chosen, prfast_call, value_of

TARGET = 1.2
ROWS = 5000  # of a block of NumPy's kernel


add_options = add_kinds


def run(options: Namespace) -> Findings:
    size, threads = (200, (1,)) if options.tiny else (5000, sorted({1, cores()}))
    repeats = options.repeats or (2 if options.tiny else 5)
    findings = Findings()
    for of in chosen(options, size):
        for jobs, (metric, peer) in product(threads, PEERS.items()):
            ours = {"of": of, "function": "metrics", "which": metric, "n_jobs": jobs}
            contenders = {
                "prfast": Contender(prfast_call, ours, jobs, value_of),
                "NumPy": Contender(peer, {"of": of}, jobs, float),
            }
            label = f"{of.name}, n={of.size}, {jobs} thr: {metric}"
            result = findings.side_by_side(label, contenders, repeats)
            agree(label, result["prfast"].answer, result["NumPy"].answer)
            line, pair = f"{label}: NumPy / prfast", (result["NumPy"], result["prfast"])
            findings.ratio(line, *pair, better="higher")
            findings.ratio(f"{line}, CPU", *pair, cpu=True, at_least=TARGET)
    return findings


def agree(label: str, ours: float, theirs: float) -> None:
    if abs(ours - theirs) > 1e-3 * max(abs(ours), 1e-2):  # NumPy's kernel sums in float32
        raise ArithmeticError(f"{label}: {ours} and {theirs}")


# ---- contenders ----------------------------------------------------------------------------------


def numpy_frechet(of: Samples) -> Callable[[], Any]:
    import numpy as np

    real, fake = of.draw()

    def call() -> Any:
        x, y = (np.asarray(points, np.float64) for points in (real, fake))
        s, t = (np.cov(points, rowvar=False) for points in (x, y))
        values, vectors = np.linalg.eigh(s)
        root = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T
        roots = np.sqrt(np.maximum(np.linalg.eigvalsh(root @ t @ root), 0)).sum()
        apart = x.mean(axis=0) - y.mean(axis=0)
        return apart @ apart + np.trace(s) + np.trace(t) - 2 * roots

    return call


def numpy_kernel(of: Samples) -> Callable[[], Any]:
    import numpy as np

    real, fake = of.draw()

    def total(x: Any, y: Any) -> float:
        """Return the sum over pairs; those of a set with itself once, and twice."""
        same, sums = x is y, 0.0
        for i in range(0, len(x), ROWS):
            for j in range(i if same else 0, len(y), ROWS):
                k = (x[i : i + ROWS] @ y[j : j + ROWS].T / x.shape[1] + 1) ** 3
                if same and i == j:
                    sums -= float(np.trace(k))
                sums += (2 if same and i != j else 1) * float(k.sum())
        return sums

    def call() -> float:
        n, m = len(real), len(fake)
        within = total(real, real) / (n * (n - 1)) + total(fake, fake) / (m * (m - 1))
        return within - 2 * total(real, fake) / (n * m)

    return call


def numpy_recall(of: Samples) -> Callable[[], Any]:
    import numpy as np

    real, fake = of.draw()

    def nearest(refs: Any) -> tuple[Any, Any]:
        """Return the nearest of each real sample, another one, and its distance."""
        squares, index, least = np.einsum("ij,ij->i", refs, refs), [], []
        for i in range(0, len(real), ROWS):
            d2 = squares - 2 * (real[i : i + ROWS] @ refs.T)
            if refs is real:
                d2[np.arange(len(d2)), np.arange(i, i + len(d2))] = np.inf
            index.append(d2.argmin(axis=1))
            least.append(d2.min(axis=1))
        return np.concatenate(index), np.concatenate(least)

    def call() -> Any:
        within, (index, least) = nearest(real)[1], nearest(fake)
        around = np.linalg.norm(fake - fake.mean(axis=0), axis=1)[index]
        levels = np.linspace(0, 1, 30)
        inside = (around[:, None] <= np.quantile(around, levels)) & (least <= within)[:, None]
        return 1 - np.abs(levels - inside.mean(axis=0)).sum() / levels.sum()

    return call


PEERS = {
    "frechet_distance": numpy_frechet,
    "kernel_distance": numpy_kernel,
    "beta_recall": numpy_recall,
}
