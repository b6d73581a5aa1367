"""An answer that is shown while it is being written: sentence by sentence, each checked first.

What has been shown stays. Where a later sentence is false the draft goes back to the model, which is
told what the user has read already, and the next draft goes on from there; so does a refusal.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from affidavit._sync import run_sync
from affidavit.guard.decision import AnswerDecision
from affidavit.guard.release import next_cut
from affidavit.thinking import spoken
from affidavit.trace import Citation

if TYPE_CHECKING:
    from affidavit.guard.guard import Guard

LOOKBACK = 512
"""Characters before what is new in which an end of a sentence is looked for again: it may show only when
the next line has begun."""

_log = logging.getLogger("affidavit.guard")

MOST_FAILED = 2
"""Sentences in a row that did not pass before a draft is only read to its end: what stands after a
false sentence cannot be shown, but one that is merely weak may be borne out by the next."""


class AnswerStream:
    """One draft of an answer. ``feed`` it as it arrives, ``finish`` it when it is complete.

    Nothing is returned to be shown that the gate would not let out: a sentence goes out when the
    answer up to its end would be emitted. A draft that turns out to be words before a tool call is
    closed with ``interrupt`` instead.
    """

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._base = guard.shown
        self._base_citations = guard.shown_citations if guard.shown else ()
        self._raw = self._said = self._draft = ""
        self._citations: tuple[Citation, ...] = ()
        self._thinking = False
        self._checked = self._released = len(self._base)
        self._looked = 0
        self._failed = 0
        self._begun = self._first = 0.0  # readings of the clock, 0 for not yet

    async def afeed(self, text: str) -> str:
        """Take the next piece of the draft; return what may be shown now."""
        shown = self._take(text)
        whole = self._whole(complete=False)
        while (cut := self._next_cut(whole)) is not None:
            self._checked = cut
            report = await self._guard.ajudge(
                whole[:cut], partial=True, citations=self._cited(whole, cut)
            )
            if report.action == "emit":
                self._failed = 0
                shown += self._release(whole, cut)
            else:
                self._failed += 1
        return shown

    async def afinish(self) -> AnswerDecision:
        """Judge the whole draft. The decision's ``rest`` is what is still to be shown."""
        first = (self._first - self._begun) * 1000 if self._first else None
        whole = self._completed()
        told = self._guard.cut_off
        self._guard.cut_off = told or self._thinking
        try:
            return await self._guard.acheck_answer(
                whole,
                shown=self._released,
                first_sentence=first,
                citations=self._cited(whole, len(whole)),
            )
        finally:
            self._guard.cut_off = told

    async def ainterrupt(self) -> str:
        """The draft ends in a tool call: return what else of it may be shown. The rest is dropped."""
        whole = self._completed()
        left, shown = whole[self._released :], ""
        if left.strip():
            cited = self._cited(whole, len(whole))
            passes = self._guard.shadow or (
                (await self._guard.ajudge(whole, partial=True, citations=cited)).action == "emit"
            )
            shown = self._release(whole, len(whole)) if passes else ""
        self.drop()
        return shown

    def drop(self) -> None:
        """What has been shown of the draft stands by itself: the answer does not go on from it."""
        self._guard.shown, self._guard.shown_citations = "", ()

    @property
    def released(self) -> bool:
        """Whether anything of the draft has been shown."""
        return self._released > len(self._base)

    def feed(self, text: str) -> str:
        """:meth:`afeed`, from synchronous code."""
        shown = self._take(text)
        if self._next_cut(self._whole(complete=False)) is None:
            return shown  # most pieces end no sentence, and need no loop
        return shown + run_sync(self.afeed(""))

    def finish(self) -> AnswerDecision:
        """:meth:`afinish`, from synchronous code."""
        return run_sync(self.afinish())

    def interrupt(self) -> str:
        """:meth:`ainterrupt`, from synchronous code."""
        return run_sync(self.ainterrupt())

    def _take(self, text: str) -> str:
        self._begun = self._begun or time.perf_counter()
        self._raw += text
        if self._guard.shadow:
            self._said = self._draft = self._raw
            return self._release(self._draft, len(self._draft))
        # A closing tag alone is the end of thinking only while nothing has been shown of it.
        said = spoken(self._raw, lone=not self.released)
        read = self._guard.unmarked(said.text, complete=False)
        if not read.text.startswith(self._draft[: self._checked - len(self._base)]):
            self._checked, self._failed = self._released, 0
        self._said, self._thinking = said.text, said.unfinished
        self._draft, self._citations = read
        return ""

    def _completed(self) -> str:
        """The answer, now that nothing more of the draft comes."""
        self._draft, self._citations = self._guard.unmarked(self._said)
        return self._whole()

    def _cited(self, whole: str, cut: int) -> tuple[Citation, ...]:
        """What is cited in ``whole`` up to ``cut``: the draft is its end, behind what an earlier one has shown."""
        gap = len(whole) - len(self._draft)
        own = (c.model_copy(update={"at": c.at + gap}) for c in self._citations if c.at + gap >= 0)
        begun = len(self._base)
        return (*self._base_citations, *(c for c in own if begun <= c.at <= cut))

    def _next_cut(self, whole: str) -> int | None:
        if self._guard.shadow or self._failed >= MOST_FAILED:
            return None
        try:
            # What was no end of a sentence then is hardly one now.
            start = max(self._checked, self._looked - LOOKBACK)
            cut = next_cut(whole, start)
        except Exception:  # what cannot be cut waits for its end, where the fail mode decides
            _log.warning("an answer could not be cut into sentences", exc_info=True)
            cut = None
        if cut is None:
            self._looked = len(whole)
        return cut

    def _release(self, whole: str, cut: int) -> str:
        self._first = self._first or time.perf_counter()
        piece = whole[self._released : cut]
        self._released = cut
        self._guard.shown_citations = self._cited(whole, cut)
        self._guard.shown = whole[:cut]
        return piece

    def _whole(self, *, complete: bool = True) -> str:
        """The answer as the user would read it: what an earlier draft has shown, and what follows.

        A model that was told to go on may begin again with what has been shown.
        """
        base, draft = self._base, self._draft
        if not base:
            return draft
        said, again = base.strip(), draft.lstrip()
        if again.startswith(said):
            return base + again[len(said) :].lstrip()
        if not complete and said.startswith(again):
            return base
        return base + ("" if base[-1:].isspace() or not again else " ") + again
