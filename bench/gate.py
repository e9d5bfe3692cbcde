"""Compare ratios in `bench/kept/` with the same cases run again, and fail where one is worse.

`keep` writes the judged ratios of a result, those with quartiles that know which way is better, to
KEPT/PROCESSOR/NAME.json; `check` runs the cases that are kept of this processor, as they were run,
and compares.  A ratio is worse if the nearer quartiles of both runs are more than 10 % apart.
"""

import json
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from bench.machine import environment, processor
from bench.report import Figure, Record, columns, read

SLACK = 1.1
# Where things lie here says nothing about how a case was run.
PLACES = ("case", "results", "data", "kept")


def keep(name: str, results: Path, folder: Path) -> Path:
    """Write the judged ratios of a result; the path.

    Raises
    ------
    FileNotFoundError, ValueError
        A case that has not been run; one at a tiny size, of another processor, or without ratios.
    """
    record = read(name, results, f"`python -m bench {name}`")
    of = record["environment"].get("processor")
    if of != processor():
        raise ValueError(f"{name} is of {of}; this is {processor()}")
    figures = [
        _short(figure)
        for figure in record["figures"]
        if figure["quartiles"] and figure.get("better")
    ]
    if not figures:
        raise ValueError(f"{name} has no ratio of which one way is better")
    short = {
        "options": {key: it for key, it in record["options"].items() if key not in PLACES},
        "date": record["environment"]["date"],
        "versions": record["environment"]["versions"],
        "figures": figures,
    }
    path = folder / processor() / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(short, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def _short(figure: Mapping[str, Any]) -> dict[str, Any]:
    low, high = (float(f"{quartile:.4g}") for quartile in figure["quartiles"])
    return {"name": figure["name"], "quartiles": [low, high], "better": figure["better"]}


def check(
    names: Sequence[str],
    cases: Mapping[str, ModuleType],
    options: Namespace,
    usual: Callable[[str], Namespace],
) -> int:
    """Run what is kept again, print what is slower; 1 if anything is, 0 if nothing.

    options: kept, results, data, repeats.  usual: the options of a case that is given none.
    """
    folder = options.kept / processor()
    there = [path.stem for path in sorted(folder.glob("*.json"))]
    if not there:
        print(f"Nothing is kept of this processor, {processor()}; python -m bench keep NAME")
        return 0
    slower = []
    for name in names or there:
        if name not in there:
            print(f"{name}: nothing is kept in {folder}; python -m bench keep {name}")
            continue
        record = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        for line in _other_versions(record):
            print(f"{name}: {line}")
        here = {key: it for key, it in vars(options).items() if it is not None}
        arguments = {**vars(usual(name)), **record["options"], **here, "case": name}
        again = cases[name].run(Namespace(**arguments))
        rows, skipped = compare(record, again.figures, images=options.data is not None)
        slower += [(f"{name}: {row[0]}", *row[1:]) for row in rows]
        print(f"{name}: {len(record['figures']) - len(skipped)} ratios, {len(rows)} of them worse")
        if skipped:
            print(f"{name}: not measured again without --data: {', '.join(skipped)}")
    if slower:
        print(f"\nWorse by more than {SLACK - 1:.0%} beyond the quartiles of both:\n")
        print(columns([("figure", "kept", "now", "better"), *slower]))
    return 1 if slower else 0


def compare(
    record: Record, figures: Sequence[Figure], *, images: bool
) -> tuple[list[tuple[str, ...]], list[str]]:
    """Return rows of what is worse or no longer there, and names skipped because they need a
    file."""
    now = {figure.name: figure for figure in figures}
    rows, skipped = [], []
    for old in record["figures"]:
        name, (low, high) = old["name"], old["quartiles"]
        if name not in now and not images and name.startswith("images"):
            skipped.append(name)
            continue
        quartiles = now[name].quartiles if name in now else None
        text = "{:.3g} .. {:.3g}".format
        if quartiles is None:
            rows.append((name, text(low, high), "missing", old["better"]))
        elif old["better"] == "lower" and quartiles[0] > SLACK * high:
            rows.append((name, text(low, high), text(*quartiles), "lower"))
        elif old["better"] == "higher" and SLACK * quartiles[1] < low:
            rows.append((name, text(low, high), text(*quartiles), "higher"))
    return rows, skipped


def _other_versions(record: Record) -> list[str]:
    """Return the packages whose version has changed, without prfast, which is judged."""
    here = environment()["versions"]
    return [
        f"kept with {package} {version}, now {here.get(package, 'none')}"
        for package, version in record["versions"].items()
        if package != "prfast" and here.get(package) != version
    ]
