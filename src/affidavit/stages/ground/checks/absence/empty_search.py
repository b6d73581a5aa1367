"""Empty searches: "it didn't turn up", "the search drew a blank", held against the search that is meant.

Of several searches the one that was made for what the claim names decides: that no copy of one novel was
found says nothing of another. A search that gave rows bears out as well that none of them goes by a name
it was asked for: courses in algebra, but none called "Algebra for Poets".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from affidavit.ledger.ledger import CallEntry
from affidavit.ledger.records import words_of
from affidavit.ledger.values import fold
from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.stages.ground.checks.calls.deeds import writes
from affidavit.stages.ground.checks.calls.outcomes import came_back_empty, span_of
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

_NOT = r"(?:n['’]t|\bnot|\bnever|\bfail(?:s|ed)? to|\bunable to)"
_PLACES = (
    r"(?:systems?|catalog(?:ue)?s?|databases?|records?|inventory|lists?|listings?|index|register|registry|files?|directory|"
    r"collections?|results?|range|books|archives?|schedules?|calendars?|rosters?|logs?|search(?: results?)?)"
)
_FINDS = (
    r"(?:find|locate|trace|track down|spot|see|identify|turn up|come across|pull up|dig up|get)"
)
_COUNTED = (
    r"(?:hits?|match(?:es)?|results?|records?|entr(?:y|ies)|listings?|rows?|documents?|pages?)"
)
_OF_A_SEARCH = re.compile(
    r"\b(?:c[ao]me?s?|coming|turn(?:s|ed|ing)?|g[eo]t|went)(?: (?:up|back|away|out))? (?:completely |totally )?(?:empty|blank|dry|short|empty-handed)\b"
    r"|\b(?:drew|draws?|drawn|drawing) (?:a )?(?:complete |total )?blanks?\b|\bempty-handed\b|\bno (?:luck|joy|such luck|dice)\b"
    rf"|\bwithout (?:(?:a|any|one)(?: single)? )?(?:{_COUNTED}|success|luck|finding)\b"
    rf"|\b(?:no|zero|0|not (?:a single|one|any))(?: \w+)?? {_COUNTED}\b"
    r"|\b(?:return|yield|produc|g[ai]v|found|find|turn|c[ao]m|show|bring|brought|got|surfac)\w*(?: (?:up|back|out))?(?: with)? (?:nothing|none|zero|nobody|no one)\b"
    r"|\bnothing (?:\w+ )?(?:c[ao]me|turn|show|pop|match|was|were|fits?|fitted|surfac|appear|found|for|under|by|with|on (?:file|record))\w*"
    r"|\bempty (?:list|result|response|set|page)\b|\bthe (?:list|result|search) (?:is|was) empty\b",
    re.I,
)
"""What became of a search: whichever was made, it found nothing."""
_OF_A_THING = re.compile(
    rf"{_NOT}(?: \w+){{0,3}}? (?:turn(?:ed)?|show(?:n|ed)?|c[ao]me?|pop(?:ped)?|bring|brought)(?: anything| any\w*)? up\b"
    rf"|{_NOT}(?: \w+){{0,2}}? (?:appear|exist|surface|match|be (?:found|located|traced|tracked down))\b"
    rf"|{_NOT}(?: \w+){{0,3}}? {_FINDS}\b|\bnowhere to be found\b|(?:n['’]t|\bnot)(?: \w+)? found\b"
    rf"|(?:{_NOT}|\b(?:no|none|nobody|nothing))(?: \w+){{0,3}}? (?:in|on|among|anywhere in|part of|known to) (?:our|the|my|your|this|any|these|their)(?: \w+){{0,2}}? {_PLACES}\b"
    rf"|{_NOT}(?: \w+){{0,2}}? (?:listed|registered|catalogued|indexed|on (?:file|record|the books)|there)\b"
    rf"|{_NOT}(?: currently| actually)? (?:(?:seem|appear|look (?:like|as if|as though) (?:we|they|it|there)) (?:to )?)?(?:have|hold|carry|stock|own|offer|sell|list|be|keep)\b"
    r"|\bno(?:body| one|ne)?(?: \w+){0,2}? (?:by|under|of|with) (?:that|this|the) (?:name|title|number|address|code|spelling)\b"
    r"|\bno (?:sign|trace|record|mention|listing|entry|file) (?:of|for|under)\b|\bfound no\b|\b(?:there(?:['’]s| is| are| was| were)|see|have|has|got) no\b"
    rf"|\bno (?:\w+ ){{0,3}}(?:found|listed|available|{_FINDS})\b|\bno such\b",
    re.I,
)
"""What became of a thing: it was not found, so that the search for that thing decides."""
_AT_FIRST = re.compile(r"\b(?:at first|first|initial\w*|earlier|original\w*|exact)\b", re.I)
"""Of several searches for one thing, that one found nothing: "the first search came up empty"."""

_SAYS_NOTHING = content_stems(
    "find found result results return returned search searched searches look looked looking list listed show shown exist appear seem match "
    "matches matching hit hits record records entry entries item items thing things anything something one copy copies system catalog "
    "catalogue database inventory directory name title number come came back turn up empty blank luck trace sign single success query "
    "available currently locate located see have hold carry stock sell offer own keep here there afraid sorry unfortunately like check "
    "checked page pages data document documents file our any try tried draw drew"
)
"""Words for searching and for what lies in a list, which name nothing that was looked for."""

_NAMED = frozenset({"name", "quoted", "identifier", "email", "phone", "handle"})
_CALLED = re.compile(
    r"(?:\b(?:called|named|titled|entitled|labelled|labeled|known as|by the name(?: of)?|under(?: the (?:name|title))?(?: of)?|with the (?:name|title))"
    rf"|\b{_FINDS}|\b(?:have|hold|carry|stock|list|offer|sell))\s+(?:(?:a|an|any|the|our)\s+)?[\"“”'‘*_`]*$",
    re.I,
)
"""What stands before the name of what was not found; "no room in the Blue Hotel" only places it."""
_OPENS = re.compile(r"^\W*(?:(?:and|but|so|however|unfortunately),?\s+)?(?:the\s+)?\W*$", re.I)
_ENDS = re.compile(
    r"^[\"“”'‘’*_`]*\s*(?:$|[,.;:!)–—-]|\b(?:in|on|among|anywhere|at|from|with|here|there|by|either|itself|(?:is|was|are|were|does|did|do|has|have|had|could|can|seems?)(?:n['’]t)?)\b|can['’]t\b|cannot\b)",
    re.I,
)


def nothing_found(claim: Claim, context: GroundContext) -> Finding | None:
    """What the searches say of a claim that nothing was found; None where it says no such thing, or no
    search bears on it."""
    of_thing = _OF_A_THING.search(claim.text)
    if claim.is_datum or not (of_thing or _OF_A_SEARCH.search(claim.text)):
        return None
    searches = [e for e in context.ledger.calls if _is_search(e)]
    meant = _meant(claim, searches, context, loosely=not of_thing)
    empty = [e for e in meant if came_back_empty(e)]
    if empty and (len(empty) == len(meant) or _AT_FIRST.search(claim.text)):
        detail = f"{empty[-1].call.name} returned nothing"
        span = span_of(empty[-1])
        return Finding("absence", "checked", "supports", 0.95, None, detail, spans=(span,))
    return _none_called_so(claim, meant)


def _none_called_so(claim: Claim, meant: Sequence[CallEntry]) -> Finding | None:
    """A name that was searched for, and that nothing found goes by."""
    for name in _sought(claim, meant):
        asked = [e for e in meant if _asks_for(e, name)]
        if asked and not any(_bears(entry, name) for entry in asked):
            detail = f"nothing that {asked[-1].call.name} found is called {name}"
            span = span_of(asked[-1])
            return Finding("absence", "checked", "supports", 0.9, None, detail, spans=(span,))
    return None


def _sought(claim: Claim, meant: Sequence[CallEntry]) -> Iterator[str]:
    """The names of what is said not to be there, and not of where it is not: those that a search was
    given in so many words, and those that look like names."""
    text = claim.text
    given = {
        str(leaf) for e in meant for leaf in _leaves(e.call.arguments) if content_stems(str(leaf))
    }
    places = [m.span() for name in given for m in re.finditer(re.escape(name), text, re.I)]
    places += [(v.start, v.end) for v in claim.values if v.kind in _NAMED]
    for start, end in places:
        before, after = text[:start], text[end:]
        if (_CALLED.search(before) or _OPENS.match(before)) and _ENDS.match(after):
            yield text[start:end]


def nearest_searches(claim: Claim, context: GroundContext) -> list[CallEntry]:
    """The searches that share most words with a claim, by what they were asked and what they are called."""
    searches = [e for e in context.ledger.calls if _is_search(e)]
    return _sharing(content_stems(f"{claim.statement} {claim.text}"), searches)


def _meant(
    claim: Claim, searches: Sequence[CallEntry], context: GroundContext, *, loosely: bool
) -> list[CallEntry]:
    """The searches that a claim is about: by its own words, else by those of the claims before it, else all
    of this turn."""
    own = _sharing(content_stems(claim.text), searches)
    names = [v for v in claim.values if v.kind in _NAMED]
    if names:
        asked = [e for e in own or searches if any(_asks_for(e, v.text) for v in names)]
        if asked or not loosely:
            return asked
    elif own and any(_asked(e) & content_stems(claim.text) for e in own):
        return own
    if not loosely and content_stems(claim.text) - _SAYS_NOTHING - _words_of_tools(own):
        return []
    for earlier in reversed(context.before):
        said = content_stems(earlier.text)
        shared = [e for e in _sharing(said, own or searches) if _asked(e) & said]
        if shared:
            return shared
    return [e for e in own or searches if e.message >= context.ledger.last_said]


def _sharing(said: frozenset[str], searches: Sequence[CallEntry]) -> list[CallEntry]:
    counts = [len(named_in(_asked(e) | _tool_words(e), said)) for e in searches]
    most = max(counts, default=0)
    return [e for e, n in zip(searches, counts, strict=True) if n == most and n]


def _is_search(entry: CallEntry) -> bool:
    return came_back_empty(entry) or (entry.outcome == "ok" and not writes(entry))


def _asked(entry: CallEntry) -> frozenset[str]:
    return content_stems(str(entry.call.arguments)) - _SAYS_NOTHING


def _tool_words(entry: CallEntry) -> frozenset[str]:
    return frozenset(map(stem, words_of(entry.call.name).split()))


def _words_of_tools(entries: Sequence[CallEntry]) -> frozenset[str]:
    return frozenset().union(*map(_tool_words, entries))


def _asks_for(entry: CallEntry, name: str) -> bool:
    wanted = content_stems(name)
    return bool(wanted) and wanted <= content_stems(str(entry.call.arguments))


def _bears(entry: CallEntry, name: str) -> bool:
    """Whether a row of a result goes by a name, but for what repeats the question put to it."""
    if entry.result is None:
        return False
    wanted = content_stems(name)
    if not entry.result.records:
        return wanted <= content_stems(entry.result.text)
    given = {fold(str(leaf)) for leaf in _leaves(entry.call.arguments)}
    found = [c for r in entry.result.records for c in r.cells if not _ECHO.search(c.key)]
    if len(found) > 1 and any(fold(cell.text) == fold(name) for cell in found):
        return True
    rows = ((c.text for c in r.cells if fold(c.text) not in given) for r in entry.result.records)
    return any(wanted <= content_stems(" ".join(row)) for row in rows)


_ECHO = re.compile(
    r"(?:^| )(?:query|q|search(?:ed)?|terms?|keywords?|filters?|request(?:ed)?|input|criteria)(?: |$)",
    re.I,
)
"""Fields that repeat what was asked."""


def _leaves(value: object) -> list[object]:
    if isinstance(value, dict):
        return [leaf for inner in value.values() for leaf in _leaves(inner)]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in _leaves(inner)]
    return [value]
