"""Asked about: what was found is of another thing than the one that was asked about.

A search for the manual of model 3 that finds the one of model 2 answers nothing about model 3, though the
number of the claim stands there, and the name in the question. Each way of seeing it names the rival: the
other number of the same model, the other codes of the same form, the other place in the same position or in the
record's own field for it, what the field of that very name holds instead, the other title of the same words, the
other thing in a sentence that is otherwise the claim's own.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from affidavit.ledger.ledger import Passage
from affidavit.ledger.passages import sentences
from affidavit.ledger.records import Cell, records_of
from affidavit.ledger.values import Value, fold
from affidavit.ledger.values.countries import is_country
from affidavit.ledger.words import (
    STOP_WORDS,
    acronyms,
    content_stems,
    is_negated,
    named_in,
    stems_of_all,
    words,
)
from affidavit.stages.ground.checks.sources.echoes import (
    given_to,
    is_asked_for,
    is_echo,
    is_told,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext


@dataclass(frozen=True, slots=True)
class Other:
    """What was asked about, and what was found in its place."""

    asked: str
    found: str
    passage: Passage


def other_thing(claim: Claim, context: GroundContext) -> Other | None:
    """The thing that a claim is about and that only the question speaks of, with the one that was found."""
    if claim.kind not in ("fact", "citation") or claim.is_datum or not claim.covered:
        return None
    if is_negated(claim.text) or _HEDGED.search(claim.text) or not _answered(context):
        return None
    for find in (
        _numbered,
        _coded,
        _placed,
        _located,
        _sorted_otherwise,
        _person,
        _titled,
        _replaced,
    ):
        if (other := next(find(claim, context), None)) is not None:
            return other
    return None


_HEDGED = re.compile(
    r"\b(?:if|whether|about|search(?:ed)? for|look(?:ed|ing) for|asked|instead|similar|related|closest|like)\b",
    re.I,
)
"""What speaks of the question itself, or says that it found another thing."""


def _answered(context: GroundContext) -> bool:
    return any(entry.outcome == "ok" for entry in context.ledger.calls)


@dataclass(frozen=True, slots=True)
class _Told:
    """What a run was asked and what its results say apart from repeating it, both folded."""

    asked: str
    asked_stems: frozenset[str]
    texts: tuple[tuple[Passage, str], ...]
    stems: frozenset[str]
    echoed: frozenset[str]
    """What results were asked for by name and repeat: each is the result for it, though a list of finds that
    repeats its query is not."""

    def is_asked_only(self, phrase: str) -> bool:
        plain = f" {fold(phrase)} "
        if plain.strip() in self.echoed:
            return False
        return plain in self.asked and not any(plain in text for _, text in self.texts)


def _told(context: GroundContext) -> _Told:
    return context.search.once("asked about", lambda: _make_told(context))


def _make_told(context: GroundContext) -> _Told:
    given = [
        cell.text
        for entry in context.ledger.calls
        for record in records_of(entry.call.arguments)
        for cell in record.cells
    ]
    said = [p.text for p in context.search.passages if p.source.kind == "user"]
    queries = [f" {fold(text)} " for text in given if len(text.split()) > 1]
    texts: list[tuple[Passage, str]] = []
    echoed: set[str] = set()
    for passage in context.search.passages:
        echoes = given_to(passage, context)
        held = [(cell.key, cell.text) for cell, _, _ in passage.cells]
        echoed |= {fold(text) for key, text in echoes.intersection(held) if not _QUERY.search(key)}
        if passage.source.kind == "user":
            continue
        cells = [f"{key} {text}" for key, text in held if (key, text) not in echoes]
        whole = (
            passage.text if passage.record is None else f"{passage.record.header} {' '.join(cells)}"
        )
        plain = f" {fold(whole)} "
        for query in queries:  # "Results for “model 3 warranty”:"
            plain = plain.replace(query, " ")
        texts.append((passage, plain))
    asked = " ".join([context.question, *said, *given])
    return _Told(
        f" {fold(asked)} ", content_stems(asked), tuple(texts),
        stems_of_all(text for _, text in texts), frozenset(echoed),
    )  # fmt: skip


_MARKUP = re.compile(r"[*_`]+")
_DESIGNATION = r"(?:\d{1,4}[A-Za-z]?|[IVX]{1,4}|[A-Z]\d{0,3})"
_NUMBERED = re.compile(rf"\b(?P<head>[A-Z][a-zà-ÿ][\w’'-]*)[ -](?P<which>{_DESIGNATION})\b")
_NO_HEAD = frozenset(
    "january february march april may june july august september october november december jan feb mar apr jun jul aug sep "
    "sept oct nov dec monday tuesday wednesday thursday friday saturday sunday the this that these those and but for from "
    "since until before after about around over under only another some about step option item day week "
    "suite apt apartment unit box floor building line room".split()  # parts of an address are no models
)
_AND_MORE = re.compile(
    r"^\W{0,2}(?:(?:and|or) (?:later|newer|above|up|higher|all)\b|\+|(?:to|through|[–-]) ?\d|,? \w+,? and )",
    re.I,
)


def _numbered(claim: Claim, context: GroundContext) -> Iterator[Other]:
    """A model, gate or level of one number, where the results only speak of another one: "Model 3"."""
    told = _told(context)
    for named in _NUMBERED.finditer(_MARKUP.sub("", claim.text)):
        head, which = named["head"], named["which"]
        if head.lower() in _NO_HEAD or not told.is_asked_only(f"{head} {which}"):
            continue
        same = re.compile(rf"\b{re.escape(head)}[ -]({_DESIGNATION})\b", re.I)
        for passage, _ in told.texts:
            for rival in same.finditer(passage.text):
                if rival[1].lower() != which.lower() and not _AND_MORE.match(
                    passage.text[rival.end() :]
                ):
                    yield Other(named[0], rival[0], passage)


_DRAWN_FROM = 2
"""Words that a claim shares with what was found, from which it is told of the thing asked about."""


def _coded(claim: Claim, context: GroundContext) -> Iterator[Other]:
    """A code that only the question names, where what is told of it is told of other codes of its form: "your
    batch L6112 was recalled" beside the recalled lots L6083 and L6090."""
    for value in claim.values:
        before, after = claim.text[: value.start], claim.text[value.end :]
        if _CALLED.search(before) and not re.search(r"\w", after):
            continue  # "the pack's batch is L6112" is what the user told
        least = 0 if _CONCERNED.search(after) else _DRAWN_FROM
        said = content_stems(_MARKUP.sub("", claim.text)) - content_stems(value.text)
        for rival, passage, text in _of_its_form(value, claim, context):
            if len(named_in(said, content_stems(text))) >= least:
                yield Other(value.text, rival.text, passage)


_CALLED = re.compile(
    r"\b(?:is|was|reads|says|has|have|had|from|of|bears|carries|shows|with|number|code|id|serial|batch|lot|no)\W*$",
    re.I,
)
_CONCERNED = re.compile(
    r"\b(?:affected|recalled|concerned|covered|included|listed|named|mentioned|among|eligible|registered|found|valid|on the list|one of)\b",
    re.I,
)
"""That a thing is one of those that were found."""


def _of_its_form(
    value: Value, claim: Claim, context: GroundContext
) -> Iterator[tuple[Value, Passage, str]]:
    """The codes of the results that look like one that only the question names, where passages have them."""
    told = _told(context)
    asked_only = value.kind == "identifier" and told.is_asked_only(value.text)
    if not asked_only or _is_fetched(value, context):
        return
    for passage, text in told.texts:
        for rival in passage.values:
            known = f" {fold(rival.text)} " in told.asked or rival.text in claim.text
            if rival.kind == "identifier" and _form(rival) == _form(value) and not known:
                yield rival, passage, text


def says_not_among(claim: Claim, context: GroundContext) -> str | None:
    """Why it is right that a code is none of those that were found: "L6112 isn't among the lots"."""
    if not is_negated(claim.text) or claim.kind not in ("fact", "absence"):
        return None
    for value in claim.values:
        denied = _NOT_ONE_OF.search(claim.text)
        others = [rival.text for rival, _, _ in _of_its_form(value, claim, context)]
        if denied and others:
            return f"what was found names {', '.join(dict.fromkeys(others))}"
    return None


_NOT_ONE_OF = re.compile(
    r"(?:\b(?:not|never)|n['’]t) (?:\w+ )?(?:among|one of|on the list|(?:in|on|part of) (?:the|this|that)|listed|named|included|mentioned|affected|concerned|recalled|covered)\b"
    r"|\bnone of (?:the|those|these|them)\b",
    re.I,
)


def _form(code: Value) -> str:
    """What a code looks like: "L6112" and "L6083" are of one form."""
    return re.sub(r"\d", "9", code.text.upper())


def _is_fetched(value: Value, context: GroundContext) -> bool:
    """Whether a tool was asked for the very thing, so that its result is about it: no search with other words."""
    return any(
        fold(cell.text) == fold(value.text) and not _QUERY.search(cell.key)
        for entry in context.ledger.calls
        for record in records_of(entry.call.arguments)
        for cell in record.cells
    )


_AT = r"(?:in|at|for|of|from|to|near|on)"
_PLACED = re.compile(rf"\b({_AT})\s+(?:the\s+)?\W{{0,3}}$", re.I)
_HEADING_ENDS = re.compile(r"\s[|–—-]\s|:\s")
"""What follows in a heading names the site: "Opening hours | City of Port Ansel"."""


def _placed(claim: Claim, context: GroundContext) -> Iterator[Other]:
    """A place that only the question names, where the heading of what was found, or the sentence that the
    figure is from, names another in its position: "in Northport" and "Parking in Southport"."""
    told = _told(context)
    for value in claim.values:
        before = _PLACED.search(claim.text[: value.start])
        if value.kind != "name" or before is None or not told.is_asked_only(value.text):
            continue
        if is_told(value, context):
            continue
        for passage, text, heads in _of_figures(claim, value, context):
            at = _AT if heads else before[1]
            for found in re.finditer(rf"\b(?i:{at})\s+(?:the\s+)?([A-ZÀ-Þ][\w’'-]{{2,}})", text):
                if _is_place(found[1], text, told):
                    yield Other(value.text, found[1], passage)


def _is_place(name: str, text: str, told: _Told) -> bool:
    """Whether a word is a name that nobody asked about; not where all words of a heading are large."""
    if f" {fold(name)} " in told.asked or name.lower() in _NO_HEAD:
        return False
    return any(word.islower() and len(word) > 3 for word in text.split())


def _of_figures(
    claim: Claim, but: Value, context: GroundContext
) -> Iterator[tuple[Passage, str, bool]]:
    """The headings of the passages that hold the claim's figures, and the sentences with the figures; whether
    it is a heading."""
    for value in claim.values:
        hits = context.search.hits(value) if value is not but and value.kind in _FIGURES else []
        for hit in hits:
            if hit.passage.source.kind != "tool_result":
                continue
            text = hit.passage.text if hit.cell is None else hit.cell.text
            for heading in _headings(hit.passage):
                yield hit.passage, _HEADING_ENDS.split(heading, maxsplit=1)[0], True
            at = hit.value.start
            yield from ((hit.passage, text[a:b], False) for a, b in sentences(text) if a <= at < b)


_PLACE_FIELDS = (
    frozenset("country nation land".split()),
    frozenset("region state province county canton department prefecture".split()),
    frozenset("city town village municipality".split()),
    frozenset("district borough neighbourhood neighborhood quarter suburb".split()),
)
"""Words of the fields for where something is, from the largest to the smallest."""


def _located(claim: Claim, context: GroundContext) -> Iterator[Other]:
    """A place that only the question names, where the very record that the claim is drawn from lies in another:
    "the Hotel Adria in Pula is open until 8" of ``town: Zadar, region: Dalmatia``. Of a town alone nobody
    knows that it does not lie in the region that was asked about."""
    told = _told(context)
    for value in claim.values:
        before = _LIES_IN.search(claim.text[: value.start])
        if value.kind != "name" or before is None or not told.is_asked_only(value.text):
            continue
        if is_told(value, context) or is_asked_for(value, context):
            continue
        for record, passage in _drawn_from(claim, context):
            levels = {
                level: cell.text
                for cell in record
                for level, words in enumerate(_PLACE_FIELDS)
                if isinstance(cell.raw, str) and words & set(cell.key.split()[-1:]) and cell.text
            }
            lands = is_country(value.text) and 0 in levels
            if not (lands or len(levels) > 1):
                break
            yield Other(value.text, levels[0 if lands else max(levels)], passage)


_LIES_IN = re.compile(r"\b(?:in|at|of|for)\s+(?:the\s+)?\W{0,3}$", re.I)


def _sorted_otherwise(claim: Claim, context: GroundContext) -> Iterator[Other]:
    """A name beside the noun that a field is called by, which only the question says, where that field of the
    record that the claim is drawn from holds another: "the Premium plan costs $49" of ``plan: Basic``."""
    told = _told(context)
    sorts = (m for m in _SORTED.finditer(claim.text) if m["sort"].lower() not in STOP_WORDS)
    named = [
        *((value, *_with_noun(value, claim)) for value in claim.values if value.kind in _NAMES),
        *((_named(m), m["sort"], content_stems(m["noun"])) for m in sorts),
    ]
    for value, name, nouns in named:
        if not nouns or not told.is_asked_only(name) or is_asked_for(value, context):
            continue
        if is_told(value, context) and is_told(replace(value, text=name), context):
            continue
        for record, passage in _drawn_from(claim, context):
            held = [c for c in record if nouns & content_stems(c.key.split()[-1]) and c.text]
            if len(held) != 1 or len(held[0].text) > _LONGEST or fold(name) in fold(held[0].text):
                break
            yield Other(name, held[0].text, passage)


_NAMES = ("name", "identifier", "quoted")
_SORTED = re.compile(
    r"\b(?P<sort>[\w-]{3,}) (?P<noun>class|cabin|tier|edition|grade|category|colou?r|season|semester|division|league)\b",
    re.I,
)
"""Nouns of fields of which each thing has one, so that a word before them is a name, large or small: "business
class" of ``class: economy``."""


def _named(found: re.Match[str]) -> Value:
    start, end = found.span("sort")
    return Value("name", found["sort"], start, end, key=fold(found["sort"]))


_HONOURED = re.compile(
    r"\b(?P<title>Dr|Prof|Professor|Mr|Mrs|Ms|Miss|Judge|Captain|Coach|Sister|Father|Herr|Frau|Dott|Sra?|Mme)\.? "
    r"(?P<name>(?:[A-ZÀ-Þ][\w’'-]*\.? ){0,2}[A-ZÀ-Þ][\w’'-]+)"
)


def _person(claim: Claim, context: GroundContext) -> Iterator[Other]:
    """A person of whom only the question speaks, where the record that the claim is drawn from is of another of
    the same title: "Dr. Weber is in on Monday" of ``doctor: Dr. Ana Wagner``."""
    told = _told(context)
    for asked in _HONOURED.finditer(claim.text):
        surname = asked["name"].split()[-1]
        if not told.is_asked_only(surname):
            continue
        for record, passage in _drawn_from(claim, context):
            for cell in record:
                other = _HONOURED.search(cell.text) if len(cell.text) <= _LONGEST else None
                if other and other["title"] == asked["title"]:
                    yield Other(asked[0], other[0], passage)


def _with_noun(value: Value, claim: Claim) -> tuple[str, frozenset[str]]:
    """A name without the noun that it may end in, and the nouns beside it: "Premium" of "the Premium plan"."""
    after = re.match(r"[\"”’']?\s+([a-z]{3,})\b", claim.text[value.end :])
    ahead = re.search(r"\b([a-z]{3,})\s+[\"“‘']?$", claim.text[: value.start])
    *rest, last = value.text.split()
    nouns = content_stems(" ".join(m[1] for m in (after, ahead) if m))
    return (" ".join(rest), content_stems(last)) if rest and not nouns else (value.text, nouns)


_LONGEST = 40


def _drawn_from(claim: Claim, context: GroundContext) -> Iterator[tuple[list[Cell], Passage]]:
    """The records that hold the figures of a claim, each with its cells and those of what it lies in; none
    where a figure stands in running text that is of no record, or the user gave it."""
    for value in claim.values:
        hits = context.search.hits(value) if value.kind in _FIGURES else []
        own = [hit for hit in hits if hit.passage.source.kind == "tool_result"]
        for hit in own if len(own) == len(hits) else ():
            cells: list[Cell] = []
            record = hit.passage.record
            while record is not None:
                cells += [c for c in record.cells if not is_echo(hit.passage, c, context)]
                record = record.parent
            yield cells, hit.passage


def _headings(passage: Passage) -> list[str]:
    if passage.record is None:
        first, *rest = re.split(r"\n| \| ", passage.text.strip())
        return [first] if rest and not first.endswith(".") else []
    return [cell.text for cell, _, _ in passage.cells if _TITLE.search(cell.key)]


_TITLE = re.compile(r"(?:^| )(?:title|name|subject|label|heading|headline|product|course|model)$")
_QUERY = re.compile(
    r"(?:^| )(?:query|q|search|text|term|terms|keywords?|title|name|phrase|subject)$"
)


def _titled(claim: Claim, context: GroundContext) -> Iterator[Other]:
    """A title that was searched for word by word, where only others with some of its words were found."""
    told = _told(context)
    for entry in context.ledger.calls:
        for cell in (c for r in records_of(entry.call.arguments) for c in r.cells):
            wanted = content_stems(cell.text)
            if len(wanted) < 2 or not _QUERY.search(cell.key) or not _is_title(cell.text):
                continue
            if cell.text not in _MARKUP.sub("", claim.text) or wanted <= told.stems & _row_stems(
                told, wanted
            ):
                continue
            for passage, _ in told.texts:
                for own, _, _ in passage.cells if passage.source.id == _result_of(entry) else ():
                    if _TITLE.search(own.key) and _is_like(own.text, cell.text, wanted):
                        yield Other(cell.text, own.text, passage)


def _result_of(entry: object) -> int | None:
    result = getattr(entry, "result", None)
    return result.id if result is not None else None


def _row_stems(told: _Told, wanted: frozenset[str]) -> frozenset[str]:
    """Of what is wanted, all that one passage says together."""
    return next((wanted for _, text in told.texts if wanted <= content_stems(text)), frozenset())


def _is_title(text: str) -> bool:
    """Whether every word of some length is written large: a name, and not "electric kettle"."""
    return all(word[0].isupper() or word[0].isdigit() for word in text.split() if len(word) > 3)


def _is_like(found: str, asked: str, wanted: frozenset[str]) -> bool:
    """Whether a title shares words with the one asked for and is not the same, misspelt or shortened."""
    mine, theirs = fold(asked), fold(found)
    if difflib.SequenceMatcher(None, mine, theirs).ratio() >= _SAME_TITLE:
        return False
    short = frozenset(acronyms(asked)) & frozenset(theirs.split())
    return bool(wanted & content_stems(found)) and not wanted <= content_stems(found) and not short


_SAME_TITLE = 0.9
_FIGURES = frozenset({"money", "percent", "quantity", "duration", "moment", "number"})
_ENOUGH = 4
"""Words of content in which a claim and a sentence agree, so that the one word they differ in is the thing."""


def _replaced(claim: Claim, context: GroundContext) -> Iterator[Other]:
    """A sentence that is the claim's own but for the thing, which only the question names: "applications
    for the rent rebate close on 15 May", made of "applications for the travel card close on 15 May"."""
    told = _told(context)
    mine = words(_MARKUP.sub("", claim.text))
    for value in claim.values:
        for hit in context.search.hits(value) if value.kind in _FIGURES else ():
            if hit.passage.source.kind != "tool_result":
                continue
            text = hit.passage.text if hit.cell is None else hit.cell.text
            for start, end in sentences(text):
                theirs = words(text[start:end])
                for asked, found in _differing(mine, theirs):
                    a, b = content_stems(asked), content_stems(found)
                    only_asked = a <= told.asked_stems and not named_in(a, told.stems)
                    if a and b and only_asked and not named_in(b, told.asked_stems):
                        yield Other(asked, found, hit.passage)


def _differing(mine: list[str], theirs: list[str]) -> Iterator[tuple[str, str]]:
    """The runs of words in which two sentences differ, between words in which they agree."""
    codes = difflib.SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes()
    same = content_stems(
        " ".join(w for tag, a, b, _, _ in codes if tag == "equal" for w in mine[a:b])
    )
    if len(same) < _ENOUGH:
        return
    for n, (tag, a, b, c, d) in enumerate(codes):
        beside = [code[0] for code in (*codes[max(0, n - 1) : n], *codes[n + 1 : n + 2])]
        if tag == "replace" and beside and set(beside) == {"equal"}:
            yield " ".join(mine[a:b]), " ".join(theirs[c:d])


_CONTRAST = re.compile(
    r"\b(?:about|for|of|from|in|on|to|covers?|covering|concerns?|concerning|mentions?|describes?|names?|lists?|is|are|was|were)\s+"
    r"(?P<found>[^,;]{2,60}?),?\s+(?:(?:and|but)\s+)?(?:not|rather than|instead of)\s+"
    r"(?:(?:about|for|of|from|in|on|to|the|your|a|an)\s+)*(?P<asked>[^,;]{2,60}?)\W*$",
    re.I,
)
_WHAT_CAME = re.compile(
    r"\b(?:pages?|results?|documents?|articles?|entr(?:y|ies)|match(?:es)?|hits?|listings?|records?|what|it|that|this|they|those|these|terms|one|guide|manual|search|file|text)\b",
    re.I,
)


def says_other_was_found(claim: Claim, context: GroundContext) -> str | None:
    """Why it is right that what came up is about one thing and not the other: results speak of the one only.
    "The only page found is about Southport, not Northport" says nothing else that would need proof."""
    said = _CONTRAST.search(_MARKUP.sub("", claim.text))
    if said is None or claim.kind not in ("fact", "absence", "citation"):
        return None
    told = _told(context)
    found, asked = said["found"], said["asked"]
    subject = claim.text[: max(0, claim.text.find(said[0]))]
    if not _WHAT_CAME.search(subject) or not content_stems(asked) or not content_stems(found):
        return None
    own = content_stems(found)
    speaks = any(own <= content_stems(text) for _, text in told.texts)
    return (
        f"what was found speaks of {found} only"
        if speaks and is_only_asked(asked, context)
        else None
    )


def is_only_asked(text: str, context: GroundContext) -> bool:
    """Whether the question names something in these words, and no result says most of them."""
    told, stems = _told(context), content_stems(text)
    unseen = stems - named_in(stems, told.stems)
    return bool(unseen) and len(unseen) * 2 > len(stems) and stems <= told.asked_stems
