"""Reports, results and plots."""

TABLE = r"""
@@ prfast/report/write.py internal/report/test_page.py::test_names_are_text_everywhere
# the page does not escape names
-autoescape=True
+autoescape=False

@@ prfast/report/write.py internal/report/test_page.py
# the page has no notes
-"notes": [*differences.surest, *_remarks(compared, display), *notes],
+"notes": [*notes],
# a model of copies is compared
-if not x.curve.provenance.copies}
+}
# models are compared with that of the smallest area
-best = max(compared
+best = min(compared
# curves without counts end the report
-with suppress(ArgumentError):  # a
+with suppress(KeyError):  # a

@@ prfast/report/write.py internal/report/test_report.py
# extreme samples of every method are shown
-if is_table or not is_auto:
+if is_table or curve.scores is None:
# every set has extreme samples
-if abs(x["score"]) >= _FAR:
+if x["score"]:

@@ prfast/report/page.html.jinja internal/report/test_page.py::test_metrics_are_explained_by_their_rows
# smaller is better is not said
-{% if not larger_is_better %}
+{% if false %}

@@ prfast/results/values.py internal/results/test_results.py
# NaN goes to loggers
-for name, value in numbers if math.isfinite(value)}
+for name, value in numbers}
# two curves have one name for loggers
-while name in names:
+while False:
# cells of notebooks are not escaped
-}>{escaped(cell)}</td>"
+}>{cell}</td>"
# surrogates stay in HTML
-return html.escape(clean(text))
+return html.escape(str(text))
# a long table does not tell what is left out
-more = len(lines) - MOST
+more = 0

@@ prfast/results/values.py internal/results/test_frames.py
# rows of tables are numbered
-return data if self._index is None or data.empty else data.set_index(self._index)
+return data

@@ prfast/results/info.py internal/results/test_results.py
# records agree if one lacks an entry
-if all(key in info and info[key] == value for info in infos)
+if all(info.get(key, value) == value for info in infos)
# records keep NaN
-allow_nan=False, default
+allow_nan=True, default
# a record shares lists with its argument
-json.loads(json.dumps(value, allow_nan=False, default=of_python))
+value

@@ prfast/plots/views.py internal/plots/test_plots.py
# a band ends at the upper curve
-np.concatenate([above_x, x[::-1]])
+np.concatenate([above_x, above_x[::-1]])
# F_1/8 is drawn to the right
-for b in (beta, 1 / beta))
+for b in (1 / beta, beta))

@@ prfast/plots/drawing.py internal/plots/test_plots.py
# empirical bands have the dots of certified ones
-dashes = (0, (1, 1)) if band.certified else (0, (1, 3))
+dashes = (0, (1, 1))
# a curve that is a point has no marker
-line_style = {"marker": "o", "markersize": 6}
+pass
# $ begins a formula in labels
-return clean(text).replace("$", r"\$")
+return clean(text)
# lines whose colors repeat look alike
-cycle = i // len(palette) if colors is None else 0
+cycle = 0

@@ prfast/plots/views.py internal/plots/test_views_drawn.py
# the axes of frontiers show their tails
-1.05 * min(5 * middle, end) if middle > 1e-9 else 1.0
+1.05 * end if middle > 1e-9 else 1.0

@@ prfast/curve/picture.py internal/report/test_pictures.py
# lines of a report are upside down
-self.top + self.side * (1 - y)
+self.top + self.side * y

@@ prfast/plots/drawing.py internal/plots/test_plots.py
# pictures of notebooks are coarse
-dpi=SHARP * dpi
+dpi=dpi
"""  # noqa: E501
