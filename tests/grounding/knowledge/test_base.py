"""A knowledge base through its public face, on each storage."""

from __future__ import annotations

from affidavit.grounding.knowledge.base import KnowledgeBase
from affidavit.grounding.knowledge.document import Document


def test_thin(tmp_path):
    with KnowledgeBase(tmp_path / "kb.db") as base:
        base.ingest([Document.from_text("fees", "The card costs 5 euros a month.", title="Fees")])
        base.ingest([Document.from_text("fees", "The card costs 7 euros a month.", title="Fees")])
        hits = base.search_sync("What does the card cost?")
        assert [h.id for h in hits] == ["fees@2#1"] and hits[0].score > 0.5
        assert "5 euros" in base.resolve("fees@1#1").text
        assert not base.resolve("fees@1#1").source.active
