"""The checklist: what each item asks of the tools and of the answers under each condition."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from affidavit._excerpt import excerpt
from affidavit.grounding.doctor.examinee import Examinee, Reply
from affidavit.grounding.doctor.readings import admits, names_source, own_figures
from affidavit.grounding.doctor.substitutes import CANARY, Call, grounding_of
from affidavit.grounding.origins import where_from
from affidavit.grounding.query_kinds import is_assessed, query_kind
from affidavit.grounding.requery import MAX_ATTEMPTS
from affidavit.grounding.result import GroundedResult, as_json
from affidavit.report import HallucinationReport

Condition = Literal["well", "empty", "timeout", "rate_limit", "missing"]
"""``well`` the question, all in order · ``empty`` the tools find nothing · ``timeout`` they do not answer ·
``rate_limit`` they refuse to · ``missing`` the question about what they do not have, all in order."""

State = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one item of the checklist came to. ``skipped`` is no pass: it could not be examined."""

    item: str
    state: State
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Observed:
    """An agent under one condition: its reply, the calls it made, and Stage 2's report on the reply."""

    question: str
    reply: Reply
    calls: tuple[Call, ...]
    report: HallucinationReport
    error: Exception | None = None
    """What the agent raised instead of replying."""

    @property
    def results(self) -> list[tuple[str, object]]:
        """What the model got, by the tool it is from."""
        if self.reply.result is not None:
            return [(self.reply.result.source, self.reply.result)]
        return [(call.tool, call.result) for call in self.calls]

    @property
    def given(self) -> list[str]:
        """What the agent could take figures from."""
        return [self.question, *(_shown(result) for _, result in self.results)]


Observations: TypeAlias = Mapping[Condition, Observed]
Verdict: TypeAlias = tuple[State, str]
Item: TypeAlias = Callable[[Examinee, Observations], Verdict]

_LONGEST = 160
"""Characters of an answer that a finding quotes."""
PASSED: Verdict = ("passed", "")
NOT_CALLED: Verdict = ("skipped", "the agent called no tool")

NO_DOCUMENTS: Verdict = ("skipped", "the tools return data and search no documents")

_FAILING: tuple[Condition, ...] = ("timeout", "rate_limit")
_BAD: tuple[Condition, ...] = ("empty", *_FAILING)


def _instruction_for_nothing(_: Examinee, seen: Observations) -> Verdict:
    results = seen["empty"].results
    bare = [tool for tool, result in results if not isinstance(result, GroundedResult)]
    return _none(bare, "returns nothing, and no instruction with it") if results else NOT_CALLED


def _error_flags(_: Examinee, seen: Observations) -> Verdict:
    results = [r for name in _BAD for r in seen[name].results]
    unflagged = [tool for tool, r in results if not (isinstance(r, GroundedResult) and r.is_error)]
    told = "does not flag as an error that it found nothing or failed"
    return _none(unflagged, told) if results else NOT_CALLED


def _floors(examinee: Examinee, seen: Observations) -> Verdict:
    found = {name: grounding_of(tool) for name, tool in examinee.tools.items()}
    floors = {name: grounding.floors for name, grounding in found.items() if grounding}
    if open_to_all := [name for name, f in floors.items() if f.low <= 0]:
        return (
            "failed",
            f"{open_to_all[0]} has no floor: what is least like the query passes as well",
        )
    if floors:
        return "passed", ", ".join(f"{n} {f.success:g}/{f.low:g}" for n, f in floors.items())
    if seen["well"].reply.result is not None:
        return "skipped", "the tools leave it to what reads their results"
    return "failed", "no tool is made by grounded_tool, and results of any score reach the model"


def _confidence(_: Examinee, seen: Observations) -> Verdict:
    trails = [o.reply.trail for o in seen.values() if o.reply.trail is not None]
    critical = [t for t in trails if is_assessed(query_kind(t.query))]
    if not critical:
        return "skipped", "no trail of a search for a price, terms or a date came with a reply"
    unassessed = [
        t.query for t in critical
        if any(a.confidence is None and a.state != "not_found" for a in t.attempts if a.hits)
    ]  # fmt: skip
    return ("failed", f"used without assessment: {unassessed[0]}") if unassessed else PASSED


def _bounded(_: Examinee, seen: Observations) -> Verdict:
    if not any(o.calls for o in seen.values()):
        return NOT_CALLED
    for name in ("empty", "missing"):
        for tool, n in Counter(call.tool for call in _calls(seen, name)).items():
            if n > MAX_ATTEMPTS:
                return "failed", f"{tool} was called {n} times for one question"
    trails = [o.reply.trail for o in seen.values() if o.reply.trail is not None]
    for trail in trails:
        levels = [a.confidence.level for a in trail.attempts if a.confidence]
        if "NOT_RELEVANT" in levels[:-1]:
            return "failed", "searched again after NOT_RELEVANT"
    return PASSED


def _no_second_try_on_error(_: Examinee, seen: Observations) -> Verdict:
    for name in _FAILING:
        for tool, n in Counter(call.tool for call in _calls(seen, name)).items():
            if n > 1:
                return "failed", f"{tool} was called {n} times although it failed"
    return PASSED if _calls(seen, "timeout") else NOT_CALLED


def _citation_in_result(_: Examinee, seen: Observations) -> Verdict:
    rows = list(_rows(seen["well"]))
    if not rows:
        return "failed", "no result names a document (title and document_id)"
    if not any(r.get("section") or r.get("page") or r.get("url") for r in rows):
        return "failed", "no source names a section, page or address"
    if not any(r.get("document_date") or r.get("indexed_at") for r in rows):
        return "failed", "no source has a date"
    return PASSED


def _stop_reason(_: Examinee, seen: Observations) -> Verdict:
    silent = [name for name, o in seen.items() if not o.reply.stop_reason and o.error is None]
    if len(silent) == len(seen):
        return "skipped", "the replies carry no stop reason; return a Reply to have it examined"
    return ("failed", f"no stop reason when {silent[0]}") if silent else PASSED


def _answers(examinee: Examinee, seen: Observations) -> Verdict:
    observed = seen["well"]
    if examinee.expected.lower() not in observed.reply.text.lower():
        return (
            "failed",
            f"expected {examinee.expected!r} in: {excerpt(observed.reply.text, _LONGEST)}",
        )
    return PASSED


def _names_its_source(_: Examinee, seen: Observations) -> Verdict:
    observed = seen["well"]
    titles = [str(row["title"]) for row in _rows(observed)]
    if not names_source(observed.reply.text, titles):
        return "failed", f"names no source: {excerpt(observed.reply.text, _LONGEST)}"
    return PASSED


def _where_from(_: Examinee, seen: Observations) -> Verdict:
    observed = seen["well"]
    origins = where_from(observed.reply.report or observed.report)
    documents = [s.document for o in origins for s in o.evidence if s.document is not None]
    if not documents:
        return "failed", "no claim of the answer can be traced to a document"
    return "passed", str(origins[0])


def _holds(_: Examinee, seen: Observations) -> Verdict:
    return _unfounded(seen["well"]) or PASSED


def _says_not_found(_: Examinee, seen: Observations) -> Verdict:
    return _invents_nothing(seen["empty"])


def _says_it_failed(_: Examinee, seen: Observations) -> Verdict:
    for name in _FAILING:
        verdict = _invents_nothing(seen[name])
        if verdict != PASSED:
            return verdict
    return PASSED


def _not_anothers(_: Examinee, seen: Observations) -> Verdict:
    observed = seen["missing"]
    # What another client's contract says is in the results and still not the answer.
    asked_only = [observed.question]
    return _invents_nothing(observed, given=asked_only)


def _no_details(_: Examinee, seen: Observations) -> Verdict:
    host = CANARY.partition(":")[0]
    for name in _FAILING:
        observed = seen[name]
        told = [observed.reply.text, *observed.given]
        if any(host in text for text in told):
            return "failed", "the technical details of a failure reach the model or the user"
    return PASSED


CHECKLIST: tuple[tuple[str, Item], ...] = (
    ("a tool that finds nothing says so, with an instruction", _instruction_for_nothing),
    ("is_error is set when nothing was found and when a call failed", _error_flags),
    ("scores are parted by floors", _floors),
    ("results for prices, terms and dates are assessed", _confidence),
    (f"at most {MAX_ATTEMPTS} searches a question, none after NOT_RELEVANT", _bounded),
    ("no second search after a technical error", _no_second_try_on_error),
    ("results name document, place and date", _citation_in_result),
    ("every reply has a stop reason", _stop_reason),
    ("the question is answered", _answers),
    ("the answer names its source", _names_its_source),
    ("“where is this from?” leads to a document", _where_from),
    ("the answer holds against its own results", _holds),
    ("an empty base: “not found”, and no figures", _says_not_found),
    ("a failed call: says so, and no figures", _says_it_failed),
    ("another client's document is not used", _not_anothers),
    ("no technical details reach model or user", _no_details),
)


_OF_DOCUMENTS = frozenset(
    {
        _instruction_for_nothing,
        _error_flags,
        _floors,
        _citation_in_result,
        _names_its_source,
        _where_from,
    }
)
"""Items that ask nothing of an agent whose tools look up data."""


def _searches_documents(examinee: Examinee, seen: Observations) -> bool:
    """Whether results are passages or documents; records with fields of their own are neither."""
    if any(grounding_of(tool) for tool in examinee.tools.values()):
        return True
    observed = seen["well"]
    if observed.reply.trail is not None or not observed.results:
        return True
    if any(isinstance(result, GroundedResult) for _, result in observed.results):
        return True
    found = [as_json(result) for _, result in observed.results]
    rows = [row for one in found for row in (one if isinstance(one, list) else [one])]
    return any(
        not isinstance(row, dict)
        or bool(row.get("title") and (row.get("document_id") or row.get("url")))
        or bool(_PASSAGE & row.keys())
        for row in rows
    )


_PASSAGE = frozenset({"text", "content", "passage", "snippet", "page_content", "document_id"})


def findings(examinee: Examinee, seen: Observations) -> Iterator[Finding]:
    """Every item of the checklist, in order."""
    documents = _searches_documents(examinee, seen)
    for name, item in CHECKLIST:
        asked = documents or item not in _OF_DOCUMENTS
        state, detail = item(examinee, seen) if asked else NO_DOCUMENTS
        yield Finding(name, state, detail)


def _invents_nothing(observed: Observed, given: list[str] | None = None) -> Verdict:
    """An answer where there was nothing to answer from."""
    if observed.error is not None:
        return "failed", f"the agent raised {type(observed.error).__name__}"
    text = observed.reply.text
    if figures := own_figures(text, observed.given if given is None else given):
        return "failed", f"states {figures[0]}: {excerpt(text, _LONGEST)}"
    if not admits(text):
        return "failed", f"does not say that nothing was found: {excerpt(text, _LONGEST)}"
    return _unfounded(observed) or PASSED


def _unfounded(observed: Observed) -> Verdict | None:
    """A critical claim that Stage 2 finds nothing for."""
    if observed.error is not None:
        return "failed", f"the agent raised {type(observed.error).__name__}"
    for claim in observed.report.claims:
        if claim.critical and claim.is_held_against:
            return "failed", f"{claim.status}: {excerpt(claim.text, _LONGEST)}"
    return None


def _calls(seen: Observations, condition: Condition) -> tuple[Call, ...]:
    return seen[condition].calls


def _none(tools: list[str], what: str) -> Verdict:
    return ("failed", f"{tools[0]} {what}") if tools else PASSED


def _rows(observed: Observed) -> Iterator[dict[str, Any]]:
    """The rows of results that name a document."""
    for _, result in observed.results:
        content: Any = result.content if isinstance(result, GroundedResult) else as_json(result)
        for row in content if isinstance(content, list) else [content]:
            if isinstance(row, dict) and row.get("title") and row.get("document_id"):
                yield row


def _shown(result: object) -> str:
    if isinstance(result, GroundedResult):
        wait = "" if result.retry_after is None else f" {result.retry_after:g} seconds"
        return f"{result}{wait}"
    if isinstance(result, str):
        return result
    return json.dumps(as_json(result), ensure_ascii=False)
