"""What the user is told instead of an answer that may not go out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from affidavit.report import HallucinationReport, ReasonCode

FailureMode = ReasonCode | Literal["inconsistent", "call_rejected", "cut_off", "unverified"]

# In the order in which they are named: what could have done harm first.
_WORDS: dict[FailureMode, str] = {
    "action_not_performed": "it spoke of something as done that I cannot confirm was done",
    "contradicts_evidence": "part of it contradicted the information I have",
    "false_absence": "it said that something could not be found although it is there",
    "meaning_changed": "part of it changed the meaning of the information I have",
    "source_not_retrieved": "it referred to a source that I did not look up",
    "value_not_in_evidence": "it contained details that I could not find in the information I have",
    "not_entailed": "part of it is not backed by the information I have",
    "call_rejected": "a step it needed could not be carried out with confirmed details",
    "inconsistent": "when checked a second time, it did not come out the same",
    "not_cited": "it did not say where all of it comes from",
    "cut_off": "it broke off before its end",
    "check_failed": "I was unable to check it",
    "not_covered": "part of it is in a form that I cannot check",
    "unverified": "I could not confirm it",
}


@dataclass(frozen=True)
class RefusalTemplate:
    """The words of a refusal. ``{failure}`` in ``text`` is replaced by what went wrong, from ``words``."""

    text: str = (
        "I'm sorry, but I can't give you a reliable answer to this: I prepared one, but {failure}. "
        "I would rather not answer than tell you something wrong."
    )
    words: Mapping[FailureMode, str] = field(default_factory=lambda: _WORDS)
    joint: str = ", and "
    most: int = 2
    """How many failure modes are named."""


def refusal(report: HallucinationReport, template: RefusalTemplate | str | None = None) -> str:
    """A refusal that names the failure mode and nothing internal."""
    if template is None or isinstance(template, str):
        template = RefusalTemplate() if template is None else RefusalTemplate(text=template)
    named = [template.words.get(mode, _WORDS[mode]) for mode in failure_modes(report)]
    # Not str.format: a template of the deployment's own may hold other braces.
    return template.text.replace("{failure}", template.joint.join(named[: template.most]))


def failure_modes(report: HallucinationReport) -> list[FailureMode]:
    """What kept the answer from going out, worst first; never empty."""
    found = set(_modes(report))
    return [mode for mode in _WORDS if mode in found] or ["unverified"]


def _modes(report: HallucinationReport) -> Iterator[FailureMode]:
    faulty = [c for c in report.claims if c.is_held_against]
    # A slip in passing is not why a false critical claim was stopped.
    for claim in [c for c in faulty if c.critical] or faulty:
        yield claim.reason or "not_entailed"
    if report.policy.get("uncited") == "revise" and any(c.is_uncited for c in report.claims):
        yield "not_cited"
    for claim in report.claims:
        if claim.status == "unchecked":
            yield claim.reason or "check_failed"
        elif claim.status != "exempt" and not claim.is_scored:
            yield "check_failed"
    if any(probe.diverges for probe in report.consistency_probes):
        yield "inconsistent"
    for call in report.tool_call_validations:
        if call.counts_against:
            yield "call_rejected"
    if report.cut_off:
        yield "cut_off"
    if any(stage.state == "failed" for stage in report.stages.values()):
        yield "check_failed"
