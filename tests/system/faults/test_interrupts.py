"""Ctrl-C ends a call, leaves no thread behind, and the next call is right."""

import os

import pytest
from interrupts import CALLS, interrupted

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs Linux")


def check(name, signals):
    for ended in interrupted(name, signals, len(name)):
        assert not ended.fault(), ended
        assert not ended.met or ended.late < 10, ended  # 1 s on a machine that does nothing else


def test_an_interrupt_ends_the_call_and_leaves_no_thread():
    check("metrics", 2)


@pytest.mark.nightly
@pytest.mark.parametrize("name", CALLS)
def test_many_interrupts(name):
    """`python -m tests.system.faults.interrupts` sends more."""
    check(name, 8)
