"""The pages of the log: their frame, the list of runs, one record, and what went wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence

from affidavit._excerpt import excerpt
from affidavit.records.page.markup import Markup, el, join
from affidavit.records.page.serve.filters import Filters
from affidavit.records.page.shell import document
from affidavit.records.page.view.layout import lay_out
from affidavit.records.page.words import ACTION, CALL_ERROR, REASON, count
from affidavit.records.runlog import Entry, Record, Verification

_REASONS: dict[str, str] = {str(code): words for code, words in REASON.items()} | CALL_ERROR
STYLES = ("page.css", "log.css")
_LONGEST = 180
"""Characters of a question or an answer in the list of runs."""


def framed(title: str, body: Markup, *, place: str = "", more: Sequence[Markup] = ()) -> str:
    """A page of the log under its navigation; ``place`` is the address of the page that is open."""
    links = [
        el("a", {"href": address, "aria-current": "page" if address == place else None}, name)
        for address, name in (("/", "Runs"), ("/timeline", "Timeline"), ("/review", "Review"))
    ]
    nav = el(
        "nav", {"class": "log-nav", "aria-label": "Run log"}, el("strong", None, "Affidavit"), links
    )
    return document(
        title, join(nav, body), *more, styles=STYLES, forms="'self'", referrer="same-origin"
    )


def log_page(title: str, *body: Markup | None, place: str = "") -> str:
    """A page that has nothing but a title and a body."""
    main = el("main", {"id": "main", "class": "log"}, el("h1", {"class": "plain"}, title), body)
    tools = el(
        "div",
        {"class": "tools"},
        el("button", {"type": "button", "id": "theme", "hidden": True}, "Theme"),
    )
    return framed(f"{title} · Affidavit", join(tools, main), place=place)


def filter_form(filters: Filters, action: str, *more: Markup) -> Markup:
    actions = [("", "any"), *((a, look.word) for a, look in ACTION.items())]
    reasons = [("", "any"), *_REASONS.items()]
    fields = [
        _field("Action", choice("action", actions, filters.action)),
        _field("Reason", choice("reason", reasons, filters.reason)),
        _field("Tool", entry("tool", filters.tool)),
        _field("Run", entry("run", filters.run)),
        _field("From", entry("since", filters.since, kind="date")),
        _field("To", entry("until", filters.until, kind="date")),
        _field("Text", entry("text", filters.text, kind="search")),
    ]
    clear = el("a", {"href": action}, "Clear") if filters.active else None
    return el(
        "form",
        {"class": "filters", "method": "get", "action": action, "role": "search"},
        more,
        fields,
        el(
            "div",
            {"class": "go"},
            el("button", {"type": "submit", "class": "solid"}, "Show"),
            clear,
        ),
    )


def choice(name: str, options: Sequence[tuple[str, str]], chosen: str) -> Markup:
    listed = [
        el("option", {"value": value, "selected": value == chosen}, words)
        for value, words in options
    ]
    if chosen and chosen not in dict(options):
        listed.append(el("option", {"value": chosen, "selected": True}, chosen))
    return el("select", {"name": name}, listed)


def entry(name: str, value: str, *, kind: str = "text", required: bool = False) -> Markup:
    return el("input", {"name": name, "value": value, "type": kind, "required": required})


def _field(title: str, control: Markup) -> Markup:
    return el("label", None, el("span", None, title), control)


def runs_table(records: Sequence[Record]) -> Markup:
    if not records:
        return el("p", {"class": "quiet"}, "No run matches.")
    head = ("Decision", "Question and answer", "Reasons", "Tools", "Run and time (UTC)")
    return el(
        "div",
        {"class": "wide"},
        el(
            "table",
            {"class": "runs"},
            el("thead", None, el("tr", None, [el("th", {"scope": "col"}, name) for name in head])),
            el("tbody", None, [_row(one) for one in records]),
        ),
    )


def _row(record: Record) -> Markup:
    reasons = [_REASONS.get(code, code) for code in record.facets.reasons]
    question, answer = _exchange(record)
    address = f"/records/{record.seq}"
    said = el(
        "p", {"class": "answered", "dir": "auto"}, answer or el("em", None, "Nothing was said.")
    )
    return el(
        "tr",
        None,
        el("td", None, badge(record.facets.action or "")),
        el(
            "td",
            {"class": "exchange"},
            el("p", {"class": "asked", "dir": "auto"}, question) if question else None,
            said,
        ),
        el("td", None, "; ".join(reasons)),
        el("td", {"class": "tool"}, ", ".join(record.facets.tools)),
        el(
            "th",
            {"scope": "row"},
            el("a", {"href": address}, el("bdi", None, record.run_id or "unnamed")),
            el("span", {"class": "time"}, when(record)),
        ),
    )


def _exchange(record: Record) -> tuple[str, str]:
    """What was asked, where the run was kept, and what was answered, each in a line or two."""
    trace = record.trace()
    asked, said = trace.question if trace else "", record.report().answer
    return excerpt(asked, _LONGEST), excerpt(said, _LONGEST)


def badge(action: str) -> Markup | None:
    look = ACTION.get(action)  # type: ignore[call-overload]
    if look is None:
        return el("span", {"class": "badge"}, action) if action else None
    return el("span", {"class": f"badge {action}"}, look.sign, " ", look.word)


def when(entry: Entry) -> Markup:
    return el("time", {"datetime": entry.time}, entry.time[:19].replace("T", " "))


def chain_of(record: Record) -> Markup:
    """A record's place in the chain."""
    return el(
        "p",
        {"class": "about"},
        f"Record {record.seq} · ",
        when(record),
        " UTC · hash ",
        el("code", {"title": record.hash}, record.hash[:16]),
        " after ",
        el(
            "code",
            {"title": record.previous or "the first record"},
            record.previous[:16] or "nothing",
        ),
    )


def record_page(record: Record) -> str:
    """A record that is no report: a checked call, a review, a removal."""
    body = lay_out(json.dumps(record.data, ensure_ascii=False)).text
    return log_page(
        f"Record {record.seq}: {record.kind}",
        chain_of(record),
        el("div", {"class": "text", "dir": "auto"}, body),
    )


def verification_page(found: Verification) -> str:
    faults = [
        el("li", None, el("strong", None, fault.kind), f" at record {fault.seq}: {fault.message}")
        for fault in found.faults
    ]
    told = "Nothing is wrong." if found.ok else f"{count(len(faults), 'fault')} found."
    return log_page(
        "Verified" if found.ok else "Faults found",
        el(
            "p",
            {"class": "lede"},
            f"{count(found.records, 'record')} held against their hashes. {told}",
        ),
        el("ul", {"class": "errors"}, faults) if faults else None,
        el("p", {"class": "about"}, "Head ", el("code", None, str(found.head)))
        if found.head
        else None,
    )


def trouble_page(title: str, words: str) -> str:
    return log_page(
        title,
        el("p", {"class": "lede", "dir": "auto"}, words),
        el("p", None, el("a", {"href": "/"}, "To the runs")),
    )
