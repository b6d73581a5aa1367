"""What a reader sees of a report."""

from __future__ import annotations

import io
from collections.abc import Callable

from rich.console import Console

from affidavit.cli.render import marked_answer, render_report
from affidavit.cli.terminal import console
from affidavit.report import (
    CallError,
    CheckRecord,
    ConsistencyProbe,
    EvidenceSpan,
    HallucinationReport,
    SourceReference,
)

MakeReport = Callable[..., HallucinationReport]
ANSWER = "Hi! The pads cost $24.50. They arrive on Monday."


def piped(report: HallucinationReport) -> str:
    file = io.StringIO()
    render_report(report, console(file))
    return file.getvalue()


def on_terminal(report: HallucinationReport, width: int = 120) -> str:
    file = io.StringIO()
    out = Console(file=file, force_terminal=True, width=width, color_system="truecolor")
    render_report(report, out)
    return file.getvalue()


def test_piped_output_is_plain_and_says_everything_in_words(make_report: MakeReport) -> None:
    report = make_report(
        ANSWER,
        {
            "Hi!": "exempt",
            "The pads cost $24.50.": {"status": "supported", "critical": True},
            "They arrive on Monday.": {
                "status": "contradicted",
                "reason": "contradicts_evidence",
                "explanation": "the evidence says Tuesday",
            },
        },
        action="block",
        reasons=("a critical claim scores 0.02, below 0.40",),
    )
    text = piped(report)
    assert "\x1b" not in text
    assert not any(line != line.rstrip() for line in text.splitlines())
    for words in (
        "✗ BLOCK  score 0.02",
        "why: a critical claim scores 0.02, below 0.40",
        "1 · exempt  Hi!",
        "2 ✓ supported 0.97 critical  The pads cost $24.50.",
        "3 ✗ contradicted 0.02 contradicts_evidence  They arrive on Monday.",
        "the evidence says Tuesday",
        "→ get_part call_1 /price  price: 24.50",
        "skipped: no model was configured",
    ):
        assert words in text


def test_piped_lines_are_not_broken(make_report: MakeReport) -> None:
    long = "The pads " + "really " * 25 + "cost $24.50."
    assert long in piped(make_report(long, {long: "supported"}))


def test_on_a_wide_terminal_evidence_stands_beside_its_claim(make_report: MakeReport) -> None:
    text = on_terminal(make_report(ANSWER, {"The pads cost $24.50.": "supported"}))
    line = next(line for line in text.splitlines() if "✓ supported" in line)
    assert "get_part call_1 /price" in line
    assert "\x1b[32m" in text


def test_each_claim_is_numbered_where_it_ends(make_report: MakeReport) -> None:
    report = make_report(
        ANSWER, {"The pads cost $24.50.": "supported", "They arrive on Monday.": "unsupported"}
    )
    assert marked_answer(report).plain == "Hi! The pads cost $24.50.¹ They arrive on Monday.²"


def test_terminal_commands_in_what_was_said_are_shown_and_not_obeyed(
    make_report: MakeReport,
) -> None:
    answer = "Fine.\x1b[2J\x9b31m\r Gone."
    text = piped(make_report(answer, {answer: "supported"}))
    assert not {"\x1b", "\x9b", "\r"} & set(text)
    assert "Fine.␛[2J" in text


def test_a_rejected_call_shows_where_why_and_what_was_meant(make_report: MakeReport) -> None:
    error = CallError(
        kind="provenance", path="/part_id", message="BP-9 is not known", suggestion="BP-7"
    )
    report = make_report(
        calls={"call_0": {"status": "rejected", "errors": (error,), "corrected_by": "call_1"}}
    )
    text = piped(report)
    assert '✗ rejected  get_part(part_id="BP-7")  call_0  corrected by call_1' in text
    assert "/part_id: BP-9 is not known (BP-7)" in text


def test_a_derived_value_shows_its_formula(make_report: MakeReport) -> None:
    check = CheckRecord(name="derived", state="checked", formula="24.50 + 38.00 = 62.50")
    told = {"status": "supported", "decided_by": "derived", "checks": (check,)}
    assert "= 24.50 + 38.00 = 62.50" in piped(make_report(ANSWER, {"The pads cost $24.50.": told}))


def test_probes_show_each_answer(make_report: MakeReport) -> None:
    probe = ConsistencyProbe(
        claim="The pads cost $24.50.",
        original="The pads cost $24.50.",
        probe_answers=("$24.50", "$30"),
        agreement=0.5,
        diverges=True,
    )
    text = piped(make_report(consistency_probes=(probe,)))
    assert "✗ diverges  50% agree  The pads cost $24.50." in text
    assert "→ $30" in text


def test_the_widest_line_fits_a_narrow_terminal(make_report: MakeReport) -> None:
    report = make_report(ANSWER, {"The pads cost $24.50.": "supported"})
    file = io.StringIO()
    render_report(report, Console(file=file, width=40, no_color=True))
    assert max(map(len, file.getvalue().splitlines())) <= 40


def test_evidence_names_the_document_it_stands_in(make_report: MakeReport) -> None:
    document = SourceReference(title="Price list", document_id="PL-1", version="2.3", page=4)
    span = EvidenceSpan(source="tool_result", text="$49", tool="search", document=document)
    claim = {"status": "supported", "evidence": [span]}
    report = make_report("It costs $49.", {"It costs $49.": claim})
    assert "Price list, version 2.3 (page 4)" in piped(report)
