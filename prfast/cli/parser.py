"""The program `prfast`: its commands and options, error messages and exit statuses.

All options are declared here; one that is an argument of a public function has the default of that
function.  Declaring the options of a command imports its modules, so `parse` does it for the
command in use only: `prfast --version` and `prfast --help` load none.  A text of help that needs
further modules is a function, which is called when help is printed.

A command returns a `Printout`, which is printed when its files are written.  An error is one line
on standard error and exit status 2; an interrupt is one line and status 130.
"""

from __future__ import annotations

import argparse
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, NoReturn

from prfast.inputs.errors import ArgumentError, closest
from prfast.results.info import version
from prfast.results.values import listed


class Command(NamedTuple):
    declare: Callable[[argparse.ArgumentParser], None]
    """Adds the options to the parser of the command, and sets its default `run`."""
    help: str
    description: str
    usage: str | None = None
    """In place of that of argparse, where that is too long."""


# Options that have other names than the arguments that they set.
_OPTIONS = {"methods": "method", "n_jobs": "jobs", "random_state": "seed", "out": "output"}


def flag_of(argument: str) -> str:
    """Return the option that sets an argument, as "--metrics-k"."""
    return "--" + _OPTIONS.get(argument, argument).replace("_", "-")


def add(
    parser: argparse.ArgumentParser,
    flag: str,
    metavar: str | None,
    text: Any,
    of: Callable[..., Any] | None = None,
    **settings: Any,
) -> None:
    """Add an option with a value; text: the help, or a function without arguments that returns it.

    of: the function with the argument that the option sets; it has the default.
    """
    if of is not None:
        parameters = inspect.signature(of).parameters.values()
        default = next(one.default for one in parameters if flag_of(one.name) == flag)
        settings = {"default": default, "type": type(default)} | settings
        text = text if callable(text) else f"{text} (default: {default})"
    # Later, as `add_argument` of Python 3.14 checks that a help is text.
    parser.add_argument(flag, metavar=metavar, **settings).help = text


def number_or_text(text: str) -> int | str:
    """Return an integer, or the text, which the function refuses unless it accepts words."""
    try:
        return int(text)
    except ValueError:
        return text


def columns_of_category(text: str) -> list[int | str]:
    """Return the numbers or names of columns with + between them."""
    return [number_or_text(one) for one in text.split("+")]


def view_name(text: str) -> str:
    """Return the name of a view; the error for another lists them."""
    from prfast.plots.views import VIEWS

    if text not in VIEWS:
        known = ", ".join(map(repr, VIEWS))
        raise argparse.ArgumentTypeError(f"invalid choice: {text!r} (choose from {known})")
    return text


def float_or_text(text: str) -> float | str:
    """Return a number, or the text, as `number_or_text`."""
    try:
        return float(text)
    except ValueError:
        return text


# ---- options of several commands -----------------------------------------------------------------


def add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("real", metavar="REAL", help="file of real samples")
    parser.add_argument("fake", metavar="FAKE", nargs="+", help="files of generated samples")
    add(parser, "--names", "NAME", "names of the models (default: their files)", nargs="+")
    text = (
        "columns of tables (.parquet, .arrow, .feather, .csv) that are features, by names or "
        "patterns such as 'f*' (default: all); a column may hold vectors"
    )
    add(parser, "--columns", "NAME", text, nargs="+")
    add(parser, "--drop", "NAME", "columns to leave out, by names or patterns", nargs="+")


def add_weights(parser: argparse.ArgumentParser) -> None:
    text = (
        "column of weights in the tables of samples, which is then no feature; two names: of REAL "
        "and of every FAKE, none where there is none"
    )
    add(parser, "--weights", "COLUMN", text, nargs="+")


def add_groups(parser: argparse.ArgumentParser) -> None:
    text = (
        "column of groups of samples that depend on each other, such as the frames of a video, in "
        "the tables of samples, which is then no feature; two names as for --weights; no group is "
        "in both sets"
    )
    add(parser, "--groups", "COLUMN", text, nargs="+")


def add_cluster(parser: argparse.ArgumentParser) -> None:
    text = (
        "read the files piece by piece on workers of Dask: those of a scheduler, such as "
        "tcp://HOST:8786, or processes started here, local or local:4; a name may be a pattern, "
        "such as 'real-*.npy' (.npy, .parquet, .h5)"
    )
    add(parser, "--cluster", "WHERE", text)


def add_method(parser: argparse.ArgumentParser) -> None:
    from prfast.estimate.curves import pr_curve
    from prfast.inputs.options import TIES
    from prfast.methods.table import METHODS
    from prfast.neighbors import BACKENDS

    add(parser, "--method", None, methods_help, pr_curve, choices=list(METHODS))
    text = "neighbors, a number or sqrt: the root of the real training samples (default)"
    add(parser, "--k", "K", text, type=number_or_text)
    text = "for neighbors, d <= r (default: closed) or d < r (open)"
    add(parser, "--ties", None, text, choices=TIES)
    add(parser, "--backend", None, "search for neighbors (default: auto)", choices=BACKENDS)
    text = "an option of the method, such as clusters=50; may be repeated"
    add(parser, "--option", "NAME=VALUE", text, action="append", default=[])
    text = "bernoulli, none, a share such as 0.5, or the method's own, auto"
    add(parser, "--split", None, text, pr_curve)


def add_noise(parser: argparse.ArgumentParser) -> None:
    from prfast.estimate.curves import pr_curve
    from prfast.inputs.noise import SCALES

    units = "; ".join(f"{name}: {words}" for name, words in SCALES.items())
    text = f"noise of resolution 1, {units}"
    add(parser, "--noise", None, text, pr_curve, choices=list(SCALES))
    text = (
        "columns that are categories, by numbers or names; those of a one-hot code with + between "
        "them, as in color 5+6+7"
    )
    kind = columns_of_category
    add(parser, "--categories", "COLUMN[+COLUMN...]", text, nargs="+", default=[], type=kind)


def add_resolution(parser: argparse.ArgumentParser) -> None:
    from prfast.estimate.curves import pr_curve

    text = "smooth both sets by noise of S units of --noise"
    add(parser, "--resolution", "S", text, pr_curve)
    add_noise(parser)


def add_json(parser: argparse.ArgumentParser) -> None:
    text = "write all results, and what prfast rerun repeats them from; - is the terminal"
    add(parser, "--json", "FILE", text)
    text = "leave the checksums of the files out of --json; computing them reads all files again"
    parser.add_argument("--no-hash", action="store_true", help=text)
    text = (
        "threads, or processes of kmeans and classifier, at most one a core; -1: every core "
        "(default: every core; one process)"
    )
    add(parser, "--jobs", "N", text, type=int)


def which_help() -> str:
    from prfast.scalars.table import ALL, NAMES, USUAL

    return f"metrics: {', '.join(NAMES)}, or {ALL} (default: {listed(USUAL)})"


def methods_help() -> str:
    from prfast.methods.table import METHODS

    summaries = "; ".join(f"{name}: {row.summary}" for name, row in METHODS.items())
    return f"{summaries} (default: %(default)s)"


def divergences_help() -> str:
    from prfast.theory.phi import NAMES

    return (
        f"also print D(real‖fake): all, that is {', '.join(NAMES)}, or some of them, "
        "frontier_integral, tsallis:ORDER"
    )


def views_help() -> str:
    from prfast.plots.views import VIEWS

    names = ", ".join(VIEWS)
    return f"what --plot draws, {names} (default: pr); frontier: D(μ‖P) to the right, D(μ‖Q) up"


# ---- commands ------------------------------------------------------------------------------------


def _curve(parser: argparse.ArgumentParser) -> None:
    from prfast.cli.commands import curve
    from prfast.estimate.curves import pr_curve

    parser.set_defaults(run=curve)
    add_files(parser)
    add_method(parser)
    add_weights(parser)
    add_groups(parser)
    add_resolution(parser)
    text = (
        "curves and metrics of each class: files of labels, for REAL and for each FAKE (.npy, "
        "FILE.npz:KEY, .csv, FILE.csv:COLUMN, FILE.parquet:COLUMN)"
    )
    add(parser, "--labels", "FILE", text, nargs="+")
    text = (
        "the same with the labels in a column of the tables of samples (.csv, .parquet), which is "
        "then no feature"
    )
    add(parser, "--group-by", "COLUMN", text)
    add(parser, "--divergences", "NAME,...", divergences_help)
    add(parser, "--view", "NAME", views_help, type=view_name)
    add(parser, "--order", "A", "order of the frontier, in (0, inf] (default: inf)", type=float)
    text = (
        "the frontier D(P‖R), D(Q‖R) of compromises R that cover what either has (default: the "
        "exclusive one, of μ within what both have)"
    )
    parser.add_argument("--inclusive", action="store_true", help=text)
    text = (
        "print, add to --json and draw the curves that the true ones lie below, with this "
        "confidence, such as 0.95"
    )
    add(parser, "--confidence", "C", text, type=float)
    add_json(parser)
    add(parser, "--plot", "FILE", "draw the curves: .png, .pdf, .svg")
    add(parser, "--seed", "N", "seed", pr_curve)
    add_cluster(parser)


def _metrics(parser: argparse.ArgumentParser) -> None:
    from prfast.cli.commands import metrics as run
    from prfast.inputs.options import TIES
    from prfast.neighbors import BACKENDS
    from prfast.scalars import metrics

    parser.set_defaults(run=run)
    add_files(parser)
    add(parser, "--k", "K", "neighbors", metrics, type=number_or_text, nargs="+")
    add(parser, "--which", "NAME", which_help(), nargs="+")
    text = (
        "kernel_distance as published, the mean over N random subsets, without an error (default: "
        "all pairs)"
    )
    add(parser, "--kernel-subsets", "N", text, type=int)
    add(parser, "--kernel-subset-size", "N", "samples of a subset", metrics)
    add(parser, "--seed", "N", "seed of the subsets", metrics)
    add(parser, "--ties", None, "d <= r (closed) or d < r (open)", metrics, choices=TIES)
    add(parser, "--backend", None, "search for neighbors", metrics, choices=BACKENDS)
    add_weights(parser)
    add_resolution(parser)
    add_json(parser)
    add_cluster(parser)


def _profile(parser: argparse.ArgumentParser) -> None:
    from prfast.cli.commands import profile as run
    from prfast.estimate.profiles import profile

    parser.set_defaults(run=run)
    add_files(parser)
    add_method(parser)
    text = "standard deviations of the noise, at least two, in units of --noise"
    add(parser, "--resolutions", "S", text, profile, type=float_or_text, nargs="+")
    add_noise(parser)
    add_json(parser)
    add(parser, "--plot", "FILE", "draw the numbers against the resolution: .png, .pdf, .svg")
    add(parser, "--seed", "N", "seed", profile)


def _test(parser: argparse.ArgumentParser) -> None:
    from prfast.cli.commands import test
    from prfast.estimate.two_sample import two_sample_test

    parser.set_defaults(run=test)
    add_files(parser)
    add(parser, "--level", "A", "level of each test, in (0, 1)", two_sample_test)
    add_weights(parser)
    add_groups(parser)
    add_json(parser)
    add(parser, "--seed", "N", "seed", two_sample_test)


def _report(parser: argparse.ArgumentParser) -> None:
    from prfast.cli.commands import report
    from prfast.comparison.evaluator import Evaluator
    from prfast.report.write import write_report

    parser.set_defaults(run=report)
    add_files(parser)
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="a .html file")
    add(parser, "--title", None, "heading (default: the names)")
    add_method(parser)
    add(parser, "--metrics-k", "K", "neighbors of metrics", Evaluator)
    add(parser, "--which", "NAME", which_help(), nargs="+")
    text = (
        "random halvings of the samples for the ± of metrics, 12 are enough, which cost about as "
        "much as the metrics; of authenticity and of distances each costs half as much"
    )
    add(parser, "--halvings", "N", text, Evaluator)
    text = "confidence of the bands of the curves, in (0, 1)"
    add(parser, "--confidence", "C", text, write_report)
    text = "also the curves at these resolutions, as for prfast profile; auto: its own"
    add(parser, "--resolutions", "S", text, type=float_or_text, nargs="+")
    add_noise(parser)
    add_json(parser)
    add(parser, "--seed", "N", "seed", Evaluator)


def _tables(parser: argparse.ArgumentParser) -> None:
    from prfast.cli.commands import tables
    from prfast.tables.comparison import RESOLUTIONS, compare_tables

    parser.set_defaults(run=tables)
    parser.add_argument("real", metavar="REAL", help="table that the models were trained on")
    parser.add_argument("fake", metavar="FAKE", nargs="+", help="generated tables")
    text = "rows of the same source that the models have not seen, for the test of copies"
    add(parser, "--held-out", "FILE", text)
    add(parser, "--names", "NAME", "names of the models (default: their files)", nargs="+")
    add(parser, "--drop", "NAME", "columns to leave out, such as row numbers", nargs="+")
    text = "columns whose numbers are codes of categories"
    add(parser, "--categories", "NAME", text, nargs="+")
    numbers = " ".join(f"{sigma:g}" for sigma in RESOLUTIONS)
    text = f"resolutions of the profile; none: no profile; auto: {numbers}"
    add(parser, "--resolutions", "S", text, compare_tables, type=float_or_text, nargs="+")
    add(parser, "--report", "FILE", "write one HTML file to share: .html")
    add(parser, "--title", None, "heading of the report (default: the names)")
    add_json(parser)
    add(parser, "--plot", "FILE", "draw the columns that differ: .png, .pdf, .svg")
    add(parser, "--seed", "N", "seed", compare_tables)


def _features(parser: argparse.ArgumentParser) -> None:
    from prfast.cli.commands import features
    from prfast.features.extraction import extract

    parser.set_defaults(run=features)
    text = "folder of images, or a file with an array of them"
    parser.add_argument("images", metavar="FOLDER", help=text)
    text = "a .npy file; the record is written to the .json file beside it"
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help=text)
    text = "inception-v3-compat, whose features FID is of, or another extractor of torch-fidelity"
    add(parser, "--model", "NAME", text, required=True)
    add(parser, "--device", "NAME", "device of torch, such as cuda", extract)
    add(parser, "--batch-size", "N", "images that go through the model at once", extract)
    add(parser, "--jobs", "N", "threads that read images (default: every core)", type=int)


def _demo(parser: argparse.ArgumentParser) -> None:
    from prfast.cli.demo import class_cases, run

    parser.set_defaults(run=run)
    path = "prfast-demo.png"
    text = f"draw the curves: .png, .pdf, .svg (default: {path})"
    add(parser, "--plot", "FILE", text, default=path)
    add(parser, "--seed", "N", "seed", class_cases)


def _rerun(parser: argparse.ArgumentParser) -> None:
    from prfast.cli.rerun import run

    parser.set_defaults(run=run)
    parser.add_argument("record", metavar="RECORD.json", help="a file of --json")
    text = "folder of the files (default: where they were, relative to the record)"
    add(parser, "--root", "FOLDER", text)


COMMANDS = {
    "curve": Command(
        _curve,
        "curves of one or more files of generated samples against real ones",
        "Curves of files of generated samples against a file of real ones.  Files: .npy "
        "(memory-mapped), .csv, .parquet, and .npz, .h5, .safetensors, .pt (where there are "
        "several arrays write FILE.npz:KEY); samples × features.  Fidelity: how much of what is "
        "generated looks real; diversity: how much of what is real is generated, in full where at "
        "least half as often; area 1 and total variation 0 mean equal distributions.",
        "prfast curve REAL FAKE [FAKE ...] [options]",
    ),
    "metrics": Command(
        _metrics,
        "precision, recall, density, coverage and their relatives",
        "Extreme-value metrics of files of generated samples against a file of real ones; files "
        "as for curve.",
        "prfast metrics REAL FAKE [FAKE ...] [options]",
    ),
    "profile": Command(
        _profile,
        "curves at several resolutions: differences of detail, and of mass",
        "Curves of files of generated samples against a file of real ones, both smoothed by noise "
        "of several standard deviations; files as for curve.  Differences of detail, such as noise "
        "or blur, vanish at coarse resolutions; differences of mass, such as missing modes or "
        "junk, remain.",
        "prfast profile REAL FAKE [FAKE ...] [options]",
    ),
    "test": Command(
        _test,
        "whether a difference could be chance: a valid p-value",
        "Two-sample test of files of generated samples against a file of real ones, a line for "
        "each: the p-value, a lower bound of the total variation, and the columns that differ.  "
        "Files as for curve.",
        "prfast test REAL FAKE [FAKE ...] [options]",
    ),
    "report": Command(
        _report,
        "one HTML file to share: curves, metrics and what they say",
        "One self-contained HTML file about files of generated samples against a file of real "
        "ones: interactive curves, sortable numbers, a reading in words and every option.  Files "
        "as for curve; needs the extra report.",
        "prfast report REAL FAKE [FAKE ...] -o FILE.html [options]",
    ),
    "tables": Command(
        _tables,
        "generated tables of any columns: how far, in which columns, copies",
        "Compares generated tables with a real one: numbers, categories, text, dates and missing "
        "cells, from .csv, .parquet, .arrow and .feather files with the same columns.  Prints "
        "fidelity, diversity and area with their errors, the columns and pairs of columns that "
        "differ most and, with --held-out, whether generated rows are copies.  Needs the extra "
        "tables.",
        "prfast tables REAL FAKE [FAKE ...] [--held-out FILE] [options]",
    ),
    "features": Command(
        _features,
        "from a folder of images to a file of features",
        "Features of the images in a folder and the folders in it, in the order of their names.  "
        "How they were made is recorded in FILE.json.  Needs the extra features.",
        "prfast features FOLDER -o FILE.npy --model NAME [options]",
    ),
    "demo": Command(
        _demo,
        "class dropping and inventing on scikit-learn's digits",
        "Real: digits 0-4.  Generated: digits 0 to q-1, q = 1 to 10, other images of them.  Each "
        "curve beside the rectangle that theory expects.",
    ),
    "rerun": Command(
        _rerun,
        "repeat the command of a file of --json, and compare the results",
        "Repeats the command of a record (--json of curve, metrics, profile or report), compares "
        "every number exactly and prints the differences, of inputs and versions too.  Nothing is "
        "written.  Exit status: 0, the same; 1, numbers or inputs differ; 2, an error, such as a "
        "missing file.",
    ),
}


# ---- the program ---------------------------------------------------------------------------------


class _Formatter(argparse.HelpFormatter):
    """Help as wide as the terminal."""

    def __init__(self, prog: str) -> None:
        # Every declared option makes a formatter; to ask for the width imports `shutil`, and with
        # it libraries of compression.
        super().__init__(prog, width=78)

    def format_help(self) -> str:
        import shutil

        self._width = shutil.get_terminal_size().columns - 2
        self._max_help_position = min(24, max(self._width - 20, 4))
        return super().format_help()


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=_Formatter, **settings)

    def format_help(self) -> str:
        for action in self._actions:
            if callable(action.help):
                action.help = action.help()
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        if message.endswith((": FAKE", ": REAL, FAKE")):  # options may have taken them as values
            message += "; files go before the options, or behind a --"
        _print(f"prfast: error: {message}", sys.stderr)
        self.exit(2)


# Control characters, which names of files and models may contain.
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
        _new_parser([])[0].print_help()
        return 1
    options = None
    try:
        options = parse(given)
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
    """Return the options of a command.

    In addition: argv and parse, for records and rerun; flags, the names of the command's options.
    """
    names = [one for one in argv if one in COMMANDS][:1]
    parser, of = _new_parser(names)
    if argv and argv[0] not in COMMANDS and not argv[0].startswith("-"):
        parser.error(_no_command(argv))
    options = parser.parse_args(argv)
    options.argv, options.parse = list(argv), parse
    options.flags = list(of[names[0]]._option_string_actions)
    return options


def _no_command(argv: Sequence[str]) -> str:
    """Return the message for arguments that begin with no command, such as with a file."""
    if os.path.exists(argv[0]) or os.path.splitext(argv[0])[1]:
        files = [one for one in argv if not one.startswith("-")][:2]
        names = " ".join(files if len(files) == 2 else (files[0], "FAKE"))
        return (
            f"a command expected before files: prfast curve {names} compares samples of numbers, "
            f"prfast tables {names} tables with columns of any kind; prfast --help lists all"
        )
    near = closest(argv[0], COMMANDS) or (
        "; prfast curve REAL FAKE compares samples, prfast tables REAL FAKE tables;"
    )
    return f"no command {argv[0]!r}{near} prfast --help lists all"


def commands() -> dict[str, _Parser]:
    """Return the parsers of all commands, with their options."""
    return _new_parser(COMMANDS)[1]


def _new_parser(names: Iterable[str]) -> tuple[_Parser, dict[str, _Parser]]:
    """Return the parser of the program and those of the commands; `names` have their options."""
    parser = _Parser(
        prog="prfast",
        description="Exact precision-recall curves between real and generated samples.",
    )
    parser.add_argument("--version", action="version", version=f"prfast {version()}")
    subparsers = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, prog=parser.prog
    )
    for name, (_, text, description, usage) in COMMANDS.items():
        subparsers.add_parser(name, help=text, description=description, usage=usage)
    for name in names:
        COMMANDS[name].declare(subparsers.choices[name])
    return parser, subparsers.choices
