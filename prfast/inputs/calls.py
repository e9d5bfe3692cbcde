"""How sentences name calls and options: as Python does, or as the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_CALLS = {  # in Python, and on the command line
    "two_sample_test": ("prfast.two_sample_test", "prfast test"),
    "explain": ("prfast.explain(real, fake)", "prfast test"),
    "differences": ("differences()", "the page of prfast report"),
    "pr_curve": ("prfast.pr_curve", "prfast curve"),
    "repeats": ('repeats="weights"', "--repeats weights"),
    "groups": ("groups=", "--groups"),
}
_is_command = ContextVar("_is_command", default=False)


def call(name: str) -> str:
    """Return a call or an option in the words of the caller."""
    return _CALLS[name][_is_command.get()]


@contextmanager
def command_line() -> Iterator[None]:
    """Name commands and their options in the sentences that are made in this context."""
    token = _is_command.set(True)
    try:
        yield
    finally:
        _is_command.reset(token)
