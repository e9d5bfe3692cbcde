"""Cost of the method "auto": CPU and wall time over those of knn, peak memory.

10 000 + 10 000 samples, d = 64 and 512: one thread for CPU seconds, all cores for wall time; the
two take turns.  200 + 200 samples, d = 64, show what a call costs at least.
"""

from argparse import Namespace

from bench.contender import Contender
from bench.machine import cores
from bench.measure import spread
from bench.report import Figure, Findings
from bench.speed.clouds import Samples, prfast_call

RIVAL = "knn"
RATIOS = {64: 3.0, 512: 2.0}
FEW, FEW_MS = 200, 50.0  # samples of each set, and CPU milliseconds of a call
PEAK_MB = 512.0  # as in growth


def run(options: Namespace) -> Findings:
    size, dims = (200, (4, 8)) if options.tiny else (10_000, (64, 512))
    threads = 1 if options.tiny else cores()
    repeats = options.repeats or (2 if options.tiny else 5)
    note = f"{size} + {size} samples, {repeats} turns.  The first call loads its libraries."
    findings = Findings(notes=[note])
    for dim in dims:
        target = {"at_most": RATIOS[dim]} if dim in RATIOS else {}
        for jobs in sorted({1, threads}):
            label = f"d={dim}, {jobs} thr"
            contenders = {name: contender(name, size, dim, jobs) for name in ("auto", RIVAL)}
            result = findings.side_by_side(label, contenders, repeats)
            pair = result["auto"], result[RIVAL]
            findings.ratio(f"{label}: auto / {RIVAL}, CPU", *pair, cpu=True, **target)
            findings.ratio(f"{label}: auto / {RIVAL}, wall", *pair, **target)
            if jobs == 1:
                findings.peak(f"d={dim}: peak MB", result["auto"], PEAK_MB)
    few = {"auto": contender("auto", FEW, dims[0], 1)}
    call = findings.side_by_side(f"n={FEW}, 1 thr", few, 3 * repeats)["auto"]
    cost = spread([1000 * seconds for seconds in call.cpu_seconds])
    name, quartiles = f"n={FEW}, d={dims[0]}, 1 thr: CPU ms", (cost.low, cost.high)
    findings.figures.append(Figure(name, cost.median, quartiles, at_most=FEW_MS))
    return findings


def contender(method: str, size: int, dim: int, jobs: int) -> Contender:
    of = Samples("isotropic", size, dim)
    settings = {"of": of, "function": "pr_curve", "method": method, "n_jobs": jobs}
    return Contender(prfast_call, settings, jobs)
