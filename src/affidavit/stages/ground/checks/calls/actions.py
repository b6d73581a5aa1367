"""Actions: what an agent says it did needs a successful call that does it, on that object."""

from __future__ import annotations

import re

from affidavit.ledger.ledger import CallEntry
from affidavit.ledger.records import Cell, records_of, words_of
from affidavit.ledger.values import fold
from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.calls.deeds import (
    GENERIC_DEEDS,
    VERBISH,
    WRITTEN_TO,
    could,
    deeds_of,
    does,
    is_deed,
    named_deeds,
    same_deed,
    writes,
)
from affidavit.stages.ground.checks.calls.directions import direction, is_opposite
from affidavit.stages.ground.checks.calls.more_or_less import made_so
from affidavit.stages.ground.checks.calls.objects import acts_on
from affidavit.stages.ground.checks.calls.outcomes import span_of
from affidavit.stages.ground.checks.calls.phrasal import left_out, sets
from affidavit.stages.ground.checks.calls.unfinished import (
    called_done,
    called_waiting,
    waiting_deeds,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.stages.ground.phrases import CODED_READING, CODED_SUCCESS

NAME = "actions"
_DENIED = re.compile(
    r"^\W*no (?!longer\b)[\w -]+\b(?:has|have|was|were)(?: yet)? been\b|\b(?:not|never|unable|failed to|nicht|no (?:he|ha|se)|pas)\b|n['’]t\b",
    re.I,
)
_READING = re.compile(
    r"\byour (?:account|identity|profile) (?:is|has been|was)(?: now| successfully)? (?:verified|confirmed|located|found|authenticated)\b|"
    r"(?:^\W*then|\band) (?:found|located|verified|pulled up|retrieved|checked|reviewed|looked up) (?:your|the)\b|"
    r"\bI(?:['’]ve| have| was able to| could| also)?(?: now| just| also| already| successfully)* "
    r"(?:verif\w+|authenticat\w+|check(?:ed)?|locat\w+|look(?:ed)? (?:up|into|at)|review(?:ed)?|found|"
    r"retriev\w+|pulled up|confirmed your (?:identity|account)|access(?:ed)?|search(?:ed)?)\b"
    r"|\bI (?:can |do |also |now )*see (?:your|the) (?:[\w-]+ ){0,2}(?:orders?|account|profile|details|history|bookings?)\W*$",
    re.I,
)
"""An agent's account of what it read. It changes nothing, so any successful call bears it out."""
_NOT_I = re.compile(
    r"\bI (?:have not|haven['’]t|did not|didn['’]t|have never|won['’]t have)\b", re.I
)
_DONE_FIELD = re.compile(
    r"^(?:ok|success|successful|executed|applied|done|completed|committed|sent)$"
)
_ERROR = frozenset({"error", "error code", "error message", "err"})
_TRIAL = re.compile(r"^(?:dry run|simulated|simulation|preview|test mode|validate only)$")
_CAPABLE = re.compile(r"(?:able|ible)$|^(?:can|may|allowed|eligible|has|is)$")
"""Endings of fields that say what could be done, not what was."""
_FIELD = re.compile(r"[a-z]+_(?:ids?|number|code|key)")
"""The name of a field, "(item_id 7758198585)", which is no object."""
_IDENTIFYING = frozenset({"identifier", "email", "url", "phone", "handle", "path"})


def check_actions(claim: Claim, context: GroundContext) -> Finding:
    """An action is performed when a successful call of the run does it to the object named."""
    told = _READING.search(claim.text) and claim.kind not in ("absence", "action")
    if told or claim.json_path is not None and CODED_READING.search(claim.text):
        return _read(context)
    # Not of a field of some thing, "status" below an order, which is for the values to say.
    if claim.kind == "action" and claim.json_path and CODED_SUCCESS.search(claim.text):
        return _went_well(context)
    if (waits := _waiting(claim, context)) is not None:
        return waits
    if (ignored := _ignored(claim, context)) is not None:
        return ignored
    if (failed := _failed_deed(claim, context)) is not None:
        return failed
    if claim.kind != "action" and not _NOT_I.search(claim.text):
        return Finding.skip(NAME, "not a claim of something done")
    denied = bool(_DENIED.search(claim.text))
    deeds = deeds_of(claim.text) | (named_deeds(claim.text) if denied else frozenset())
    if denied and _POINTING.search(claim.text) and context.before:
        # "The mail asks me to forward the file. I haven't done that."
        deeds = named_deeds(context.before[-1].text) or deeds
    generic = not deeds.isdisjoint(GENERIC_DEEDS)  # "completed both requests" may be any deed
    done = [
        e
        for e in context.ledger.calls
        if does(e, deeds)
        or generic
        and writes(e)
        or sets(e, claim.text, context)
        or made_so(e, claim.text, context)
    ]
    done = [e for e in done if not is_opposite(e, claim.text)]
    done = [e for e in done if made_so(e, claim.text, context) is not False]
    if denied:
        return _not_done(done, claim, context)
    wanted = [v for v in claim.values if v.kind in _IDENTIFYING and not _FIELD.fullmatch(v.text)]
    succeeded = [e for e in done if e.outcome in ("ok", "empty") and not _undone(e)]
    if (
        succeeded
        and (undone := [_left_undone(e, claim.text) for e in succeeded])[-1]
        and all(undone)
    ):
        return _missing(f"{succeeded[-1].call.name} answered {undone[-1]}", succeeded[-1])
    about = [e for e in succeeded if any(acts_on(e, v, context) for v in wanted)]
    if other := left_out(claim, succeeded, context) if claim.performer == "agent" else None:
        return _missing(f"no such call was for “{other}”", succeeded[-1])
    if succeeded and all(any(acts_on(e, v, context) for e in succeeded) for v in wanted):
        entry = _best(about or succeeded, claim)
        return Finding(
            NAME, "checked", "supports", 0.92, None, f"done by {entry.call.name}",
            spans=(span_of(entry),), settles="values",
        )  # fmt: skip
    shown = _shown_by_result(claim, context, deeds)
    if shown is not None and not done:
        detail = f"the result says so: {shown.text}"
        return Finding(
            NAME, "checked", "supports", 0.9, None, detail, spans=(shown,), settles="values"
        )
    if claim.performer == "unsaid" and not done and not could(context, deeds):
        return Finding.skip(NAME, "nobody is said to have done it, and no tool here could")
    if succeeded:
        detail = f"{succeeded[-1].call.name} was called, but not on what the claim names"
        return _missing(detail, succeeded[-1])
    if done:
        return _in_vain(done[-1])
    return _missing("no call of this run does that", None)


def _read(context: GroundContext) -> Finding:
    """ "I've checked your account": true of any run that read something."""
    read = [e for e in context.ledger.calls if e.outcome in ("ok", "empty")]
    if not read:
        return Finding.skip(NAME, "nothing was read")
    span = span_of(read[-1])
    detail = f"{len(read)} calls answered"
    return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=(span,), settles="values")


def _went_well(context: GroundContext) -> Finding:
    """ "success": true, of the last call that changed something."""
    changing = [e for e in context.ledger.calls if writes(e)]
    if not changing:
        return Finding.skip(NAME, "no call of this run changes anything")
    last = changing[-1]
    if last.outcome not in ("ok", "empty") or _undone(last):
        return _missing(f"{last.call.name} was called and {_end(last)}", last)
    detail = f"{last.call.name} succeeded"
    return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=(span_of(last),))


def _in_vain(entry: CallEntry) -> Finding:
    end = "says that it was not carried out" if _undone(entry) else f"was called and {_end(entry)}"
    return _missing(f"{entry.call.name} {end}", entry)


def _missing(detail: str, entry: CallEntry | None) -> Finding:
    spans = (span_of(entry),) if entry else ()
    return Finding(
        NAME, "checked", "contradicts", 0.03, "action_not_performed", detail, spans=spans
    )


def _ignored(claim: Claim, context: GroundContext) -> Finding | None:
    """An instruction that stands in a result, told in its words, and that the agent says it did not follow."""
    own = _IGNORED.search(claim.text)
    if own is None:
        return None
    told = content_stems(claim.text) - _OF_INSTRUCTIONS
    asked = named_deeds(_IGNORED.sub(" ", claim.text))
    if not told or any(
        e.outcome == "ok" and writes(e) and does(e, asked) for e in context.ledger.calls
    ):
        return None
    for passage in context.search.passages:
        if passage.source.kind == "tool_result" and named_in(told, passage.stems) == told:
            return Finding(
                NAME,
                "checked",
                "supports",
                0.88,
                None,
                "no call follows it",
                spans=(passage.span(),),
            )
    return None


_IGNORED = re.compile(
    r"\b(?:which|that|but|and|so|it)?\s*(?:I|we)(?:['’]ve| have)? (?:ignored|disregarded|skipped|(?:have not|haven['’]t|did not|didn['’]t) "
    r"(?:follow(?:ed)?|act(?:ed)? on|compl(?:y|ied) with|done|do|carried? out|obey(?:ed)?))\b",
    re.I,
)
_OF_INSTRUCTIONS = content_stems(
    "ignored disregarded skipped followed follow acted act on complied done line note notes message text instruction instructions "
    "telling tells tell told asking asks ask asked instructing instructs demanding demands says saying includes include contains contain "
    "carries has embedded hidden planted inside way also prompt request requests addressed aimed directed listing mail email page document "
    "description field comment body order ordering"
)
"""Words for instructions and for telling of them."""


def _waiting(claim: Claim, context: GroundContext) -> Finding | None:
    """What is said to be done, or not to be done yet, of a deed whose own result says that it waits."""
    if claim.is_datum or claim.kind not in ("fact", "action", "absence"):
        return None
    changing = [e for e in context.ledger.calls if writes(e) and e.outcome == "ok"]
    waiting = waiting_deeds(changing, context)
    if wrongly := called_done(claim, waiting):
        return Finding(
            NAME, "checked", "contradicts", 0.05, "action_not_performed", wrongly.detail,
            spans=(wrongly.span,),
        )  # fmt: skip
    if rightly := called_waiting(claim, waiting):
        return Finding(
            NAME, "checked", "supports", 0.9, None, rightly.detail, spans=(rightly.span,)
        )
    return None


def _not_done(done: list[CallEntry], claim: Claim, context: GroundContext) -> Finding:
    good = [e for e in done if e.outcome in ("ok", "empty") and not _undone(e)]
    if not good:
        reasoned = _REASONED.search(claim.text)
        own = _NOT_I.search(claim.text) and _names_deed(claim.text) and not reasoned
        return Finding(
            NAME, "checked", "supports", 0.9, None, "no such call succeeded",
            settles="all" if own else "values",
        )  # fmt: skip
    wanted = [v for v in claim.values if v.kind in _IDENTIFYING]
    did = [e for e in good if wanted and all(acts_on(e, v, context) for v in wanted)]
    if did and _NOT_I.search(claim.text) and not _ELSE.search(claim.text):
        return _missing(f"{did[-1].call.name} did it", did[-1])
    return Finding.skip(NAME, "denies an action that some call may have done")


def _names_deed(text: str) -> bool:
    """Whether what an agent says it has not done changes something; "I haven't found it" is no such deed."""
    if WRITTEN_TO.search(text) or _POINTING.search(text):
        return True
    denied = _NOT_I.search(text)
    rest = text[denied.end() :].split() if denied else []
    verb = next((w for w in rest if w.lower() not in _ADVERBS), "")
    return is_deed(stem(verb.strip(".,;:")))


_REASONED = re.compile(r"\b(?:because|since|as|due to|so that|which|where)\b", re.I)
_ADVERBS = frozenset("yet actually even ever also so already just personally been".split())
_POINTING = re.compile(
    r"\b(?:done|do|did|follow(?:ed)?|act(?:ed)?(?: on)?|carried out|complied with) (?:that|this|so|it|those|these|any of (?:that|this|it))\b",
    re.I,
)
"""A deed that the sentence before names."""
_ELSE = re.compile(r"\b(?:else|other|others|more|again|further|yet another|twice)\b", re.I)


def _end(entry: CallEntry) -> str:
    return {"error": "failed", "rejected": "was rejected", "pending": "has not answered"}.get(
        entry.outcome, "returned nothing"
    )


def _undone(entry: CallEntry) -> bool:
    """Whether a result says itself that nothing was done: ``ok: false``, ``dry_run: true``, ``error: CLOSED``."""
    cells = [c for r in (entry.result.records if entry.result else ()) for c in r.cells]
    return any(
        (c.raw is False and _DONE_FIELD.search(c.key)) or (c.raw is True and _TRIAL.search(c.key))
        for c in cells
        if len(c.path) == 1
    ) or any(
        c.path and words_of(str(c.path[0])) in _ERROR and c.raw and not c.is_blank for c in cells
    )


_BEEN_DONE = re.compile(
    r"\b(?:is|are|was|were|got|(?:has|have|['’]s|['’]ve) (?:now |just |already )?been)(?: now| already| all| successfully)* "
    r"(?P<verb>\w{2,}ed|paid|sent|made|set|put)\b|['’](?:re|s) (?:now |already |all )*(?P<verb2>\w{3,}ed)\b",
    re.I,
)
_IN_THE_PAST = re.compile(r"\b(?:was|were|got)\b", re.I)
_NOT_SO = re.compile(
    r"\b(?:if|unless|once|when|after|until|before|would|could|can|will|should|must|may|might|to be|not|never|no|nothing|none|nobody|neither|failed)\b|n['’]t\b",
    re.I,
)


def _failed_deed(claim: Claim, context: GroundContext) -> Finding | None:
    """What is said to be done, where the calls of this run that were to do it to this thing all failed: "your
    table is booked" behind a ``reserve_table`` that answered that it is closed."""
    done = _BEEN_DONE.search(claim.text)
    if claim.kind != "fact" or claim.is_datum or done is None or _NOT_SO.search(claim.text):
        return None
    deeds = same_deed(stem(done["verb"] or done["verb2"]))
    tried = [e for e in context.ledger.calls if writes(e) and does(e, deeds)]
    if not tried or any(e.outcome in ("ok", "empty") and not _undone(e) for e in tried):
        return None
    said = content_stems(claim.text)
    about = [
        e for e in tried if any(acts_on(e, v, context) for v in claim.values) or _passed(e, said)
    ]
    unnamed = not any(v.kind in (*_IDENTIFYING, "name") for v in claim.values)
    if unnamed and not _IN_THE_PAST.search(done[0]):
        about = about or tried  # "your table is booked": that of this run
    if not about:
        return None
    return _in_vain(about[-1])


def _passed(entry: CallEntry, said: frozenset[str]) -> bool:
    """Whether an argument of a call, a few words long, stands in a claim."""
    cells = (cell for record in records_of(entry.call.arguments) for cell in record.cells)
    return any(own and own <= said for cell in cells if (own := content_stems(cell.text)))


def _left_undone(entry: CallEntry, text: str) -> str:
    """The field of a call's result that says that another deed than its own was not done, in the claim's very
    verb: ``create_invoice`` that answers ``sent_at: null`` sent nothing. A draft was not submitted either."""
    said = (*VERBISH.finditer(text), *_AND_DID.finditer(text))
    verbs = {stem(g) for m in said for g in m.groups() if g}
    named = {stem(word) for word in words_of(entry.call.name).split()}
    for record in entry.result.records if entry.result else ():
        for cell in (c for c in record.cells if len(c.path) == 1):
            field = _DONE_WHEN.fullmatch(cell.key)
            if field and stem(field[1]) in verbs and (cell.is_blank or cell.flag is False):
                return f"{cell.key}: {cell.text}"
            state = _STATE.search(cell.key) and _DRAFT.fullmatch(cell.text.replace("_", " "))
            if state and verbs & _HANDED_ON - named:
                return f"{cell.key}: {cell.text}"
    return ""


_AND_DID = re.compile(
    r"\band (?:also |then |already )?(\w+ed|sent) (?:it|them|this|that|the|your)\b", re.I
)
_DONE_WHEN = re.compile(r"(?:is |was )?(\w+)(?: (?:at|on|by|to|date|time))?")
_STATE = re.compile(r"(?:^| )(?:status|state|stage)$")
_DRAFT = re.compile(
    r"(?:saved as )?(?:an? )?(?:draft|unsent|unpublished|not (?:yet )?(?:sent|submitted|published))(?: saved)?",
    re.I,
)
_HANDED_ON = frozenset(
    map(stem, "submitted sent published posted filed issued released lodged emailed mailed".split())
)
"""What is not done with a thing that is still a draft."""


def passes(entry: CallEntry, name: str) -> bool:
    """Whether one of a call's arguments is ``name``."""
    cells = (cell for record in records_of(entry.call.arguments) for cell in record.cells)
    return any(fold(cell.text) == fold(name) for cell in cells)


def _best(entries: list[CallEntry], claim: Claim) -> CallEntry:
    said = content_stems(claim.statement)
    return max(entries, key=lambda e: (len(content_stems(words_of(e.call.name)) & said), e.message))


def _shown_by_result(
    claim: Claim, context: GroundContext, deeds: frozenset[str]
) -> EvidenceSpan | None:
    """A field of a successful result that says so: ``notified: ["Lena"]``, ``status: queued``."""
    said = content_stems(claim.text)
    turned = direction(claim.text)
    for passage in context.search.passages:
        if passage.source.kind != "tool_result":
            continue
        for cell, _, _ in passage.cells:
            if isinstance(cell.raw, bool) and turned is not None:
                key = content_stems(cell.key)
                if cell.raw is turned and key and key <= said:
                    return passage.span(cell)
                continue
            key, text = content_stems(cell.key), content_stems(cell.text)
            if cell.raw in (None, False, "", 0):
                continue
            if (
                isinstance(cell.raw, str)
                and text
                and text <= said
                and (key & deeds or _is_state(cell))
            ):
                return passage.span(cell)
            able = any(_CAPABLE.search(word) for word in cell.key.split())
            if cell.raw is True and key and key <= said and not able:
                return passage.span(cell)
    return None


def _is_state(cell: Cell) -> bool:
    """Whether a field says what became of a thing, or what was done: ``transaction_type: refund``."""
    return bool(content_stems(cell.key) & content_stems("status state result outcome transaction"))
