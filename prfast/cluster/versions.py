"""Are the workers what this process is?  Only then are results equal to the last bit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prfast.inputs.errors import WrongValue

_PACKAGES = ("prfast", "numpy", "scipy", "scikit-learn")


def reader() -> Callable[[tuple[str, ...]], dict[str, str]]:
    """A function that reads the versions where it is called; it is sent as it is, for workers that
    have no prfast."""

    def read(packages: tuple[str, ...]) -> dict[str, str]:
        import platform
        from importlib.metadata import PackageNotFoundError, version

        found = {}
        for name in packages:
            try:
                found[name] = version(name)
            except PackageNotFoundError:
                found[name] = "none"
        # Its logarithms may differ from those of another in their last bit.
        found["the C library"] = " ".join(platform.libc_ver()) or platform.version()
        found["the machine"] = platform.machine()
        return found

    return read


def versions() -> dict[str, str]:
    """Of this process: all that results may depend on in their last bit."""
    return reader()(_PACKAGES)


def check_versions(workers: Mapping[str, Mapping[str, str]]) -> None:
    """{worker: what `reader` gave there}.

    Raises
    ------
    ValueError
        A worker differs from this process.
    """
    own = versions()
    for worker, found in workers.items():
        for name, version in own.items():
            if found[name] != version:
                raise WrongValue(
                    "client",
                    f"its worker {worker} has {name} {found[name]}, and this process {version}: "
                    "results might differ; give both the same",
                )


def read_workers(run: Callable[..., Mapping[str, Any]]) -> Mapping[str, Mapping[str, str]]:
    """run: calls a function in every worker and gives {worker: what it returned}."""
    return run(reader(), _PACKAGES)
