"""A knowledge base: documents and their versions, searched with what a citation needs beside each hit.

The names below are loaded when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from affidavit.grounding.knowledge.base import KnowledgeBase as KnowledgeBase
    from affidavit.grounding.knowledge.document import Document as Document
    from affidavit.grounding.knowledge.document import Section as Section
    from affidavit.grounding.knowledge.floor import measure_floor as measure_floor
    from affidavit.grounding.knowledge.freshness import freshness_warnings as freshness_warnings
    from affidavit.grounding.knowledge.langchain import LangChainRetriever as LangChainRetriever
    from affidavit.grounding.knowledge.picture import floor_picture as floor_picture
    from affidavit.grounding.knowledge.readers.folder import read_documents as read_documents
    from affidavit.grounding.knowledge.retriever import Hit as Hit
    from affidavit.grounding.knowledge.retriever import Passage as Passage
    from affidavit.grounding.knowledge.retriever import Retriever as Retriever
    from affidavit.grounding.knowledge.retriever import Source as Source

_HOME = {
    "Document": "document",
    "Hit": "retriever",
    "KnowledgeBase": "base",
    "LangChainRetriever": "langchain",
    "Passage": "retriever",
    "Retriever": "retriever",
    "Section": "document",
    "Source": "retriever",
    "floor_picture": "picture",
    "freshness_warnings": "freshness",
    "measure_floor": "floor",
    "read_documents": "readers.folder",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
