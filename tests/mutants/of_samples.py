"""Ties, self and sides of neighbors; what scorers do; which samples train; tests of two samples."""

TABLE = """
@@ internal/methods/test_neighbors.py::test_pr_curves_equals_pr_curve
# prfast/neighbors/tasks.py: a closed ball is open
~return d2 «<= t if closed else d2 < → <» t

@@ internal/methods/test_neighbors.py::test_the_mean_of_equal_radii_is_each_of_them
# prfast/neighbors/tasks.py: a mean of radii is rounded
~parts = «[*roots.tolist(), *errors.tolist()] → roots.tolist()»

@@ internal/methods/test_neighbors.py::test_a_squared_mean_radius_compares_as_the_mean_of_roots_does
# prfast/neighbors/tasks.py: a radius is compared by a square that is rounded up
~if «abs(square - Fraction(t)) > square / 2**100 and (t > square) == closed → False»:

@@ internal/methods/test_neighbors.py::test_scores_are_those_of_the_definition
# prfast/methods/neighbors.py: the k-th neighbor is the next one
~x, y = (self.search.kth_within(points, «ks → [k + 1 for k in ks]»)
# prfast/methods/neighbors.py: counts of both sets are exchanged
~quotient = «(a * float(m)) / (b * float(n)) → (b * float(n)) / (a * float(m))»
# prfast/methods/neighbors.py: 0/0 is no tie
~np.where((a == 0) & (b == 0), «1.0 → 0.0», quotient)

@@ internal/methods/test_neighbors.py::test_a_training_sample_can_be_left_out_of_its_own_neighbors
# prfast/methods/neighbors.py: a scored point is its own neighbor, asked not to be
~«task.rows -= inside(0.0, task.ref_t, closed) → pass»

@@ internal/methods/test_neighbors.py::test_the_default_k_is_the_root_of_the_training_samples
# prfast/methods/neighbors.py: ⌊√n⌋ is rounded up
~return «max(1, math.isqrt(len(real))) → 1 + math.isqrt(len(real))»

@@ internal/neighbors/test_heads.py
# prfast/neighbors/heads.py: axes that are not orthonormal are taken as if they were
~(gamma * size + «axes.error + 4 → 4» * _EPSILON)
# prfast/neighbors/heads.py: the rounding of what axes leave is forgotten
~        e2 = e2 + «(error / larger + 2 * _EPSILON * root) ** 2 → 0 * root»

@@ internal/neighbors/test_distances.py
# prfast/neighbors/indexes.py: a sample is its own neighbor in a tree
~«d2[index == np.arange(first, first + len(index))[:, None]] = np.inf → pass»
# prfast/neighbors/indexes.py: a duplicate is the sample itself
~d2[«index == np.arange(first, first + len(index))[:, None] → d2 == 0.0»] = np.inf

@@ internal/methods/test_partition.py
# prfast/methods/kmeans.py: nine runs of k-means
~runs: int = «10 → 9»,
# prfast/methods/kmeans.py: the larger set decides the cells
~if «self.balance → False» else [1.0, 1.0]

@@ internal/methods/test_partition.py internal/methods/test_classifier.py
# prfast/methods/base.py: one seed for all runs
~(*arguments, int(«seed → seeds[0]»)) for seed in seeds]

@@ internal/methods/test_classifier.py
# prfast/methods/classifier.py: the ensemble's mean instead of its median
~return «np.median → np.mean»(self._scaled(points)

@@ internal/methods/auto/test_auto_equal_rows.py
# prfast/samples/repetition.py: repeated generated samples cover as much as distinct ones
~return «min(1.0, float(distinct_fake / (m * min(expected, distinct_real / n)))) → 1.0»
# prfast/samples/repetition.py: copies in the real set make it discrete
~«likely >= chance → True»
# prfast/samples/repetition.py: copies of a hundredth of the real rows make it discrete
~«_SHARED * repeated / n → COPIED»

@@ public/test_pr_curve.py
# prfast/samples/pair.py: the split's parts are exchanged
~for rows in divided for part in («0, 1 → 1, 0»)
# prfast/samples/pair.py: a sample is trained on and scored
~np.flatnonzero(rows «== → >=» part)
# prfast/samples/pair.py: the seed of a split is ignored
~self.partition(ends, «seed → 0», "split", equal_apart=True)
# prfast/samples/partition.py: the Bernoulli split sends both of a pair to one side
~real, fake = «~coin → coin»[:n], coin[:m]

@@ internal/samples/test_divisions.py
# prfast/samples/pair.py: units in both sets have parts of their own
~«(real & ~fake, in_both), (fake & ~real, in_both), (real & fake, 0) → (real, 0), (fake, 0)»
# prfast/samples/pair.py: parts begin anew after the units of both sets
~«(before + order) → order» % parts
# prfast/samples/pair.py: parts follow the order of the rows
~order, places = «rng.permutation → np.arange»(len(numbers)), np.arange(len(numbers))
# prfast/samples/pair.py: all purposes divide alike
~rng, size = stream(seed, «purpose → "x"»), 1 + max
# prfast/samples/pair.py: groups do not keep rows apart
~units = «self.groups if equal_apart else self.units → self.units»

@@ internal/samples/test_pair.py
# prfast/samples/pair.py: units are groups alone
~joined_units(np.concatenate(self.groups), «units → rows», len(self.real))
# prfast/samples/pair.py: the units of a selection are those of its rows
~if self.origin is not None and «not self.origin.is_alone → self.origin.pair is None»:
# prfast/samples/pair.py: copies in all samples make a selection discrete
~            if «not origin.is_alone → True»:
# prfast/samples/pair.py: copies with noise are units
~«np.tile(second, copies) → np.arange(copies * len(second))»
# prfast/samples/pair.py: columns have the units of all columns
-names=names), origin=None)
+names=names))
# prfast/samples/pair.py: a selection by itself has the units of the pair
~«self.origin._replace(is_alone=True) → self.origin»
# prfast/samples/samples.py: a selection has the first weights
~{name: values[«at → : len(at)»] for name
# prfast/samples/samples.py: a selection has numbers of its own
~«self.rows[at] → np.arange(len(at))»,
# prfast/samples/repetition.py: rows of a selection have the numbers of all rows
~group = «first_rows(np.concatenate([first, second[fake]])) → np.concatenate([first, second[fake]])»

@@ public/test_two_sample_test.py
# prfast/estimate/two_sample.py: two-sample test: the fit has seen the samples that it scores
~np.flatnonzero(numbers «< → <=» number)
# prfast/estimate/two_sample.py: two-sample test: a stage without evidence has p = 1
~    if «len(p_values) > 1 and not all(are_constant) → False»:
# prfast/estimate/two_sample.py: two-sample test: stages have equal weights
~«np.sqrt(max(min(self.trained), tested / 4) * tested) → 1.0»
# prfast/estimate/two_sample.py: two-sample test: one sample of a group is fitted to
-x, y = (np.flatnonzero(numbers < number) for numbers in stage)
+x, y = (rows[of[rows] < number] for of, rows in zip(stage, drawn, strict=True))
# prfast/scalars/permutations.py: two-sample test: the assignment of labels itself is left out
~return «(1 + as_large) / (1 + len(sums)) → as_large / len(sums)»

@@ internal/methods/test_methods.py
# prfast/methods/base.py: the curve of a part has the scores of all samples
~beside = «samples if is_all else None → samples»

@@ internal/tables/test_table_columns.py::test_numbers_are_rounded_where_more_are_than_by_chance
# prfast/inputs/decimals.py: numbers of one rounding: a decimal less is rounding, not chance
~excess = shares - «0.2 → 0.05» * np.append(shares[1:], 1.0)
# prfast/inputs/decimals.py: numbers of one rounding: zeros are rounded numbers
~cells = cells[np.isfinite«(cells) & (cells != 0) → (cells)»]
# prfast/inputs/decimals.py: numbers of one rounding: large ones have no decimals
~decimals = «fine_decimals → decimals_of»(cells)

@@ public/test_two_sample_test.py::test_a_stage_whose_scores_are_the_wrong_way_round_does_not_outweigh_the_others
# prfast/estimate/two_sample.py: a stage whose scores are the wrong way round outweighs all others
~elif p_values[i] > «0.5 → 1.5»:

@@ public/test_compare_tables.py::test_a_row_that_both_sets_repeat_alike_is_no_difference
# prfast/estimate/attribution.py: a repeated row is named by chance
~«max(LEAST, _SURE * error) → LEAST»

@@ public/test_contradictions.py::test_half_precision_is_a_cause_only_where_one_set_alone_has_it
# prfast/estimate/diagnostics.py: levels of equal steps are half precision
~numbers = «points[:, ~are_levels] → points»
# prfast/estimate/diagnostics.py: a few numbers of a set say that it is in half precision
~few = len(numbers) < «len(points) / 2 → 1»

@@ public/test_two_sample_test.py::test_rounding_of_one_set_is_seen_although_no_number_repeats
# prfast/methods/auto/bases.py: rounding of one set is not seen
~(digits := rounding_of(x)) is not «None → None and False»
# prfast/methods/auto/bases.py: all numbers count as rounded
~fine_decimals(x) «<= key[1] → < 9»
# prfast/estimate/column_shares.py: rounding of one set is named where it is the larger one
~usual = «rounding_of(cells) → None»
"""  # noqa: E501
