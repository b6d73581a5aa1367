"""The whole way: query, search with a second try, confidence, state, answer, Stage 2."""

from __future__ import annotations

from affidavit._sync import run_sync
from affidavit.grounding.answer import CitedAnswer, answer_from
from affidavit.grounding.query_kinds import QueryKind
from affidavit.grounding.refusals import Refusals
from affidavit.grounding.requery import GroundedSearch
from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.models.llm.protocol import LanguageModel


class GroundedPipeline:
    """Answers questions from a search, or says that it cannot.

    ``search`` finds, assesses and tries again; ``model`` writes the answer and is not asked where
    nothing was found; ``detector`` judges it before it goes out. Holds no state of any question; safe
    to share.
    """

    def __init__(
        self,
        search: GroundedSearch,
        model: LanguageModel,
        detector: AnswerChecker,
        *,
        system: str = "",
        refusals: Refusals | None = None,
        guard: GuardOptions | None = None,
    ) -> None:
        self._search, self._model, self._detector = search, model, detector
        self._system, self._refusals, self._guard = system, refusals, guard

    async def aask(self, question: str, *, kind: QueryKind | None = None) -> CitedAnswer:
        """The answer to a question. ``kind`` says what it is about where its words do not."""
        searched = await self._search.search(question, kind=kind)
        return await answer_from(
            question, searched, self._model,
            system=self._system, refusals=self._refusals, detector=self._detector,
            guard=self._guard,
        )  # fmt: skip

    def ask(self, question: str, *, kind: QueryKind | None = None) -> CitedAnswer:
        """:meth:`aask`, from synchronous code."""
        return run_sync(self.aask(question, kind=kind))
