"""python calls.py NAME: a call that keeps a state, again and again until no interrupt meets it.

Says "ready" before the first, "interrupted" for each that was, and the checksum of the last one's
result; what an interrupt leaves in the wrong state is an error.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

import prfast

rng = np.random.default_rng(0)
REAL = rng.normal(size=(1200, 6)).astype(np.float32)
FAKE = rng.normal(0.3, size=(1000, 6)).astype(np.float32)


def checksum(value: Any) -> str:
    digest = hashlib.sha256()

    def add(one: Any) -> None:
        if isinstance(one, dict):
            for name in sorted(one):
                digest.update(name.encode())
                add(one[name])
        elif isinstance(one, list | tuple):
            for each in one:
                add(each)
        elif isinstance(one, np.ndarray):
            digest.update(one.tobytes())
        elif hasattr(one, "to_dict"):
            add(one.to_dict())
        else:
            digest.update(repr(one).encode())

    add(value)
    return digest.hexdigest()


def of_update() -> tuple[Callable[[], Any], Callable[[], None]]:
    """The evaluator is what it was before the batch, or after it; radii that it has found meanwhile
    it may keep."""
    evaluator = prfast.Evaluator(REAL, "knn", 3)
    batches = [FAKE[i : i + 50] for i in range(0, 1000, 50)]
    states = []

    def seen() -> str:
        state = evaluator.state_dict()
        return checksum({name: state[name] for name in state if not name.startswith("radii")})

    for one in batches:
        states.append(seen())
        evaluator.update(one)
    states.append(seen())
    evaluator.reset()

    def check() -> None:
        assert seen() in states

    def call() -> Any:
        evaluator.reset()
        for one in batches:
            evaluator.update(one)
        return evaluator.compute()

    return call, check


def of_features() -> tuple[Callable[[], Any], Callable[[], None]]:
    """The same call goes on where it was interrupted."""
    from prfast.features import extract

    pictures = np.random.default_rng(3).integers(0, 256, (300, 8, 8, 3), np.uint8)

    def colours(images: Any) -> Any:
        return images.reshape(len(images), -1).astype(np.float32)[:, :6]

    def check() -> None:
        assert {*os.listdir()} <= {"x.npy", "x.json", "x.draft.npy", "x.draft.json"}, os.listdir()

    def call() -> Any:
        if os.path.exists("x.npy"):
            os.unlink("x.npy")
        return np.array(extract(pictures, colours, out="x.npy", batch_size=4))

    return call, check


CALLS = {
    "update": of_update,
    "features": of_features,
}


def main(name: str) -> None:
    call, check = CALLS[name]()
    found = None
    print("ready", flush=True)
    while found is None:
        interrupted = False
        try:
            found = call()
        except KeyboardInterrupt:
            interrupted = True
        if interrupted:  # its traceback is gone, and with it what it was met in
            for thread in threading.enumerate()[1:]:
                thread.join(1.0)  # one that has done its work may be about to end
            assert threading.active_count() == 1, threading.enumerate()
            print("interrupted", flush=True)
            check()
    print(checksum(found), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
