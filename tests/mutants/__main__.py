"""python -m tests.mutants: break the package in ways that matter, one at a time; do tests see it?

Each is a row of tests/mutants/mutants_table.py.  The package is copied, broken and tested there;
what is of C is built again.  What survives is printed, and has to be a test that is missing.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from mutants_table import MUTANTS, Mutant

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("prfast", "csrc", "tests", "bench", "docs", "examples", "setup.py", "pyproject.toml")
PYTEST = ["-m", "pytest", "-n0", "-x", "-q", "-p", "no:cacheprovider"]
# What asks the machine how long it waited; on a busy one it would kill a mutant that lives.
PYTEST += ["--ignore", "tests/kernels/test_lock.py", "--ignore", "tests/balls/test_interrupts.py"]


def killed(mutant: Mutant | None, where: list[str]) -> tuple[bool, str]:
    """Does a test fail?  And the first that does.  None: nothing is broken, and none may."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in (*NEEDED, "README.md", "MANIFEST.in", "CONTRIBUTING.md", "CHANGELOG.md"):
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, symlinks=True)
            else:
                shutil.copy(source, copy / name)
        if mutant is not None:
            path = copy / mutant.file
            path.write_text(broken(mutant, path.read_text("utf-8")), "utf-8")
        environment = os.environ | {"PYTHONPATH": str(copy)}
        if mutant is not None and mutant.file.startswith("csrc/"):
            command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
            built = subprocess.run(command, cwd=copy, env=environment, capture_output=True)
            if built.returncode:
                raise RuntimeError(f"{mutant.what}: it is not built\n{built.stderr.decode()}")
        tests = [f"tests/{one}" for one in where]
        command = [sys.executable, *PYTEST, *tests]
        ran = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
    if ran.returncode not in (0, 1):  # neither all pass nor one fails: nothing was asked
        raise RuntimeError(f"{where}: pytest ended with {ran.returncode}\n{ran.stdout[-2000:]}")
    failed = [line for line in ran.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return ran.returncode != 0, failed[0][:140] if failed else ran.stdout[-400:]


def broken(mutant: Mutant, text: str) -> str:
    if text.count(mutant.right) != 1:
        raise ValueError(
            f"{mutant.file}: {mutant.right!r} is there {text.count(mutant.right)} times"
        )
    return text.replace(mutant.right, mutant.wrong)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument(
        "--at-once", type=int, default=os.cpu_count(), metavar="N", help="processes, a core each"
    )
    text = "of the mutants to try, as in mutants_table.py; all of them by default, about an hour"
    parser.add_argument("words", nargs="*", help=text)
    options = parser.parse_args(argv)
    chosen = [
        one for one in MUTANTS if not options.words or any(w in one.what for w in options.words)
    ]
    if not chosen:
        parser.error(f"words of some mutant expected, got {' '.join(options.words)}")
    suites = sorted({test for one in chosen for test in one.tests.split()})
    fails, said = killed(None, suites)
    if fails:
        print(f"Without a mutant a test fails: {said}")
        return 2
    start, survivors = time.time(), []
    with ThreadPoolExecutor(options.at_once) as pool:
        results = pool.map(lambda one: killed(one, one.tests.split()), chosen)
        for mutant, (dead, said) in zip(chosen, results, strict=True):
            survivors += [] if dead else [mutant]
            outcome = f"killed   {mutant.what}: {said}" if dead else f"SURVIVES {mutant.what}"
            print(outcome, flush=True)
    print(f"{len(chosen)} mutants, {len(survivors)} survive, {time.time() - start:.0f} s")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
