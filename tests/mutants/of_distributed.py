"""Partitioned samples: files, validation, tasks on workers."""

from __future__ import annotations

from mutant import Mutant

DISTRIBUTED = [
    Mutant(
        "a file that was written again is read",
        "prfast/distributed/shards.py",
        "if _stamp(self.path) != self.stamp:",
        "if _stamp(self.path)[0] != self.stamp[0]:",
        "distributed/test_shards.py",
    ),
    Mutant(
        "a range of a table takes more row groups than its rows allow",
        "prfast/distributed/shards.py",
        "if following - starts[-1] > rows and cut > starts[-1]:",
        "if following - starts[-1] > 2 * rows and cut > starts[-1]:",
        "distributed/test_shards.py",
    ),
    Mutant(
        "files of a pattern are sorted by characters, 10 before 9",
        "prfast/distributed/shards.py",
        "matching = sorted(glob.glob(place), key=_natural)",
        "matching = sorted(glob.glob(place))",
        "distributed/test_shards.py",
    ),
    Mutant(
        "relative paths are those of the worker",
        "prfast/distributed/shards.py",
        "stamp, absolute = _stamp(path), os.path.abspath(path)",
        "stamp, absolute = _stamp(path), path",
        "distributed/test_shards.py",
    ),
    Mutant(
        "the row of an error is that within its partition",
        "prfast/distributed/reading.py",
        "raise summary.error.below(int(lengths[:i].sum()))",
        "raise summary.error",
        "distributed/test_reading.py",
    ),
    Mutant(
        "the smallest value of a set is that of its last block",
        "prfast/distributed/reading.py",
        "min(summary.smallest for summary in summaries),",
        "summaries[-1].smallest,",
        "distributed/test_reading.py",
    ),
    Mutant(
        "the largest value of a set is that of its last block",
        "prfast/distributed/reading.py",
        "max(summary.largest for summary in summaries),",
        "summaries[-1].largest,",
        "distributed/test_reading.py",
    ),
    Mutant(
        "sets of different rows have one checksum",
        "prfast/distributed/reading.py",
        "zlib.crc32(repr(checksums).encode()),",
        "len(checksums),",
        "distributed/test_reading.py",
    ),
    Mutant(
        "partitions of any size are tried in any memory",
        "prfast/distributed/reading.py",
        "if cluster.task_memory is not None and needed > cluster.task_memory:",
        "if False:",
        "distributed/test_reading.py",
    ),
    Mutant(
        "map_tasks submits all tasks at once",
        "prfast/distributed/partitions.py",
        "        AHEAD * cluster.threads,\n        lambda",
        "        10**9,\n        lambda",
        "distributed/test_partitions.py",
    ),
    Mutant(
        "map_tasks leaves its tasks running after an error",
        "prfast/distributed/partitions.py",
        "lambda handle: cluster.cancel([handle])",
        "lambda handle: None",
        "distributed/test_partitions.py",
    ),
    Mutant(
        "selected rows are counted from the first row of the set",
        "prfast/distributed/partitions.py",
        "return Part(partitions, 0, which - offset, rows.start, rows.stop, self.exponent)",
        "return Part(partitions, 0, which, rows.start, rows.stop, self.exponent)",
        "distributed/test_partitions.py",
    ),
    Mutant(
        "scaled rows are not divided by their power of two",
        "prfast/distributed/partitions.py",
        "return np.ldexp(rows.astype(np.float64), -self.exponent)",
        "return rows.astype(np.float64)",
        "distributed/test_partitions.py",
    ),
    Mutant(
        "the memory of a task is that of the largest worker",
        "prfast/distributed/dask.py",
        "self.task_memory = min(shares, default=None)",
        "self.task_memory = max(shares, default=None)",
        "distributed/test_dask.py::test_threads_and_memory_are_those_of_all_workers",
    ),
    Mutant(
        "tasks go on after an error",
        "prfast/distributed/dask.py",
        "handle.release()",
        "pass",
        "distributed/test_dask.py::test_gather_raises_the_error_of_a_task_and_cancels_the_others",
    ),
    Mutant(
        'blocks of "auto" are scored with the rows of the whole set',
        "prfast/distributed/auto.py",
        "np.where(one < n, one - x.start, one + after)",
        "np.where(one < n, one, one + after)",
        "methods/auto/test_auto_partitions.py",
    ),
    Mutant(
        "the lists of two parts have the same first row",
        "prfast/distributed/block_lists.py",
        "BlockLists(fill[after:], key[b], ref[b] + first_start, limit[after:])",
        "BlockLists(fill[after:], key[b], ref[b] + second_start, limit[after:])",
        "neighbors/test_partitioned_sets.py",
    ),
    Mutant(
        "queries for which lists fail keep the answer of their lists",
        "prfast/distributed/block_engine.py",
        "if not left.size:",
        "if True:",
        "neighbors/test_partitioned_sets.py",
    ),
]
