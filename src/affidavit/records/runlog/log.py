"""The run log: every call that was checked, every report, and what a person said of it afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError

from affidavit.errors import LogError
from affidavit.records.runlog.chain import Verification, verify
from affidavit.records.runlog.facets import facets_of
from affidavit.records.runlog.record import Anchor, Entry, Facets, Kind, Record, seal, searchable
from affidavit.records.runlog.review import Review, ReviewKey, check_verdict
from affidavit.records.runlog.store import Query, Store
from affidavit.report import HallucinationReport, ToolCallValidation
from affidavit.trace import RunTrace


class RunLog:
    """A log of runs over a back end; :func:`open_log` makes one. Safe to share by threads.

    What is appended is durable when the call returns. Records are chained by their hashes; none is
    ever changed, and only :meth:`prune` removes any. Every method raises :class:`LogError` where the
    back end cannot be read or written.
    """

    def __init__(self, store: Store, *, clock: Callable[[], datetime] | None = None) -> None:
        self._store = store
        self._clock = clock or (lambda: datetime.now(UTC))

    def report(self, report: HallucinationReport, trace: RunTrace | None = None) -> Record:
        """Keep a report, with the run that it judged where that is to be shown beside it."""
        judged = _json(report)
        run = "null" if trace is None else _json(trace)
        body = f'{{"report":{judged},"trace":{run}}}'
        # The run may be large, and nothing is searched for in it.
        facets = facets_of("report", {"report": json.loads(judged)})
        return self._append("report", report.run_id, body, facets)

    def call(self, run_id: str, validation: ToolCallValidation) -> Record:
        """Keep a checked tool call, accepted or rejected, with what was found."""
        body = f'{{"validation":{_json(validation)}}}'
        return self._append("call", run_id, body, facets_of("call", json.loads(body)))

    def overrule(
        self,
        seq: int,
        verdict: str,
        *,
        claim: int | None = None,
        reviewer: str,
        reason: str,
        key: ReviewKey | None = None,
    ) -> Record:
        """Keep what a person says of record ``seq``: a claim's status, or, of no claim, the action.

        ``claim`` is an index into the report's claims; ``key`` signs the review.
        """
        judged = self.get(seq)
        check_verdict(judged.report(), claim, verdict)
        review = Review.model_validate(
            {
                "record": seq,
                "record_hash": judged.hash,
                "claim": claim,
                "verdict": verdict,
                "reviewer": reviewer,
                "reason": reason,
            }
        )
        review = review if key is None else key.sign(review)
        body = f'{{"review":{_json(review)}}}'
        return self._append("overrule", judged.run_id, body, Facets(action=verdict))

    def reviews(self, seq: int) -> Iterator[Review]:
        """What people said of record ``seq``, in order."""
        for entry in self.search(Query(run_id=self.get(seq).run_id, kind="overrule")):
            review = self.get(entry.seq).review()
            if review.record == seq:
                yield review

    def get(self, seq: int) -> Record:
        """The record of that number; raises :class:`LogError` where it is not there."""
        record = self._store.get(seq)
        if record is None:
            raise LogError(f"there is no record {seq}")
        return record

    def latest(self, run_id: str) -> Record:
        """The last report of a run; raises :class:`LogError` where there is none."""
        query = Query(run_id=run_id, kind="report", newest_first=True, limit=1)
        for entry in self.search(query):
            return self.get(entry.seq)
        raise LogError(f"there is no report of run {run_id!r}")

    def search(self, query: Query | None = None) -> Iterator[Entry]:
        """The records that match, without their bodies, oldest first unless the query says otherwise."""
        return self._store.search(_as_kept(query or Query()))

    def records(self, after: int = 0) -> Iterator[Record]:
        """All records above a number, whole, in the order in which they are kept."""
        return self._store.records(after)

    def anchor(self) -> Anchor | None:
        """Place and hash of the last record, to be kept elsewhere; None of an empty log."""
        return self._store.last()

    def verify(
        self, anchors: Iterable[Anchor] = (), keys: Sequence[ReviewKey] = ()
    ) -> Verification:
        """Hold every record against its hash, its neighbours and the anchors that were kept.

        With ``keys``, every review must be signed by one of them.
        """
        return verify(self._store.records(), anchors, keys)

    def prune(self, before: datetime) -> int:
        """Remove the oldest records, up to the first that is not older than ``before``.

        A record that says so takes their place in the chain. Returns how many were removed.
        """
        first = next(self._store.search(Query(limit=1)), None)
        kept = next(self._store.search(Query(since=before, limit=1)), None)
        last = self._store.last()
        if first is None or last is None or (kept is not None and kept.seq == first.seq):
            return 0
        through = last.seq if kept is None else kept.seq - 1
        head = self.get(through).hash
        data = {
            "through": through,
            "head": head,
            "removed": through - first.seq + 1,
            "before": before.astimezone(UTC).isoformat(),
        }
        self._append("prune", "", json.dumps(data), Facets(), dropping=through)
        return through - first.seq + 1

    def close(self) -> None:
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.close()

    def _append(
        self, kind: Kind, run_id: str, body: str, facets: Facets, *, dropping: int = 0
    ) -> Record:
        def follow(last: Anchor | None) -> Record:
            now = self._clock()
            return seal(last, kind=kind, run_id=run_id, body=body, facets=facets, at=now)

        return self._store.append(follow, dropping=dropping)


def _as_kept(query: Query) -> Query:
    """The query with its texts as the columns hold them."""
    run_id, tool = (text and searchable(text) for text in (query.run_id, query.tool))
    return replace(query, run_id=run_id, tool=tool)


def _json(model: BaseModel) -> str:
    """JSON of a model; a run's metadata may hold objects that have none, kept as their text."""
    try:
        return model.model_dump_json(fallback=str)
    except (
        PydanticSerializationError
    ):  # half a surrogate pair in what a tool said: kept as its escape
        return json.dumps(model.model_dump(mode="json", fallback=str), separators=(",", ":"))
