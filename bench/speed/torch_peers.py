"""Precision and recall against torch-fidelity and piq, k-means curves against mauve-text.

10 000 + 10 000 samples, d = 64 and 2048, k = 3, all cores; each peer that is installed takes part
(`pip install -e '.[bench-torch]'`).  All compare d <= r; the peers' distances are float32, and
piq adds what `isclose` calls equal.  mauve-text clusters after a PCA to 90 % of the variance into
n / 10 cells, 5 times; prfast's k-means curve is the mean of 10 runs with 20 cells: the two times
are those of what each calls its score, not of one computation.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.measure import Measured, side_by_side
from bench.results import Figure, Findings
from bench.speed.clouds import clouds

K = 3


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--dims", type=int, nargs="+", default=[64, 2048], metavar="D")


def run(options: Namespace) -> Findings:
    size = 300 if options.tiny else 10_000
    threads = 1 if options.tiny else cores()
    measured: dict[str, Measured] = {}
    figures, notes = [], [f"{size} + {size} samples, {threads} threads"]
    peers = {
        "torch-fidelity": ("torch_fidelity", torch_fidelity),
        "piq": ("piq", piq),
        "mauve-text": ("mauve", mauve),
    }
    missing = [name for name, (module, _) in peers.items() if find_spec(module) is None]
    if missing:
        notes.append(f"not installed: {', '.join(missing)}")
    for dim in (8,) if options.tiny else options.dims:
        settings = {"size": size, "dim": dim}
        ours = {**settings, "jobs": threads}
        contenders = {
            "prfast": Contender(prfast_metrics, ours, threads, values),
            "prfast k-means": Contender(prfast_kmeans, ours, threads),
        }
        contenders |= {
            name: Contender(setup, settings, threads, None if name == "mauve-text" else values)
            for name, (_, setup) in peers.items()
            if name not in missing
        }
        repeats = options.repeats or (2 if options.tiny else 5 if dim <= 64 else 2)
        result = side_by_side(contenders, repeats)
        for name in peers:
            if name in missing:
                continue
            mine = "prfast k-means" if name == "mauve-text" else "prfast"
            label = f"d={dim}: {name} / {mine}"
            figures.append(Figure.of_ratio(label, result[name], result[mine]))
            if result[name].answer is not None:
                apart = max(
                    abs(a - b)
                    for a, b in zip(result[name].answer, result[mine].answer, strict=True)
                )
                if apart > 5e-3:
                    raise ArithmeticError(f"d={dim}: {name} differs from prfast by {apart}")
        measured |= {f"d={dim}: {name}": one for name, one in result.items()}
    return Findings(measured, figures, notes)


def values(result: Any) -> list[float]:
    """[precision, recall]"""
    return [float(value) for value in result]


# ---- contenders --------------------------------------------------------------------------------


def prfast_metrics(size: int, dim: int, jobs: int) -> Callable[[], Any]:
    import prfast

    real, fake = clouds(size, dim)

    def call() -> Any:
        result = prfast.metrics(real, fake, k=K, which=("precision", "recall"), n_jobs=jobs)
        return result["precision"], result["recall"]

    return call


def prfast_kmeans(size: int, dim: int, jobs: int) -> Callable[[], Any]:
    import prfast

    real, fake = clouds(size, dim)
    return lambda: prfast.pr_curve(real, fake, method="kmeans", n_jobs=jobs)


def torch_fidelity(size: int, dim: int) -> Callable[[], Any]:
    import torch
    from torch_fidelity.metric_prc import prc_features_to_metric

    real, fake = map(torch.from_numpy, clouds(size, dim))

    def call() -> Any:
        result = prc_features_to_metric(
            fake,
            real,
            prc_neighborhood=K,
            prc_batch_size=10_000,
            save_cpu_ram=False,
            verbose=False,
        )
        return result["precision"], result["recall"]

    return call


def piq(size: int, dim: int) -> Callable[[], Any]:
    import torch
    from piq import PR

    real, fake = map(torch.from_numpy, clouds(size, dim))
    return lambda: PR(nearest_k=K).compute_metric(real, fake)


def mauve(size: int, dim: int) -> Callable[[], Any]:
    from mauve import compute_mauve

    real, fake = clouds(size, dim)
    return lambda: compute_mauve(p_features=real, q_features=fake, verbose=False).mauve
