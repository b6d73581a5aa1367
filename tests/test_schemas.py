"""Schemas keep their promises: a final version stays, a later one takes nothing away."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jsonschema
import pytest
from pydantic import BaseModel

from affidavit import HallucinationReport, Policy, RunTrace
from affidavit.cli.schema import VERSIONS, schema

FOLDER = Path(__file__).parents[1] / "specs" / "schemas"
READERS: dict[str, type[BaseModel]] = {
    "report": HallucinationReport,
    "policy": Policy,
    "trace": RunTrace,
}
NAME = re.compile(r"(report|policy|trace)-(\d+)\.(\d+)\.schema\.json")

Schema = dict[str, Any]


def final() -> list[tuple[str, str]]:
    """Name and version of every schema that is final."""
    found = [NAME.fullmatch(file.name) for file in sorted(FOLDER.glob("*.schema.json"))]
    assert all(found)
    return [(match[1], f"{match[2]}.{match[3]}") for match in found if match]


def read(name: str, version: str, what: str = "schema") -> Any:
    return json.loads((FOLDER / f"{name}-{version}.{what}.json").read_text(encoding="utf-8"))


def number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def taken_away(old: Schema, new: Schema) -> list[str]:
    """What a document of the old schema may hold, or leave out, that the new one does not take."""

    def resolved(node: Schema, root: Schema) -> Schema:
        while "$ref" in node:
            rest = {key: value for key, value in node.items() if key != "$ref"}
            node = root["$defs"][node["$ref"].rpartition("/")[2]] | rest
        return node

    seen: set[tuple[str, str]] = set()

    def compare(a: Schema, b: Schema, at: str) -> Iterator[str]:
        edge = (str(a.get("$ref")), str(b.get("$ref")))
        if "$ref" in a and edge in seen:
            return
        seen.add(edge)
        a, b = resolved(a, old), resolved(b, new)
        if "anyOf" in a or "anyOf" in b or "oneOf" in a or "oneOf" in b:
            yield from compare_choices(choices(a), choices(b), at)
            return
        if not types(a) <= types(b):
            yield f"{at}: type {sorted(types(a) - types(b))}"
        if "enum" in b and not set(a.get("enum", [None])) <= set(b["enum"]):
            yield f"{at}: values {sorted(set(a.get('enum', ['any'])) - set(b['enum']))}"
        yield from compare_limits(a, b, at)
        yield from compare_fields(a, b, at)

    def compare_choices(a: list[Schema], b: list[Schema], at: str) -> Iterator[str]:
        for number, one in enumerate(a):
            tried = [list(taken_from(one, other, at)) for other in b]
            if all(tried):
                yield min(tried, key=len)[0] if tried else f"{at}: choice {number}"

    def taken_from(a: Schema, b: Schema, at: str) -> Iterator[str]:
        before = set(seen)
        yield from compare(a, b, at)
        seen.intersection_update(before)

    def compare_limits(a: Schema, b: Schema, at: str) -> Iterator[str]:
        for name, sign in (("minimum", 1), ("exclusiveMinimum", 1), ("maximum", -1)):
            if name in b and (name not in a or sign * a[name] < sign * b[name]):
                yield f"{at}: {name} {a.get(name)} became {b[name]}"

    def compare_fields(a: Schema, b: Schema, at: str) -> Iterator[str]:
        fields = b.get("properties", {})
        for name, inner in a.get("properties", {}).items():
            if name not in fields:
                yield f"{at}/{name}: gone"
            else:
                yield from compare(inner, fields[name], f"{at}/{name}")
        for name in sorted(set(b.get("required", ())) - set(a.get("required", ()))):
            yield f"{at}/{name}: required"
        for name in ("items", "additionalProperties"):
            if isinstance(a.get(name), dict) and isinstance(b.get(name), dict):
                yield from compare(a[name], b[name], f"{at}/*")

    return list(compare(old, new, ""))


def choices(node: Schema) -> list[Schema]:
    found: list[Schema] = node.get("anyOf") or node.get("oneOf") or [node]
    return found


def types(node: Schema) -> set[str]:
    if "const" in node or "enum" in node or "type" not in node:
        return set()
    given = node["type"]
    found = set(given) if isinstance(given, list) else {given}
    return found | ({"integer"} if "number" in found else set())


@pytest.mark.parametrize(("name", "version"), final())
def test_a_final_version_never_changes(name: str, version: str) -> None:
    kept = read(name, version)
    jsonschema.Draft202012Validator.check_schema(kept)
    named = {
        f"urn:affidavit:{name}:{version}",
        f"https://affidavit.example/schemas/{name}-{version}.json",
    }
    assert kept["$id"] in named
    assert number(VERSIONS[name]) >= number(version), f"raise {name} in affidavit.cli.schema"
    if VERSIONS[name] == version:
        told = f"the schema of a {name} has changed: raise its version (specs/schemas/README.md)"
        assert schema(name) == kept, told


@pytest.mark.parametrize(("name", "version"), final())
def test_within_a_major_version_nothing_is_taken_away(name: str, version: str) -> None:
    if number(VERSIONS[name])[0] == number(version)[0]:
        assert taken_away(read(name, version), schema(name)) == []


@pytest.mark.parametrize(("name", "version"), final())
def test_a_document_of_an_earlier_version_is_read_and_keeps_all_it_says(
    name: str, version: str
) -> None:
    document = read(name, version, "example")
    jsonschema.Draft202012Validator(read(name, version)).validate(document)
    if number(VERSIONS[name])[0] != number(version)[0]:
        return
    jsonschema.Draft202012Validator(schema(name)).validate(document)
    again = READERS[name].model_validate(document).model_dump(mode="json")
    jsonschema.Draft202012Validator(schema(name)).validate(again)
    assert missing(document, again) == []


@pytest.mark.spec("AFF-609")
def test_a_report_says_by_its_schema_what_every_report_has() -> None:
    document = read("report", "1.0", "example")
    validator = jsonschema.Draft202012Validator(schema("report"))
    validator.validate(document)
    for name in ("run_id", "claims", "overall_score", "action", "version", "policy", "timings"):
        assert not validator.is_valid({k: v for k, v in document.items() if k != name}), name
    # What reports have had since is not asked of the first ones, which are read still.
    assert "judge" not in document
    again = HallucinationReport.model_validate(document).model_dump(mode="json")
    validator.validate(again)
    assert missing(document, again) == []


def missing(old: Any, new: Any, at: str = "") -> list[str]:
    """What the old document says and the new one does not."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [m for k, v in old.items() for m in missing(v, new.get(k), f"{at}/{k}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [m for n, v in enumerate(old) for m in missing(v, new[n], f"{at}/{n}")]
    return [] if old == new else [at]


@pytest.mark.parametrize("name", READERS)
def test_references_are_resolved_against_an_https_name(name: str) -> None:
    current = schema(name)
    base = urlsplit(current["$id"])
    assert (base.scheme, bool(base.netloc)) == ("https", True)
    assert VERSIONS[name] in base.path


def test_every_schema_has_a_final_version() -> None:
    assert {name for name, _ in final()} == set(VERSIONS)


CHANGES: dict[str, tuple[Callable[[Schema], object], bool]] = {
    "a field goes": (lambda s: s["properties"].pop("answer"), False),
    "a field may not be null any more": (
        lambda s: s["$defs"]["ClaimVerdict"]["properties"].update(score={"type": "number"}),
        False,
    ),
    "a status goes": (
        lambda s: s["$defs"]["ClaimVerdict"]["properties"]["status"]["enum"].remove("exempt"),
        False,
    ),
    "a type changes": (lambda s: s["properties"].update(run_id={"type": "integer"}), False),
    "a limit is tightened": (
        lambda s: s["properties"]["overall_score"].update(minimum=0.5),
        False,
    ),
    "a field of a list's items goes": (
        lambda s: s["$defs"]["CallError"]["properties"].pop("path"),
        False,
    ),
    "a field becomes required": (
        lambda s: s["$defs"]["EvidenceSpan"]["required"].append("tool"),
        False,
    ),
    "a field comes": (lambda s: s["properties"].update(more={"type": "string"}), True),
    "a status comes": (
        lambda s: s["$defs"]["ClaimVerdict"]["properties"]["status"]["enum"].append("new"),
        True,
    ),
    "a limit is loosened": (lambda s: s["properties"]["overall_score"].pop("maximum"), True),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_comparison_tells_additions_from_losses(change: str) -> None:
    apply, compatible = CHANGES[change]
    old, new = read("report", "1.0"), read("report", "1.0")
    apply(new)
    assert (taken_away(old, new) == []) is compatible
