"""Deeds told otherwise than tools are called: "I've taken you off the list", and the call is ``set_list``.

A verb with its particle stands for a plain verb; a tool that sets a thing does whatever its argument says.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from affidavit.ledger.ledger import CallEntry, Passage
from affidavit.ledger.records import records_of, words_of
from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.stages.ground.checks.calls.directions import argument_direction, direction
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_GAP = r"(?: [\w'’-]+){0,5}?"
_PHRASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"\b(?:{told})\b", re.I), verbs)
    for told, verbs in (
        (rf"(?:taken?|took|struck|crossed|pulled|knocked|left){_GAP} (?:off|out of|from)", "remove delete unsubscribe cancel"),
        (rf"(?:signed|opted|logged|checked|written){_GAP} (?:off|out)", "unsubscribe remove cancel"),
        (rf"(?:dropped|got|gotten|released){_GAP} (?:from|out of|off)", "remove unsubscribe cancel"),
        (rf"(?:switched|turned|shut|powered|put|flipped|set|toggled){_GAP} (?:off|out|down)", "disable deactivate stop"),
        (rf"(?:switched|turned|powered|flipped|set|toggled){_GAP} (?:on|back on)", "enable activate start"),
        (rf"(?:signed|put|opted|written|wrote|got|gotten){_GAP} (?:up|down|in|on|onto)", "add subscribe register book enrol"),
        (rf"(?:called|blown){_GAP} off|called off", "cancel"),
        (rf"(?:put|pushed|moved){_GAP} (?:back|off|forward)", "reschedule postpone move"),
        (rf"(?:sent|paid|given){_GAP} back", "refund return"),
        (rf"(?:taken|took|torn){_GAP} down", "remove delete unpublish"),
        (rf"let{_GAP} know|(?:rung|rang|phoned)", "notify message send tell contact call"),
    )
)  # fmt: skip
"""Verbs with their particles, and the plain verbs that tools are called by."""
_CAUSED = re.compile(
    rf"\b(?:got|gotten|had){_GAP} (?P<done>\w+(?:ed|nt|ilt|ept|ade|aid|ozen))\b", re.I
)
"""What was got done: "I've got your booking moved"."""
SETTERS = frozenset(
    "set update toggle switch change configure put patch write control adjust manage edit modify".split()
)
"""First words of the names of tools that do whatever their arguments say."""
_SPARED = re.compile(
    r"\b(?:not|except|but|already|left|kept|leave|keep|apart|besides|instead|like|with|from|than|rather|was|were|is|are)\b|n['’]t\b",
    re.I,
)
"""A claim that names other things than those it did something to."""
_NAME = re.compile(r"(?:^| )(?:name|title|label)$")


def plain_deeds(text: str) -> frozenset[str]:
    """The stems of the plain verbs that verbs with particles stand for."""
    plain = {stem(verb) for told, verbs in _PHRASES if told.search(text) for verb in verbs.split()}
    return frozenset(plain | {stem(m["done"]) for m in _CAUSED.finditer(text)})


def sets(entry: CallEntry, text: str, context: GroundContext) -> bool:
    """Whether a tool that sets things was called for what a text tells: it is called after the thing, or
    was told to switch one of its words in its direction."""
    name = words_of(entry.call.name).split()
    if not name or name[0] not in SETTERS or not (plain_deeds(text) or direction(text) is not None):
        return False
    said = content_stems(text)
    thing = content_stems(" ".join(name[1:]))
    if thing and named_in(thing, said) == thing:
        return True
    way = direction(text)
    if way is None or argument_direction(entry, said) is not way:
        return False
    given = {c.text for r in records_of(entry.call.arguments) for c in r.cells}
    told = {*given, *(name for p in _things(context) if given & _texts(p) for name in _names(p))}
    return any(named_in(content_stems(name), said) for name in told)


def left_out(claim: Claim, done: list[CallEntry], context: GroundContext) -> str | None:
    """The name of a thing that a claim says the deed was done to, and that no call was told to do it to, where
    one was for another thing of its sort: "I've watered the fig and the palm" after a call for the fig."""
    if _SPARED.search(claim.text):
        return None
    said = content_stems(claim.text)
    given = {c.text for e in done for r in records_of(e.call.arguments) for c in r.cells}
    for sort in context.search.once("sorts of things", lambda: _sorts(context)):
        named = [
            (name, sort.is_given(thing, given))
            for thing in sort.things
            for name in _names(thing)
            if content_stems(name) <= said
        ]
        whole = [(n, told) for n, told in named if not _is_part(n, [other for other, _ in named])]
        reached = [name for name, told in whole if told]
        missed = [name for name, _ in whole if name not in reached]
        some = missed and any(sort.is_given(thing, given) for thing in sort.things)
        for name in missed if some else ():
            if _is_object(name, claim.text) or any(
                _go_together(name, other, claim.text) for other in reached
            ):
                return name
    return None


_ARTICLE = r"(?:the |your |our |my |both |all )*"


def _is_object(name: str, text: str) -> bool:
    """Whether the deed is said to be done to a thing itself: not "I've sent Bo the summary of Ann's report"."""
    verb = r"\b(?:I|we)(?:['’]ve| have)?(?: (?!to\b|about\b|of\b|for\b|with\b|from\b|by\b|in\b)[\w-]+){1,3}? "
    return bool(re.search(rf"{verb}{_ARTICLE}{re.escape(name)}(?!['’]s)\b", text, re.I))


def _go_together(name: str, other: str, text: str) -> bool:
    """Whether two things are told of in one breath: "the fig and the palm"."""
    between = rf"(?:,| and|,? as well as|, and| plus| &) {_ARTICLE}"
    a, b = re.escape(name), re.escape(other)
    return bool(re.search(rf"\b(?:{a}{between}{b}|{b}{between}{a})\b(?!['’]s)", text, re.I))


@dataclass(frozen=True, slots=True)
class _Sort:
    """Records of the same fields, what a call may be for one of, and how many of them have each text."""

    things: list[Passage]
    texts: Counter[str]

    def is_given(self, thing: Passage, given: set[str]) -> bool:
        """Whether a call was given what a record has and no other of its sort: what it may be called by."""
        return any(self.texts[text] == 1 for text in _texts(thing) & given)


def _sorts(context: GroundContext) -> list[_Sort]:
    sorts: dict[tuple[str, ...], list[Passage]] = {}
    for passage in _things(context):
        fields = tuple(cell.key.split(" ")[-1] for cell, _, _ in passage.cells)
        sorts.setdefault(fields, []).append(passage)
    return [
        _Sort(things, Counter(text for thing in things for text in _texts(thing)))
        for things in sorts.values()
        if len(things) > 1
    ]


def _things(context: GroundContext) -> list[Passage]:
    """The records of the results that have a name."""
    return [
        p for p in context.search.passages
        if p.record is not None and p.source.kind == "tool_result" and _names(p)
    ]  # fmt: skip


def _texts(thing: Passage) -> set[str]:
    return {c.text for c, _, _ in thing.cells}


def _names(passage: Passage) -> list[str]:
    texts = (c.text for c, _, _ in passage.cells if isinstance(c.raw, str) and _NAME.search(c.key))
    return [text for text in texts if content_stems(text)]


def _is_part(name: str, names: list[str]) -> bool:
    """Whether a name is part of a longer one that is said: "lamp" of "bedroom lamp"."""
    own = content_stems(name)
    return any(own < content_stems(other) for other in names)
