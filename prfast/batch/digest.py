"""The name of a question: equal for equal questions, whoever asks, and in whichever process."""

from __future__ import annotations

import hashlib
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


def digest(value: Any) -> str:
    """Of a function of a module, numbers, arrays, and what is made of them."""
    total = hashlib.sha256()
    _add(total, value)
    return total.hexdigest()


def _add(total: Any, value: Any) -> None:
    if isinstance(value, np.ndarray):
        total.update(f"array {value.dtype.str} {value.shape};".encode())
        total.update(np.ascontiguousarray(value).tobytes())
    elif callable(value):
        total.update(f"{value.__module__}.{value.__qualname__};".encode())
    elif isinstance(value, list | tuple):
        total.update(f"{type(value).__name__} {len(value)};".encode())
        for one in value:
            _add(total, one)
    elif hasattr(value, "key"):  # what stands for the result of another question
        total.update(f"handle {value.key};".encode())
    elif is_dataclass(value):
        total.update(f"{type(value).__name__};".encode())
        for field in fields(value):
            if field.init:
                _add(total, getattr(value, field.name))
    elif value is None or isinstance(value, bool | int | float | str | np.generic):
        total.update(f"{type(value).__name__} {value!r};".encode())
    else:
        raise TypeError(f"digest: numbers, arrays and records expected, got {type(value).__name__}")
