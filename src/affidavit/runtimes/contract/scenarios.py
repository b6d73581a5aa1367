"""The scenarios: each says in its name what must hold, and asserts it of one outcome or several."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Awaitable, Callable
from typing import Any

from affidavit.detector import Detector
from affidavit.guard import CITE_AS_YOU_WRITE, AnswerChecker
from affidavit.policy import JudgePolicy, Policy
from affidavit.report import CITED, HallucinationReport
from affidavit.runtimes.contract import look_alikes
from affidavit.runtimes.contract.look_alikes import OwnEvidence, answer_of, system_of
from affidavit.runtimes.contract.scene import (
    TOOL,
    Call,
    Driver,
    ModelTurn,
    Outcome,
    Scene,
    total_of,
)
from affidavit.testing import FixedEntailment
from affidavit.trace import RunTrace

Scenario = Callable[[Driver], Awaitable[None]]

ORDER, INVENTED = "BL-204518", "BL-999999"
LOOKS_UP = ModelTurn(calls=(Call(ORDER, "call_1"),))
INVENTS = ModelTurn(calls=(Call(INVENTED, "call_0"),))
TRUE = f"The total of order {ORDER} is {total_of(ORDER)}."
FALSE = f"The total of order {ORDER} is $93.70."
SHIPPED = f"Order {ORDER} has shipped."


STANDS = f"total: {total_of(ORDER)}"
"""As the record of the call reads."""
# Where every second claim holds, one word of a judge shows in the decision.
DOUBTS = Policy(prior=0.85, judge=JudgePolicy(low=0, high=1))
"""Every critical claim is in doubt."""


def refutes(request: str) -> str:
    """A judge that finds every claim contradicted, and quotes the record of the call."""
    *_, record = re.findall(r"id: (R\d+)", request.partition(STANDS)[0])
    told = {"verdict": "contradicted", "record": record, "quote": STANDS, "why": "it says so"}
    claims = dict.fromkeys(re.findall(r"id: (C\d+)", request))
    return json.dumps({"verdicts": [{"claim": claim, **told} for claim in claims]})


def rambles(request: str) -> str:  # noqa: ARG001
    """A judge that answers with anything else than verdicts."""
    return "I would rather not say."


class Crashing:
    """A detector that raises."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    async def acheck(self, trace: RunTrace, **how: Any) -> HallucinationReport:  # noqa: ARG002
        raise RuntimeError("the detector broke down")


async def an_invented_identifier_is_sent_back(driver: Driver) -> None:
    done = await _played(driver, INVENTS, LOOKS_UP, ModelTurn(TRUE))
    assert INVENTED not in done.ran, "the tool was run with the invented number"
    assert any("was not run" in asked and INVENTED in asked for asked in done.asked[1:]), (
        "the model was not told what was wrong with its call"
    )


async def the_corrected_call_runs_once(driver: Driver) -> None:
    done = await _played(driver, INVENTS, LOOKS_UP, ModelTurn(TRUE))
    assert done.ran == [ORDER]
    assert done.seen.strip() == TRUE


async def a_false_draft_is_never_seen(driver: Driver) -> None:
    done = await _played(driver, LOOKS_UP, ModelTurn(FALSE), ModelTurn(TRUE))
    assert "93.70" not in done.seen
    assert any("93.70" in asked for asked in done.asked[2:]), "the draft was not sent back"


async def the_corrected_answer_goes_out(driver: Driver) -> None:
    done = await _played(driver, LOOKS_UP, ModelTurn(FALSE), ModelTurn(TRUE))
    assert done.seen.strip() == TRUE


async def a_true_answer_goes_out_untouched(driver: Driver) -> None:
    done = await _played(driver, LOOKS_UP, ModelTurn(f"{SHIPPED} {TRUE}"))
    assert done.seen.strip() == f"{SHIPPED} {TRUE}"
    assert len(done.asked) == 2


async def what_is_verified_is_shown_before_the_answer_is_complete(driver: Driver) -> None:
    done = await _played(
        driver, LOOKS_UP, ModelTurn(f"{SHIPPED} {FALSE}"), ModelTurn(f"{SHIPPED} {TRUE}")
    )
    assert done.seen.strip() == f"{SHIPPED} {TRUE}", "a sentence was shown twice, or not at all"
    first = "".join(done.shown[:-1])
    assert SHIPPED in first, "nothing was shown until the whole answer was there"
    assert "93.70" not in done.seen


async def an_unrepairable_answer_ends_in_the_refusal(driver: Driver) -> None:
    drafts = [ModelTurn(FALSE.replace("$93.70", f"$9{n}.70")) for n in range(6)]
    done = await _played(driver, LOOKS_UP, *drafts)
    assert "can't give you" in done.seen
    assert "$9" not in done.seen
    assert len(done.asked) == 2 + Policy().max_revisions


async def a_crash_of_the_detector_lets_the_answer_out_if_it_fails_open(driver: Driver) -> None:
    detector = Crashing(Policy(fail_mode="open"))
    done = await _played(driver, LOOKS_UP, ModelTurn(TRUE), detector=detector)
    assert TRUE in done.seen


async def a_crash_of_the_detector_stops_the_answer_if_it_fails_closed(driver: Driver) -> None:
    detector = Crashing(Policy(fail_mode="closed"))
    done = await _played(driver, LOOKS_UP, ModelTurn(TRUE), detector=detector)
    assert total_of(ORDER) not in done.seen
    assert "broke down" not in done.seen
    assert done.seen.strip(), "the user was told nothing"


async def retries_are_capped(driver: Driver) -> None:
    policy = Policy(max_call_retries=2)
    done = await _played(driver, INVENTS, detector=detector_of(policy))
    assert done.ran == []
    # The first attempt, the retries, and one turn to go on without the call.
    assert len(done.asked) <= 1 + policy.max_call_retries + 1
    assert done.seen.strip(), "the user was told nothing"


async def runs_at_once_do_not_mix(driver: Driver) -> None:
    detector = detector_of()
    orders = [f"BL-20{n}{n}18" for n in range(1, 9)]

    async def one(order: str, other: str) -> tuple[str, Outcome]:
        wrong, right = (f"The total of order {order} is {total_of(of)}." for of in (other, order))
        turns = (
            ModelTurn(calls=(Call(order, f"call_{order}"),)), ModelTurn(wrong), ModelTurn(right),
        )  # fmt: skip
        question = f"What is the total of order {order}?"
        return right, await _played(driver, *turns, detector=detector, question=question)

    pairs = zip(orders, orders[1:] + orders[:1], strict=True)
    for order, (right, done) in zip(
        orders, await asyncio.gather(*(one(*pair) for pair in pairs)), strict=True
    ):
        assert done.ran == [order]
        assert done.seen.strip() == right
        assert [report.answer for report in done.reports] == [right]


async def look_alike_runs_do_not_mix(driver: Driver, *, at_once: int = 40) -> None:
    checker, users = OwnEvidence(), list(range(at_once))
    random.Random(29).shuffle(users)

    async def one(user: int, other: int) -> None:
        turns = (LOOKS_UP, ModelTurn(answer_of(other)), ModelTurn(answer_of(user)))
        done = await _played(
            driver, *turns, detector=checker, question=look_alikes.QUESTION, system=system_of(user)
        )
        assert done.seen.strip() == answer_of(user), "another user's limit was borne out"

    await asyncio.gather(*map(one, users, [*users[1:], users[0]]))
    assert not checker.mixed, "a run holds the evidence of another"


async def each_run_is_reported_once_with_every_attempt(driver: Driver) -> None:
    done = await _played(driver, LOOKS_UP, ModelTurn(FALSE), ModelTurn(TRUE))
    assert [report.action for report in done.reports] == ["emit"]
    assert [attempt.answer for attempt in done.reports[0].attempts] == [FALSE]


async def rejected_calls_are_in_the_report(driver: Driver) -> None:
    done = await _played(driver, INVENTS, LOOKS_UP, ModelTurn(TRUE))
    calls = done.reports[0].tool_call_validations
    assert [call.status for call in calls] == ["rejected", "accepted"]


async def shadow_mode_touches_nothing(driver: Driver) -> None:
    done = await _played(driver, INVENTS, ModelTurn(FALSE), shadow=True)
    assert done.ran == [INVENTED]
    assert done.seen.strip() == FALSE
    assert [report.action for report in done.reports] == ["block"]


async def its_own_model_judges_a_critical_claim_in_doubt(driver: Driver) -> None:
    done = await _played(driver, LOOKS_UP, ModelTurn(TRUE), detector=detector_of(DOUBTS))
    assert done.seen.strip() == TRUE, "what the judge said was shown"
    assert len(done.judged) == 1 and len(done.asked) == 2, "it was not asked once, beside the run"
    assert TRUE in done.judged[0] and STANDS in done.judged[0], "it saw no claim, or no evidence"
    judging = done.reports[0].judge
    assert judging is not None and judging.requests == 1 and judging.model.startswith("own:")
    assert len(done.reports) == 1, "the question was guarded as if it were a run"


async def what_its_own_model_refutes_does_not_go_out(driver: Driver) -> None:
    detector = detector_of(DOUBTS)
    done = await _played(driver, LOOKS_UP, ModelTurn(TRUE), detector=detector, judge=refutes)
    assert total_of(ORDER) not in done.seen and "can't give you" in done.seen
    assert len(done.judged) == 1, "the same claim over the same evidence was asked about again"
    assert len(done.asked) == 2 + detector.policy.max_revisions
    assert [claim.decided_by for claim in done.reports[0].claims] == ["judge"]


async def its_own_model_changes_nothing_where_it_fails_as_a_judge(driver: Driver) -> None:
    detector = detector_of(DOUBTS)
    done = await _played(driver, LOOKS_UP, ModelTurn(TRUE), detector=detector, judge=rambles)
    assert done.seen.strip() == TRUE
    assert len(done.judged) == 1 and len(done.asked) == 2
    judging = done.reports[0].judge
    assert judging is not None and judging.state == "failed"


async def a_policy_keeps_its_own_model_from_judging(driver: Driver) -> None:
    off = DOUBTS.model_copy(update={"judge": JudgePolicy(model="none", low=0, high=1)})
    done = await _played(driver, LOOKS_UP, ModelTurn(TRUE), detector=detector_of(off))
    assert done.seen.strip() == TRUE
    assert not done.judged and done.reports[0].judge is None


async def it_cites_as_it_writes_and_the_user_does_not_see_it(driver: Driver) -> None:
    cites = detector_of(Policy(cite=True))
    marked = f"{SHIPPED[:-1]} [{TOOL.name}]. {TRUE[:-1]} [{TOOL.name}]."
    done = await _played(driver, LOOKS_UP, ModelTurn(marked), detector=cites)
    assert done.seen.strip() == f"{SHIPPED} {TRUE}"
    assert all(CITE_AS_YOU_WRITE in asked for asked in done.asked), (
        "the model was not asked to cite"
    )
    showing = [c.text for c in done.reports[0].claims for r in c.checks if r.name == CITED]
    assert len(showing) == len(done.reports[0].claims) == 2


SCENARIOS: dict[str, Scenario] = {
    scenario.__name__: scenario
    for scenario in (
        an_invented_identifier_is_sent_back,
        the_corrected_call_runs_once,
        a_true_answer_goes_out_untouched,
        a_false_draft_is_never_seen,
        the_corrected_answer_goes_out,
        what_is_verified_is_shown_before_the_answer_is_complete,
        an_unrepairable_answer_ends_in_the_refusal,
        a_crash_of_the_detector_lets_the_answer_out_if_it_fails_open,
        a_crash_of_the_detector_stops_the_answer_if_it_fails_closed,
        retries_are_capped,
        runs_at_once_do_not_mix,
        look_alike_runs_do_not_mix,
        each_run_is_reported_once_with_every_attempt,
        rejected_calls_are_in_the_report,
        shadow_mode_touches_nothing,
        its_own_model_judges_a_critical_claim_in_doubt,
        what_its_own_model_refutes_does_not_go_out,
        its_own_model_changes_nothing_where_it_fails_as_a_judge,
        a_policy_keeps_its_own_model_from_judging,
        it_cites_as_it_writes_and_the_user_does_not_see_it,
    )
}


def check(scenario: str, driver: Driver) -> None:
    """Run one scenario; it raises AssertionError where the adapter does not keep it."""

    async def run() -> None:
        await SCENARIOS[scenario](driver)

    asyncio.run(run())


def detector_of(policy: Policy | None = None) -> Detector:
    """The real detector with an entailment model that knows nothing: what is false here, exact checks
    find. A false answer is sent back before it is refused."""
    policy = policy or Policy()
    return Detector(
        policy.model_copy(update={"on_critical": "revise"}), entailment=FixedEntailment()
    )


async def _played(
    driver: Driver,
    *turns: ModelTurn,
    detector: AnswerChecker | None = None,
    shadow: bool = False,
    **of_scene: Any,
) -> Outcome:
    outcome = Outcome()
    policy = Policy() if not shadow else Policy(max_revisions=0)
    options: Any = {"on_report": outcome.reports.append, "shadow": shadow}
    scene = Scene(turns, detector or detector_of(policy), options=options, **of_scene)
    await driver.play(scene, outcome)
    return outcome
