"""Linear algebra on one thread: from the first call on, and until the last of several ends."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from prfast.inputs.concurrency import one_blas_thread


def limits(user_api):
    from threadpoolctl import threadpool_info

    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == user_api]


def set_blas(numbers):
    from threadpoolctl import ThreadpoolController

    libraries = ThreadpoolController().select(user_api="blas").lib_controllers
    with ThreadPoolExecutor(1) as thread:  # which has no control of them once it has ended
        for library, number in zip(libraries, numbers, strict=True):
            thread.submit(library.set_num_threads, number).result()


@pytest.fixture(autouse=True)
def two_threads():
    """Every BLAS has two threads, whatever the environment of the tests says."""
    with one_blas_thread():
        pass  # NumPy, SciPy and scikit-learn are loaded
    before = limits("blas")
    if not before:
        pytest.skip("threadpoolctl does not know this BLAS")
    set_blas([2] * len(before))
    yield
    set_blas(before)


class Caller:
    """A caller in a thread of its own, or in this one."""

    def __init__(self, thread=None):
        self.thread, self.block = thread, None

    def do(self, step):
        if self.thread is None:
            getattr(self, step)()
        else:
            self.thread.submit(getattr(self, step)).result()

    def enter(self):
        self.block = one_blas_thread()
        self.block.__enter__()

    def leave(self):
        self.block.__exit__(None, None, None)


@pytest.fixture
def callers():
    """Yield callers of this thread, and of two other threads."""
    with ThreadPoolExecutor(1) as a, ThreadPoolExecutor(1) as b:
        yield {"this": Caller(), "a": Caller(a), "b": Caller(b)}


@pytest.mark.parametrize(("first", "second"), [("this", "a"), ("a", "this"), ("a", "b")])
@pytest.mark.parametrize("last", ["first", "second"])
def test_the_last_of_two_threads_restores_the_limit_whichever_it_is(callers, first, second, last):
    caller_1, caller_2 = callers[first], callers[second]
    caller_1.do("enter")
    assert set(limits("blas")) == {1}
    caller_2.do("enter")
    for caller in (caller_2, caller_1) if last == "first" else (caller_1, caller_2):
        assert set(limits("blas")) == {1}
        caller.do("leave")
    assert set(limits("blas")) == {2}


def test_openmp_is_limited_for_the_thread_alone(callers):
    of_thread = callers["a"].thread.submit
    before, before_here = of_thread(limits, "openmp").result(), limits("openmp")
    callers["a"].do("enter")
    assert set(of_thread(limits, "openmp").result()) <= {1}
    assert limits("openmp") == before_here
    callers["a"].do("leave")
    assert of_thread(limits, "openmp").result() == before
