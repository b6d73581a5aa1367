"""The pages of audits on a phone and in print."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from affidavit.audit.item import RunRow
from affidavit.audit.page import summary_page
from affidavit.audit.summary import summarize

Show = Callable[..., Any]


@pytest.fixture
def page() -> str:
    rows = [
        RunRow(
            run_id=f"booking-2026-06-20-{number}",
            action=action,
            score=0.4,
            scored=True,
            statuses={"supported": 3, "contradicted": int(action != "emit")},
            reasons={} if action == "emit" else {"contradicts_evidence": 1},
            agent="concierge",
            model="a-model-with-a-long-name",
            week="2026-W25",
            label="good" if action == "emit" else "bad",
            tools=("find_wheelchair_spaces", "search_house_rules"),
            worst="" if action == "emit" else "Doors open at 19:00.",
            worst_score=0.4,
            worst_why="the results say 18:45",
        )
        for number, action in enumerate(("emit", "emit", "revise", "block"))
    ]
    return summary_page(summarize(rows), "audit")


def test_on_a_phone_each_row_is_a_card(
    show: Show, page: str, split_words: Callable[[Page], list[str]]
) -> None:
    tab = show(page, width=400).page
    assert tab.evaluate("document.documentElement.scrollWidth") <= 400
    assert split_words(tab) == []
    name = "(e) => getComputedStyle(e, '::before').content"
    heads = [
        cell.evaluate(name) for cell in tab.locator("tr", has_text="Revise").locator("td.n").all()
    ]
    assert heads == ['"number"', '"share"']
    for cell in tab.locator("td.n").all():
        assert cell.evaluate("(e) => e.scrollWidth <= e.clientWidth")


@pytest.mark.parametrize("width", [400, 1280])
def test_axe_finds_no_fault(show: Show, page: str, width: int) -> None:
    opened = show(page, width=width)
    found = Axe().run(opened.page).response["violations"]
    assert [(f["id"], f["impact"], f["nodes"][0]["html"]) for f in found] == []
    assert opened.asked == [] and opened.complaints == []


def test_figures_stand_under_their_heads(show: Show, page: str) -> None:
    tab = show(page).page
    heads = tab.get_by_role("columnheader", name="claims not borne out")
    table = tab.locator("table").filter(has=heads).first  # each table has widths of its own
    head = table.locator(heads).first.bounding_box()
    cell = table.locator("td.n").filter(has_text="%").last.bounding_box()
    assert abs(head["x"] + head["width"] - cell["x"] - cell["width"]) < 1
    expect(tab.locator(".lede")).to_contain_text("2 would not have gone out as they were")
    assert len(re.findall(rb"/Type\s*/Page\b", tab.pdf())) <= 2
