"""The HallucinationReport: what a run's claims, calls and probes came to, and why.

Field names of the specification are kept exactly; what else a reader needs stands beside them.
"""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

SPEC_VERSION = "1.0"
"""Version of the specification in ``specs/`` that reports are written to."""

ClaimStatus = Literal["supported", "contradicted", "unsupported", "exempt", "unchecked"]
ClaimKind = Literal[
    "fact", "action", "absence", "citation", "restatement",
    "greeting", "offer", "question", "opinion", "plan", "creative",
]  # fmt: skip
ReasonCode = Literal[
    "contradicts_evidence",
    "value_not_in_evidence",
    "meaning_changed",
    "source_not_retrieved",
    "action_not_performed",
    "false_absence",
    "not_entailed",
    "not_cited",
    "not_covered",
    "check_failed",
]
"""What is to be said of a claim. All but ``not_cited`` say why it is not supported: that one, of a claim that is, says that
it gives no source in an answer that gives some."""
Action = Literal["emit", "revise", "block"]
SourceKind = Literal["tool_result", "user", "system", "tool_definition", "assistant"]


CHECKER = "checker"
"""Name of the record that a further entailment model leaves, which was asked about a claim in doubt."""
CITED = "cited"
"""Name of the record of what the answer itself showed for a claim. It is no check: it says which evidence was put first."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SourceReference(_Model):
    """The document a piece of evidence comes from, as the tool that found it says. Dates are ISO 8601."""

    title: str
    document_id: str
    n: int | None = Field(default=None, ge=1)
    """The number it is cited by, as in ``[2]``."""
    version: str | None = None
    section: str | None = None
    page: int | None = None
    url: str | None = None
    document_date: str | None = None
    indexed_at: str | None = None

    def __str__(self) -> str:
        """The document and the place in it, as one would name it to a reader."""
        places = [
            f"section {self.section}" if self.section else "",
            f"page {self.page}" if self.page is not None else "",
            f"dated {self.document_date}" if self.document_date else "",
            self.url or "",
        ]
        version = f", version {self.version}" if self.version else ""
        inside = ", ".join(filter(None, places))
        return f"{self.title}{version}" + (f" ({inside})" if inside else "")


class EvidenceSpan(_Model):
    """A place in the run's evidence. ``pointer`` is a JSON Pointer (RFC 6901) into a structured result,
    or ``char=start,end`` (RFC 5147) into a text."""

    source: SourceKind
    text: str
    pointer: str = ""
    tool: str | None = None
    call_id: str | None = None
    message: int | None = None
    """Index of the message in the run."""
    document: SourceReference | None = None
    """The document it stands in, where the result says so."""


class CheckRecord(_Model):
    """What one check said of one claim. ``state`` tells a check that found nothing to say (skipped)
    from one that could not be carried out (failed); neither is a verdict."""

    name: str
    state: Literal["checked", "skipped", "failed"]
    verdict: Literal["supports", "contradicts", "missing"] | None = None
    score: float | None = Field(default=None, ge=0, le=1)
    reason: ReasonCode | None = None
    detail: str = ""
    formula: str | None = None
    evidence_spans: tuple[EvidenceSpan, ...] = ()
    produced_by: str = ""
    """Name and version of the model behind the verdict, where there is one."""
    log_odds: float | None = None
    """What the check added to the log-odds of the claim's score, where it was heard after the verdict: a judge."""


class ClaimVerdict(_Model):
    """One claim of the answer. ``start`` and ``end`` are characters of the answer;
    ``score`` is the probability that the evidence entails the claim, None where it was not scored."""

    text: str
    evidence_spans: tuple[EvidenceSpan, ...]
    score: float | None = Field(ge=0, le=1)
    critical: bool
    status: ClaimStatus
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    kind: ClaimKind = "fact"
    reason: ReasonCode | None = None
    decided_by: str = ""
    """Name of the check that decided."""
    explanation: str = ""
    """Why, in one line."""
    checks: tuple[CheckRecord, ...] = ()

    @property
    def is_judged(self) -> bool:
        """Whether it was held against the evidence."""
        return self.status in ("supported", "contradicted", "unsupported")

    @property
    def is_scored(self) -> bool:
        """Whether it was held against the evidence and came out with a score."""
        return self.is_judged and self.score is not None

    @property
    def is_held_against(self) -> bool:
        """Whether the evidence contradicts it or does not bear it out."""
        return self.status in ("contradicted", "unsupported")

    def is_in_question(self, emit_threshold: float) -> bool:
        """Whether its own verdict keeps the answer from going out, where answers go out from ``emit_threshold`` on."""
        low = self.score is not None and self.score < emit_threshold
        return self.is_scored and (low or self.is_held_against)

    @property
    def is_uncited(self) -> bool:
        """Whether it gives no source, in an answer that gives some."""
        return any(check.reason == "not_cited" for check in self.checks)


class CallError(_Model):
    """One fault of a tool call: where in its arguments, what was expected, what came."""

    kind: Literal["schema", "provenance", "unknown_tool", "malformed_arguments", "repeated_call"]
    message: str
    path: str = ""
    """JSON Pointer into the arguments."""
    expected: str = ""
    got: JsonValue = None
    suggestion: str | None = None
    """The nearest known value, and where it is from."""


class ProvenanceRecord(_Model):
    """Where an entity among the arguments came from."""

    path: str
    value: str
    origin: EvidenceSpan | None = None
    """None where it came from an allowlist or a rule."""
    rule: str = ""


class ToolCallValidation(_Model):
    """Stage 1's verdict on one attempted call. Every attempt is listed."""

    tool: str
    args: JsonValue
    status: Literal["accepted", "rejected", "unchecked"]
    errors: tuple[CallError, ...] = ()
    call_id: str = ""
    message: int | None = None
    final_turn: bool = False
    corrected_by: str | None = None
    """``call_id`` of a later accepted call of the same turn that put this one right."""
    preventable: bool = True
    ran: bool = False
    """Rejected, but the record holds what it returned: it ran all the same, and that is evidence."""
    reads: bool = False
    """Whether the tool is known to read only, or at least is called so and was only sent looking."""
    note: str = ""
    provenance: tuple[ProvenanceRecord, ...] = ()

    @property
    def counts_against(self) -> bool:
        """Whether it keeps the answer from going out: rejected in the final turn and not put right. One
        that only looked around has harmed nothing, and what it found is there to be checked."""
        rejected = self.status == "rejected" and self.corrected_by is None
        return rejected and self.final_turn and not (self.ran and self.reads)


class ConsistencyProbe(_Model):
    """Stage 3 on one critical claim. ``agreement`` is the share of usable probe answers that agree with
    the claim; None where none was usable."""

    claim: str
    original: str
    probe_answers: tuple[str, ...]
    agreement: float | None = Field(ge=0, le=1)
    diverges: bool = False


class StageState(_Model):
    """Whether a stage ran, and if not, why."""

    state: Literal["checked", "skipped", "failed"]
    reason: str = ""


class Judging(_Model):
    """What a judge was asked of the claims in doubt, and what that cost: all requests for this draft of the answer.
    Which claims it decided, each says itself (``decided_by``)."""

    model: str
    state: Literal["checked", "skipped", "failed"]
    reason: str = ""
    claims: tuple[int, ...] = ()
    """Indices of the claims that it has been asked about."""
    left_out: int = 0
    """Claims in doubt that the policy's budgets left unasked."""
    requests: int = Field(default=0, ge=0)
    input_tokens: int | None = None
    """None where the model's API does not tell."""
    output_tokens: int | None = None
    milliseconds: float = 0.0

    def __str__(self) -> str:
        """What it came to, in a line."""
        if self.state == "skipped":
            return f"{self.model} was not asked: {self.reason}"
        cost = [f"{self.requests} request{'' if self.requests == 1 else 's'}"]
        if self.input_tokens is not None and self.output_tokens is not None:
            cost.append(f"{self.input_tokens:,} tokens in, {self.output_tokens:,} out")
        cost.append(f"{self.milliseconds:,.0f} ms")
        left = f"; {self.left_out} in doubt were left out" if self.left_out else ""
        failed = f"; it failed: {self.reason}" if self.state == "failed" else ""
        claims = f"{len(self.claims)} claim{'' if len(self.claims) == 1 else 's'}"
        return f"{self.model} was asked about {claims} in doubt ({', '.join(cost)}){left}{failed}"


class GroundingRisk(_Model):
    """A result that held nothing to answer from, the last before the answer. ``state`` says what it was instead: empty,
    an error, rejected, not found, of low relevance."""

    tool: str
    state: str

    def __str__(self) -> str:
        """The line of the log."""
        tool = self.tool or "a tool"
        return f"GROUNDING RISK: the result of {tool} was {self.state} and the model answered directly."


class Coverage(_Model):
    """How much of the answer was judged. ``share`` is scored / (scored + unchecked), 1.0 for none."""

    claims: int
    scored: int
    exempt: int
    unchecked: int
    share: float
    passages: int = Field(default=0, ge=0)
    """Passages of evidence that the answer was held against."""
    unread: int = Field(default=0, ge=0)
    """Those of them whose values were not read: of results too long to be read whole, all that no claim led to. Their
    words were searched like those of the others."""

    @property
    def unread_note(self) -> str:
        """What was left unread, in a sentence; nothing where all was read."""
        told = f"Only the words of {self.unread:,} of {self.passages:,} passages of evidence were searched: "
        return told + "it is too long to be read whole." if self.unread else ""


class Timings(_Model):
    """Milliseconds spent, by stage."""

    ledger: float = 0.0
    verify: float = 0.0
    ground: float = 0.0
    probe: float = 0.0
    gate: float = 0.0
    total: float = 0.0
    first_sentence: float | None = None
    """Of a streamed answer: from the first word of its draft to the first verified sentence; None
    where none went out before the whole was judged."""


class Attempt(_Model):
    """An earlier draft of the answer that was sent back, as the guard saw it."""

    answer: str
    action: Action
    overall_score: float
    feedback: str = ""
    deletes_only: bool = False


_LATER = frozenset({"judge", "cut_off", "grounding_risk"})
"""Fields that the first reports did not have, and that one may still be without."""


def _always_there(schema: dict[str, Any]) -> None:
    """Defaults spare whoever makes a report by hand; whoever reads one finds every field."""
    schema["required"] = [name for name in schema["properties"] if name not in _LATER]


class HallucinationReport(_Model):
    """What a compliant detector says of one run.

    ``overall_score`` is the gating score and ``action`` the gate's decision; ``reasons`` says in words
    which rule of the gate decided.
    """

    model_config = ConfigDict(json_schema_extra=_always_there)

    run_id: str
    claims: tuple[ClaimVerdict, ...]
    tool_call_validations: tuple[ToolCallValidation, ...]
    consistency_probes: tuple[ConsistencyProbe, ...]
    overall_score: float = Field(ge=0, le=1)
    action: Action
    version: str = SPEC_VERSION

    answer: str
    reasons: tuple[str, ...] = ()
    nothing_scored: bool = False
    coverage: Coverage
    stages: dict[Literal["verify", "ground", "probe", "gate"], StageState]
    judge: Judging | None = None
    """None where no judge was to be asked."""
    timings: Timings = Timings()
    policy: dict[str, Any] = Field(default_factory=dict)
    models: dict[str, str] = Field(default_factory=dict)
    detector: str = ""
    """Name and version of the package that wrote the report."""
    unknown_parts: int = 0
    cut_off: bool = False
    """Whether the model's reply broke off at its limit of tokens."""
    attempts: tuple[Attempt, ...] = ()
    grounding_risk: GroundingRisk | None = None
    """The sign of an answer from the model's own knowledge; mostly None."""

    @property
    def stop_reason(self) -> str:
        """Why the agent's answer ended as it did: ``answered`` where it goes out, else the gate's action."""
        return "answered" if self.action == "emit" else self.action

    def __repr__(self) -> str:
        """What it came to, in a line: the whole is for :meth:`model_dump_json`."""
        score = "nothing scored" if self.nothing_scored else f"{self.overall_score:.2f}"
        counts = Counter(claim.status for claim in self.claims)
        told = ", ".join(f"{number} {status}" for status, number in counts.items()) or "no claims"
        return f"<HallucinationReport {self.run_id!r}: {self.action}, {score}; {told}>"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """The report in a notebook."""
        # By name: what shows reports imports them.
        notebook = import_module("affidavit.records.page.notebook")
        return str(notebook.fragment(self))
