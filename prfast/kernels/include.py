"""Where the header for others is."""

from __future__ import annotations

from pathlib import Path


def get_include() -> str:
    """The folder of `prfast.h`, for the compiler of code that calls prfast from C or Cython.

    Returns
    -------
    folder : str
        What `-I` or `include_dirs` takes.  `docs/embedding.md` shows how.
    """
    return str(Path(__file__).resolve().parent.parent / "include")
