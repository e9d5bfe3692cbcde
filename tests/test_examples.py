"""The docstring of every public function and class has a "See also", and an example that runs or
names in "See also" what has one."""

import doctest
import importlib
import inspect
import re

import pytest

import prfast

MODULES = [f"prfast.{name}" for name in prfast.__all__ if inspect.ismodule(getattr(prfast, name))]
MODULES = [
    *("prfast", *MODULES, "prfast.comparison", "prfast.reference.papers"),
    *("prfast.compat.prdc", "prfast.compat.prd_score"),
]
MOST = 5  # lines of an example


def documented():
    """Return {path: object} of the public functions and classes."""
    found = {}
    for path in MODULES:
        module = importlib.import_module(path)
        functions = [x for x, y in vars(module).items() if getattr(y, "__module__", "") == path]
        for name in getattr(module, "__all__", [x for x in functions if not x.startswith("_")]):
            thing = getattr(module, name)
            is_described = inspect.isfunction(thing) or inspect.isclass(thing)
            if is_described and thing not in found.values():
                found[f"{path}.{name}"] = thing
    return found


NAMES = documented()


def example_of(thing):
    """Return the statements of the example: lines after >>>, or code after "Example:"."""
    text = inspect.getdoc(thing)
    short = re.search(r"Example: ``(.+?)``", text)
    return [short[1]] if short else [x.source for x in doctest.DocTestParser().get_examples(text)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name for name in NAMES if example_of(NAMES[name])])
def test_the_example_of_a_docstring_runs(name, tmp_path, monkeypatch):
    statements = example_of(NAMES[name])
    assert sum(len(x.splitlines()) for x in statements) <= MOST
    monkeypatch.chdir(tmp_path)
    variables = {"prfast": prfast}  # `help(prfast.…)` is only asked after the import
    try:
        for statement in statements:
            exec(statement, variables)
    except ImportError as error:
        pytest.skip(str(error))
    finally:
        if "client" in variables:
            variables["client"].close()
