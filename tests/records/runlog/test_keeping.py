"""What is removed on record, what an older version wrote, what a person said afterwards."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from affidavit.audit.cases import Case
from affidavit.errors import LogError
from affidavit.records.runlog import (
    Anchor,
    Query,
    ReviewKey,
    RunLog,
    labels,
    open_log,
    reviewed_cases,
)
from affidavit.report import EvidenceSpan
from affidavit.testing import claim_verdict, report_of
from affidavit.trace import Message, RunTrace, TextPart

START = datetime(2026, 1, 1, tzinfo=UTC)
HERE = Path(__file__).parent


def days(log: RunLog, count: int, first: int = 0) -> list[Anchor]:
    """A report a day from the start on; the anchor after each."""
    anchors = []
    for day in range(first, first + count):
        log._clock = lambda day=day: START + timedelta(days=day)  # type: ignore[misc]
        log.report(report_of(run_id=f"day-{day}"))
        anchors.append(log.anchor())
    return [anchor for anchor in anchors if anchor]


def names(log: RunLog) -> list[str]:
    return [entry.run_id for entry in log.search(Query(kind="report"))]


@pytest.mark.spec("AFF-1206")
def test_pruning_leaves_a_log_that_can_be_verified(log: RunLog) -> None:
    anchors = days(log, 6)
    assert log.prune(START + timedelta(days=2)) == 2
    assert names(log) == ["day-2", "day-3", "day-4", "day-5"]
    found = log.verify(anchors)
    assert (found.ok, found.pruned) == (True, 2)
    assert log.prune(START + timedelta(days=4)) == 2
    assert log.prune(START + timedelta(days=4)) == 0
    days(log, 2, first=6)
    assert log.prune(START + timedelta(days=9)) == 6
    assert names(log) == []
    found = log.verify(anchors)
    assert (found.ok, found.pruned) == (True, 10)
    assert log.verify([Anchor(10, "0" * 64)]).faults[0].kind == "changed"


def test_what_was_pruned_is_not_left_in_the_file(tmp_path: Path) -> None:
    with open_log(tmp_path / "runs.db") as log:
        log._clock = lambda: START
        log.report(report_of(run_id="r", answer="the number of the beast"))
        log.prune(START + timedelta(days=1))
    assert b"the beast" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.spec("AFF-1206")
def test_a_prune_record_for_something_else_accounts_for_nothing(log: RunLog) -> None:
    days(log, 4)
    log.prune(START + timedelta(days=1))
    kept = list(log.records())
    from affidavit.records.runlog.chain import verify

    assert [(f.kind, f.seq) for f in verify(kept[1:]).faults] == [("removed", 1)]


def test_nothing_is_pruned_of_an_empty_log(log: RunLog) -> None:
    assert log.prune(START) == 0
    assert list(log.search()) == []
    assert log.verify([]).ok


def test_a_time_without_a_zone_is_refused(log: RunLog) -> None:
    days(log, 1)
    with pytest.raises(LogError, match="without a zone"):
        log.prune(datetime(2027, 1, 1))  # noqa: DTZ001


@pytest.mark.spec("AFF-1208")
def test_a_log_of_an_older_schema_is_brought_to_the_present_one(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    old = sqlite3.connect(path)
    old.executescript((HERE / "schema_1.sql").read_text(encoding="utf-8"))
    old.close()
    with open_log(path) as log:
        assert str(log.anchor()) == (HERE / "schema_1.anchor").read_text().strip()
        assert log.verify([Anchor.parse((HERE / "schema_1.anchor").read_text())]).ok
        assert [entry.seq for entry in log.search(Query(action="block", tool="get_repair"))] == [2]
        log.report(report_of(run_id="after"))
        assert names(log)[-1] == "after"
    with open_log(path) as log:
        assert log.verify().ok


@pytest.mark.spec("AFF-1208")
@pytest.mark.postgres
def test_an_older_schema_in_postgresql(new_schema: Callable[[], str]) -> None:
    import psycopg

    address = new_schema()
    script = (HERE / "schema_1.sql").read_text(encoding="utf-8")
    with psycopg.connect(address, autocommit=True) as old:
        tables = [line for line in script.split(";\n") if not line.startswith("PRAGMA")]
        old.execute(";\n".join(tables).replace("INTEGER PRIMARY", "BIGINT PRIMARY"))  # type: ignore[arg-type]
        old.execute("CREATE TABLE affidavit_log_version (version INTEGER NOT NULL)")
        old.execute("INSERT INTO affidavit_log_version VALUES (1)")
    with open_log(address) as log:
        assert log.verify([Anchor.parse((HERE / "schema_1.anchor").read_text())]).ok
        assert [entry.seq for entry in log.search(Query(action="block", tool="get_repair"))] == [2]


def test_a_log_of_a_later_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    open_log(path).close()
    with sqlite3.connect(path) as later:
        later.execute("PRAGMA user_version = 99")
    later.close()
    with pytest.raises(LogError, match="upgrade affidavit"):
        open_log(path)


def reviewed(log: RunLog, key: ReviewKey | None = None) -> dict[str, Any]:
    span = EvidenceSpan(source="tool_result", text="price: 5")
    claim = claim_verdict("It costs $7.", 0.1, evidence=[span], reason="value_not_in_evidence")
    trace = RunTrace(
        run_id="shop",
        messages=(Message(role="user", parts=(TextPart(text="What does it cost?"),)),),
        answer="It costs $7.",
    )
    log.report(report_of(claim, run_id="shop", action="block"), trace)
    record = log.overrule(1, "supported", claim=0, reviewer="Ida", reason="A fee of $2.", key=key)
    return record.data["review"]


@pytest.mark.spec("AFF-1207")
def test_a_review_changes_nothing_and_is_a_label(log: RunLog) -> None:
    reviewed(log)
    log.overrule(1, "emit", reviewer="Ida", reason="It was right.")
    log.overrule(1, "contradicted", claim=0, reviewer="Bo", reason="There is no fee.")
    assert log.get(1).report().claims[0].status == "unsupported"
    assert [review.verdict for review in log.reviews(1)] == ["supported", "emit", "contradicted"]
    found = list(labels(log))
    assert [(label.claim, label.found, label.label, label.reviewer) for label in found] == [
        (None, "block", "emit", "Ida"),
        (0, "unsupported", "contradicted", "Bo"),
    ]
    assert found[1].evidence == ("price: 5",)
    assert (found[1].text, found[1].question) == ("It costs $7.", "What does it cost?")
    assert log.verify().ok
    log._clock = lambda: datetime.now(UTC)
    log.prune(log.get(2).at)
    assert list(labels(log)) == [], "what it is about is no longer there"


@pytest.mark.spec("AFF-1210")
@pytest.mark.parametrize(
    ("said", "twin"),
    [
        ([(0, "supported")], "partial"),
        ([(0, "supported"), (1, "supported")], "good"),
        ([(0, "supported"), (1, "unchecked")], "partial"),
        ([(None, "emit")], "good"),
        ([(0, "supported"), (None, "emit")], "good"),
        ([(None, "block")], "bad"),
        ([(0, "supported"), (1, "contradicted")], "bad"),
        ([(0, "unsupported"), (0, "supported")], "partial"),
    ],
)
def test_an_answer_is_a_good_case_only_where_all_of_it_was_reviewed(
    log: RunLog, said: list[tuple[int | None, str]], twin: str
) -> None:
    answer = "It costs $7. It ships today. Hello!"
    claims = [
        claim_verdict(text, 0.5, start=answer.index(text))
        for text in ("It costs $7.", "It ships today.")
    ]
    greeting = claim_verdict("Hello!", None, start=answer.index("Hello!"), status="exempt")
    trace = RunTrace(
        run_id="shop",
        messages=(Message(role="user", parts=(TextPart(text="What does it cost?"),)),),
        answer=answer,
    )
    log.report(report_of(*claims, greeting, run_id="shop", answer=answer), trace)
    for claim, verdict in said:
        log.overrule(1, verdict, claim=claim, reviewer="Ida", reason="Looked up.")
    (case,) = reviewed_cases(log)
    assert case["twin"] == twin
    Case.model_validate(case)


@pytest.fixture(params=["hmac", pytest.param("ed25519", marks=pytest.mark.sign)])
def key_files(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path, Path]:
    """A key to sign with, what checks its signatures, and another that does not."""
    signing, checking, other = (tmp_path / name for name in ("signing", "checking", "other"))
    if request.param == "hmac":
        for path, secret in ((signing, "s" * 32), (checking, "s" * 32), (other, "t" * 32)):
            path.write_text(secret + "\n")
        return signing, checking, other
    from cryptography.hazmat.primitives import serialization as pem
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key, stranger = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    signing.write_bytes(
        key.private_bytes(pem.Encoding.PEM, pem.PrivateFormat.PKCS8, pem.NoEncryption())
    )
    for path, public in ((checking, key.public_key()), (other, stranger.public_key())):
        path.write_bytes(
            public.public_bytes(pem.Encoding.PEM, pem.PublicFormat.SubjectPublicKeyInfo)
        )
    return signing, checking, other


@pytest.mark.spec("AFF-1207")
def test_a_signature_is_the_reviewers(log: RunLog, key_files: tuple[Path, Path, Path]) -> None:
    signing, checking, other = map(ReviewKey.load, key_files)
    reviewed(log, signing)
    assert log.verify(keys=[checking]).ok
    assert log.verify(keys=[other, checking]).ok
    assert [fault.kind for fault in log.verify(keys=[other]).faults] == ["signature"]
    log.overrule(1, "emit", reviewer="Ida", reason="Unsigned.")
    assert [fault.seq for fault in log.verify(keys=[checking]).faults] == [3]
    (first, _) = log.reviews(1)
    for change in ({"reviewer": "Bo"}, {"verdict": "contradicted"}, {"record": 7}, {"reason": ""}):
        assert not checking.signed(first.model_copy(update=change))


@pytest.mark.sign
def test_a_public_key_does_not_sign(key_files: tuple[Path, Path, Path], log: RunLog) -> None:
    if key_files[0].read_bytes().startswith(b"-----"):
        with pytest.raises(LogError, match="private"):
            reviewed(log, ReviewKey.load(key_files[1]))


@pytest.mark.parametrize("content", [b"", b"short"])
def test_what_is_no_key_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "key"
    path.write_bytes(content)
    with pytest.raises(LogError, match="16 bytes"):
        ReviewKey.load(path)


@pytest.mark.sign
def test_a_broken_pem_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
    with pytest.raises(LogError, match="not a review key"):
        ReviewKey.load(path)
