"""An error and the beginning of its message, stated literally."""

import re

import pytest


def refused(error, message):
    """`pytest.raises` for a message stated literally, from its beginning."""
    return pytest.raises(error, match="^" + re.escape(message))
