"""Writing to the terminal.  Apart from the rest, as the program itself imports nothing heavy."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import Any

# Control characters, which names of files and models may contain.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def harmless(text: str, form: str = r"\x{:02x}") -> str:
    r"""Escape control characters except newlines and tabs, as \x1b."""
    return _CONTROLS.sub(lambda match: form.format(ord(match[0])), text)


def json_text(data: Any, **settings: Any) -> str:
    r"""Return JSON for files and the terminal, with control characters escaped as \u009b."""
    return harmless(json.dumps(data, indent=1, **settings), r"\u{:04x}")


def say(text: str, end: str = "\n", colored: bool = False) -> None:
    """Print to standard output; a closed pipe ends the output but not the work.

    colored: print color codes unescaped, for text of argparse, which has no names of files.
    """
    if sys.stdout is None:  # closed before the start
        return
    if not colored:
        text = harmless(text)
    try:
        try:
            print(text, end=end, flush=True)
        except UnicodeEncodeError:  # a terminal without ∞: a question mark
            code = sys.stdout.encoding
            print(text.encode(code, "replace").decode(code), end=end, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(text: str) -> None:
    """Print to standard error, if it is open."""
    if sys.stderr is not None:
        print(harmless(text), file=sys.stderr)


def note(text: str) -> None:
    """Print a note on the results to standard error."""
    complain(f"prfast: note: {text}")
