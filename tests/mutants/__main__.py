"""python -m tests.mutants: break the package, one mutant at a time, and list what no test detects.

Each is a row of tests/mutants/mutants_table.py.  The package is copied, broken and tested there;
C is compiled again.  For a mutant that survives a test is missing.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from builds import build
from mutants_table import MUTANTS, Mutant
from trials import Outcome, copy_project, run_tests, try_mutant

ROOT = Path(__file__).resolve().parents[2]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument(
        "--at-once", type=int, default=os.cpu_count(), metavar="N", help="processes, a core each"
    )
    text = "of the mutants to run, as in the table; all of them by default, about half an hour"
    parser.add_argument("words", nargs="*", help=text)
    parser.add_argument("--part", default="1/1", metavar="I/N", help="every N-th mutant, from I on")
    options = parser.parse_args(argv)
    first, step = map(int, options.part.split("/"))
    chosen = [
        mutant
        for mutant in MUTANTS[first - 1 :: step]
        if not options.words or any(w in mutant.what for w in options.words)
    ]
    if not chosen:
        parser.error(f"words of some mutant expected, got {' '.join(options.words)}")
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole"
        copy_project(ROOT, whole)
        return run(chosen, whole, options.at_once)


def run(chosen: list[Mutant], whole: Path, at_once: int) -> int:
    """Print a row a mutant; return 1 where one survives, 2 where a test fails without mutants."""
    start = time.monotonic()
    commands = build(whole) if any(mutant.compiled for mutant in chosen) else []
    control = run_tests(
        whole, sorted({test for mutant in chosen for test in mutant.tests.split()}), 3600.0
    )
    if control.result != "all tests pass":
        print(f"Without a mutant: {control.result}")
        return 2
    print(f"Without a mutant all tests pass ({control.seconds:.0f} s).\n", flush=True)
    print("| mutant | killed by | s |\n| --- | --- | ---: |")
    survive = 0
    with ThreadPoolExecutor(at_once) as pool:
        outcomes = pool.map(lambda mutant: try_mutant(mutant, whole, commands), chosen)
        for mutant, outcome in zip(chosen, outcomes, strict=True):
            survive += not (outcome.killed or mutant.why)
            print(row(mutant, outcome), flush=True)
    equivalent = sum(bool(mutant.why) for mutant in chosen)
    seconds = time.monotonic() - start
    print(f"\n{len(chosen)} mutants, {equivalent} equivalent, {survive} survive, {seconds:.0f} s")
    return 1 if survive else 0


def row(mutant: Mutant, outcome: Outcome) -> str:
    result = outcome.result
    if not outcome.killed:
        result = f"none: {mutant.why}" if mutant.why else f"**survives**, {result}"
    return f"| {mutant.what} | {result} | {outcome.seconds:.0f} |"


if __name__ == "__main__":
    sys.exit(main())
