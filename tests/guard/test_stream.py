"""An answer shown while it is being written."""

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.detector import Detector
from affidavit.guard import Guard
from affidavit.guard.release import next_cut
from affidavit.policy import Policy
from affidavit.report import HallucinationReport
from affidavit.stages.gate import decide
from affidavit.testing import FixedEntailment, ScriptedModel, claim_verdict, report_of
from affidavit.trace import Message, RunTrace, TextPart, ToolCallPart

ASKED = Message(role="user", parts=(TextPart(text="How is order BL-204518?"),))
SHIPPED = "Order BL-204518 has shipped. "
TRUE = "Its total is $45.18. "
FALSE = "Its total is $93.70. "
CARRIER = "The carrier is UPS."
DETECTOR = Detector(Policy(on_critical="revise"), entailment=FixedEntailment())


def guard_of(detector: Any = DETECTOR, **how: Any) -> Guard:
    guard = Guard(detector, messages=[ASKED], **how)
    guard.check_call(ToolCallPart(id="c1", name="get_order", arguments={"id": "BL-204518"}))
    result = {"id": "BL-204518", "status": "shipped", "total": "$45.18", "carrier": "UPS"}
    guard.record_result("c1", result)
    return guard


def write(guard: Guard, *pieces: str) -> tuple[list[str], Any]:
    draft = guard.stream()
    return [draft.feed(piece) for piece in pieces], draft.finish()


class ByWord:
    """Judges by words: an answer with one of ``bad`` in it is sent back. Keeps what it was shown."""

    def __init__(self, *bad: str, **policy: Any) -> None:
        self.bad, self.policy = bad, Policy.model_validate(policy)
        self.judged: dict[str, str] = {}

    async def acheck(self, trace: RunTrace, **how: Any) -> HallucinationReport:
        score = 0.5 if any(word in trace.answer for word in self.bad) else 0.95
        claims = [claim_verdict(trace.answer, score)]
        made = decide(claims, [], [], self.policy, revisions_used=how["revisions_used"])
        self.judged[trace.answer] = made.action
        return report_of(
            *claims, action=made.action, overall_score=made.overall_score, run_id=trace.run_id,
            attempts=tuple(how["attempts"]), policy=self.policy.model_dump(mode="json"),
        )  # fmt: skip


@pytest.mark.spec("AFF-805")
def test_a_sentence_goes_out_when_it_has_passed_and_the_next_has_begun() -> None:
    pieces, decision = write(
        guard_of(), SHIPPED, "Its total is $45", ".18. ", "The carrier", " is UPS."
    )
    assert pieces == ["", SHIPPED, "", TRUE, ""]
    assert (decision.action, decision.rest) == ("emit", CARRIER)
    assert decision.text == SHIPPED + TRUE + CARRIER


@pytest.mark.spec("AFF-805", "AFF-806")
def test_the_stream_stops_before_a_false_sentence_and_goes_on_from_there() -> None:
    guard = guard_of()
    pieces, sent_back = write(guard, SHIPPED, FALSE, CARRIER)
    assert "".join(pieces) == SHIPPED
    assert sent_back.action == "revise"
    assert "$93.70" in sent_back.feedback
    assert f"<shown>\n{SHIPPED.rstrip()}\n</shown>" in sent_back.feedback
    pieces, decision = write(guard, TRUE, CARRIER)
    assert SHIPPED + "".join(pieces) + decision.rest == SHIPPED + TRUE + CARRIER
    assert decision.report.answer == decision.text == SHIPPED + TRUE + CARRIER
    assert [attempt.answer for attempt in decision.report.attempts] == [SHIPPED + FALSE + CARRIER]


@pytest.mark.spec("AFF-806")
@pytest.mark.parametrize("again", [SHIPPED, SHIPPED.strip(), f"\n{SHIPPED.strip()}\n\n"])
def test_a_model_that_repeats_what_was_shown_is_not_shown_twice(again: str) -> None:
    guard = guard_of()
    write(guard, SHIPPED, FALSE, CARRIER)
    pieces, decision = write(guard, *again, *TRUE)
    assert "".join(pieces) + decision.rest == TRUE
    assert decision.text == SHIPPED + TRUE


@pytest.mark.spec("AFF-806")
def test_a_refusal_follows_what_was_shown() -> None:
    guard = guard_of(Detector(Policy(max_revisions=0), entailment=FixedEntailment()))
    pieces, decision = write(guard, SHIPPED, FALSE, CARRIER)
    assert "".join(pieces) == SHIPPED
    assert decision.action == "block"
    assert decision.rest.startswith("\n\nI'm sorry")
    assert decision.text == SHIPPED + decision.rest
    assert "93" not in decision.text


@pytest.mark.spec("AFF-807")
def test_the_report_says_when_the_first_sentence_went_out() -> None:
    _, decision = write(guard_of(), SHIPPED, TRUE)
    assert decision.report.timings.first_sentence > 0
    assert guard_of().check_answer(TRUE).report.timings.first_sentence is None
    assert write(guard_of(), FALSE, SHIPPED)[1].report.timings.first_sentence is None


def test_words_before_a_tool_call_go_out_if_they_are_true() -> None:
    for said, shown in [("Let me look that up.", "Let me look that up."), (FALSE, "")]:
        guard = guard_of()
        draft = guard.stream()
        assert draft.feed(said) + draft.interrupt() == shown
        assert write(guard, TRUE)[1].text == TRUE


def test_shadow_mode_holds_nothing_back() -> None:
    pieces, decision = write(guard_of(shadow=True), "Its total is $9", "3.70. ", "The")
    assert pieces == ["Its total is $9", "3.70. ", "The"]
    assert (decision.action, decision.rest) == ("emit", "")
    assert decision.report.action == "revise"


def test_a_crash_in_mid_stream_follows_the_fail_mode() -> None:
    class Crashes(ByWord):
        async def acheck(self, trace: RunTrace, **how: Any) -> HallucinationReport:
            raise RuntimeError("broke down")

    for mode, shown in [("open", SHIPPED), ("closed", "")]:
        pieces, decision = write(guard_of(Crashes(fail_mode=mode)), SHIPPED, TRUE)
        assert "".join(pieces) == shown
        assert decision.action == ("emit" if mode == "open" else "block")


@pytest.mark.spec("AFF-805")
def test_a_false_sentence_is_not_shown_while_its_probe_is_out() -> None:
    probe = ScriptedModel(["Its total is $45.18."], repeat=True)
    guard = guard_of(Detector(DETECTOR.policy, entailment=FixedEntailment(), model=probe))
    asked_for = Policy().probes.samples + 1  # and once for the question in other words
    _, decision = write(guard, SHIPPED, TRUE, CARRIER)
    assert decision.action == "emit"
    # Asked once, however many sentences were held against its answers.
    assert len(probe.calls) == asked_for


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_nothing_is_shown_that_was_not_judged(data: Any) -> None:
    words = st.sampled_from(
        ["good. ", "bad. ", "5.00 ", "- item\n", "\n\n", "| a | b |\n", "e.g. ", "So "]
    )
    drafts = data.draw(st.lists(st.lists(words, min_size=1, max_size=8), min_size=1, max_size=3))
    checker = ByWord("bad", max_revisions=2)
    guard, seen = guard_of(checker, mark=False), ""
    for pieces in drafts:
        draft = guard.stream()
        for piece in pieces:
            if shown := draft.feed(piece):
                seen += shown
                assert checker.judged[guard.shown] == "emit"
        decision = draft.finish()
        seen += decision.rest
        assert "bad" not in seen
        if decision.action != "revise":
            assert seen.strip() == (decision.text or "").strip()
            return


@given(st.text(alphabet="ab.! \n-|{`1", max_size=60), st.data())
def test_a_cut_never_moves_back(text: str, data: Any) -> None:
    start = data.draw(st.integers(0, len(text)))
    cut = next_cut(text, start)
    assert cut is None or start < cut < len(text)


@pytest.mark.spec("AFF-805")
@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("It is $5. ", None),
        ("It is $5.00", None),
        ("It is $5. So", "It is $5. "),
        ("Really? “Yes.” Then", "Really? "),
        ("合計は五ドルです。届き", "合計は五ドルです。"),
        ("It weighs approx. 5 kg. So", "It weighs approx. 5 kg. "),
        ("Your orders:\n\n- BL-1: $5. Paid.\n- BL-2", None),
        ("Your orders:\n\n- BL-1: $5.\n- BL-2: $6.\n\nTh", None),
        ("Your orders:\n\n- BL-1: $5.\n- BL-2: $6.\n\nThat is all", "Your orders:\n\n- BL-1: $5.\n- BL-2: $6.\n\n"),
        ("Here:\n\n| a | b |\n|---|---|\n| 1. x | 2 |\n", None),
        ("```\nx = 1. Then\n\ny", None),
        ('{"total": "5. 6"}', None),
        ("One thing\n\nAnother thing", "One thing\n\n"),
        ("1. First. Then\n2. Second", None),
    ],
)  # fmt: skip
def test_only_whole_sentences_and_blocks_are_looked_at(text: str, before: str | None) -> None:
    cut = next_cut(text, 0)
    assert (None if cut is None else text[:cut]) == before


def test_many_streams_at_once_do_not_mix() -> None:
    async def one(n: int) -> str:
        guard, seen = guard_of(run_id=f"run-{n}"), ""
        said = f"{SHIPPED}{TRUE if n % 2 else FALSE}{CARRIER}"
        draft = guard.stream()
        for at in range(0, len(said), 5):
            seen += await draft.afeed(said[at : at + 5])
            await asyncio.sleep(0)
        decision = await draft.afinish()
        assert decision.report.run_id == f"run-{n}"
        return seen + decision.rest

    async def main() -> list[str]:
        return await asyncio.gather(*(one(n) for n in range(8)))

    for n, seen in enumerate(asyncio.run(main())):
        assert seen == (SHIPPED + TRUE + CARRIER if n % 2 else SHIPPED)
