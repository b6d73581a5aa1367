"""Questions that the results are said to leave open: "how long the filter lasts isn't stated".

Left open is what no value of the kind asked for is told of: no span of time in the sentence or field of the
filter. A field that answers it contradicts the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, words_of
from affidavit.ledger.values import Value, parse_values
from affidavit.ledger.words import content_stems, named_in
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_ASK = (
    r"(?P<{0}>how (?:much|many|long|often|far|old|big|heavy|tall|high|wide|deep|large|fast|hot|warm|cold|thick|strong|expensive)|when|"
    r"(?:at |by |until )?what (?:time|price|date|age|weight|size)|whether|who|where)\b(?P<{1}>[^.;:?]{{0,90}}?)"
)
_TOLD = (
    r"(?:stated|given|specified|mentioned|listed|shown|said|noted|recorded|indicated|documented|provided|told|disclosed|published|"
    r"known|clear|covered|included|available)"
)
_OPEN = re.compile(
    _ASK.format("first", "of") + rf",? (?:is|are|was|were|has been)(?:n['’]t| not)(?: \w+ly| yet| been)* {_TOLD}\b"
    r"|\b(?:(?:do|does|did)(?:n['’]t| not)(?: \w+ly| actually)* (?:say|state|mention|tell(?: (?:me|you|us))?|specify|give|list|show|reveal|disclose|indicate|note|record)"
    r"|(?:says?|states?|tells?|gives?|contains?|has|have|said|had) nothing (?:about|on|of|as to)|(?:is|are|was|were) silent (?:about|on|as to)"
    r"|no (?:word|information|details?|indication|mention) (?:about|on|of|as to)) "
    + _ASK.format("second", "told") + r"(?=[.;:,!]|$)",
    re.I,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question word asks for: values of these kinds, in a unit of these, under a field of these names."""

    kinds: tuple[str, ...]
    units: tuple[str, ...]
    fields: frozenset[str]


def _asked(kinds: str, units: str, fields: str) -> Asked:
    return Asked(tuple(kinds.split()), tuple(units.split()), content_stems(fields))


_LENGTH = _asked("quantity", "m", "height width depth length size dimensions thickness diameter")
_TIME = _asked("duration", "", "duration length runtime life term period time warranty validity")
_MOMENT = _asked("moment", "", "date time start end due deadline departure arrival opening closing")
_MONEY = _asked("money", "", "price cost fee amount total rent rate charge")
_KINDS: tuple[tuple[re.Pattern[str], Asked], ...] = tuple(
    (re.compile(rf"^(?:{told})\b", re.I), asked)
    for told, asked in (
        (r"how long (?:.*\b)?(?:lasts?|takes?|runs?|stays?|keeps?|holds?|remains?|goes on|waits?|valid|open|good|live)", _TIME),
        (r"how long", Asked(("duration", "quantity"), ("m",), _TIME.fields | _LENGTH.fields)),
        (r"how (?:tall|high|wide|deep|thick)", _LENGTH),
        (r"how (?:big|large)|what size", Asked(("quantity", "number"), (), content_stems("size area dimensions volume capacity"))),
        (r"how heavy|what weight|how much (?:.*\b)?weighs?", _asked("quantity", "kg", "weight mass")),
        (r"how far", _asked("quantity", "m", "distance range")),
        (r"how fast", _asked("quantity", "m/s", "speed")),
        (r"how (?:hot|warm|cold)", _asked("quantity", "°C °F", "temperature temp")),
        (r"how much (?:.*\b)?(?:costs?|pays?|paid|charged?|charges|is|are|owed?|comes? to)|how expensive|(?:at )?what price", _MONEY),
        (r"how much (?:.*\b)?(?:holds?|takes?|fits?)", _asked("quantity", "l kg B", "capacity volume payload")),
        (r"how often", _asked("duration number", "", "frequency interval")),
        (r"how old|what age", _asked("duration number moment", "", "age year born built")),
        (r"how many", _asked("number", "", "quantity count number")),
        (r"when|(?:at|by|until)? ?what (?:time|date)", _MOMENT),
    )
)  # fmt: skip
_VERBS = content_stems(
    "last lasts take takes run runs stay keep hold holds remain go wait valid open cost costs pay paid charge weigh weighs come fit "
    "contain include included be made make start end begin arrive leave exactly one each there actually it will place happen happens occur"
)
"""Words of a question that do not name the thing asked about."""


def left_open(
    claim: Claim, context: GroundContext
) -> tuple[bool, str, tuple[EvidenceSpan, ...]] | None:
    """Whether a question is open as a claim says, why, and the field that answers it; None where that cannot be said."""
    found = _OPEN.search(claim.text)
    if found is None:
        return None
    question = f"{found['first'] or found['second']}{found['of'] or found['told'] or ''}"
    asked = next((asked for words, asked in _KINDS if words.match(question)), None)
    texts = list(_texts(context))
    if not texts:
        return None
    if asked is None:
        return _unheard_of(question, context)
    thing = content_stems(question) - _VERBS - asked.fields - _ASKING
    whole = not thing - _known_as(context)
    answers = [
        (passage, cell)
        for passage, cell, text in texts
        if any(_is_answer(value, asked, text) for value in _values(passage, cell, text))
        or asked is _MOMENT
        and _SOMETIME.search(text)
        if whole or named_in(thing, content_stems(text))
    ]
    if not answers:
        return True, f"no result tells {question.strip()}", ()
    for passage, cell in answers:
        if whole and cell is not None and named_in(content_stems(cell.key), asked.fields):
            return False, passage.span(cell).text, (passage.span(cell),)
    return None


def _unheard_of(
    question: str, context: GroundContext
) -> tuple[bool, str, tuple[EvidenceSpan, ...]] | None:
    """Open where no result has any word of what is asked: "whether dogs are welcome"."""
    asked = content_stems(question) - _VERBS - _ASKING - _known_as(context)
    results = [p for p in context.fitting if is_result(p)]
    if not asked or any(named_in(asked, content_stems(p.text)) for p in results):
        return None
    return True, f"no result speaks of {', '.join(sorted(asked))}", ()


_ASKING = content_stems("how much many long often far old big heavy tall high wide deep large fast hot warm cold thick strong expensive when what time whether who where")  # fmt: skip


_SOMETIME = re.compile(
    r"\b(?:spring|summer|autumn|winter|daily|weekly|monthly|yearly|weekdays?|weekends?|mornings?|afternoons?|evenings?|nights?|noon|midnight|"
    r"holidays?|season\w*|year[- ]round|always|soon|shortly|until|after|before|during|every|once|as soon as)\b",
    re.I,
)
"""When something is, told without a date."""


def _is_answer(value: Value, asked: Asked, text: str) -> bool:
    if value.kind == "number" and asked is _MONEY:
        return bool(named_in(content_stems(text), asked.fields))
    if value.kind not in asked.kinds:
        return False
    return value.kind != "quantity" or not asked.units or value.unit in asked.units


def _values(passage: Passage, cell: Cell | None, text: str) -> list[Value]:
    """What a field holds, in the unit that its name or its neighbour gives, or a sentence tells."""
    held = [value for own, value in passage.cell_values if own is cell]
    return [*held, *parse_values(text)]


def _texts(context: GroundContext) -> Iterator[tuple[Passage, Cell | None, str]]:
    """The fields of the results with their names, and the sentences of those that have none."""
    for passage in context.fitting:
        if not is_result(passage):
            continue
        for cell, _, _ in passage.cells:
            yield passage, cell, f"{_heading(passage)}; {cell.key}: {cell.text}"
        if not passage.cells:
            for part in re.split(r"(?<=[.!?])\s|[;\n]", passage.text):
                yield passage, None, part


def _known_as(context: GroundContext) -> frozenset[str]:
    """The words that the results go under: a heading, what a record is called, what was asked for by call."""
    named = [_heading(p) or p.text[:60] for p in context.fitting if is_result(p)]
    return content_stems(" ".join(named))


def _heading(passage: Passage) -> str:
    """What a record is called, and the tool that gave it."""
    if passage.record is None:
        return ""
    first = passage.record.cells[0].key if passage.record.cells else ""
    return f"{words_of(passage.source.tool or '')} {passage.record.header} {first}"
