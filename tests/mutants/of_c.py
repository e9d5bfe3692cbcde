"""The C library."""

TABLE = """
@@ csrc/masses/sweep_counts.h internal/kernels/test_kernels.py
# of equal scores the generated ones come first
-        while (i < n && real[i] == t)
-
+        while (i < n && real[i] == t && (j >= m || fake[j] != t))
+
# of equal scores the real ones come first
= a point above the hull: a cell without generated samples merges with the one behind it
-        while (j < m && fake[j] == t)
-            j++;
+        while (j < m && fake[j] == t && i == i0)
+            j++;

@@ csrc/distances/exact.c internal/neighbors/test_distances.py
# D starts at the second feature
-for (int64_t j = 0; j < refs->dim; j++)
-        for (int l
+for (int64_t j = refs->dim > 1; j < refs->dim; j++)
+        for (int l

@@ csrc/distances/reservoir.c internal/neighbors/test_distances.py internal/neighbors/test_search.py
# a reservoir keeps one tie too few
~(r->hi[i] == r->tau && witnesses++ < «k → k - 1»)

@@ csrc/arithmetic/compensated.h internal/kernels/test_kernels.py::test_a_million_small_masses_keep_their_digits
# a sum drops what it has lost
~return s->«sum + s->error → sum»;
# a sum compensates the wrong summand
~fabs(s->sum) «>= → <» fabs(x) ?

@@ csrc/masses/minsum.c internal/kernels/test_kernels.py
# of equal ratios the larger λ counts in a minimum
~at[c] = (base[c] - lam) + (*base[c] «<= → <» r[c]);

@@ csrc/distances/exact.h internal/neighbors/test_distances.py
# open balls are closed in C
~return closed «? → >= 0 ?» d2 <= t : d2 < t;

@@ csrc/engine/block.h internal/neighbors/test_hostile_sets.py
# a sample within a set meets itself
-return i < ref ? ~0u : i + 1 - ref < NR ? ~0u << (i + 1 - ref) : 0u;
+return i < ref ? ~0u : i - ref < NR ? ~0u << (i - ref) : 0u;

@@ csrc/filter/pack.c internal/neighbors/test_filter.py internal/neighbors/test_distances.py
# float32 rows are centered twice
~(x - «pass → 2.0 * pass»->center[j]) * pass->scale

@@ csrc/filter/bound.c internal/neighbors/test_filter.py
# the float32 bound forgets the dot product
~bound.kappa = «d * epsilon / (1.0 - d * epsilon) + 16.0 → 16.0» * epsilon;

@@ csrc/filter/rotate.h internal/neighbors/test_int8.py
# an int8 row errs by 1 % less than it does
~error = sqrt(error) * «(1.0 + 0x1p-32) → 0.99»

@@ csrc/filter/int8.c internal/neighbors/test_int8.py
# an int8 ball reaches 1 % less far
~reach * «(1.0 + REACH_WIDE) → 0.98»;
# an int8 bound is 2 % too tight
~(prf_int8_terms){half_of(b, x, t), inverse_step(x), -in_steps(x, «x → 0.98f * x»->error),

@@ csrc/engine/unrefined.h internal/neighbors/test_int8.py
# unrefined keys are taken to be a tenth less wide than they are
~return «2.0 → 1.8» * spread * (1.0 + 0x1p-40)

@@ csrc/engine/finish.h internal/neighbors/test_int8.py
# what is unrefined counts as inside the other set's ball
-            status = request_unrefined(f, i, set, certain, &across[at]);
-
+            (void)request_unrefined;
+

@@ csrc/engine/half_kth.h internal/neighbors/test_half_tasks.py
# of a half the keys before its k-th are all nearer
~while (first > 0 && l->key[first - 1] > «certain → l->key[i]»)
# a list that is too short for a half answers for it
~if (!(«beyond → l->key[i]» <= l->limit))

@@ csrc/engine/halves.h internal/neighbors/test_half_tasks.py
# balls of halves are closed
~prf_inside(d2, t[i], «task->closed → 1»)

@@ prfast/kernels/masses.pyx internal/estimate/test_intervals.py::test_numbers_of_many_draws_are_those_of_each_curve
# cells are pooled in the first of many rows alone
-            for i in range(rows):
-                status = prf_pool
+            for i in range(min(rows, 1)):
+                status = prf_pool
# many rows of cells have the totals of the last one
~total_p«[i, 0], total_q[i, 0] → [:, 0], total_q[:, 0]» = totals[0], totals[1]

@@ csrc/engine/finish.h internal/neighbors/test_hostile_sets.py::test_hostile_sets
# the value of the nearest is that of any reference in a list
~«pairs[i].d2 == d2 && value → value» < least
# of references that are as near the last one has the value
~pairs[i].d2 == «d2 && value < least → d2»

@@ csrc/trees/bins.c internal/kernels/test_trees.py
# a value that equals an edge is below it
~of[at + half - 1] «<= → <» value
# quantiles of a column are evenly spaced
~«(0.5 * u * (1.0 + u * (3.0 - 2.0 * u))) → u»
# of neighboring floats the middle may be the lower
~return «middle > a ? middle : b → middle»;

@@ csrc/trees/sigmoid.h internal/kernels/test_trees.py
# an exponential misses a term of its series
~(1.0 / «720 + r * (1.0 / 5040) → 720») * r2;

@@ csrc/trees/boost.c internal/kernels/test_trees.py
# a leaf of a tree may have a sample less
~while (first < end && right «< → + 1 <» least)
# of equal splits the last is made
~if (scores[s] «> → >=» best)
# the sibling has the histogram of the parent
-subtract(&large->histogram[i], small->histogram[i]);
+add(&large->histogram[i], (sums){0, 0, 0, 0});
# the penalty counts for one side
~both = curvature + «2.0 * l2 → l2»
# the leaf that was made last is split first
~if (l->gain > «best->gain → 0.0»)
# the last bin of a column is left out
~end = g->used«[j] → [j] - 1», right
"""  # noqa: E501
