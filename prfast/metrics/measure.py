"""Metrics of samples that have been read: their shares, the means of these, how they were made."""

from __future__ import annotations

from typing import Any

from prfast.balls import Search
from prfast.inputs.arrays import Floats
from prfast.inputs.features import features_info
from prfast.metrics.passes import sample_shares
from prfast.metrics.result import Metrics
from prfast.metrics.table import means
from prfast.metrics.wanted import MetricOptions
from prfast.results.version import version


def measure(real: Floats, fake: Floats, wanted: MetricOptions, search: Search) -> Any:
    """What `metrics` returns, for samples that have been read."""
    shares = sample_shares(real, fake, wanted, search)
    info = how_made(real, fake, wanted, search)
    results = {k: Metrics(means(shares[k], wanted.names), {"k": k, **info}) for k in wanted.ks}
    return results if wanted.several else results[wanted.ks[0]]


def how_made(real: Floats, fake: Floats, wanted: MetricOptions, search: Search) -> dict[str, Any]:
    """How the metrics were made, but for k."""
    return {
        "ties": wanted.ties,
        "cover_k": wanted.cover_k,
        "cover_factor": wanted.cover_factor,
        "cover_self": wanted.cover_self,
        "p_k": wanted.p_k,
        "p_factor": wanted.p_factor,
        "backend": search.backend,
        "n_real": len(real),
        "n_fake": len(fake),
        "n_features": real.shape[1],
        **features_info(real, fake),
        "version": version(),
    }
