"""python -m tests.fuzz --seconds N --seed S: every property of the tests on inputs not seen yet.

A property is a test that Hypothesis gives its inputs (`@given`): results against slow twins on
every path, and arguments, files and calls of C that nobody should make.  In the suite they see the
same inputs in every run; here each round has a seed of its own, and an order.  What fails is
printed with the command that finds it again; it becomes a test.  Only the time that a run takes
depends on the clock: what a property is asked follows from its seed alone.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COUNTS = ("seconds", "runs", "inputs", "answers", "numbers")


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    text = "of new inputs, 60 by default; collecting the tests comes on top"
    parser.add_argument("--seconds", type=float, default=60, metavar="N", help=text)
    parser.add_argument("--seed", type=int, metavar="S", help="of the first round; a fresh one")
    parser.add_argument("--rounds", type=int, metavar="R", help="at most so many; no limit")
    text = "go on until so many have failed; 1 by default"
    parser.add_argument("--failures", type=int, default=1, metavar="F", help=text)
    parser.add_argument("where", nargs="*", default=["tests"], help="files of tests; all of them")
    return parser.parse_args(argv)


def run_round(
    seed: int, seconds: float, failures: int, where: list[str]
) -> tuple[int, dict[str, Any]]:
    """One order of the properties, for so long at most: pytest's status, and what was done."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        told = {"seed": seed, "seconds": seconds, "report": str(report)}
        options = [
            "-c",
            "pyproject.toml",
            "-n0",
            "-m",
            "",
            "-p",
            "fuzzing",
            "-p",
            "no:cacheprovider",
            f"--maxfail={failures}",
            "--tb=short",
        ]
        status = subprocess.run(
            [sys.executable, "-m", "pytest", *options, f"--hypothesis-seed={seed}", *where],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": _path(), "PRFAST_FUZZ": json.dumps(told)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        nothing = {name: 0 for name in COUNTS} | {"asked": [], "failed": []}
        done = json.loads(report.read_text()) if report.exists() else nothing
    if status.returncode:
        print(status.stdout)
    return status.returncode, done


def _path() -> str:
    others = os.environ.get("PYTHONPATH")
    return os.pathsep.join(filter(None, [str(HERE), str(HERE.parent), others]))


def main(argv: list[str] | None = None) -> int:
    options = parse(argv)
    first = random.SystemRandom().randrange(2**31) if options.seed is None else options.seed
    print(f"seed {first}", flush=True)
    total: dict[str, Any] = dict.fromkeys(COUNTS, 0)
    rounds, asked, failed = 0, set[str](), 0
    left = options.seconds
    while left > 0 and rounds != options.rounds and failed < options.failures:
        seed = first + rounds
        status, done = run_round(seed, left, options.failures - failed, options.where)
        if status > 1 or (status and not done["failed"]):
            print("pytest did not run; see above")
            return status
        for property_ in done["failed"]:
            print(f"Again: python -m tests.fuzz --seed {seed} --rounds 1 {shlex.quote(property_)}")
        rounds += 1
        failed += len(done["failed"])
        asked.update(done["asked"])
        total = {name: total[name] + done[name] for name in COUNTS}
        left = options.seconds - total["seconds"] if done["runs"] else 0
    print(
        f"{rounds} rounds from seed {first}: {len(asked)} properties in {total['runs']} runs, "
        f"{total['inputs']} inputs, compared with {total['answers']} answers of slow twins, "
        f"{total['numbers']} numbers in all, " + (f"{failed} failures" if failed else "no failure")
    )
    if options.seconds > 0 and not asked:
        print("Nothing was asked: no property among these tests, or no time for one")
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
