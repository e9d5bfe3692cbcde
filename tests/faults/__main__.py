"""python -m tests.faults --rounds N --seed S: signals for real processes, at random moments.

Each round a command or a call of the API (`processes.py`, `calls.py`) meets SIGINT or SIGKILL at a
moment of its own CPU time.  What is wrong afterwards is printed, with how it came about.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.faults import processes
from tests.faults.processes import COMMANDS, Ended

IMPORTED = [sys.executable, "-c", "import prfast"]


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--rounds", type=int, default=50, metavar="N", help="(default: 50)")
    parser.add_argument("--seed", type=int, default=None, metavar="S", help="a fresh one")
    options = parser.parse_args(argv)
    if options.rounds < 1:
        parser.error(f"--rounds: at least 1 expected, got {options.rounds}")
    return options


def main(argv: list[str] | None = None) -> int:
    options = parse(argv)
    seed = random.SystemRandom().randrange(2**32) if options.seed is None else options.seed
    print(f"seed {seed}; half a minute to prepare", flush=True)
    rng, seen, wrong = random.Random(seed), Counter[tuple[str, str, int, bool]](), 0
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        folder = processes.prepare(root / "commands")
        imported = processes.run(IMPORTED, folder).cpu
        takes = {name: _command(name, folder).cpu for name in COMMANDS}
        plain = {name: _call(name, root / f"plain-{name}") for name in processes.NAMES}
        for number in range(options.rounds):
            if rng.random() < 0.5:
                name, sent = rng.choice([*COMMANDS]), rng.choice([signal.SIGINT, signal.SIGKILL])
                moment = rng.uniform(imported, takes[name])
                ended, faults = processes.faults_of(name, folder, sent, moment)
            else:
                name, sent = rng.choice([*plain]), signal.SIGINT
                moment = rng.uniform(0, plain[name].cpu)
                said = plain[name].said.split()[-1]
                ended, faults = processes.call_faults_of(
                    name, root / f"call-{number}", moment, said
                )
                name += "()"
            seen[name, sent.name, ended.status, "interrupted" in ended.said] += 1
            wrong += bool(faults)
            for one in faults:
                print(f"round {number}: {name}, {sent.name} at {moment:.3f} s: {one}", flush=True)
    for key in sorted(seen):
        name, sent_name, status, heard = key
        print(f"{seen[key]:5}  {name} {sent_name} status {status}{' heard' if heard else ''}")
    print(f"{options.rounds} signals, {wrong} of them with faults")
    return 1 if wrong else 0


def _command(name: str, folder: Path) -> Ended:
    processes.before(name, folder)
    return processes.run(processes.command_line(COMMANDS[name][1]), folder)


def _call(name: str, folder: Path) -> Ended:
    folder.mkdir()
    return processes.run([sys.executable, str(processes.CALLS), name], folder, ready=True)


if __name__ == "__main__":
    sys.exit(main())
