"""An error and the beginning of its message, stated literally."""

import builtins
import re
import sys

import pytest


def refused(error, message):
    """`pytest.raises` for a message stated literally, from its beginning."""
    return pytest.raises(error, match="^" + re.escape(message))


def rows(table):
    """Return the (call, error) of a table: a call, and below it, indented, the error with the
    beginning of its message, where "…" stands for any text.  Both may take several lines."""
    pairs = re.findall(r"((?:^\S.*\n)+)((?:^    .*\n)+)", table, re.MULTILINE)
    return [tuple(" ".join(map(str.strip, text.splitlines())) for text in pair) for pair in pairs]


def raised(error):
    """`pytest.raises` for an error of a table."""
    kind, _, message = error.partition(": ")
    pattern = re.escape(message).replace("…", ".*")
    return pytest.raises(getattr(builtins, kind), match=f"^{pattern}")


def refusals(table):
    """Return a test of each call of a table, by the names of the module that calls this.

    Names that occur in a table alone need a `noqa` where they are imported.
    """
    names = sys._getframe(1).f_globals

    @pytest.mark.parametrize(("call", "error"), rows(table))
    def test(call, error):
        with raised(error) as found:
            eval(call, dict(names))
        named = re.match(r"(\w+(?: and \w+)?): ", str(found.value))
        assert named is None or found.value.argument.startswith(named[1])

    return test
