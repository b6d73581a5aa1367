"""A title or a thing that only the question names, where what was found is like it but for that."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from affidavit.ledger.passages import sentences
from affidavit.ledger.records import records_of
from affidavit.ledger.values import fold
from affidavit.ledger.words import (
    acronyms,
    content_stems,
    named_in,
    words,
)
from affidavit.stages.ground.checks.sources.asked import (
    FIGURES,
    MARKUP,
    QUERY,
    Other,
    Told,
    told_of,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

TITLE = re.compile(r"(?:^| )(?:title|name|subject|label|heading|headline|product|course|model)$")


def of_another_title(claim: Claim, context: GroundContext) -> Iterator[Other]:
    """A title that was searched for word by word, where only others with some of its words were found."""
    told = told_of(context)
    for entry in context.ledger.calls:
        for cell in (c for r in records_of(entry.call.arguments) for c in r.cells):
            wanted = content_stems(cell.text)
            if len(wanted) < 2 or not QUERY.search(cell.key) or not _is_title(cell.text):
                continue
            if cell.text not in MARKUP.sub("", claim.text) or wanted <= told.stems & _row_stems(
                told, wanted
            ):
                continue
            for passage, _ in told.texts:
                for own, _, _ in passage.cells if passage.source.id == _result_of(entry) else ():
                    if TITLE.search(own.key) and _is_like(own.text, cell.text, wanted):
                        yield Other(cell.text, own.text, passage)


def _result_of(entry: object) -> int | None:
    result = getattr(entry, "result", None)
    return result.id if result is not None else None


def _row_stems(told: Told, wanted: frozenset[str]) -> frozenset[str]:
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
_ENOUGH = 4
"""Words of content in which a claim and a sentence agree, so that the one word they differ in is the thing."""


def with_another_word(claim: Claim, context: GroundContext) -> Iterator[Other]:
    """A sentence that is the claim's own but for the thing, which only the question names: "applications
    for the rent rebate close on 15 May", made of "applications for the travel card close on 15 May"."""
    told = told_of(context)
    mine = words(MARKUP.sub("", claim.text))
    for value in claim.values:
        for hit in context.search.hits(value) if value.kind in FIGURES else ():
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
