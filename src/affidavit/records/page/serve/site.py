"""What stands at each address of the log's pages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from urllib.parse import parse_qsl, urlencode

from affidavit.errors import LogError
from affidavit.records.page.document import body_of, title_of
from affidavit.records.page.markup import Markup, data_block, el, join
from affidavit.records.page.serve.filters import Filters
from affidavit.records.page.serve.pages import (
    chain_of,
    filter_form,
    framed,
    log_page,
    record_page,
    runs_table,
    verification_page,
)
from affidavit.records.page.serve.queue import DOUBTFUL, pending
from affidavit.records.page.serve.reviewing import Desk, queue_page, review_asides
from affidavit.records.page.serve.timeline import timeline
from affidavit.records.page.view import view_of
from affidavit.records.page.words import count
from affidavit.records.runlog import (
    Entry,
    Query,
    Record,
    ReviewKey,
    RunLog,
    agreement,
    labels,
    reviewed_cases,
)

PAGE = 50
"""Runs on one page of the list."""

QUEUE = 100
"""Verdicts of the queue that are counted; beyond, it says that there are more."""

DRAWN = 50_000
"""The most reports that a timeline counts, the newest."""

_RECORD = re.compile(r"/records/(\d{1,18})\Z")
_REVIEW = re.compile(r"/records/(\d{1,18})/claims/(\d{1,9})/review\Z")

Fields = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Response:
    """What goes back. ``location`` leads on to another of these pages."""

    status: int
    body: str = ""
    kind: str = "text/html; charset=utf-8"
    location: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


class Site:
    """The pages of one log. Safe to share by threads, as the log is.

    Reviews are taken where there is a ``key`` to sign them; ``token`` must come with each.
    """

    def __init__(
        self, log: RunLog, *, token: str, key: ReviewKey | None = None, reviewer: str = ""
    ) -> None:
        self._log, self._key = log, key
        self._desk = Desk(token=token, reviewer=reviewer, open=key is not None)
        self._pages: dict[str, Callable[[Fields], Response]] = {
            "/": self._runs,
            "/timeline": self._timeline,
            "/review": self._queue,
            "/labels.jsonl": self._labels,
            "/cases.jsonl": self._cases,
            "/verify": self._verify,
            "/health": self._health,
        }

    def get(self, path: str, fields: Fields) -> Response | None:
        """The page at a path; None where there is none. Raises :class:`LogError` for what cannot be read."""
        if page := self._pages.get(path):
            return page(fields)
        if found := _RECORD.match(path):
            return self._record(self._log.get(int(found[1])))
        return None

    def post(self, path: str, fields: Fields) -> Response | None:
        """Take a review; None where nothing is taken at that path."""
        found = _REVIEW.match(path)
        if found is None or self._key is None:
            return None
        seq, claim = int(found[1]), int(found[2])
        reviewer, reason = (fields.get(name, "").strip() for name in ("reviewer", "reason"))
        if not reviewer or not reason:
            raise LogError("a review says who reviewed and why")
        self._log.overrule(
            seq,
            fields.get("verdict", ""),
            claim=claim,
            reviewer=reviewer,
            reason=reason,
            key=self._key,
        )
        back = f"/records/{seq}#claim-{claim + 1}"
        if fields.get("back") == "queue":
            # Written anew: an address of another's making leads nowhere but to this queue.
            query = urlencode(parse_qsl(fields.get("address", "")))
            back = f"/review?{query}" if query else "/review"
        return Response(303, location=back)

    def _runs(self, fields: Fields) -> Response:
        filters = Filters.read(fields)
        before = int(fields["before"]) if fields.get("before", "").isdecimal() else None
        found = list(islice(self._matching(filters, before=before), PAGE + 1))
        shown = found[:PAGE]
        listed = runs_table([self._log.get(entry.seq) for entry in shown])
        older = None
        if len(found) > PAGE:
            address = "/?" + filters.address(before=shown[-1].seq)
            older = el(
                "p", {"class": "older"}, el("a", {"href": address, "rel": "next"}, "Older runs")
            )
        verify = el("p", {"class": "about"}, el("a", {"href": "/verify"}, "Verify the whole log"))
        return self._listed("Runs", "/", filter_form(filters, "/"), listed, older, verify)

    def _timeline(self, fields: Fields) -> Response:
        filters = Filters.read(fields)
        drawn = timeline(islice(self._matching(filters), DRAWN))
        return self._listed("Timeline", "/timeline", filter_form(filters, "/timeline"), drawn)

    def _queue(self, fields: Fields) -> Response:
        filters, status = Filters.read(fields), fields.get("status") or DOUBTFUL
        after = fields.get("after", "")
        waiting = pending(self._log, filters, status, after)
        first = next(waiting, None)
        others = sum(1 for _ in islice(waiting, QUEUE))
        whole = (first is not None) + others
        left = f"{count(whole, 'verdict')}{' and more' if others == QUEUE else ''}"
        page = queue_page(first, left, filters, status, self._desk, agreement(self._log))
        return Response(200, page)

    def _labels(self, fields: Fields) -> Response:
        found = labels(self._log, _of_run(fields))
        return _lines("labels.jsonl", (label.model_dump() for label in found))

    def _cases(self, fields: Fields) -> Response:
        return _lines("cases.jsonl", reviewed_cases(self._log, _of_run(fields)))

    def _verify(self, fields: Fields) -> Response:  # noqa: ARG002
        return Response(200, verification_page(self._log.verify()))

    def _health(self, fields: Fields) -> Response:  # noqa: ARG002
        """For what watches over the server; nothing of the log is in it."""
        return Response(200, '{"status": "ok"}\n', kind="application/json")

    def _record(self, record: Record) -> Response:
        if record.kind != "report":
            return Response(200, record_page(record))
        report = record.report()
        view = view_of(report, record.trace())
        asides = review_asides(
            record.seq, report.claims, list(self._log.reviews(record.seq)), self._desk
        )
        body = join(
            body_of(view, asides),
            el(
                "section",
                {"class": "chain", "aria-label": "Its place in the log"},
                chain_of(record),
            ),
        )
        data = data_block("report", report.model_dump(mode="json"))
        return Response(200, framed(title_of(report), body, more=[data]))

    def _listed(self, title: str, place: str, *body: Markup | None) -> Response:
        return Response(200, log_page(title, *body, place=place))

    def _matching(self, filters: Filters, *, before: int | None = None) -> Iterator[Entry]:
        words = filters.text.casefold()
        for entry in self._log.search(filters.query(before=before)):
            if not words or words in _said(self._log.get(entry.seq)):
                yield entry


def _said(record: Record) -> str:
    """All that a record says, as it is written and not as JSON escapes it."""
    return json.dumps(record.data, ensure_ascii=False).casefold()


def _of_run(fields: Fields) -> Query:
    return Query(run_id=fields.get("run", "").strip() or None)


def _lines(name: str, documents: Iterable[object]) -> Response:
    """A file of JSON Lines to be kept."""
    return Response(
        200,
        "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in documents),
        kind="application/jsonl; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
