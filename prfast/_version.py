"""The version, read when asked for: pyproject.toml is the only place that states it."""

from functools import cache


@cache
def version() -> str:
    from importlib.metadata import version as installed  # slower than importing all of prfast

    return installed("prfast")
