"""Markdown answers: sentences of paragraphs, list items, table cells and fences, each under what leads it in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from affidavit.stages.ground.split.draft import Draft
from affidavit.stages.ground.split.json_drafts import leaf_drafts
from affidavit.stages.ground.split.json_leaves import leaves
from affidavit.stages.ground.split.markdown import Block, Span, blank_markup, blocks
from affidavit.stages.ground.split.protect import protect
from affidavit.stages.ground.split.sentences import sentences
from affidavit.stages.ground.split.tables import grid_drafts, table_drafts

# Fences in these languages are programs, not statements; any other may show the output of one.
_PROGRAMS = frozenset(
    "python py js javascript ts typescript jsx tsx java go rust rs c cpp csharp cs ruby rb php sql bash sh shell zsh "
    "powershell html css kotlin swift scala".split()
)
_CLOSED = re.compile(r"[.!?。！？…][\"'”’»)\]*_]*$")
# "**TP930** (TAP): departs 7:10", "Duration: 1 h 30 min": what a line is about, then what it says.
_LABEL = re.compile(r"([^.!?:\n]{1,80}?)\s*(?::|\s[–—-])(?:\s|$)")
_LABEL_WORDS, _OVER_WORDS = 7, 14
"""Most words of a label before a colon, and of an item that others stand under."""


def prose_drafts(answer: str) -> Iterator[Draft]:
    """Drafts of a Markdown ``answer``, in order."""
    text, above = blank_markup(answer), _Above()
    for block in blocks(answer):
        match block.kind:
            case "table":
                yield from above.numbered(table_drafts(text, block), one=True)
            case "code":
                yield from above.numbered(_fence(answer, block), one=block.info not in ("json", ""))
            case "heading" | "title":
                yield from above.numbered(_heading(text, block, above))
            case "item":
                yield from above.numbered(_item(text, block, above))
            case "paragraph":
                yield from above.numbered(_paragraph(text, block, above))


@dataclass(slots=True)
class _Above:
    """What stands above a block: the heading, the line that leads in a list, and the labels of the list items around, by
    their indent."""

    title: str = ""
    lead: str = ""
    items: list[tuple[int, str]] = field(default_factory=list)
    sentence: int = -1

    def numbered(self, drafts: Iterator[Draft], *, one: bool = False) -> Iterator[Draft]:
        """``drafts`` with the number of their sentence; ``one`` where all are of the same."""
        self.sentence += one
        for draft in drafts:
            self.sentence += not one
            yield replace(draft, sentence=self.sentence)

    def enter(self, title: str) -> None:
        self.title, self.lead = title, ""
        self.items.clear()

    def led_by(self, lead: str) -> None:
        """What a paragraph leaves for the blocks below: its last sentence, where that ends in a colon, else nothing."""
        self.lead = lead
        self.items.clear()

    def under(self, draft: Draft) -> Draft:
        """``draft``, which is no sentence of its own, with what it stands under: a nearer item, else the line that
        leads in its list, else the heading."""
        over = next((label for _, label in reversed(self.items) if label), "")
        over = over or self.lead or self.title
        if not over or draft.statement.startswith(over):
            return draft
        joint = " — " if label_of(draft.said) else ": "
        statement = f"{over}{joint}{draft.statement}"
        # "Please provide: - your city" asks for a city.
        return replace(draft, statement=statement, said=statement)


def shown(text: str) -> str:
    """``text`` as it reads: blanks left by markup closed up, links as their words and address."""
    # An address ends at the latest where the next one begins: "![](![](…" is read once, not once a bracket.
    text = re.sub(r"!?\[([^\]\n]{1,400})\]\(((?:(?!\]\()\S){1,2000}?)\)", r"\1 (\2)", text)
    text = re.sub(r"\s+", " ", text)
    return re.sub(r" ([,.;!?)])(?=\s|$)", r"\1", text).strip()


def label_of(line: str) -> str:
    """The label that a line begins with, "" where it has none."""
    found = _LABEL.match(protect(line))
    label = line[: found.end(1)] if found else ""
    return label if len(label.split()) <= _LABEL_WORDS else ""


def _sentences(text: str, start: int, end: int) -> Iterator[Draft]:
    for span in sentences(text, start, end):
        said = shown(text[slice(*span)])
        yield Draft(*span, statement=said, said=said)


def _heading(text: str, block: Block, above: _Above) -> Iterator[Draft]:
    start, end = _trimmed(text, (block.start, block.end))
    words = shown(text[start:end])
    if not re.search(r"\w", words):
        return
    title = words.rstrip(" :")
    above.enter(title)
    # A heading that gives a value or says a sentence is judged; "Order details" only points.
    judged = bool(re.search(r"\d", words) or _CLOSED.search(words))
    yield Draft(start, end, statement=title, said=words, kind=None if judged else "greeting")


def _paragraph(text: str, block: Block, above: _Above) -> Iterator[Draft]:
    drafts = list(_sentences(text, block.start, block.end))
    leads = bool(drafts) and drafts[-1].said.endswith((":", "："))
    alone = len(drafts) == 1 and not leads and not above.items
    if alone and above.lead and not _CLOSED.search(drafts[0].said):
        drafts = [above.under(drafts[0])]  # what stands alone below "… will be sent to:"
    above.led_by(drafts[-1].said.rstrip(" :：") if leads else "")
    yield from drafts


def _item(text: str, block: Block, above: _Above) -> Iterator[Draft]:
    start, end = _trimmed(text, (block.start, block.end))
    while above.items and above.items[-1][0] >= block.indent:
        above.items.pop()
    drafts = list(_sentences(text, start, end))
    if drafts and not _CLOSED.search(drafts[0].said):
        drafts[0] = above.under(drafts[0])
    yield from drafts
    whole = shown(text[start:end])
    label = label_of(whole) or whole.rstrip(" :")
    above.items.append((block.indent, label if len(label.split()) <= _OVER_WORDS else ""))


def _fence(answer: str, block: Block) -> Iterator[Draft]:
    found = leaves(answer, block.start, block.end) if block.info in ("json", "") else None
    if found is not None:
        yield from leaf_drafts(answer, found, prose_drafts)
        return
    program = block.info in _PROGRAMS
    grid = [] if program else list(grid_drafts(answer, block))
    if grid:
        yield from grid
        return
    for line in ((block.start, block.end),) if program else block.lines:
        start, end = _trimmed(answer, line)
        said = answer[start:end]
        if re.search(r"\w", said):
            yield Draft(start, end, said, said, kind="creative" if program else "fact")


def _trimmed(text: str, span: Span) -> Span:
    piece = text[slice(*span)]
    start = span[0] + len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())
