"""Declarations of the public header are a record for its version: they change with that alone.

A struct, a type or a function that changes or goes raises PRFAST_ABI; functions that are added, and
members at the end of the table, raise PRFAST_ABI_ADDED.  Either needs a new file in `abi/`:

    python tests/system/embedding/test_abi.py
"""

import ctypes
import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import called
import pytest

import prfast
from prfast.kernels import capi

HEADER = Path(prfast.get_include()) / "prfast.h"
RECORDS = Path(__file__).with_name("abi")


def version(header):
    """(PRFAST_ABI, PRFAST_ABI_ADDED)."""
    named = dict(re.findall(r"^#define (PRFAST_ABI(?:_ADDED)?) (\d+)$", header, re.MULTILINE))
    return int(named["PRFAST_ABI"]), int(named["PRFAST_ABI_ADDED"])


def declarations(header):
    """Return a declaration a line, without comments and layout."""
    (text,) = re.findall(r"/\* \[declarations \*/(.*)/\* declarations\] \*/", header, re.DOTALL)
    text = " ".join(re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL).split())
    text = text.replace("PRFAST_PUBLIC ", "")
    lines, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}")
        if sign == ";" and not depth:
            lines.append(text[start : at + 1].strip())
            start = at + 1
    return lines


def record(of):
    return (RECORDS / "{}.{}.txt".format(*of)).read_text(encoding="utf-8").splitlines()


def test_the_header_is_what_was_written_down_for_its_version():
    header = HEADER.read_text(encoding="utf-8")
    assert declarations(header) == record(version(header))


def test_the_table_says_its_version_and_its_size():
    assert version(HEADER.read_text(encoding="utf-8")) == capi.ABI
    assert called.API.abi == capi.ABI[0]
    assert called.API.size == ctypes.sizeof(called.Api)
    (table,) = (line for line in record(capi.ABI) if line.endswith("} prfast_api;"))
    names = ["abi", "size", *re.findall(r"\(\*(\w+)\)", table)]
    assert names == [name for name, *_ in called.Api._fields_]


def test_every_function_is_in_the_table_and_for_cython():
    lines = record(capi.ABI)
    functions = {name for line in lines[:-1] for name in re.findall(r"\bprfast_(\w+)\(", line)}
    members = {name for name, *_ in called.Api._fields_}
    assert functions == members - {"size"}
    pxd = (HEADER.parents[1] / "__init__.pxd").read_text(encoding="utf-8")
    assert [*re.findall(r"\(\*(\w+)\)", pxd)] == [name for name, *_ in called.Api._fields_[2:]]


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("nm"), reason="no nm")
@pytest.mark.parametrize("name", ["capi", "distances", "masses", "monotone"])
def test_a_compiled_module_shows_its_entry_alone(name):
    file = importlib.import_module(f"prfast.kernels.{name}").__file__
    command = ["nm", "-D", "--defined-only", file]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert [line.split()[-1] for line in lines] == [f"PyInit_{name}"]


if __name__ == "__main__":
    text = HEADER.read_text(encoding="utf-8")
    target = RECORDS / "{}.{}.txt".format(*version(text))
    with target.open("x", encoding="utf-8") as file:  # what was written down stays
        file.writelines(f"{line}\n" for line in declarations(text))
