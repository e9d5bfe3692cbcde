"""The essay of the chapter lists its files in the order in which they import each other."""

import re
from pathlib import Path

from prfast import divergences

FILES = {path.stem: path for path in Path(divergences.__file__).parent.glob("[!_]*.py")}
IMPORT = re.compile(r"^from prfast\.divergences(?:\.(\w+))? import (\w+)", re.M)


def test_the_list_and_the_diagram_name_every_file():
    (diagram,) = (line for line in divergences.__doc__.splitlines() if "─" in line)
    order = re.findall(r"\w+", diagram)
    assert set(order) == set(FILES)
    assert re.findall(r"^    (\w+)  ", divergences.__doc__, re.M) == order


def test_files_import_those_before_them_in_the_diagram():
    (diagram,) = (line for line in divergences.__doc__.splitlines() if "─" in line)
    order = re.findall(r"\w+", diagram)
    for name, path in FILES.items():
        for module, imported in IMPORT.findall(path.read_text(encoding="utf-8")):
            assert order.index(module or imported) < order.index(name)
