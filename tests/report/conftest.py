"""Two sets of samples for reports."""

import pytest

from prfast.comparison import differences

from prfast.reference import GaussianShift


@pytest.fixture(scope="module")
def real():
    return GaussianShift(1.0, 3).sample(200, 150)[0]


@pytest.fixture(scope="module")
def fake():
    return GaussianShift(1.0, 3).sample(200, 150)[1]


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    """Sentences follow from a tenth of the bootstrap samples by the same rules."""
    monkeypatch.setattr(differences, "DRAWS", 40)
