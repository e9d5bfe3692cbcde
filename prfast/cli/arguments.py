"""Options shared by several commands, and text tables of curves and metrics."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Any

from prfast.comparison.results import cell
from prfast.curve import PRCurve
from prfast.curve.curve import legend
from prfast.curve.summary import shown
from prfast.estimate.explain import half_widths
from prfast.inputs.options import TIES, read_jobs, read_progress, read_seed, read_share
from prfast.methods.base import METHODS, check_options
from prfast.methods.neighbors import NEIGHBOR_METHODS
from prfast.neighbors import BACKENDS
from prfast.results.info import agreed, scalars
from prfast.results.values import aligned, as_text, counted, listed
from prfast.scalars.api import no_metric
from prfast.scalars.result import Metrics
from prfast.scalars.table import ALL, NAMES, USUAL


def add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("real", metavar="REAL", help="file of real samples")
    parser.add_argument("fake", metavar="FAKE", nargs="+", help="files of generated samples")
    parser.add_argument(
        "--names", nargs="+", metavar="NAME", help="of the models (default: their files)"
    )


def add_columns(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--columns",
        metavar="NAME",
        nargs="+",
        help="of tables (.parquet, .arrow, .feather, .csv): columns that are features, by names or "
        "patterns such as 'f*' (default: all); a column may hold vectors",
    )
    parser.add_argument(
        "--drop", metavar="NAME", nargs="+", help="columns that are none, by names or patterns"
    )


def add_cluster(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cluster",
        metavar="WHERE",
        help="read the files piece by piece on workers of Dask, those of a scheduler, as "
        "tcp://HOST:8786, or processes started here, local or local:4; a name may be a pattern, "
        "such as 'real-*.npy' (.npy, .parquet, .h5, .zarr)",
    )


def add_method(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--method",
        choices=list(METHODS),
        default="auto",
        help="(default: auto) "
        + "; ".join(f"{name}: {row.summary}" for name, row in METHODS.items()),
    )
    parser.add_argument(
        "--k",
        type=neighbors,
        metavar="K",
        help="neighbours, a number or sqrt: the root of the real training samples (default)",
    )
    add_search(parser)
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option of the method, such as clusters=50; may be repeated",
    )
    parser.add_argument(
        "--split",
        default="auto",
        help="the method's own (default: auto), bernoulli, none, or a share such as 0.5",
    )


def add_search(
    parser: argparse.ArgumentParser, ties: str | None = None, backend: str | None = None
) -> None:
    """Add --ties and --backend; a default of None stands for that of the method."""
    parser.add_argument(
        "--ties", choices=TIES, default=ties, help="d <= r (default: closed) or d < r (open)"
    )
    parser.add_argument(
        "--backend", choices=BACKENDS, default=backend, help="of neighbours (default: auto)"
    )


# Hint for options with several values, which take the files after them as values.
_FILES_FIRST = "; files go before the options, or behind a --"


def whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        message = f"an integer expected, got {text!r}{_FILES_FIRST}"
        raise argparse.ArgumentTypeError(message) from None


def which_help() -> str:
    more = [name for name in NAMES if name not in USUAL]
    return f"of {', '.join(NAMES)}, {ALL} (default: all but {listed(more)})"


def neighbors(text: str) -> int | str:
    """Return k: an int, or "sqrt", the root of the number of training samples."""
    if text == "sqrt":
        return text
    try:
        return int(text)
    except ValueError:
        message = f"an integer or sqrt expected, got {text!r}"
        raise argparse.ArgumentTypeError(message) from None


def metric_name(text: str) -> str:
    if text not in (*NAMES, ALL):
        raise argparse.ArgumentTypeError(no_metric(text, _FILES_FIRST))
    return text


def add_json(parser: argparse.ArgumentParser) -> None:
    add_record(parser)
    add_jobs(parser)


def add_record(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--json",
        metavar="FILE",
        help="write all results, and what prfast rerun repeats them from; - is the terminal",
    )
    parser.add_argument(
        "--no-hash",
        action="store_true",
        help="leave the checksums of the files out of --json, which read all of them once more",
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=int,
        help="threads, or processes of kmeans and classifier, at most one a core; -1: every core "
        "(default: every core; one process)",
    )


def add_outputs(parser: argparse.ArgumentParser, plot: str | None = None) -> None:
    default = f" (default: {plot})" if plot else ""
    add_json(parser)
    parser.add_argument(
        "--plot", metavar="FILE", default=plot, help=f"draw the curves: .png, .pdf, .svg{default}"
    )
    add_seed(parser)


def add_seed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed (default: 0)")


# ---- values of the options ---------------------------------------------------------------------


def names_of(options: argparse.Namespace, files_differ: bool = False) -> list[str]:
    """Return the names of the models, by default their files.

    files_differ: refuse default names that are equal, too.
    """
    given = options.names is not None
    names: list[str] = options.names if given else options.fake
    if len(names) != len(options.fake):
        wanted = counted(len(options.fake), "name", "names")
        raise ValueError(f"--names: {wanted} expected, got {len(names)}")
    if (given or files_differ) and len(set(names)) < len(names):
        hint = "" if given else "; they are the files by default"
        raise ValueError(f"--names: names that differ expected{hint}")
    return names


def curve_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of `pr_curve`."""
    return _settings(options) | {
        "split": _split(options.split, options.method),
        "random_state": read_seed(options.seed, "--seed"),
        "n_jobs": read_jobs(options.jobs, "--jobs"),
    }


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of the method, from --option and from --k, --ties and --backend."""
    settings = dict(_option(text) for text in options.option)
    for name in ("k", "ties", "backend"):
        value = getattr(options, name)
        if value is None:
            continue
        if options.method not in NEIGHBOR_METHODS:
            known = ", ".join(NEIGHBOR_METHODS)
            raise ValueError(
                f"--{name}: only for the methods that count neighbours ({known}), "
                f"got --method {options.method}"
            )
        if name in settings:
            raise ValueError(f"--{name}: once expected, got --option {name}={settings[name]} too")
        settings[name] = value
    check_options(options.method, settings)
    # One progress bar for all models; None shows it on a terminal only.
    return settings | {"progress": read_progress(settings.get("progress"))}


def _option(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise ValueError(f"--option: NAME=VALUE expected, got {text!r}")
    try:
        return name, json.loads(value)
    except (json.JSONDecodeError, RecursionError):
        return name, value


def _split(text: str, method: str) -> float | str | None:
    """Return the split: a share, "auto", "bernoulli" or None; checks that the method has one."""
    split = _read_split(text)
    if METHODS[method].split is None and split not in ("auto", None):
        raise ValueError(f"--split: none expected for method {method!r}, got {split!r}")
    return split


def _read_split(text: str) -> float | str | None:
    if text in ("auto", "bernoulli"):
        return text
    if text == "none":
        return None
    try:
        return read_share("--split", float(text))
    except ValueError:
        raise ValueError(
            f"--split: auto, bernoulli, none or a share in (0, 1) expected, got {text!r}"
        ) from None


# ---- text tables -------------------------------------------------------------------------------


def table(names: Sequence[str], curves: Sequence[PRCurve]) -> list[str]:
    """Return a line for each file, the explanation of ±, and the info common to all curves."""
    rows = shown("table")
    halves = [half_widths(curve) for curve in curves]
    known = any(halves)
    lines = [["", *(row.title for row in rows)]]
    for name, curve, half in zip(names, curves, halves, strict=True):
        cells = (cell(row.title, row.value(curve), half.get(row.key), known) for row in rows)
        lines.append([name, *cells])
    below = [legend()] if known else []
    return [*aligned(lines, least=10), "", *below, _common([curve.info for curve in curves])]


def upper_table(names: Sequence[str], uppers: Sequence[PRCurve]) -> list[str]:
    """Return a table of upper confidence bounds; for the total variation they are lower bounds."""
    titles = [f"{row.title} {'≤' if row.larger_is_better else '≥'}" for row in shown("table")]
    made = uppers[0].provenance
    certified = "certified" if all(one.provenance.certified for one in uppers) else "empirical"
    sentence = f"{100 * (made.confidence or 0):g} % confidence, {certified}, bound {made.bound}"
    lines = [["", *titles]]
    for name, curve in zip(names, uppers, strict=True):
        lines.append([name, *(as_text(row.value(curve), ".4f") for row in shown("table"))])
    return [*aligned(lines, least=10), "", sentence]


def metrics_table(names: Sequence[str], found: Sequence[dict[int, Metrics]]) -> list[str]:
    """Return a block of lines for each k, with a column for each file."""
    lines = []
    for k in found[0]:
        of_k = [one[k] for one in found]
        lines += [*aligned([[f"k = {k}", *names], *_of_metrics(of_k)], least=8), ""]
    if any(one[k].errors for one in found for k in one):
        lines += [legend(of_scorer=False), ""]
    return [*lines, _common([one[k].info for one in found for k in one], ["k"])]


def _of_metrics(found: Sequence[Metrics]) -> list[list[str]]:
    return [[name, *(one.text(name) for one in found)] for name in found[0]]


def rows(
    title: str, names: Sequence[str], found: Sequence[Mapping[str, float]], digits: str
) -> list[str]:
    """Return a table with a row for each number and a column for each file."""
    lines = [[name, *(as_text(one[name], digits) for one in found)] for name in found[0]]
    return aligned([[title, *names], *lines], least=8)


def _common(infos: Sequence[Any], but: Sequence[str] = ()) -> str:
    """Return the entries common to all infos in one line; `but`: keys to leave out."""
    return ", ".join(
        f"{key} {value}" for key, value in scalars(agreed(infos)).items() if key not in but
    )
