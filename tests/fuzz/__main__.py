"""python -m tests.fuzz --seconds N --seed S: every property of the tests on inputs not seen yet.

A property is a test that Hypothesis gives its inputs (`@given`): results against slow twins on
every path, and arguments, files and calls of C that nobody should make.  In the suite they see the
same inputs in every run; here each round has a seed of its own, and an order.  What fails is
printed with the command that finds it again; it becomes a test.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COUNTS = ("properties", "inputs", "compared")


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    text = "of new inputs, 60 by default; collecting the tests comes on top"
    parser.add_argument("--seconds", type=float, default=60, metavar="N", help=text)
    parser.add_argument("--seed", type=int, metavar="S", help="of the first round; a fresh one")
    parser.add_argument("--rounds", type=int, metavar="R", help="at most so many; no limit")
    parser.add_argument("where", nargs="*", default=["tests"], help="files of tests; all of them")
    return parser.parse_args(argv)


def run_round(seed: int, until: float, where: list[str]) -> tuple[int, dict[str, int]]:
    """One order of the properties, until the time is over: pytest's status, and what was done."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        told = {"seed": seed, "until": until, "report": str(report)}
        options = [
            "-c",
            "pyproject.toml",
            "-n0",
            "-p",
            "fuzzing",
            "-p",
            "no:cacheprovider",
            "--maxfail=1",
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
        done = json.loads(report.read_text()) if report.exists() else dict.fromkeys(COUNTS, 0)
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
    until, total = time.time() + options.seconds, dict.fromkeys(COUNTS, 0)
    rounds = status = 0
    while time.time() < until and rounds != options.rounds:
        status, done = run_round(first + rounds, until, options.where)
        rounds += 1
        total = {name: total[name] + done[name] for name in COUNTS}
        if status > 1:
            print("pytest did not run; see above")
            return status
        if status:
            where = " ".join(options.where)
            print(f"Again: python -m tests.fuzz --seed {first + rounds - 1} --rounds 1 {where}")
            break
    print(
        f"{rounds} rounds from seed {first}: {total['properties']} runs of properties, "
        f"{total['inputs']} inputs, {total['compared']} numbers compared with slow twins, "
        + ("a failure" if status else "no failure")
    )
    return status


if __name__ == "__main__":
    sys.exit(main())
