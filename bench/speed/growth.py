"""All four neighbor curves against the number of samples: time, memory, and on to a million.

d = 64, k = √n, split in halves, all cores, each size beside a matrix product of its pairs.  --large
adds 200 000 + 200 000 samples, a single call of some minutes, and what it says of 10⁶ + 10⁶: 25
times the pairs, hence 25 times the time at least (k grows as well, from 316 to 707).  --size is of
that call: 1000000 takes the better part of an hour.
"""

import math
from argparse import ArgumentParser, Namespace
from statistics import median

from bench.machine import cores
from bench.measure import Measured, once, side_by_side
from bench.report import Figure, Findings
from bench.speed.clouds import Samples, add_kinds, chosen
from bench.speed.curves import contender, pairs
from bench.speed.evaluator import DIMS
from bench.speed.product import sgemm

PEAK_MB = 512
MILLION = 10**6


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--large", action="store_true", help="200 000 + 200 000 samples as well")
    parser.add_argument("--size", type=int, default=200_000, metavar="N", help="of --large")
    add_kinds(parser)


def run(options: Namespace) -> Findings:
    sizes = (100, 200) if options.tiny else (1000, 3000, 10_000, 30_000)
    large = 400 if options.tiny else options.size
    threads = 1 if options.tiny else cores()
    repeats = options.repeats or (2 if options.tiny else 7)
    note = "The peak is beyond the inputs; the copies made by the split are in it."
    findings = Findings(notes=[f"{threads} threads, {repeats} turns.  {note}"])
    for of in chosen(options, large, DIMS):
        # Of images as many as there are.
        here = list(dict.fromkeys(of.sized(n).size for n in sizes))
        results = {}
        for n in here:
            samples = of.sized(n)
            results[f"n={n}"] = contender(samples, threads)
            results[f"n={n}: sgemm"] = sgemm(pairs(samples), of.dim, threads)
        times = side_by_side(results, repeats)
        if options.large and of.size not in here:
            here.append(of.size)
            times[f"n={of.size}"] = once(contender(of, threads))
        judge(of, here, times, findings)
        findings.measured.update({of.besides + key: samples for key, samples in times.items()})
    return findings


def judge(of: Samples, sizes: list[int], times: dict[str, Measured], findings: Findings) -> None:
    """Add exponents, peaks, ratios to the product, and the time of a million."""
    main, figures = {n: times[f"n={n}"] for n in sizes}, findings.figures
    for n, before in zip(sizes[1:], sizes, strict=False):
        name = f"{of.besides}exponent from {before} to {n}"
        figures.append(Figure(name, exponent(main[before], main[n], n / before)))
    for n in sizes:
        findings.peak(f"{of.besides}n={n}: peak MB", main[n], PEAK_MB)
        if f"n={n}: sgemm" in times:
            name = f"{of.besides}n={n}: all four / sgemm"
            findings.ratio(name, main[n], times[f"n={n}: sgemm"], better="lower")
    last = sizes[-1]
    minutes = main[last].seconds[0] / 60 * (MILLION / last) ** 2
    figures.append(Figure(f"{of.besides}minutes for 10⁶, quadratic from {last}", minutes))


def exponent(under: Measured, over: Measured, times: float) -> float:
    """p such that the time grows like nᵖ."""
    return math.log(median(over.seconds) / median(under.seconds)) / math.log(times)
