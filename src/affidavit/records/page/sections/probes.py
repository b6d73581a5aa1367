"""Probes: what the answer says, beside what the model said when it was asked again."""

from __future__ import annotations

from collections import Counter

from affidavit.records.page.markup import Markup, el
from affidavit.records.page.view import PageView
from affidavit.report import ConsistencyProbe, HallucinationReport


def probes(view: PageView) -> Markup:
    if not view.report.consistency_probes:
        state = view.report.stages.get("probe")
        why = f"{state.state}: {state.reason}" if state and state.reason else "not asked again"
        return el(
            "p", {"class": "quiet"}, f"The model was {why}." if not state else f"Probes {why}."
        )
    listed = [_probe(view.report, probe) for probe in view.report.consistency_probes]
    return el("div", {"class": "probes"}, listed)


def _probe(report: HallucinationReport, probe: ConsistencyProbe) -> Markup:
    number = next((n for n, c in enumerate(report.claims, 1) if c.text == probe.claim), None)
    share = "no usable answer" if probe.agreement is None else f"{probe.agreement:.0%} agree"
    sign, word, name = (
        ("✕", "diverges", "contradicted") if probe.diverges
        else ("?", "no answer", "unchecked") if probe.agreement is None
        else ("✓", "agrees", "supported")
    )  # fmt: skip
    answers = Counter(probe.probe_answers)
    return el(
        "div",
        {"class": f"probe {name}"},
        el("div", {"class": "original"},
           el("h3", None, el("a", {"href": f"#claim-{number}", "data-claim": number}, f"Claim {number}") if number else "Claim"),
           el("p", {"dir": "auto"}, probe.original or probe.claim)),
        el("div", {"class": "again"},
           el("h3", None, el("span", {"class": f"badge {name}"}, sign, " ", word), " ", el("span", {"class": "quiet"}, share)),
           el("ul", None, [_said(words, times) for words, times in answers.items()])),
    )  # fmt: skip


def _said(words: str, times: int) -> Markup:
    often = el("span", {"class": "quiet"}, f" ×{times}") if times > 1 else None
    if not words.strip():
        return el("li", {"class": "quiet"}, "nothing on this", often)
    return el("li", {"dir": "auto"}, words, often)
