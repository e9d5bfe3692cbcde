"""Ties, self and sides of neighbors; what scorers do; which samples train; tests of two samples."""

TABLE = """
@@ prfast/neighbors/tasks.py internal/methods/test_neighbors.py::test_pr_curves_equals_pr_curve
# a closed ball is open
-return d2 <= t if closed else d2 < t
+return d2 < t
# an open ball is closed
-return d2 <= t if closed else d2 < t
+return d2 <= t

@@ prfast/neighbors/tasks.py internal/methods/test_neighbors.py::test_the_mean_of_equal_radii_is_each_of_them
# a mean of radii is rounded
-parts = [*roots.tolist(), *errors.tolist()]
+parts = roots.tolist()

@@ prfast/neighbors/tasks.py internal/methods/test_neighbors.py::test_a_squared_mean_radius_compares_as_the_mean_of_roots_does
# a radius is compared by a square that is rounded up
-if abs(square - Fraction(t)) > square / 2**100 and (t > square) == closed:
+if False:

@@ prfast/methods/neighbors.py internal/methods/test_neighbors.py::test_scores_are_those_of_the_definition
# the k-th neighbor is the next one
-x, y = (self.search.kth_within(points, ks)
+x, y = (self.search.kth_within(points, [k + 1 for k in ks])
# counts of both sets are exchanged
-quotient = (a * float(m)) / (b * float(n))
+quotient = (b * float(n)) / (a * float(m))
# 0/0 is no tie
-np.where((a == 0) & (b == 0), 1.0, quotient)
+np.where((a == 0) & (b == 0), 0.0, quotient)
# counts are not shares of their sets
-quotient = (a * float(m)) / (b * float(n))
+quotient = a / (b * 1.0)

@@ prfast/methods/neighbors.py internal/methods/test_neighbors.py::test_a_training_sample_can_be_left_out_of_its_own_neighbors
# a scored point is its own neighbor, asked not to be
-task.rows -= inside(0.0, task.ref_t, closed)
+pass

@@ prfast/methods/neighbors.py internal/methods/test_neighbors.py::test_the_default_k_is_the_root_of_the_training_samples
# ⌊√n⌋ is rounded up
-return max(1, math.isqrt(len(real)))
+return 1 + math.isqrt(len(real))

@@ prfast/neighbors/heads.py internal/neighbors/test_heads.py
# axes that are not orthonormal are taken as if they were
-(gamma * size + axes.error + 4 * _EPSILON)
+(gamma * size + 4 * _EPSILON)
# the rounding of what axes leave is forgotten
-        e2 = e2 + (error / larger + 2 * _EPSILON * root) ** 2
+        e2 = e2 + 0 * root

@@ prfast/neighbors/indexes.py internal/neighbors/test_search.py
# a sample is its own neighbor in a tree
-d2[index == np.arange(first, first + len(index))[:, None]] = np.inf
+pass
# a duplicate is the sample itself
-d2[index == np.arange(first, first + len(index))[:, None]] = np.inf
+d2[d2 == 0.0] = np.inf

@@ prfast/methods/kmeans.py internal/methods/test_partition.py
# nine runs of k-means
-runs: int = 10,
+runs: int = 9,
# 21 cells of k-means
-clusters: int = 20,
+clusters: int = 21,
# the larger set decides the cells
-if self.balance else [1.0, 1.0]
+if False else [1.0, 1.0]

@@ prfast/methods/base.py internal/methods/test_partition.py internal/methods/test_classifier.py
# one seed for all runs
-(*arguments, int(seed)) for seed in seeds]
+(*arguments, int(seeds[0])) for seed in seeds]

@@ prfast/methods/classifier.py internal/methods/test_classifier.py
# the ensemble's mean instead of its median
-return np.median(self._scaled(points)
+return np.mean(self._scaled(points)

@@ prfast/samples/repetition.py internal/methods/auto/test_auto_equal_rows.py
# repeated generated samples cover as much as distinct ones
-return min(1.0, float(distinct_fake / (m * min(expected, distinct_real / n))))
+return 1.0
# copies in the real set make it discrete
-likely >= chance
+True
# copies of a hundredth of the real rows make it discrete
-_SHARED * repeated / n
+COPIED

@@ prfast/samples/pair.py public/test_pr_curve.py
# the split's parts are exchanged
-for rows in divided for part in (0, 1)
+for rows in divided for part in (1, 0)
# a sample is trained on and scored
-np.flatnonzero(rows == part)
+np.flatnonzero(rows >= part)
# the seed of a split is ignored
-self.partition(ends, seed, "split", equal_apart=True)
+self.partition(ends, 0, "split", equal_apart=True)

@@ prfast/samples/partition.py public/test_pr_curve.py
# the Bernoulli split sends both of a pair to one side
-real, fake = ~coin[:n], coin[:m]
+real, fake = coin[:n], coin[:m]

@@ prfast/samples/pair.py internal/samples/test_divisions.py
# units in both sets have parts of their own
-(real & ~fake, in_both), (fake & ~real, in_both), (real & fake, 0)
+(real, 0), (fake, 0)
# parts begin anew after the units of both sets
-(before + order) % parts
+order % parts
# parts follow the order of the rows
-order, places = rng.permutation(len(numbers)), np.arange(len(numbers))
+order, places = np.arange(len(numbers)), np.arange(len(numbers))
# all purposes divide alike
-rng, size = stream(seed, purpose), 1 + max
+rng, size = stream(seed, "x"), 1 + max
# groups do not keep rows apart
-units = self.groups if equal_apart else self.units
+units = self.units

@@ prfast/samples/pair.py internal/samples/test_pair.py
# units are groups alone
-joined_units(np.concatenate(self.groups), units, len(self.real))
+joined_units(np.concatenate(self.groups), rows, len(self.real))
# the units of a selection are those of its rows
-if self.origin is not None and not self.origin.is_alone:
+if self.origin is not None and self.origin.pair is None:
# copies in all samples make a selection discrete
-            if not origin.is_alone:
+            if True:
# copies with noise are units
-np.tile(second, copies)
+np.arange(copies * len(second))
# columns have the units of all columns
-names=names), origin=None)
+names=names))
# a selection by itself has the units of the pair
-self.origin._replace(is_alone=True, are_draws=are_draws)
+self.origin

@@ prfast/samples/samples.py internal/samples/test_pair.py
# a selection has the first weights
-{name: values[at] for name
+{name: values[: len(at)] for name
# a selection has numbers of its own
-self.rows[at],
+np.arange(len(at)),

@@ prfast/samples/repetition.py internal/samples/test_pair.py
# rows of a selection have the numbers of all rows
-group = first_rows(np.concatenate([first, second[fake]]))
+group = np.concatenate([first, second[fake]])

@@ prfast/estimate/two_sample.py public/test_two_sample_test.py
# two-sample test: the fit has seen the samples that it scores
-np.flatnonzero(numbers < number)
+np.flatnonzero(numbers <= number)
# two-sample test: a stage without evidence has p = 1
-    if len(p_values) > 1 and not all(are_constant):
+    if False:
# two-sample test: stages have equal weights
-np.sqrt(max(min(self.trained), tested / 4) * tested)
+1.0
# two-sample test: one sample of a group is fitted to
-x, y = (np.flatnonzero(numbers < number) for numbers in stage)
+x, y = (rows[of[rows] < number] for of, rows in zip(stage, drawn, strict=True))

@@ prfast/scalars/permutations.py public/test_two_sample_test.py
# two-sample test: the assignment of labels itself is left out
-return (1 + as_large) / (1 + len(sums))
+return as_large / len(sums)

@@ prfast/methods/base.py internal/methods/test_methods.py
# the curve of a part has the scores of all samples
-"scores": samples if is_all else None
+"scores": samples

@@ prfast/inputs/parts.py internal/tables/test_table_columns.py::test_numbers_are_rounded_where_more_are_than_by_chance
# numbers of one rounding: a decimal less is rounding, not chance
-excess = shares - 0.2 * np.append(shares[1:], 1.0)
+excess = shares - 0.05 * np.append(shares[1:], 1.0)
# numbers of one rounding: zeros are rounded numbers
-cells = cells[np.isfinite(cells) & (cells != 0)]
+cells = cells[np.isfinite(cells)]
# numbers of one rounding: large ones have no decimals
-np.where(np.abs(scaled) < 0.1 / _EPS, decimals_of(cells), DECIMALS)
+decimals_of(cells)

@@ prfast/estimate/two_sample.py public/test_two_sample_test.py::test_a_stage_whose_scores_are_the_wrong_way_round_does_not_outweigh_the_others
# a stage whose scores are the wrong way round outweighs all others
-elif p_values[i] > 0.5:
+elif p_values[i] > 1.5:

@@ prfast/estimate/attribution.py public/test_compare_tables.py::test_a_row_that_both_sets_repeat_alike_is_no_difference
# a repeated row is named by chance
-max(LEAST, _SURE * error)
+LEAST

@@ prfast/estimate/diagnostics.py public/test_contradictions.py::test_half_precision_is_a_cause_only_where_one_set_alone_has_it
# levels of equal steps are half precision
-numbers = points[:, ~are_levels]
+numbers = points
# a few numbers of a set say that it is in half precision
-few = len(numbers) < len(points) / 2
+few = len(numbers) < 1

@@ prfast/methods/auto/bases.py public/test_two_sample_test.py::test_rounding_of_one_set_is_seen_although_no_number_repeats
# rounding of one set is not seen
-(digits := rounding_of(x)) is not None
+(digits := rounding_of(x)) is not None and False
# all numbers count as rounded
-decimals_of(x) <= key[1]
+decimals_of(x) < 9

@@ prfast/estimate/column_shares.py public/test_two_sample_test.py::test_rounding_of_one_set_is_seen_although_no_number_repeats
# rounding of one set is named where it is the larger one
-usual = rounding_of(cells)
+usual = None
"""  # noqa: E501
