"""Records: results with what is needed to reproduce them, format `prfast.result/1`.

`result-1.schema.json` is the format as JSON Schema; docs/report.md documents it in words.  Every
key matches [A-Za-z0-9_]+: jq and dashboards need no quoting.  Names and paths are values.
"""

from prfast.records.documents import record

__all__ = ["record"]
