"""Citations that a model writes into its answer: ``[call_id]``, or ``[call_id] "quote"``, behind a statement.

They are for the check and not for the reader: what the user sees is the same text without them. In code, and as
the text of a link, brackets are what they are; so are numbers in brackets, by which answers cite sources to their
readers.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from affidavit.trace import Citation

CITE_AS_YOU_WRITE = (
    "In your answer, put [call_id] right behind each statement that rests on a tool's result, with the id of that tool call, "
    "or the tool's name where you do not know the id: the marks are taken out before the user reads the answer."
)
"""The line of the system prompt by which a model is asked to cite as it writes."""

_STRING = r'"[^"\n]*"'
_PAIR = rf"{_STRING}[ \t]*:[ \t]*(?:{_STRING}|-?\d+(?:\.\d+)?|true|false|null)"
_QUOTE = "|".join(
    (
        # A piece of JSON as it stands in the result.
        rf"\{{?[ \t]*{_PAIR}(?:[ \t]*,[ \t]*{_PAIR})*(?:[ \t]*\}})?(?![\w\"])",
        # Quotation marks inside of a quote are those of JSON: before a colon, or behind one.
        (r"\\?\"[^\n]{1,600}?(?<![\s:{\[\\])\\?\"(?![\w\"]|[ \t]*[}\]]"
        r"|[ \t]*:[ \t]*(?:[\"{\d-]|true|false|null)|[ \t]*,[ \t]*\"[^\"\n]*\"[ \t]*:)"),
        r"“[^”\n]+”", r"„[^“”\n]+[“”]", r"«[^»\n]+»",
    )
)  # fmt: skip
_MARK = re.compile(
    r"\[(?P<refs>[^\[\]\n\"“”]{1,200}?)(?:[:,]?[ \t]*(?P<inner>\"[^\"\n]+\"|“[^”\n]+”))?\](?!\()"
)
_BEHIND = re.compile(rf"[ \t]*+(?::[ \t]*+)?(?P<quote>{_QUOTE})")
_BEHIND_AT_LEAST = re.compile(rf"[ \t]*+(?::[ \t]*+)?(?P<quote>{_STRING})")
"""What is taken for the quote where no closing mark of the line looks like its end."""
_BETWEEN = re.compile(r"[ \t]*+(?:[,;][ \t]*+)?(?=\[)")
_LINE_ENDS = re.compile(r"[.,;]?[ \t]*(?=\r?\n|\Z)")
_NEWLINE = re.compile(r"\r?\n")
_NEXT = re.compile(r"(?P<fence>^[ \t]*(?:```|~~~))|(?P<code>`[^`\n]+`)|\[", re.M)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*$", re.M)
_LINE_BEGINS = re.compile(r"[ \t]*(?:(?:[-*+•>]|\d{1,3}[.)])[ \t]+)?")
_PREFIX = re.compile(r"[^\W\d_]+(?:[_-]|(?=\d))")
_ID = re.compile(r"(?=[^\s]*[^\W\d_])(?=[^\s]*[\d_])\S+")
_OPEN = re.compile(r"\[[^\[\]\n]{0,400}\Z")
_MAY_GO_ON = {
    False: re.compile(r"[ \t]*+(?:[.,;:)`][ \t]*+)?\Z"),
    True: re.compile(r"[ \t]*+(?:[.,;:)`][ \t]*+)?(?:[\"“„«{\\][^\n]*)?\Z"),
}
"""What may stand behind a mark that is not over yet, without quotes and with them."""
_STOPS = ".!?…"


class Cited(NamedTuple):
    """A text without its marks, and the citations that they were."""

    text: str
    citations: tuple[Citation, ...] = ()


class Marks:
    """Reads the marks of an answer. ``calls`` are the ids of the run's calls, ``tools`` the names of the tools that
    it called, by which a model may cite that is not shown the ids. With ``quotes`` a mark takes the quotation
    behind it along.

    Something in brackets is a mark where it names a call of the run, or is made like the ids of its calls: a mark
    that names no call is a false citation, not a part of the answer.
    """

    def __init__(self, calls: Collection[str], tools: Collection[str], *, quotes: bool) -> None:
        self._known = {name for name in (*calls, *tools) if not name.isdigit()}
        made = (_PREFIX.match(name) for name in calls)
        self._prefixes = {found.group() for found in made if found}
        self._quotes = quotes

    def read(self, text: str, *, complete: bool = True) -> Cited:
        """``text`` without its marks. Of one that is not ``complete``, what may yet become a part of a mark is left
        out too."""
        if "[" not in text:
            return Cited(text)
        said, citations, kept, look = "", list[Citation](), 0, 0
        while found := _NEXT.search(text, look):
            look = found.end()
            if found["fence"]:
                closing = _FENCE.search(text, found.end())
                look = closing.end() if closing else len(text)
                continue
            inside = 1 if found["code"] else 0
            marks, end = self._run(text, found.start() + inside, complete)
            if found["code"] and end != found.end() - 1:
                continue
            if not marks:
                if not complete and not found["code"] and self._may_be(text, found.start()):
                    return self._held(said, text, kept, found.start(), citations)
                continue
            if not complete and _MAY_GO_ON[self._quotes].match(text, end):
                return self._held(said, text, kept, found.start(), citations)
            quoted = any(quote for _, quote in marks)
            start, end = _extent(text, found.start(), end + inside, kept, quoted=quoted)
            said += text[kept:start]
            citations += [Citation(at=len(said), calls=refs, quote=quote) for refs, quote in marks]
            kept, look = end, max(end, look)
        return Cited(said + text[kept:], tuple(citations))

    def _held(
        self, said: str, text: str, kept: int, start: int, citations: list[Citation]
    ) -> Cited:
        begun, _ = _extent(text, start, len(text), kept, quoted=False)
        return Cited(said + text[kept:begun], tuple(citations))

    def _run(
        self, text: str, start: int, complete: bool
    ) -> tuple[list[tuple[tuple[str, ...], str]], int]:
        """The marks that stand one behind another from ``start`` on, and where the last of them ends."""
        marks: list[tuple[tuple[str, ...], str]] = []
        end = at = start
        while found := _MARK.match(text, at):
            quote = found["inner"] or ""
            over = found.end()
            if self._quotes and not quote and (behind := self._behind(text, over, complete)):
                quote, over = behind["quote"], behind.end()
            refs = _refs(found)
            if not refs or not all(self._is_reference(ref, quoted=bool(quote)) for ref in refs):
                break
            marks.append((refs, _bare(quote)))
            end = over
            between = _BETWEEN.match(text, end)
            if between is None:
                break
            at = between.end()
        return marks, end

    def _may_be(self, text: str, start: int) -> bool:
        """Whether a bracket that is no mark yet may become one."""
        found = _MARK.match(text, start)
        if found is None:
            return bool(_OPEN.match(text, start))
        like = all(_ID.fullmatch(ref) for ref in _refs(found))
        return self._quotes and like and bool(_MAY_GO_ON[True].match(text, found.end()))

    def _behind(self, text: str, over: int, complete: bool) -> re.Match[str] | None:
        """The quote behind a mark."""
        settled = complete or text.find("\n", over) >= 0
        return _BEHIND.match(text, over) or (
            _BEHIND_AT_LEAST.match(text, over) if settled else None
        )

    def _is_reference(self, ref: str, *, quoted: bool) -> bool:
        if ref in self._known:
            return True
        if not _ID.fullmatch(ref):
            return False
        prefix = _PREFIX.match(ref)
        return quoted or (prefix is not None and prefix.group() in self._prefixes)


def _refs(mark: re.Match[str]) -> tuple[str, ...]:
    return tuple(ref.strip() for ref in re.split(r"[,;]", mark["refs"]) if ref.strip())


def _extent(text: str, start: int, end: int, kept: int, *, quoted: bool) -> tuple[int, int]:
    """What goes with marks from ``start`` to ``end``: the brackets around them, the blanks before them, and a line that
    holds nothing else."""
    if text[start - 1 : start] == "(" and (text[end : end + 1] == ")" or end == len(text)):
        start, end = start - 1, min(end + 1, len(text))
    line = text.rfind("\n", 0, start) + 1
    begins = _LINE_BEGINS.fullmatch(text, line, start)
    if begins and line >= kept:
        after = _LINE_ENDS.match(text, end)
        if after is None:
            return start, _blanks_after(text, end)
        if line:
            return max(kept, line - (2 if text[line - 2 : line] == "\r\n" else 1)), after.end()
        newline = _NEWLINE.match(text, after.end())
        return 0, newline.end() if newline else after.end()
    begun = start
    while begun > kept and text[begun - 1] in " \t":
        begun -= 1
    # The stop of a citation that follows the stop of its statement.
    if quoted and text[begun - 1 : begun] in tuple(_STOPS) and text[end : end + 1] in (".", ";"):
        end += 1
    return begun, end


def _blanks_after(text: str, end: int) -> int:
    while end < len(text) and text[end] in " \t":
        end += 1
    return end


def _bare(quote: str) -> str:
    """A quotation without its marks; a piece of JSON is left as it is."""
    inner = re.fullmatch(r"\\?[\"“„«](.*?)\\?[\"”“»]", quote, re.S)
    return quote if inner is None or re.match(_PAIR, quote) else inner[1]
