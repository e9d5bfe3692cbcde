"""Two sets of samples for reports, and fewer bootstrap samples."""

import pytest
from helpers import few_draws  # noqa: F401

from prfast.reference import GaussianShift


@pytest.fixture(scope="module")
def real():
    return GaussianShift(1.0, 3).sample(200, 150)[0]


@pytest.fixture(scope="module")
def fake():
    return GaussianShift(1.0, 3).sample(200, 150)[1]
