"""Samples of files: each file of generated ones against the real ones; errors name the file."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from prfast.files.load import load_array


def of_each(options: argparse.Namespace, call: Callable[[Any, Any], Any]) -> list[Any]:
    """What `call` gives for the real file and each fake one; errors name the file."""
    real = load_array(options.real)
    found = []
    for path in options.fake:
        try:
            found.append(call(real, load_array(path)))
        except (ValueError, TypeError) as error:
            message = str(error)
            for name, file in (("real", options.real), ("fake", path), ("real and fake", path)):
                if message.startswith((f"{name}:", f"{name}[")):
                    message = f"{file}: {message}"
            message = message.replace("split: None expected", "--split: none expected", 1)
            raise ValueError(message) from None
    return found
