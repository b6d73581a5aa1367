"""Each attempted call: its arguments, what was wrong with it, where its values came from."""

from __future__ import annotations

import json

from affidavit.records.page.markup import Markup, el, join
from affidavit.records.page.sections.notes import citation
from affidavit.records.page.view import PageView
from affidavit.records.page.view.layout import lay_out
from affidavit.records.page.words import CALL
from affidavit.report import CallError, ProvenanceRecord, ToolCallValidation

_ONE_LINE = 90


def calls(view: PageView) -> Markup:
    made = view.report.tool_call_validations
    if not made:
        return el("p", {"class": "quiet"}, "No tool was called.")
    return el("ol", {"class": "calls"}, [_call(view, n, call) for n, call in enumerate(made, 1)])


def _call(view: PageView, number: int, call: ToolCallValidation) -> Markup:
    look = CALL[call.status]
    result = view.exhibits.result_of(call.call_id)
    told = (
        "In its place the model was told "
        if call.status == "rejected" and not call.ran
        else "It returned "
    )
    return el(
        "li",
        {"class": f"call {call.status}", "id": f"call-{number}"},
        el(
            "h3",
            None,
            el("span", {"class": f"badge {call.status}"}, look.sign, " ", look.word),
            " ",
            el("bdi", {"class": "tool"}, call.tool),
            el("span", {"class": "quiet"}, " ", el("bdi", None, call.call_id)) if call.call_id else None,
        ),
        el("div", {"class": "text args", "dir": "auto"}, _arguments(call)),
        el("ul", {"class": "errors"}, [_error(error) for error in call.errors]) if call.errors else None,
        el("p", {"class": "why"}, call.note) if call.note else None,
        el("p", {"class": "why"}, "Put right by the later call ", el("bdi", None, call.corrected_by), ".")
        if call.corrected_by
        else None,
        None if call.preventable else el("p", {"class": "quiet"}, "Run by the provider: it could not have been prevented."),
        el("ul", {"class": "citations origins", "aria-label": "Where its values came from"},
           [_origin(view, record) for record in call.provenance]) if call.provenance else None,
        el("p", {"class": "quiet"}, told, el("a", {"href": f"#exhibit-{result}"}, f"Exhibit {result}"), ".")
        if result
        else None,
    )  # fmt: skip


def _arguments(call: ToolCallValidation) -> str:
    plain = json.dumps(call.args, ensure_ascii=False)
    return plain if len(plain) <= _ONE_LINE else lay_out(plain).text


def _error(error: CallError) -> Markup:
    return el(
        "li",
        None,
        el("strong", None, error.kind.replace("_", " ")),
        join(" at ", el("code", None, error.path)) if error.path else None,
        ": ",
        el("span", {"dir": "auto"}, error.message),
        el("span", {"class": "quiet"}, f". Expected {error.expected}.") if error.expected else None,
        el("span", {"class": "quiet"}, f" Nearest: {error.suggestion}.")
        if error.suggestion and error.suggestion not in error.message
        else None,
    )


def _origin(view: PageView, record: ProvenanceRecord) -> Markup:
    value = join(
        el("code", {"class": "pointer"}, record.path),
        " ",
        el("bdi", {"class": "value"}, record.value),
        " ← ",
    )
    if record.origin is None:
        return el(
            "li",
            None,
            value,
            el("span", {"class": "quiet"}, f"allowed by {record.rule or 'a rule'}"),
        )
    where = citation(view, record.origin)
    how = el("span", {"class": "quiet"}, f" ({record.rule})") if record.rule else None
    return el("li", None, value, el("ul", {"class": "inline"}, where), how)
