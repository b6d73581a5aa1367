"""Why a verdict came out as it did, in words that need no knowledge of how it was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from affidavit.report import ClaimStatus, EvidenceSpan, ReasonCode
from affidavit.stages.ground.signal import CLAUSE, Signal, WitnessName
from affidavit.stages.ground.verdict.features import FEATURES
from affidavit.stages.ground.verdict.model import Verdict

_REASONS: dict[tuple[WitnessName, str], ReasonCode] = {
    ("values", "absent"): "value_not_in_evidence",
    ("values", "told"): "not_entailed",
    ("rows", "opposed"): "contradicts_evidence",
    ("rows", "other_row"): "contradicts_evidence",
    ("rows", "other_field"): "contradicts_evidence",
    ("calls", "absent"): "action_not_performed",
    ("calls", "opposed"): "action_not_performed",
    ("citations", "absent"): "source_not_retrieved",
    ("citations", "opposed"): "contradicts_evidence",
    ("entailment", "opposed"): "contradicts_evidence",
}
_FOR = frozenset({"same", "rounded", "derived"})
_TELLING = 0.2
"""Log-odds from which what a witness says against a claim is told before the model's bare word."""
EVEN = 0.5
"""Probability from which a claim is likelier true than not."""
_TOGETHER = 3
"""Values of a claim that are shown where they were found, the ones that tell most first."""
_UNREAD = "nothing in the results bears it out"
DOUBTFUL = "the results do not clearly bear it out"
UNREAD_IN = "nothing in the results bears out {}"
_DOUBTFUL_IN = "the results do not clearly bear out {}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """The status that a verdict comes to, which witness weighed most, why, and where to look."""

    status: ClaimStatus
    witness: WitnessName
    reason: ReasonCode | None
    text: str
    spans: tuple[EvidenceSpan, ...]


def explained(
    verdict: Verdict,
    signals: Sequence[Signal],
    *,
    least: float,
    shown: Sequence[EvidenceSpan] = (),
    denies: bool = False,
) -> Explanation:
    """The explanation of a verdict. A claim is supported from a probability of ``least`` on; ``shown`` are the places
    that the entailment model was shown. ``denies`` is whether the claim says that something is not there."""
    supported = verdict.supported >= least
    by_witness: dict[WitnessName, float] = {}
    for name, part in verdict.contributions.items():
        by_witness[FEATURES[name][0]] = by_witness.get(FEATURES[name][0], 0.0) + part
    ranked = sorted(by_witness, key=lambda w: by_witness[w], reverse=supported)
    if not supported:  # the model says that something is wrong; the others say what
        ranked.sort(key=lambda w: w == "entailment" or by_witness[w] > -_TELLING)
    clause = next((s for s in signals if s.slot == CLAUSE), None)
    sided = [s for s in signals if (s.relation in _FOR) is supported and s is not clause]
    order = {witness: n for n, witness in enumerate(ranked)}
    told = sorted(
        (s for s in sided if s.detail),
        key=lambda s: (order.get(s.witness, len(order)), -s.strength),
    )
    if supported:
        witness: WitnessName = told[0].witness if told else "entailment"
        # How a figure was worked out no reader sees in the places shown, whatever else bears the claim out.
        alike = {s.detail: s for s in told if s.witness in (witness, "formulas")}
        shared = list(alike.values())[:_TOGETHER]
        text = "; ".join(s.detail for s in shared) or "the results say so"
        spans = tuple(dict.fromkeys(span for s in shared for span in s.spans)) or tuple(shown[:1])
        return Explanation("supported", witness, None, text, spans)
    main = told[0] if told else None
    # What is likelier true than otherwise is not called contradicted, whatever else a witness read.
    otherwise = verdict.contradicted > max(verdict.open, verdict.supported)
    status: ClaimStatus = "contradicted" if otherwise else "unsupported"
    where = tuple(shown[:1])
    if main is None or (main.witness == "entailment" and status == "unsupported"):
        likely = verdict.supported >= EVEN
        text = DOUBTFUL if likely else _UNREAD
        if clause is not None:
            text = (_DOUBTFUL_IN if likely else UNREAD_IN).format(clause.detail)
            where = clause.spans[:1] or where
        return Explanation(status, "entailment", "not_entailed", text, where)
    reason = _REASONS.get((main.witness, main.relation), "not_entailed")
    if reason == "contradicts_evidence":
        if status == "unsupported":
            reason = "not_entailed"
        elif denies:
            reason = "false_absence"
    return Explanation(status, main.witness, reason, main.detail, main.spans or where)
