"""Tables: columns, encodings, attribution, comparisons; and the test of copies."""

from __future__ import annotations

from mutant import Mutant

COLUMNS = "prfast/tables/columns.py"
ENCODERS = "prfast/tables/encoders.py"
ENCODING = "prfast/tables/encoding.py"
ATTRIBUTION = "prfast/tables/attribution.py"
COMPARISON = "prfast/tables/comparison.py"
RESULTS = "prfast/tables/results.py"
FRAMES = "prfast/files/tables.py"
COPIES = "prfast/scalars/memorization.py"
OF_COLUMNS = "tables/test_table_columns.py"
OF_ENCODING = "tables/test_encoding.py"
OF_ATTRIBUTION = "tables/test_attribution.py"
OF_COMPARISON = "tables/test_comparison.py"
OF_FRAMES = "cli/test_cli_tables.py"
OF_COPIES = "scalars/test_memorization.py"

TABLES = [
    Mutant(
        "columns: a missing cell is a level",
        COLUMNS,
        "zip(cells, missing, strict=True) if not gap)",
        "zip(cells, missing, strict=True))",
        OF_COLUMNS,
    ),
    Mutant(
        "columns: each set has levels of its own",
        COLUMNS,
        "for one in columns.values() for level in one.levels)]",
        "for one in [*columns.values()][:1] for level in one.levels)]",
        OF_COLUMNS,
    ),
    Mutant(
        "columns: 1 and 1.0 are two levels",
        COLUMNS,
        "number % 1 == 0 else str(cell)",
        "number % 1 == 2 else str(cell)",
        OF_COLUMNS,
    ),
    Mutant(
        "columns: times of a zone are those of UTC",
        COLUMNS,
        "series = series.dt.replace_time_zone(None)",
        'series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None) if dtype.time_zone'
        " else series",
        OF_COLUMNS,
    ),
    Mutant(
        "encoding: ranks of equal numbers are the largest",
        ENCODERS,
        "ranks = np.cumsum(counts) - (counts - 1) / 2",
        "ranks = np.cumsum(counts)",
        OF_ENCODING,
    ),
    Mutant(
        "encoding: equal counts of levels are in the order of the rows",
        ENCODERS,
        "key=lambda i: (-counts[i], levels[i])",
        "key=lambda i: -counts[i]",
        OF_ENCODING,
    ),
    Mutant(
        "encoding: Monday is 3",
        ENCODERS,
        "(days + 3) % 7",
        "days % 7",
        OF_ENCODING,
    ),
    Mutant(
        "encoding: decimals count at every resolution",
        ENCODING,
        "details += [start + i for i in one.details]",
        "details += []",
        OF_COMPARISON,
    ),
    Mutant(
        "encoding: indicators have noise as numbers",
        ENCODING,
        "groups += [tuple(start + i for i in group) for group in one.groups]",
        "groups += []",
        OF_ENCODING,
    ),
    Mutant(
        "attribution: a fold chooses its own classes",
        ATTRIBUTION,
        "_shares(one.sum(axis=0) - one[fold], *how)",
        "_shares(one.sum(axis=0), *how)",
        OF_ATTRIBUTION,
    ),
    Mutant(
        "attribution: folds are independent",
        ATTRIBUTION,
        "_DEPENDENCE = np.sqrt(2.0)",
        "_DEPENDENCE = 0.5",
        OF_ATTRIBUTION,
    ),
    Mutant(
        "attribution: pairs are not adjusted to their columns",
        ATTRIBUTION,
        "    return factors[0], factors[1]",
        "    return 0 * factors[0] + 1, 0 * factors[1] + 1",
        OF_ATTRIBUTION,
    ),
    Mutant(
        "attribution: numbers have no kinds",
        ATTRIBUTION,
        "decimals = decimals_of(cells)",
        "decimals = decimals_of(np.round(cells))",
        OF_ATTRIBUTION,
    ),
    Mutant(
        "compare_tables: rows in the order of the scores' own set",
        COMPARISON,
        "order = np.argsort(-values if real else values",
        "order = np.argsort(values if real else -values",
        OF_COMPARISON,
    ),
    Mutant(
        "compare_tables: what copies say is said by a note as well",
        RESULTS,
        "replace(self.curve.provenance, copied=None)",
        "self.curve.provenance",
        OF_COMPARISON,
    ),
    Mutant(
        "compare_tables: a caution names scores of the encoding",
        COMPARISON,
        "name_columns=False",
        "name_columns=True",
        OF_COMPARISON,
    ),
    Mutant(
        "tables: each file has types of its own",
        FRAMES,
        "if text in several and len(several) > 1:",
        "if text in several and len(several) > 9:",
        OF_FRAMES,
    ),
    Mutant(
        "copies: the binomial test, without hubs",
        COPIES,
        "draws = rng.multivariate_hypergeometric(counts, n, size=PERMUTATIONS",
        "draws = rng.multivariate_hypergeometric(counts[::-1], n, size=PERMUTATIONS",
        OF_COPIES,
    ),
    Mutant(
        "copies: rows of one ratio in their own order",
        COPIES,
        'order = stream(seed, "order").permutation(m)',
        "order = np.arange(m)",
        OF_COPIES,
    ),
    Mutant(
        "copies: all samples only, without tails",
        COPIES,
        "TAILS = (0.02, 0.1, 0.3, 1.0)",
        "TAILS = (1.0,)",
        OF_COPIES,
    ),
    Mutant(
        "copies: a sample that equals several counts fully for each",
        COPIES,
        "weights = number[of_both] / size[of_both]",
        "weights = number[of_both] / 1.0",
        OF_COPIES,
    ),
    Mutant(
        "copies: the smallest p-value of the tails, uncorrected",
        COPIES,
        "return min(1.0, len(self._tails) * min(",
        "return min(1.0, 1.0 * min(",
        OF_COPIES,
    ),
    Mutant(
        "noise: details stay at resolutions above 0",
        "prfast/inputs/noise.py",
        "result[:, self.details] = 0.0",
        "pass",
        OF_COMPARISON,
    ),
    Mutant(
        "attribution: repeated rows are independent",
        ATTRIBUTION,
        "    if equal.discrete:",
        "    if True:",
        OF_ATTRIBUTION,
    ),
    Mutant(
        "attribution: only the generated rows are adjusted",
        ATTRIBUTION,
        "both = np.minimum(*(one.sum(axis=axis, keepdims=True) for one in shares))",
        "both = shares[0].sum(axis=axis, keepdims=True)",
        OF_ATTRIBUTION,
    ),
    Mutant(
        "attribution: a fold knows its own levels",
        ATTRIBUTION,
        "level[(group < _FOLDS) & (group != fold)]",
        "level[group < _FOLDS]",
        OF_ATTRIBUTION,
    ),
    Mutant(
        "compare_tables: all tables have one encoding",
        COMPARISON,
        'encoding = fit_encoding({"real": call.real, "fake": frame})',
        'encoding = fit_encoding({"real": call.real, "held_out": call.held_out or frame})',
        OF_COMPARISON,
    ),
    Mutant(
        "encoding: a row of the fit counts itself",
        ENCODERS,
        "if not open_levels:  # a row of the fit would count itself, a later one would not",
        "if True:",
        OF_ENCODING,
    ),
    Mutant(
        "encoding: values beyond the fit are its ends",
        ENCODERS,
        "_BEYOND = 0.5",
        "_BEYOND = 0.0",
        OF_ENCODING,
    ),
    Mutant(
        "columns: float32 as its bits",
        COLUMNS,
        "known.to_numpy().astype(np.float32).astype(np.str_).astype(np.float64)",
        "known.to_numpy().astype(np.float64)",
        OF_COLUMNS,
    ),
    Mutant(
        "copies: ties count fully for each",
        COPIES,
        "weights += np.concatenate(counts) / number_of",
        "weights += np.concatenate(counts)",
        OF_COPIES,
    ),
    Mutant(
        "copies: the second nearest is one of the repetitions",
        COPIES,
        "distinct = both[equal.group == np.arange(len(both))]",
        "distinct = both",
        OF_COPIES,
    ),
]
