"""The types of `prfast.comparison` by their path of 0.1; until 1.0."""

from prfast.comparison.classes import Change as Change
from prfast.comparison.classes import Groups as Groups
from prfast.comparison.classes import by_class as by_class
