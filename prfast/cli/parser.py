"""The program `prfast`: help, error messages and exit statuses.

Options of a command are declared where it is in use only: `prfast --version` and `prfast --help`
load no modules of commands.  A command returns a `Printout`.  It is printed when its files are
written.  An error is one line and exit status 2; an interrupt is one line and status 130.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from prfast.cli.options import COMMANDS, declare, filled, flag_of
from prfast.inputs.errors import ArgumentError
from prfast.results.info import version


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def format_help(self) -> str:
        for action in self._actions:
            action.help = filled(action.help or "")
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        if message.endswith((": FAKE", ": REAL, FAKE")):  # options may have taken them as values
            message += "; files go before the options, or behind a --"
        _print(f"prfast: error: {message}", sys.stderr)
        self.exit(2)


# Control characters.  Names of files and models may contain them.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def _print(text: str, file: Any) -> None:
    r"""Print text with control characters escaped, as \x1b, and ? for what the encoding lacks."""
    text = _CONTROLS.sub(lambda match: rf"\x{ord(match[0]):02x}", text)
    if file is None:  # print would use standard output
        return
    encoding = getattr(file, "encoding", None) or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), file=file, flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    given = sys.argv[1:] if argv is None else argv
    if not given:
        new_parser([])[0].print_help()
        return 1
    options = None
    try:
        options = parse(given)
        from prfast.cli.files import check_outputs  # not for --help

        check_outputs(options)
        text, notes, status = options.run(options)
        for note in notes:
            _print(f"prfast: note: {note}", sys.stderr)
        try:
            is_record = getattr(options, "json", None) == "-"
            _print(options.json_text if is_record else text, sys.stdout)
        except BrokenPipeError:  # the reader has gone away, as in `prfast curve … | head -1`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return int(status)
    except KeyboardInterrupt:
        _print("prfast: interrupted", sys.stderr)
        return 130
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        message = f"{place}{error.strerror or error}"
    except ArgumentError as error:
        flag = flag_of(error.argument)
        message = str(error.renamed(flag) if options and flag in options.flags else error)
    except (ValueError, TypeError, ImportError, MemoryError) as error:
        message = str(error) or type(error).__name__
    _print("prfast: error: " + " ".join(message.split()), sys.stderr)
    return 2


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command, with argv, parse and flags, the names of its options."""
    names = [argument for argument in argv if argument in COMMANDS][:1]
    parser, parsers = new_parser(names)
    options = parser.parse_args(argv)
    options.argv, options.parse = list(argv), parse
    options.flags = list(parsers[names[0]]._option_string_actions)
    return options


def new_parser(names: Iterable[str]) -> tuple[_Parser, dict[str, _Parser]]:
    """Return the parser of the program and those of the commands; `names` have their options."""
    parser = _Parser(
        prog="prfast",
        description="Exact precision-recall curves between real and generated samples.",
    )
    parser.add_argument("--version", action="version", version=f"prfast {version()}")
    subparsers = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, prog=parser.prog
    )
    for name, (_, _, beside, text, description, usage, _) in COMMANDS.items():
        if usage is None and "names" in beside:  # that of argparse is too long
            usage = f"prfast {name} REAL FAKE [FAKE ...] [options]"
        subparsers.add_parser(name, help=text, description=description, usage=usage)
    for name in names:
        declare(subparsers.choices[name], name)
    return parser, subparsers.choices
