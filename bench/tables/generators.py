"""Real tables and generated ones: which scorers rank independent columns or copies first.

Every scorer compares the training rows with a generated table of as many rows: held-out rows, the
same with every column shuffled, the same with noise, rows of a Gaussian copula, of CTGAN and of
TVAE, copies of the training rows, and a fifth of copies among held-out rows.  Generated tables are
made once and kept in a folder (see make.py), and so are scores: remove TABLE/SCORER.json there to
measure them again.  Scorers whose package is not installed are left out, and synthcity, which needs
other versions, runs with the interpreter of --synthcity-python:

    pip install -e '.[bench-tables]'
    python -m bench generators --synthcity-python FILE

More is better for each number.  One ranks above another if it is larger by MARGIN or more.
"""

import json
import statistics
from argparse import ArgumentParser, Namespace
from importlib.util import find_spec
from math import isnan
from pathlib import Path

from bench.auto import lists
from bench.report import Figure, Findings, columns
from bench.tables import make, scorers, sources

MARGIN = 0.01
# What a scorer is asked: does the first rank above the others?
QUESTIONS = (
    ("shuffled", ("held-out",)),
    ("shuffled", ("copula",)),
    ("shuffled", ("ctgan",)),
    ("shuffled", ("tvae",)),
    ("shuffled", make.TRAINED),
    ("noise", ("held-out",)),
    ("copies", ("held-out",)),
    ("20 % copies", ("held-out",)),
)
EQUAL = 0.99


def add_options(parser: ArgumentParser) -> None:
    make.add_options(parser)
    add = parser.add_argument
    add("--scorers", type=lists.among(KNOWN), default=KNOWN, metavar="NAME,…", help=f"of {KNOWN}")
    add("--synthcity-python", metavar="FILE", help="interpreter of an environment with synthcity")


KNOWN = [*scorers.SCORERS, "synthcity"]


def run(options: Namespace) -> Findings:
    if options.tiny:
        options.rows, options.epochs = 60, 1
    folder = options.made or options.results / ("tables-tiny" if options.tiny else "tables")
    names = options.tables[-1:] if options.tiny else options.tables
    generators = options.generators
    reasons = {name: _unavailable(name, options) for name in options.scorers}
    skipped = [f"{name}: skipped; {why}" for name, why in reasons.items() if why]
    chosen = [name for name, why in reasons.items() if not why]
    results: dict[str, dict[str, scorers.Scored]] = {}
    for name in names:
        try:
            make.make(folder, name, generators, options)
        except sources.Missing as missing:
            skipped.append(f"{name}: skipped; {missing}")
            continue
        made = [label for label in generators if make.path_of(folder, name, label).exists()]
        results[name] = {scorer: _scored(scorer, folder, name, made, options) for scorer in chosen}
    tables = {"Which ranks above which": _summary(results), "Cost": _costs(results)}
    notes = [f"### {title}\n\n{columns(rows)}\n" for title, rows in tables.items()]
    failed = [
        f"{name}, {scorer}, {generator}: {why}"
        for name, of in results.items()
        for scorer, scored in of.items()
        for generator, why in scored.failed.items()
    ]
    record = {
        name: {scorer: scored._asdict() for scorer, scored in of.items()}
        for name, of in results.items()
    }
    return Findings({}, _figures(results), [*notes, *failed, *skipped], record)


def _scored(
    scorer: str, folder: Path, table: str, made: list[str], options: Namespace
) -> scorers.Scored:
    """Return what the folder has of a scorer and a table, or measure it and keep it there."""
    path = folder / table / f"{scorer}.json"
    if path.exists():
        recorded = scorers.Scored(**json.loads(path.read_text("utf-8")))
        if {*recorded.values, *recorded.failed} == {*made}:
            return _without_nan(recorded)
    print(f"{table}, {scorer}", flush=True)
    if scorer == "synthcity":
        scored = scorers.measure_synthcity(options.synthcity_python, folder, table, made)
    else:
        scored = scorers.measure(scorer, folder, table, made)
    if scored.values:
        path.write_text(json.dumps(scored._asdict()), "utf-8")
    return _without_nan(scored)


def _without_nan(scored: scorers.Scored) -> scorers.Scored:
    """Return NaN as failures."""
    values: dict[str, dict[str, float]] = {}
    failed = dict(scored.failed)
    for generator, numbers in scored.values.items():
        values[generator] = {name: value for name, value in numbers.items() if not isnan(value)}
        for name in numbers.keys() - values[generator].keys():
            failed[generator] = f"{name} is NaN"
    return scored._replace(values=values, failed=failed)


def _unavailable(scorer: str, options: Namespace) -> str:
    if scorer == "synthcity":
        return "" if options.synthcity_python else "--synthcity-python FILE"
    package = scorers.SCORERS[scorer].package
    return "" if find_spec(package) else f"pip install {package}"


# ---- tables --------------------------------------------------------------------------------------

Results = dict[str, dict[str, scorers.Scored]]


def _numbers(results: Results) -> list[tuple[str, str]]:
    """Every scorer and number that there is, in their order."""
    numbers = {
        (scorer, number): None
        for of in results.values()
        for scorer, scored in of.items()
        for values in scored.values.values()
        for number in values
    }
    return sorted(numbers, key=lambda pair: KNOWN.index(pair[0]))


def _summary(results: Results) -> list[tuple[str, ...]]:
    questions = [
        f"{first} above {'all models' if len(alternatives) > 1 else alternatives[0]}"
        for first, alternatives in QUESTIONS
    ]
    lines = [("number", *questions)]
    for scorer, number in _numbers(results):
        cells = []
        for first, alternatives in QUESTIONS:
            leads = []
            for of in results.values():
                values = {label: x[number] for label, x in of[scorer].values.items() if number in x}
                if {first, *alternatives} <= values.keys():
                    leads.append(values[first] - max(values[name] for name in alternatives))
            above = sum(lead >= MARGIN for lead in leads)
            equal = sum(abs(lead) < MARGIN for lead in leads)
            cells.append(f"{above} of {len(leads)}" + (f", {equal} equal" if equal else ""))
        lines.append((f"{scorer}: {number}", *cells))
    return lines


def _costs(results: Results) -> list[tuple[str, ...]]:
    lines = [("scorer", "CPU s a generated table", "at most")]
    for scorer in KNOWN:
        scored = [of[scorer] for of in results.values() if scorer in of and of[scorer].values]
        if scored:
            seconds = [outcome.cpu_seconds / len(outcome.values) for outcome in scored]
            lines.append((scorer, f"{statistics.median(seconds):.2f}", f"{max(seconds):.2f}"))
    return lines


def _figures(results: Results) -> list[Figure]:
    """Return the area of prfast on rows of the same table, and on columns that are independent."""
    figures = []
    for name, of in results.items():
        values = of["prfast"].values if "prfast" in of else {}
        if "held-out" in values:
            area = values["held-out"]["area"]
            figures.append(Figure(f"{name}, held-out: area", area, at_least=EQUAL))
        if "shuffled" in values:
            area = values["shuffled"]["area"]
            figures.append(Figure(f"{name}, shuffled: area", area, better="lower"))
    return figures
