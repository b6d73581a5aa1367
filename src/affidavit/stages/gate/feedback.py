"""What the model is told when its answer is sent back."""

from __future__ import annotations

import json
from collections.abc import Iterator

from affidavit._excerpt import excerpt
from affidavit.policy import Policy
from affidavit.report import CITED, ClaimVerdict, HallucinationReport, ToolCallValidation

_HEAD = "Your answer was checked against the results of this run and was not sent."
_HEAD_SHOWN = (
    "Your answer was checked against the results of this run. Its beginning has been shown to the "
    "user; the rest was not sent."
)
_TAIL = (
    "Write the whole answer again. Correct these statements from the results you have, or call a "
    "tool for what is missing. Do not merely leave out what the user asked for: where it cannot be "
    "found, say so. Keep what was not named here, and do not mention this check."
)
_TAIL_SHOWN = (
    "Go on with the answer from where the shown beginning ends, without repeating it. Correct these "
    "statements from the results you have, or call a tool for what is missing. Do not merely leave "
    "out what the user asked for: where it cannot be found, say so. Do not mention this check. The "
    "beginning that has been shown:"
)
_CITE = (
    "Where the results do bear out a statement as it stands, keep it and show them: put "
    '[call_id] "quote" right behind it, with the id of the call and a few words of its result, on one line and word for '
    "word. The user does not see that. It is only looked up: a quote that is not in the result, or does not say what the statement "
    "says, does not help."
)
_CALLS = "Calls that can be cited:"
_MOST_CALLS = 30
_CUT_OFF = (
    "Your answer was longer than one reply may be and broke off before its end. Say the same in fewer "
    "words, and finish."
)
_SECTIONS = {
    "unsupported": "Not supported by the results:",
    "weak": "Only weakly supported; state exactly what the results say:",
    "uncited": "Without a source, in an answer that gives some; say for each which of the results it is from:",
    "diverging": "Not confirmed when the same question was asked again; check against the results:",
    "cited": "Citations that lead nowhere:",
    "rejected": "Tool calls that were rejected and not corrected; what they were meant to find or "
    "do has not been found or done:",
}

_LONGEST = 240
"""Characters of what is quoted."""


def revision_feedback(
    report: HallucinationReport,
    policy: Policy | None = None,
    *,
    shown: str = "",
    may_cite: bool = False,
) -> str:
    """The message that goes before the model's next turn. ``shown`` is the beginning of a streamed
    answer that the user has read: it was verified and stays. With ``may_cite`` the model may show a place in the
    results for a statement instead of correcting it.

    It quotes the false claims, so a guard must never enter it among the evidence of the run.
    """
    policy = policy or Policy.model_validate(report.policy)
    sections = {
        "unsupported": [_claim_line(c) for c in _between(report, 0.0, policy.revise_threshold)],
        "weak": [
            _claim_line(c) for c in _between(report, policy.revise_threshold, policy.emit_threshold)
        ],
        "uncited": list(_uncited(report, policy)),
        "diverging": list(_diverging(report, policy)),
        "cited": list(_leading_nowhere(report, policy)),
        "rejected": [
            _call_line(call) for call in report.tool_call_validations if call.counts_against
        ],
    }
    lead = [_CUT_OFF] if report.cut_off else []
    blocks = lead + [
        "\n".join([_SECTIONS[name], *lines]) for name, lines in sections.items() if lines
    ]
    offer = _offer(report) if may_cite and any(map(sections.get, ("unsupported", "weak"))) else []
    if shown.strip():
        tail = [_TAIL_SHOWN, f"<shown>\n{shown.rstrip()}\n</shown>"]
        return "\n\n".join([_HEAD_SHOWN, *blocks, *offer, *tail])
    return "\n\n".join([_HEAD, *blocks, _TAIL, *offer])


def _offer(report: HallucinationReport) -> Iterator[str]:
    """That the model may cite, and what: it may not have been shown the ids of its calls."""
    calls = [c for c in report.tool_call_validations if c.status != "rejected" or c.ran]
    if calls:
        yield _CITE
        yield "\n".join([_CALLS, *map(_citable, calls[-_MOST_CALLS:])])


def _citable(call: ToolCallValidation) -> str:
    # Numbers in brackets are the answer's own references.
    name = call.tool if not call.call_id or call.call_id.isdigit() else call.call_id
    arguments = json.dumps(call.args, ensure_ascii=False) if call.args else ""
    return f"- [{name}] {call.tool} {excerpt(arguments, 80)}".rstrip()


def _between(report: HallucinationReport, low: float, high: float) -> Iterator[ClaimVerdict]:
    for claim in report.claims:
        if claim.is_scored and claim.score is not None and low <= claim.score < high:
            yield claim


def _claim_line(claim: ClaimVerdict) -> str:
    line = f"- “{excerpt(claim.text, _LONGEST)}”"
    if claim.explanation:
        line += f": {excerpt(claim.explanation, _LONGEST)}"
    said = [span for span in claim.evidence_spans if excerpt(span.text, _LONGEST) not in line][:2]
    for span in said:
        where = f"the result of {span.tool}" if span.tool else f"the {span.source} message"
        line += f"\n  {where} says: “{excerpt(span.text, _LONGEST)}”"
    for check in claim.checks:
        if check.name == CITED:
            helped = "" if check.state == "failed" else ", which does not bear this statement out"
            line += f"\n  {excerpt(check.detail, _LONGEST)}{helped}"
    return line


def _leading_nowhere(report: HallucinationReport, policy: Policy) -> Iterator[str]:
    """Citations of claims that are not named otherwise."""
    named = list(_between(report, 0.0, policy.emit_threshold))
    for claim in report.claims:
        for check in claim.checks if claim not in named else ():
            if check.name == CITED and check.state == "failed":
                yield f"- “{excerpt(claim.text, _LONGEST)}”: {excerpt(check.detail, _LONGEST)}"


def _uncited(report: HallucinationReport, policy: Policy) -> Iterator[str]:
    named = {claim.text for claim in _between(report, 0.0, policy.emit_threshold)}
    for claim in report.claims if policy.uncited == "revise" else ():
        if claim.is_uncited and claim.text not in named:
            yield f"- “{excerpt(claim.text, _LONGEST)}”"


def _diverging(report: HallucinationReport, policy: Policy) -> Iterator[str]:
    named = {claim.text for claim in _between(report, 0.0, policy.emit_threshold)}
    for probe in report.consistency_probes:
        if probe.diverges and probe.claim not in named:
            yield f"- “{excerpt(probe.claim, _LONGEST)}”"


def _call_line(call: ToolCallValidation) -> str:
    faults = "; ".join(excerpt(error.message, _LONGEST) for error in call.errors)
    return f"- {call.tool}: {faults}" if faults else f"- {call.tool}"
