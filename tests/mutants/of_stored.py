"""Mutants of what is saved and summed up by a checksum."""

TABLE = """
@@ public/test_evaluator_ways.py
# prfast/comparison/reference.py: batches stand in the other order
~return Batches(self.name, «arrays → arrays[::-1]», record

@@ public/test_by_class.py
# prfast/comparison/classes.py: labels of two dtypes meet as float64
~«sorted(counts[0] | counts[1]) → np.unique(np.concatenate(labels)).tolist()»

@@ public/test_evaluator.py
# prfast/samples/samples.py: the checksum of a reference leaves out its last number
~zlib.crc32(np.ascontiguousarray(points).data.cast«("B") → ("B")[:-8]»)

@@ internal/samples/test_features.py
# prfast/samples/samples.py: a set forgets what its rows are features of
~labels_of(values), «record_of(values) → None»
# prfast/samples/samples.py: two sets of different models are compared
~check_alike("real", like, name, «values → like»)

@@ public/test_record.py
# prfast/records/documents.py: the checksum of a file ends with its first bytes
~return «hashlib.file_digest(file, "sha256") → hashlib.sha256(file.read(2))».hexdigest()
# prfast/records/documents.py: the checksum of an array ends with its first half
~hashlib.sha256(«rows.data → rows[: len(rows) // 2].data»)
# prfast/records/documents.py: the checksum of an array is of its bytes as they lie
~np.ascontiguousarray(«array, array.dtype.newbyteorder("<") → array»)
"""
