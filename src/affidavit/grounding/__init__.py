"""Before the answer: what keeps a model from inventing in the first place.

The names below are loaded when first used. The knowledge base has a room of its own,
:mod:`affidavit.grounding.knowledge`, and so has the examination of one's own agent,
:mod:`affidavit.grounding.doctor`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from affidavit.grounding.answer import CitedAnswer as CitedAnswer
    from affidavit.grounding.answer import aanswer_with_citations as aanswer_with_citations
    from affidavit.grounding.answer import answer_with_citations as answer_with_citations
    from affidavit.grounding.citations import cite as cite
    from affidavit.grounding.confidence import Confidence as Confidence
    from affidavit.grounding.confidence import ModelConfidence as ModelConfidence
    from affidavit.grounding.faults import NothingFound as NothingFound
    from affidavit.grounding.faults import ToolNotConfigured as ToolNotConfigured
    from affidavit.grounding.floors import Floors as Floors
    from affidavit.grounding.local_confidence import LocalConfidence as LocalConfidence
    from affidavit.grounding.messages import to_anthropic as to_anthropic
    from affidavit.grounding.messages import to_langchain as to_langchain
    from affidavit.grounding.messages import to_mcp as to_mcp
    from affidavit.grounding.messages import to_openai_chat as to_openai_chat
    from affidavit.grounding.messages import to_openai_responses as to_openai_responses
    from affidavit.grounding.origins import where_from as where_from
    from affidavit.grounding.pipeline import GroundedPipeline as GroundedPipeline
    from affidavit.grounding.reformulate import ModelReformulator as ModelReformulator
    from affidavit.grounding.requery import GroundedSearch as GroundedSearch
    from affidavit.grounding.result import GroundedResult as GroundedResult
    from affidavit.grounding.tool import grounded_tool as grounded_tool

_HOME = {
    "CitedAnswer": "answer",
    "Confidence": "confidence",
    "Floors": "floors",
    "GroundedPipeline": "pipeline",
    "GroundedResult": "result",
    "GroundedSearch": "requery",
    "LocalConfidence": "local_confidence",
    "ModelConfidence": "confidence",
    "ModelReformulator": "reformulate",
    "NothingFound": "faults",
    "ToolNotConfigured": "faults",
    "aanswer_with_citations": "answer",
    "answer_with_citations": "answer",
    "cite": "citations",
    "grounded_tool": "tool",
    "to_anthropic": "messages",
    "to_langchain": "messages",
    "to_mcp": "messages",
    "to_openai_chat": "messages",
    "to_openai_responses": "messages",
    "where_from": "origins",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
