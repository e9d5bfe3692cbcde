"""Habits of language that tire a reader, counted in pages, docstrings, comments and names.

The ceilings stand in tests/budget.toml.  `python tests/habits.py` lists the places.
"""

import ast
import re
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
GENERATED = {"metrics", "_build", "_figures"}  # folders of docs/
LONG = 25  # words of a sentence, at most
TEXT = {
    "openings": re.compile(r"^(?:Of|Where|By|Beyond|As|Said|With|What is)\b"),
    "clauses": re.compile(r", (?:of |for |in |from |at |on |by |to |with )?which\b|, so that\b"),
    "verbs": re.compile(r"\b(?:says?|sees?|asks?|knows?|hangs? together|stands? for)\b"),
    "ratios": re.compile(r"(?<![\w.\]])\.\d|\b(?:half|third|tenth|\w+teenth) of the time"),
}
# Lines that are no sentences: names of arguments with their types, names beside what they are.
TERMS = re.compile(
    r"^( *[\w, *]+ : .*\n|( *)[\w, *]+\n(?=\2 +\S)| *[\w./, ]*\w  +\S.*\n)", re.MULTILINE
)
NAMES = re.compile(r"(?:one|own|some|other|others|several|both|rest|known|of_\w+)")


def sentences(text):
    """Yield the sentences of Markdown or of a docstring; without code, tables and headings."""
    text = re.sub(r"```.*?```|^ *(?:>>>|\.\.\.) .*$", "\n\n", text, flags=re.DOTALL | re.MULTILINE)
    text = TERMS.sub(r"\1\n\n", text)
    for block in re.split(r"\n\s*\n|-{4,}|\n(?=\s*(?:[-*|#]|\d+\.|[\w, *]+ :) )", text):
        if not re.match(r"\s*[|#:<]", block):
            words = " ".join(re.sub(r"`[^`]*`", "x", block).split())
            yield from re.split(r"(?<=[.:;!?])\s+(?=[A-Z`\"(]|\w+: )", words)


def texts():
    """Yield the path and text of each page, and of each docstring and comment of the package."""
    pages = (ROOT / "docs").rglob("*.md")
    for path in [ROOT / "README.md", *(x for x in pages if not GENERATED & {*x.parts})]:
        yield path, path.read_text(encoding="utf-8")
    for path in (ROOT / "prfast").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                yield path, str(node.value.value)
        with tokenize.open(path) as file:
            tokens = list(tokenize.generate_tokens(file.readline))
        yield path, "\n\n".join(x.string[1:] for x in tokens if x.type == tokenize.COMMENT)


def found():
    """Yield the habit, path and sentence or name of each place."""
    for path, text in texts():
        for sentence in sentences(text):
            for habit, pattern in TEXT.items():
                for _ in pattern.finditer(sentence):
                    yield habit, path, sentence
            if len(sentence.split()) > LONG:
                yield "long sentences", path, sentence
    for folder in ("prfast", "tests", "bench"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                name = node.arg if isinstance(node, ast.arg) else getattr(node, "id", "")
                bound = isinstance(node, ast.arg) or isinstance(getattr(node, "ctx", 0), ast.Store)
                if bound and NAMES.fullmatch(name):
                    yield "names", path, name


def habits():
    return dict(Counter(habit for habit, *_ in found()))


if __name__ == "__main__":
    for habit, path, place in found():
        print(f"{habit}: {path.relative_to(ROOT)}: {place}")
    print(habits())
