"""The command line and records."""

TABLE = """
@@ system/cli/test_refusals.py
# prfast/cli/parser.py: an error of the command line has status 0
-    _print("prfast: error: " + " ".join(message.split()), sys.stderr)
-    return 2
+    _print("prfast: error: " + " ".join(message.split()), sys.stderr)
+    return 0
# prfast/cli/parser.py: errors name arguments of Python in place of options
~«error.renamed(flag) if options and flag in options.flags else error → error»
# prfast/cli/files.py: an output that is a link to an input is accepted
~if «os.path.realpath(path) in map(os.path.realpath, files) → path in files»:

@@ system/cli/test_outputs.py
# prfast/cli/parser.py: control characters reach the terminal
~«text = _CONTROLS.sub → _CONTROLS.sub»(

@@ system/cli/test_cli_inputs.py
# prfast/cli/files.py: files of models are not checked against each other
~            check_all_alike(«zip(self.paths, sets[1:], strict=False) → []»)

@@ system/cli/test_printed.py
# prfast/cli/files.py: --split none is the method's own split
~split = «None → "auto"» if options.split == "none" else
# prfast/cli/files.py: --option values are all text
~named[name] = «json.loads(value) → value»

@@ system/cli/test_rerun.py
# prfast/cli/rerun.py: rerun ignores changed inputs
~status=int(bool(«differences or changed → differences»))
# prfast/cli/rerun.py: rerun compares results rounded
~        if «old == current → old[:8] == current[:8]»:
# prfast/cli/rerun.py: rerun takes numbers of any size as within their ±
~    return None not in «ends and bool(ends[0] <= current <= ends[1]) → ends»
# prfast/cli/rerun.py: rerun takes the folder of the call for that of the record
~root = os.path.join(«os.path.dirname(os.path.abspath(options.record)) → os.getcwd()», before.folder
# prfast/records/documents.py: a record of another format is read
~    if written «!= FORMAT → is None»:
# prfast/cli/files.py: a record has the checksum of the first input for all
-records = [replace(x, **sums[x.path or ""]._asdict()) for x in records]
+records = [replace(x, **next(iter(sums.values()))._asdict()) for x in records]

@@ system/cli/test_demo.py
# prfast/cli/demo.py: the demo repeats samples of the real set
~fake_rows = [rows[«per_class : 2 * per_class → :per_class»] for rows in by_class]

@@ public/test_record.py
# prfast/records/documents.py: a record leaves out the intervals of curves
~«**intervals, "curve" → "curve"»
# prfast/records/documents.py: keys of a record are names as they are
~return «re.sub(r"[^A-Za-z0-9_]", "_", name) → name»
"""
