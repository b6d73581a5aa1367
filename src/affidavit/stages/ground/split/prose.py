"""Markdown answers: paragraphs, headings, list items, tables and fences, each under what leads it in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from affidavit.stages.ground.split.above import (
    Above,
    heads,
    is_exempt,
    is_fragment,
    pointer,
    points,
    signposts,
    under,
)
from affidavit.stages.ground.split.asking import AWAITS
from affidavit.stages.ground.split.draft import Draft
from affidavit.stages.ground.split.json_drafts import leaf_drafts
from affidavit.stages.ground.split.json_leaves import leaves
from affidavit.stages.ground.split.kinds import EXEMPT, kind_of, tells_of_deeds
from affidavit.stages.ground.split.language import language_of
from affidavit.stages.ground.split.markdown import Block, BlockKind, Span, blank_markup, blocks
from affidavit.stages.ground.split.protect import protect
from affidavit.stages.ground.split.statements import Reading, label_of, sentence_drafts, shown
from affidavit.stages.ground.split.tables import grid_drafts, table_drafts
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


def prose_drafts(answer: str) -> Iterator[Draft]:
    """Drafts of a Markdown ``answer``, in order."""
    text = blank_markup(answer)
    reading = Reading(english=language_of(text) in ("en", "und"))
    above = Above(reading, awaits=bool(AWAITS.search(text)) and not tells_of_deeds(text))
    found = list(blocks(answer))
    for n, block in enumerate(found):
        match block.kind:
            case "table":
                yield from _table(text, block, above)
            case "code":
                yield from _fence(answer, block, above)
            case "heading" | "title":
                yield from _heading(text, block, above)
            case "item":
                below_it = found[n + 1] if n + 1 < len(found) else None
                opens = _opens(answer, block, below_it)
                ends = not opens and (below_it is None or below_it.kind == "item")
                yield from _item(text, block, above, opens=opens, ends=ends)
            case "paragraph":
                below = found[n + 1].kind if n + 1 < len(found) else None
                yield from _paragraph(text, block, above, below)


def _table(text: str, block: Block, above: Above) -> Iterator[Draft]:
    above.reading.sentence += 1
    for draft in table_drafts(text, block, above.title):
        yield replace(draft, sentence=above.reading.sentence)


def _fence(answer: str, block: Block, above: Above) -> Iterator[Draft]:
    found = leaves(answer, block.start, block.end) if block.info in ("json", "") else None
    if found is not None:
        for draft in leaf_drafts(answer, found, prose_drafts):
            above.reading.sentence += 1
            yield replace(draft, sentence=above.reading.sentence)
        return
    above.reading.sentence += 1
    program = block.info in _PROGRAMS
    grid = [] if program else list(grid_drafts(answer, block, above.title))
    if grid:
        yield from (replace(draft, sentence=above.reading.sentence) for draft in grid)
        return
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


def _heading(text: str, block: Block, above: Above) -> Iterator[Draft]:
    start, end = _trimmed(text, (block.start, block.end))
    words = shown(text[start:end])
    if not re.search(r"\w", words):
        return
    title = words.rstrip(" :")
    generic = _GENERIC_TITLE.fullmatch(title)
    above.pass_title(title)
    above.title = "" if generic else title
    above.reading.sentence += 1
    states = is_proposition(protect(words)) and not points(words)
    if not states and not generic:
        above.reading.topic.name(above.title)
    # A heading that gives a value or says a sentence is judged; "Order details" only points.
    judged = states or bool(re.search(r"\d", words))
    draft = Draft(
        start,
        end,
        statement=title,
        said=words,
        kind=None if judged else "greeting",
        sentence=above.reading.sentence,
    )
    yield above.to_do(draft) if judged else draft


def _paragraph(text: str, block: Block, above: Above, below: BlockKind | None) -> Iterator[Draft]:
    drafts = list(sentence_drafts(text, block.start, block.end, above.reading))
    whole = text[block.start : block.end].strip()
    leads = whole.endswith((":", "："))
    # What stands alone below "… will be shipped to:" belongs to it, as a list item would.
    alone = len(drafts) == 1 and not leads and not is_exempt(drafts[0])
    # "Total: €94.80" below a list is none of its items.
    led = bool(above.lead) and alone and drafts[0].alone and is_fragment(drafts[0])
    if led:
        drafts = [above.led(drafts[0])]
    elif alone and below is not None and (_is_title(whole) or _names_a_part(whole)):
        above.pass_title(whole)
        above.title = "" if _GENERIC_TITLE.fullmatch(whole) else whole
        yield replace(drafts[0], kind="greeting")
        return
    elif alone and below == "item" and _is_thing(whole):
        above.pass_title(whole)
        above.title = shown(whole)
        yield drafts[0]
        return
    first = drafts[0] if len(drafts) > 1 else None
    if first and text[first.end : first.end + 1] == "\n" and _is_title(first.said):
        drafts[0] = replace(first, kind="greeting")
    makes = above.makes
    above.close_list()
    if leads and drafts:
        drafts[-1] = above.lead_in(drafts[-1], makes)
    elif drafts and below == "item":
        above.announced(drafts[-1])
    yield from drafts


def _opens(answer: str, block: Block, below: Block | None) -> bool:
    """Whether an item has a list of its own under it: "1) Delivery address" above "- Street: …"."""
    if below is None or below.kind != "item":
        return False
    return below.indent > block.indent or _numbered(answer, block) and not _numbered(answer, below)


def _numbered(answer: str, block: Block) -> bool:
    line = answer[answer.rfind("\n", 0, block.start) + 1 : block.start]
    return bool(re.search(r"\d[.)]\s*$", line))


_ASIDE = re.compile(r"(?<!\s)\s*+\(([^()]*)\)")


def _names_a_part(words: str) -> bool:
    """ "What I've done", "How it works": a line that only names what stands below it."""
    return points(words) and words[-1:] not in ",;…" and len(words.split()) <= 6


def _is_title(words: str) -> bool:
    """Whether a line stands where a heading would: "Fees and refund timing"."""
    # "Tablet request (choose how you'd like to proceed)"
    words = _ASIDE.sub(lambda m: "" if _says_nothing(m[1]) else m[0], words)
    return (
        words[:1].isupper()
        and words[-1:] not in ".!?,;…"
        and "\n" not in words
        and len(words.split()) <= 8
        and not re.search(r"\d|\(", words)
        and finite_verb(protect(words)) is None
    )


def _is_thing(words: str) -> bool:
    """Whether a line only calls a thing by its number: "Order #W77", "Flight KV 117 ✈️"."""
    return bool(re.fullmatch(r"\W*(?:[A-Z][\w-]*\s+){1,3}#?[\w-]*\d[\w-]*[^\w.,:;!?)]*", words))


def _says_nothing(aside: str) -> bool:
    """Whether an aside only asks or names: "(choose one)", "(bed and chair)"."""
    if kind_of(aside).kind in EXEMPT:
        return True
    named = not re.search(r"\d|\b(?:no|not|un\w+|in\w+able)\b", aside, re.IGNORECASE)
    return named and finite_verb(protect(aside)) is None


def _item(text: str, block: Block, above: Above, *, opens: bool, ends: bool) -> Iterator[Draft]:
    """``opens`` where other items lie under this one, ``ends`` where nothing belongs to it."""
    start, end = _trimmed(text, (block.start, block.end))
    content = text[start:end]
    leads = content.endswith((":", "："))
    above.enter(block.indent)
    label = label_of(content)
    name = shown(label["label"]) if label else ""
    # The heading counts where nothing nearer does: "INC-7731 … — Duration: 1 h".
    over = above.item_labels or (above.title if not above.lead else "")
    nested = bool(above.items)
    drafts = list(sentence_drafts(text, start, end, above.reading, name))
    fact = len(drafts) == 1 and kind_of(drafts[0].said).kind == "fact"
    if opens and len(drafts) == 1 and (_is_title(shown(content)) or fact and heads(content)):
        drafts = [replace(drafts[0], kind="greeting")]
    elif ends and leads and fact and heads(content):
        drafts = [replace(drafts[0], kind="offer")]  # "- City:", a blank to be filled in
    if drafts and not name and above.lead and not nested and is_fragment(drafts[0]):
        drafts[0] = above.led(drafts[0])
        over = "" if above.lead in drafts[0].statement else over
    for draft in drafts:
        made = above.made(draft, name)
        if leads and len(drafts) == 1 and signposts(made):
            made = pointer(made)
        yield under(made, over)
    own = name or shown(content).rstrip(" :")
    said = drafts[-1].said if drafts else ""
    above.leave(block.indent, own if len(own.split()) <= 14 else "", said if leads else "")


def _trimmed(text: str, span: Span) -> Span:
    piece = text[slice(*span)]
    start = span[0] + len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())
