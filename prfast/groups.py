"""The types of `prfast.comparison` by their path of 0.1; until 1.0."""

from prfast.comparison.classes import by_class as by_class
from prfast.comparison.groups import Change as Change
from prfast.comparison.groups import Groups as Groups
