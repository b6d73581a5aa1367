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
from affidavit.testing import FixedEntailment, ScriptedModel, claim_verdict, report_of
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


WORDS = st.sampled_from(["It", "shipped", "(on", "Monday)", "`a[c1]`", "[1]", "$45.18", "say “so”", 'say "no"', "**now**", "so:", "[x](y)", "e.g.", "c1", "["])  # fmt: skip
ENDS = st.sampled_from([". ", "! ", ".\n\n", ".\n- ", ".\n1. ", "\n", ".\n```\nx[c1]\n```\n"])
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


@pytest.mark.spec("AFF-1501")
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


@pytest.mark.spec("AFF-1502")
def test_the_feedback_offers_to_cite_and_says_what() -> None:
    feedback = guard_of().check_answer(WRONG).feedback or ""
    assert '[call_id] "quote"' in feedback
    assert '- [c1] get_order {"id": "BL-204518"}' in feedback and "- [c2] get_stock" in feedback
    assert "93.70" in feedback and "Correct these statements" in feedback


@pytest.mark.spec("AFF-1502")
def test_nothing_is_offered_where_the_user_would_see_it() -> None:
    guard = guard_of(may_cite=False)
    assert "call_id" not in (guard.check_answer(WRONG).feedback or "")
    done = guard.check_answer('The order has shipped [c1] "status".')
    assert done.report.answer == 'The order has shipped [c1] "status".'


@pytest.mark.spec("AFF-1501")
def test_marks_are_nothing_to_a_model_that_was_not_told_of_them() -> None:
    done = guard_of().check_answer("The order [c1] has shipped.")
    assert done.report.answer == "The order [c1] has shipped." and not cited_in(done.report)


@pytest.mark.spec("AFF-1501", "AFF-1506")
def test_shadow_mode_touches_nothing() -> None:
    guard = guard_of(shadow=True, cite=True)
    assert guard.instruction == ""
    assert guard.check_answer("The order has shipped [c1].").text == "The order has shipped [c1]."


@pytest.mark.spec("AFF-1503", "AFF-1505")
@pytest.mark.parametrize(
    "mark",
    ['[c1] "status: shipped"', '[c1] "status":"shipped"', '[c1]: “SHIPPED”', '[get_order] "status":  "shipped"', '[c1: "shipped"]'],
)  # fmt: skip
def test_a_citation_that_stands_is_in_the_report_with_its_place(mark: str) -> None:
    done = revised(f"The order has shipped {mark}. Its total is $45.18.")
    assert done.action == "emit"
    assert done.text == "The order has shipped. Its total is $45.18."
    ((text, [(state, detail)]),) = cited_in(done.report).items()
    assert (text, state) == ("The order has shipped.", "checked")
    assert "the result of get_order [c1]" in detail
    (record,) = [check for check in done.report.claims[0].checks if check.name == CITED]
    assert [span.call_id for span in record.evidence_spans] == ["c1"]


@pytest.mark.spec("AFF-1505")
@pytest.mark.parametrize(
    ("mark", "why"),
    [
        ('[c1] "total: $93.70"', "“total: $93.70” does not stand in the result of get_order [c1]"),
        ('[c2] "total: $45.18"', "“total: $45.18” does not stand in the result of get_stock [c2]"),
        ('[c9] "total: $93.70"', "[c9] is no call of this run"),
        ('[c1] "total: $45.18"', "the answer cites “total: $45.18” from the result of get_order [c1], which does not bear this statement out"),
    ],
)  # fmt: skip
def test_the_next_feedback_says_of_a_citation_that_it_does_not_help(mark: str, why: str) -> None:
    done = revised(f"The order has shipped. Its total is $93.70 {mark}.")
    assert done.action == "revise" and done.report.answer == WRONG
    assert why in done.feedback
    assert list(cited_in(done.report)) == ["Its total is $93.70."]


@pytest.mark.spec("AFF-1505")
def test_a_citation_that_leads_nowhere_is_named_though_its_claim_holds() -> None:
    done = revised('The order has shipped [c1] "left on Monday". Its total is $93.70.')
    nowhere = done.feedback.split("Citations that lead nowhere:")[1]
    assert "“left on Monday” does not stand in the result of get_order [c1]" in nowhere


@pytest.mark.spec("AFF-1504")
@pytest.mark.parametrize(
    "mark",
    ["[c1]", "[c2]", '[c1] "total: $45.18"', '[c1] "status: shipped"', '[c2] "in_stock": 12', '[c8] "so"'],
)  # fmt: skip
@pytest.mark.parametrize("total", ["$45.18", "$93.70"])
def test_a_citation_is_no_evidence(total: str, mark: str) -> None:
    plain = revised(f"The order has shipped. Its total is {total}.").report
    cited = revised(f"The order has shipped. Its total is {total} {mark}.").report
    assert cited_in(cited) and cited.action == plain.action
    for claim, bare in zip(cited.claims, plain.claims, strict=True):
        assert (claim.score, claim.status) == (bare.score, bare.status)
        assert [c.verdict for c in claim.checks if c.name != CITED] == [c.verdict for c in bare.checks]  # fmt: skip


LOG = [
    {"at": f"0{n % 10}:{10 + n % 50}", "event": f"E-{100 + n}", "text": f"stage {n} over"}
    for n in range(80)
]
LOG[63]["text"] = "the belt gave way"


@pytest.mark.spec("AFF-1503", "AFF-1506")
@pytest.mark.parametrize(
    "mark", ["", '[c1] "the belt gave way"', '[c1] {"at": "03:23", "event": "E-163"']
)
def test_what_is_cited_is_read_first(mark: str) -> None:
    model = FixedEntailment()
    guard = Guard(Detector(Policy(on_critical="revise"), entailment=model), messages=[ASKED])
    guard.check_call(ToolCallPart(id="c1", name="read_log", arguments={}))
    guard.record_result("c1", json.dumps(LOG))
    guard.attempts.append(Attempt(answer="No.", action="revise", overall_score=0.1))
    guard.check_answer(f"A part of the conveyor broke {mark}.")
    (premise, hypothesis) = model.pairs[-1]
    assert "[" not in hypothesis and "broke" in hypothesis
    assert ("the belt gave way" in premise.split(" ¦ ")[0]) == bool(mark)


def first_of_many(premise: str, hypothesis: str) -> str:
    """A model that another order of the lines makes sure, and no line of them by itself."""
    shown = premise.split(" ¦ ")
    return "entailment" if "the belt gave way" in shown[0] and len(shown) > 3 else "neutral"


def says_so(premise: str, hypothesis: str) -> str:
    return "entailment" if "the belt gave way" in premise else "neutral"


@pytest.mark.spec("AFF-1504")
@pytest.mark.parametrize(("rule", "helps"), [(says_so, True), (first_of_many, False)])
def test_what_is_shown_helps_only_where_it_bears_the_claim_out_by_itself(
    rule: Any, helps: bool
) -> None:
    model = FixedEntailment(rule=rule)
    scores = []
    for mark in ("", ' [c1] "the belt gave way"', ' [c1] "stage 12 over"'):
        guard = Guard(Detector(Policy(on_critical="revise"), entailment=model), messages=[ASKED])
        guard.check_call(ToolCallPart(id="c1", name="read_log", arguments={}))
        guard.record_result("c1", json.dumps(LOG))
        guard.attempts.append(Attempt(answer="No.", action="revise", overall_score=0.1))
        done = guard.check_answer(f"A part of the conveyor broke{mark}.")
        scores.append(done.report.claims[0].score)
    plain, shown, other = scores
    assert (shown > plain) == helps
    assert other == plain and shown >= plain


@pytest.mark.spec("AFF-1503")
def test_a_judge_reads_what_is_cited() -> None:
    asked: list[str] = []

    def judges(messages: Any) -> str:
        asked.append(messages[0].text)
        return json.dumps({"verdicts": []})

    policy = Policy.model_validate({"judge": {"low": 0, "high": 1}})
    judge = ScriptedModel([judges], repeat=True)
    guard = Guard(Detector(policy, entailment=FixedEntailment(), judge=judge), cite=True)
    for n in range(3):
        guard.check_call(ToolCallPart(id=f"c{n}", name="read_log", arguments={}))
        guard.record_result(
            f"c{n}",
            json.dumps(
                LOG if n == 1 else [{"event": f"conveyor part {n}", "text": "broke down " * 60}]
            ),
        )
    guard.check_answer("A part of the conveyor broke.")
    guard.attempts.append(Attempt(answer="No.", action="revise", overall_score=0.1))
    guard.check_answer('A part of the conveyor broke [c1] "the belt gave way".')
    assert ["the belt gave way" in text for text in asked] == [False, True]


@pytest.mark.spec("AFF-1506")
def test_each_statement_is_shown_by_its_own_mark() -> None:
    guard = guard_of(cite=True)
    assert "[call_id]" in guard.instruction
    done = guard.check_answer(
        "The order shipped [c1]. The total is $45.18 [c1, c2]. It goes to Leeds."
    )
    assert done.text == "The order shipped. The total is $45.18. It goes to Leeds."
    found = {text: [detail for _, detail in told] for text, told in cited_in(done.report).items()}
    assert found == {
        "The order shipped.": ["the answer cites the result of get_order [c1]"],
        "The total is $45.18.": ["the answer cites the result of get_order [c1]"],
    }


@pytest.mark.spec("AFF-1506")
def test_a_policy_switches_it_on_and_a_guard_has_the_last_word() -> None:
    detector = Detector(Policy(cite=True), entailment=FixedEntailment())
    assert guard_of(detector).instruction and not guard_of(detector, cite=False).instruction
    assert not guard_of().instruction
    assert guard_of(detector, cite=None).next_turn(ASKED).instruction


@pytest.mark.spec("AFF-1503")
def test_what_was_cited_is_recorded_with_the_run_and_judged_alike_again() -> None:
    kept: list[tuple[HallucinationReport, RunTrace]] = []

    class Log:
        def call(self, run_id: str, validation: Any) -> None: ...

        def report(self, report: HallucinationReport, trace: RunTrace) -> None:
            kept.append((report, trace))

    guard = guard_of(cite=True, recorders=[Log()])
    guard.check_answer("The order has shipped [c1]. Its total is $45.18.")
    ((report, trace),) = kept
    assert [(c.at, c.calls) for c in trace.citations] == [(21, ("c1",))]
    again = Detector(guard.policy, entailment=FixedEntailment()).check(
        trace.model_dump(mode="json")
    )
    assert again.claims == report.claims


@pytest.mark.spec("AFF-1503")
def test_a_stream_that_goes_on_keeps_what_was_cited_before() -> None:
    guard = guard_of(cite=True)
    draft = guard.stream()
    shown = draft.feed("The order has shipped [c1]. Its total is $93.70 [c1]. It goes to Leeds [c")
    assert shown == "The order has shipped. "
    assert draft.finish().action == "revise"
    draft = guard.stream()
    shown += "".join(
        draft.feed(piece) for piece in 'Its total is $45.18. [c1] "total: $45.18" Bye.'
    )
    done = draft.finish()
    assert shown + done.rest == done.text == "The order has shipped. Its total is $45.18. Bye."
    assert [len(told) for told in cited_in(done.report).values()] == [1, 1]
