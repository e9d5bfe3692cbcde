"""Where a result was made: versions, the machine, the time."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from typing import Any

from prfast.kernels.choice import isa, wanted_filter
from prfast.results.version import version

_PACKAGES = ("prfast", "numpy", "scipy", "scikit-learn")


def versions() -> dict[str, str]:
    """Of prfast, of what it computes with, and of Python."""
    found = {name.replace("-", "_"): version(name) for name in _PACKAGES}
    return {**found, "python": platform.python_version()}


def machine() -> dict[str, Any]:
    """The system, the processor and how it is used; no name of a user or a host."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "c_library": " ".join(platform.libc_ver()).strip() or None,
        "cores": os.cpu_count(),
        "instructions": isa(),
        "filter": wanted_filter(),
    }


def now() -> str:
    """UTC, as "2026-11-22T09:30:00Z"."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
