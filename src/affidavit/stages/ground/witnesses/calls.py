"""What was done: does a call of this run bear out a deed that the claim tells of?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from affidavit.ledger.ledger import CallEntry
from affidavit.ledger.records import words_of
from affidavit.ledger.walk import records_of
from affidavit.ledger.words import content_stems
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.case import Case
from affidavit.stages.ground.signal import Signal
from affidavit.trace import ToolDefinition

_READS = frozenset(
    "get list search find read fetch look lookup check query show view describe count retrieve browse scan inspect "
    "calculate compute compare estimate status open load explain grep cat ls head".split()
)
"""Words with which the names of tools that only look begin: ``list_orders``, ``crm_list_orders``."""
_THINGS = frozenset("status list view query open check count load".split())
"""Those that name a thing where a name ends with them: ``set_status``, ``update_list``."""
_TRIAL = frozenset({"dry run", "simulated", "preview", "draft"})
_DONE = frozenset(
    {"ok", "success", "successful", "executed", "applied", "done", "completed", "sent"}
)


def calls(case: Case) -> Iterator[Signal]:
    """For a deed of the agent's: the call that did it, the one that failed at it, or that there was none."""
    claim = case.claim
    if claim.kind != "action" or claim.performer == "":
        return
    ledger = case.evidence.ledger
    changing = [entry for entry in ledger.calls if changes(entry, ledger.tools or ())]
    ranked = sorted(changing, key=lambda e: _shared(e, case), reverse=True)
    slot = claim.performer
    if not changing:
        yield Signal("calls", "absent", 1.0, slot, "no call of this run does that")
        return
    best = ranked[0]
    strength = _shared(best, case)
    if best.outcome == "ok" and not _is_undone(best):
        told = f"{best.call.name} was called and came back"
        yield Signal("calls", "same", strength, slot, told, spans=(_span(best),))
    else:
        told = f"{best.call.name} {_end(best)}"
        yield Signal("calls", "opposed", max(0.3, strength), slot, told, spans=(_span(best),))


def changes(entry: CallEntry, tools: Sequence[ToolDefinition] = ()) -> bool:
    """Whether a call does something, by what its tool is declared to do, or else by its name; what only looks cannot."""
    if any(tool.name == entry.call.name and tool.reads for tool in tools):
        return False
    begins = words_of(entry.call.name).split()[:3]
    if len(begins) == 2 and begins[1] in _THINGS:
        del begins[1]
    return not _READS.intersection(begins[:2])


def _shared(entry: CallEntry, case: Case) -> float:
    """The share of the claim's words that the call, its arguments or its result say."""
    cells = [cell for record in records_of(entry.call.arguments) for cell in record.cells]
    text = " ".join([words_of(entry.call.name), *(f"{c.key} {c.text}" for c in cells)])
    said = content_stems(f"{text} {entry.result.words[:2000] if entry.result is not None else ''}")
    return case.share_in(said)


def _is_undone(entry: CallEntry) -> bool:
    """Whether a result says itself that nothing was carried out: ``success: false``, ``dry_run: true``, an ``error`` of its
    own. What one row of a list says of itself is not said of the call."""
    for record in entry.result.records if entry.result is not None else ():
        if record.group:
            continue
        for cell in record.cells:
            if cell.raw is True and cell.key in _TRIAL and len(cell.path) == 1:
                return True
            if cell.raw is False and cell.key in _DONE and len(cell.path) == 1:
                return True
            if cell.key in ("error", "error message") and cell.raw and not cell.is_blank:
                return True
    return False


def _end(entry: CallEntry) -> str:
    return {
        "error": "failed",
        "rejected": "was rejected",
        "pending": "has not answered",
        "empty": "returned nothing",
    }.get(entry.outcome, "says that it was not carried out")


def _span(entry: CallEntry) -> EvidenceSpan:
    text = entry.result.words[:200] if entry.result is not None else entry.call.name
    return EvidenceSpan(
        source="tool_result",
        text=text,
        tool=entry.call.name,
        call_id=entry.call.id,
        message=entry.message if entry.result is None else entry.result.message,
    )
