"""Markdown answers: paragraphs, headings, list items, tables and fences, each under what leads it in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from affidavit.stages.ground.kinds import EXEMPT, kind_of
from affidavit.stages.ground.protect import protect
from affidavit.stages.ground.split.draft import Draft
from affidavit.stages.ground.split.json_drafts import leaf_drafts
from affidavit.stages.ground.split.json_leaves import leaves
from affidavit.stages.ground.split.language import language_of
from affidavit.stages.ground.split.markdown import Block, Span, blank_markup, blocks
from affidavit.stages.ground.split.statements import Reading, label_of, sentence_drafts, shown
from affidavit.stages.ground.split.tables import table_drafts
from affidavit.stages.ground.split.verbs import finite_verb, is_proposition

# Fences in these languages are programs, not statements; any other may show the output of one.
_PROGRAMS = frozenset(
    "python py js javascript ts typescript jsx tsx java go rust rs c cpp csharp cs ruby rb php sql bash sh shell "
    "zsh powershell html css kotlin swift scala r dockerfile hcl makefile regex".split()
)


# Headings that name a part of the answer, not what it is about.
_GENERIC_TITLE = re.compile(
    r"(?:(?:quick|key|main|important|next|recommended|additional|other|available|your|the|our|a|an|of|and|for|in|"
    r"&|summary|overview|details?|results?|options?|steps?|notes?|points?|findings?|recommendations?|background|"
    r"conclusions?|answers?|information|info|introduction|tl;dr|breakdown|highlights?|takeaways?|status|facts?|"
    r"what|we|i|found|happened|changed|issues?|actions?|done|taken|sources?|references?|pricing|prices?|timeline)"
    r"(?:\W+|$))+",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Above:
    """What stands above the current block: a heading, the sentence that leads in a list, list items."""

    reading: Reading
    title: str = ""
    lead: str = ""
    lead_asks: bool = False
    items: list[tuple[int, str]] = field(default_factory=list)

    @property
    def item_labels(self) -> str:
        return " — ".join(label for _, label in self.items[-2:] if label)

    def close_list(self) -> None:
        self.lead, self.lead_asks = "", False
        self.items.clear()


def prose_drafts(answer: str) -> Iterator[Draft]:
    """Drafts of a Markdown ``answer``, in order."""
    text = blank_markup(answer)
    above = _Above(Reading(english=language_of(text) in ("en", "und")))
    for block in blocks(answer):
        match block.kind:
            case "table":
                yield from _table(text, block, above)
            case "code":
                yield from _fence(answer, block, above)
            case "heading" | "title":
                yield from _heading(text, block, above)
            case "item":
                yield from _item(text, block, above)
            case "paragraph":
                yield from _paragraph(text, block, above)


def _table(text: str, block: Block, above: _Above) -> Iterator[Draft]:
    above.reading.sentence += 1
    for draft in table_drafts(text, block, above.title):
        yield replace(draft, sentence=above.reading.sentence)


def _fence(answer: str, block: Block, above: _Above) -> Iterator[Draft]:
    found = leaves(answer, block.start, block.end) if block.info in ("json", "") else None
    if found is not None:
        for draft in leaf_drafts(answer, found, prose_drafts):
            above.reading.sentence += 1
            yield replace(draft, sentence=above.reading.sentence)
        return
    above.reading.sentence += 1
    program = block.info in _PROGRAMS
    for line in ((block.start, block.end),) if program else block.lines:
        start, end = _trimmed(answer, line)
        if re.search(r"\w", answer[start:end]):
            yield Draft(
                start,
                end,
                statement=answer[start:end],
                said=answer[start:end],
                kind="creative" if program else "fact",
                sentence=above.reading.sentence,
            )


def _heading(text: str, block: Block, above: _Above) -> Iterator[Draft]:
    start, end = _trimmed(text, (block.start, block.end))
    words = shown(text[start:end])
    if not re.search(r"\w", words):
        return
    above.close_list()
    title = words.rstrip(" :")
    generic = _GENERIC_TITLE.fullmatch(title)
    above.title = "" if generic else title
    above.reading.sentence += 1
    states = is_proposition(protect(words))
    if not states and not generic:
        above.reading.topic.name(above.title)
    # A heading that gives a value or says a sentence is judged; "Order details" only points.
    yield Draft(
        start,
        end,
        statement=title,
        said=words,
        kind=None if states or re.search(r"\d", words) else "greeting",
        sentence=above.reading.sentence,
    )


def _paragraph(text: str, block: Block, above: _Above) -> Iterator[Draft]:
    drafts = list(sentence_drafts(text, block.start, block.end, above.reading))
    leads = text[block.start : block.end].rstrip().endswith((":", "："))
    # What stands alone below "… will be shipped to:" belongs to it, as a list item would.
    alone = len(drafts) == 1 and not leads and not _is_exempt(drafts[0])
    if above.lead and alone and _is_fragment(drafts[0]):
        drafts = [_led(drafts[0], above)]
    above.close_list()
    if leads and drafts:
        drafts[-1] = _leading(drafts[-1], above)
    yield from drafts


def _leading(draft: Draft, above: _Above) -> Draft:
    """``draft``, which ends in a colon, as what leads in the blocks below it."""
    kind = kind_of(draft.said, english=draft.english).kind
    no_verb = finite_verb(protect(draft.said)) is None
    signpost = no_verb and not re.search(r"\d", draft.said) and kind not in EXEMPT
    if kind != "greeting" and not signpost:
        above.lead = draft.statement.rstrip(" :：")
        above.lead_asks = kind in ("offer", "question", "plan")
    return replace(draft, kind="greeting") if signpost else draft


def _item(text: str, block: Block, above: _Above) -> Iterator[Draft]:
    while above.items and above.items[-1][0] >= block.indent:
        above.items.pop()
    start, end = _trimmed(text, (block.start, block.end))
    content = text[start:end]
    label = label_of(content)
    name = shown(label["label"]) if label else ""
    # The heading counts where nothing nearer does: "INC-7731 … — Duration: 1 h".
    over = above.item_labels or (above.title if not above.lead else "")
    nested = bool(above.items)
    drafts = list(sentence_drafts(text, start, end, above.reading, name))
    if drafts and not name and above.lead and not nested and _is_fragment(drafts[0]):
        drafts[0] = _led(drafts[0], above)
        over = ""
    for draft in drafts:
        yield _asked(draft, above) if above.lead_asks else _under(draft, over)
    own = name or shown(content).rstrip(" :")
    above.items.append((block.indent, own if len(own.split()) <= 14 else ""))


def _under(draft: Draft, over: str) -> Draft:
    """``draft`` with the names of the items or the heading it stands under."""
    if not over or over in draft.statement or _is_exempt(draft):
        return draft
    context = ", ".join(filter(None, (over, draft.context)))
    return replace(draft, statement=f"{over} — {draft.statement}", context=context)


def _led(draft: Draft, above: _Above) -> Draft:
    """``draft`` as the end of the sentence that leads in its list."""
    if above.lead_asks:
        return _asked(draft, above)
    return replace(draft, statement=f"{above.lead}: {draft.statement}", context=above.lead)


def _asked(draft: Draft, above: _Above) -> Draft:
    """As in "Please provide: - your city", which asks for each item; one with a value says something."""
    asks = above.lead_asks and _is_fragment(draft) and not re.search(r"\d", draft.said)
    return replace(draft, kind="offer") if asks and not _is_exempt(draft) else draft


def _is_fragment(draft: Draft) -> bool:
    return not is_proposition(protect(draft.said))


def _is_exempt(draft: Draft) -> bool:
    return (draft.kind or kind_of(draft.said, english=draft.english).kind) in EXEMPT


def _trimmed(text: str, span: Span) -> Span:
    piece = text[slice(*span)]
    start = span[0] + len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())
