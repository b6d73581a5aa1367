"""Markdown prose: paragraphs, headings and list items, each clause with what it needs to stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from affidavit.stages.ground.kinds import EXEMPT, kind_of
from affidavit.stages.ground.split.clauses import Clause, split_clauses
from affidavit.stages.ground.split.draft import Draft
from affidavit.stages.ground.split.facts import split_facts
from affidavit.stages.ground.split.json_leaves import leaves
from affidavit.stages.ground.split.language import language_of
from affidavit.stages.ground.split.json_drafts import leaf_drafts
from affidavit.stages.ground.split.markdown import Block, blank_markup, blocks
from affidavit.stages.ground.split.sentences import protect, sentences
from affidavit.stages.ground.split.subjects import Topic
from affidavit.stages.ground.split.tables import table_drafts
from affidavit.stages.ground.split.verbs import is_proposition

# "**TP930** (TAP): departs 7:10", "Duration: 1 h 30 min": what a line is about, then what it says.
_LABEL = re.compile(r"(?P<label>[^.!?:\n]{1,80}?)\s*(?P<sign>:|\s[–—-])\s+(?=\S)")
_COORDINATOR = re.compile(
    r"(?:and|but|so|yet|while|whereas|although|though|because|which|who)\s+", re.IGNORECASE
)
_ANSWER_WORD = re.compile(
    r"(?:yes|no|yep|nope|correct|exactly|sí|ja|nein|oui|non|nee)\b\s*[,.!:–—-]+\s+", re.IGNORECASE
)
BARE_ANSWER = re.compile(
    r"(?:yes|no|yep|nope|correct|sí|ja|nein|oui|non|nee)\s*[.!]*$", re.IGNORECASE
)
_BE_AT_END = re.compile(r"(?:\s+(?:is|are|was|were|has|have|been|being))+$")
# Fences in these languages are programs, not statements; any other may show the output of one.
_PROGRAMS = frozenset("python py js javascript ts typescript jsx tsx java go rust rs c cpp csharp cs ruby rb php "
                      "sql bash sh shell zsh powershell html css kotlin swift scala r dockerfile hcl "
                      "makefile regex".split())  # fmt: skip


@dataclass(slots=True)
class _Place:
    """What stands above the current block: a heading, the sentence that leads in a list, list items."""

    title: str = ""
    lead: str = ""
    lead_exempt: bool = False
    items: list[tuple[int, str]] = field(default_factory=list)
    topic: Topic = field(default_factory=Topic)
    sentence: int = -1


def prose_drafts(answer: str) -> Iterator[Draft]:
    """Drafts of a Markdown ``answer``, in order."""
    text = blank_markup(answer)
    english = language_of(text) in ("en", "und")
    place = _Place()
    for block in blocks(answer):
        match block.kind:
            case "table":
                place.sentence += 1
                for draft in table_drafts(text, block, place.title):
                    yield _numbered(draft, place.sentence)
            case "code":
                yield from _code(answer, block, place)
            case "heading" | "title":
                yield from _heading(text, block, place)
            case "item":
                yield from _item(text, block, place, english=english)
            case "paragraph":
                place.items.clear()
                yield from _paragraph(text, block, place, english=english)


def shown(text: str) -> str:
    """``text`` as it reads: blanks left by markup closed up, links as their words and address."""
    text = re.sub(r"!?\[([^\]\n]+)\]\((\S+?)\)", r"\1 (\2)", text)
    text = re.sub(r"\s+", " ", text)
    return re.sub(r" ([,.;!?)])(?=\s|$)", r"\1", text).strip()


def _heading(text: str, block: Block, place: _Place) -> Iterator[Draft]:
    words = shown(text[block.start : block.end])
    start, end = _trimmed(text, block.start, block.end)
    if start == end:
        return
    place.items.clear()
    place.lead, place.lead_exempt = "", False
    place.title = words.rstrip(" :")
    place.sentence += 1
    if not is_proposition(protect(words)):
        place.topic.name(place.title)
    # A heading that gives a value or says a sentence is judged; "Order details" only points.
    states = re.search(r"\d", words) or is_proposition(words)
    yield Draft(
        start, end, place.title, words, kind=None if states else "greeting", sentence=place.sentence
    )


def _code(answer: str, block: Block, place: _Place) -> Iterator[Draft]:
    found = leaves(answer, block.start, block.end) if block.info in ("json", "") else None
    if found is not None:
        for draft in leaf_drafts(answer, found, prose_drafts):
            place.sentence += 1
            yield _numbered(draft, place.sentence)
        return
    place.sentence += 1
    if block.info in _PROGRAMS:
        start, end = _trimmed(answer, block.start, block.end)
        if start < end:
            yield Draft(start, end, answer[start:end], "", kind="creative", sentence=place.sentence)
        return
    for line in block.lines:
        start, end = _trimmed(answer, *line)
        if re.search(r"\w", answer[start:end]):
            words = answer[start:end]
            yield Draft(start, end, words, words, kind="fact", sentence=place.sentence)


def _paragraph(text: str, block: Block, place: _Place, *, english: bool) -> Iterator[Draft]:
    leads = text[block.start : block.end].rstrip().endswith((":", "："))
    drafts = list(_sentences(text, block.start, block.end, place, label="", english=english))
    if (
        place.lead
        and not leads
        and len(drafts) == 1
        and not is_proposition(protect(drafts[0].said))
    ):
        # What stands alone below "… will be shipped to:" belongs to it, as a list item would.
        if drafts[0].kind is None and kind_of(drafts[0].said).kind not in EXEMPT:
            drafts = [_led(drafts[0], place)]
    place.lead, place.lead_exempt = "", False
    if leads and drafts:
        last = drafts[-1]
        kind = kind_of(last.said, english=english).kind
        if kind == "greeting" or (
            not re.search(r"\d", last.said) and not is_proposition(last.said)
        ):
            drafts[-1] = _replaced(last, kind=kind if kind in EXEMPT else "greeting")
        if kind != "greeting":
            place.lead = last.statement.rstrip(" :：")
        place.lead_exempt = kind in ("offer", "question", "plan")
    yield from drafts


def _item(text: str, block: Block, place: _Place, *, english: bool) -> Iterator[Draft]:
    while place.items and place.items[-1][0] >= block.indent:
        place.items.pop()
    start, end = _trimmed(text, block.start, block.end)
    content = text[start:end]
    above = " — ".join(filter(None, [label for _, label in place.items[-2:]]))
    label = _label(content)
    name = shown(label["label"]) if label else ""
    own = name or shown(content).rstrip(" :")
    place.items.append((block.indent, own if len(own.split()) <= 14 else ""))
    if label is None:
        drafts = list(_sentences(text, start, end, place, label="", english=english))
        if drafts and place.lead and not above and not is_proposition(protect(drafts[0].said)):
            drafts[0] = _led(drafts[0], place)
            yield from drafts
            return
        yield from (_under(draft, above or _title_for(place), draft.statement) for draft in drafts)
        return
    prefix = above or _title_for(place)
    for draft in _sentences(text, start, end, place, label=name, english=english):
        if (
            place.lead_exempt
            and not re.search(r"\d", draft.said)
            and not is_proposition(draft.said)
        ):
            draft = _replaced(draft, kind="offer")
        yield _under(draft, prefix, draft.statement)


def _title_for(place: _Place) -> str:
    """The heading, where the items say nothing without it: "INC-7731 … — Duration: 1 h"."""
    return place.title if not place.lead else ""


def _under(draft: Draft, above: str, statement: str) -> Draft:
    if (
        not above
        or above in statement
        or draft.kind in EXEMPT
        or kind_of(draft.said).kind in EXEMPT
    ):
        return draft
    context = ", ".join(filter(None, (above, draft.context)))
    return _replaced(draft, statement=f"{above} — {statement}", context=context)


def _led(draft: Draft, place: _Place) -> Draft:
    """``draft`` as the end of the sentence that leads in its list."""
    if place.lead_exempt:
        # "Please provide: - your city" asks for each of them; with a value it says something.
        kind = "offer" if not re.search(r"\d", draft.said) else None
        return _replaced(draft, kind=kind or draft.kind)
    return _replaced(draft, statement=f"{place.lead}: {draft.statement}", context=place.lead)


def _sentences(
    text: str, start: int, end: int, place: _Place, *, label: str, english: bool
) -> Iterator[Draft]:
    """Drafts of the clauses in ``text[start:end]``. With a ``label``, the first begins with it."""
    bare: tuple[int, str] | None = None
    first = True
    for span in sentences(text, start, end):
        place.sentence += 1
        sentence = text[slice(*span)]
        # "No. You're on Node 18": the answer word goes with what gives its reason.
        if bare is None and BARE_ANSWER.match(sentence) and span[1] < end:
            bare = (span[0], sentence)
            continue
        own = _label(sentence) if label and first else _bold_label(sentence, english=english)
        name = shown(own["label"]) if own else label
        if label and own and not first:
            name = f"{label} — {name}"
        clauses = _clauses(sentence, own, english=english, listed=bool(label))
        for i, clause in enumerate(clauses):
            draft = _draft(sentence, span[0], clause, name, place, english=english)
            if bare is not None and i == 0:
                draft = _replaced(draft, start=bare[0])
                bare = None
            yield draft
        first = False
    if bare is not None:
        yield Draft(bare[0], bare[0] + len(bare[1]), bare[1], bare[1], sentence=place.sentence)


def _clauses(
    sentence: str, own: re.Match[str] | None, *, english: bool, listed: bool
) -> list[Clause]:
    if own is None:
        if not english:
            return _semicolons(sentence)
        return (split_facts(sentence) if listed else None) or split_clauses(sentence)
    inner = sentence[own.end() :]
    parts = split_facts(inner) or (split_clauses(inner) if english else _semicolons(inner))
    at = own.end()
    moved = [Clause(c.start + at, c.end + at, c.words + at, c.before) for c in parts]
    return [Clause(0, moved[0].end, moved[0].words, moved[0].before), *moved[1:]]


def _semicolons(sentence: str) -> list[Clause]:
    ends = [m.end() for m in re.finditer(r"[;；]\s*", protect(sentence))]
    starts = [0, *(end for end in ends if end < len(sentence))]
    return [
        Clause(a, a + len(sentence[a:b].rstrip()), a)
        for a, b in zip(starts, [*starts[1:], len(sentence)], strict=True)
    ]


def _draft(
    sentence: str, offset: int, clause: Clause, label: str, place: _Place, *, english: bool
) -> Draft:
    said = shown(sentence[clause.words : clause.end])
    words = said.rstrip(" ,;:")
    statement = f"{clause.before} {words}" if clause.before else _without(_COORDINATOR, words)
    statement = _without(_ANSWER_WORD, statement)
    context = ""
    if english:
        statement, context = place.topic.resolve(statement)
        if not label and kind_of(said, english=english).kind not in EXEMPT - {"opinion"}:
            place.topic.note(statement)
    inside = clause.start > 0 or statement[:1] != words[:1]
    if inside and not label and re.match(r"[^\W\d_]+(?:'\w+)?[\s,]", statement):
        statement = statement[:1].upper() + statement[1:]
    if label and label not in statement:
        statement = f"{label}: {statement}"
        context = ", ".join(filter(None, (label, context)))
    elif label:
        context = label
    if clause.before and not context:
        context = _BE_AT_END.sub("", clause.before)
    return Draft(
        offset + clause.start,
        offset + clause.end,
        statement,
        f"{clause.before} {said}" if clause.before else said,
        context=context,
        english=english,
        sentence=place.sentence,
    )


def _without(opening: re.Pattern[str], text: str) -> str:
    m = opening.match(text)
    return text[m.end() :] if m and m.end() < len(text) else text


def _label(content: str) -> re.Match[str] | None:
    """The label a list item begins with. A whole proposition before the colon is no label."""
    m = _LABEL.match(protect(content))
    if m is None or is_proposition(m["label"]) or len(m["label"].split()) > 9:
        return None
    return _LABEL.match(content) and _relabel(content, m)


def _relabel(content: str, m: re.Match[str]) -> re.Match[str] | None:
    """``m``, found in protected text, as a match on the text itself."""
    return re.compile(rf"(?P<label>.{{{len(m['label'])}}})\s*(?P<sign>:|\s[–—-])\s+", re.S).match(
        content
    )


def _bold_label(sentence: str, *, english: bool) -> re.Match[str] | None:
    """The label of a line of prose, "Total: $45": short, without a verb."""
    m = _label(sentence)
    if m is None or m["sign"] != ":" or len(m["label"].split()) > 5:
        return None
    return (
        m if not re.match(r"(?:https?|good news|great news)$", m["label"], re.IGNORECASE) else None
    )


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())


def _numbered(draft: Draft, sentence: int) -> Draft:
    return _replaced(draft, sentence=sentence)


def _replaced(draft: Draft, **changes: object) -> Draft:
    from dataclasses import replace

    return replace(draft, **changes)  # type: ignore[arg-type]
