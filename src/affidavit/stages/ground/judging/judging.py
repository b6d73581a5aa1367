"""Asking a judge about the claims in doubt, and joining its word to what the verdict says."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from affidavit.models.judge import ClaimsJudge, Finding, Hearing
from affidavit.models.judge.claims import tokens_of
from affidavit.models.judge.quotes import place_of
from affidavit.models.llm.protocol import LanguageModel, Usage
from affidavit.policy import JudgePolicy, Policy
from affidavit.report import CheckRecord, ClaimVerdict, Judging
from affidavit.stages.ground import relevance
from affidavit.stages.ground.ground import Grounding
from affidavit.stages.ground.judging.dossier import Dossier, Doubtful, dossier_of
from affidavit.stages.ground.judging.memory import Memory, key_of
from affidavit.stages.ground.judging.word import Reliability, Word, reliability_of
from affidavit.stages.ground.verdict.odds import chance, odds

NAME = "judge"
NOT_TOLD = "the judge did not say"
_VERDICTS: dict[Finding, Literal["supports", "contradicts", "missing"]] = {
    "supported": "supports",
    "contradicted": "contradicts",
    "unsupported": "missing",
}
_SURE = 0.5e-4
"""A score of 0.0000 may have been as much."""


@dataclass
class Tab:
    """What has been asked for one draft of an answer, its sentences judged as they were written included."""

    requests: int = 0
    usage: Usage | None = None
    milliseconds: float = 0.0
    texts: list[str] = field(default_factory=list)
    """The requests themselves."""

    def add(self, heard: Hearing, request: str, seconds: float) -> None:
        self.requests += heard.requests
        self.milliseconds = round(self.milliseconds + seconds * 1000, 3)
        self.texts.append(request)
        if heard.usage is not None:
            known = self.usage or Usage(0, 0)
            self.usage = Usage(
                known.input_tokens + heard.usage.input_tokens,
                known.output_tokens + heard.usage.output_tokens,
            )


@dataclass(frozen=True)
class Judged:
    """Stage 2 with the judge heard, and what it was asked."""

    grounding: Grounding
    judging: Judging | None


class ClaimJudge:
    """Asks ``model`` about claims in doubt, under ``policy``. Holds no state of any run; safe to share.

    ``own`` says that it is the run's own model: it is asked once at most, about critical claims alone.
    """

    def __init__(
        self,
        model: LanguageModel,
        policy: Policy,
        memory: Memory,
        *,
        own: bool = False,
        reliability: Reliability | None = None,
    ) -> None:
        self._model, self._policy, self._memory, self._own = model, policy, memory, own
        self._reliability = reliability or reliability_of(policy.judge.error)

    @property
    def name(self) -> str:
        return self._model.name

    def doubtful(self, grounding: Grounding) -> list[Doubtful]:
        """The claims to ask about, critical ones first."""
        if not grounding.cases:  # Stage 2 did not come so far
            return []
        found = [
            Doubtful(n, claim, case)
            for n, (claim, case) in enumerate(zip(grounding.claims, grounding.cases, strict=True))
            if is_doubtful(claim, self._policy.judge, own=self._own)
            and (claim.critical or not self._own)
        ]
        return sorted(found, key=lambda one: not one.verdict.critical)

    async def judge(
        self,
        grounding: Grounding,
        question: str,
        tab: Tab,
        *,
        seconds: float | None = None,
        spare: int = 0,
    ) -> Judged:
        """``grounding`` with the judge's word joined to the claims in doubt. ``tab`` counts what is asked; ``seconds``
        is what is left of the time allowed for the check, ``spare`` the requests to leave for later. Never raises for what the model does."""
        budget = self._policy.judge
        asker = ClaimsJudge(
            self._model,
            timeout=budget.timeout if seconds is None else min(budget.timeout, seconds),
            retries=0 if self._own else budget.retries,
        )
        doubtful = self.doubtful(grounding)
        keys = {one.index: key_of(asker.name, question, one.content()) for one in doubtful}
        words = {n: word for n, key in keys.items() if (word := self._memory.get(key)) is not None}
        to_ask = [one for one in doubtful if one.index not in words]
        tries = (1 if self._own else budget.requests) - tab.requests - spare
        asked, request, dossier = (
            self._fitting(asker, to_ask, question) if tries > 0 else ([], "", None)
        )
        heard = Hearing()
        if dossier is not None:
            started = time.perf_counter()
            heard = await asker.ask(dossier.claims, request, tries)
            tab.add(heard, request, time.perf_counter() - started)
            for one, claim in zip(asked, dossier.claims, strict=True):
                words[one.index] = word = _word(heard, claim.id, dossier, one)
                if not heard.failure and word.fault != NOT_TOLD:
                    self._memory.put(keys[one.index], word)
        claims = tuple(
            self._joined(claim, words[n]) if n in words else claim
            for n, claim in enumerate(grounding.claims)
        )
        judging = Judging(
            model=self.name,
            state="failed" if heard.failure else "checked" if words else "skipped",
            reason=heard.failure or self._why_not(doubtful, words),
            claims=tuple(sorted(words)),
            left_out=len(to_ask) - len(asked),
            requests=tab.requests,
            input_tokens=tab.usage.input_tokens if tab.usage else None,
            output_tokens=tab.usage.output_tokens if tab.usage else None,
            milliseconds=tab.milliseconds,
        )
        return Judged(replace(grounding, claims=claims), judging)

    def _fitting(
        self, asker: ClaimsJudge, to_ask: Sequence[Doubtful], question: str
    ) -> tuple[list[Doubtful], str, Dossier | None]:
        """The claims that one request has room for, and the request."""
        asked = list(to_ask[: self._policy.judge.claims])
        while asked:
            dossier = dossier_of(asked)
            request = asker.request(dossier.claims, dossier.records, question)
            over = tokens_of(request) / self._policy.judge.tokens
            if over <= 1:
                return asked, request, dossier
            asked = asked[: min(len(asked) - 1, int(len(asked) / over))]
        return [], "", None

    def _why_not(self, doubtful: Sequence[Doubtful], words: dict[int, Word]) -> str:
        if words:
            return ""
        if doubtful:
            return "the requests or tokens that the policy allows are used up"
        return "no critical claim is in doubt" if self._own else "no claim is in doubt"

    def _joined(self, claim: ClaimVerdict, word: Word) -> ClaimVerdict:
        added = self._reliability.log_odds(word)
        record = _record(word, self.name, added)
        claim = claim.model_copy(update={"checks": (*claim.checks, record)})
        if not added:
            return claim
        assert claim.score is not None
        score = round(chance(odds(claim.score, _SURE) + added), 6)
        return claim.model_copy(
            update={"score": score, **told(claim, record, score >= self._policy.emit_threshold)}
        )


def is_doubtful(claim: ClaimVerdict, policy: JudgePolicy, *, own: bool = False) -> bool:
    """Whether a judge is asked about a claim. What a result of low relevance alone bears out is weak whoever says so."""
    if policy.when == "never" or claim.score is None or claim.status in ("exempt", "unchecked"):
        return False
    if claim.decided_by == relevance.NAME or relevance.is_cut(claim):
        return False
    return policy.when == "always" or policy.low <= claim.score <= policy.up_to(own=own)


def told(claim: ClaimVerdict, record: CheckRecord, supported: bool) -> dict[str, Any]:
    """Status, reason and explanation of a claim that the judge's word, ``record``, was joined to. Where the word is on
    the side that the claim came out on, the judge has decided it."""
    if (record.verdict == "supports") != supported:
        return {}
    made: dict[str, Any] = {
        "decided_by": NAME,
        "explanation": record.detail,
        "evidence_spans": record.evidence_spans or claim.evidence_spans,
    }
    if supported:
        return made | {"status": "supported", "reason": None}
    if record.verdict == "contradicts":
        return made | {"status": "contradicted", "reason": "contradicts_evidence"}
    own = claim.reason if claim.status == "unsupported" else None
    return made | {"status": "unsupported", "reason": own or "not_entailed"}


def _word(heard: Hearing, claim: str, dossier: Dossier, one: Doubtful) -> Word:
    """What the judge said of a claim. Its quote must stand in the record that it names, and what only the user says
    bears out no more than that the user said it."""
    ruling = heard.rulings.get(claim)
    if ruling is None:
        return Word(None, fault=heard.failure or heard.faults.get(claim, NOT_TOLD))
    if ruling.finding == "unsupported":
        return Word("unsupported", _quoted(ruling.why) or "the judge finds no record for it")
    line = place_of(ruling.quote, dossier.lines.get(ruling.record, ()))
    if line is None:
        titles = {record.id: record.title for record in dossier.records}
        where = titles.get(ruling.record, "any record that it was shown")
        fault = f"the judge says {ruling.finding}, but what it quotes does not stand in {where}"
        return Word(ruling.finding, fault=fault)
    users = line.source.kind == "user" and one.verdict.kind != "restatement"
    if ruling.finding == "supported" and users:
        return Word(ruling.finding, fault="the judge says supported, but quotes the user alone")
    why = _quoted(ruling.why) or f"the judge quotes “{ruling.quote.strip()}”"
    return Word(ruling.finding, why, line.span())


def _quoted(why: str) -> str:
    """What a model says, as its own words: they go on to whoever reads the report, and to the agent's model."""
    return f"the judge: “{why}”" if why else ""


def _record(word: Word, model: str, added: float) -> CheckRecord:
    """The word as the report keeps it."""
    if word.finding is None or word.fault:
        return CheckRecord(name=NAME, state="failed", detail=word.fault, produced_by=model)
    return CheckRecord(
        name=NAME,
        state="checked",
        verdict=_VERDICTS[word.finding],
        detail=word.why,
        evidence_spans=(word.span,) if word.span is not None else (),
        produced_by=model,
        log_odds=round(added, 4),
    )
