"""Keys that jq and dashboards take: letters, digits and underscores."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_OTHERS = re.compile(r"[^A-Za-z0-9_]")


def plain_key(name: str) -> str:
    """ "tsallis:0.5" as "tsallis_0_5"."""
    return _OTHERS.sub("_", name)


def plain_keys(value: Any) -> Any:
    """The same of every key of a record, however deep it lies."""
    if isinstance(value, Mapping):
        return {plain_key(key): plain_keys(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain_keys(one) for one in value]
    return value
