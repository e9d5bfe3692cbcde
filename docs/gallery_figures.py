"""The figures of docs/gallery.md, drawn by the code blocks above them."""

import re
from pathlib import Path

PAGE = Path(__file__).with_name("gallery.md")
BLOCK = re.compile(r"```python\n(.*?)```|```\{image\} _figures/(\w+)\.png", re.DOTALL)


def figures():
    """(name, figure) of every picture: `figure`, as the blocks before it have left it."""
    names = {}
    for code, name in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if name:
            yield name, names.pop("figure")
        else:
            exec(compile(code, str(PAGE), "exec"), names)
