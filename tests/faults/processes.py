"""Real processes of prfast that a signal meets at a moment of their own CPU time.

What others on the machine do does not stretch that time, so a seed says what is met, as far as the
work of a process is the same twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

HERE = Path(__file__).resolve().parent
CALLS = HERE / "calls.py"
WAS = b"as it was"
SOON = 2.0  # seconds of CPU time between an interrupt and the end

# What a command writes, and the command.
COMMANDS = {
    "curve": ("out.json", "curve real.npy fake.npy --method knn --json out.json"),
    "kmeans": ("out.json", "curve real.npy fake.npy --method kmeans --json out.json"),
    "auto": ("out.json", "curve real.npy fake.npy --method auto --json out.json"),
    "metrics": ("out.json", "metrics real.npy fake.npy --json out.json"),
    "report": ("out.html", "report real.npy fake.npy --method knn -o out.html"),
    "plot": ("out.png", "curve real.npy fake.npy --method ipr --plot out.png"),
}

# Calls of the API in calls.py.
NAMES = ("update", "features")


class Ended(NamedTuple):
    """How a process ended; met: was it there when the signal came?  late: seconds of CPU time from
    then to the end."""

    status: int
    said: str
    met: bool
    late: float
    cpu: float


def command_line(line: str) -> list[str]:
    return [sys.executable, "-m", "prfast", *line.split()]


def cpu_of(pid: int) -> float:
    """CPU time of a process so far, by Linux's clock of another process."""
    return time.clock_gettime(~pid << 3 | 2)


def run(
    command: list[str],
    folder: Path,
    number: int = 0,
    moment: float = 0.0,
    *,
    ready: bool = False,
    file_size: int | None = None,
) -> Ended:
    """Run it in the folder; send the signal `number` at this moment, counted from its start or,
    with `ready`, from when it says so.  file_size: no file gets longer."""

    def limit() -> None:
        if file_size is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))

    said = folder.parent / f"{folder.name}.said"
    with open(said, "wb") as into:
        child = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if ready else subprocess.DEVNULL,
            stderr=into,
            env=os.environ | {"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "1"},
            preexec_fn=limit,
        )
        start, sent = 0.0, None
        try:
            if ready:
                assert child.stdout is not None
                assert child.stdout.readline() == b"ready\n", said.read_text()
                start = cpu_of(child.pid)
            while number and sent is None:
                if os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                    break
                now = cpu_of(child.pid)
                if now - start >= moment:
                    sent = now
                    child.send_signal(number)
                else:
                    time.sleep(0.0005)
            rest = child.stdout.read() if child.stdout is not None else b""
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        finally:
            if child.returncode is None:
                child.kill()
                child.wait()
            if child.stdout is not None:
                child.stdout.close()
    cpu = usage.ru_utime + usage.ru_stime
    text = said.read_text() + rest.decode()
    said.unlink()
    late = 0.0 if sent is None else cpu - sent
    return Ended(child.returncode, text, sent is not None, late, cpu - start)


def prepare(folder: Path) -> Path:
    """Two sets of samples, in a new folder."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(0)
    np.save(folder / "real.npy", rng.normal(size=(1500, 8)).astype(np.float32))
    np.save(folder / "fake.npy", rng.normal(0.3, size=(1200, 8)).astype(np.float32))
    return folder


def before(name: str, folder: Path) -> None:
    """Put a file in the place of what a command writes."""
    (folder / COMMANDS[name][0]).write_bytes(WAS)


def listing(folder: Path) -> list[str]:
    return sorted(one.relative_to(folder).as_posix() for one in folder.rglob("*"))


def content(folder: Path) -> dict[str, str]:
    """Checksums of the files by their names."""
    return {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in listing(folder)
        if (folder / name).is_file()
    }


def begun(names: list[str]) -> list[str]:
    """Those of files that somebody began, and was killed."""
    return [one for one in names if Path(one).name.startswith("tmp")]


def is_whole(path: Path) -> bool:
    """Is an output all there, by its end?"""
    data = path.read_bytes()
    if path.suffix == ".json":
        json.loads(data)
        return True
    return data.rstrip().endswith({".html": b"</html>", ".png": b"IEND\xaeB`\x82"}[path.suffix])


def faults_of(name: str, folder: Path, number: int, moment: float) -> tuple[Ended, list[str]]:
    """Run a command that a signal meets; what is wrong afterwards."""
    before(name, folder)
    there = content(folder)
    ended = run(command_line(COMMANDS[name][1]), folder, number, moment)
    found = _said_wrongly(ended, number)
    if ended.late > SOON:
        found.append(f"ended after {ended.late:.1f} s more")
    return ended, found + _left_wrongly(name, folder, number, ended, there)


def _said_wrongly(ended: Ended, number: int) -> list[str]:
    if ended.status in (0, -number):  # it was done, and Python about to end
        return [f"said {ended.said!r}"] if ended.said else []
    if number == signal.SIGINT and ended.status == 130 and ended.said == "prfast: interrupted\n":
        return []
    return [f"status {ended.status}, said {ended.said!r}"]


def _left_wrongly(
    name: str, folder: Path, number: int, ended: Ended, there: dict[str, str]
) -> list[str]:
    found, target, now = [], COMMANDS[name][0], content(folder)
    left = begun([*now])
    if left and (number != signal.SIGKILL or len(left) > 1):
        found.append(f"left {left}")
    for one in left:
        (folder / one).unlink()
        del now[one]
    if [*now] != [*there]:
        found.append(f"left {sorted({*now} ^ {*there})}")
    elif (ended.status == 130 or ended.status == 0) and (now == there) != (ended.status == 130):
        found.append(f"{target} does not fit the status {ended.status}")
    elif now != there and not is_whole(folder / target):
        found.append(f"{target} is neither what it was nor whole")
    return found


def moments(seed: int, count: int, least: float, most: float) -> list[float]:
    rng = random.Random(seed)
    return [rng.uniform(least, most) for _ in range(count)]


def call_faults_of(
    name: str, folder: Path, moment: float, expected: str
) -> tuple[Ended, list[str]]:
    """Interrupt a call of `calls.py` and let it be done again; what is wrong.  expected: the
    checksum of its result."""
    folder.mkdir()
    command = [sys.executable, str(CALLS), name]
    ended = run(command, folder, signal.SIGINT, moment, ready=True)
    wanted = [*(["interrupted"] if ended.met else []), expected]
    done = ended.status in (0, -signal.SIGINT)  # or Python was about to end
    said = ended.said.split()
    # Python prints an interrupt that meets a callback of its import locks, and goes on.
    if "_get_module_lock" in ended.said:
        said = said[-1:]
    if done and said in (wanted, [expected]):
        return ended, []
    return ended, [f"status {ended.status}, said {ended.said!r}"]
