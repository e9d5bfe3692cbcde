"""k-th distances, k = 5 and 100, against scikit-learn's brute force and faiss's flat index.

10 000 queries in 10 000 references, all cores.  The peers give the k neighbours as well; their
distances are float32 (scikit-learn: float64 inside), those of prfast exact.  Fitting or adding is
part of the call, as centring and packing are in prfast.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.measure import Measured, side_by_side
from bench.results import Figure, Findings
from bench.speed.clouds import add_dims, clouds

TARGETS = {64: 3.0, 2048: 1.7}
PEERS = ("scikit-learn", "faiss")


def add_options(parser: ArgumentParser) -> None:
    add_dims(parser)


def run(options: Namespace) -> Findings:
    size = 300 if options.tiny else 10_000
    dims = (8,) if options.tiny else options.dims
    threads = 1 if options.tiny else cores()
    measured: dict[str, Measured] = {}
    figures = []
    for dim in dims:
        target = TARGETS.get(dim)
        repeats = options.repeats or (2 if options.tiny else 15 if dim <= 64 else 3)
        for k in (5,) if options.tiny else (5, 100):
            settings = {"size": size, "dim": dim, "k": k}
            found = side_by_side(
                {
                    "prfast": Contender(prfast_kth, {**settings, "jobs": threads}, threads, mean),
                    "scikit-learn": Contender(sklearn_brute, settings, threads, mean),
                    "faiss": Contender(faiss_flat, settings, threads, mean),
                },
                repeats,
            )
            name = f"d={dim}, k={k}"
            for peer in PEERS:
                ours, theirs = found["prfast"], found[peer]
                if abs(ours.answer - theirs.answer) > 1e-4 * ours.answer:
                    raise ArithmeticError(f"{name}: {ours.answer} by prfast, {theirs.answer}")
                label = f"{name}: {peer} / prfast"
                figures.append(Figure.of_ratio(label, theirs, ours, at_least=target))
            measured |= {f"{name}: {key}": one for key, one in found.items()}
    return Findings(measured, figures, [f"{size} queries and references, {threads} threads"])


def mean(squared: Any) -> float:
    return float(squared.mean())


# ---- contenders: squared distances of the k-th neighbour -----------------------------------------


def prfast_kth(size: int, dim: int, k: int, jobs: int) -> Callable[[], Any]:
    from prfast.balls import Search

    queries, refs = clouds(size, dim)
    search = Search("exact", n_jobs=jobs)
    return lambda: search.kth(queries, refs, [k])


def sklearn_brute(size: int, dim: int, k: int) -> Callable[[], Any]:
    from sklearn.neighbors import NearestNeighbors

    queries, refs = clouds(size, dim)
    search = NearestNeighbors(n_neighbors=k, algorithm="brute")
    return lambda: search.fit(refs).kneighbors(queries)[0][:, -1] ** 2


def faiss_flat(size: int, dim: int, k: int) -> Callable[[], Any]:
    import faiss

    queries, refs = clouds(size, dim)

    def call() -> Any:
        index = faiss.IndexFlatL2(dim)
        index.add(refs)
        return index.search(queries, k)[0][:, -1]

    return call
