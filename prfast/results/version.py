"""Versions, read when asked for: pyproject.toml is the only place that states prfast's."""

from functools import cache


@cache
def version(package: str = "prfast") -> str:
    from importlib.metadata import version as installed  # slower than importing all of prfast

    return installed(package)
