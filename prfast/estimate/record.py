"""What a curve says of its making."""

from __future__ import annotations

from typing import Any

from prfast.inputs.arrays import Floats
from prfast.results.version import version


def how_made(
    name: str, settings: dict[str, Any], split: Any, real: Floats, fake: Floats, seed: int
) -> dict[str, Any]:
    """The `info` of a curve of samples."""
    return {
        "method": name,
        **settings,
        "split": split,
        "n_real": len(real),
        "n_fake": len(fake),
        "n_features": real.shape[1],
        "random_state": seed,
        "version": version(),
    }
