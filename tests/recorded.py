"""What tests of records share: the schema, and keys that jq takes."""

import json
import re
from pathlib import Path

import pytest

import prfast.records

SCHEMA = json.loads(
    (Path(prfast.records.__file__).parent / "result-1.schema.json").read_text("utf-8")
)


def check(record):
    """Is it a record of the schema, and JSON that any reader takes?"""
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    again = json.loads(json.dumps(record, allow_nan=False))
    assert again == record
    jsonschema.validate(again, SCHEMA, cls=jsonschema.Draft202012Validator)
    assert all(re.fullmatch("[A-Za-z0-9_]+", key) for key in keys(again))


def keys(value):
    """Of all objects in it."""
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from keys(one)
