"""Location of the public C header."""

from __future__ import annotations

from pathlib import Path


def get_include() -> str:
    """Return the folder of `prfast.h`, for compiling code that calls prfast from C or Cython.

    Returns
    -------
    folder : str
        Value for `-I` or `include_dirs`; see `docs/embedding.md`.
    """
    return str(Path(__file__).resolve().parent.parent / "include")
