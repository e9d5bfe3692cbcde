"""The chapter's essay names every file, and draws every one that imports another."""

import re
from pathlib import Path

from prfast import divergences

FILES = {path.stem: path for path in Path(divergences.__file__).parent.glob("[!_]*.py")}
IMPORT = re.compile(r"^from prfast\.divergences(?:\.(\w+))? import (\w+)", re.M)


def test_every_file_stands_in_the_list():
    listed = re.findall(r"^    (\w+) +(?![─┬ ])", divergences.__doc__, re.M)
    assert set(FILES) <= set(listed)


def test_every_import_has_both_its_ends_in_the_picture():
    drawn = {
        word for line in divergences.__doc__.splitlines() if "─" in line for word in line.split()
    }
    edges = {
        (name, file or own)
        for name, path in FILES.items()
        for file, own in IMPORT.findall(path.read_text(encoding="utf-8"))
    }
    assert ("interpolated", "sums") in edges
    assert {end for edge in edges for end in edge} <= drawn
    assert set(FILES) - drawn == {"bayes_error"}
