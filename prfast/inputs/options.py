"""Options: seeds, counts, numbers, shares, flags, and lists of them."""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np

from prfast.inputs.errors import WrongType, WrongValue, kind_of
from prfast.inputs.locks import warning_filter

MEMORY = 256_000_000  # bytes beside the inputs, where an option `memory` says nothing else
TIES = ("closed", "open")

RandomState: TypeAlias = (
    "int | np.random.Generator | np.random.RandomState | np.random.SeedSequence | None"
)
"""What an option `random_state` may be."""


def read_seed(random_state: RandomState, name: str = "random_state") -> int:
    """The seed to use and to record: `random_state` itself, a fresh one for None, or what a
    generator or a seed sequence of NumPy gives, which is drawn from once."""
    if random_state is None:
        import secrets  # loads hashlib: only where it is needed

        return secrets.randbits(32)
    if isinstance(random_state, bool | np.bool_) or not isinstance(random_state, int | np.integer):
        return _drawn_seed(name, random_state)
    if not 0 <= random_state < 2**32:
        raise WrongValue(name, f"an integer in [0, 2**32) expected, got {random_state}")
    return int(random_state)


def _drawn_seed(name: str, source: Any) -> int:
    """Looked at only where no number is given: `np.random` is not loaded before it is asked for."""
    match source:
        case np.random.Generator():
            return int(source.integers(2**32))
        case np.random.RandomState():
            return int(source.randint(2**32, dtype=np.uint64))
        case np.random.SeedSequence():
            return int(source.generate_state(1)[0])
    text = f"an integer, None or a generator of NumPy expected, got {kind_of(source)}"
    raise WrongType(name, text)


def read_count(name: str, value: Any, *, at_least: int = 1, at_most: int | None = None) -> int:
    """An integer option such as a number of runs."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise WrongType(name, f"an integer expected, got {kind_of(value)}")
    if value < at_least:
        raise WrongValue(name, f"an integer of at least {at_least} expected, got {value}")
    if at_most is not None and value > at_most:
        raise WrongValue(name, f"an integer of at most {at_most} expected, got {_short(value)}")
    return int(value)


def read_jobs(n_jobs: Any, name: str = "n_jobs") -> int | None:
    """How many at once: a number, −1 for every core, −2 for all but one and so on, as joblib counts
    them; or None, which each caller has its own meaning of."""
    if n_jobs is None:
        return None
    if isinstance(n_jobs, bool | np.bool_) or not isinstance(n_jobs, int | np.integer):
        raise WrongType(name, f"an integer expected, got {kind_of(n_jobs)}")
    if n_jobs == 0:
        raise WrongValue(name, "1 or more, or -1 for every core, expected, got 0")
    return int(n_jobs)


def _short(value: Any) -> str:
    """An integer as text, also where Python refuses so many digits."""
    return str(value) if abs(value) < 10**100 else "one of more than 100 digits"


def read_list(name: str, values: Any, single: tuple[type, ...]) -> list[Any]:
    """One value of these types, or several in any iterable, as a list that is not empty."""
    if isinstance(values, single):
        return [values]
    try:
        found = list(values)
    except TypeError:
        found = [values]  # whatever reads the items will say what is wrong with it
    if not found:
        raise WrongValue(name, "at least one expected, got none")
    return found


def read_number(name: str, value: Any, low: float, high: float) -> float:
    """A real option in [low, high]."""
    number = _read_real(name, value)
    if not low <= number <= high:
        wanted = f"[{low:g}, {high:g}]".replace("inf", "∞")
        raise WrongValue(name, f"a number in {wanted} expected, got {value}")
    return number


def read_positive(name: str, value: Any, *, finite: bool = False) -> float:
    """A positive real option, ∞ included unless `finite`."""
    number = _read_real(name, value)
    if not 0 < number <= math.inf or (finite and math.isinf(number)):
        wanted = "(0, ∞)" if finite else "(0, ∞]"
        raise WrongValue(name, f"a number in {wanted} expected, got {value}")
    return number


def _read_real(name: str, value: Any) -> float:
    if isinstance(value, bool | np.bool_) or not isinstance(
        value, int | float | np.integer | np.floating
    ):
        raise WrongType(name, f"a number expected, got {kind_of(value)}")
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def read_share(name: str, value: Any) -> float:
    """A share that leaves something on both sides: a number in (0, 1)."""
    share = _read_real(name, value)
    if not 0 < share < 1:
        raise WrongValue(name, f"a number in (0, 1) expected, got {value}")
    return share


def read_flag(name: str, value: Any) -> bool:
    """A switch: True or False."""
    if not isinstance(value, bool | np.bool_):
        raise WrongType(name, f"True or False expected, got {value!r}")
    return bool(value)


def is_word(value: Any, *words: str) -> bool:
    """Is it one of these words?  Of an array `in` would ask every number."""
    return isinstance(value, str) and value in words


def read_ties(ties: str) -> bool:
    """Is a ball closed, d <= r?"""
    if not is_word(ties, *TIES):
        raise WrongValue("ties", f"'closed' (d <= r) or 'open' (d < r) expected, got {ties!r}")
    return ties == "closed"


# One bar over all that a call does: work lies in work, and each is a share of the one around it.
#
#     with progress.work(3, "models"):              three units
#         with progress.work(n * m, "a.npy"):       one of them, in units of its own
#             progress.advance(1000)
#
# The object is handed down, to whatever is given `progress`; the outermost work opens the bar and
# closes it.  Threads that work at the same time with one `Progress` have a bar each.


DELAY = 2.0  # seconds before a bar that nobody asked for
INTERVAL = 0.1  # seconds between two looks of it
_FORMAT = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"


class Progress(threading.local):
    """A bar, or none.

    Parameters
    ----------
    shown : bool or None
        None: where somebody watches, a terminal or a notebook, and for work of more than two
        seconds; True: always, at once; False: never.  Without a standard error, never.
    """

    def __init__(self, shown: bool | None = None) -> None:
        self.shown = shown
        self._bar: Any = None
        self._open: list[_Work] = []

    @contextmanager
    def work(self, total: float, name: str = "", share: float = 1.0) -> Iterator[None]:
        """So many units of work; inside other work they are `share` units of that.  What was not
        told by the end is done by then."""
        around = self._open[-1] if self._open else None
        depth = len(self._open)
        if around is None:
            self._bar = self._new_bar(name)
        if self._bar is None:
            yield
            return
        size = 1.0 if around is None else around.size * min(share, around.left) / around.total
        one = _Work(total or 1.0, size, name)
        self._open.append(one)
        try:
            self._told(0)
            yield
            self.advance(one.left)
        finally:
            del self._open[depth:]
            if around is None:
                self._bar.close()
                self._bar = None
        if around is not None:
            around.left = max(0.0, around.left - share)

    def advance(self, units: float = 1) -> None:
        """So much of the innermost work is done."""
        if not self._open:
            return
        one = self._open[-1]
        step = min(units, one.left)
        one.left -= step
        self._told(one.size * step / one.total)

    def _told(self, step: float) -> None:
        named = ", ".join(one.name for one in self._open if one.name)
        self._bar.set_description_str(named, refresh=False)
        self._bar.update(min(step, 1.0 - self._bar.n))  # shares are rounded

    def _new_bar(self, name: str) -> Any:
        shown = is_watched() if self.shown is None else self.shown
        if not shown or not _is_open(sys.stderr) or not hasattr(sys.stderr, "flush"):
            return None
        with warning_filter("ignore"):  # of a notebook without widgets: a bar of text
            from tqdm.auto import tqdm

        class Bar(tqdm):  # type: ignore[misc]
            monitor_interval = 0  # no thread that outlives it

        delay = DELAY if self.shown is None else 0
        # Every step may be shown: they are far between.
        options = {"leave": False, "mininterval": INTERVAL, "miniters": 0, "delay": delay}
        options["smoothing"] = 0.05  # steps are of uneven length
        return Bar(desc=name, total=1.0, bar_format=_FORMAT, **options)

    def __reduce__(self) -> tuple[Any, ...]:
        return Progress, (self.shown,)


Shown: TypeAlias = bool | Progress | None
"""What an option `progress` may be; a `Progress` is that of a caller."""


class _Work:
    """What is left of some work, in its units, and its share of the bar."""

    def __init__(self, total: float, size: float, name: str) -> None:
        self.total, self.left, self.size, self.name = total, total, size, name


def read_progress(value: Any, name: str = "progress") -> Progress:
    """The option `progress`: True, False or None; or that of a caller, which is handed on."""
    if isinstance(value, Progress):
        return value
    if value is None or isinstance(value, bool | np.bool_):
        return Progress(None if value is None else bool(value))
    raise WrongType(name, f"True, False or None expected, got {value!r}")


def is_watched() -> bool:
    """Is standard error a terminal, or does a notebook run?"""
    isatty = getattr(sys.stderr, "isatty", None)  # some that stand in for it have none
    if isatty is not None and _is_open(sys.stderr) and isatty():
        return True
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and "IPKernelApp" in shell.config


def _is_open(stream: Any) -> bool:
    """Can it be written to?  It is None in a program without a console."""
    return hasattr(stream, "write") and not getattr(stream, "closed", False)
