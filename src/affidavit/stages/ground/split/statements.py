"""Sentences of prose as drafts: each clause with its label, its subject and what it leans on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from affidavit.report import ClaimKind
from affidavit.stages.ground.split.clauses import Clause, split_clauses
from affidavit.stages.ground.split.draft import Draft
from affidavit.stages.ground.split.facts import split_facts
from affidavit.stages.ground.split.kinds import EXEMPT, kind_of, presumes
from affidavit.stages.ground.split.openers import (
    BARE_ANSWER,
    answer_end,
    frame_end,
    without_address,
)
from affidavit.stages.ground.split.other_languages import split_other
from affidavit.stages.ground.split.protect import protect
from affidavit.stages.ground.split.sentences import sentences
from affidavit.stages.ground.split.subjects import Topic
from affidavit.stages.ground.split.verb_forms import BASE_FORMS
from affidavit.stages.ground.split.verbs import finite_verb, is_proposition

# "**TP930** (TAP): departs 7:10", "Duration: 1 h 30 min": what a line is about, then what it says.
_LABEL = re.compile(r"(?P<label>[^.!?:\n]{1,80}?)\s*(?P<sign>:|\s[–—-])\s+(?=\S)")
# Not labels, though they stand before a colon.
_NO_LABEL = re.compile(
    r"(?:good|great|bad) news$|note$|please note$|reminder$|important$|(?:all )?done$|all set$|sorry$|update$",
    re.IGNORECASE,
)
_COORDINATOR = re.compile(
    r"(?:and|but|so|yet|while|whereas|although|though|because|which|who)\s+", re.IGNORECASE
)
_JOINED = re.compile(r"(?:and|but)\s+", re.IGNORECASE)
_ANSWER_WORD = re.compile(
    r"(?:yes|no|yep|nope|correct|exactly|sí|ja|nein|oui|non|nee)\b\s*[,.!:–—-]+\s+", re.IGNORECASE
)
_BE_AT_END = re.compile(r"(?:(?<!\s)\s++(?:is|are|was|were|has|have|been|being)){1,8}$")
_PLAIN_WORD_FIRST = re.compile(r"[^\W\d_]+(?:['’]\w+)?[\s,]")


@dataclass(slots=True)
class Reading:
    """What is carried from sentence to sentence of one answer."""

    english: bool
    topic: Topic = field(default_factory=Topic)
    sentence: int = -1


def shown(text: str) -> str:
    """``text`` as it reads: blanks left by markup closed up, links as their words and address."""
    text = re.sub(r"!?\[([^\]\n]{1,500})\]\((\S{1,2000}?)\)", r"\1 (\2)", text)
    text = re.sub(r"\s+", " ", text)
    return re.sub(r" ([,.;!?)])(?=\s|$)", r"\1", text).strip()


def sentence_drafts(
    text: str, start: int, end: int, reading: Reading, label: str = ""
) -> Iterator[Draft]:
    """Drafts of the clauses in ``text[start:end]``. With a ``label``, the first begins with it."""
    bare: tuple[int, int] | None = None
    first = True
    for span in sentences(text, start, end):
        reading.sentence += 1
        sentence = text[slice(*span)]
        # "No. You're on Node 18": the answer word goes with what gives its reason.
        if bare is None and BARE_ANSWER.match(sentence) and span[1] < end:
            bare = span
            continue
        own = label_of(sentence) if label and first else _label_in_prose(sentence)
        name = shown(own["label"]) if own else label
        if label and own and not first:
            name = f"{label} — {name}"
        drafts = _sentence(sentence, span[0], own, name, reading)
        if bare is not None:
            drafts = _answered(_bare(text, bare, reading), drafts)
            bare = None
        yield from drafts
        first = False
    if bare is not None:
        yield _bare(text, bare, reading)


def _bare(text: str, span: tuple[int, int], reading: Reading) -> Draft:
    word = text[slice(*span)]
    return Draft(*span, statement=word, said=word, sentence=reading.sentence)


def _answered(bare: Draft, drafts: list[Draft]) -> list[Draft]:
    """``drafts`` with the ``bare`` answer before them, which they give the reason for. Before an offer it stands
    for itself: "No, it doesn't. Shall I look elsewhere?"
    """
    if not drafts or _kind(drafts[0]) in EXEMPT:
        return [bare, *drafts]
    if re.fullmatch(r"\w+\W*", bare.said):
        return [replace(drafts[0], start=bare.start), *drafts[1:]]
    return [replace(bare, kind="greeting"), *drafts]


def _sentence(
    sentence: str, offset: int, own: re.Match[str] | None, name: str, reading: Reading
) -> list[Draft]:
    """The drafts of one sentence, labelled with ``name``; ``own`` is the label it has itself."""
    at = 0 if own else answer_end(sentence)
    drafts: list[Draft] = []
    if answer := sentence[:at].rstrip():
        # "Yes, it does:" leaves the weight to what follows.
        span = (offset, offset + len(answer))
        said = shown(answer)
        drafts.append(Draft(*span, said, said, "", "greeting", sentence=reading.sentence))
    at = at or (0 if own else frame_end(sentence))
    rest, before = sentence[at:], None
    for clause in _clauses(rest, own, english=reading.english, listed=bool(own or name)):
        draft = _gone_on(_draft(rest, offset + at, clause, name, reading), before)
        if at and before is None:
            draft = replace(draft, statement=_opened(draft.statement))
            draft = draft if answer else replace(draft, start=offset)
        drafts.append(draft)
        before = draft
    return _borne_out(drafts)


def _gone_on(draft: Draft, before: Draft | None) -> Draft:
    """``draft`` as what the clause ``before`` it in its sentence is, where it goes on with a verb alone or only
    says what: "I'll submit the change, and then check the dates", "I'll set it to: size M, red"."""
    kind = _kind(before) if before is not None else None
    if before is None or kind not in ("plan", "offer") or _kind(draft) != "fact":
        return draft
    m = _VERB_ALONE.match(draft.said)
    verb_alone = m is not None and m["verb"] in BASE_FORMS | _PLANNED
    says_what = before.said.endswith(":") and finite_verb(protect(draft.said.split(",")[0])) is None
    if draft.kind is not None or not (verb_alone or says_what):
        return draft
    return replace(draft, kind=kind, presumes=presumes(draft.said))


# "There was one error: …", "Latency got better: …"
_LEANS = re.compile(
    r"(?:and |but |so )?(?:there (?:is|are|was|were|has been|have been)\b|there(?:'|’)s\b|[\w'’ -]{1,40} (?:got|gets|is|are|was|were|looks?|looked|became|went|turned out)"
    r"(?: \w+ly| even| also| much| slightly| a bit| a little| far)* (?:better|worse|mixed|higher|lower|faster|slower|cheaper|dearer|longer|shorter|larger|smaller|bigger|"
    r"busier|quieter|stronger|weaker|healthier|tighter|up|down|different|similar|close|steady|flat|stable)\b|[\w'’ -]{1,40} (?:improved|worsened|deteriorated|changed|"
    r"differs?|differed|varies|vary|moved|shifted)\b)[^,\d]*:$",
    re.IGNORECASE,
)


def _borne_out(drafts: list[Draft]) -> list[Draft]:
    """``drafts``, clauses of a sentence, where each that only announces the next, or only says of what the
    one before it holds, is told together with it.

    "Errors got worse" is in no record; "Errors got worse: the rate rose from 0.3% to 0.8%" may be. What states
    something of its own, "The backup failed: …", stands alone.
    """
    told = list(drafts)
    for i, (draft, following) in enumerate(pairwise(drafts)):
        if _LEANS.fullmatch(draft.said) and _kind(draft) == _kind(following) == "fact":
            statement = f"{draft.statement.rstrip(' :')}: {following.statement}"
            told[i] = replace(draft, statement=statement)
        elif _SAME.match(following.said) and _kind(draft) == _kind(following) == "fact":
            statement = (
                f"{draft.statement.rstrip(' ,;:.—')}, and {following.said.removeprefix('and ')}"
            )
            told[i + 1] = replace(following, statement=statement)
    return told


# "…, and this applies to both sides": of what was said just before, and nothing without it. Not "only to one
# side", which a model that reads the rest entailed reads over.
_SAME = re.compile(
    r"(?:and |but )?(?:this|that|the same|the rule) (?:also |equally |both )?(?:applies|apply|holds|goes|counts|is (?:true|so|the case|valid))\b"
    r"(?!.*\b(?:only|solely|just|exclusively|alone|not)\b)",
    re.IGNORECASE,
)


def _kind(draft: Draft) -> ClaimKind:
    return draft.kind or kind_of(draft.said, english=draft.english).kind


_VERB_ALONE = re.compile(r"(?:\W|\d\)|\b(?:and|or|then|also|finally|first)\b)*(?P<verb>[a-z]+)\b")
_PLANNED = frozenset("check tell prepare review verify summarize summarise look pull let".split())


def label_of(content: str) -> re.Match[str] | None:
    """The label a line begins with. A whole proposition before the colon is no label."""
    m = _LABEL.match(protect(content))
    if m is None or is_proposition(m["label"]) or len(m["label"].split()) > 9:
        return None
    # Found where nothing in quotes and brackets shows; taken from the text as it is.
    whole = rf"(?P<label>.{{{len(m['label'])}}})\s*(?P<sign>:|\s[–—-])\s+"
    return re.compile(whole, re.DOTALL).match(content)


def _label_in_prose(sentence: str) -> re.Match[str] | None:
    """The label of a line of prose, "Total: $45": short, and with a colon."""
    if answer_end(sentence) or frame_end(sentence):
        return None
    m = label_of(sentence)
    if m is None or m["sign"] != ":" or len(m["label"].split()) > 5:
        return None
    return None if _NO_LABEL.match(m["label"].strip()) else m


def _clauses(
    sentence: str, own: re.Match[str] | None, *, english: bool, listed: bool
) -> list[Clause]:
    at = own.end() if own else 0
    inner = sentence[at:]
    parts = split_facts(inner) if listed else None
    parts = parts or (split_clauses(inner) if english else split_other(inner))
    moved = [replace(c, start=c.start + at, end=c.end + at, words=c.words + at) for c in parts]
    return [replace(moved[0], start=0), *moved[1:]]


def _draft(sentence: str, offset: int, clause: Clause, label: str, reading: Reading) -> Draft:
    said = shown(sentence[clause.words : clause.end])
    words = said.rstrip(" ,;:—") or said
    if clause.after:
        words = f"{words.rstrip('.!')} {shown(clause.after)}."
    # A participle behind a whole clause, "…, bringing it to $5", does not say that clause again.
    said = f"{shown(clause.before)} {said}" if clause.before and clause.before[-1] != "," else said
    # At the head of a sentence "while" and "which" do not coordinate: "Which one?", "While we wait, …".
    joined = _COORDINATOR if clause.start else _JOINED
    before = shown(clause.before)
    statement = f"{before} {words}" if before else _without(joined, words)
    statement = without_address(_without(_ANSWER_WORD, statement))
    context = ""
    if reading.english:
        statement, context = reading.topic.resolve(statement)
        if not label and kind_of(said).kind not in EXEMPT - {"opinion"}:
            reading.topic.note(statement)
    changed = clause.words > 0 or statement[:1] != words[:1]
    if changed and not label:
        statement = _opened(statement)
    if clause.before and not context:
        context = _BE_AT_END.sub("", clause.before)
    if label and label not in statement:
        statement = f"{label}: {statement}"
    return Draft(
        offset + clause.start,
        offset + clause.end,
        statement,
        said,
        context=", ".join(filter(None, (label, context))),
        alone=not label,
        english=reading.english,
        sentence=reading.sentence,
    )


def _opened(statement: str) -> str:
    """``statement`` as it begins a sentence, with a capital unless it begins with a name in code."""
    return (
        statement[:1].upper() + statement[1:] if _PLAIN_WORD_FIRST.match(statement) else statement
    )


def _without(opening: re.Pattern[str], text: str) -> str:
    m = opening.match(text)
    return text[m.end() :] if m and m.end() < len(text) else text
