"""``affidavit schema``: the JSON Schemas that other programs validate against."""

from __future__ import annotations

import argparse
import json
from typing import Any

from affidavit.policy import Policy
from affidavit.report import HallucinationReport
from affidavit.trace import RunTrace

VERSIONS = {"report": "2.0", "policy": "1.1", "trace": "1.1"}
"""Versions of the schemas, apart from that of the specification (specs/schemas/README.md says when one
is raised)."""

_BASE = "https://affidavit.example/schemas/"
"""What their names begin with. Editors and validators resolve references against the name of a schema, and several
can do so with an https name alone. Nothing is fetched: the domain is one of those that are reserved for names."""


def schema(of: str) -> dict[str, Any]:
    """The schema of what is written (a report) or read (a policy, a trace)."""
    match of:
        case "report":
            body = HallucinationReport.model_json_schema(mode="serialization")
        case "policy":
            body = _for_editors(Policy.model_json_schema())
        case _:
            body = RunTrace.model_json_schema()
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{_BASE}{of}-{VERSIONS[of]}.json",
    }
    return head | body


def _for_editors(body: dict[str, Any]) -> dict[str, Any]:
    """A policy may name its schema itself, which is how editors find it in JSON."""
    named = {"type": "string", "description": "The schema of this file, for editors."}
    return body | {"properties": {"$schema": named, **body["properties"]}}


def run(arguments: argparse.Namespace) -> int:
    print(json.dumps(schema(arguments.of), indent=2))
    return 0
