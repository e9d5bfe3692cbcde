"""Options: seeds, counts, numbers, shares, flags, and lists of them."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np

from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.kinds import kind_of

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
