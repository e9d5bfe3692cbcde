"""Killed processes and full disks: what was there stays, and what is done again is right."""

import json
import random
import subprocess
import sys
import time

import numpy as np
import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="signals and limits of Linux")
WAS = b"as it was"


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    np.save(tmp_path / "real.npy", rng.normal(size=(1500, 8)).astype(np.float32))
    np.save(tmp_path / "fake.npy", rng.normal(0.3, size=(1200, 8)).astype(np.float32))
    (tmp_path / "out.json").write_bytes(WAS)
    return tmp_path


@pytest.mark.nightly
def test_a_command_that_is_killed_leaves_the_old_file_or_the_whole_new_one(folder):
    command = [sys.executable, "-m", "prfast", "metrics", "real.npy", "fake.npy"]
    command += ["--json", "out.json"]
    start = time.monotonic()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    seconds, rng = time.monotonic() - start, random.Random(0)
    for _ in range(10):
        (folder / "out.json").write_bytes(WAS)
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as child:
            time.sleep(rng.uniform(0.3, 1.1) * seconds)
            child.kill()
        content = (folder / "out.json").read_bytes()
        assert content == WAS or json.loads(content)
        drafts = {path.name for path in folder.iterdir()} - {"real.npy", "fake.npy", "out.json"}
        assert len(drafts) <= 1  # a draft
        for name in drafts:
            (folder / name).unlink()


def limited(size, program):
    """Run a program whose files cannot grow beyond so many bytes."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))\n"
    return subprocess.run([sys.executable, "-c", limit + program], capture_output=True, text=True)


def test_a_write_that_does_not_fit_is_an_error_with_the_name_of_the_file(folder):
    program = f"""
import os, sys
from prfast.cli import main
os.chdir({str(folder)!r})
sys.exit(main("curve real.npy fake.npy --method knn --json out.json".split()))
"""
    there = {path.name for path in folder.iterdir()}
    ended = limited(1000, program)
    assert (ended.returncode, ended.stderr) == (2, "prfast: error: out.json: File too large\n")
    assert {path.name for path in folder.iterdir()} == there
    assert (folder / "out.json").read_bytes() == WAS


def test_features_that_do_not_fit_are_an_error_before_the_model_runs(tmp_path):
    program = f"""
import os
import numpy as np
from prfast.features import extract
os.chdir({str(tmp_path)!r})
pictures = np.zeros((200, 8, 8, 3), np.uint8)
try:
    extract(pictures, lambda some: some.reshape(len(some), -1).astype(np.float32), out="x.npy")
except OSError as error:
    print(error.errno, error.filename)
"""
    done = limited(20_000, program)
    assert done.stdout == "27 x.npy\n", done.stderr
    assert not [*tmp_path.iterdir()]


WORKERS = """
import os, signal, threading, time
import numpy as np, prfast
from prfast.inputs import concurrency
concurrency.usable_cores = lambda: 2

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


@pytest.mark.nightly
def test_a_worker_that_is_killed_is_an_error_and_the_next_call_is_right():
    done = subprocess.run([sys.executable, "-c", WORKERS], capture_output=True, text=True)
    assert done.stdout == "TerminatedWorkerError\nTrue\n", done.stderr
