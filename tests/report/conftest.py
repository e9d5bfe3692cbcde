"""Two sets of samples for reports, and fewer bootstrap samples."""

import pytest

from prfast.comparison import differences
from prfast.estimate import intervals
from prfast.reference import GaussianShift


@pytest.fixture(scope="module")
def real():
    return GaussianShift(1.0, 3).sample(200, 150)[0]


@pytest.fixture(scope="module")
def fake():
    return GaussianShift(1.0, 3).sample(200, 150)[1]


@pytest.fixture(autouse=True, scope="package")
def few_draws():
    """Sentences follow from a tenth of the bootstrap samples by the same rules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(differences, "DRAWS", 40)
        patch.setattr(intervals, "DRAWS", 40)
        yield
