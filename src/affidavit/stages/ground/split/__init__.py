"""An answer as claims: what it says, proposition by proposition, and where."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from affidavit.ledger.language import UNKNOWN, language_of
from affidavit.ledger.records import Cell, Record
from affidavit.ledger.values import Value, parse_values, read_cell
from affidavit.stages.ground.claim import BEFORE, Claim
from affidavit.stages.ground.split.criticality import is_critical
from affidavit.stages.ground.split.draft import Draft
from affidavit.stages.ground.split.json_drafts import leaf_drafts
from affidavit.stages.ground.split.json_leaves import leaves, spoken
from affidavit.stages.ground.split.kinds import EXEMPT, MARKER, Kind, kind_of
from affidavit.stages.ground.split.lead import lead_of
from affidavit.stages.ground.split.markdown import blank_numbers
from affidavit.stages.ground.split.prose import prose_drafts
from affidavit.stages.ground.split.told import told_by_user

__all__ = ["claims_of", "drafts_of", "language_of", "split_claims"]


def split_claims(answer: str, *, question: str = "") -> list[Claim]:
    """The claims of ``answer``, in order and without overlap.

    ``question`` is what the user asked: it gives a bare "Yes." something to say yes to. What is no
    statement (greetings, offers, headings) is a claim of an exempt kind: nothing is dropped in silence.
    """
    return claims_of(answer, drafts_of(answer), question)


def drafts_of(answer: str) -> list[Draft]:
    """The propositions of ``answer``: the leaves of JSON, the cells of tables, the sentences of prose."""
    found = leaves(answer, 0, len(answer))
    if found is not None:
        drafts = list(leaf_drafts(answer, found, prose_drafts))
        return [replace(draft, sentence=i) for i, draft in enumerate(drafts)]
    return list(prose_drafts(answer))


def claims_of(answer: str, drafts: Sequence[Draft], question: str) -> list[Claim]:
    """Drafts, in order and without overlap, as claims: their kinds, their values, what is critical."""
    language, plain = language_of(answer), blank_numbers(answer)
    after = [*(draft.start for draft in drafts[1:]), len(answer)]
    claims: list[Claim] = []
    begun: dict[int, int] = {}
    for draft, ceiling in zip(drafts, after, strict=False):
        floor = claims[-1].end if claims else 0
        claim = _claim(answer, plain, draft, question, language, (floor, ceiling))
        if draft.cell is None and draft.json_path is None:
            since = begun.setdefault(claim.sentence, claim.start)
            claim = replace(claim, lead=lead_of(answer, since, claim.start))
        claims.append(claim)
    return claims


def _claim(
    answer: str, plain: str, draft: Draft, question: str, language: str, room: tuple[int, int]
) -> Claim:
    start, end = _with_marks(answer, draft.start, draft.end)
    # The mark may be of the claim before or after: "0_。_".
    start = min(max(start, room[0]), draft.start)
    end = max(min(end, room[1]), draft.end)
    text = answer[start:end]
    kind = Kind(draft.kind) if draft.kind else kind_of(draft.said)
    if kind.kind == "fact" and told_by_user(draft.said, question):
        kind = Kind("restatement")
    values = tuple(
        v for v in _values(plain, start, end, draft) if not _PLACEHOLDER.fullmatch(v.text)
    )
    values = () if kind.kind in EXEMPT else values
    # A bare "Yes." says yes to something.
    bare = question and _BARE_ANSWER.fullmatch(text)
    return Claim(
        text=text,
        start=start,
        end=end,
        kind="fact" if bare else kind.kind,
        statement=f"{question.strip()} — {text}" if bare else draft.statement,
        critical=is_critical(kind.kind, text, values),
        values=values,
        before="" if draft.cell or draft.json_path is not None else _before(answer, start),
        covered=_is_covered(draft, language),
        json_path=draft.json_path,
        cell=draft.cell,
        citations=tuple(MARKER.findall(text)) if draft.json_path is None else (),
        sentence=draft.sentence,
        performer=kind.performer,
    )


_BARE_ANSWER = re.compile(
    r"\W*(?:yes|no|yep|nope|correct|sí|ja|nein|oui|non|nee)\W*", re.IGNORECASE
)
# "#W0000000" shows what a number looks like.
_PLACEHOLDER = re.compile(r"\W*[A-Za-z]{0,4}[-_]?(?:0{4,}|[xX]{4,})\W*")
_MARKUP = re.compile(r"[*_`#|>~]+|(?m:^[^\S\n]*+[-+•]\s)|[-:=]{3,}")


def _before(answer: str, start: int) -> str:
    since = max(0, start - BEFORE)
    cut = answer[since:start]
    if since:  # in the middle of a word
        cut = cut.partition(" ")[2]
    return " ".join(_MARKUP.sub(" ", cut).split())


def _with_marks(answer: str, start: int, end: int) -> tuple[int, int]:
    """The span with the mark of emphasis whose other half is inside it: ``**TP930** (TAP)``."""
    for mark in ("**", "__", "*", "_", "~~"):
        if answer.count(mark, start, end) % 2 == 0:
            continue
        if answer.endswith(mark, 0, start):
            return start - len(mark), end
        if answer.startswith(mark, end):
            return start, end + len(mark)
    return start, end


def _values(answer: str, start: int, end: int, draft: Draft) -> tuple[Value, ...]:
    """The values of a claim, spans in its text; of JSON only what is behind the keys, escapes undone."""
    text = answer[start:end]
    if draft.json_path is None and not answer.lstrip().startswith(("{", "[")):
        return tuple(parse_values(text))
    skip = max(draft.values_from - start, 0)
    read = " " * skip + _KEY.sub(lambda m: " " * len(m[0]), text[skip:])
    if _CODE_AND_ASIDE.fullmatch(read.strip()):  # "gift_card_91 (the original method)": no one name
        read = read.replace('"', " ")
    read = _ESCAPE.sub(lambda m: _UNESCAPED.get(m[0], " ").rjust(len(m[0])), read)
    values = tuple(replace(v, text=text[v.start : v.end]) for v in parse_values(read))
    return tuple(_measured(v, read.strip(), draft) for v in values)


_NUMBERED = frozenset("id ids no nr number code ref reference account sku zip phone key".split())
"""Last words of keys under which a bare number names something and measures nothing."""


def _measured(value: Value, leaf: str, draft: Draft) -> Value:
    """A number that is the whole of a leaf, read as evidence is: 90 under ``notice_days`` is 90 days, and 90 under
    ``fee_eur`` €90."""
    key = draft.json_path[-1] if draft.json_path else ""
    if not isinstance(key, str) or value.text != leaf or not _NUMBER.fullmatch(leaf):
        return value
    if _NUMBERED & set(spoken(key).lower().split()[-1:]):
        return value
    number = int(leaf) if leaf.lstrip("-").isdigit() else float(leaf)
    readings = read_cell(Cell(draft.json_path or (), number, ""), Record("", "", (), ""))
    for reading in readings:
        if reading.kind in ("duration", "quantity") or (reading.kind == "money" and reading.unit):
            return replace(reading, text=value.text, start=value.start, end=value.end)
    if value.kind == "identifier" and readings:  # 1440000 under ``net_kg`` has a long code's digits
        value = replace(value, kind="number", number=readings[0].number, key="")
    return value


_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_CODE_AND_ASIDE = re.compile(r'"(?=[^"\s]*\d)[\w#-]+ \([^"()]+\)"')
# Keys of JSON that does not parse, cut short or with prose around it.
_KEY = re.compile(r'"[\w .-]{1,60}"\s*:')
_ESCAPE = re.compile(r'\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])')
_UNESCAPED = {
    '\\"': '"',
    "\\/": "/",
    "\\u2013": "–",
    "\\u2014": "—",
    "\\u2019": "’",
    "\\u20ac": "€",
    "\\u00a3": "£",
}


def _is_covered(draft: Draft, language: str) -> bool:
    """Whether the claim is in English. Names and numbers alone are in every language."""
    if (draft.json_path is not None or draft.cell is not None) and len(
        _WORD.findall(draft.said)
    ) < 4:
        return True
    # A handful of words may look like any language; then the answer's decides.
    own = language_of(draft.said) if len(_WORD.findall(draft.said)) >= 6 else UNKNOWN
    return (language if own == UNKNOWN else own) in ("en", UNKNOWN)


_WORD = re.compile(r"[^\W\d_]{2,}")
