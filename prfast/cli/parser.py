"""The program `prfast`: commands, error messages and exit statuses.

An error is one line on standard error and exit status 2; an interrupt is one line and status 130.
Outputs are written after all computations, each whole or not at all.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from prfast.cli import curve, demo, features, metrics, report, rerun
from prfast.cli.outputs import complain, harmless, say
from prfast.estimate.check import Contradiction
from prfast.inputs.errors import closest
from prfast.neighbors.search import engines_seen
from prfast.results.info import version
from prfast.results.values import listed

# {name: module}; each module has `ABOUT`, `add_options` and `run`.
COMMANDS = {
    "curve": curve,
    "metrics": metrics,
    "report": report,
    "features": features,
    "demo": demo,
    "rerun": rerun,
}


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line and suggest the closest valid name."""

    others: Mapping[str, _Parser] = {}
    """{name: parser} of all commands, for the parser of a command."""

    def names(self) -> list[str]:
        """Return the long names of the options."""
        return [name for name in self._option_string_actions if name.startswith("--")]

    def error(self, message: str) -> NoReturn:
        self.exit(2, harmless(f"prfast: error: {message}\n"))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            hint = closest(value, map(str, action.choices or ()))
            raise argparse.ArgumentError(action, error.message + hint) from None

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse unknown options here, where the command is known, for a better hint."""
        found, rest = super().parse_known_args(args, namespace)
        unknown = [one for one in rest if one.startswith("-")]
        if unknown:
            name = unknown[0].partition("=")[0]
            having = [one for one, other in self.others.items() if name in other.names()]
            hint = (
                f"; {name} is an option of {listed(having)}"
                if having
                else closest(name, self.names())
            )
            self.error(f"unrecognized arguments: {' '.join(rest)}{hint}")
        return found, rest


def run(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status."""
    told = sys.argv[1:] if argv is None else argv
    if not told:
        say(_parser().format_help(), end="", coloured=True)
        return 1
    options = parse(told)
    try:
        with warnings.catch_warnings(), engines_seen() as options.engines:
            warnings.simplefilter("ignore", Contradiction)  # notes say the same
            return options.run(options) or 0
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _fail(f"{place}{error.strerror or error}")
    except (ValueError, TypeError, ImportError, MemoryError) as error:
        return _fail(str(error) or type(error).__name__)


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command; `argv`, `parse` and `engines` are for records and rerun."""
    options = _parser().parse_args(argv)
    options.argv, options.parse, options.engines = list(argv), parse, set()
    return options


def _fail(message: str) -> int:
    complain("prfast: error: " + " ".join(message.split()))
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="prfast",
        description="Exact precision-recall curves between real and generated samples.",
    )
    parser.add_argument("--version", action="version", version=f"prfast {version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        own = commands.add_parser(name, **command.ABOUT)
        command.add_options(own)
        own.set_defaults(run=command.run)
        own.others = commands.choices
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status, 130 after an interrupt."""
    try:
        return run(argv)
    except KeyboardInterrupt:
        if sys.stderr is not None:
            print("prfast: interrupted", file=sys.stderr)
        return 130
