"""Metrics of samples that have been read: their shares, the means of these, how they were made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prfast.balls import Search
from prfast.inputs.arrays import Floats
from prfast.results.version import version
from prfast.scalars.estimate import Estimate, Hands, Known, Pair
from prfast.scalars.passes import expected_pairs, sample_shares
from prfast.scalars.result import Metrics
from prfast.scalars.table import means, wholes
from prfast.scalars.wanted import MetricOptions


def measure(
    real: Floats,
    fake: Floats,
    wanted: MetricOptions,
    search: Search,
    known: Known | None = None,
    features: Mapping[str, Any] | None = None,
) -> Any:
    """What `metrics` returns, for samples that have been read; known: kept from call to call where
    the real samples stay the same; features: the entry that `features_info` gives."""
    n, m, d = len(real), len(fake), real.shape[1]
    pairs = {name: row.pairs(n, m, d, wanted) for name, row in wholes(wanted.names).items()}
    total = expected_work(n, m, d, wanted)
    hands = Hands(search.threads, search.memory, search.progress)
    pair = Pair(real, fake, wanted, hands, {} if known is None else known)
    found: dict[str, Estimate] = {}
    with search.progress.work(total, "metrics", share=total):
        shares = sample_shares(real, fake, wanted, search)
        for name, row in wholes(wanted.names).items():
            with search.progress.work(1, name.replace("_", " "), share=pairs[name]):
                found[name] = row.value(pair)
    errors = {name: one.error for name, one in found.items() if one.error is not None}
    info = how_made(real, fake, wanted, search) | dict(features or {})
    for one in found.values():
        info |= one.info
    results = {}
    for k in wanted.ks:
        values = means(shares[k], wanted.names) | {name: one.value for name, one in found.items()}
        of_k = {name: values[name] for name in wanted.names}
        results[k] = Metrics(of_k, {"k": k, **info}, errors)
    return results if wanted.several else results[wanted.ks[0]]


def expected_work(n: int, m: int, d: int, wanted: MetricOptions) -> float:
    """Of so many real and generated samples and features: in pairs of neighbours, for a bar."""
    return expected_pairs(n, m, wanted) + sum(
        row.pairs(n, m, d, wanted) for row in wholes(wanted.names).values()
    )


def how_made(real: Floats, fake: Floats, wanted: MetricOptions, search: Search) -> dict[str, Any]:
    """How the metrics were made, but for k."""
    of_subsets = {
        "kernel_subsets": wanted.kernel_subsets,
        "kernel_subset_size": wanted.kernel_subset_size,
        "random_state": wanted.seed,
    }
    cover: dict[str, Any] = {"cover_factor": wanted.cover_factor}
    if wanted.cover_reach is not None:
        cover = {"cover_reach": wanted.cover_reach}
    nearness: dict[str, Any] = {"p_k": wanted.p_k, "p_factor": wanted.p_factor}
    if wanted.p_radius is not None:
        nearness = {"p_radius": list(wanted.p_radius)}
    return {
        "ties": wanted.ties,
        "cover_k": wanted.cover_k,
        **cover,
        "cover_self": wanted.cover_self,
        **nearness,
        **(of_subsets if wanted.draws else {}),
        "backend": search.backend,
        "n_real": len(real),
        "n_fake": len(fake),
        "n_features": real.shape[1],
        "version": version(),
    }
