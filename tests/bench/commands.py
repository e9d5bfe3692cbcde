"""What the bench's tests share: its command, and features of images that are told apart."""

import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]


def bench(*arguments):
    command = [sys.executable, "-W", "error", "-m", "bench", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")


def write_features(path):
    """Nine classes of 40, far apart, as float16: what the cases of images read."""
    labels = np.repeat(np.arange(9, dtype=np.int8), 40)
    noise = np.random.default_rng(0).standard_normal((labels.size, 16))
    np.savez(path, features=(8 * np.eye(9, 16)[labels] + noise).astype(np.float16), labels=labels)
