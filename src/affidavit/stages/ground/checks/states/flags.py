"""Yes and no: fields that are true, false, zero or null, held against what the claim affirms or denies.

``refund.eligible: false`` contradicts "is eligible for a refund" and supports "is not eligible"; no
value of the claim would show it, and a small model misses it among twenty other fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.ledger.ledger import Passage
from affidavit.ledger.named_keys import COUNTRY_FIELDS
from affidavit.ledger.records import Cell
from affidavit.ledger.words import acronyms, content_stems, is_negated, named_in, stem, worded_in
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.states.vocabulary import STATUS_FIELD
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "flags"

_FREE = re.compile(
    r"\b(free|gratis|kostenlos|complimentary|at no (?:extra )?(?:charge|cost)|gratuit\w*)\b", re.I
)


_WHEN = re.compile(r" (?:at|on|by|date|time)$")
"""Fields that say when or by whom something was done: null means that it was not (``paid_at``)."""
_GENERIC_HEADS = frozenset(
    stem(word)
    for word in "eligible available included allowed active enabled open closed required status state "
    "at on ok valid default primary approved signed paid value".split()
)
"""Last steps of a path that say nothing without the step before: whose ``eligible`` is it?"""


OPPOSITES = {
    word: (word == positive, positive)
    for positive, negative in (
        ("available", "unavailable"), ("active", "inactive"), ("enabled", "disabled"),
        ("eligible", "ineligible"), ("refundable", "non-refundable"), ("verified", "unverified"),
        ("included", "excluded"), ("required", "optional"), ("open", "closed"), ("paid", "unpaid"),
        ("locked", "unlocked"), ("online", "offline"), ("connected", "disconnected"), ("armed", "disarmed"),
        ("signed", "unsigned"), ("published", "unpublished"), ("occupied", "vacant"),
        ("insured", "uninsured"), ("valid", "invalid"), ("visible", "hidden"), ("public", "private"),
        ("furnished", "unfurnished"), ("approved", "unapproved"), ("licensed", "unlicensed"), ("blocked", "unblocked"),
        ("available", "out of stock"), ("available", "sold out"),
    )
    for word in (positive, negative)
} | {"in stock": (True, "available")}  # fmt: skip
"""A yes/no field put as a word, and which of the two it is."""


_IN_OTHER_WORDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (named, re.compile(pattern, re.I))
    for named, pattern in (
        ("re entry reentry", r"\b(?:go|come|get|be let|let you|walk) back in(?:side)?\b|\breturn (?:after|once)\b|\bre-?enter\b"),
        ("refundable refunds", r"\bmoney back\b|\bget (?:a|your|any) refund\b|\breimbursed\b"),
        ("transferable", r"\b(?:give|pass|hand|sell|transfer) (?:it|them|the tickets?|your tickets?) (?:on )?to (?:someone|somebody|anyone|anybody|a friend|another)"),
        ("changeable exchangeable changes", r"\bswap(?:ped)?\b|\bmove (?:it|them) to another\b|\bswitch to another\b"),
        ("pets dogs pet friendly allowed", r"\bbring (?:a|your|any) (?:dogs?|cats?|pets?)\b"),
        ("smoking", r"\bsmoke\b|\blight up\b"),
        ("parking", r"\b(?:leave|park) (?:a|your|the) car\b|\bpark (?:there|here|on site)\b"),
        ("wheelchair accessible step free", r"\bin a wheelchair\b|\bwithout (?:any )?(?:steps|stairs)\b|\bstep-free\b"),
        ("wifi wi fi internet", r"\b(?:get|go|be) online\b|\bwireless internet\b"),
        ("photography photos cameras", r"\btak(?:e|ing) (?:photos?|pictures?)\b|\bfilm(?:ing)?\b"),
        ("returnable returns", r"\b(?:send|bring|take|give|ship) (?:it|them) back\b"),
        ("outdoor seating terrace", r"\b(?:sit|eat|dine|seats?) outside\b|\bal fresco\b"),
        ("waterproof water resistant", r"\bget wet\b|\bin the rain\b"),
        ("by post by mail postal", r"\b(?:be|being|is|are|was|were|been|gets?|isn['’]t|aren['’]t|not) (?:mailed\b|posted(?= to (?:you|your|him|her|them|the)\b))|\bsen(?:t|d) (?:\w+ ){0,3}(?:by|in the|via|through the) (?:post|mail)\b|\b(?:come|arrive)s? (?:by|in the) (?:post|mail)\b|\bdeliver\w* (?:by|in the) (?:post|mail)\b"),
        ("by email electronic digital", r"\bemailed\b|\b(?:by|via) e-?mail\b"),
        ("gift wrapped wrapping wrap", r"\bas a (?:gift|present)\b|\bgift[- ]wrapped\b"),
        ("delivered delivery home", r"\b(?:to|at) your (?:door|doorstep|home)\b"),
        ("cash only cash", r"\bpay (?:in|by|with) cash\b"),
        ("cards accepted card payment", r"\bpay (?:by|with) (?:a )?(?:credit |debit )?card\b"),
    )
)  # fmt: skip
"""What people say for a yes/no field whose name they do not use: "go back in" for ``re_entry``."""


@dataclass(frozen=True, slots=True)
class _Flag:
    passage: Passage
    cell: Cell
    state: bool
    """What the evidence says: true, or false (also null and zero)."""
    exact: bool
    """A real boolean; a null or zero says less."""
    named: int


def check_flags(claim: Claim, context: GroundContext) -> Finding:
    """Compare the claim's polarity with every yes/no field that its words name wholly."""
    if claim.is_datum:
        return _check_literal(claim, context)
    if claim.kind in ("action", "restatement"):
        return Finding.skip(NAME, "what was done is no field")
    if _DEED_UNAVAILABLE.search(claim.text):
        return Finding.skip(NAME, "says that something is not told, or may not be done")
    if _NONE_SUCH.search(claim.text):
        return Finding.skip(NAME, "says that none is so, not that this one is not")
    if _IS_THERE.search(claim.text) and not _AVAILABLE.search(_LABEL.sub("", claim.text)):
        return Finding.skip(NAME, "says that there is such a thing, which may be sold out")
    if _SUPPOSED.search(claim.text):
        return Finding.skip(NAME, "says what holds where it is so, or from when on")
    found = list(_flags(claim, context))
    if not found:
        return Finding.skip(NAME, "no yes/no field is named")
    if (untold := _UNTOLD.search(claim.text)) is not None:
        # "Bills are not included" of a field that says so; else of what the answer is about
        found = [f for f in found if f.exact and stem(untold["verb"]) in content_stems(f.cell.key)]
        if not found:
            return Finding.skip(NAME, "says that something is not told")
    # Of several rows, the one that the claim calls by its number, or else names itself.
    numbered = {
        h.passage.id for v in claim.values if v.kind == "identifier" for h in context.search.hits(v)
    }
    own = [f for f in found if f.passage.id in numbered]
    flags = sorted(own or found, key=lambda f: (f.named, f.exact), reverse=True)
    best = flags[0]
    rivals = [f for f in flags if f.named == best.named and f.exact == best.exact]
    if len({f.state for f in rivals}) > 1:
        rivals = [f for f in rivals if context.named.names(context.rows.chain(f.passage))]
        best = rivals[0] if rivals else best
    if len({f.state for f in rivals}) != 1:
        apart = _each_in_its_part(claim, [f for f in flags if f.exact])
        return apart or Finding.skip(NAME, "fields that are named disagree")
    affirmed = _affirms(claim, best)
    span = best.passage.span(best.cell)
    if affirmed == best.state:
        named_so = content_stems(best.cell.key)
        reworded = any(
            named_so <= content_stems(named) and pattern.search(claim.text)
            for named, pattern in _IN_OTHER_WORDS
        )
        return Finding(
            NAME, "checked", "supports", 0.9, None, span.text, spans=(span,),
            settles="all" if reworded and best.exact else "values",
        )  # fmt: skip
    given = best.cell.is_blank and _given(best, claim)
    if not best.exact and (not best.cell.is_blank or given or claim.values and best.named < 2):
        return Finding.skip(NAME, f"{span.text} says too little")
    detail = f"the evidence has {span.text}"
    return Finding(NAME, "checked", "contradicts", 0.05, "meaning_changed", detail, spans=(span,))


def _each_in_its_part(claim: Claim, flags: list[_Flag]) -> Finding | None:
    """ "With towels, massage not included": each field against the part of the claim that names it and no other."""
    parts = [(content_stems(part), part) for part in _PARTS.split(claim.text)]
    told: dict[str, _Flag] = {}
    for flag in flags:
        own = content_stems(flag.cell.key) - _GENERIC_HEADS
        naming = [part for stems, part in parts if own & stems]
        if len(naming) != 1 or naming[0] in told:
            return None
        told[naming[0]] = flag
    wrong = next((f for part, f in told.items() if is_negated(part) == f.state), None)
    flag = wrong or flags[0]
    span = flag.passage.span(flag.cell)
    if wrong is None:
        return Finding(
            NAME, "checked", "supports", 0.9, None, span.text, spans=(span,), settles="values"
        )
    return Finding(
        NAME, "checked", "contradicts", 0.05, "meaning_changed", f"the evidence has {span.text}",
        spans=(span,),
    )  # fmt: skip


def _check_literal(claim: Claim, context: GroundContext) -> Finding:
    """A leaf or cell that is itself yes, no or nothing."""
    said = claim.text.rsplit(":", 1)[-1].strip().strip('",`*').casefold()
    steps = [step for step in claim.json_path or () if isinstance(step, str)]
    label = claim.cell.column if claim.cell else " ".join(steps[-1:])
    stems = content_stems(label.replace("_", " "))
    wanted: dict[str, bool | None] = {"true": True, "yes": True, "✓": True, "✅": True, "false": False, "no": False,
              "null": None, "none": None, "—": None, "-": None, "n/a": None, "✗": False, "❌": False}  # fmt: skip
    if said not in wanted and (opposite := OPPOSITES.get(said)):
        # "availability: unavailable" of a field that says ``available: false``
        wanted[said], stems = opposite[0], content_stems(opposite[1])
    if said not in wanted:
        return Finding.skip(NAME, "not a yes/no claim")
    best: tuple[int, EvidenceSpan, bool | None] | None = None
    for passage, cell in _cells(context):
        held = wanted.get(cell.text.casefold(), ...) if not cell.is_blank else None
        named = len(named_in(content_stems(cell.key), stems))
        if not isinstance(held, type(...)) and named and (best is None or named > best[0]):
            best = (named, passage.span(cell), held)
    if best is None:
        return _as_country(claim, context) or _as_state(stems, wanted[said], context)
    if best[2] == wanted[said] or (wanted[said] is None and not best[2]):
        return Finding(NAME, "checked", "supports", 0.95, None, best[1].text, spans=(best[1],))
    detail = f"the evidence has {best[1].text}"
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(best[1],)
    )


def _as_country(claim: Claim, context: GroundContext) -> Finding | None:
    """ "destination": "NO", where that is Norway."""
    for passage, cell in _cells(context):
        if cell.raw == "NO" and COUNTRY_FIELDS & set(cell.key.split()) and '"NO"' in claim.text:
            span = passage.span(cell)
            return Finding(NAME, "checked", "supports", 0.95, None, span.text, spans=(span,))
    return None


def _as_state(stems: frozenset[str], wanted: bool | None, context: GroundContext) -> Finding:
    """ "delivered": true, of a thing whose ``status`` is "delivered"."""
    fields = [
        (passage, cell)
        for passage, cell in _cells(context)
        if STATUS_FIELD.search(cell.key) and context.topic.names(context.rows.chain(passage))
    ]
    for passage, cell in fields if wanted is True and stems else ():
        if content_stems(cell.text) == stems:
            span = passage.span(cell)
            return Finding(NAME, "checked", "supports", 0.95, None, span.text, spans=(span,))
    return Finding.skip(NAME, "no yes/no field is named")


def _flags(claim: Claim, context: GroundContext) -> Iterator[_Flag]:
    said = content_stems(claim.statement) | frozenset(acronyms(claim.statement))
    said |= {stem(positive) for positive in _denied_in_a_word(claim)}
    said |= content_stems("available") if _IN_STOCK.search(claim.text) else frozenset()
    for named, pattern in _IN_OTHER_WORDS:
        said |= content_stems(named) if pattern.search(claim.text) else frozenset()
    free = bool(_FREE.search(claim.text))
    denied = is_negated(claim.text)
    about = said if free or not denied else _near_denial(claim)
    names: dict[tuple[str | int, ...], _Name] = {}  # rows repeat the names of their fields
    for passage, cell in _cells(context):
        state: bool | None
        exact = cell.flag is not None
        if cell.flag is not None:
            state = cell.flag
        elif isinstance(cell.raw, str) and denied and _DENYING.match(cell.raw):
            state = False
        elif free and isinstance(cell.raw, int | float) and cell.raw == 0:
            state = True
        elif cell.is_blank and (denied or _WHEN.search(cell.key)) or denied and cell.raw == 0:
            state = False
        else:
            continue
        name = names.get(cell.path)
        if name is None:
            name = names[cell.path] = _Name.of(cell, said, about, claim.text)
        spoken = name.wholly and name.literally if exact else name.outright
        if name.generic and not _is_meant(passage, context):
            continue
        if (free and not exact and name.said) or spoken:
            yield _Flag(passage, cell, state, exact, name.said)


@dataclass(frozen=True, slots=True)
class _Name:
    """How a claim calls a field."""

    said: int
    """How many words of its name the claim says."""
    wholly: bool
    """Each word of its name by a word of its own: "fee" says nothing of whether a ``fee_paid``."""
    outright: bool
    """Wholly and in full, by words near to a denial: a null says little where it is only hinted at."""
    literally: bool
    """In a word of its own: a "balance" is not whether it is "available"."""
    generic: bool
    """The name says nothing of whose field it is."""

    @classmethod
    def of(cls, cell: Cell, said: frozenset[str], denied: frozenset[str], text: str) -> _Name:
        key = content_stems(cell.key)
        if not key or _is_wished(key, text):
            return cls(0, False, False, False, False)
        last = cell.path[-1] if cell.path else ""
        head = content_stems(last) if isinstance(last, str) else frozenset()
        whole = head if head - _GENERIC_HEADS else key
        wholly = bool(head) and all(named_in(frozenset((w,)), said - (whole - {w})) for w in whole)
        outright = bool(head) and len(worded_in(whole, denied)) == len(whole)
        literally = any(word in said for word in whole)
        return cls(len(named_in(key, said)), wholly, outright, literally, key <= _GENERIC_HEADS)


def _near_denial(claim: Claim) -> frozenset[str]:
    """The words that a "no" or "not" is about: that you "will not receive an email on how to return the
    items" does not say that there are no ``return_items``."""
    denial = _DENIAL.search(claim.statement)
    if denial is None:
        return content_stems(claim.statement)
    before, after = claim.statement[: denial.start()], claim.statement[denial.end() :]
    return content_stems(" ".join([*before.split()[-_REACH:], *after.split()[:_REACH]]))


_DENIAL = re.compile(r"\b(?:not|no|none|never|without|nothing)\b|n['’]t\b", re.I)
_REACH = 6
"""Words on either side of a denial that it may be about."""


def _is_meant(passage: Passage, context: GroundContext) -> bool:
    """Whether a record is one that the claim speaks about, or the only one: "modification isn't
    available" says nothing of an article's ``available``."""
    return all(
        context.rows.is_sole(group) or row in context.firm.rows.get(group, ())
        for group, row in context.rows.chain(passage)[:1]
    )


def _is_wished(key: frozenset[str], text: str) -> bool:
    """ "Exchange it for a waterproof version": what is spoken of need not be that yet."""
    return any(key & content_stems(m[0]) for m in _WISHED.finditer(text))


_UNTOLD = re.compile(
    r"(?:\bnot|n['’]t) (?:be )?(?P<verb>provided|listed|shown|given|exposed|stated|specified|included|disclosed)\b",
    re.I,
)
_DEED_UNAVAILABLE = re.compile(
    r"\b(?:cancell?ations?|modifications?|changes?|returns?|exchanges?|refunds?|upgrades?)\b[^.;]{0,40}(?:(?:\bnot|n['’]t|\bno longer) available|\bunavailable)\b",
    re.I,
)
_SUPPOSED = re.compile(
    r"\b(?:where|whenever|if|in case)\b[^,;.]*(?:\bnot\b|n['’]t\b)|\bnot (?:yet )?available until\b",
    re.I,
)
_IS_THERE = re.compile(
    r"\b(?:exists?|existed|(?:is|are|was|were) (?:(?:indeed|also|still) )?(?:listed|in (?:the|our) (?:catalog(?:ue)?|range|list(?:ing)?|system)))\b(?=\W*$|,| but\b)",
    re.I,
)
""" "That variant exists" says nothing of whether it is to be had."""
_AVAILABLE = re.compile(r"\bavailab|\bin[ -]stock\b", re.I)
_LABEL = re.compile(r"^\W*[\w /-]{2,40}:\s")
_EXAMPLE = re.compile(r"\((?:e\.g\.|for example|such as)[^()]*\)", re.I)
_IN_STOCK = re.compile(r"\bin[ -]stock\b", re.I)
_DENYING = re.compile(r"(?:not|non)\b", re.I)
"""``water_resistance: not resistant``."""
_NONE_SUCH = re.compile(
    r"\bthere(?:['’]s| is| are| was| were)(?:n['’]t| not)? (?:no|any)\b[^.;]*\b(?:available|in stock)\b"
    r"|\b(?:none|no (?!longer\b|more\b)(?:[\w-]+ ){0,3}\w+s)\b[^.;]{0,40}\b(?:available|in stock)\b",
    re.I,
)
_WISHED = re.compile(
    r"\b(?:for|to|into|with) an? (?:[\w-]+ ){1,3}(?:version|model|option|variant|one|alternative)\b"
    r"|(?:[\w‑-]+ ){1,3}(?:versions|models|options|variants|alternatives)\b(?= (?:available|at|under|below|from|that|in)\b|\W*$)",
    re.I,
)


def _cells(context: GroundContext) -> Iterator[tuple[Passage, Cell]]:
    for passage in context.fitting:
        if passage.source.kind == "tool_result":
            for cell, _, _ in passage.cells:
                yield passage, cell


def _affirms(claim: Claim, flag: _Flag) -> bool:
    if not flag.exact and _FREE.search(claim.text):
        return not is_negated(_FREE.sub(" ", claim.text))
    if (told := _told(flag.cell, claim.text)) is not None:
        if _NOTHING.match(told):  # "water resistance: no"
            return False
    key = content_stems(flag.cell.key)
    opposite = any(stem(positive) in key for positive in _denied_in_a_word(claim))
    opposite = opposite or bool(_SOLD_OUT.search(claim.text) and "stock" in key)
    opposite = opposite or bool(_IS_OFF.search(claim.text) and not key & _SWITCHED_OFF)
    # "No backlight: it is in stock" denies the light.
    parts = [p for p in _PARTS.split(claim.text) if content_stems(p) & key or _IN_STOCK.search(p)]
    return is_negated(parts[0] if len(parts) == 1 else claim.text) == opposite


_SOLD_OUT = re.compile(r"\b(?:out of stock|sold out|unavailable)\b", re.I)
_IS_OFF = re.compile(
    r"\b(?:is|are|was|were|stays?|remains?)(?: (?:currently|still|now|also|both|all))* (?:(?:switched|turned) )?(?:off|disabled|deactivated)\b",
    re.I,
)
"""A field called by its thing alone is denied so: "contactless is off" of ``contactless: false``."""
_SWITCHED_OFF = content_stems("disabled off deactivated inactive enabled active")
_PARTS = re.compile(r"[:;,]\s")


def _given(flag: _Flag, claim: Claim) -> bool:
    """Whether a claim writes something else into a field that is blank, "reason: no longer needed": whether
    that is so is for the values to say."""
    told = _told(flag.cell, claim.text)
    return told is not None and not _NOTHING.match(told)


def _told(cell: Cell, text: str) -> str | None:
    """What stands behind the field's name and a colon."""
    key = content_stems(cell.key)
    labelled = (m for m in _LABELLED.finditer(text) if content_stems(m["label"]) & key)
    return next((text[m.end() :] for m in labelled), None)


_LABELLED = re.compile(r"(?P<label>[\w/ -]{2,40})(?:\*\*)?:(?:\*\*)?\s+")
_NOTHING = re.compile(r"\W*(?:no|none|not|false|n/a|nothing)\b(?! longer\b)", re.I)


def _denied_in_a_word(claim: Claim) -> list[str]:
    """What a claim denies by its opposite: "currently unavailable" denies ``available``."""
    said = _EXAMPLE.sub("", claim.text).casefold()
    return [
        positive
        for word, (affirms, positive) in OPPOSITES.items()
        if not affirms and re.search(rf"\b{word}\b", said)
    ]
