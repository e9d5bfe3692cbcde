"""Arrays, tables, options and what every other chapter uses."""

TABLE = """
@@ internal/inputs/test_tables.py
# prfast/inputs/tables.py: columns in another order are compared as they lie
-if labels is None or labels == known or not _same_names(
+if labels is None or _same_names(name, labels, known, before) or not _same_names(
# prfast/inputs/tables.py: selected columns keep their order
~order = [«at[label] for label in labels → *range(len(labels))»]
# prfast/inputs/tables.py: columns of any integers are matched by position
~return «labels == [*range(len(labels))] → all(isinstance(one, int) for one in labels)»
# prfast/inputs/tables.py: integers of 128 bits are numbers
~inner.is_integer«() and inner not in (nw.Int128, nw.UInt128) → ()»
# prfast/inputs/tables.py: integers beside vectors of floats are rounded
-    if stacked.dtype.kind == "f":
-
+    if False:
+
# prfast/inputs/tables.py: a pandas table of one type is copied
~if len(dtypes) == «1 → 0» and isinstance(
# prfast/inputs/arrays.py: a table of float32 and float64 is float32
~dtype = «np.result_type(np.float32, *columns) → np.float32»

@@ internal/inputs/test_arrays.py
# prfast/inputs/tables.py: integers up to 2**54 are exact
~-int(numbers.min())) > 2**«53 → 54»:
# prfast/inputs/arrays.py: a weight may be a negative zero
~return «array + 0.0 → array»  # −0.0
# prfast/inputs/arrays.py: infinite weights
~bad = «~np.isfinite(array) if finite else np.isnan → np.isnan»(array)

@@ internal/inputs/test_foreign.py
# prfast/inputs/arrays.py: memory of a GPU is main memory
~_MAIN_MEMORY = (1, «3 → 2, 3», 11)

@@ internal/samples/test_samples.py
# prfast/samples/samples.py: rows of a later block are counted from its start
~row = «rows.start + int → int»((~block

@@ internal/samples/test_features.py
# prfast/comparison/reference.py: batches joined with one that has no record keep it
~have_records = «all → any»(record_of(array) is not None
# prfast/samples/features.py: only the first two of several sets must be alike
~for name, values in recorded[1«: → :1»]:
# prfast/samples/features.py: features prepared in two ways are alike
~"layer«", "prepare", " → ", "»dtype")
# prfast/samples/features.py: rows of features lose their record
~return «part if isinstance(key, tuple) else with_record(part, self.record) → part»

@@ internal/inputs/test_options.py
# prfast/inputs/options.py: a seed of 33 bits
~if not 0 <= random_state «< → <=» 2**32:
# prfast/inputs/options.py: 0 is a share
-partial(read_number, low=0.0, high=1.0, ends="()")
+partial(read_number, low=0.0, high=1.0, ends="[)")
# prfast/inputs/options.py: True is a count
~if «isinstance(value, bool | np.bool_) or not → not» isinstance(value, int | np.integer):
# prfast/inputs/options.py: all purposes share one random stream
~spawn_key=(«key → 0»,)

@@ internal/samples/test_repetition.py
# prfast/samples/repetition.py: rows with equal hashes are equal
~differ = rows[«(later_rows != firsts).any(axis=1) → :0»]
# prfast/samples/repetition.py: zeros of two signs differ
-np.float64) + 0.0).view(np.uint64)
+np.float64)).view(np.uint64)

@@ internal/inputs/test_concurrency.py
# prfast/inputs/concurrency.py: a bounded map submits one call too many
~len(waiting) «>= → >» most:
# prfast/inputs/concurrency.py: a map that is closed goes on
~            «cancel(task) → pass»
# prfast/inputs/concurrency.py: instances of cached properties share a value
~value = «instance.__dict__[self.attrname] = self.func → self.func»(instance)

@@ internal/methods/test_partition.py
# prfast/inputs/concurrency.py: as many workers as are asked for
~max(1, «min(jobs, most) → jobs»)

@@ internal/kernels/test_blas.py
# prfast/inputs/concurrency.py: the last caller leaves BLAS limited
~«_limiter.restore_original_limits() → pass»
"""
