"""k-th distances, k = 5 and √n, against scikit-learn's brute force, faiss's flat index and torch.

10 000 queries in 10 000 references, all cores, beside the matrix product of the pairs.  The peers
give the k neighbors as well; their distances are float32 (scikit-learn: float64 inside), those of
prfast exact.  Fitting or adding is part of the call, as centering and packing are in prfast.
torch, `cdist` and `topk`, takes part where it is installed.
"""

import math
from argparse import Namespace
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.report import Findings
from bench.speed.clouds import Samples, add_kinds, chosen
from bench.speed.product import sgemm

TARGETS = {64: 3.0, 2048: 1.7}  # isotropic
FEATURES = {True: 0.45, False: 0.7}  # of the matrix product with VNNI: at k = 5, and at √n
PEERS = ("scikit-learn", "faiss", *(["torch"] if find_spec("torch") else []))


add_options = add_kinds


def run(options: Namespace) -> Findings:
    threads = 1 if options.tiny else cores()
    findings = Findings(notes=[f"{threads} threads"])
    for of in chosen(options, 300 if options.tiny else 10_000):
        target = {"at_least": TARGETS.get(of.dim)} if of.kind == "isotropic" else {}
        repeats = options.repeats or (2 if options.tiny else of.repeats)
        for k in (5, math.isqrt(of.size)):
            name = f"{of.name}, k={k}"
            result = findings.side_by_side(name, contenders(of, k, threads), repeats)
            ours = result["prfast"]
            for peer in PEERS:
                theirs = result[peer]
                if abs(ours.answer - theirs.answer) > 1e-4 * ours.answer:
                    raise ArithmeticError(f"{name}: {ours.answer} by prfast, {theirs.answer}")
                findings.ratio(f"{name}: {peer} / prfast", theirs, ours, better="higher", **target)
            most = FEATURES[k == 5] if of.kind in ("relu", "images") else None
            label = f"{name}: prfast / sgemm"
            findings.ratio(label, ours, result["sgemm"], at_most=most, better="lower")
            findings.notes.append(f"{name}: {of.size} queries and references, {repeats} turns")
    return findings


def contenders(of: Samples, k: int, threads: int) -> dict[str, Contender]:
    settings = {"of": of, "k": k}
    calls = {"scikit-learn": sklearn_brute, "faiss": faiss_flat, "torch": torch_topk}
    return {
        "prfast": Contender(prfast_kth, {**settings, "jobs": threads}, threads, mean),
        **{peer: Contender(calls[peer], settings, threads, mean) for peer in PEERS},
        "sgemm": sgemm(of.size**2, of.dim, threads),
    }


def mean(squared: Any) -> float:
    return float(squared.mean(dtype=float))


# ---- contenders: squared distances of the k-th neighbor -----------------------------------------


def prfast_kth(of: Samples, k: int, jobs: int) -> Callable[[], Any]:
    from prfast.neighbors import NeighborSearch

    queries, refs = of.draw()
    return lambda: NeighborSearch("exact", n_jobs=jobs).kth(queries, refs, [k])


def sklearn_brute(of: Samples, k: int) -> Callable[[], Any]:
    from sklearn.neighbors import NearestNeighbors

    queries, refs = of.draw()
    search = NearestNeighbors(n_neighbors=k, algorithm="brute")
    return lambda: search.fit(refs).kneighbors(queries)[0][:, -1] ** 2


def faiss_flat(of: Samples, k: int) -> Callable[[], Any]:
    import faiss

    queries, refs = of.draw()

    def call() -> Any:
        index = faiss.IndexFlatL2(of.dim)
        index.add(refs)
        return index.search(queries, k)[0][:, -1]

    return call


def torch_topk(of: Samples, k: int) -> Callable[[], Any]:
    import torch

    queries, refs = (torch.from_numpy(rows) for rows in of.draw())
    return lambda: torch.cdist(queries, refs).topk(k, largest=False).values[:, -1].numpy() ** 2
