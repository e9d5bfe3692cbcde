"""Scalars from neighbours: precision, recall, density, coverage and their relatives.

    table       the metrics by name
    options     arguments, checked
    passes      the passes over the distances that count for all metrics at once
    measure     the public function
    realism     a number for each generated sample
    result      names and values, with how they were made

X are the N real and Y the M generated samples; every metric is the mean over one set of what a
count of distances says of each sample.  All data, no split; a point is never its own neighbour.
"""

from prfast.metrics.measure import metrics
from prfast.metrics.realism import realism
from prfast.metrics.result import Metrics
from prfast.metrics.table import NAMES

__all__ = ["NAMES", "Metrics", "metrics", "realism"]
