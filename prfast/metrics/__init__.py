"""Scalars from neighbours: precision, recall, density, coverage and their relatives.

    measure     the metrics, their options, and the passes that count for all of them at once

X are the N real and Y the M generated samples; every metric is the mean over one set of what a
count of distances says of each sample.  All data, no split; a point is never its own neighbour.
"""

from prfast.metrics.measure import NAMES, Metrics, metrics, realism

__all__ = ["NAMES", "Metrics", "metrics", "realism"]
