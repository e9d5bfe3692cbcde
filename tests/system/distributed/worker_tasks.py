"""Functions that tests submit to workers: a task is a module-level function."""

import os
import signal
import time

from prfast.inputs.errors import WrongValue


def double(x):
    return 2 * x


def total(first, many, nested, group):
    """Return a sum over handles in a list, in a dictionary and in a NamedTuple."""
    return first + sum(many) + sum(nested["deep"]) + sum(group.partitions)


def refuse(name):
    raise WrongValue(name, "refused")


def sleep(seconds, value):
    time.sleep(seconds)
    return value


def die_once(mark, value):
    """Kill the worker in the first call; later calls return the value."""
    if not os.path.exists(mark):
        with open(mark, "w"):
            pass
        os.kill(os.getpid(), signal.SIGKILL)
    return value


def die():
    os.kill(os.getpid(), signal.SIGKILL)
