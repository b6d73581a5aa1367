"""A knowledge base through its public face, on SQLite and on a real PostgreSQL."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest

from affidavit.errors import KnowledgeError
from affidavit.grounding.citations import cite, source_fields
from affidavit.grounding.knowledge.base import KnowledgeBase
from affidavit.grounding.knowledge.document import Document, Section
from affidavit.grounding.knowledge.retriever import Retriever
from affidavit.grounding.knowledge.storage import Storage
from affidavit.models.embedding.onnx import EmbeddedEncoder
from affidavit.models.embedding.protocol import Vectors

FEES = Document(
    "fees.md",
    "Card fees",
    (
        Section("The harbour card costs 5 euros a month.", ("Monthly fee",), page=2),
        Section("Cash from other banks' machines costs 2 euros.", ("Cash", "Abroad"), page=3),
    ),
    version="2.1",
    url="https://bank.example/fees",
    document_date=date(2026, 3, 1),
)
HOURS = Document.from_text(
    "hours.md", "The branch opens at nine and closes at five.", title="Hours"
)


def dearer(euros: int, version: str | None = None) -> Document:
    return Document(
        FEES.id,
        FEES.title,
        (Section(f"The harbour card costs {euros} euros a month.", ("Monthly fee",), 2),),
        version,
    )


def test_a_hit_carries_what_a_citation_needs(base: KnowledgeBase) -> None:
    before = datetime.now(UTC)
    base.ingest([FEES, HOURS])
    hit = base.search_sync("How much is the harbour card per month?")[0]
    source = hit.source
    assert (hit.id, hit.text) == ("fees.md@1#1", "The harbour card costs 5 euros a month.")
    assert (source.title, source.document_id, source.version) == ("Card fees", "fees.md", "2.1")
    assert (source.section, source.page) == ("Monthly fee", 2)
    assert source.url == "https://bank.example/fees"
    assert source.document_date == date(2026, 3, 1)
    assert source.indexed_at is not None and before <= source.indexed_at <= datetime.now(UTC)
    assert source.active and 0.75 <= hit.score <= 1


def test_sections_keep_their_way_of_headings(base: KnowledgeBase) -> None:
    base.ingest([FEES, HOURS])
    hit = base.search_sync("cash machine abroad", limit=1)[0]
    assert (hit.source.section, hit.source.page) == ("Cash › Abroad", 3)


def test_what_the_base_does_not_hold_scores_below_the_floor(base: KnowledgeBase) -> None:
    base.ingest([FEES, HOURS])
    for question in ("Who painted the Mona Lisa?", "Do you offer mortgages?"):
        assert all(hit.score < 0.55 for hit in base.search_sync(question))


def test_an_empty_base_finds_nothing(base: KnowledgeBase) -> None:
    assert base.search_sync("anything") == []
    assert base.documents() == []


@pytest.mark.parametrize(
    "query", ["", "   ", "the of and", "\"'; DROP TABLE chunks; --", "AND OR *"]
)
def test_any_query_is_a_query(base: KnowledgeBase, query: str) -> None:
    base.ingest([FEES])
    assert len(base.search_sync(query)) == 2


@pytest.mark.spec("AFF-1021")
def test_a_new_version_takes_the_place_of_the_old_one(base: KnowledgeBase) -> None:
    base.ingest([FEES, HOURS])
    done = base.ingest([dearer(7, "3.0"), HOURS])
    assert (done.added, done.updated, done.unchanged) == ((), ("fees.md",), ("hours.md",))
    texts = [hit.text for hit in base.search_sync("harbour card euros a month", limit=10)]
    assert texts[0] == "The harbour card costs 7 euros a month."
    assert not any("5 euros" in text or "2 euros" in text for text in texts)


@pytest.mark.spec("AFF-1022")
def test_nothing_is_lost(base: KnowledgeBase) -> None:
    base.ingest([FEES])
    cited = base.search_sync("harbour card euros a month", limit=1)[0]
    base.ingest([dearer(7)])
    base.ingest([dearer(9)])
    passage = base.resolve(cited.id)
    assert passage.text == cited.text
    assert passage.source.version == "2.1" and not passage.source.active
    assert [(v.version, v.active) for v in base.versions("fees.md")] == [
        ("3", True),
        ("2", False),
        ("2.1", False),
    ]
    assert base.resolve("fees.md@3#1").source.active


@pytest.mark.spec("AFF-1012")
def test_a_document_without_a_version_is_cited_without_one(base: KnowledgeBase) -> None:
    base.ingest([FEES, HOURS])
    counted = base.search_sync("When does the branch open?", limit=1)[0].source
    own = base.search_sync("harbour card euros a month", limit=1)[0].source
    assert (counted.version, counted.counted, own.version, own.counted) == ("1", True, "2.1", False)
    assert "v1" not in cite(counted, 1, "full") and "version" not in source_fields(counted)
    assert "Card fees v2.1" in cite(own, 1, "full") and source_fields(own)["version"] == "2.1"


def test_going_back_to_an_old_text_is_a_version_of_its_own(base: KnowledgeBase) -> None:
    for euros in (5, 7, 5):
        base.ingest([dearer(euros)])
    assert [hit.id for hit in base.search_sync("harbour card")] == ["fees.md@3#1"]
    assert len(base.versions("fees.md")) == 3


def test_a_changed_title_or_date_is_a_new_version(base: KnowledgeBase) -> None:
    base.ingest([HOURS])
    redated = Document.from_text(
        "hours.md", HOURS.sections[0].text, title="Hours", document_date=date(2026, 1, 1)
    )
    assert base.ingest([redated]).updated == ("hours.md",)
    assert base.documents()[0].document_date == date(2026, 1, 1)


@pytest.mark.spec("AFF-1021")
def test_a_withdrawn_document_is_found_no_more_and_comes_back(base: KnowledgeBase) -> None:
    base.ingest([FEES, HOURS])
    assert base.withdraw("fees.md", "unknown.md") == 1
    assert base.withdraw("fees.md") == 0
    assert {hit.source.document_id for hit in base.search_sync("harbour card")} == {"hours.md"}
    assert not base.resolve("fees.md@1#1").source.active
    assert base.ingest([FEES]).added == ("fees.md",)
    assert base.search_sync("harbour card", limit=1)[0].id == "fees.md@2#1"


def test_of_one_id_twice_in_a_call_the_last_counts(base: KnowledgeBase) -> None:
    base.ingest([dearer(5), dearer(7)])
    assert "7 euros" in base.search_sync("harbour card", limit=1)[0].text


def test_another_connection_sees_what_was_added(
    storages: Callable[[], Storage], encoder: EmbeddedEncoder
) -> None:
    one, other = (KnowledgeBase(storages(), encoder=encoder) for _ in range(2))
    one.ingest([HOURS])
    assert len(other.search_sync("harbour card")) == 1
    one.ingest([FEES])
    assert other.search_sync("harbour card", limit=1)[0].id == "fees.md@1#1"
    other.ingest([dearer(7)])
    assert one.search_sync("harbour card", limit=1)[0].id == "fees.md@2#1"


def test_a_base_belongs_to_its_encoder(
    storages: Callable[[], Storage], encoder: EmbeddedEncoder
) -> None:
    KnowledgeBase(storages(), encoder=encoder).ingest([FEES])
    with pytest.raises(KnowledgeError, match=r"filled with another encoder.*new base"):
        KnowledgeBase(storages(), encoder=Letters())


def test_searches_and_writes_from_many_threads(base: KnowledgeBase) -> None:
    base.ingest([FEES, HOURS])

    def work(n: int) -> bool:
        if n % 4 == 0:
            base.ingest([Document.from_text(f"note-{n}", f"Note {n} on garden furniture.")])
        found = base.search_sync("harbour card monthly", limit=1)
        return found[0].id == "fees.md@1#1"

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(24)))
    assert len(base.documents()) == 8


@pytest.mark.spec("AFF-1021")
def test_two_writers_of_one_document_leave_one_active_version(
    storages: Callable[[], Storage], encoder: EmbeddedEncoder
) -> None:
    bases = [KnowledgeBase(storages(), encoder=encoder) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: bases[n].ingest([dearer(n)]), range(4)))
    versions = bases[0].versions("fees.md")
    assert len(versions) == 4 and [v.active for v in versions] == [True, False, False, False]
    assert len(bases[1].search_sync("harbour card")) == 1


def test_an_encoder_that_fails_leaves_the_base_as_it_was(base: KnowledgeBase) -> None:
    base.ingest([FEES])

    def broken() -> list[Document]:
        raise RuntimeError("the reader broke")

    with pytest.raises(RuntimeError):
        base.ingest(document for document in broken())
    assert len(base.documents()) == 1


def test_a_long_document_does_not_crowd_out_the_others(base: KnowledgeBase) -> None:
    handbook = Document(
        "handbook",
        "Handbook",
        tuple(
            Section(f"The card fee, part {n}: fees of the card.", (f"Fee {n}",)) for n in range(9)
        ),
    )
    base.ingest([handbook, FEES, HOURS])
    found = [hit.source.document_id for hit in base.search_sync("card fee", limit=4)]
    assert found.count("handbook") == 2 and "fees.md" in found
    base.withdraw("fees.md", "hours.md")
    assert len(base.search_sync("card fee", limit=4)) == 4


def test_one_of_the_two_rankings_alone(base: KnowledgeBase) -> None:
    base.ingest([FEES, HOURS])
    assert [hit.id for hit in base.search_sync("nine", by="words")] == ["hours.md@1#1"]
    assert base.search_sync("zebra", by="words") == []
    assert len(base.search_sync("zebra", by="vectors")) == 3


def test_a_base_is_a_retriever(base: KnowledgeBase) -> None:
    assert isinstance(base, Retriever)
    base.ingest([FEES])
    hits = asyncio.run(base.search("harbour card", limit=1))
    assert [hit.id for hit in hits] == ["fees.md@1#1"]


@pytest.mark.parametrize("id", ["", "fees.md", "fees.md@1#99", "fees.md@x#1", "none@1#1"])
def test_an_unknown_passage_is_told(base: KnowledgeBase, id: str) -> None:  # noqa: A002
    base.ingest([FEES])
    with pytest.raises(KnowledgeError, match="no passage"):
        base.resolve(id)


def test_a_limit_below_one_is_told(base: KnowledgeBase) -> None:
    with pytest.raises(KnowledgeError, match="at least one hit"):
        base.search_sync("x", limit=0)


class Letters:
    """An encoder of another kind: how often each letter occurs."""

    name = "letters"
    dimensions = 27

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        counts = np.zeros((len(texts), 27), np.float32)
        for row, text in enumerate(texts):
            for letter in text.lower():
                counts[row, ord(letter) - 97 if "a" <= letter <= "z" else 26] += 1
        counts[:, 26] += 1
        rows: Vectors = counts / np.linalg.norm(counts, axis=1, keepdims=True)
        return rows

    encode_queries = encode_documents


def test_any_encoder_serves_and_its_scores_are_cosines(storages: Callable[[], Storage]) -> None:
    encoder = Letters()
    base = KnowledgeBase(storages(), encoder=encoder)
    base.ingest([HOURS])
    query = "when does it open"
    hit = base.search_sync(query)[0]
    texts = encoder.encode_documents([f"Hours\n{HOURS.sections[0].text}", query])
    assert hit.score == pytest.approx(float(texts[0] @ texts[1]), abs=2e-3)


def test_a_file_that_is_no_base_is_told(tmp_path: Path, encoder: EmbeddedEncoder) -> None:
    text, other = tmp_path / "notes.txt", tmp_path / "other.db"
    text.write_text("not a database, whatever its name may be" * 9)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    for path in (text, other):
        with pytest.raises(KnowledgeError, match=path.name):
            KnowledgeBase(path, encoder=encoder)


def test_a_base_in_memory_is_shared_by_threads(encoder: EmbeddedEncoder) -> None:
    with KnowledgeBase(":memory:", encoder=encoder) as base, ThreadPoolExecutor(4) as pool:
        base.ingest([FEES])
        found = list(pool.map(lambda _: base.search_sync("harbour card")[0].id, range(8)))
    assert set(found) == {"fees.md@1#1"}


@pytest.mark.postgres
@pytest.mark.spec("AFF-1025")
def test_a_server_that_is_not_there_is_told(encoder: EmbeddedEncoder) -> None:
    from affidavit.grounding.knowledge.postgres import PostgresStorage

    url = "postgresql://nobody@127.0.0.1:1/none"
    with pytest.raises(KnowledgeError, match="PostgreSQL"):
        KnowledgeBase(PostgresStorage(url, timeout=0.5), encoder=encoder)
