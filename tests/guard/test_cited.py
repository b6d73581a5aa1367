"""Citations in what the model writes: the check sees them, the user does not."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit import Detector, Guard, Policy
from affidavit.cited import Cited, Marks
from affidavit.report import CITED, Attempt, HallucinationReport
from affidavit.stages.gate import decide
from affidavit.testing import FixedEntailment, claim_verdict, report_of
from affidavit.trace import Message, RunTrace, TextPart, ToolCallPart

ASKED = Message(role="user", parts=(TextPart(text="How is order BL-204518?"),))
ORDER = {"id": "BL-204518", "status": "shipped", "total": "$45.18", "parcel": {"city": "Leeds"}}
STOCK = {"sku": "K-7", "in_stock": 12, "note": "held for order BL-204518"}
WRONG = "The order has shipped. Its total is $93.70."


def guard_of(detector: Any = None, **how: Any) -> Guard:
    detector = detector or Detector(
        Policy(on_critical="revise", max_revisions=5), entailment=FixedEntailment()
    )
    guard = Guard(detector, messages=[ASKED], **how)
    for call_id, name, result in (("c1", "get_order", ORDER), ("c2", "get_stock", STOCK)):
        guard.check_call(ToolCallPart(id=call_id, name=name, arguments={"id": "BL-204518"}))
        guard.record_result(call_id, json.dumps(result))
    return guard


def revised(answer: str, **how: Any) -> Any:
    """What becomes of a revision."""
    guard = guard_of(**how)
    assert guard.check_answer(WRONG).action == "revise"
    return guard.check_answer(answer)


def cited_in(report: HallucinationReport) -> dict[str, list[tuple[str, str]]]:
    """Of each claim that cites, what the report says of that."""
    told = {
        claim.text: [(check.state, check.detail) for check in claim.checks if check.name == CITED]
        for claim in report.claims
    }
    return {text: records for text, records in told.items() if records}


MARKS = Marks({"c1", "c2", "toolu_01"}, {"get_order"}, quotes=True)
SAME = [
    "It shipped. See [1] and [2, 3].",
    "The docs are [here](https://x.example/c1) and [c1](https://x.example).",
    "- [x] done\n- [ ] open",
    "Take `cells[c1]` or [sic] “that”.",
    "```\nrow = table[c1]\n```\nDone.",
    "Read [RFC 2119] and [see below].",
    'He calls it [1] "a start".',
    '{"refs": ["c1", "get_order"], "n": [1, 2]}',
]
READ = [
    ("It shipped [c1].", "It shipped.", [("c1", "")]),
    ("It shipped. [c1]", "It shipped.", [("c1", "")]),
    ("It shipped [get_order] today.", "It shipped today.", [("get_order", "")]),
    ("It shipped [c1][c2].", "It shipped.", [("c1", ""), ("c2", "")]),
    ("It shipped ([c1]).", "It shipped.", [("c1", "")]),
    ("It shipped `[c1]`.", "It shipped.", [("c1", "")]),
    ("It shipped [toolu_9].", "It shipped.", [("toolu_9", "")]),
    ('It shipped [c1] "status: shipped".', "It shipped.", [("c1", "status: shipped")]),
    ('It shipped. [c1] "status: shipped".', "It shipped.", [("c1", "status: shipped")]),
    ('It shipped [c1: "on its way"].', "It shipped.", [("c1", "on its way")]),
    ("It shipped [c1] “on its way”, I see.", "It shipped, I see.", [("c1", "on its way")]),
    ('It shipped [c1] "status": "shipped". Yes.', "It shipped. Yes.", [("c1", '"status": "shipped"')]),
    ('It shipped [c1] "{"status": "shipped", "n": 2}".', "It shipped.", [("c1", '{"status": "shipped", "n": 2}')]),
    ('It shipped [c1] {"status": "shipped"}.', "It shipped.", [("c1", '{"status": "shipped"}')]),
    ('It shipped [c1] "a". It said "b".', 'It shipped. It said "b".', [("c1", "a")]),
    ('It shipped [call9] "on its way".', "It shipped.", [("call9", "on its way")]),
    ('It shipped.\n[c1] "on its way"\nBye.', "It shipped.\nBye.", [("c1", "on its way")]),
    ('It shipped.\n- [c1] "on its way".\n\nBye.', "It shipped.\n\nBye.", [("c1", "on its way")]),
    ("- [c1] It shipped.\n- It is paid [c2]", "- It shipped.\n- It is paid", [("c1", ""), ("c2", "")]),
    ("| a | b |\n|---|---|\n| 1 [c1] | 2 [c2] |", "| a | b |\n|---|---|\n| 1 | 2 |", [("c1", ""), ("c2", "")]),
    ("[c1] It shipped.", "It shipped.", [("c1", "")]),
    ("[c1]\nIt shipped.", "It shipped.", [("c1", "")]),
]  # fmt: skip


@pytest.mark.spec("AFF-1501")
@pytest.mark.parametrize("text", SAME)
def test_what_is_no_citation_stays(text: str) -> None:
    assert MARKS.read(text) == Cited(text)


@pytest.mark.spec("AFF-1501")
@pytest.mark.parametrize(("text", "seen", "cited"), READ)
def test_citations_are_taken_out(text: str, seen: str, cited: list[tuple[str, str]]) -> None:
    read = MARKS.read(text)
    assert read.text == seen
    assert [(", ".join(c.calls), c.quote) for c in read.citations] == cited
    assert all(c.at <= len(seen) for c in read.citations)


@pytest.mark.spec("AFF-1501")
@pytest.mark.parametrize("text", [*SAME, *(text for text, _, _ in READ)])
def test_a_text_that_is_being_written_shows_no_beginning_of_a_mark(text: str) -> None:
    whole = MARKS.read(text).text
    for end in range(len(text) + 1):
        seen = MARKS.read(text[:end], complete=False).text.rstrip()
        # What stands open, code and brackets, is shown when it is closed.
        assert whole.startswith(re.sub(r"[`(][^`()]*$|\n[-*]$", "", seen).rstrip()), (end, seen)


class Emits:
    """Lets out everything, and keeps what it was shown."""

    def __init__(self) -> None:
        self.policy = Policy(max_revisions=0)
        self.traces: list[RunTrace] = []

    async def acheck(self, trace: RunTrace, **how: Any) -> HallucinationReport:
        self.traces.append(trace)
        claims = [claim_verdict(trace.answer, 0.95)]
        made = decide(claims, [], [], self.policy, revisions_used=how["revisions_used"])
        return report_of(*claims, action=made.action, policy=self.policy.model_dump(mode="json"))


WORDS = st.sampled_from(["It", "shipped", "(on", "Monday)", "`a[c1]`", "[1]", "$45.18", "say “so”", 'say "no"', "**now**", "[x](y)", "e.g.", "c1", "["])  # fmt: skip
ENDS = st.sampled_from([". ", "! ", ".\n\n", ".\n- ", ".\n1. ", "\n", ": ", ".\n```\nx[c1]\n```\n"])
BARE = st.sampled_from(
    [" [c1]", "[c2]", " [c1, c2]", " [c1] [c2]", " ([c1])", " [get_order]", " [c99]"]
)
QUOTED = st.sampled_from([' [c1] "status: shipped"', ' [c1] "status": "shipped", "n": 2', " [c2] “so it is”", ' [c9] "It is. So it is"'])  # fmt: skip


@st.composite
def written(draw: Any, marks: Any) -> tuple[str, str]:
    """A text, and the same with marks behind its words and sentences."""
    plain = marked = ""
    for _ in range(draw(st.integers(1, 5))):
        words = draw(st.lists(WORDS, min_size=1, max_size=5))
        for n, word in enumerate(words):
            gap = " " if n else ""
            plain += gap + word
            marked += gap + word
            if word.isalpha() and draw(st.booleans()):
                marked += draw(marks)
        end = draw(ENDS)
        plain += end
        marked += end
    return plain, marked


@pytest.mark.spec("AFF-1501", "AFF-1507")
@given(data=st.data(), revises=st.booleans())
@settings(max_examples=300, deadline=None)
def test_the_user_sees_the_same_text_without_marks(data: Any, revises: bool) -> None:
    plain, marked = data.draw(written(st.one_of(BARE, QUOTED) if revises else BARE))
    checker = Emits()
    guard = guard_of(checker, cite=True)
    if revises:
        guard.attempts.append(Attempt(answer="No.", action="revise", overall_score=0.1))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(marked)), max_size=12)))
    pieces = [marked[a:b] for a, b in zip([0, *cuts], [*cuts, len(marked)], strict=True)]
    draft = guard.stream()
    seen = "".join(draft.feed(piece) for piece in pieces) + draft.finish().rest
    assert seen == plain
    assert guard_of(Emits(), cite=True).unmarked(marked).text == plain or revises
    final = checker.traces[-1]
    assert final.answer == plain
    counts = [len([c for c in t.citations if c.at <= len(t.answer)]) for t in checker.traces]
    assert counts == [len(t.citations) for t in checker.traces]
