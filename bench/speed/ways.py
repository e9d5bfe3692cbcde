"""Ways of the engine side by side: instruction sets, with and without what lies below float32.

A contender of prfast runs once in each way (`each_way`), and what each level of the filter decided
comes back with its answer (`watched`).
"""

from __future__ import annotations

import warnings
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from bench.contender import Contender
from bench.measure import Measured
from bench.results import Figure

FLOAT32 = " float32"
NOT_SLOWER = 1.05
# What decided a pair: keys of `NeighborSearch.work`, and how notes call them.
LEVELS = {
    "int8": "int8",
    "float32": "float32 filter",
    "differences": "float32 differences",
    "refined": "float64",
    "unfiltered": "float64 without a filter",
}


class Observation(NamedTuple):
    """An answer, and the work of the searches that computed it."""

    value: Any
    work: dict[str, int]


def add_isas(parser: ArgumentParser) -> None:
    text = "instruction sets to force, one after the other (PRFAST_ISA)"
    parser.add_argument("--isas", nargs="+", metavar="ISA", help=text)


def isas(options: Namespace) -> list[str]:
    """Return those of --isas, or the engine's own choice, which is ""."""
    from prfast.kernels.distances import ISAS

    for one in options.isas or ():
        if one not in ISAS:
            known = ", ".join(ISAS)
            raise SystemExit(f"{options.case}: --isas: some of {known} expected, got {one!r}")
    return options.isas or [""]


def each_way(name: str, contender: Contender, isas: list[str]) -> dict[str, Contender]:
    """Return the contender under each instruction set: "prfast", "prfast avx2"; beside each the
    same with the float32 filter alone, "prfast float32", where prfast knows how to be told so."""
    from prfast.neighbors import passes

    without = "float32" in getattr(passes, "FILTERS", ())
    results = {}
    for isa in isas:
        variables = {"PRFAST_ISA": isa} if isa else {}
        label = f"{name} {isa}" if isa else name
        results[label] = replace(contender, environment=variables)
        if without:
            variables = variables | {"PRFAST_FILTER": "float32"}
            results[label + FLOAT32] = replace(contender, environment=variables)
    return results


def new_ways(
    results: Mapping[str, Measured], name: str = "prfast"
) -> Iterator[tuple[str, Measured]]:
    """Yield the contenders whose names begin with `name` and that are not held to float32."""
    for key, one in results.items():
        if (key == name or key.startswith(f"{name} ")) and not key.endswith(FLOAT32):
            yield key, one


def never_slower(label: str, results: Mapping[str, Measured]) -> list[Figure]:
    """Each way over the same without int8."""
    return [
        Figure.of_ratio(
            f"{label}: {key} /{FLOAT32}", one, results[key + FLOAT32], at_most=NOT_SLOWER
        )
        for key, one in results.items()
        if key + FLOAT32 in results
    ]


# ---- what decided the pairs --------------------------------------------------------------------


def watched(call: Callable[[], Any]) -> Callable[[], Observation]:
    """Return the call, with the work of every search that it makes.  For the contender's
    process."""
    from prfast.neighbors import NeighborSearch

    quiet()
    searches: list[NeighborSearch] = []
    begin = NeighborSearch.__init__

    def remember(self: NeighborSearch, *args: Any, **named: Any) -> None:
        begin(self, *args, **named)
        searches.append(self)

    NeighborSearch.__init__ = remember  # type: ignore[method-assign]

    def seen() -> Observation:
        searches.clear()
        value = call()
        work: Counter[str] = Counter()
        for search in searches:
            work.update(search.work)
        searches.clear()
        return Observation(value, dict(work))

    return seen


def quiet() -> None:
    """Ignore, in the contender's process, that curves contradict metrics: they are not the
    subject."""
    import prfast

    warnings.simplefilter("ignore", prfast.Contradiction)


def answer(of: Callable[[Any], Any]) -> Callable[[Observation], Observation]:
    """Return the answer of a watched contender: `of` its value, and the work."""
    return partial(_answer, of)


def _answer(of: Callable[[Any], Any], seen: Observation) -> Observation:
    return Observation(of(seen.value), seen.work)


def decided(work: Mapping[str, int], pairs: float) -> str:
    """Return the share of the pairs that each level decided.  An engine that does not count
    those that the filter decides tells of the others, as shares of `pairs`."""
    counted = sum(work.get(key, 0) for key in LEVELS)
    complete = bool({"int8", "float32"} & work.keys())
    total = counted if complete else pairs
    shares = [
        f"{words} {100 * work.get(key, 0) / max(total, 1):.3g} %"
        for key, words in LEVELS.items()
        if work.get(key, 0) or key == "refined"
    ]
    text = "decided by " + ", ".join(shares) + ("" if complete else " of the pairs")
    fallback = work.get("fallback", 0)
    return text + (f"; {fallback} queries by reservoirs" if fallback else "")


def decided_notes(label: str, results: Mapping[str, Measured], pairs: float) -> list[str]:
    """Return a line a contender that was watched."""
    return [
        f"{label}: {key} {decided(one.answer.work, pairs)}"
        for key, one in results.items()
        if isinstance(one.answer, Observation)
    ]
