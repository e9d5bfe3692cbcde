"""Files that are read and written, and features of images."""

TABLE = r"""
@@ system/files/test_csv.py
# prfast/files/tables.py: a row with a cell too many is read where columns are chosen
~if len(cells) «!= → <» len(first):
# prfast/files/tables.py: a cell in quotes is several
~lines = csv.reader(«file → file, quotechar=None, quoting=csv.QUOTE_NONE»)
# prfast/files/tables.py: numbers of columns are samples
~len(first) >= «4 → 5» and first ==
# prfast/files/tables.py: row numbers of a .csv file are a feature
~if «selection.columns is None and not first[0] → False» else None
# prfast/files/tables.py: columns to drop are chosen
~for name in chosen if name «not in → in» out]

@@ public/test_load.py
# prfast/files/readers.py: a .npy file is loaded, not mapped
~return «np.lib.format.open_memmap(path, mode="r") → np.load(path, allow_pickle=False)»
# prfast/files/readers.py: pickles are read
~NpzFile(file, allow_pickle=«False → True»)
# prfast/files/readers.py: an unknown key stands for the only array
~if «key is None and len → len»(names) == 1:
# prfast/files/readers.py: a colon in a file's own name begins a key
~if match is «None or os.path.exists(path) → None»:
# prfast/files/readers.py: bfloat16 is shifted by a bit less
~(upper << «16 → 15»)

@@ system/files/test_labels.py
# prfast/files/readers.py: labels 01 and 1 are one class
~integers[i] = «numbers if numbers.astype(np.str_).tolist() == labels else None → numbers»
# prfast/files/readers.py: labels of two files are of two kinds
~if «all → any»(labels is not None for labels in integers):

@@ system/files/test_sidecar.py
# prfast/files/write.py: a file that is replaced loses its permissions
~«shutil.copymode(target, draft) → pass»
# prfast/files/write.py: a writer that fails leaves its draft
-            os.unlink(draft)
-
+            pass
+
# prfast/files/write.py: a link is replaced, not what it points to
-    target = os.path.realpath(path)
-    root
+    target = os.path.abspath(path)
+    root
# prfast/files/write.py: the record of other numbers is read
~if record.pop("crc32", None) «!= _ends_crc(path) → is None»:

@@ internal/features/test_extract.py
# prfast/features/pictures.py: images are read in the order of the disk
~names = sorted(«by_name → by_name, reverse=True»)
# prfast/features/pictures.py: the checksum of inputs forgets their names
~total.update(«name.encode() + b"\0" + hashlib.sha256 → hashlib.sha256»(content).digest())
# prfast/features/extraction.py: items of two shapes come in the order of their shapes
~groupby(«batch → sorted(batch, key=np.shape)», key=lambda item: tuple(item.shape))
# prfast/features/extraction.py: a file of other inputs is taken for this one
~if record_of(found) «!= record → is None»:
"""
