"""Signals at seeded moments, and files that a system lets grow no further: what was there stays,
what is done again is right.  `python -m tests.faults` sends as many as wanted."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="clocks of other processes")
if sys.platform == "linux":
    import processes
    from processes import COMMANDS, WAS, command_line

LIMITED = """
import resource, sys
import numpy as np
from prfast.features import extract
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
pictures = np.zeros((200, 8, 8, 3), np.uint8)
try:
    extract(pictures, lambda some: some.reshape(len(some), -1).astype(np.float32), out="x.npy")
except OSError as error:
    print(error.errno, error.filename)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return processes.prepare(tmp_path_factory.mktemp("faults") / "commands")


@pytest.fixture(scope="module")
def imported(folder):
    """CPU time until `import prfast` is done, in which Python itself answers an interrupt."""
    return processes.run([sys.executable, "-c", "import prfast"], folder).cpu


@pytest.mark.parametrize("name", ["curve"])
def test_an_interrupt_is_one_line_and_leaves_what_was_there(folder, imported, name):
    for moment in processes.moments(len(name), 3, imported + 0.02, imported + 0.5):
        ended, faults = processes.faults_of(name, folder, signal.SIGINT, moment)
        assert not faults, (moment, ended)


@pytest.mark.parametrize("name", ["metrics", "plot"])
def test_a_command_that_is_killed_leaves_what_was_there_and_at_most_a_draft(folder, imported, name):
    for moment in processes.moments(len(name), 2, imported, imported + 0.6):
        ended, faults = processes.faults_of(name, folder, signal.SIGKILL, moment)
        assert not faults, (moment, ended)


@pytest.mark.parametrize("name", ["update", "features"])
def test_a_call_that_is_interrupted_gives_the_same_when_it_is_done_again(tmp_path, name):
    (tmp_path / "plain").mkdir()
    call = [sys.executable, str(processes.CALLS), name]
    plain = processes.run(call, tmp_path / "plain", ready=True)
    assert plain.status == 0, plain.said
    for moment in processes.moments(len(name), 2, 0.0, plain.cpu):
        ended, faults = processes.call_faults_of(
            name, tmp_path / f"at {moment}", moment, plain.said.split()[-1]
        )
        assert not faults, (moment, ended)


@pytest.mark.parametrize(("name", "share"), [("curve", 0.3), ("plot", 0.9)])
def test_a_write_of_which_only_a_part_fits_is_an_error_with_the_files_name(folder, name, share):
    target, command = COMMANDS[name]
    processes.before(name, folder)
    assert processes.run(command_line(command), folder).status == 0
    size = (folder / target).stat().st_size
    processes.before(name, folder)
    there = processes.content(folder)
    ended = processes.run(command_line(command), folder, file_size=int(share * size))
    assert (ended.status, ended.said) == (2, f"prfast: error: {target}: File too large\n")
    assert processes.content(folder) == there
    assert (folder / target).read_bytes() == WAS


@pytest.mark.parametrize(
    ("size", "named", "left"),
    [(100, "x.draft.json", set()), (20_000, "x.draft.npy", {"x.draft.json"})],
)
def test_features_that_fit_only_in_part_leave_what_was_there(tmp_path, size, named, left):
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(size)], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"27 {named}\n"
    assert {one.name for one in tmp_path.iterdir()} == left


WORKERS = """
import os, signal, threading, time
import numpy as np, prfast
from prfast.kernels import threads
threads.usable_cores = lambda: 2

def kill_a_worker():
    children = f"/proc/self/task/{os.getpid()}/children"
    while True:
        for pid in map(int, open(children).read().split()):
            try:
                if "popen_" + "loky" in open(f"/proc/{pid}/cmdline").read():
                    return os.kill(pid, signal.SIGKILL)
            except OSError:  # it has ended meanwhile
                pass
        time.sleep(0.01)

real, fake = np.random.default_rng(0).normal(size=(2, 600, 4))
plain = prfast.pr_curve(real, fake, "kmeans", n_jobs=1)
threading.Thread(target=kill_a_worker, daemon=True).start()
try:
    prfast.pr_curve(real, fake, "kmeans", n_jobs=2)
except Exception as error:
    print(type(error).__name__)
print(prfast.pr_curve(real, fake, "kmeans", n_jobs=2) == plain)
"""


def test_a_worker_that_is_killed_is_an_error_and_the_next_call_is_right():
    done = subprocess.run([sys.executable, "-c", WORKERS], capture_output=True, text=True)
    assert done.stdout == "TerminatedWorkerError\nTrue\n", done.stderr


MAPPED = """
import os, sys
import numpy as np, prfast
from prfast.neighbors import Search
x = prfast.load("x.npy")
os.truncate("x.npy", 4096)
print("cut", flush=True)
Search("exact", n_jobs=1).kth_within(x, [1])
"""


def test_a_map_of_a_file_that_is_cut_short_ends_the_process_as_is_documented(tmp_path):
    np.save(tmp_path / "x.npy", np.ones((5000, 16)))
    done = subprocess.run(
        [sys.executable, "-c", MAPPED], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (-signal.SIGBUS, "cut\n"), done.stderr


def test_faults_are_seen(folder, monkeypatch):
    """Of a command that leaves a draft, says more than a line, and writes half."""
    left = folder / "tmpleft.json"

    def messy(command, place, *signal_and_moment, **options):
        left.write_bytes(b"")
        (place / "out.json").write_bytes(b"{")
        return processes.Ended(130, "Traceback", True, 3.0, 4.0)

    monkeypatch.setattr(processes, "run", messy)
    _, faults = processes.faults_of("curve", folder, signal.SIGINT, 0.0)
    left.unlink(missing_ok=True)
    assert faults == [
        "status 130, said 'Traceback'",
        "ended after 3.0 s more",
        "left ['tmpleft.json']",
        "out.json does not fit the status 130",
    ]
    with pytest.raises(json.JSONDecodeError):
        processes.is_whole(folder / "out.json")


def test_the_names_of_calls_are_those_there_are():
    listed = subprocess.run(
        [sys.executable, "-c", "import calls; print(*calls.CALLS)"],
        cwd=Path(processes.CALLS).parent,
        capture_output=True,
        text=True,
    )
    assert listed.stdout.split() == [*processes.NAMES]
