"""Searching with a second try: bounded, and only where another wording can help."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from affidavit.grounding.citations import current_hits, numbered
from affidavit.grounding.confidence import Confidence, ConfidenceEvaluator
from affidavit.grounding.faults import fault_of
from affidavit.grounding.floors import Floors
from affidavit.grounding.knowledge.retriever import Hit, Retriever
from affidavit.grounding.local_confidence import LocalConfidence
from affidavit.grounding.moments import tell_search
from affidavit.grounding.query_kinds import Assess, QueryKind, is_assessed, query_kind
from affidavit.grounding.reformulate import PlainReformulator, Reformulator
from affidavit.grounding.result import GroundedResult, low_relevance, not_found, of_fault, success
from affidavit.grounding.trail import SearchAttempt, SearchTrail, StopReason
from affidavit.ledger.grounded import ResultState

_log = logging.getLogger("affidavit.grounding")

MAX_ATTEMPTS = 2
"""A third attempt rarely finds what two did not: by then the document is not there."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search came to. ``hits`` are those that the result shows, in its order."""

    result: GroundedResult
    hits: tuple[Hit, ...]
    trail: SearchTrail
    confidence: Confidence | None = None


class GroundedSearch:
    """A retriever, what it takes for an answer, and how it tries again.

    ``evaluator`` says whether what was found answers the query, the package's own models unless
    given; ``assess`` for which queries it is asked. Where it is asked its word decides, else the score
    does. ``source`` names the retriever to the model. Holds no state of any search; safe to share.
    """

    def __init__(
        self,
        retriever: Retriever,
        *,
        source: str = "knowledge base",
        floors: Floors | None = None,
        evaluator: ConfidenceEvaluator | None = None,
        assess: Assess = "by_kind",
        reformulator: Reformulator | None = None,
        max_attempts: int = MAX_ATTEMPTS,
        limit: int = 5,
    ) -> None:
        if not 1 <= max_attempts <= MAX_ATTEMPTS:
            raise ValueError(f"a search has 1 to {MAX_ATTEMPTS} attempts, not {max_attempts}")
        self._retriever, self._source, self._limit = retriever, source, limit
        self._floors = floors or Floors()
        self._evaluator = evaluator or LocalConfidence()
        self._assess = assess
        self._reformulator = reformulator or PlainReformulator()
        self._max = max_attempts

    @property
    def source(self) -> str:
        return self._source

    async def search(self, query: str, *, kind: QueryKind | None = None) -> Searched:
        """Search, assess, and try once more in other words where that can help. Never raises an
        ``Exception``: a retriever that fails makes the result a technical error."""
        assessed = is_assessed(kind or query_kind(query), self._assess)
        attempts: list[SearchAttempt] = []
        wording = query
        while True:
            number = len(attempts) + 1
            try:
                hits = current_hits(await self._retriever.search(wording, limit=self._limit))
            except Exception as error:
                return _told_of(self._failed(error, query, wording, attempts))
            score = max((hit.score for hit in hits), default=None)
            state: ResultState = "not_found" if score is None else self._floors.state(score)
            kept = [hit for hit in hits if hit.score >= self._floors.low]
            confidence = None
            if state != "not_found" and assessed:
                confidence = await _assessed(self._evaluator, query, kept)
                state = confidence.state
            attempt = SearchAttempt(number, self._max, wording, len(hits), score, state, confidence)
            attempts.append(attempt)
            _log.info(_told(attempt))
            stop = self._stop(attempt)
            if stop is None:
                wording, stop = await self._next(query, [a.query for a in attempts])
            if stop is not None:
                return _told_of(self._ended(query, attempts, stop, kept))

    def _stop(self, attempt: SearchAttempt) -> StopReason | None:
        """Why to end after an attempt; None where another wording may help."""
        if attempt.state != "not_found":
            return "found"
        if attempt.confidence is not None:
            if attempt.confidence.level == "NOT_RELEVANT":
                return "not_relevant"
        if attempt.number < self._max:
            return None
        # LOW because it could not be assessed is worth another search, and no answer.
        assessed = attempt.confidence is None or attempt.confidence.checked
        return "attempts_used" if assessed else "not_assessed"

    async def _next(self, query: str, tried: Sequence[str]) -> tuple[str, StopReason | None]:
        """Another wording, or why there is none."""
        try:
            wording = (await self._reformulator.reformulate(query)).strip()
        except Exception as error:
            _log.warning("no other wording for %r: %s", query, error)
            wording = ""
        if not wording or wording.casefold() in {text.casefold() for text in tried}:
            return query, "no_other_query"
        return wording, None

    def _failed(
        self, error: Exception, query: str, wording: str, attempts: list[SearchAttempt]
    ) -> Searched:
        fault = fault_of(error)
        result = of_fault(fault, source=self._source, query=query)
        number = len(attempts) + 1
        attempts.append(SearchAttempt(number, self._max, wording, 0, None, result.state))
        stop: StopReason = "technical_error" if fault.kind else "attempts_used"
        _log.error("attempt %d/%d failed: %s", number, self._max, fault.detail)
        return Searched(result, (), self._trail(query, attempts, stop))

    def _ended(
        self, query: str, attempts: list[SearchAttempt], stop: StopReason, kept: list[Hit]
    ) -> Searched:
        last = attempts[-1]
        trail = self._trail(query, attempts, stop)
        if stop != "found":
            detail = last.confidence.reason if last.confidence else ""
            result = not_found(source=self._source, query=query, detail=detail)
            return Searched(result, (), trail, last.confidence)
        rows, warnings = numbered(kept)
        make = success if last.state == "success" else low_relevance
        result = make(rows, source=self._source, score=last.score, warnings=warnings)
        return Searched(result, tuple(kept), trail, last.confidence)

    def _trail(
        self, query: str, attempts: Sequence[SearchAttempt], stop: StopReason
    ) -> SearchTrail:
        score = max((a.score for a in attempts if a.score is not None), default=None)
        best = "none" if score is None else f"{score:.4g}"
        _log.info(
            "stop_reason after attempt %d/%d: %s, score %s, query %r",
            len(attempts), self._max, stop, best, query,
        )  # fmt: skip
        return SearchTrail(query, tuple(attempts), stop)


def _told_of(searched: Searched) -> Searched:
    tell_search(searched.result, searched.trail)
    return searched


async def _assessed(evaluator: ConfidenceEvaluator, query: str, hits: Sequence[Hit]) -> Confidence:
    """What was found against what was asked, not against the second wording of it."""
    try:
        return await evaluator.evaluate(query, _text(hits))
    except Exception as error:
        _log.warning("assessing a result failed", exc_info=True)
        return Confidence("LOW", False, f"the assessment failed: {error}", checked=False)


def _text(hits: Sequence[Hit]) -> str:
    return "\n\n".join(
        "\n".join(filter(None, (hit.source.title, hit.source.section, hit.text))) for hit in hits
    )


def _told(attempt: SearchAttempt) -> str:
    found = f"{attempt.hits} hits" + (f", best {attempt.score:.2f}" if attempt.hits else "")
    sure = attempt.confidence
    assessed = f", {sure.level}: {sure.reason}" if sure else ""
    return f"attempt {attempt.number}/{attempt.of} {attempt.query!r}: {found}{assessed}"
