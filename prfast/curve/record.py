"""A curve as a record for JSON: the masses of its cells, and what made them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from prfast.curve.cells import rescaled
from prfast.curve.polyline import ON_CURVE
from prfast.inputs.arrays import Float64s, read_weights
from prfast.inputs.errors import WrongValue
from prfast.kernels import masses as kernels
from prfast.results.info import read_info

_FORMAT = "prfast.PRCurve/1"


def record_of(p: Float64s, q: Float64s, info: Mapping[str, Any]) -> dict[str, Any]:
    """Plain numbers and strings."""
    return {
        "format": _FORMAT,
        "p": p.tolist(),
        "q": q.tolist(),
        "info": read_info("info", info),
    }


def read_record(record: Any) -> tuple[Float64s, Float64s, dict[str, Any]]:
    """Masses by falling ratio and info, as `record_of` wrote them."""
    found = record.get("format") if isinstance(record, Mapping) else None
    if found != _FORMAT:
        raise WrongValue("record", f"format {_FORMAT!r} expected, got {found!r}")
    missing = {"p", "q", "info"} - record.keys()
    if missing:
        raise WrongValue("record", f"entries p, q, info expected, missing {sorted(missing)}")
    p = read_weights("record['p']", record["p"])
    q = read_weights("record['q']", record["q"], length=p.size)
    for name, masses in (("p", p), ("q", q)):
        with np.errstate(over="ignore"):
            if np.isinf(masses.sum()):
                raise WrongValue(f"record[{name!r}]", "masses with a finite sum expected")
    p, q = rescaled(p), rescaled(q)
    ratio = kernels.ratios(p, q)
    with np.errstate(over="ignore"):
        rises = ratio[1:] > ratio[:-1] * ON_CURVE  # sums of equal ratios have been rounded
    if np.isnan(ratio).any() or rises.any():
        raise WrongValue("record", "cells by falling ratio q / p expected")
    return p, q, read_info("record['info']", record["info"])
