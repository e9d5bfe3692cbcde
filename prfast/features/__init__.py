"""Feature extraction: from images to samples, by a model of torch-fidelity or of the user.

prfast does not resize images or fetch weights: torch-fidelity does, in its default way.
"""

from prfast.features.extraction import extract
from prfast.samples.features import Features

__all__ = ["Features", "extract"]
