"""Tables: columns, encodings, attribution, comparisons; and the test of copies."""

TABLE = """
@@ internal/tables/test_table_columns.py
# prfast/inputs/frames.py: columns: a missing cell is a level
~zip«(cells, missing, strict=True) if not gap → (cells, missing, strict=True)»]
# prfast/inputs/frames.py: columns: each set has levels of its own
~for x in «columns.values() → [*columns.values()][:1]» for level in x.levels)]
# prfast/inputs/frames.py: columns: 1 and 1.0 are two levels
~number % 1 == «0 → 2» else str(cell)
# prfast/inputs/frames.py: columns: times of a zone are those of UTC
-series = series.dt.replace_time_zone(None)
+series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None) if dtype.time_zone else series
# prfast/inputs/frames.py: columns: float32 as its bits
~known.to_numpy().astype«(np.float32).astype(np.str_).astype(np.float64) → (np.float64)»

@@ public/test_encode.py
# prfast/inputs/parts.py: encoding: Monday is 3
~«(days + 3) → days» % 7
# prfast/inputs/parts.py: encoding: an hour is a whole minute
~{"days": 86_400_000_000, "hours": «3_600_000_000 → 60_000_000»,
# prfast/inputs/parts.py: encoding: capitals are letters like others
~"«A → a»" if sign.isupper() else
# prfast/tables/encoding.py: encoding: ranks of equal numbers are the largest
~ranks = np.cumsum«(counts) - (counts - 1) / 2 → (counts)»
# prfast/tables/encoding.py: encoding: equal counts of levels are in the order of the rows
~key=lambda i: «(-counts[i], levels[i]) → -counts[i]»
# prfast/tables/encoding.py: encoding: it is fitted to the rows of the first set alone
~values = «np.concatenate([column.values for column in columns]) → first.values»
# prfast/tables/encoding.py: encoding: indicators have noise as numbers
~indicators += «[places] if step.is_category else [] → []»

@@ public/test_compare_tables.py
# prfast/tables/encoding.py: encoding: decimals count at every resolution
~details += «places if step.is_detail else () → ()»
# prfast/tables/comparison.py: compare_tables: rows of the other set
~in tables[«row["set"] → "real"»]}
# prfast/samples/noise.py: noise: details stay at resolutions above 0
~«result[:, self.details] = 0.0 → pass»

@@ internal/tables/test_derived_columns.py
# prfast/samples/relations.py: relations: few missing cells hide one
~_PRESENT = «0.5 → 0.9»
# prfast/samples/relations.py: relations: a column of missing cells hides those of others
~np.sort(order«[complete >= enough] → »)

@@ internal/tables/test_attribution.py
# prfast/estimate/column_shares.py: attribution: numbers have no kinds
~decimals = decimals_of(«cells → np.round(cells)»)
# prfast/estimate/column_shares.py: attribution: a fold chooses its own classes
~in (number.sum(axis=0) «- → + 0 *» number, number)
# prfast/estimate/column_shares.py: attribution: folds are independent
~_DEPENDENCE = «np.sqrt(2.0) → 0.5»
# prfast/estimate/column_shares.py: attribution: pairs are not adjusted to their columns
~    return «factors[0], factors[1] → 0 * factors[0] + 1, 0 * factors[1] + 1»
# prfast/estimate/column_shares.py: attribution: a fold knows its own levels
~level[«(group < FOLDS) & (group != fold) → group < FOLDS»]
# prfast/estimate/attribution.py: attribution: parts of cells are not compared
~[«classes, *(part for part in divided if len(part.texts) > 1) → classes»]
# prfast/estimate/attribution.py: attribution: repeated rows are independent
~sizes = «np.array(cells.effective_size) / cells.sizes → np.ones(2)»

@@ system/cli/test_cli_tables.py
# prfast/files/tables.py: tables: each file has types of its own
~or «len(set(by_path.values())) == 1 → True»:

@@ public/test_copies.py
# prfast/scalars/permutations.py: copies: the binomial test, without hubs
~draws = rng.multivariate_hypergeometric(counts«, → [::-1],» n, size=PERMUTATIONS
# prfast/scalars/memorization.py: copies: a density around training samples is copies as well
~density = «(f * within[near] - within[wide]) / (f - 1) → within[near]»
# prfast/scalars/memorization.py: copies: a sample that equals several counts fully for each
~weights += np.concatenate«(counts) / number → (counts)»
# prfast/scalars/memorization.py: copies: the second nearest is one of the repetitions
~np.concatenate«([train, held_out])[np.unique(pair.repetition.group)] → ([train, held_out])»
"""  # noqa: E501
