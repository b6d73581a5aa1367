"""What a tool, a model or a user said cannot run, hide or break the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

from affidavit import HallucinationReport, RunTrace
from affidavit.records.page import render_page

Show = Callable[..., Any]

RUN = "window.ran=1"
PAYLOADS = (
    f"<script>{RUN}</script>",
    f"</script><script>{RUN}</script>",
    f"</style><script>{RUN}</script>",
    f"</title></textarea></noscript><script>{RUN}</script>",
    f"--><script>{RUN}</script><!--",
    f"]]><script>{RUN}</script>",
    f'<img src="x" onerror="{RUN}">',
    f'"><svg onload="{RUN}">',
    f"' onmouseover='{RUN}' autofocus onfocus='{RUN}' tabindex='0",
    f'" onmouseover="{RUN}" autofocus onfocus="{RUN}" x="',
    f"javascript:{RUN}",
    f'<a href="javascript:{RUN}">here</a>',
    f'<iframe srcdoc="<script>parent.{RUN}</script>"></iframe>',
    f"<meta http-equiv='refresh' content='0;url=javascript:{RUN}'>",
    f"<form action='javascript:{RUN}'><button autofocus>",
    "<base href='https://example.invalid/'>",
    "<link rel=stylesheet href='https://example.invalid/x.css'>",
    "<style>*{display:none!important}</style>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=" + RUN + "&gt;'>",
    f"\\u003cscript\\u003e{RUN}\\u003c/script\\u003e ${{{RUN}}} {{{{{RUN}}}}}",
    f"\ufeff\u202e>tpircs/<{RUN}>tpircs<\u202c\u2066\x00\x08",
)  # fmt: skip


def with_strings(model: BaseModel, change: Callable[[str], str], keep: frozenset[str]) -> Any:
    """The same model with every free string changed: keys of data as well as values."""

    def walk(value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            free = name in ("args", "value", "raw")
            return {
                change(k) if free else k: walk(v, name if free else k) for k, v in value.items()
            }
        if isinstance(value, list):
            return [walk(inner, name) for inner in value]
        return change(value) if isinstance(value, str) and name not in keep else value

    return type(model).model_validate(walk(model.model_dump(mode="json")))


CLOSED = frozenset(
    {"status", "action", "kind", "reason", "source", "state", "verdict", "role", "type", "policy"}
    | {"task_type", "aggregation", "evidence_scope", "groundedness", "on_critical", "uncovered", "fail_mode"}
)  # fmt: skip


def hostile(report: HallucinationReport, trace: RunTrace, payload: str) -> str:
    def change(words: str) -> str:
        return payload + words

    # The places of the claims move with the words that open the answer.
    bad = with_strings(report, change, CLOSED - {"detail"})
    return render_page(bad, with_strings(trace, change, CLOSED))


@pytest.mark.spec("AFF-608")
@pytest.mark.parametrize("payload", PAYLOADS)
def test_nothing_that_was_said_runs(
    show: Show, report: HallucinationReport, trace: RunTrace, payload: str
) -> None:
    opened = show(hostile(report, trace, payload))
    tab = opened.page
    for number in (1, 4, 7):
        tab.click(f"#ref-{number}")
    tab.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    tab.mouse.move(300, 500)
    for name in ("h1", ".answer", ".thread", ".calls", ".exhibit"):
        tab.locator(name).first.hover(force=True)
    assert tab.evaluate("window.ran") is None
    assert opened.asked == []
    assert opened.complaints == []
    assert tab.url.startswith("file:")
    counts = "(s) => document.querySelectorAll(s).length"
    assert tab.evaluate(counts, "script:not([type]), style") == 2
    foreign = "img, iframe, form, base, link, object, embed, math, input, textarea, [onload], [onerror], [onmouseover], [onfocus], [style]"
    assert tab.evaluate(counts, foreign) == 0
    assert tab.evaluate("[...document.links].every((a) => a.getAttribute('href').startsWith('#'))")
    assert tab.locator("h1").is_visible()


def test_what_was_said_is_all_there_to_be_read(
    show: Show, report: HallucinationReport, trace: RunTrace
) -> None:
    payload = PAYLOADS[1]
    tab = show(hostile(report, trace, payload)).page
    expected = {
        ".answer": 1,
        ".thread": 10,
        ".calls": 15,
        ".exhibits, .exhibit": 7,
        ".probe": 5,
        ".drafts": 2,
    }
    for selector, least in expected.items():
        texts = tab.locator(selector).all_text_contents()
        assert sum(text.count(payload) for text in texts) >= least, selector


def test_text_that_runs_from_right_to_left_keeps_to_its_place(
    show: Show, report: HallucinationReport, trace: RunTrace
) -> None:
    arabic = "تم نقل الحجز TH-48213 إلى يوم السبت. السعر الإجمالي 106.00 دولار."
    claim = report.claims[1].model_copy(update={"text": arabic, "start": 0, "end": len(arabic)})
    update = {"answer": arabic, "claims": (claim,), "consistency_probes": ()}
    tab = show(render_page(report.model_copy(update=update), trace)).page
    direction = "(s) => getComputedStyle(document.querySelector(s)).direction"
    assert tab.evaluate(direction, ".answer") == "rtl"
    assert tab.evaluate(direction, ".note blockquote") == "rtl"
    assert tab.evaluate(direction, "main") == "ltr"
    tab.click("#ref-1")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 1280


def test_a_value_that_is_very_long_breaks_no_layout(
    show: Show, report: HallucinationReport, trace: RunTrace
) -> None:
    long = "x" * 20_000
    bad = report.model_copy(update={"run_id": long, "answer": long + report.answer[len(long) :]})
    tab = show(render_page(bad, trace.model_copy(update={"answer": long})), width=390).page
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390


def test_of_a_megabyte_only_what_is_cited_is_in_view(
    show: Show, report: HallucinationReport, trace: RunTrace
) -> None:
    from affidavit.report import EvidenceSpan
    from affidavit.testing import claim_verdict, report_of

    lines = [f"{n:06d} nothing of note happened on this line" for n in range(23_000)]
    lines[12_000] = "012000 the pump was switched off by Ines Okafor"
    text = "\n".join(lines)
    at = text.index(lines[12_000])
    span = EvidenceSpan(
        source="user", message=0, text=lines[12_000], pointer=f"char={at},{at + len(lines[12_000])}"
    )
    said = "The pump was switched off by Ines Okafor."
    run = trace.model_copy(
        update={
            "messages": (
                type(trace.messages[0]).model_validate(
                    {"role": "user", "parts": [{"type": "text", "text": text}]}
                ),
            )
        }
    )
    tab = show(render_page(report_of(claim_verdict(said, evidence=[span])), run)).page
    tab.click("#ref-1")
    marked = tab.locator("#claim-1 .in-place mark.on")
    assert marked.inner_text() == lines[12_000]
    assert len(tab.locator("#claim-1 .in-place .text").inner_text()) < 1000
    assert len(text) > 1_000_000
    exhibit = tab.locator("#exhibit-A .text")
    assert exhibit.locator("details.fold summary").all_inner_texts() == [
        "11,997 lines folded",
        "10,996 lines folded",
    ]
    whole = exhibit.evaluate(
        "(e) => [...e.querySelectorAll('.shown')].map((p) => p.textContent).join('')"
    )
    assert whole == text
