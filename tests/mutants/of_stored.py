"""What is merged, saved and summed up by a checksum."""

from __future__ import annotations

from mutant import Mutant

STORED = [
    Mutant(
        "merged batches stand in the other order",
        "prfast/comparison/batches.py",
        "both.arrays.append(both.read(batch))",
        "both.arrays.insert(0, both.read(batch))",
        "comparison/test_merged_evaluators.py",
    ),
    Mutant(
        "the merge forgets the other's real samples",
        "prfast/comparison/evaluator.py",
        "real.followed_by(others_real)",
        "real.copy()",
        "comparison/test_batches.py comparison/test_merged_evaluators.py",
    ),
    Mutant(
        "labels of two dtypes meet as float64",
        "prfast/comparison/classes.py",
        "sorted(counts[0] | counts[1])",
        "np.unique(np.concatenate([self.labels_real, self.labels_fake])).tolist()",
        "comparison/test_classes.py",
    ),
    Mutant(
        "the checksum of a reference leaves out its last number",
        "prfast/comparison/reference.py",
        'zlib.crc32(np.ascontiguousarray(real).data.cast("B"))',
        'zlib.crc32(np.ascontiguousarray(real).data.cast("B")[:-8])',
        "comparison/test_evaluator.py",
    ),
    Mutant(
        "an evaluator forgets what its reference is features of",
        "prfast/comparison/reference.py",
        "self.record = record_of(real)",
        "self.record = None",
        "inputs/test_features.py",
    ),
    Mutant(
        "two sets of different models are compared",
        "prfast/inputs/arrays.py",
        'check_alike("real", real, "fake", fake)',
        'check_alike("real", real, "fake", real)',
        "inputs/test_features.py",
    ),
    Mutant(
        "the checksum of a file ends with its first bytes",
        "prfast/records/documents.py",
        'return hashlib.file_digest(file, "sha256").hexdigest()',
        "return hashlib.sha256(file.read(2)).hexdigest()",
        "records/test_result_record.py",
    ),
    Mutant(
        "the checksum of an array ends with its first half",
        "prfast/records/documents.py",
        "hashlib.sha256(rows.data)",
        "hashlib.sha256(rows[: len(rows) // 2].data)",
        "records/test_result_record.py",
    ),
    Mutant(
        "the checksum of an array is of its bytes as they lie",
        "prfast/records/documents.py",
        'np.ascontiguousarray(array, array.dtype.newbyteorder("<"))',
        "np.ascontiguousarray(array)",
        "records/test_result_record.py",
    ),
]
