"""What a record is searched by, derived from its body."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from affidavit.records.runlog.record import Facets, searchable


def facets_of(kind: str, data: dict[str, Any]) -> Facets:
    """The facets of a body, given as parsed JSON. A kind without any has none."""
    match kind:
        case "report":
            return _of_report(data["report"])
        case "call":
            call = data["validation"]
            return Facets(call["status"], _errors([call]), _several([call["tool"]]))
        case "overrule":
            return Facets(data["review"]["verdict"])
        case _:
            return Facets()


def _of_report(report: dict[str, Any]) -> Facets:
    claims, calls = report["claims"], report["tool_call_validations"]
    spans = (span.get("tool") for claim in claims for span in claim["evidence_spans"])
    return Facets(
        report["action"],
        _several([*(claim.get("reason") for claim in claims), *_errors(calls)]),
        _several([*(call["tool"] for call in calls), *spans]),
    )


def _errors(calls: Iterable[dict[str, Any]]) -> tuple[str, ...]:
    return _several(error["kind"] for call in calls for error in call.get("errors", ()))


def _several(values: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(sorted({searchable(value) for value in values if value}))


def to_json(facets: Facets) -> str:
    """Facets as a column holds them."""
    held = {"action": facets.action, "reason": facets.reasons, "tool": facets.tools}
    return json.dumps(held, ensure_ascii=False)


def from_json(held: str | dict[str, Any]) -> Facets:
    """Facets from a column, as text or as a driver has parsed it."""
    data = json.loads(held) if isinstance(held, str) else held
    return Facets(data["action"], tuple(data["reason"]), tuple(data["tool"]))
