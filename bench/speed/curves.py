"""All four neighbor curves of 10 000 + 10 000 samples against one matrix product of their pairs.

k = √n, split in halves, all cores.  With h training and h evaluation samples of each set there are
2 h² pairs within the training sets and 4 h² between evaluation and training: 6 h² in one product.
prfast passes twice over the 4 h², for k-th distances and for counts.  The methods one by one are
shown beside it.
"""

from argparse import Namespace

from bench.contender import Contender
from bench.machine import cores
from bench.report import Findings
from bench.speed.clouds import Samples, add_kinds, chosen, prfast_call
from bench.speed.product import sgemm

METHODS = ("knn", "ipr", "parzen", "coverage")
TARGETS = {("isotropic", 64): 1.5, ("relu", 2048): 0.8, ("images", 512): 0.8}


add_options = add_kinds


def run(options: Namespace) -> Findings:
    threads = 1 if options.tiny else cores()
    findings = Findings(notes=[f"{threads} threads"])
    for of in chosen(options, 300 if options.tiny else 10_000):
        repeats = options.repeats or (2 if options.tiny else 11 if of.dim <= 64 else 3)
        contenders = {
            "all four": contender(of, threads),
            **{method: contender(of, threads, (method,)) for method in METHODS},
            "sgemm": sgemm(pairs(of), of.dim, threads),
        }
        result = findings.side_by_side(of.name, contenders, repeats)
        for name in ("all four", *METHODS):
            target = TARGETS.get((of.kind, of.dim)) if name == "all four" else None
            label = f"{of.name}: {name} / sgemm"
            findings.ratio(label, result[name], result["sgemm"], at_most=target, better="lower")
        findings.peak(f"{of.name}: peak MB, all four", result["all four"])
        findings.notes.append(
            f"{of.name}: {of.size} + {of.size} samples, sgemm is OpenBLAS "
            f"{result['sgemm'].answer}, {repeats} turns"
        )
    return findings


def pairs(of: Samples) -> float:
    """6 h², halves of `size` samples."""
    return 1.5 * of.size**2


def contender(of: Samples, threads: int, methods: tuple[str, ...] = METHODS) -> Contender:
    options = {"methods": methods, "k": "sqrt", "split": 0.5, "n_jobs": threads}
    return Contender(prfast_call, {"of": of, "function": "pr_curves", **options}, threads, len)
