"""Whatever goes wrong inside a check follows the fail mode, in time, and leaves nobody waiting."""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Any

import pytest

from affidavit.detector import Detector
from affidavit.guard import Guard
from affidavit.policy import Policy
from affidavit.report import HallucinationReport
from affidavit.stages.gate import RefusalTemplate
from affidavit.testing import FixedEntailment, ScriptedModel, claim_verdict, report_of
from affidavit.trace import Message, RunTrace, TextPart, ToolCallPart

ASKED = Message(role="user", parts=(TextPart(text="Where is my parcel?"),))
CALL = ToolCallPart(id="c1", name="track", arguments={})
ANSWER = "The parcel is next door."
RAISED: list[BaseException] = [
    StopIteration("x"),
    StopAsyncIteration("x"),
    RuntimeError("x"),
    TimeoutError("x"),
    RecursionError("x"),
    MemoryError(),
    AssertionError("x"),
    asyncio.CancelledError("x"),
    GeneratorExit("x"),
    SystemExit(3),
]
raised = pytest.mark.parametrize("error", RAISED, ids=lambda e: type(e).__name__)
MODES = {"open": "emit", "closed": "block"}
modes = pytest.mark.parametrize("mode", MODES)


class Scorer(FixedEntailment):
    """An entailment model that does something else first."""

    def __init__(self, first: Callable[[], object]) -> None:
        super().__init__(default="entailment")
        self.first = first

    def score(self, pairs: Any) -> Any:
        self.first()
        return super().score(pairs)


def raising(error: BaseException) -> Callable[[], object]:
    def first() -> object:
        raise error

    return first


def guard_of(detector: Any, **how: Any) -> Guard:
    guard = Guard(detector, messages=[ASKED], **how)
    guard.check_call(CALL)
    guard.record_result("c1", "The parcel was left with a neighbour.")
    return guard


def policy_of(mode: str, milliseconds: float | None = None) -> Policy:
    return Policy.model_validate(
        {"fail_mode": mode, "budgets": {"milliseconds": milliseconds}, "max_revisions": 0}
    )


class Checker:
    """A detector that is nothing but what it does."""

    def __init__(self, policy: Policy, acheck: Callable[[], Any]) -> None:
        self.policy, self._acheck = policy, acheck

    async def acheck(self, trace: RunTrace, **how: Any) -> HallucinationReport:
        await self._acheck()
        return report_of(claim_verdict(trace.answer), run_id=trace.run_id)


def async_raising(error: BaseException) -> Callable[[], Any]:
    async def first() -> None:
        await asyncio.sleep(0)
        raise error

    return first


def inside(where: str, policy: Policy, error: BaseException) -> Any:
    """A detector in which ``error`` is raised somewhere."""
    match where:
        case "the scorer":
            return Detector(policy, entailment=Scorer(raising(error)))
        case "the splitter":

            class Splitter:
                async def split(self, answer: str, *, question: str = "") -> Any:
                    raise error

            return Detector(policy, entailment=FixedEntailment(), splitter=Splitter())
        case "the model of the probes":
            asked = ScriptedModel([error], repeat=True)
            required = policy.model_copy(
                update={"probes": policy.probes.model_copy(update={"required": True})}
            )
            return Detector(required, entailment=FixedEntailment(default="neutral"), model=asked)
        case "the sentence encoder":

            class Encoder:
                name = "broken"

                def encode(self, texts: Any) -> Any:
                    raise error

            return Detector(policy, entailment=FixedEntailment(), encoder=Encoder())
    return Checker(policy, async_raising(error))


PLACES = [
    "the scorer",
    "the splitter",
    "the model of the probes",
    "the sentence encoder",
    "the check",
]


def within(seconds: float, ask: Callable[[], Any]) -> Any:
    begun = time.perf_counter()
    done = ask()
    assert time.perf_counter() - begun < seconds
    return done


@pytest.mark.spec("AFF-811")
@raised
@pytest.mark.parametrize("where", PLACES)
def test_it_follows_the_fail_mode_from_synchronous_code(error: Any, where: str) -> None:
    for mode, action in MODES.items():
        guard = guard_of(inside(where, policy_of(mode), error))
        decision = within(5, lambda guard=guard: guard.check_answer(ANSWER))
        if mode == "closed" or where in ("the splitter", "the check"):
            assert decision.action == action
        assert "Error" not in (decision.text or "")


@raised
@pytest.mark.parametrize("where", PLACES)
def test_it_follows_the_fail_mode_in_a_loop(error: Any, where: str) -> None:
    async def main() -> Any:
        guard = guard_of(inside(where, policy_of("closed"), error))
        return await asyncio.wait_for(guard.acheck_answer(ANSWER), 5)

    assert within(5, lambda: asyncio.run(main())).action == "block"


@raised
@modes
def test_it_follows_the_fail_mode_in_streams(error: Any, mode: str) -> None:
    guard = guard_of(Checker(policy_of(mode), async_raising(error)))
    draft = guard.stream()
    shown = draft.feed("It is here. ") + draft.feed("And there. ") + draft.feed("So")
    assert shown == ("It is here. And there. " if mode == "open" else "")
    assert draft.finish().action == MODES[mode]


@raised
def test_the_next_check_is_none_the_worse(error: Any) -> None:
    guard_of(Checker(policy_of("closed"), async_raising(error))).check_answer(ANSWER)
    scored = Detector(Policy(), entailment=Scorer(raising(error)))
    guard_of(scored).check_answer(ANSWER)
    fine = guard_of(Checker(policy_of("closed"), async_nothing))
    assert within(5, lambda: fine.check_answer(ANSWER)).action == "emit"


async def async_nothing() -> None:
    pass


async def forever() -> None:
    await asyncio.sleep(3600)


async def deaf() -> None:
    """Takes no notice of being cancelled, for a while."""
    until = time.perf_counter() + 4
    while time.perf_counter() < until:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(0.2)


def stuck() -> None:
    time.sleep(20)


@modes
@pytest.mark.parametrize("kind", ["waits", "deaf", "scorer", "splitter", "ledger"])
def test_what_never_ends_is_given_up(kind: str, mode: str, monkeypatch: Any) -> None:
    policy = policy_of(mode, milliseconds=200)
    detector: Any = Detector(policy, entailment=FixedEntailment(default="entailment"))
    match kind:
        case "waits":
            detector = Checker(policy, forever)
        case "deaf":
            detector = Checker(policy, deaf)
        case "scorer":
            detector = Detector(policy, entailment=Scorer(stuck))
        case "splitter":
            monkeypatch.setattr("affidavit.detector.split_claims", lambda *a, **k: stuck())
        case "ledger":
            monkeypatch.setattr("affidavit.evidence.RunEvidence.ledger", lambda *a: stuck())
    guard = guard_of(detector)
    assert within(3, lambda: guard.check_answer(ANSWER)).action == MODES[mode]


def test_a_loop_is_closed_without_what_was_given_up() -> None:
    async def main() -> Any:
        detector = Detector(policy_of("closed", 200), entailment=Scorer(stuck))
        return await guard_of(detector).acheck_answer(ANSWER)

    assert within(3, lambda: asyncio.run(main())).action == "block"


def test_threads_that_never_return_are_replaced() -> None:
    detector = Detector(policy_of("closed", 100), entailment=Scorer(stuck))

    async def main() -> None:
        guards = [guard_of(detector) for _ in range(12)]
        await asyncio.gather(*(guard.acheck_answer(ANSWER) for guard in guards))

    within(6, lambda: asyncio.run(main()))
    fine = Detector(Policy(), entailment=FixedEntailment(default="entailment"))
    assert within(3, lambda: guard_of(fine).check_answer("Hello!")).action == "emit"


def test_a_caller_that_is_cancelled_is_cancelled() -> None:
    seen: list[str] = []

    async def check() -> None:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            seen.append("the check")
            raise

    async def main() -> None:
        guard = guard_of(Checker(Policy(), check))
        task = asyncio.create_task(guard.acheck_answer(ANSWER))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)

    asyncio.run(main())
    assert seen == ["the check"]


def test_a_refusal_whose_words_fail_is_a_refusal() -> None:
    template = RefusalTemplate(text=None)  # type: ignore[arg-type]
    guard = guard_of(Checker(policy_of("closed"), async_raising(ValueError())),
                     refusal_template=template)  # fmt: skip
    decision = guard.check_answer(ANSWER)
    assert decision.action == "block"
    assert decision.text
    assert ANSWER not in decision.text


@modes
def test_a_message_that_cannot_be_read_fails_the_calls_after_it(
    mode: str, monkeypatch: Any
) -> None:
    guard = Guard(Detector(policy_of(mode), entailment=FixedEntailment()), messages=[ASKED])

    def broken(*_: Any) -> None:
        raise ValueError("odd")

    monkeypatch.setattr("affidavit.stages.verify.CallVerifier.observe", broken)
    guard.record_result("c0", "odd")
    monkeypatch.undo()
    decision = guard.check_call(CALL)
    assert decision.run == (mode == "open")
    assert decision.validation.status == "unchecked"


def test_a_recorder_that_never_ends_does_not_hold_up_an_answer(monkeypatch: Any) -> None:
    class Recorder:
        def call(self, run_id: str, validation: Any) -> None:
            pass

        def report(self, report: Any, trace: Any) -> None:
            stuck()

    monkeypatch.setattr("affidavit.guard.keepers.PATIENCE", 0.2)
    guard = guard_of(Checker(Policy(), async_nothing), recorders=[Recorder()])
    assert within(3, lambda: guard.check_answer(ANSWER)).action == "emit"
