"""What a curve says of its making."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prfast.cluster.sharded import Sharded
from prfast.curve import PRCurve
from prfast.inputs.arrays import Floats
from prfast.results.version import version


def how_made(
    name: str,
    settings: dict[str, Any],
    split: Any,
    real: Floats | Sharded,
    fake: Floats | Sharded,
    scored: tuple[int, int],
    seed: int,
) -> dict[str, Any]:
    """The `info` of a curve of samples, of which so many real and generated ones were scored."""
    return {
        "method": name,
        **settings,
        "split": split,
        "n_real": len(real),
        "n_fake": len(fake),
        "scored_real": scored[0],
        "scored_fake": scored[1],
        "n_features": real.shape[1],
        "random_state": seed,
        "version": version(),
    }


def with_features(curves: Mapping[Any, PRCurve], features: Mapping[str, Any]) -> dict[Any, PRCurve]:
    """Return the curves with the entry `features` that `features_info` gives."""
    return {key: one.with_info(**features) if features else one for key, one in curves.items()}
