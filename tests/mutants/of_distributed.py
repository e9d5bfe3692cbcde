"""Partitioned samples: files, validation, tasks on workers."""

TABLE = """
@@ system/distributed/test_shards.py
# prfast/distributed/shards.py: a file that was written again is read
~if _stamp«(self.path) != self.stamp → (self.path)[0] != self.stamp[0]»:
# prfast/distributed/shards.py: a range of a table takes more row groups than its rows allow
~if following - starts[-1] > «rows → 2 * rows» and cut > starts[-1]:
# prfast/distributed/shards.py: files of a pattern are sorted by characters, 10 before 9
~matching = sorted(glob.glob«(place), key=_natural → (place)»)
# prfast/distributed/shards.py: relative paths are those of the worker
~stamp, absolute = _stamp(path), «os.path.abspath(path) → path»

@@ system/distributed/test_reading.py
# prfast/distributed/samples.py: the row of an error is that within its partition
~raise «summary.error.below(int(lengths[:i].sum()), place) → summary.error»
# prfast/distributed/samples.py: the largest value of a set is that of its last partition
~largest = «max(summary.largest for summary in summaries) → summaries[-1].largest»
# prfast/distributed/samples.py: sets of different rows have one checksum
~«zlib.crc32(repr(checksums).encode()) → len(checksums)»,

@@ system/distributed/test_partitions.py
# prfast/distributed/samples.py: selected rows are counted from the first row of the set
~which = None if which is None else which «- offset → + 0»
# prfast/distributed/partitions.py: map_tasks submits all tasks at once
-        AHEAD * cluster.threads,
-        lambda
+        10**9,
+        lambda
# prfast/distributed/partitions.py: map_tasks leaves its tasks running after an error
~lambda handle: «cluster.cancel([handle]) → None»

@@ system/distributed/test_dask.py::test_threads_and_memory_are_those_of_all_workers
# prfast/distributed/dask.py: the memory of a task is that of the largest worker
~self.task_memory = «min → max»(shares, default=None)

@@ system/distributed/test_dask.py::test_gather_raises_the_error_of_a_task_and_cancels_the_others
# prfast/distributed/dask.py: tasks go on after an error
~«handle.release() → pass»

@@ internal/methods/auto/test_auto_partitions.py
# prfast/distributed/auto.py: blocks of "auto" are scored with the rows of the whole set
~np.where(block < n, «block - x.start → block», block + after)

@@ internal/neighbors/test_partitioned_sets.py
# prfast/distributed/block_lists.py: the lists of two parts have the same first row
~BlockLists(fill[after:], key[b], ref[b] + «to_first → to_second», limit[after:], Counter()),
# prfast/distributed/block_engine.py: queries for which lists fail keep the answer of their lists
~if «left.size → False»:
"""
