"""Location of the public C header."""

from __future__ import annotations

import os


def get_include() -> str:
    """Return the folder of `prfast.h`, for compiling code that calls prfast from C or Cython.

    Returns
    -------
    folder : str
        Value for `-I` or `include_dirs`; see `docs/embedding.md`.
    """
    return os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "include")
