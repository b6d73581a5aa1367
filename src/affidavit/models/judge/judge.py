"""A language model as judge of a response: one call, one strict verdict, whose quote must stand where it is said to.

There are three kinds, each with a prompt file of its own: is the response about the right thing, is it borne out, and does it
say so where it does not know?
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from affidavit.errors import ModelError
from affidavit.models.judge.prompt import PLACEHOLDERS, JudgePrompt, default_prompt, packaged_prompt
from affidavit.models.judge.quotes import place_of
from affidavit.models.llm.fence import fenced
from affidavit.models.llm.protocol import ChatMessage, LanguageModel, completed
from affidavit.models.llm.strict_json import json_object

ResponseKind = Literal["conversational", "tool_data", "company_knowledge"]
DocumentKind = Literal["knowledge", "tool_result", "tool_definition", "system", "user"]

_TITLES: dict[DocumentKind, str] = {
    "knowledge": "",
    "tool_result": "Tool Result:",
    "tool_definition": "Tool Declaration:",
    "system": "System Prompt:",
    "user": "Customer:",
}
"""How the title of a document begins, by what it is."""

PASS_SCORE = 0.7
"""The least score that says that all that matters is in the documents, by the prompt's own scale."""


@dataclass(frozen=True, slots=True)
class JudgeDocument:
    """Something the response may rest on, and what it is: what a tool returned outranks the rest, and what the user
    said bears out no more than that it was said."""

    title: str
    text: str
    kind: DocumentKind = "knowledge"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the judge said. ``score`` is None where it said nothing usable: that is a failure of the
    judge, told in ``reasoning``, and neither a pass nor a verdict on the response."""

    score: float | None
    reasoning: str
    kind: ResponseKind | None = None
    produced_by: str = ""
    quote: str = ""
    """The words that it showed for its verdict, which stand in a document or in the response."""

    @property
    def failed(self) -> bool:
        return self.score is None

    @property
    def passed(self) -> bool:
        return self.score is not None and self.score >= PASS_SCORE


class ResponseJudge:
    """Asks ``model`` one thing about a response and its documents: what its ``prompt`` asks. Holds no state; safe to share.

    A verdict with a quote that stands nowhere is none; nor is one for the response without a quote, where the prompt requires one.
    """

    quotes_response = True
    """Whether words of the response itself show anything."""

    def __init__(self, model: LanguageModel, *, prompt: JudgePrompt | None = None) -> None:
        self._model = model
        self._prompt = prompt or default_prompt()

    @property
    def name(self) -> str:
        return f"{self._prompt.id}/{self._prompt.version}@{self._model.name}"

    async def judge(
        self, response: str, documents: Iterable[JudgeDocument], *, question: str = ""
    ) -> Judgement:
        """One call of the model. Never raises for what it does or answers."""
        documents = list(documents)
        prompt = self._prompt.render(
            documents=_shown(documents), response=response, question=question
        )
        try:
            answer = await completed(self._model, [ChatMessage("user", prompt)])
            judgement = _read(json_object(answer))
            self._verify(judgement, response, documents)
        except ModelError as error:
            return Judgement(None, f"the judge gave no verdict: {error}", produced_by=self.name)
        return replace(judgement, produced_by=self.name)

    def _verify(
        self, judgement: Judgement, response: str, documents: Sequence[JudgeDocument]
    ) -> None:
        if judgement.quote.strip():
            places = [*documents, *([JudgeDocument("", response)] if self.quotes_response else ())]
            if place_of(judgement.quote, places) is None:
                raise ModelError(f"what it quotes stands nowhere: {judgement.quote[:80]!r}")
        elif self._prompt.quotes and judgement.passed and judgement.kind != "conversational":
            raise ModelError("it passes the response without a quote")


class GroundednessJudge(ResponseJudge):
    """Is it borne out: how far does a response follow from its documents? Words of the response itself show nothing."""

    quotes_response = False


class RelevanceJudge(ResponseJudge):
    """Is it about the right thing: the one that was asked about?"""

    def __init__(self, model: LanguageModel, *, prompt: JudgePrompt | None = None) -> None:
        super().__init__(model, prompt=prompt or packaged_prompt("relevance.md", PLACEHOLDERS))


class IgnoranceJudge(ResponseJudge):
    """Does it say so where it does not know: where the documents do not hold what was asked for?"""

    def __init__(self, model: LanguageModel, *, prompt: JudgePrompt | None = None) -> None:
        super().__init__(model, prompt=prompt or packaged_prompt("ignorance.md", PLACEHOLDERS))


def _shown(documents: Iterable[JudgeDocument]) -> str:
    """Each document fenced, its title inside the fence: a title is material as well."""
    pieces = []
    for document in documents:
        title = f"{_TITLES[document.kind]} {_bare(document.title)}"
        pieces.append(fenced("document", f"title: {' '.join(title.split())}\n\n{document.text}"))
    return "\n".join(pieces) or "(no documents were retrieved)"


def _bare(title: str) -> str:
    """A title without beginnings by which it would pass for another kind of document."""
    bare = title.strip()
    while begun := next((b for b in _TITLES.values() if b and bare.startswith(b)), None):
        bare = bare.removeprefix(begun).strip()
    return bare


def _read(verdict: dict[str, object]) -> Judgement:
    score, reasoning, kind, quote = (
        verdict.get(k) for k in ("score", "reasoning", "kind", "quote")
    )
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        raise ModelError(f"expected a number as score, got {score!r}")
    if not 0 <= score <= 1:
        raise ModelError(f"expected a score from 0 to 1, got {score!r}")
    if not isinstance(reasoning, str) or not reasoning.strip():
        raise ModelError("expected reasoning, got none")
    if kind is not None and kind not in get_args(ResponseKind):
        raise ModelError(f"unknown kind of response {kind!r}")
    if quote is not None and not isinstance(quote, str):
        raise ModelError(f"expected text as quote, got {quote!r}")
    if unknown := verdict.keys() - {"score", "reasoning", "kind", "quote"}:
        raise ModelError(f"unknown fields {', '.join(sorted(unknown))}")
    return Judgement(float(score), reasoning.strip(), kind, quote=quote or "")  # type: ignore[arg-type]
