"""The answer on the page: its Markdown read, nothing of it lost, each claim under its own words."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit import HallucinationReport
from affidavit.records.page import render_page
from affidavit.report import CheckRecord, EvidenceSpan, StageState
from affidavit.testing import claim_verdict, report_of
from affidavit.trace import RunTrace

TABLE = "| Item | Price |\n|---|---:|\n| Pads | $24.50 |\n| Labour | $38.00 |\n"
SIGNS = set("*_~`#>|-+=\\:.()0123456789")


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("# Paid\nAll **of it**.", '<h3 class="level-1">Paid</h3><p>All <strong>of it</strong>.</p>'),
        ("- one\n- *two*", '<ul><li>one</li><li><em>two</em></li></ul>'),
        ("3. c\n4. d", '<ol start="3"><li>c</li><li>d</li></ol>'),
        ("1. 1 bolt", '<ol><li>1 bolt</li></ol>'),
        ("> said `a  b`", '<blockquote><p>said <code>a  b</code></p></blockquote>'),
        ("```json\n{\n  1\n}\n```", "<pre><em>json</em>\n{\n  1\n}</pre>"),
        ("one\ntwo", '<p>one<br>two</p>'),
        (r"5 \* 3 is ~~16~~ 15", '<p>5 * 3 is <s>16</s> 15</p>'),
        ("a\n\n---\n\nb", '<p>a</p><hr><p>b</p>'),
        ("| a |\n|---|\n| x |", "<td>x</td>"),
        # What would hide something, or run, is shown as it was written.
        ("<b onclick=x()>Hi</b>", "&lt;b onclick=x()&gt;Hi&lt;/b&gt;"),
        ("[here](https://x.example)", "[here](https://x.example)"),
        ("![](https://x.example/a.png)", "![](https://x.example/a.png)"),
        ("<https://x.example>", "&lt;https://x.example&gt;"),
        ("AT&amp;T", "AT&amp;amp;T"),
        ("[a]: https://x.example", "[a]: https://x.example"),
        ("<script>\nx()\n</script>", "&lt;script&gt;<br>x()<br>&lt;/script&gt;"),
        # So is a table that drops a cell, and one whose pipe has no place of its own.
        ("|a|\n|-|\n|x|lost|", "<pre>|a|\n|-|\n|x|lost|</pre>"),
        ("| a |\n|---|\n| x\\|y |", "<pre>| a |\n|---|\n| x\\|y |</pre>"),
    ],
)  # fmt: skip
def test_markdown_is_read(answer: str, shown: str) -> None:
    assert shown in _answer(report_of(answer=answer))


@pytest.mark.parametrize(
    ("answer", "claim", "under"),
    [
        ("It **costs $5.** Good.", "It **costs $5.**", ["It ", "costs $5."]),
        ("- a 1\n- b 1", "b 1", ["b 1"]),
        ("1. 1", "1", ["1"]),
        (TABLE, "$38.00", ["$38.00"]),
        ("`x` is\r\n`y`", "`y`", ["y"]),
        ("> deep\n> - 7 here", "7 here", ["7 here"]),
    ],
)
def test_a_claim_is_marked_where_it_stands(answer: str, claim: str, under: list[str]) -> None:
    start = answer.rindex(claim)
    body = _answer(
        report_of(claim_verdict(claim, start=start, end=start + len(claim)), answer=answer)
    )
    assert re.findall(r'<span class="claim [^>]*>([^<]*)</span>', body) == under
    assert body.index('id="ref-1"') > body.rindex('<span class="claim')


@given(
    st.lists(
        st.sampled_from([
            "# ", "- ", "1. ", "> ", "**", "*", "`", "```\n", "|", "\n", "\n\n", "    ", "\\", "<b>", "[a](b)", "&lt;",
            "|a|b|\n|-|-|\n", "word", "5", " ", "\t", "~~", "\r\n", "é", "$5.00", "---\n",
        ]),
        max_size=30,
    )
)  # fmt: skip
def test_no_word_of_an_answer_is_lost_or_made_up(pieces: list[str]) -> None:
    answer = "".join(pieces)
    body = _answer(report_of(answer=answer))
    if answer.strip():
        seen = html.unescape(re.sub(r"<[^>]*>", "", body))
        assert _letters(seen) == _letters(answer)


def test_a_claim_of_a_table_says_its_row_and_column() -> None:
    start = TABLE.index("$38.00")
    report = report_of(claim_verdict("$38.00", start=start, end=start + 6), answer=TABLE)
    words = _words(render_page(report))
    assert "Labour · Price: $38.00" in words
    assert "Row Labour" in words
    assert "Column Price" in words


@pytest.mark.parametrize(
    ("action", "reasons", "claims", "told"),
    [
        ("block", ("critical claim “It costs $99.” scores 0.02, below 0.4",),
         [claim_verdict("It costs $99.", 0.02, status="contradicted", explanation="price is 24.50")],
         "Claim 1 It costs $99. : price is 24.50"),
        ("revise", ("overall score 0.7 is below 0.85",),
         [claim_verdict("It costs $99.", 0.7, status="supported", checks=(
             CheckRecord(name="values", state="checked", verdict="missing", detail="“$99” is nowhere"),))],
         "Claim 1 It costs $99. : the evidence for it is weak: “$99” is nowhere"),
        ("emit", ("overall score 0.99 is at or above 0.85",), [claim_verdict("It is.", 0.99, status="supported")],
         "The evidence bears out every claim that it makes"),
        ("block", ("the grounding of claims failed and the fail mode is closed",), [],
         "The grounding of claims failed and the fail mode is closed"),
    ],
)  # fmt: skip
def test_the_reason_stands_in_words_before_the_numbers(
    action: str, reasons: tuple[str, ...], claims: list[object], told: str
) -> None:
    words = _words(render_page(report_of(*claims, action=action, reasons=reasons)))  # type: ignore[arg-type]
    head = words.partition("Answered")[0]
    assert told in head
    assert head.index(told) < head.rindex(reasons[0][1:])


def test_a_note_says_what_speaks_for_and_against_with_their_places() -> None:
    span = EvidenceSpan(source="tool_result", text="price: 24.50", pointer="/price", call_id="c")
    checks = (
        CheckRecord(name="values", state="checked", verdict="missing", detail="“$99” is nowhere"),
        CheckRecord(name="rows", state="checked", verdict="contradicts", detail="price: 24.50", evidence_spans=(span,)),
        CheckRecord(name="entailment", state="checked", verdict="supports", score=0.6, detail="in other words"),
        CheckRecord(name="absence", state="skipped", detail="says nothing of absence"),
    )  # fmt: skip
    claim = claim_verdict(
        "It costs $99.", 0.1, explanation="the price is another", decided_by="rows", checks=checks
    )
    words = _words(render_page(report_of(claim)))
    note = words[words.index("1 claim ") :].partition("How it was decided")[0]
    order = ["The price is another", "Against it", "“$99” is nowhere", "Rows of data weighed most",
             "Exhibit A /price", "For it", "The meaning 0.60", "in other words"]  # fmt: skip
    assert [note.index(part) for part in order] == sorted(note.index(part) for part in order)
    assert "absence" not in note


def test_the_actions_have_one_set_of_words(report: HallucinationReport, trace: RunTrace) -> None:
    words = _words(render_page(report, trace))
    assert report.action == "block" and "✕ Block" in words
    for other in ("Stopped", "Sent back", "Let out"):
        assert other not in words


def test_a_stage_that_failed_is_no_claim_borne_out() -> None:
    claim = claim_verdict("It is open.", None, reason="check_failed")
    stages = {"ground": StageState(state="failed", reason="gone")}
    words = _words(render_page(report_of(claim, stages=stages)))
    assert "Nothing that it states could be checked" in words


def _answer(report: HallucinationReport) -> str:
    page = render_page(report)
    return page.partition('<div class="answer" dir="auto">')[2].partition('<p class="hint">')[0]


def _words(page: str) -> str:
    body = page.partition("<body>")[2].partition("<script")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body)).split())


def _letters(text: str) -> str:
    """What is left of a text without white space and the signs that Markdown is made of."""
    return "".join(c for c in text if not c.isspace() and c not in SIGNS)
