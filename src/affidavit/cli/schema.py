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


def schema(of: str) -> dict[str, Any]:
    """The schema of what is written (a report) or read (a policy, a trace)."""
    match of:
        case "report":
            body = HallucinationReport.model_json_schema(mode="serialization")
        case "policy":
            body = Policy.model_json_schema()
        case _:
            body = RunTrace.model_json_schema()
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:affidavit:{of}:{VERSIONS[of]}",
    }
    return head | body


def run(arguments: argparse.Namespace) -> int:
    print(json.dumps(schema(arguments.of), indent=2))
    return 0
