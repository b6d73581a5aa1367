"""The page as a file: whole, by itself, and true to the report."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re

import pytest

from affidavit import HallucinationReport, RunTrace
from affidavit.records.page import render_page
from affidavit.report import CheckRecord, EvidenceSpan, SourceReference, StageState
from affidavit.testing import claim_verdict, report_of


@pytest.fixture(scope="module")
def page(report: HallucinationReport, trace: RunTrace) -> str:
    return render_page(report, trace)


def test_a_page_asks_nothing_of_the_network(page: str) -> None:
    links = re.findall(r'(?:href|src|action|srcset|data)="([^"]*)"', page)
    assert links
    assert [link for link in links if not link.startswith("#")] == []
    assert "@import" not in page
    assert "url(" not in page


def test_only_the_scripts_and_styles_of_the_page_may_run(page: str) -> None:
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    assert "default-src &#x27;none&#x27;" in policy[1]
    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        (body,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.S)
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"{directive} &#x27;sha256-{digest}&#x27;" in policy[1]
    assert not re.search(r"\sstyle=|\son[a-z]+=", page)


def test_the_report_can_be_read_back_from_its_page(page: str, report: HallucinationReport) -> None:
    found = re.search(r'<script type="application/json" id="report">(.*?)</script>', page, re.S)
    assert found
    assert HallucinationReport.model_validate(json.loads(found[1])) == report


def test_the_same_report_makes_the_same_page(
    page: str, report: HallucinationReport, trace: RunTrace
) -> None:
    assert render_page(report, trace) == page


def test_every_anchor_leads_somewhere_and_ids_are_unique(
    page: str, report: HallucinationReport
) -> None:
    for one in (page, render_page(report)):
        ids = re.findall(r'\sid="([^"]*)"', one)
        assert len(ids) == len(set(ids))
        assert set(re.findall(r'href="#([^"]*)"', one)) <= set(ids)
        assert set(re.findall(r'aria-(?:controls|labelledby)="([^"]*)"', one)) <= set(ids)


def test_an_answer_without_claims_makes_a_page_too() -> None:
    page = render_page(report_of(answer="", reasons=("no claim was scored",)))
    assert "The answer makes no claim." in page
    assert "Nothing was said." in page


def test_claims_that_overlap_each_have_their_number() -> None:
    answer = "The total is $5 and $6 is left."
    claims = [
        claim_verdict(answer, start=0, end=31),
        claim_verdict("$6 is left.", start=20, end=31),
        claim_verdict(answer, start=0, end=31, status="contradicted", score=0.1),
    ]
    page = render_page(report_of(*claims, answer=answer))
    assert [re.search(rf'id="ref-{n}"', page) is not None for n in (1, 2, 3)] == [True] * 3
    shown = re.search(r'<div class="answer" dir="auto">(.*?)</div>', page)
    assert shown
    assert re.sub(r"<a .*?</a>|<[^>]*>", "", shown[1]) == answer


@pytest.mark.parametrize(
    ("answer", "start", "end"), [("", 0, 0), ("Yes.", 0, 0), ("Yes.", 2, 99), ("Yes.", 9, 12)]
)
def test_a_claim_that_is_not_in_its_answer_still_has_its_number(
    answer: str, start: int, end: int
) -> None:
    page = render_page(report_of(claim_verdict("Yes.", start=start, end=end), answer=answer))
    assert page.count('id="ref-1"') == 1


def test_what_failed_or_was_skipped_is_said_with_its_reason() -> None:
    stages = {
        "verify": StageState(state="skipped", reason="no tool calls"),
        "ground": StageState(state="failed", reason="the scorer is gone"),
        "probe": StageState(state="skipped", reason="no model configured"),
        "gate": StageState(state="checked"),
    }
    shown = words_of(
        render_page(report_of(stages=stages, unknown_parts=2, timings={"ground": 1234.5}))
    )
    for told in (
        "Claims grounded ! failed 1,234.5 ms the scorer is gone",
        "Tool calls verified – skipped 0.0 ms no tool calls",
        "Probes skipped: no model configured.",
        "Nothing in this answer was scored.",
        "2 parts of the run are of a kind that cannot be read.",
    ):
        assert told in shown


@pytest.mark.spec("AFF-607")
def test_what_could_not_be_checked_is_not_shown_as_supported() -> None:
    failed = CheckRecord(
        name="entailment", state="failed", detail="timed out", reason="check_failed"
    )
    claim = claim_verdict("It is open.", None, reason="check_failed", checks=(failed,))
    shown = words_of(render_page(report_of(claim)))
    assert "? unchecked critical a check failed" in shown
    assert "Could not be carried out The meaning timed out" in shown
    assert "supported" not in shown.replace("unsupported", "").partition("How it was decided")[0]


def test_a_document_is_named_where_the_evidence_comes_from_one() -> None:
    place = SourceReference(title="House rules", document_id="d1", page=3)
    span = EvidenceSpan(source="tool_result", text="until 24 hours before", document=place)
    assert "House rules (page 3)" in words_of(
        render_page(report_of(claim_verdict(evidence=[span])))
    )


def words_of(page: str) -> str:
    body = page.partition("<body>")[2].partition("<script")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body)).split())
