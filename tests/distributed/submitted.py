"""Functions that the tests submit: tasks are functions of modules."""

import os
import signal
import time

import numpy as np

from prfast.inputs.errors import WrongValue


def double(x):
    return 2 * x


def total(one, many, nested=None, group=None):
    """A sum over handles in lists, in dictionaries and in a NamedTuple."""
    found = one + sum(many)
    if nested is not None:
        found += sum(nested["deep"])
    return found if group is None else found + sum(group.pieces)


def refuse(name):
    raise WrongValue(name, "refused")


def slowly(seconds, value):
    time.sleep(seconds)
    return value


def die_once(mark, value):
    """The first time the worker dies."""
    if not os.path.exists(mark):
        with open(mark, "w"):
            pass
        os.kill(os.getpid(), signal.SIGKILL)
    return value


def die():
    os.kill(os.getpid(), signal.SIGKILL)


_filled = []


def fill(size):
    """Let the process hold so many bytes, for good."""
    import psutil  # what distributed needs has it

    missing = size - psutil.Process().memory_info().rss
    _filled.append(np.ones(int(missing), np.uint8))
