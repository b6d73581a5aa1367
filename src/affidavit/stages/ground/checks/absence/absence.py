"""Absence: "none were found" holds only when the search behind it was empty."""

from __future__ import annotations

import re

from affidavit.ledger.ledger import CallEntry, Passage
from affidavit.ledger.records import Cell, words_of
from affidavit.ledger.values import parse_values
from affidavit.ledger.words import content_stems, is_negated, named_in, stem, worded_in, words
from affidavit.stages.ground.checks.absence.empty_search import nearest_searches, nothing_found
from affidavit.stages.ground.checks.absence.free_days import free_day
from affidavit.stages.ground.checks.absence.free_hours import free_hours, window_of
from affidavit.stages.ground.checks.absence.missing_fields import shown_missing, speaks_of_data
from affidavit.stages.ground.checks.absence.open_questions import left_open
from affidavit.stages.ground.checks.calls.outcomes import (
    came_back_empty,
    span_of,
    speaks_of_failure,
)
from affidavit.stages.ground.checks.derived.derivation import Table, tables
from affidavit.stages.ground.checks.lists.none_contains import check_none_contains
from affidavit.stages.ground.checks.lists.universals import check_universals
from affidavit.stages.ground.checks.sources.asked import is_only_asked
from affidavit.stages.ground.checks.sources.asked_about import says_other_was_found
from affidavit.stages.ground.checks.sources.echoes import is_told
from affidavit.stages.ground.checks.sources.other_codes import says_not_among
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.stages.ground.phrases import NOT_ALL

NAME = "absence"

_GENERIC = frozenset(
    stem(word)
    for word in "find found result results return returned search searched available list listed show shown "
    "exist contain include includes match matches matching any record records see currently document "
    "documents entry entries item items data information yet afraid sorry unfortunately regret kein gefunden ninguno encontrado".split()
)
_OF_TELLING = content_stems(
    "page site website source text article letter notice listing description say state mention tell specify give note indicate how "
    "much many long often far when what which where whether anything"
)
"""Words for what is silent and for its silence, which no evidence need say."""
_OF_DATA = content_stems("number name id detail information info date time code value")
"""What data are called: that no field says "number" does not show that no gate is given."""
_SEARCHED = re.compile(
    r"\b(?:no|not|nothing|none|never|could ?n[o']t|could not|did ?n[o']t|n't|kein\w*|ningún|aucun\w*)\b.{0,60}"
    r"\b(?:found|find|exist\w*|match\w*|locate|see|on file|record|under|with|return\w*|gefunden)\b|"
    r"\b(?:found|see|have) no\b",
    re.I,
)
_AVAILABLE = re.compile(r"\b(?:un)?available\b|\b(?:in|out of) stock\b|\bsold out\b", re.I)
"""What a listed thing may not be, though it is listed."""
_COMPOUND = re.compile(r"\b(\w+)-(?=\w)")
_POINTING = re.compile(
    r"\b(?:these|those|this|that|such|the same|exact)\b (?:\w+ ){0,2}(?:specification|spec|combination|option|"
    r"criteri|requirement|feature|configuration|setting|condition)\w*",
    re.I,
)
"""Conditions said elsewhere, which no field can be held against: "with these exact specifications"."""
_FOUND = re.compile(
    r"\b(?:found|return\w*|there (?:is|are|was|were)|list\w*|show\w*|ha(?:s|ve|d)|match\w*|gefunden)\b",
    re.I,
)
_PLACE = re.compile(r"(?<=[a-z]) (?:in|on|from|among|within) (?:the|your|our|my|this|that)\b", re.I)
"""Where nothing is, said behind what is not: no width "in the catalog variants"."""
_UNTOLD = re.compile(
    r"(?:\b(?:not|no|never|nothing|none|nowhere|neither|nor)|n['’]t)\b(?:\s+[\w-]+){0,3}?\s+"
    r"(?:list|say|mention|specify|state|include|give|show|contain|have|find|provide|expose|display|see(?:ing)?)\b"
    r"|\bno (?:specific|mention)\b"
    r"|^[\w/ -]{2,30}: (?:not (?:available|provided|listed|given)|n/a|unknown|none yet)\b",
    re.I,
)
"""That a source is silent, not that something is not so: "does not list any", but not "can not go back if
you have one"."""


_ASKED_FOR = re.compile(r"\byou (?:asked|requested|wanted|mentioned|named|meant)\b", re.I)
"""What the question names: "these hours are not for the ward you asked about"."""


def _logged(claim: Claim, context: GroundContext) -> Passage | None:
    """The line of a log with the level that there is said to be none of: "no errors were logged"."""
    none = _NO_LEVEL.search(claim.text)
    if none is None:
        return None
    level = _LEVEL_ERROR if none["level"].lower().startswith("err") else _LEVEL_WARNING
    return next(
        (p for p in context.fitting if p.source.kind == "tool_result" and level.search(p.text)),
        None,
    )


_NO_LEVEL = re.compile(
    r"\b(?:no|without(?: any)?|zero|not any|(?:n['’]t|not) (?:\w+ )?(?:any|a single)) (?P<level>errors?|warnings?)\b(?=[^,;]*(?:log|report|show|occur|record|$|[.!]))",
    re.I,
)
_LEVEL_ERROR = re.compile(r"(?:^|[\s\[|<(])(?:ERROR|FATAL|CRITICAL|SEVERE)(?=[\s\]:|>)])")
_LEVEL_WARNING = re.compile(r"(?:^|[\s\[|<(])WARN(?:ING)?(?=[\s\]:|>)])")


def check_absence(claim: Claim, context: GroundContext) -> Finding:
    """Hold "there is no X" against the searches for X, the lists of X and the fields called X."""
    if claim.is_datum:
        return Finding.skip(NAME, "a datum: its field says whether it is blank")
    if check_universals(claim, context).verdict is not None or NOT_ALL.search(claim.text):
        return Finding.skip(NAME, "says that none is so, of things that there are")
    if check_none_contains(claim, context).verdict is not None:
        return Finding.skip(NAME, "says that none contains so many")
    free = free_hours(claim, context) or free_day(claim, context)
    if free is not None:
        return free
    searched = nothing_found(claim, context) if claim.kind in ("fact", "absence") else None
    if searched is not None:
        return searched
    other = says_other_was_found(claim, context) or says_not_among(claim, context)
    if other is not None:
        return Finding(NAME, "checked", "supports", 0.9, None, other)
    logged = _logged(claim, context)
    if logged is not None:
        detail = f"there is {logged.text[:120]}"
        return Finding(
            NAME, "checked", "contradicts", 0.04, "false_absence", detail, spans=(logged.span(),)
        )
    tells_not = (
        _UNTOLD.search(claim.text) or speaks_of_data(claim.text) or _ASKED_FOR.search(claim.text)
    )
    silent = is_negated(claim.text) and tells_not and claim.kind == "fact"
    if claim.kind != "absence" and not silent:
        return _check_presence(claim, context)
    if (question := left_open(claim, context)) is not None:
        is_open, why, spans = question
        if is_open:
            return Finding(NAME, "checked", "supports", 0.88, None, why)
        return Finding(
            NAME, "checked", "contradicts", 0.05, "false_absence", f"there is {why}", spans=spans
        )
    said = content_stems(claim.statement)
    absent = said - _GENERIC
    denied = content_stems(_PLACE.split(claim.statement)[0]) - _GENERIC
    thing = denied & absent or _bare_noun(claim.text)
    code = _said_by_code(claim, context)
    if code is not None:
        span = code[0].span(code[1])
        return Finding(
            NAME, "checked", "supports", 0.93, None, span.text, spans=(span,), settles="values"
        )
    listed = None if _AVAILABLE.search(claim.text) else _present(thing, claim, context)
    listed = None if _POINTING.search(claim.text) else listed
    present = listed or _was_found(said, claim, context)
    if present is not None:
        passage, cell, what = present
        span = passage.span(cell)
        return Finding(
            NAME, "checked", "contradicts", 0.04, "false_absence", f"there is {what}", spans=(span,)
        )
    blank = _blank_field(absent, claim, context)
    if blank is not None:
        span = blank[0].span(blank[1])
        if not is_negated(claim.text) and (own := _LACKED.search(blank[1].key)):
            if re.search(rf"\b{own[0]}\b", claim.text, re.I):
                return Finding(
                    NAME, "checked", "contradicts", 0.05, "contradicts_evidence",
                    f"the evidence has {span.text}", spans=(span,),
                )  # fmt: skip
        return Finding(
            NAME, "checked", "supports", 0.93, None, span.text, spans=(span,), settles="values"
        )
    nearest = nearest_searches(claim, context)
    empty = [
        e for e in context.ledger.calls if came_back_empty(e) and (not nearest or e in nearest)
    ]
    mentioned = {h.passage.source.id for v in claim.values for h in context.search.hits(v)}
    about = [
        e
        for e in empty
        if named_in(_subject(e), said) or (e.result is not None and e.result.id in mentioned)
    ]
    if about or (len(empty) == 1 and not absent):
        entry = (about or empty)[-1]
        detail = f"{entry.call.name} returned nothing"
        return Finding(NAME, "checked", "supports", 0.95, None, detail, spans=(span_of(entry),))
    failed = [
        e for e in context.ledger.calls if e.outcome == "error" and named_in(_subject(e), said)
    ]
    if failed and not speaks_of_failure(claim):
        detail = f"{failed[-1].call.name} failed, which does not show that there is none"
        return Finding(
            NAME, "checked", "missing", 0.2, "false_absence", detail, spans=(span_of(failed[-1]),)
        )
    told = _KEY.sub("", claim.text)
    if _NO_PROMISE.match(told):
        detail = "promises nothing"
        return Finding(NAME, "checked", "supports", 0.88, None, detail, settles="values")
    firm = _NOTHING_FIRM.match(told)
    if firm and not context.search.has_word(stem(firm["firm"])):
        detail = f"nothing in the run is {firm['firm'].lower()}"
        return Finding(NAME, "checked", "supports", 0.88, None, detail, settles="values")
    if _OWN_LIMIT.match(told):
        # Nothing could prove what an agent does not know; that the run does not say otherwise is all.
        detail = "what the agent does not know or cannot do; nothing that was found says otherwise"
        return Finding(NAME, "checked", "supports", 0.86, None, detail, settles="nothing")
    asked = parse_values(context.question) if _ASKED_FOR.search(claim.text) else []
    named = (*claim.values, *asked)
    listed_not = ("quantity",) if _UNTOLD.search(claim.text) else ()
    untold = [v for v in named if v.kind in ("name", "identifier", "quoted", "moment", *listed_not)]
    if window_of(claim) is not None:
        untold = []  # that neither end of some hours is told shows nothing of what is between
    if untold and is_negated(claim.text) and not any(is_told(v, context) for v in untold):
        detail = f"no result speaks of {', '.join(v.text for v in untold)}"
        return Finding(NAME, "checked", "supports", 0.9, None, detail, settles="values")
    unseen = frozenset(s for s in (denied & absent) - _OF_TELLING if not context.search.has_word(s))
    unseen = unseen if unseen - _OF_DATA else frozenset()
    if unseen and _UNTOLD.search(claim.text) and is_negated(claim.text):
        return Finding(
            NAME, "checked", "supports", 0.88, None,
            f"the evidence nowhere speaks of {', '.join(sorted(unseen))}", settles="values",
        )  # fmt: skip
    sought = _SOUGHT.search(claim.text)
    if sought and is_only_asked(sought["what"], context):
        detail = f"what was found does not speak of {sought['what'].strip()}"
        return Finding(NAME, "checked", "supports", 0.88, None, detail, settles="values")
    missing = shown_missing(claim, told, context)
    if missing is not None:
        return Finding(NAME, "checked", "supports", 0.88, None, missing, settles="all")
    return Finding.skip(NAME, "nothing shows or denies it")


_LACKED = re.compile(r"\b(?:missing|lacking|outstanding|absent|overdue|unpaid|unresolved)\b")
"""In the name of a field that is blank where nothing is: "one document is missing" of ``documents_missing: []``."""
_SOUGHT = re.compile(
    r"(?:\b(?:find|found|see|saw|located|returned|was|is) nothing(?: \w+)? (?:on|about|for|regarding|concerning)\s+"
    r"|(?:\bnot|n['’]t|\bunable to|\bno)(?: \w+)? (?:find|found|locate|see|identify)\s+(?:(?:a|an|any|the|your|anything (?:on|about|for))\s+)?)"
    r"(?P<what>[^,;.:]{3,80})",
    re.I,
)
"""What was looked for and not found, in the words of the one who looked."""
_KEY = re.compile(r'^[{\s]*(?:"[\w .-]{1,60}"\s*:\s*[{\s]*)+"?')
"""The keys that a sentence in JSON stands under."""


def _said_by_code(claim: Claim, context: GroundContext) -> tuple[Passage, Cell] | None:
    """The field that says in a code of its own that there is none: ``result: NO_SIGNAL`` for "shows no
    signal"; what is absent is what the "no" stands before, not all that the claim speaks of."""
    for passage in context.fitting if _NO_WHAT.search(claim.text) else ():
        if passage.source.kind != "tool_result" or passage.source.outcome != "ok":
            continue
        for cell, _, _ in passage.cells:
            code = _NO_CODE.fullmatch(cell.text) if isinstance(cell.raw, str) else None
            for told in _NO_WHAT.finditer(claim.text) if code else ():
                absent = content_stems(told["what"])
                if absent and code and content_stems(code["what"].replace("_", " ")) <= absent:
                    return passage, cell
    return None


_NO_WHAT = re.compile(
    r"\b(?:no|without|lack(?:s|ing)?|not (?:have|show|get) (?:any|a))\s+(?P<what>[\w-]+(?: [\w-]+){0,2})",
    re.I,
)
_NO_CODE = re.compile(
    r"\W*(?:no|without|lack of|missing)[_ -](?P<what>[a-z]+(?:[_ -][a-z]+){0,2})\W*", re.I
)


def _bare_noun(text: str) -> frozenset[str]:
    """What is said to be absent in the most general of words: "any items", but not "any matching
    items", which says that others are there."""
    noun = _BARE_NOUN.search(text)
    return content_stems(noun[1]) if noun and not _SELECTED.search(text) else frozenset()


_BARE_NOUN = re.compile(r"\b(?:no|any)\s+(\w+)\b", re.I)
_SELECTED = re.compile(r"\b(?:match\w*|other|more|further|else|such|yet|anymore)\b", re.I)
_NO_PROMISE = re.compile(
    r"\W*(?:[\w /-]{2,40}: )?(?:(?:and|but|so|unfortunately|however),? )*(?:I|we) (?:can['’]t|cannot|can not|am (?:not able|unable) to|['’]m (?:not able|unable) to)"
    r" (?:guarantee|promise)\b",
    re.I,
)
_NOTHING_FIRM = re.compile(
    r"\W*(?:(?:and|but|so|unfortunately|however),? )*(?:(?:I|we) (?:do not|don['’]t) (?:currently |yet )?have (?:an?|any) |(?:I|we) (?:currently |still )?have no |there(?:['’]s| is) no )"
    r"(?P<firm>guaranteed|firm|definite|definitive|binding|assured|committed)\b",
    re.I,
)
"""That nothing is as sure as that: a usual "5 to 7 days" is no guaranteed time."""
_OWN_LIMIT = re.compile(
    r"\W*(?:(?:and|but|so|therefore|thus|hence|unfortunately|however|currently|otherwise|beyond that|for now|(?:based on|from) [^,.;]{3,40}),? )*"
    r"(?:(?:it is )?unable to (?:answer|determine|say|tell|provide|give)\b|(?:I|we)\s?(?:"
    r"(?:don['’]t|do not) (?:currently |actually |yet )?(?:have|know|see)\b(?! any\b)|"
    r"(?:['’]m|['’]re|am|are) (?:currently )?(?:not able|unable) to (?!find|locate)|"
    r"(?:can['’]t|cannot) (?:answer|see|tell|confirm|verify|guarantee|share|provide|access|view|send|say|promise)\b|"
    r"can only (?:report|show|see|view|relay|share|list|tell you|go by|work (?:with|from)|read|look up)\b))",
    re.I,
)


def _check_presence(claim: Claim, context: GroundContext) -> Finding:
    """ "Two were found" when the only search of the turn came back empty."""
    zero = _zero_of(claim, context)
    if zero is not None:
        span = zero[0].span(zero[1])
        detail = f"the evidence has {span.text}"
        return Finding(
            NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(span,)
        )
    counted = [v for v in claim.values if v.kind in ("number", "quantity") and v.number]
    latest = [e for e in context.ledger.calls if e.message >= context.ledger.last_said]
    empty = [e for e in latest if came_back_empty(e)]
    if not counted or not empty or len(empty) != len(latest) or is_negated(claim.text):
        return Finding.skip(NAME, "does not say that something is absent")
    if not _FOUND.search(claim.text):
        return Finding.skip(NAME, "does not say that something was found")
    detail = f"{empty[-1].call.name} returned nothing"
    spans = (span_of(empty[-1]),)
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=spans
    )


_THERE_ARE = re.compile(
    r"^\W*(?:(?:yes|and|but|so|luckily|fortunately),? )*there(?: is| are|['’]s|['’]re)(?: (?:still|also|currently|now|already|some|plenty of|a few|several|lots of|enough))+ (?P<what>[\w-]+(?: [\w-]+){0,2})",
    re.I,
)
_OF_COUNTS = content_stems("left remaining available count number total open free num quantity qty")


def _zero_of(claim: Claim, context: GroundContext) -> tuple[Passage, Cell] | None:
    """The field that counts none of what there are said to be some of: ``seats_left: 0`` for "there are still
    seats"; None where another field of that name counts any."""
    said = _THERE_ARE.search(claim.text)
    if said is None or is_negated(claim.text):
        return None
    things = content_stems(said["what"])
    found = [
        (passage, cell)
        for passage in context.fitting
        if passage.source.kind == "tool_result"
        for cell, _, _ in passage.cells
        if isinstance(cell.raw, int) and not isinstance(cell.raw, bool)
        if (named := content_stems(cell.key) - _OF_COUNTS) and named <= things
    ]
    return found[0] if found and all(cell.raw == 0 for _, cell in found) else None


def _present(
    absent: frozenset[str], claim: Claim, context: GroundContext
) -> tuple[Passage, Cell | None, str] | None:
    """A list of the thing that is said to be absent, with something in it."""
    for table in _tables_of(absent, claim, context):
        flagged = _flagged(table, claim)
        if flagged:
            return flagged[0], None, f"{len(flagged)} in {table.name}: {flagged[0].text[:120]}"
        if flagged is not None or table.rows_that_say(claim.statement) == ():
            continue  # there are black ones and wireless ones, and none that is both
        chosen = table.where(claim)
        singled_out = chosen is not table
        others = absent - content_stems(table.name)
        seen = frozenset().union(*(p.stems for p in chosen.passages))
        if singled_out or not others or named_in(others, seen) or len(others) <= 1:
            passage = chosen.passages[0]
            return passage, None, f"{len(chosen.rows)} in {table.name}: {passage.text[:120]}"
    return None


def _tables_of(absent: frozenset[str], claim: Claim, context: GroundContext) -> list[Table]:
    """The lists called what is absent; of several, those whose rows speak of most that is said of it: the
    variants of keyboards, for "no variants with clicky switches"."""
    # "Variant-specific titles" are no variants.
    things = absent - content_stems(" ".join(_COMPOUND.findall(claim.text)))
    heads = [(t, content_stems(t.name.split(" ")[-1] if t.name else "")) for t in tables(context)]
    called = [table for table, head in heads if head and head <= things and _fits(table, context)]
    if len(called) < 2:
        return called
    said = content_stems(claim.statement)
    shared = [
        len(named_in(said, frozenset().union(*(p.stems for p in table.passages))))
        for table in called
    ]
    return [table for table, n in zip(called, shared, strict=True) if n == max(shared)]


def _fits(table: Table, context: GroundContext) -> bool:
    """Whether a list is not of another thing than what was spoken of so far."""
    return not context.before or any(
        context.topic.fits(context.rows.chain(p)) for p in table.passages
    )


def _flagged(table: Table, claim: Claim) -> list[Passage] | None:
    """The rows that a yes/no field makes what the claim denies: with ``resolved: false`` there are
    "unresolved threads". None where the claim names no such field."""
    said = words(claim.text)
    wanted: dict[str, bool] = {}
    for cell in (cell for row in table.rows for cell in row.cells if isinstance(cell.raw, bool)):
        for key in content_stems(cell.key):
            if any(word.startswith("un") and stem(word[2:]) == key for word in said):
                wanted[cell.key] = False
            elif any(stem(word) == key for word in said):
                wanted[cell.key] = True
    if not wanted:
        return None
    return [
        passage
        for passage in table.passages
        if any(c.key in wanted and c.raw is wanted[c.key] for c, _, _ in passage.cells)
    ]


def _was_found(
    said: frozenset[str], claim: Claim, context: GroundContext
) -> tuple[Passage, Cell | None, str] | None:
    """The very thing that is said not to have been found, under its own number."""
    if not _SEARCHED.search(claim.text):
        return None
    for value in claim.values:
        # "Order #W7: no matching items" is of what lies in the order.
        labels = claim.text[value.end :].lstrip("*_`) ").startswith(":")
        for hit in context.search.hits(value) if value.kind == "identifier" and not labels else ():
            if hit.cell is None or hit.passage.record is None or hit.passage.source.outcome != "ok":
                continue
            tool = content_stems(words_of(hit.passage.source.tool or "")) - _GENERIC
            own = hit.passage.record.identity and hit.cell.text in hit.passage.record.identity
            first = hit.passage.record.cells[0] is hit.cell
            if (own or first) and hit.match == "same" and named_in(tool, said):
                return hit.passage, hit.cell, hit.passage.text[:120]
    return None


def _blank_field(
    absent: frozenset[str], claim: Claim, context: GroundContext
) -> tuple[Passage, Cell] | None:
    """A null, false or zero field that the claim names."""
    best: tuple[int, tuple[Passage, Cell]] | None = None
    for passage in context.fitting:
        if passage.source.kind != "tool_result":
            continue
        for cell, _, _ in passage.cells:
            if cell.is_blank or cell.raw in (False, 0) or _ZERO.fullmatch(cell.text):
                key = content_stems(cell.key)
                named = len(worded_in(key, absent))
                if named and named * 2 >= len(key) and (best is None or named > best[0]):
                    best = (named, (passage, cell))
    return best[1] if best else None


_ZERO = re.compile(r"[€$£¥]?\s?0(?:[.,]0+)?")


def _subject(entry: CallEntry) -> frozenset[str]:
    """What a call looked for, in words."""
    return content_stems(f"{words_of(entry.call.name)} {entry.call.arguments}") - _GENERIC
