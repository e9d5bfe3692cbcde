"""Records: results with all that it takes to find them again, `prfast.result/1`.

    inputs          what samples were: sha256, sizes, shapes, dtypes, how their features were made
    environment     versions, the machine, which engines answered
    entries         results -> entries of the record: curves, metrics
    record          all of it together; the public function `record`
    load            a record of a file, looked at before anything relies on it
    compare         two records of one question: every number that differs
    result-1.schema.json    what a record may hold, as JSON Schema; docs/records.md says it in words

A record is JSON.  Every key matches [A-Za-z0-9_]+, so that jq and dashboards take it as it is;
names and paths are values.
"""

from prfast.records.record import record

__all__ = ["record"]
