"""The official JSON-Schema-Test-Suite, where ``JSON_SCHEMA_TEST_SUITE`` names its ``tests`` folder.

The source distribution of ``jsonschema`` carries it, as ``json/tests``. Left out are schemas that refer
to other documents, which are refused, and "format is only an annotation", which is not our reading.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from affidavit.errors import SchemaError
from affidavit.stages.verify.validator import ArgumentValidator
from affidavit.trace import ToolDefinition

SUITE = os.environ.get("JSON_SCHEMA_TEST_SUITE", "")
DRAFTS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}


@pytest.mark.skipif(not SUITE, reason="JSON_SCHEMA_TEST_SUITE is not set")
@pytest.mark.parametrize("draft", DRAFTS)
def test_every_case_has_the_official_verdict(draft: str) -> None:
    wrong, refused, held = [], [], 0
    for file in sorted(Path(SUITE, draft).rglob("*.json")):
        for group in json.loads(file.read_text(encoding="utf-8")):
            try:
                validator = ArgumentValidator(_tool(group["schema"], draft))
            except SchemaError as error:
                refused.append(str(error))
                continue
            for case in group["tests"]:
                held += 1
                valid = not validator.errors(case["data"])
                if valid != case["valid"] and "annotation" not in case["description"]:
                    wrong.append(f"{file.name}: {group['description']}: {case['description']}")
    assert wrong == []
    assert all("nothing is fetched" in why or "Unknown meta-schema" in why for why in refused)
    assert held > 500


def _tool(schema: Any, draft: str) -> ToolDefinition:
    if isinstance(schema, bool):
        schema = {} if schema else {"not": {}}
    return ToolDefinition(name="t", input_schema={"$schema": DRAFTS[draft], **schema})
