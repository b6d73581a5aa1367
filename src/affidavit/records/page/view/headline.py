"""Why an answer was decided on as it was, in words: what a reader asks before any figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from affidavit._excerpt import excerpt
from affidavit.policy import emit_threshold_of
from affidavit.report import ClaimVerdict, HallucinationReport


@dataclass(frozen=True, slots=True)
class Headline:
    """The reason in words; ``claim``, counted from 1, is the one that it is about."""

    words: str
    claim: int | None = None
    quote: str = ""


_LONGEST = 160


def headline_of(report: HallucinationReport) -> Headline:
    """The first thing that kept the answer back, or what let it go out."""
    if report.action == "emit":
        return Headline(_let_out(report))
    asked: tuple[Callable[[HallucinationReport], Iterator[Headline]], ...] = (
        _false_claims, _unchecked_claims, _calls, _probes, _broken_off, _weak_claims,
    )  # fmt: skip
    for find in asked:
        if (found := next(find(report), None)) is not None:
            return found
    return Headline(_sentence(report.reasons[0]) if report.reasons else "")


def against(claim: ClaimVerdict) -> str:
    """What speaks against a claim, in the words of the check that said it."""
    return next(
        (c.detail for c in claim.checks if c.verdict in ("contradicts", "missing") and c.detail), ""
    )


def _false_claims(report: HallucinationReport) -> Iterator[Headline]:
    held = [
        (claim.score if claim.score is not None else 1.0, not claim.critical, number, claim)
        for number, claim in enumerate(report.claims, 1)
        if claim.is_held_against
    ]
    for _, _, number, claim in sorted(held, key=lambda one: one[:3]):
        why = claim.explanation or against(claim)
        yield Headline(why, number, excerpt(claim.text, _LONGEST))


def _weak_claims(report: HallucinationReport) -> Iterator[Headline]:
    emit = emit_threshold_of(report.policy)
    scored = [
        (claim.score, number, claim)
        for number, claim in enumerate(report.claims, 1)
        if claim.status == "supported" and claim.score is not None and claim.score < emit
    ]
    for _, number, claim in sorted(scored, key=lambda one: one[:2]):
        why = against(claim) or claim.explanation
        told = f"the evidence for it is weak: {why}" if why else "the evidence for it is weak"
        yield Headline(told, number, excerpt(claim.text, _LONGEST))


def _unchecked_claims(report: HallucinationReport) -> Iterator[Headline]:
    if not any("could not be checked" in reason for reason in report.reasons):
        return
    for number, claim in enumerate(report.claims, 1):
        if claim.status == "unchecked":
            why = f": {claim.explanation}" if claim.explanation else ""
            yield Headline(f"it could not be checked{why}", number, excerpt(claim.text, _LONGEST))


def _calls(report: HallucinationReport) -> Iterator[Headline]:
    for call in report.tool_call_validations:
        if call.counts_against:
            fault = f": {call.errors[0].message}" if call.errors else ""
            yield Headline(f"A call to {call.tool} was rejected and not corrected{fault}")


def _probes(report: HallucinationReport) -> Iterator[Headline]:
    numbers = {claim.text: number for number, claim in enumerate(report.claims, 1)}
    for probe in report.consistency_probes:
        if probe.diverges:
            told = "asked again, the model answers differently"
            yield Headline(told, numbers.get(probe.claim), excerpt(probe.claim, _LONGEST))


def _broken_off(report: HallucinationReport) -> Iterator[Headline]:
    # Where the policy lets such a reply out, no reason says so.
    return (Headline(_sentence(why)) for why in report.reasons if report.cut_off and "broke" in why)


def _let_out(report: HallucinationReport) -> str:
    unchecked = sum(claim.status == "unchecked" for claim in report.claims)
    if unchecked and report.nothing_scored:
        return "Nothing that it states could be checked"
    if report.nothing_scored:
        return "It states nothing that the evidence could bear out"
    if unchecked:
        return f"The evidence bears out what could be checked; {unchecked} could not"
    if any(claim.is_held_against for claim in report.claims):
        return "The evidence bears out enough of it for this policy"
    return "The evidence bears out every claim that it makes"


def _sentence(reason: str) -> str:
    return f"{reason[:1].upper()}{reason[1:]}"
