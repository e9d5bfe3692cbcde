"""The program `prfast`: an interrupt is one line and status 130, from its first import on."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status."""
    try:
        from prfast.cli.parser import run  # half a second, with all that it imports

        return run(argv)
    except KeyboardInterrupt:
        if sys.stderr is not None:
            print("prfast: interrupted", file=sys.stderr)
        return 130
