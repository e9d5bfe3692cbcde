"""The command line and records."""

TABLE = """
@@ prfast/cli/parser.py system/cli/test_refusals.py
# an error of the command line has status 0
-    _print("prfast: error: " + " ".join(message.split()), sys.stderr)
-    return 2
+    _print("prfast: error: " + " ".join(message.split()), sys.stderr)
+    return 0
# errors name arguments of Python in place of options
~«error.renamed(flag) if options and flag in options.flags else error → error»

@@ prfast/cli/parser.py system/cli/test_outputs.py
# control characters reach the terminal
~«text = _CONTROLS.sub → _CONTROLS.sub»(

@@ prfast/cli/files.py system/cli/test_refusals.py
# an output that is a link to an input is accepted
~if «os.path.realpath(path) in map(os.path.realpath, files) → path in files»:

@@ prfast/cli/files.py system/cli/test_cli_inputs.py
# files of models are not checked against each other
~            check_all_alike(«zip(self.paths, sets[1:], strict=False) → []»)

@@ prfast/cli/files.py system/cli/test_printed.py
# --split none is the method's own split
~split = «None → "auto"» if options.split == "none" else
# --option values are all text
~named[name] = «json.loads(value) → value»

@@ prfast/cli/commands.py system/cli/test_cli_curve.py
# prfast curve ignores --resolution for several files
~if len(names) > «1 and not given["resolution"] → 1»:

@@ prfast/cli/commands.py system/cli/test_printed.py
# --group-by keeps the labels as a feature
~options.drop = «[*(options.drop or ()), options.group_by] → options.drop»

@@ prfast/cli/rerun.py system/cli/test_rerun.py
# rerun ignores changed inputs
~status=int(bool(«differences or changed → differences»))
# rerun compares results rounded
~        if «old == current → old[:8] == current[:8]»:
# rerun takes numbers of any size as within their ±
~    return None not in «ends and bool(ends[0] <= current <= ends[1]) → ends»
# rerun takes the folder of the call for that of the record
~root = os.path.join(«os.path.dirname(os.path.abspath(options.record)) → os.getcwd()», before.folder

@@ prfast/cli/demo.py system/cli/test_demo.py
# the demo repeats samples of the real set
~fake_rows = [rows[«per_class : 2 * per_class → :per_class»] for rows in by_class]

@@ prfast/records/documents.py public/test_record.py
# a record leaves out the intervals of curves
~«**intervals, "curve" → "curve"»
# keys of a record are names as they are
~return «re.sub(r"[^A-Za-z0-9_]", "_", name) → name»

@@ prfast/records/documents.py system/cli/test_rerun.py
# a record of another format is read
~    if written «!= FORMAT → is None»:

@@ prfast/cli/files.py system/cli/test_rerun.py
# a record has the checksum of the first input for all
-records = [replace(x, **sums[x.path or ""]._asdict()) for x in records]
+records = [replace(x, **next(iter(sums.values()))._asdict()) for x in records]
"""
