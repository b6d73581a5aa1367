"""The page as a file: whole, by itself, and true to the report."""

from __future__ import annotations

import base64
import hashlib
import json
import re

import pytest

from affidavit import HallucinationReport, RunTrace
from affidavit.records.page import render_page
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
