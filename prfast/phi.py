"""The types of `prfast.divergences` by their path of 0.1; until 1.0."""

from prfast.divergences.critics import phi_function as phi_function
from prfast.divergences.phi import NAMES as NAMES
from prfast.divergences.phi import Phi as Phi
