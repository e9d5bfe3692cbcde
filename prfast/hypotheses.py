"""The types of `prfast.bounds` by their path of 0.1; until 1.0."""

from prfast.bounds.hypotheses import HypothesisBound as HypothesisBound
from prfast.bounds.hypotheses import discrepancy as discrepancy
from prfast.bounds.hypotheses import hypothesis_bound as hypothesis_bound
