"""Text that cannot become anything else on a page: names, JSON, programs."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from prfast.results.html import escaped


def formula(text: str) -> str:
    """As HTML; what stands behind the _ of r_k, r_{k′}, R_X or Π_x is low, that of names as p_k
    stays."""
    return re.sub(r"\b([rRΠ])_(?:\{([\w′]+)\}|(\w)\b)", r"\1<sub>\2\3</sub>", escaped(text))


def breakable(name: str) -> str:
    """A name as HTML; where it has no room, it breaks behind the signs that join its parts."""
    return "<wbr>".join(escaped(part) for part in re.split(r"(?<=[/\\_.:-])(?=.)", name))


def as_json(data: Any) -> str:
    """JSON in which no tag can end or begin."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def as_program(source: str) -> str:
    """JavaScript in which its own element cannot end."""
    return source.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def asset(name: str) -> str:
    """A file beside this one."""
    return files("prfast.report").joinpath(name).read_text(encoding="utf-8")


def without_folders(names: Sequence[str]) -> tuple[list[str], str]:
    """Names of files without the folders that all of them are in, and these folders."""
    start = len(_common(names))
    cut = max(names[0].rfind(slash, 0, start) for slash in "/\\") + 1 if len(names) > 1 else 0
    if any(len(name) <= cut for name in names):
        cut = 0
    return [name[cut:] for name in names], names[0][:cut]


def _common(names: Sequence[str]) -> str:
    """What all of them begin with."""
    low, high = min(names), max(names)
    same = (i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b)
    return low[: next(same, min(len(low), len(high)))]
