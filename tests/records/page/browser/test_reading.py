"""Reading a page: evidence in place, the keyboard, the screen reader, themes, paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from affidavit import HallucinationReport, RunTrace
from affidavit.records.page import render_page
from affidavit.testing import claim_verdict, report_of

Show = Callable[..., Any]


@pytest.fixture
def page(report: HallucinationReport, trace: RunTrace) -> str:
    return render_page(report, trace)


def test_a_claim_shows_its_evidence_in_place(
    show: Show, page: str, report: HallucinationReport
) -> None:
    opened = show(page)
    tab = opened.page
    tab.click('.claim[data-claim="7"]')
    note = tab.locator("#claim-7")
    marked = note.locator(".in-place mark.on")
    expect(marked.first).to_be_in_viewport()
    texts = marked.all_inner_texts()
    for span in report.claims[6].evidence_spans:
        field, _, value = span.text.partition(": ")
        assert f'"{field.replace(" ", "_")}": "{value}"' in texts
    expect(note.locator(".in-place .text")).to_contain_text('"starts_at": "19:30"')
    expect(tab.locator("#ref-7")).to_have_attribute("aria-expanded", "true")
    told = report.claims[6]
    expect(tab.locator("#live")).to_contain_text(
        f"Claim 7, {told.status}, of 8. {told.explanation}"
    )
    tab.click('.claim[data-claim="4"]')
    expect(tab.locator("#claim-7 .in-place")).to_be_hidden()
    expect(tab.locator("#claim-4 .formula", has_text="3850 + 3850 + 2900")).to_have_count(1)
    for cents in ("3850", "2900"):
        expect(tab.locator("#claim-4 .in-place mark.on", has_text=cents).first).to_be_visible()
    assert opened.asked == []
    assert opened.complaints == []


def test_the_keyboard_goes_from_claim_to_claim(show: Show, page: str) -> None:
    tab = show(page).page
    for key, number in [
        ("j", 1),
        ("ArrowRight", 2),
        ("j", 3),
        ("k", 2),
        ("ArrowLeft", 1),
        ("k", 1),
    ]:
        tab.keyboard.press(key)
        expect(tab.locator(".note.open")).to_have_attribute("id", f"claim-{number}")
        expect(tab.locator(f"#ref-{number}")).to_be_focused()
    tab.keyboard.press("Escape")
    expect(tab.locator(".note.open")).to_have_count(0)
    expect(tab.locator("#ref-1")).to_be_focused()
    tab.locator("#ref-5").focus()
    tab.keyboard.press("Enter")
    marked = tab.locator("#claim-5 .in-place mark.on", has_text="exchanged free of charge")
    expect(marked.first).to_be_in_viewport()
    tab.keyboard.press("Enter")
    expect(tab.locator(".note.open")).to_have_count(0)


def test_a_link_leads_to_a_claim_and_into_an_exhibit(show: Show, page: str) -> None:
    tab = show(page).page
    tab.goto(tab.url + "#claim-3")
    expect(tab.locator(".note.open")).to_have_attribute("id", "claim-3")
    leads = tab.locator("#claim-3 .citations a").first
    exhibit = (leads.get_attribute("href") or "").split("-")[1]
    leads.click()
    expect(tab.locator(f"#exhibit-{exhibit}")).to_be_in_viewport()


def test_an_address_that_leads_nowhere_does_no_harm(show: Show, page: str) -> None:
    opened = show(page)
    for place in ("#%", "#claim-99", "#claim-", "#'><script>"):
        opened.page.goto(opened.page.url.partition("#")[0] + place)
        opened.page.reload()
        expect(opened.page.locator("#theme")).to_be_visible()
    assert opened.complaints == []


def test_the_theme_can_be_chosen_and_is_kept(show: Show, page: str) -> None:
    tab = show(page, scheme="dark").page
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = tab.evaluate(paper)
    button = tab.locator("#theme")
    expect(button).to_have_text("Theme: as the system")
    button.click()
    expect(button).to_have_text("Theme: light")
    assert tab.evaluate(paper) != dark
    tab.reload()
    expect(button).to_have_text("Theme: light")
    button.click()
    assert tab.evaluate(paper) == dark


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_no_fault(show: Show, page: str, laid_out: str, scheme: str, width: int) -> None:
    tab = show(page, scheme=scheme, width=width).page
    for number in (None, 4, 7):
        if number:
            tab.click(f"#ref-{number}")
        tab.evaluate(laid_out)
        found = Axe().run(tab).response["violations"]
        assert [(f["id"], f["impact"], f["nodes"][0]["html"]) for f in found] == []


def test_nothing_is_wider_than_a_phone(show: Show, page: str) -> None:
    tab = show(page, width=360).page
    tab.click("#ref-4")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360
    expect(tab.locator("#claim-4")).to_be_in_viewport()


def test_on_a_phone_no_word_is_split_and_the_decision_is_on_screen(
    show: Show, page: str, split_words: Callable[[Any], list[str]]
) -> None:
    tab = show(page, width=400).page
    for part in ("h1", ".lede", ".tally"):
        expect(tab.locator(part)).to_be_in_viewport(ratio=1)
    tab.click("#ref-7")
    assert split_words(tab) == []


def test_on_a_phone_nothing_lies_on_anything(show: Show, page: str) -> None:
    tab = show(page, width=400).page
    wider = """() => [...document.querySelectorAll('.knot .who')]
      .filter((who) => who.scrollWidth > who.clientWidth || who.scrollHeight > who.parentElement.clientHeight)
      .map((who) => who.textContent)"""
    assert tab.evaluate(wider) == []


def test_without_scripts_everything_is_there(show: Show, page: str) -> None:
    tab = show(page, java_script_enabled=False).page
    expect(tab.locator(".note-body")).to_have_count(8)
    for body in tab.locator(".note-body").all():
        expect(body).to_be_visible()
    expect(tab.locator("#theme")).to_be_hidden()


def test_on_paper_every_detail_is_open(show: Show, page: str) -> None:
    tab = show(page).page
    tab.emulate_media(media="print")
    expect(tab.locator("#claim-7 .side.against .checks")).to_contain_text("Rows of data")
    for body in tab.locator(".note:not(.exempt) .note-body").all():
        expect(body).to_be_visible()
    for check in tab.locator(".check").all():
        expect(check).to_be_visible()
    expect(tab.locator(".hint")).to_be_hidden()
    assert len(re.findall(rb"/Type\s*/Page\b", tab.pdf())) <= 4


@pytest.mark.spec("AFF-607")
def test_a_status_is_never_told_by_colour_alone(show: Show) -> None:
    statuses = ("supported", "unsupported", "contradicted", "unchecked")
    claims = []
    for at, status in enumerate(statuses):
        score = None if status == "unchecked" else 0.5
        text = f"The fee is {at} dollars."
        start = at * (len(text) + 1)
        claims.append(claim_verdict(text, score, status=status, start=start, end=start + len(text)))
    tab = show(render_page(report_of(*claims))).page
    signs, lines = set(), set()
    for number, told in enumerate(tab.locator(".note .status").all_inner_texts(), 1):
        sign = told.strip()[0]
        assert tab.locator(f"#ref-{number}").inner_text().startswith(sign)
        line = tab.locator(f'.claim[data-claim="{number}"]').evaluate(
            "(claim) => getComputedStyle(claim).textDecorationStyle"
        )
        signs.add(sign)
        lines.add(line)
    assert len(signs) == len(lines) == len(statuses)


def test_the_drawing_of_the_gate_is_told_in_words(
    show: Show, page: str, report: HallucinationReport
) -> None:
    score = report.claims[6].score
    assert score is not None
    tab = show(page).page
    told = tab.locator(".scale").get_attribute("aria-label")
    assert told.startswith("Scale from 0 to 1. Thresholds: block 0.4, revise 0.6, emit 0.85.")
    assert f"claim 7 {score:.2f}" in told
    box = tab.locator(".scale").bounding_box()
    dot = tab.locator('.scale [data-claim="7"] circle').bounding_box()
    assert abs((dot["x"] + dot["width"] / 2 - box["x"]) / box["width"] - score) < 0.005
    tab.locator('.scale [data-claim="7"]').click()
    expect(tab.locator(".note.open")).to_have_attribute("id", "claim-7")
