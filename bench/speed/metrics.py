"""The default call of `metrics` against prdc, 10 000 + 10 000 samples, k = 5.

The default call has the four metrics of prdc, precision, recall, density and coverage, with closed
ties.  Beside it the four with `ties="open"`, as prdc has them, on which both must agree up to its
float32 distances, and all metrics (`which="all"`), most of which prdc lacks.  prdc takes eight
threads of joblib, as it always does.  Beside them one matrix product of the pairs within both sets
and between them.

Seconds of the clock with all cores, and CPU seconds with one thread and with all: of a busy machine
only these say something.
"""

from argparse import Namespace
from collections.abc import Callable
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.measure import Measured, side_by_side
from bench.report import Findings
from bench.speed.clouds import Samples, add_kinds, chosen, prfast_call
from bench.speed.product import sgemm

NAMES = ("precision", "recall", "density", "coverage")
DEFAULT, ALL, FOUR = "prfast default", "prfast all", "prfast"
OTHERS = (DEFAULT, ALL)
OURS: dict[str, dict[str, Any]] = {
    DEFAULT: {},
    ALL: {"which": "all"},
    FOUR: {"which": NAMES, "ties": "open"},
}
# prdc over the four names by the clock; over the default call and the four in CPU seconds.
CLOCK_TARGETS = {("isotropic", 64): 50, ("relu", 2048): 15}
TARGETS = {("isotropic", 64): (15, 35), ("images", 512): (8, 12), ("relu", 2048): (6, 10)}
DIMS = {"isotropic": (64,), "relu": (2048,)}
MOST = 2  # times the four names with open ties that the others may take
K = 5


add_options = add_kinds


def run(options: Namespace) -> Findings:
    thread_counts = [1] if options.tiny else sorted({1, cores()})
    findings = Findings(notes=[f"{', '.join(map(str, thread_counts))} threads"])
    for of in chosen(options, 300 if options.tiny else 10_000, DIMS):
        for threads in thread_counts:
            measure(of, threads, threads == max(thread_counts), options, findings)
    return findings


def measure(of: Samples, threads: int, last: bool, options: Namespace, findings: Findings) -> None:
    """Add one kind of samples; last: the most threads, with which the clock is of interest too."""
    repeats = options.repeats or (2 if options.tiny else 7 if of.dim <= 64 else 3)
    mine = {"of": of, "function": "metrics", "k": K, "n_jobs": threads}
    result = side_by_side(
        {
            **{
                name: Contender(prfast_call, mine | options_of_call, threads, dict)
                for name, options_of_call in OURS.items()
            },
            "prdc": Contender(prdc, {"of": of}, threads, dict),
            "sgemm": sgemm(3 * of.size**2, of.dim, threads),
        },
        repeats,
    )
    agree(of.name, result[FOUR].answer, result["prdc"].answer)
    label = f"{of.name}, CPU of {threads} thread{'s' * (threads > 1)}"
    least = (None, None) if options.tiny else TARGETS.get((of.kind, of.dim), (None, None))
    for name, target in zip((DEFAULT, FOUR, ALL), (*least, None), strict=True):
        line, pair = f"{label}: prdc / {name}", (result["prdc"], result[name])
        findings.ratio(line, *pair, cpu=True, at_least=target, better="higher")
    for name in OTHERS:
        line, pair = f"{label}: {name} / {FOUR}", (result[name], result[FOUR])
        findings.ratio(line, *pair, cpu=True, at_most=MOST)
    if last:
        by_the_clock(of, result, findings)
        findings.notes.append(f"{of.name}: {of.size} + {of.size} samples, {repeats} turns")
    for name, value in result.items():
        findings.measured[f"{of.name}: {name}" + ("" if last else f", {threads} threads")] = value


def by_the_clock(of: Samples, result: dict[str, Measured], findings: Findings) -> None:
    for name in (DEFAULT, ALL, FOUR):
        least = CLOCK_TARGETS.get((of.kind, of.dim)) if name == FOUR else None
        line, pair = f"{of.name}: prdc / {name}", (result["prdc"], result[name])
        findings.ratio(line, *pair, at_least=least, better="higher")
        line, pair = f"{of.name}: {name} / sgemm", (result[name], result["sgemm"])
        findings.ratio(line, *pair, better="lower")
    for name, value in result.items():
        if name != "sgemm":
            findings.peak(f"{of.name}: peak MB of {name}", value)


def agree(label: str, ours: dict[str, float], theirs: dict[str, float]) -> None:
    for name in NAMES:
        if abs(ours[name] - theirs[name]) > 2e-3 * max(1, ours[name]):
            raise ArithmeticError(f"{label}: {name} differs: {ours}, {theirs}")


# ---- contenders --------------------------------------------------------------------------------


def prdc(of: Samples) -> Callable[[], Any]:
    from contextlib import redirect_stdout
    from io import StringIO

    from prdc import compute_prdc

    real, fake = of.draw()

    def call() -> Any:
        with redirect_stdout(StringIO()):  # it prints the sizes
            result = compute_prdc(real, fake, nearest_k=K)
        return {name: float(value) for name, value in result.items()}

    return call
