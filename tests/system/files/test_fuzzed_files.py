"""Files with wrong bytes: what is in them, or one line that begins with the name of the file."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prfast

X = np.random.default_rng(0).normal(size=(12, 3))


def write_csv(path):
    path.write_text("a,b,c\n" + "\n".join(",".join(map(repr, row)) for row in X.tolist()) + "\n")


def write_parquet(path):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({name: X[:, i] for i, name in enumerate("abc")}), path)


def write_safetensors(path):
    pytest.importorskip("safetensors.numpy").save_file({"x": X}, path)


# What reads a file, and what writes one that is right.
FILES = {
    "x.npy": (prfast.load, lambda path: np.save(path, X)),
    "x.npz": (prfast.load, lambda path: np.savez(path, x=X)),
    "x.csv": (prfast.load, write_csv),
    "x.parquet": (prfast.load, write_parquet),
    "x.safetensors": (prfast.load, write_safetensors),
}


@pytest.fixture(scope="module", params=FILES)
def right(request, tmp_path_factory):
    """Return a file that is right, what reads it, and its bytes."""
    path = tmp_path_factory.mktemp("right") / request.param
    read, write = FILES[request.param]
    write(path)
    read(str(path))
    return path, read, path.read_bytes()


@st.composite
def damages(draw):
    """Draw changes of some bytes; places are shares of the file."""
    kinds = st.sampled_from(["change", "cut", "repeat", "insert"])
    edit = st.tuples(kinds, st.floats(0, 1), st.integers(1, 40), st.binary(min_size=1, max_size=8))
    return draw(st.lists(edit, min_size=1, max_size=3))


def damaged(content, damage):
    for kind, share, length, new in damage:
        at = round(share * len(content))
        before, these, after = content[:at], content[at : at + length], content[at + length :]
        content = {
            "change": before + new + content[at + len(new) :],
            "cut": before + after,
            "repeat": before + these + these + after,
            "insert": before + new + these + after,
        }[kind]
    return content


@given(damage=damages())
@settings(max_examples=40)
@pytest.mark.filterwarnings("ignore")
def test_a_damaged_file_is_read_or_named(right, damage):
    path, read, content = right
    copy = path.with_name("damaged" + path.suffix)
    copy.write_bytes(damaged(content, damage))
    try:
        read(str(copy))
    except (TypeError, ValueError, OSError, MemoryError) as error:
        message = str(error)
    else:
        message = None
    assert message is None or re.match(re.escape(str(copy)) + r"(\[.*\])?: \S", message), message
