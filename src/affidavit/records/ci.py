"""Reports as what build servers and code review read: JUnit XML and SARIF 2.1.0."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, get_args
from xml.sax.saxutils import escape, quoteattr

from affidavit.records.page.words import REASON
from affidavit.report import CallError, ClaimVerdict, HallucinationReport, ReasonCode

# What no XML 1.0 document may hold, escaped or not.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


@dataclass(frozen=True, slots=True)
class Placed:
    """A report and the file that it, or its run, stands in."""

    report: HallucinationReport
    file: str
    line: int = 1


def junit(reports: Iterable[Placed]) -> Iterator[str]:
    """JUnit XML, a test case an answer; one that may not go out has failed.

    The counts stand in front, so that ``reports`` is gone through twice: a list, or what begins anew.
    """
    tests = failures = 0
    for placed in reports:
        tests += 1
        failures += placed.report.action != "emit"
    counts = f'tests="{tests}" failures="{failures}" errors="0"'
    yield f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites {counts}>\n'
    yield f'<testsuite name="affidavit" {counts}>\n'
    for placed in reports:
        yield from _test_case(placed)
    yield "</testsuite>\n</testsuites>\n"


def _test_case(placed: Placed) -> Iterator[str]:
    report = placed.report
    seconds = f"{report.timings.total / 1000:.3f}"
    name, file = _attribute(report.run_id), _attribute(placed.file)
    opening = f'<testcase classname={file} name={name} time="{seconds}"'
    if report.action == "emit":
        yield f"{opening}/>\n"
        return
    why = "; ".join(report.reasons) or report.action
    text = "\n".join(_told(report))
    yield f'{opening}><failure type="{report.action}" message={_attribute(why)}>'
    yield f"{escape(_NOT_XML.sub('�', text))}</failure></testcase>\n"


def _told(report: HallucinationReport) -> Iterator[str]:
    for claim in _held_against(report):
        yield f"{claim.status}: {claim.text}"
        if claim.explanation:
            yield f"    {claim.explanation}"
        for span in claim.evidence_spans:
            yield f"    {span.tool or span.source} {span.pointer}: {span.text}"
    for tool, error in _call_errors(report):
        yield f"rejected call of {tool}: {error.message}"


def sarif(reports: Iterable[Placed], version: str) -> Iterator[str]:
    """SARIF, a result for each claim held against an answer and each fault of a call, one at a time."""
    rules = [
        {"id": code, "shortDescription": {"text": REASON[code]}} for code in get_args(ReasonCode)
    ]
    rules.append(
        {"id": "rejected_call", "shortDescription": {"text": "a call that was not to run"}}
    )
    driver = {"name": "Affidavit", "version": version, "rules": rules}
    yield f'{{"$schema": {json.dumps(_SCHEMA)}, "version": "2.1.0", "runs": [{{"tool": '
    yield f'{json.dumps({"driver": driver})}, "columnKind": "unicodeCodePoints", "results": ['
    between = ""
    for placed in reports:
        for result in _results(placed):
            yield f"{between}\n{json.dumps(result)}"
            between = ","
    yield "\n]}]}\n"


def _results(placed: Placed) -> Iterator[dict[str, Any]]:
    report = placed.report
    for claim in _held_against(report):
        evidence = "".join(
            f"\n{s.tool or s.source} {s.pointer}: {s.text}" for s in claim.evidence_spans
        )
        text = f"{claim.status}: “{claim.text}”. {claim.explanation}{evidence}"
        rule = claim.reason or "not_entailed"
        yield _result(placed, rule, "error" if claim.critical else "warning", text, claim.text)
    for tool, error in _call_errors(report):
        text = f"The call of {tool} was rejected: {error.message}"
        yield _result(placed, "rejected_call", "warning", text, tool + error.message)


def _result(placed: Placed, rule: str, level: str, text: str, what: str) -> dict[str, Any]:
    print_of = hashlib.sha256(
        f"{placed.report.run_id}\0{what}".encode("utf-8", "replace")
    ).hexdigest()
    place = {"artifactLocation": {"uri": placed.file}, "region": {"startLine": placed.line}}
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"affidavitClaim/v1": print_of[:32]},
        "properties": {"run_id": placed.report.run_id, "action": placed.report.action},
    }


def _held_against(report: HallucinationReport) -> Iterator[ClaimVerdict]:
    return (c for c in report.claims if c.is_held_against)


def _call_errors(report: HallucinationReport) -> Iterator[tuple[str, CallError]]:
    for call in report.tool_call_validations:
        if call.status == "rejected" and call.corrected_by is None:
            yield from ((call.tool, error) for error in call.errors)


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("�", text))
