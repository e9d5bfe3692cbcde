"""One bar over all that a call does: work lies in work, and each is a share of the one around it.

    with progress.work(3, "models"):              three units
        with progress.work(n * m, "a.npy"):       one of them, in units of its own
            progress.advance(1000)

The object is handed down, to whatever is given `progress`; the outermost work opens the bar and
closes it.  Threads that work at the same time with one `Progress` have a bar each.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np

from prfast.inputs.errors import WrongType
from prfast.inputs.locks import warning_filter

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
