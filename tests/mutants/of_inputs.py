"""Arrays, tables, options and what every other chapter uses."""

TABLE = """
@@ prfast/inputs/tables.py internal/inputs/test_tables.py
# columns in another order are compared as they lie
-if labels is None or labels == known or not _same_names(
+if labels is None or _same_names(name, labels, known, before) or not _same_names(
# selected columns keep their order
-order = [at[label] for label in labels]
+order = [*range(len(labels))]
# columns of any integers are matched by position
-return labels == [*range(len(labels))]
+return all(isinstance(one, int) for one in labels)
# a missing integer is a number
-    if missing.any():
+    if False:
# categories are numbers
-if dtype != nw.Object and not are_numbers:
+if False:
# integers of 128 bits are numbers
-inner.is_integer() and inner not in (nw.Int128, nw.UInt128)
+inner.is_integer()
# vectors may have another length than the first
-if rows and len(vector) != len(rows[0]):
+if False:
# integers beside vectors of floats are rounded
-    if stacked.dtype.kind == "f":
-
+    if False:
+
# a pandas table of one type is copied
-if len(dtypes) == 1 and isinstance(
+if len(dtypes) == 0 and isinstance(

@@ prfast/inputs/tables.py internal/inputs/test_arrays.py
# integers up to 2**54 are exact
--int(numbers.min())) > 2**53:
+-int(numbers.min())) > 2**54:

@@ prfast/inputs/arrays.py internal/inputs/test_tables.py
# a table of float32 and float64 is float32
-dtype = np.result_type(np.float32, *columns)
+dtype = np.float32

@@ prfast/inputs/arrays.py internal/inputs/test_arrays.py
# masked arrays lose their mask
-if ma is not None and isinstance(values, ma.MaskedArray):
+if False:
# a weight may be a negative zero
-return array + 0.0  # −0.0
+return array  # −0.0
# infinite weights
-bad = ~np.isfinite(array) if finite else np.isnan(array)
+bad = np.isnan(array)

@@ prfast/inputs/arrays.py internal/inputs/test_foreign.py
# memory of a GPU is main memory
-_MAIN_MEMORY = (1, 3, 11)
+_MAIN_MEMORY = (1, 2, 3, 11)

@@ prfast/samples/samples.py internal/samples/test_samples.py
# rows of a later block are counted from its start
-row = rows.start + int((~block
+row = int((~block

@@ prfast/samples/features.py internal/samples/test_features.py
# sets joined with one that has no record keep it
-alike = len(present) == len(arrays) and all(
+alike = len(present) > 0 and all(
# only the first two of several sets must be alike
-for name, values in recorded[1:]:
+for name, values in recorded[1:1]:
# features prepared in two ways are alike
-"layer", "prepare", "dtype")
+"layer", "dtype")
# rows of features lose their record
-return part if isinstance(key, tuple) else with_record(part, self.record)
+return part

@@ prfast/inputs/options.py internal/inputs/test_options.py
# a seed of 33 bits
-if not 0 <= random_state < 2**32:
+if not 0 <= random_state <= 2**32:
# 0 is a share
-partial(read_number, low=0.0, high=1.0, ends="()")
+partial(read_number, low=0.0, high=1.0, ends="[)")
# True is a count
-if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
+if not isinstance(value, int | np.integer):
# all purposes share one random stream
-spawn_key=(key,)
+spawn_key=(0,)

@@ prfast/inputs/concurrency.py internal/inputs/test_options.py
# no worker
-if n_jobs == 0:
+if False:

@@ prfast/samples/repetition.py internal/samples/test_repetition.py
# rows with equal hashes are equal
-differ = rows[(later_rows != firsts).any(axis=1)]
+differ = rows[:0]
# zeros of two signs differ
-np.float64) + 0.0).view(np.uint64)
+np.float64)).view(np.uint64)

@@ prfast/inputs/concurrency.py internal/inputs/test_concurrency.py
# a bounded map submits one call too many
-len(waiting) >= most:
+len(waiting) > most:
# a map that is closed goes on
-            cancel(task)
+            pass
# instances of cached properties share a value
-value = instance.__dict__[self.attrname] = self.func(instance)
+value = self.func(instance)

@@ prfast/inputs/concurrency.py internal/methods/test_partition.py
# as many workers as are asked for
-max(1, min(jobs, most))
+max(1, jobs)

@@ prfast/inputs/concurrency.py internal/kernels/test_blas.py
# the last caller leaves BLAS limited
-_limiter.restore_original_limits()
+pass
"""
