"""Defaults of all options equal those in tests/defaults.txt, and the docs state them.

`python tests/test_defaults.py` writes the file; read its diff.
"""

import importlib
import inspect
import math
import re
from pathlib import Path

import numpy as np
import publics
import pytest

import prfast
from prfast.cli.options import COMMANDS
from prfast.cli.parser import new_parser

TABLE = Path(__file__).parent / "defaults.txt"
CALLED = {name: (function, text) for name, function, text in publics.callables()}
# Constructed by prfast, not by its users.
RESULTS = ("Metrics", "Difference", "Evaluation", "Shards", "Phi")


def methods():
    """Yield (method, its options); the default of options of `pr_curve`, such as k, is its None."""
    for name, row in prfast.methods.METHODS.items():
        yield name, publics.options(row)


def commands():
    """Yield (command, its options)."""
    for name, parser in new_parser(COMMANDS)[1].items():
        yield name, [one for one in parser._actions if one.option_strings and one.dest != "help"]


def lines():
    """Yield the lines of tests/defaults.txt."""
    for name, (function, _) in CALLED.items():
        if result := publics.options(function):
            yield f"{name}: {listed(result)}"
    for name, result in methods():
        yield f"method {name}: {listed(result)}"
    for name, result in commands():
        yield f"prfast {name}: {listed({x.option_strings[-1]: x.default for x in result})}"


def listed(result):
    return ", ".join(f"{key}={value!r}" for key, value in result.items())


def test_defaults_are_those_of_the_file():
    """Only optional dependencies that are not installed may be missing."""
    written = TABLE.read_text(encoding="utf-8").splitlines()
    result = list(lines())
    absent = [name for name in publics.names() if publics.found_at(name) is None]
    left = [line for line in written if not line.startswith(tuple(absent))] if absent else written
    assert result == left, "if the change is intended: python tests/test_defaults.py"


def spellings(value):
    """Return the ways to write a default in a text."""
    if isinstance(value, str):
        return [f'"{value}"' if value else "empty"]
    if isinstance(value, tuple):
        *most, last = [f'"{item}"' for item in value] or ["none"]
        return [", ".join(most) + " and " + last if most else last]
    if isinstance(value, float) and math.isinf(value):
        return ["∞" if value > 0 else "−∞"]
    if isinstance(value, float):
        return [
            repr(value),
            f"{value:g}",
            np.format_float_scientific(value, trim="-", exp_digits=1),
        ]
    if isinstance(value, bool) or value is None:
        return [str(value)]
    return [str(value), f"{value:_}", f"{value:,}".replace(",", " ")]


def with_referred(text, depth=3):
    """Return a docstring and those of the names X of "as for `X`" and "see `X`" in it."""
    text = " ".join((text or "").split())
    referred = re.findall(r"(?:[Aa]s for|[Ss]ee) `([\w.]+)`", text) if depth else ()
    for reference in referred:
        names = sorted((name for name in CALLED if f".{name}".endswith(f".{reference}")), key=len)
        text += "".join(f" {with_referred(CALLED[name][1], depth - 1)}" for name in names[:1])
    return text


@pytest.mark.parametrize(
    "name", [name for name in CALLED if name.rpartition(".")[2] not in RESULTS]
)
def test_docstrings_state_every_default(name):
    """After the name of the option; None may also be stated as "optional" or by what it means."""
    text = with_referred(CALLED[name][1])
    for option, value in publics.options(CALLED[name][0]).items():
        spelt = "|".join(map(re.escape, spellings(value)))
        stated = rf"(?<![\w.\"])({spelt})(?![\w\"]|\.\d)"
        stated += "|optional|default" if value is None else ""
        assert re.search(rf"\b{option}\b.*?({stated})", text), (option, value)


@pytest.mark.parametrize("name", prfast.methods.METHODS)
def test_pr_curve_states_the_defaults_of_every_method(name):
    """None means that the method chooses the value."""
    text = " ".join(inspect.getdoc(prfast.pr_curve).split())
    for option, value in dict(methods())[name].items():
        if option not in ("k", "progress"):  # its own parameter; said once, of "auto"
            spelt = f'"{value}"' if isinstance(value, str) else repr(value)
            whole = f"{value:_}" if type(value) is int else spelt
            forms = {f"{option}={spelt}", f"{option}={whole}"}
            assert any(re.search(rf"{re.escape(form)}(?![\w.]*\w)", text) for form in forms), forms


if __name__ == "__main__":
    TABLE.write_text("\n".join(lines()) + "\n", encoding="utf-8")
    importlib.invalidate_caches()
