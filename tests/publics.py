"""The public names: `__all__` of `PACKAGES` and what the reference lists (docs/api.rst,
docs/reference/), with the methods of its classes."""

import importlib
import inspect
import re
import sys
from pathlib import Path

import prfast

PACKAGES = (prfast, prfast.theory, prfast.reference, prfast.reference.papers)
# Records that users do not construct; each field has a docstring.
MADE_BY_THE_PACKAGE = ("prfast.curve.Provenance", "prfast.tables.encoding.ColumnEncoding")
DOCS = Path(__file__).parents[1] / "docs"
NAMED = re.compile(r"^\.\. auto(?:function|class|module):: (prfast\.[\w.]+)$", re.MULTILINE)


def names():
    """Return the paths of public functions, classes and modules."""
    pages = [DOCS / "api.rst", *(DOCS / "reference").glob("*.md")]
    result = {name for page in pages for name in NAMED.findall(page.read_text(encoding="utf-8"))}
    return sorted(result | set(exported()))


def exported():
    """Return the paths of all names in `__all__` of `PACKAGES`."""
    return [f"{package.__name__}.{name}" for package in PACKAGES for name in package.__all__]


def found_at(name):
    """Return the object of a path, or None where its optional dependency is missing."""
    module, _, last = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), last)
    except ImportError:
        return None


def things():
    """Yield (name, object); for a module its functions."""
    for name in names():
        thing = found_at(name)
        if inspect.ismodule(thing):
            for attribute, function in inspect.getmembers(thing, inspect.isfunction):
                if not attribute.startswith("_") and function.__module__ == name:
                    yield f"{name}.{attribute}", function
        else:
            yield name, thing


def callables():
    """Yield (name, function, docstring); the docstring of a class documents its constructor."""
    for name, thing in things():
        if inspect.isfunction(thing):
            yield name, thing, inspect.getdoc(thing)
        elif inspect.isclass(thing):
            is_made_here = name in MADE_BY_THE_PACKAGE
            if not is_made_here and inspect.isfunction(vars(thing).get("__init__")):
                yield name, thing, inspect.getdoc(thing)
            for method, member in inspect.getmembers(thing):
                function = getattr(member, "__func__", member)
                is_ours = inspect.isfunction(function) and function.__module__.startswith("prfast")
                if is_ours and not method.startswith("_"):
                    yield f"{name}.{method}", member, inspect.getdoc(function)


def docs_modules(*names):
    """Return modules that are in docs/, by which pages are written."""
    sys.path.insert(0, str(DOCS))
    try:
        return [importlib.import_module(name) for name in names]
    finally:
        sys.path.remove(str(DOCS))


def options(function):
    """Return {parameter: default} of parameters with a default."""
    parameters = inspect.signature(function).parameters.values()
    return {
        parameter.name: parameter.default
        for parameter in parameters
        if parameter.default is not parameter.empty
    }
