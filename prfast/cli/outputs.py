"""Where results go: the terminal, JSON, pictures; checked before any work, written whole or not."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Sequence
from typing import Any

from prfast.files.load import place_and_key
from prfast.files.sidecar import has_record, sidecar
from prfast.files.write import write_whole
from prfast.results.version import version

# What a terminal obeys and does not show: names of files and models may hold it.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def harmless(text: str, form: str = r"\x{:02x}") -> str:
    r"""Text with signs that control a terminal written out, \x1b; newlines and tabs stay."""
    return _CONTROLS.sub(lambda found: form.format(ord(found[0])), text)


def json_text(data: Any, **how: Any) -> str:
    r"""JSON for files and the terminal; signs that control a terminal are escapes, \u009b."""
    return harmless(json.dumps(data, indent=1, **how), r"\u{:04x}")


def say(text: str, end: str = "\n", coloured: bool = False) -> None:
    """Print to the terminal; a reader who has gone stops the talking, not the work.  coloured: text
    of argparse, in which there are no names, and perhaps colours."""
    if sys.stdout is None:  # closed before the start
        return
    if not coloured:
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
    """Print to standard error, and nowhere else if that is closed."""
    if sys.stderr is not None:
        print(harmless(text), file=sys.stderr)


def note(text: str) -> None:
    """Something to know of the results, on standard error."""
    complain(f"prfast: note: {text}")


def check_outputs(json_path: str | None, plot: str | None, inputs: Sequence[str]) -> None:
    """Before any work: can the outputs be written, and would one destroy an input?"""
    outputs = [path for path in (json_path, plot) if path not in (None, "-")]
    for path in outputs:
        check_place(path, inputs)
    if len(outputs) == 2 and os.path.realpath(outputs[0]) == os.path.realpath(outputs[1]):
        raise ValueError(f"{outputs[0]}: two different files expected for --json and --plot")
    if plot:
        from prfast.plots.drawing import new_axes

        formats = new_axes().figure.canvas.get_supported_filetypes()
        ending = os.path.splitext(plot)[1].lstrip(".").lower()
        if ending not in formats:
            known = ", ".join(sorted(formats))
            raise ValueError(f"{plot}: a file ending in one of {known} expected")


def check_place(path: str, inputs: Sequence[str]) -> None:
    """Can a file be written there, and is it none of the inputs?"""
    files = [place_and_key(one)[0] for one in inputs]
    files += [sidecar(one) for one in files if one.lower().endswith(".npy") and has_record(one)]
    if os.path.realpath(path) in map(os.path.realpath, files):
        raise ValueError(f"{path}: is an input; choose another name for the output")
    if os.path.exists(path) and not os.path.isfile(path):
        what = "folder" if os.path.isdir(path) else "device or pipe"
        raise ValueError(f"{path}: a file expected, got a {what}")
    if not os.path.basename(path):
        raise ValueError(f"{path!r}: the name of a file expected")
    folder = os.path.dirname(os.path.abspath(path))
    if not os.access(folder, os.W_OK):
        raise ValueError(f"{path}: no such folder, or not writable")


def write_json(path: str | None, record: dict[str, Any]) -> None:
    if path is None:
        return
    text = json_text({"prfast": version(), **record}, allow_nan=False) + "\n"
    if path == "-":
        if sys.stdout is None:
            raise ValueError("--json -: standard output is closed")
        say(text, end="")
        return

    def write(draft: str) -> None:
        with open(draft, "w", encoding="utf-8") as file:
            file.write(text)

    write_whole(path, write)
