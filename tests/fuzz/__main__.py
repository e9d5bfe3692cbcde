"""python -m tests.fuzz --seconds N --seed S: run every property of the tests on new inputs.

A property is a test that Hypothesis gives its inputs (`@given`).  The ordinary run of the tests has
the same inputs every time; here each round has its own seed and its own order.  A failure is
printed with the command that reproduces it: inputs follow from the seed alone, only the number of
properties depends on the clock.
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


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    text = "time for properties, without the collection of tests; 60 by default"
    parser.add_argument("--seconds", type=float, default=60, metavar="N", help=text)
    parser.add_argument("--seed", type=int, metavar="S", help="of the first round; random")
    parser.add_argument("--rounds", type=int, metavar="R", help="largest number; no limit")
    parser.add_argument("where", nargs="*", default=["tests"], help="files of tests; all of them")
    return parser.parse_args(argv)


def run_round(seed: int, seconds: float, where: list[str]) -> tuple[int, dict[str, Any]]:
    """Run the properties once, in an order of the seed; return pytest's status and the report."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        config = {"seed": seed, "seconds": seconds, "report": str(report)}
        options = "-c pyproject.toml -n0 -m= -p fuzzing -p no:cacheprovider --maxfail=1"
        paths = [str(HERE), str(HERE.parent), os.environ.get("PYTHONPATH")]
        environment = {
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "PRFAST_FUZZ": json.dumps(config),
        }
        status = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", *options.split(), "--tb=short"),
                *(f"--hypothesis-seed={seed}", *where),
            ],
            cwd=ROOT,
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        empty = {"seconds": 0, "inputs": 0, "properties": [], "failed": []}
        done = json.loads(report.read_text()) if report.exists() else empty
    if status.returncode:
        print(status.stdout)
    return status.returncode, done


def main(argv: list[str] | None = None) -> int:
    options = parse(argv)
    first = random.SystemRandom().randrange(2**31) if options.seed is None else options.seed
    print(f"seed {first}", flush=True)
    rounds, failed, runs, inputs, properties = 0, 0, 0, 0, set[str]()
    left = options.seconds
    while left > 0 and rounds != options.rounds and not failed:
        seed = first + rounds
        status, done = run_round(seed, left, options.where)
        if status > 1 or (status and not done["failed"]):
            print("pytest did not run; see above")
            return status
        for name in done["failed"]:
            print(f"Again: python -m tests.fuzz --seed {seed} --rounds 1 {shlex.quote(name)}")
        rounds += 1
        failed += len(done["failed"])
        runs += len(done["properties"])
        inputs += done["inputs"]
        properties.update(done["properties"])
        left = left - done["seconds"] if done["properties"] else 0
    print(
        f"{rounds} rounds from seed {first}: {len(properties)} properties in {runs} runs, "
        f"{inputs} inputs, {failed or 'no'} failure"
    )
    if options.seconds > 0 and not properties:
        print("Nothing was run: no property among these tests, or no time for one")
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
