"""Min-sums: 10⁶ cells at 1001 λ against the broadcast NumPy formula.

The formula, np.minimum(lam[:, None] * p, q).sum(1), would need 16 GB, so NumPy takes it in chunks
of λ; every chunk size below is run and the fastest is the one that counts.
prfast runs on one thread and on all cores.  All contenders must agree to 12 digits.
"""

import statistics
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.measure import side_by_side
from bench.report import Findings

CHUNKS = (1, 2, 4, 16)
PEAK_MB = 100


def run(options: Namespace) -> Findings:
    size = {"cells": 1000, "lams": 11} if options.tiny else {"cells": 10**6, "lams": 1001}
    repeats = options.repeats or (2 if options.tiny else 9)
    jobs = sorted({1, cores()})
    contenders = {
        **{_ours(n): Contender(prfast_min_sums, {"n_jobs": n, **size}, n, list) for n in jobs},
        **{
            f"NumPy, {chunk} λ a chunk": Contender(broadcast, {"chunk": chunk, **size}, 1, list)
            for chunk in CHUNKS
        },
    }
    findings = Findings(side_by_side(contenders, repeats))
    measured = findings.measured
    _check_agreement({name: measured_call.answer for name, measured_call in measured.items()})
    peers = [name for name in measured if name.endswith("chunk")]
    best = min(peers, key=lambda name: statistics.median(measured[name].seconds))
    for name in map(_ours, jobs):
        ours = measured[name]
        findings.ratio(f"NumPy / {name}", measured[best], ours, at_least=50)
        findings.peak(f"peak MB beyond inputs, {name}", ours, at_most=PEAK_MB)
    note = f"{size['cells']} cells, {size['lams']} λ, {repeats} turns.  The fastest: {best}."
    findings.notes.append(note)
    return findings


def _ours(n_jobs: int) -> str:
    return f"prfast, n_jobs={n_jobs}"


def _check_agreement(answers: dict[str, list[float]]) -> None:
    import numpy as np

    first, *remaining = answers
    for name in remaining:
        if not np.allclose(answers[name], answers[first], rtol=1e-12, atol=0):
            raise ArithmeticError(f"{name} and {first} disagree")


def masses(cells: int, lams: int) -> tuple[Any, Any, Any]:
    """p, q: uneven histograms of sum 1; λ = tan θ between 0 and ∞."""
    import numpy as np

    rng = np.random.default_rng(0)
    p, q = rng.gamma(0.5, size=(2, cells))
    return p / p.sum(), q / q.sum(), np.tan(np.linspace(0, np.pi / 2, lams + 2)[1:-1])


# ---- contenders --------------------------------------------------------------------------------


def prfast_min_sums(cells: int, lams: int, n_jobs: int) -> Callable[[], Any]:
    from prfast.theory import min_sums

    p, q, lam = masses(cells, lams)
    return lambda: min_sums(p, q, lam, n_jobs=n_jobs)


def broadcast(cells: int, lams: int, chunk: int) -> Callable[[], Any]:
    import numpy as np

    p, q, lam = masses(cells, lams)

    def call() -> Any:
        return np.concatenate(
            [
                np.minimum(lam[start : start + chunk, None] * p, q).sum(1)
                for start in range(0, lams, chunk)
            ]
        )

    return call
