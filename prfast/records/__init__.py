"""Records: results with what is needed to reproduce them, format `prfast.result/1`.

    documents   the public function `record`; Record and Input, the entries of the format: results,
                environment, checksums and provenance of the inputs; load_record, which reads a file
    result-1.schema.json    the format as JSON Schema; docs/report.md documents it in words

A record is JSON.  Every key matches [A-Za-z0-9_]+, so that jq and dashboards need no quoting; names
and paths are values.
"""

from prfast.records.documents import record

__all__ = ["record"]
