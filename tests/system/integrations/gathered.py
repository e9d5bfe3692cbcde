"""Code of the two processes in the tests of gathering; spawned, so in a file of its own."""

import numpy as np
import torch

from prfast.integrations.torchmetrics import GenerativePrecisionRecall

OPTIONS = {"methods": ["auto", "ipr", "kmeans"], "k": 4}


def batches(rank):
    """Return samples that a rank sees, {real: batches}: of unequal sizes, one of none."""
    rng = np.random.default_rng(rank)
    sizes = {True: ((30, 22), (41,)), False: ((19,), (25, 0, 33))}
    return {
        real: [rng.normal(0.0 if real else 0.4, 1.0, (size, 3)) for size in sizes_of_ranks[rank]]
        for real, sizes_of_ranks in sizes.items()
    }


def work(rank, world, folder):
    """Every case, and what it gives, in a file."""
    torch.set_num_threads(1)
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=world
    )
    try:
        torch.save({name: case(rank) for name, case in CASES.items()}, f"{folder}/{rank}.pt")
    finally:
        torch.distributed.destroy_process_group()


def all_samples(rank):
    """Twice: gathered, and gone on with the rank's own."""
    metric = GenerativePrecisionRecall(**OPTIONS)
    for real, rank_batches in batches(rank).items():
        for batch in rank_batches:
            metric.update(torch.from_numpy(batch), real)
    first = metric.compute()
    count = sum(map(len, metric.real_features))
    metric.update(torch.ones(3, 3, dtype=torch.float64) * rank, real=False)
    return {"first": first, "own": count, "second": metric.compute()}


def one_rank_without(rank):
    """The generated samples come from rank 1 alone, float32 ones."""
    metric = GenerativePrecisionRecall(methods="ipr", k=4, reset_real_features=False)
    for real, rank_batches in batches(rank).items():
        for batch in rank_batches if real or rank == 1 else ():
            metric.update(torch.from_numpy(batch).float(), real)
    return metric.compute()


def widths_that_differ(rank):
    metric = GenerativePrecisionRecall(methods="ipr", k=4)
    for real in (True, False):
        metric.update(torch.ones(9, 3 + rank), real)
    try:
        metric.compute()
    except ValueError as error:
        return str(error)


CASES = {each.__name__: each for each in (all_samples, one_rank_without, widths_that_differ)}
