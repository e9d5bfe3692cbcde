"""Ctrl-C ends a call, leaves no thread behind, and the next call is right."""

import os

import pytest
from interrupts import CALLS, interrupted

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs Linux")


@pytest.mark.parametrize("name", CALLS)
def test_an_interrupt_ends_the_call_and_leaves_no_thread(name):
    """`python -m tests.faults.interrupts` sends many more."""
    for ended in interrupted(name, 2, len(name)):
        assert not ended.fault(), ended
        assert not ended.met or ended.late < 10, ended  # 1 s on a machine that does nothing else
