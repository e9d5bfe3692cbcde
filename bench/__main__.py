"""python -m bench [NAME]: run a case, or list them.

report writes tables of the documentation, keep keeps the ratios of a case, check finds what got
slower.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

from bench import auto, gate, papers, report, speed, tables
from bench.papers.cifar_classes import DATA
from bench.report import TABLES

ROOT = Path(__file__).resolve().parents[1]


def is_root(place: str) -> bool:
    return Path(place).resolve() == ROOT


def find_cases() -> dict[str, ModuleType]:
    """Modules with `run` by name; they import the peers that they measure only when they run."""
    cases = {}
    for folder in (speed, papers, auto, tables):
        for result in iter_modules(folder.__path__):
            module = import_module(f"{folder.__name__}.{result.name}")
            if hasattr(module, "run"):
                cases[result.name] = module
    return dict(sorted(cases.items()))


def description(case: ModuleType) -> str:
    return (case.__doc__ or "").partition("\n")[0]


def parse(cases: dict[str, ModuleType], argv: Sequence[str] | None) -> argparse.Namespace:
    folder = argparse.ArgumentParser(add_help=False)
    folder.add_argument(
        "--results",
        type=Path,
        default=ROOT / "bench" / "results",
        metavar="FOLDER",
        help="where the cases write (default: bench/results)",
    )
    common = argparse.ArgumentParser(add_help=False, parents=[folder])
    common.add_argument("--tiny", action="store_true", help="a size that only shows that it runs")
    common.add_argument("--repeats", type=int, metavar="N", help="turns of every contender, >= 2")
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Peers side by side in one run."
    )
    commands = parser.add_subparsers(dest="case", metavar="NAME")
    for name, case in cases.items():
        text = description(case).replace("%", "%%")  # argparse formats it
        command = commands.add_parser(name, parents=[common], help=text, description=text)
        if hasattr(case, "add_options"):
            case.add_options(command)
    text = "write tables of the documentation from the results"
    command = commands.add_parser("report", parents=[folder], help=text, description=text)
    text = f"of {', '.join(TABLES)}; all by default"
    command.add_argument("tables", nargs="*", metavar="TABLE", help=text)
    command.add_argument("--docs", type=Path, default=ROOT / "docs", metavar="FOLDER")
    text = "first run the cases that they quote, with the options that they name"
    command.add_argument("--run", action="store_true", help=text)
    command.add_argument("--data", type=Path, default=DATA, metavar="FILE.npz", help="of images")
    stored = argparse.ArgumentParser(add_help=False, parents=[folder])
    stored.add_argument("--kept", type=Path, default=ROOT / "bench" / "kept", metavar="FOLDER")
    text = "keep the judged ratios of a result, for check"
    command = commands.add_parser("keep", parents=[stored], help=text, description=text)
    command.add_argument("name", choices=[*cases], metavar="NAME")
    text = "run what was kept of this processor again; fail if a ratio is worse"
    command = commands.add_parser("check", parents=[stored], help=text, description=text)
    command.add_argument("names", nargs="*", metavar="NAME", help="all that are kept by default")
    command.add_argument("--data", type=Path, metavar="FILE.npz", help="features of images")
    command.add_argument("--repeats", type=int, metavar="N", help="turns of every contender, >= 2")
    options = parser.parse_args(argv)
    if getattr(options, "repeats", None) is not None and options.repeats < 2:
        parser.error("--repeats: at least 2 expected")
    for command, option, choices in (("check", "names", cases), ("report", "tables", TABLES)):
        for name in getattr(options, option) if options.case == command else ():
            if name not in choices:
                parser.error(f"{command}: one of {', '.join(choices)} expected, got {name!r}")
    return options


def main(argv: Sequence[str] | None = None) -> int:
    cases = find_cases()
    options = parse(cases, argv)
    if options.case is None:
        width = max(map(len, cases))
        print("\n".join(f"{name:<{width}}  {description(case)}" for name, case in cases.items()))
        return 0
    if options.case == "report":
        return write_report(cases, options)
    if options.case == "keep":
        return keep_ratios(options)
    if options.case == "check":
        places = {key: getattr(options, key) for key in ("results", "kept", "data", "repeats")}
        result = argparse.Namespace(**places)
        return gate.check(options.names, cases, result, lambda name: parse(cases, [name]))
    run_case(cases, options)
    return 0


def run_case(cases: dict[str, ModuleType], options: argparse.Namespace) -> None:
    options.results.mkdir(parents=True, exist_ok=True)
    findings = cases[options.case].run(options)
    path = report.write(options.case, findings, options)
    print(report.table(findings, judged=not options.tiny))
    print(f"\nWritten to {path}")


def write_report(cases: dict[str, ModuleType], options: argparse.Namespace) -> int:
    chosen = {name: TABLES[name] for name in options.tables or TABLES}
    if options.run:
        for words in report.commands(chosen.values(), options.data):
            words += ["--results", str(options.results)]
            print(f"\npython -m bench {' '.join(words)}\n", flush=True)
            run_case(cases, parse(cases, words))
    for name, table in chosen.items():
        page = options.docs / table.page
        try:
            text = report.fill(page.read_text("utf-8"), name, report.render(table, options.results))
        except (FileNotFoundError, KeyError, ValueError) as error:
            print(f"bench report: {error.args[0] if error.args else error}", file=sys.stderr)
            return 2
        page.write_text(text, encoding="utf-8")
        print(f"{page}: {name}")
    return 0


def keep_ratios(options: argparse.Namespace) -> int:
    try:
        path = gate.keep(options.name, options.results, options.kept)
    except (FileNotFoundError, ValueError) as error:
        print(f"bench keep: {error.args[0]}", file=sys.stderr)
        return 2
    print(f"Written to {path}")
    return 0


if __name__ == "__main__":
    # The repository root last: an installed prfast comes before a folder that may not be built.
    # Without another checkout that is installed: contenders' processes would import its bench.
    here = [
        entry
        for entry in sys.path
        if is_root(entry) or not Path(entry, "bench/contender.py").exists()
    ]
    sys.path[:] = here
    sys.path.sort(key=is_root)
    sys.exit(main())
