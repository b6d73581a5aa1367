"""Exhibits: every place that a report cites is found in what the run recorded."""

from __future__ import annotations

import json
from typing import Any

import pytest

from affidavit import HallucinationReport, RunTrace, read_run
from affidavit.records.page.view.exhibits import Exhibit, Exhibits, exhibits_of, letters, spans_of
from affidavit.report import EvidenceSpan, ProvenanceRecord, ToolCallValidation
from affidavit.testing import claim_verdict, report_of


def run_with(content: Any, *, user: str = "Hello", is_error: bool = False) -> RunTrace:
    use = {"type": "tool_use", "id": "call_1", "name": "look", "input": {}}
    back = {
        "type": "tool_result",
        "tool_use_id": "call_1",
        "content": content,
        "is_error": is_error,
    }
    return read_run(
        {
            "id": "run",
            "messages": [
                {"role": "user", "content": user},
                {"role": "assistant", "content": [use]},
                {"role": "user", "content": [back]},
                {"role": "assistant", "content": "Done."},
            ],
        }
    )


def citing(pointer: str, text: str = "", **fields: Any) -> HallucinationReport:
    place = {"source": "tool_result", "tool": "look", "call_id": "call_1", "message": 2}
    span = EvidenceSpan(**{**place, "pointer": pointer, "text": text, **fields})
    return report_of(claim_verdict("Done.", evidence=[span]))


def marked(exhibit: Exhibit) -> list[str]:
    return [exhibit.text[a:b] for a, b in exhibit.marks]


NESTED = json.dumps({"orders": [{"id": "A/1", "lines": [1, 2]}], "note": '{"inner": 5}'})


@pytest.mark.parametrize(
    ("content", "pointer", "said", "shown"),
    [
        (NESTED, "/orders/0/id", "id: A/1", '"id": "A/1"'),
        (NESTED, "/orders/0/lines/1", "lines: 2", "2"),
        (NESTED, "/note/inner", "inner: 5", '"note": "{\\"inner\\": 5}"'),
        ('{"a~b": {"c/d": 1}}', "/a~0b/c~1d", "c/d: 1", '"c/d": 1'),
        ("The total was 5 dollars.", "char=14,15", "5", "5"),
        ("Total\n=====\nIt was 5 dollars.", "char=12,29", "Total | It was 5 dollars.", "It was 5 dollars."),
        ("The total was 5 dollars.", "/total", "total: 5", "5"),
        ("{'total': 5, 'ok': True}", "/total", "total: 5", "'total': 5"),
    ],
)  # fmt: skip
def test_a_place_is_found_where_it_stands(
    content: str, pointer: str, said: str, shown: str
) -> None:
    (exhibit,) = exhibits_of(citing(pointer, said), run_with(content)).listed
    assert marked(exhibit) == [shown]


def test_of_several_texts_of_one_message_the_one_that_says_it_is_meant() -> None:
    run = run_with("x", user="placeholder")
    parts = (
        {"type": "text", "text": "First words here"},
        {"type": "text", "text": "My code is K-9."},
    )
    data = run.model_dump(mode="json")
    data["messages"][0]["parts"] = list(parts)
    report = citing("char=11,14", "K-9", source="user", tool=None, call_id=None, message=0)
    found = exhibits_of(report, RunTrace.model_validate(data))
    assert [marked(e) for e in found.listed if e.kind == "user"] == [["K-9"]]


def test_structured_content_of_several_parts_is_told_apart_by_number() -> None:
    run = run_with("x").model_dump(mode="json")
    run["messages"][2]["parts"][0]["content"] = [
        {"type": "text", "text": "Two tables."},
        {"type": "data", "value": {"n": 1}},
        {"type": "data", "value": {"n": 2}},
        {"type": "unknown", "kind": "image", "raw": {"url": "x"}},
    ]
    (exhibit,) = exhibits_of(citing("/1/n", "n: 2"), RunTrace.model_validate(run)).listed
    assert marked(exhibit) == ['"n": 2']
    assert "Two tables." in exhibit.text
    assert '"kind": "image"' in exhibit.text


def test_a_place_that_is_not_there_is_said_to_be_so() -> None:
    report = citing("/gone", "gone: 77")
    found = exhibits_of(report, run_with('{"here": 1}'))
    citation = found.citation(next(spans_of(report)))
    assert (citation.mark, citation.exhibit, citation.text) == (None, "A", "gone: 77")


def test_without_the_run_the_places_that_the_report_quotes_are_shown() -> None:
    report = report_of(
        claim_verdict("One.", evidence=[EvidenceSpan(source="tool_result", call_id="c", tool="t", text="a: 1", pointer="/a")]),
        claim_verdict("Two.", evidence=[EvidenceSpan(source="tool_result", call_id="c", tool="t", text="b: 2", pointer="/b"),
                                        EvidenceSpan(source="tool_result", call_id="c", tool="t", text="a: 1", pointer="/a")]),
    )  # fmt: skip
    (exhibit,) = exhibits_of(report, None).listed
    assert exhibit.partial
    assert marked(exhibit) == ["a: 1", "b: 2"]


def test_every_result_is_an_exhibit_and_what_was_said_only_if_cited() -> None:
    origin = EvidenceSpan(source="user", message=0, text="Hello", pointer="char=0,5")
    call = ToolCallValidation(
        tool="look", args={}, status="rejected", call_id="call_1",
        provenance=(ProvenanceRecord(path="/x", value="Hello", origin=origin),),
    )  # fmt: skip
    run = run_with("Nothing.", is_error=True)
    assert [e.kind for e in exhibits_of(report_of(), run).listed] == ["tool_result"]
    user, result = exhibits_of(report_of(calls=[call]), run).listed
    assert (user.label, user.kind) == ("A", "user")
    assert (result.label, result.is_error, result.rejected) == ("B", True, True)


def test_places_of_the_example_are_all_found(report: HallucinationReport, trace: RunTrace) -> None:
    found: Exhibits = exhibits_of(report, trace)
    cited = [found.citation(span) for span in spans_of(report)]
    assert len(cited) > 20
    assert [c for c in cited if c.mark is None] == []
    shown = {
        (c.exhibit, c.pointer): marked(next(e for e in found.listed if e.label == c.exhibit))[
            c.mark
        ]
        for c in cited
        if c.mark is not None
    }
    assert shown["D", "/performances/0/doors_open_at"] == '"doors_open_at": "14:00"'
    assert shown["A", "char=21,29"] == "TH-48213"


def test_letters_go_on_after_z() -> None:
    assert [letters(n) for n in (0, 25, 26, 27, 701, 702)] == ["A", "Z", "AA", "AB", "ZZ", "AAA"]
