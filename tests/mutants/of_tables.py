"""Tables: columns, encodings, attribution, comparisons; and the test of copies."""

TABLE = """
@@ prfast/inputs/frames.py internal/tables/test_table_columns.py
# columns: a missing cell is a level
~zip«(cells, missing, strict=True) if not gap → (cells, missing, strict=True)»]
# columns: each set has levels of its own
~for x in «columns.values() → [*columns.values()][:1]» for level in x.levels)]
# columns: 1 and 1.0 are two levels
~number % 1 == «0 → 2» else str(cell)
# columns: times of a zone are those of UTC
-series = series.dt.replace_time_zone(None)
+series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None) if dtype.time_zone else series
# columns: float32 as its bits
~known.to_numpy().astype«(np.float32).astype(np.str_).astype(np.float64) → (np.float64)»

@@ prfast/inputs/parts.py public/test_encode.py
# encoding: Monday is 3
~«(days + 3) → days» % 7
# encoding: an hour is a whole minute
~{"days": 86_400_000_000, "hours": «3_600_000_000 → 60_000_000»,
# encoding: capitals are letters like others
~"«A → a»" if sign.isupper() else

@@ prfast/tables/encoding.py public/test_encode.py
# encoding: ranks of equal numbers are the largest
~ranks = np.cumsum«(counts) - (counts - 1) / 2 → (counts)»
# encoding: equal counts of levels are in the order of the rows
~key=lambda i: «(-counts[i], levels[i]) → -counts[i]»
# encoding: a row of the fit counts itself
~if «not open_levels:  # a row of the fit would count itself, a later one would not → True:»
# encoding: values beyond the fit are its ends
~_BEYOND = «0.5 → 0.0»
# encoding: indicators have noise as numbers
~indicators += «[places] if step.is_category else [] → []»

@@ prfast/tables/encoding.py public/test_compare_tables.py
# encoding: decimals count at every resolution
~details += «places if step.is_detail else () → ()»

@@ prfast/estimate/column_shares.py internal/tables/test_attribution.py
# attribution: numbers have no kinds
~decimals = decimals_of(«cells → np.round(cells)»)
# attribution: a fold chooses its own classes
~in (number.sum(axis=0) «- → + 0 *» number, number)
# attribution: folds are independent
~_DEPENDENCE = «np.sqrt(2.0) → 0.5»
# attribution: pairs are not adjusted to their columns
~    return «factors[0], factors[1] → 0 * factors[0] + 1, 0 * factors[1] + 1»
# attribution: only the generated rows are adjusted
-common = np.minimum(*(share.sum(axis=axis, keepdims=True) for share in shares))
+common = shares[0].sum(axis=axis, keepdims=True)
# attribution: a fold knows its own levels
~level[«(group < FOLDS) & (group != fold) → group < FOLDS»]

@@ prfast/estimate/attribution.py internal/tables/test_attribution.py
# attribution: parts of cells are not compared
~[«classes, *(part for part in divided if len(part.texts) > 1) → classes»]
# attribution: repeated rows are independent
~sizes = «np.array(cells.effective_size) / cells.sizes → np.ones(2)»

@@ prfast/tables/comparison.py public/test_compare_tables.py
# compare_tables: rows of the other set
~in tables[«row["set"] → "real"»]}
# compare_tables: the encoding is fitted to the real rows alone
~encoding = fit_encoding([real, fake], «cells.sets → cells.sets, "real"»)

@@ prfast/tables/results.py public/test_compare_tables.py
# compare_tables: what copies say is said by a note as well
~«replace(self.curve.provenance, copied=None) → self.curve.provenance»

@@ prfast/files/tables.py system/cli/test_cli_tables.py
# tables: each file has types of its own
~or «len(set(by_path.values())) == 1 → True»:

@@ prfast/scalars/permutations.py public/test_copies.py
# copies: the binomial test, without hubs
~draws = rng.multivariate_hypergeometric(counts«, → [::-1],» n, size=PERMUTATIONS

@@ prfast/scalars/memorization.py public/test_copies.py
# copies: a density around training samples is copies as well
~density = «(f * within[near] - within[wide]) / (f - 1) → within[near]»
# copies: rows that are equal by chance have distances
~«_PAIRS[0 if overlap.is_rare else -1 :] → _PAIRS»
# copies: a sample that equals several counts fully for each
~weights += np.concatenate«(counts) / number → (counts)»
# copies: the second nearest is one of the repetitions
~np.concatenate«([train, held_out])[np.unique(pair.repetition.group)] → ([train, held_out])»

@@ prfast/samples/noise.py public/test_compare_tables.py
# noise: details stay at resolutions above 0
~«result[:, self.details] = 0.0 → pass»
"""  # noqa: E501
