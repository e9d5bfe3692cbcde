"""Every way to compute a distance, one at a time."""

import pytest
from paths import ISAS


@pytest.fixture(params=[*ISAS, "unfiltered"])
def path(request, monkeypatch):
    """Every instruction set of this machine, and the one without the float32 filter."""
    if request.param == "unfiltered":
        monkeypatch.setenv("PRFAST_FILTER", "off")
    else:
        monkeypatch.setenv("PRFAST_ISA", request.param)
    return request.param
