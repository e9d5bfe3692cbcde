"""Validation of options (seeds, counts, numbers, flags, lists), and the progress bar.

A function hands its `Progress` to those that it calls, and one bar shows all work of a call.  Work
may contain work, as a share of its units.  Threads that share a `Progress` have a bar each.
"""

from __future__ import annotations

import math
import os
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from prfast.inputs.concurrency import lock
from prfast.inputs.errors import WrongType, WrongValue, kind_of

MEMORY = 256_000_000  # default of options `memory`: bytes for temporary arrays beside the inputs
TIES = ("closed", "open")

RandomState: TypeAlias = (
    "int | np.random.Generator | np.random.RandomState | np.random.SeedSequence | None"
)
"""Type of an option `random_state`."""


def read_seed(random_state: RandomState) -> int:
    """Return the seed to use and to record, an integer in [0, 2**32).

    It is an integer `random_state` itself, random for None, or drawn from a generator of NumPy.
    """
    if random_state is None:
        import secrets  # loads hashlib: only where it is needed

        return secrets.randbits(32)
    if isinstance(random_state, int | np.integer) and not isinstance(random_state, bool):
        if not 0 <= random_state < 2**32:
            text = f"an integer in [0, 2**32) expected, got {random_state}"
            raise WrongValue("random_state", text)
        return int(random_state)
    match random_state:  # after integers, as mentioning `np.random` imports it
        case np.random.Generator():
            return int(random_state.integers(2**32))
        case np.random.RandomState():
            return int(random_state.randint(2**32, dtype=np.uint64))
        case np.random.SeedSequence():
            return int(random_state.generate_state(1)[0])
    text = f"an integer, None or a generator of NumPy expected, got {kind_of(random_state)}"
    raise WrongType("random_state", text)


def stream(seed: int, purpose: str) -> np.random.Generator:
    """Return a generator for one purpose of a seed, independent of those for other purposes.

    Samples are often drawn with default_rng(0) and then split with seed 0.  From the same stream,
    the split would depend on the numbers that generated the samples.
    """
    key = int.from_bytes(purpose.encode())
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(key,)))


def read_count(name: str, value: Any, *, at_least: int = 1, at_most: int | None = None) -> int:
    """Return an integer option in [at_least, at_most]."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise WrongType(name, f"an integer expected, got {kind_of(value)}")
    if value < at_least:
        raise WrongValue(name, f"an integer of at least {at_least} expected, got {value}")
    if at_most is not None and value > at_most:
        raise WrongValue(name, f"an integer of at most {at_most} expected, got {value}")
    return int(value)


def read_list(name: str, values: Any, single: tuple[type, ...]) -> list[Any]:
    """Return one value of the types `single`, or the items of an iterable, as a nonempty list."""
    if isinstance(values, single):
        return [values]
    try:
        items = list(values)
    except TypeError:
        items = [values]  # the validation of the items will refuse it
    if not items:
        raise WrongValue(name, "at least one expected, got none")
    return items


def check_named(name: str, values: Any, kind: str) -> None:
    """Raise WrongType unless this is a mapping of names, at least one, to this kind of values."""
    if not isinstance(values, Mapping) or not values:
        got = "an empty one" if isinstance(values, Mapping) else kind_of(values)
        raise WrongType(name, f"a mapping of names to {kind} expected, got {got}")
    for key in values:
        if not isinstance(key, str):
            raise WrongType(name, f"names that are strings expected, got {key!r}")


def read_number(name: str, value: Any, low: float, high: float, ends: str = "[]") -> float:
    """Return a real option in an interval; ends: "(" or "[", ")" or "]", whether they belong."""
    if isinstance(value, bool | np.bool_) or not isinstance(
        value, int | float | np.integer | np.floating
    ):
        raise WrongType(name, f"a number expected, got {kind_of(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf if value > 0 else -math.inf
    is_end = (number == low and ends[0] == "(") or (number == high and ends[1] == ")")
    if is_end or not low <= number <= high:
        interval = f"{ends[0]}{low:g}, {high:g}{ends[1]}".replace("inf", "∞")
        raise WrongValue(name, f"a number in {interval} expected, got {value}")
    return number


def read_positive(name: str, value: Any, *, finite: bool = False) -> float:
    """Return a positive real option, ∞ included unless `finite`."""
    return read_number(name, value, 0.0, math.inf, "()" if finite else "(]")


read_share = partial(read_number, low=0.0, high=1.0, ends="()")  # (name, value)


def read_flag(name: str, value: Any) -> bool:
    """Return an option that is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise WrongType(name, f"True or False expected, got {value!r}")
    return bool(value)


def is_word(value: Any, *words: str) -> bool:
    """Return whether a value is one of these strings; for an array `in` alone would raise."""
    return isinstance(value, str) and value in words


def read_ties(ties: str) -> bool:
    """Return whether the option `ties` is that of closed balls, d <= r."""
    if not is_word(ties, *TIES):
        raise WrongValue("ties", f"'closed' (d <= r) or 'open' (d < r) expected, got {ties!r}")
    return ties == "closed"


# ---- the progress bar --------------------------------------------------------------------------


DELAY = 2.0  # seconds until a bar appears if `progress` is None
INTERVAL = 0.1  # seconds between updates
_FORMAT = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"


@dataclass
class _Work:
    """Total and remaining units of a piece of work, and its share of the bar."""

    total: float
    left: float
    size: float
    name: str


@dataclass(eq=False)
class Progress(threading.local):
    """A progress bar on standard error, unless that is closed or missing.

    visible: True shows it at once, False never; None in a terminal or a notebook, for work of more
    than two seconds.
    """

    visible: bool | None = None
    _bar: Any = field(default=None, init=False)
    _open: list[_Work] = field(default_factory=list, init=False)

    @contextmanager
    def work(self, total: float, name: str = "", share: float = 1.0) -> Iterator[None]:
        """Begin `total` units of work: `share` units of the work around it.

        At the end of the block all units count as done.
        """
        around, depth = self._open[-1] if self._open else None, len(self._open)
        place, ipython = sys.stderr, sys.modules.get("IPython")  # None without a console
        is_open = hasattr(place, "flush") and not getattr(place, "closed", False)
        if around is None and self.visible is None and is_open:
            shell = None if ipython is None else ipython.get_ipython()
            is_notebook = shell is not None and "IPKernelApp" in shell.config
            is_open = is_notebook or (hasattr(place, "isatty") and place.isatty())
        if around is None and self.visible is not False and is_open:
            with lock(warnings), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # tqdm warns in a notebook without widgets
                from tqdm.auto import tqdm

            class Bar(tqdm):  # type: ignore[misc]
                monitor_interval = 0  # no monitor thread: it would outlive the bar

            delay = DELAY if self.visible is None else 0
            # Steps are rare and take uneven times: each may update the bar, near the mean speed.
            options = {"mininterval": INTERVAL, "miniters": 0, "smoothing": 0.05, "delay": delay}
            self._bar = Bar(desc=name, total=1.0, bar_format=_FORMAT, leave=False, **options)
        if self._bar is None:
            yield
            return
        size = 1.0 if around is None else around.size * min(share, around.left) / around.total
        work = _Work(total or 1.0, total or 1.0, size, name)
        self._open.append(work)
        try:
            self._update(0)
            yield
            self.advance(work.left)
        finally:
            del self._open[depth:]
            if around is None:
                self._bar.close()
                self._bar = None
        if around is not None:
            around.left = max(0.0, around.left - share)

    def advance(self, units: float = 1) -> None:
        """Add units to the finished part of the innermost work."""
        if not self._open:
            return
        work = self._open[-1]
        step = min(units, work.left)
        work.left -= step
        self._update(work.size * step / work.total)

    def _update(self, step: float) -> None:
        names = ", ".join(work.name for work in self._open if work.name)
        # Names of files may have characters that control a terminal.
        names = "".join(sign if sign.isprintable() else "?" for sign in names)
        self._bar.set_description_str(names, refresh=False)
        self._bar.update(min(step, 1.0 - self._bar.n))  # shares are rounded

    def __reduce__(self) -> tuple[Any, ...]:
        return Progress, (self.visible,)


ProgressOption: TypeAlias = bool | Progress | None  # a `Progress` is that of a calling function


def read_progress(value: Any) -> Progress:
    """Return a `Progress` for True, False or None; that of a calling function unchanged."""
    if isinstance(value, Progress):
        return value
    if value is None:
        return Progress(False if os.environ.get("PRFAST_PROGRESS") == "0" else None)
    if isinstance(value, bool | np.bool_):
        return Progress(bool(value))
    raise WrongType("progress", f"True, False or None expected, got {value!r}")
