"""States: what a status field says became of a thing, held against what the claim says became of it.

``decision: DECLINED`` contradicts "was approved", though the date and the number are right and a small
model sees only that the words go together.
"""

from __future__ import annotations

import re

from affidavit.ledger.values import fold
from affidavit.ledger.words import content_stems, is_negated
from affidavit.stages.ground.checks.calls.deeds import anything_done
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.states.claimed import (
    PREDICATE,
    is_denied,
    predicates_in,
    subject_of,
    told_of_state,
)
from affidavit.stages.ground.checks.states.held import (
    PARTWAY,
    compare_states,
    has_state,
    listed_states,
)
from affidavit.stages.ground.checks.states.states_of_each import states_of_each
from affidavit.stages.ground.checks.states.status_fields import (
    TOLD_OF_ALL,
    is_called,
    is_of_row_called,
    is_of_subject,
    own_fields,
    status_fields,
)
from affidavit.stages.ground.checks.states.vocabulary import STATUS_FIELD, states_in
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "states"
_NOT_NOW = re.compile(
    r"\b(?:will|would|can|cannot|could|(?-i:may)|might|must|once|after(?! (?:that|this|which|all)\b)|if|until|unless|should|allowed|only for)\b",
    re.I,
)
_OF_A_CHANGE = re.compile(
    r"\b(?:changes?|updates?|modifications?|edits?|adjustments?|corrections?) (?:to|on|in|for|of) (?:the |your |this |that )?\S+",
    re.I,
)
"""What was done to a thing may be complete while the thing is pending: "your changes to the order are complete"."""
_SO_MANY = re.compile(
    r"\W*(?:(?:and|but|so|only|just|about|another) )*(?:\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|several|some|most|many|half|"
    r"(?:a )?few|a couple) (?:of (?:the|these|those|its|your|their) )?(?=[a-z])",
    re.I,
)
""" "Three unit tests were skipped" of a stage that passed."""
_ALL_BUT = re.compile(
    r"\b(?:all|every\w*|everything) but\b|\b(?:except|apart from|other than|aside from|excluding|with the exception of)\b",
    re.I,
)
_THERE_WAS = re.compile(
    r"\bthere (?:was|were|is|are|has been|have been) (?:an?|one|two|some|several|\d+)\b", re.I
)
""" "There was a warning" is of an event in something that may be well."""


def check_states(claim: Claim, context: GroundContext) -> Finding:
    """Compare the state a claim gives a thing with the status fields of that thing."""
    if claim.kind in ("restatement", "absence") or claim.json_path or claim.cell:
        return Finding.skip(NAME, "no statement about a state")
    if claim.kind == "action" and (claim.performer == "agent" or anything_done(context)):
        return Finding.skip(NAME, "no statement about a state")
    if _NOT_NOW.search(claim.text):
        return Finding.skip(NAME, "speaks of what may come, not of what is")
    if (of := _OF_A_CHANGE.search(claim.text)) and PREDICATE.search(claim.text, of.end()):
        return Finding.skip(NAME, "speaks of a change to it, not of its state")
    if _SO_MANY.match(claim.text):
        return Finding.skip(NAME, "counts those that are so, which says nothing of the whole")
    if _ALL_BUT.search(claim.text):
        return Finding.skip(NAME, "speaks of all but what it names")
    if _THERE_WAS.search(claim.text):
        return Finding.skip(NAME, "speaks of an event, not of a state")
    told = _DONE_SO_FAR.sub(" ", PARTWAY.sub("in progress", told_of_state(claim)))
    predicates = predicates_in(told)
    claimed = states_in(predicates)
    if not claimed:
        return _called_so(predicates, claim, context)
    each = states_of_each(claim, told, claimed, context)
    if each is not None:
        return each
    subject = subject_of(claim, told)
    fields = list(status_fields(claim, subject, context))
    if not fields and not (fields := own_fields(subject, context)):
        return Finding.skip(NAME, "no status field bears on it")
    chains = [(f, context.rows.chain(f.passage)) for f in fields]
    own = [f for f, chain in chains if context.named.names(chain)]
    # Of a thing and its parts, the thing: the release, and not its gates.
    own = [f for f, chain in chains if context.named.names(chain[:1])] or own
    # "Deploy failed" names by its state the stage that failed as well.
    own = [f for f in own if is_called(f, subject)] or (
        own and ([f for f in fields if is_called(f, subject)] or own)
    )
    most = max(len(f.said) for f in own or fields)
    best = [f for f in own or fields if len(f.said) == most]
    if not any(is_of_subject(field, subject) for field in best) and (
        of_it := own_fields(subject, context)
    ):
        best = [f for f in of_it if has_state(f.cell) or listed_states(f.cell)]
        if not best:
            return Finding.skip(NAME, "a field of its own tells of what is spoken of")
    best = [f for f in best if is_of_row_called(f.passage, claim)] or best
    # Of a host's ``state`` and the status of its disk, the one that is of the whole.
    best = [f for f in best if content_stems(f.cell.key) <= TOLD_OF_ALL] or best
    verdicts = {compare_states(claimed, field.cell) for field in best}
    if len(verdicts) != 1:
        return Finding.skip(NAME, "status fields that bear on it disagree")
    same = verdicts.pop()
    if same is None:
        return Finding.skip(NAME, "the states do not exclude each other")
    span = best[0].passage.span(best[0].cell)
    in_part = _WHOLLY.search(claim.text) and _PARTLY.search(best[0].cell.text)
    if _OF_ALL.search(claim.text) and same != is_denied(told) and not listed_states(best[0].cell):
        return Finding.skip(NAME, "one of them is so, which says nothing of all")
    if same != is_denied(told) and not in_part:
        return Finding(
            NAME, "checked", "supports", 0.9, None, span.text, spans=(span,), settles="values"
        )
    detail = f"the evidence has {span.text}"
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(span,)
    )


_OF_ALL = re.compile(r"\b(?:all|both|every|each|everything)\b", re.I)
_WHOLLY = re.compile(r"\b(?:fully|completely|entirely|wholly|in full|totally)\b", re.I)
_PARTLY = re.compile(r"partial|(?<![a-z])part(?:ly)?(?![a-z])|incomplete", re.I)
"""A state of some of it: "fully shipped" is not PARTIALLY_SHIPPED."""


def _called_so(predicates: str, claim: Claim, context: GroundContext) -> Finding:
    """A state that is in no table, told in the field's own word: "your order is processed"."""
    said = f" {fold(predicates)} "
    for passage in context.fitting if predicates and not is_negated(predicates) else ():
        if is_result(passage) and context.topic.touches(context.rows.chain(passage)):
            for cell, _, _ in passage.cells:
                own = isinstance(cell.raw, str) and STATUS_FIELD.search(cell.key)
                if own and cell.text.isalpha() and f" {fold(cell.text)} " in said:
                    span = passage.span(cell)
                    return Finding(
                        NAME, "checked", "supports", 0.9, None, span.text, spans=(span,),
                        settles="values",
                    )  # fmt: skip
    return Finding.skip(NAME, "gives nothing a state")


_DONE_SO_FAR = re.compile(
    r"\b(?:has|have|had) (?:\w+ )?(?:done|finished|completed)(?= (?:\w+ )?\d)", re.I
)
"""How much of it is done: "the job has done 6,400 documents" does not say that it is done."""
