"""What became of a call: a failed one supports the statement that it failed, and nothing else."""

from __future__ import annotations

import re

from affidavit.ledger.ledger import CallEntry, Ledger
from affidavit.ledger.records import Cell, words_of
from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.calls.deeds import SEARCHES
from affidavit.stages.ground.checks.calls.failure_reasons import (
    in_its_words,
    is_told_by,
    reason_told,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "outcomes"

_FAILURE = re.compile(
    r"\b(fail\w*|error\w*|tim(?:ed|e|ing)[ -]?out|time-?out|forbidden|denied|refused|rejected|"
    r"not (?:allowed|permitted|authori[sz]ed|available|found)|unavailable|unable|could ?n[o']t|could not|"
    r"can(?:not|['’]t)|lacks?|missing|invalid|issue|problem|trouble|wasn['’]t able|went wrong|did(?:n['’]t| not) (?:go|get|come) through|"
    r"fehl\w*|konnte\w* nicht|no (?:pude|se pudo)|error|impossible)\b",
    re.I,
)
_NOT_TO_BE = re.compile(
    r"\b(?:cannot|can['’]t|can not) be (\w+(?:ed|wn|en))\b(?! (?:found|seen|read))", re.I
)
"""What may not be done: that some other call failed does not show it."""
_LACK = re.compile(
    r"\bI(?:['’]m| am)? (?:still |also |currently |now )?(?:not able|unable|have no|don['’]t have|don['’]t know|do not know|can['’]t tell|could ?n['o]t|could not|can['’]?t|cannot)\b|"
    r"\b(?:no|without) (?:live|current|exact|further)\b|\bcan['’]t (?:give|tell|say|provide)\b",
    re.I,
)


_EMPTY = re.compile(
    r":\s*\[\s*\]|\"(?:total|count|n|hits|matches|total_results|num_results)\":\s*0\b|"
    r"^\s*\(?0 (?:rows?|results?|records?|matches)\b",
    re.M,
)


_LOOKUPS = frozenset("find search lookup look get query fetch locate list retrieve check".split())


def speaks_of_failure(claim: Claim) -> bool:
    """Whether a claim is about something that did not work; only then do error texts bear on it."""
    said = claim.statement.replace("’", "'")
    return bool(_FAILURE.search(said) or _LACK.search(said))


def check_outcomes(claim: Claim, context: GroundContext) -> Finding:
    """A statement of failure against the calls that failed."""
    told_by = (
        failed_call_of(claim.text, context.ledger) or _reason_given(claim, context)
        if claim.kind in ("fact", "absence")
        else None
    )
    if told_by is not None:
        detail = (
            f"{told_by.call.name} {'was rejected' if told_by.rejected else 'failed'} and says so"
        )
        return Finding(NAME, "checked", "supports", 0.93, None, detail, spans=(span_of(told_by),))
    if not speaks_of_failure(claim):
        return Finding.skip(NAME, "does not say that something failed")
    reason = reason_told(claim.text)
    if reason and _failed_calls(context.ledger) and not failed_call_of(reason, context.ledger):
        return Finding.skip(NAME, "no failed call gives that reason")
    forbidden = {stem(m[1]) for m in _NOT_TO_BE.finditer(claim.text)}
    failed = [
        e
        for e in context.ledger.calls
        if e.outcome in ("error", "rejected") and forbidden <= _told_of(e)
    ]
    empty = [e for e in context.ledger.calls if came_back_empty(e)]
    lack = bool(_LACK.search(claim.statement.replace("’", "'")))
    best = max(failed, key=lambda e: _overlap(e, claim), default=None)
    if best is not None and (_overlap(best, claim) or lack):
        span = span_of(best)
        detail = f"{best.call.name} {'was rejected' if best.rejected else 'failed'}"
        return Finding(
            NAME, "checked", "supports", 0.95, None, detail, spans=(span,),
            settles="all" if lack else "values",
        )  # fmt: skip
    if lack and empty:
        span = span_of(empty[-1])
        return Finding(
            NAME, "checked", "supports", 0.95, None, f"{empty[-1].call.name} returned nothing",
            spans=(span,),
        )  # fmt: skip
    return Finding.skip(NAME, "no call of this run failed")


def _reason_given(claim: Claim, context: GroundContext) -> CallEntry | None:
    """The failed call whose answer a claim retells right behind the word that it failed: "the sessions could not be
    ended: the broker is being moved"."""
    beside = [told for told in context.before[-1:] if speaks_of_failure(told)]
    if not beside or any(value.kind not in ("name", "quoted") for value in claim.values):
        return None
    failed = reversed(_failed_calls(context.ledger))
    return next((e for e in failed if in_its_words(claim.text, e)), None)


def _failed_calls(ledger: Ledger) -> list[CallEntry]:
    return [e for e in ledger.calls if e.outcome in ("error", "rejected")]


def failed_call_of(text: str, ledger: Ledger) -> CallEntry | None:
    """The failed call that answered what a text says went wrong."""
    failed = _failed_calls(ledger)
    if not failed:
        return None
    asked = ledger.once("what was said", lambda: _what_was_said(ledger))
    return next((e for e in reversed(failed) if is_told_by(text, e, asked)), None)


def _what_was_said(ledger: Ledger) -> str:
    said = (p.text for p in ledger.passages if p.source.kind in ("user", "system"))
    return " ".join([ledger.question, *said])


_NOT_FOUND = re.compile(
    r"\W*(?:\w*error\W+)?(?:no (?:such )?[a-z]+(?: [a-z]+)? (?:was |were )?found|(?!page|file|resource|endpoint|route|method|command|module)[a-z]+(?: [a-z]+)? (?:was )?not found"
    r"|(?:no such|unknown) (?!tool|command|method|host|file)[a-z]+)\W*",
    re.I,
)
"""A lookup's answer that there is none, though it comes as an error: "Error: User not found"."""


_NONE_AT_ALL = re.compile(
    r"\W*(?:sorry,? )?(?:(?:no|0|zero) (?:\w+ ){0,3}?(?:results?|match(?:es|ing \w+)?|records?|items?|entries|data|hits|documents|rows|files|messages|events|products|pages)"
    r"(?: (?:(?:was|were) )?(?:found|returned|available|matched))?(?: for .{1,80})?|(?:nothing|none|not) found(?: for .{1,80})?|none|empty|nothing)\W*",
    re.I,
)
"""A whole answer that says that there is nothing: "No results found for “x”."."""


def came_back_empty(entry: CallEntry) -> bool:
    """Nothing was found: an empty result, one that echoes its query beside an empty list, or a lookup
    that answers in so many words that there is none."""
    result = entry.result
    if result is not None and _NOT_FOUND.fullmatch(result.text):
        return not _LOOKUPS.isdisjoint(words_of(entry.call.name).split()[:1])
    if result is None or result.outcome != "ok":
        return entry.outcome == "empty"
    if _NONE_AT_ALL.fullmatch(result.text):
        return True
    if any(record.group for record in result.records):
        return False  # it has rows, whatever else in it is empty
    searched = not SEARCHES.isdisjoint(words_of(entry.call.name).split()[:1])
    told = sum(_tells(cell) for record in result.records for cell in record.cells)
    if not searched and told >= _TOLD:
        return False  # an account that has no add-ons
    return bool(_EMPTY.search(result.text))


def _tells(cell: Cell) -> bool:
    """Whether a field holds anything: not nothing, none and no empty list."""
    return not cell.is_blank and cell.raw != 0 and cell.text != "[]"


_TOLD = 3
"""Fields of a result with which it is a thing that was found, though a list in it is empty."""


def _told_of(entry: CallEntry) -> frozenset[str]:
    """The words of what a call is for and of what it answered; that it cannot be used goes without saying."""
    answer = entry.result.text if entry.result else ""
    return content_stems(f"{words_of(entry.call.name)} {answer[:2000]}") | _ITS_USE


_ITS_USE = frozenset(map(stem, ("used", "reached", "accessed", "completed", "loaded", "called")))


def span_of(entry: CallEntry) -> EvidenceSpan:
    """A call's result as evidence of what became of it."""
    text = entry.result.text[:200] if entry.result else entry.outcome
    return EvidenceSpan(
        source="tool_result", text=text, tool=entry.call.name, call_id=entry.call.id,
        message=entry.result.message if entry.result else entry.message,
    )  # fmt: skip


def _overlap(entry: CallEntry, claim: Claim) -> int:
    text = f"{words_of(entry.call.name)} {entry.call.arguments} {entry.result.text if entry.result else ''}"
    return len(named_in(content_stems(text[:2000]), content_stems(claim.statement)))
