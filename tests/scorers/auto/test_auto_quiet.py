"""Warnings that are ignored for a while come back, also where several threads overlap."""

import threading
import warnings

import numpy as np
import pytest

from prfast.scorers.auto.mixtures import _fitted
from prfast.scorers.auto.quiet import quiet


def test_fewer_distinct_rows_than_cells_are_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _fitted(np.repeat(np.eye(3), 20, axis=0), 5, True, 0)


def test_the_last_of_two_threads_leaves_no_filter_behind():
    before = list(warnings.filters)
    entered, leave = threading.Event(), threading.Event()

    def first():
        with quiet():
            entered.set()
            leave.wait(10)

    def second():
        with quiet():
            first_thread.join(0.1)  # without a lock the first leaves meanwhile

    first_thread, second_thread = (threading.Thread(target=one) for one in (first, second))
    first_thread.start()
    assert entered.wait(10)
    second_thread.start()
    second_thread.join(0.05)
    leave.set()
    first_thread.join(), second_thread.join()
    assert warnings.filters == before
    with pytest.warns(UserWarning, match="heard"):
        warnings.warn("heard", stacklevel=1)
