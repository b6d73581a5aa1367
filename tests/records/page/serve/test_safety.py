"""Other pages in the same browser, and other machines, get nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from affidavit.records.page.serve import LogServer
from affidavit.records.page.serve.server import LONGEST_FORM
from affidavit.records.runlog import RunLog

Ask = Callable[..., Any]
REVIEW = "/records/3/claims/0/review"


def form(server: LogServer, **changes: str) -> dict[str, str]:
    whole = {"token": server.token, "verdict": "supported", "reviewer": "Ines", "reason": "Seen"}
    return whole | changes


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:80",
        "[::2]",
        "",
        "a b",
        "127.0.0.1@evil.example:1]",
    ],
)
def test_a_name_that_is_not_ours_is_refused(ask: Ask, server: LogServer, host: str) -> None:
    for path, posted in (("/", None), (REVIEW, form(server))):
        answer = ask(path, posted, Host=host)
        assert answer.status == 403
        assert "box-office" not in answer.text


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8377", "127.0.0.1:1", "[::1]:5"])
def test_names_of_this_machine_are_ours(ask: Ask, host: str) -> None:
    assert ask("/", Host=host).status == 200


@pytest.mark.parametrize("token", ["", "wrong", "é"])
def test_a_form_that_is_not_ours_is_refused(
    ask: Ask, server: LogServer, log: RunLog, token: str
) -> None:
    assert ask(REVIEW, form(server, token=token)).status == 403
    assert log.anchor().seq == 13


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_form_from_another_site_is_refused_even_with_the_token(
    ask: Ask, server: LogServer, log: RunLog, site: str
) -> None:
    assert ask(REVIEW, form(server), Sec_Fetch_Site=site).status == 403
    assert ask(REVIEW, form(server), Sec_Fetch_Site="same-origin").status == 303
    assert log.anchor().seq == 14


@pytest.mark.parametrize(
    "changes",
    [{"reviewer": " "}, {"reason": ""}, {"verdict": "fine"}, {"verdict": ""}],
)
def test_half_a_review_is_refused_with_a_reason(
    ask: Ask, server: LogServer, log: RunLog, changes: dict[str, str]
) -> None:
    assert ask(REVIEW, form(server, **changes)).status == 400
    assert log.anchor().seq == 13


@pytest.mark.parametrize("path", ["/records/3/claims/9/review", "/records/99/claims/0/review"])
def test_a_review_of_what_is_not_there_is_refused(ask: Ask, server: LogServer, path: str) -> None:
    assert ask(path, form(server)).status == 400


def test_a_form_that_is_too_long_is_refused_unread(ask: Ask, server: LogServer) -> None:
    assert ask(REVIEW, form(server), Content_Length=str(LONGEST_FORM + 1)).status == 413
    assert ask(REVIEW, form(server), Content_Length="many").status == 413


def test_without_a_key_no_review_is_taken(log: RunLog) -> None:
    with LogServer(log) as server:
        assert server.site.post(REVIEW, form(server)) is None
        page = server.site.get("/review", {})
        assert page is not None
        assert "start the server with a key" in page.body
        assert '<form class="judge"' not in page.body


@pytest.mark.parametrize("path", ["/", "/records/13", "/nothing", "/labels.jsonl"])
def test_what_is_served_may_not_be_kept_framed_or_read_elsewhere(ask: Ask, path: str) -> None:
    headers = ask(path).headers
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers


def test_every_page_lets_only_its_own_script_run(ask: Ask) -> None:
    for path in ("/", "/timeline", "/review", "/records/13", "/nothing"):
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', ask(path).text)
        assert policy
        assert "default-src &#x27;none&#x27;" in policy[1]
        assert "form-action &#x27;self&#x27;" in policy[1]
        assert "unsafe" not in policy[1]


def test_head_has_the_headers_and_no_body(ask: Ask) -> None:
    answer = ask("/", method="HEAD")
    assert (answer.status, answer.text) == (200, "")
    assert int(answer.headers["Content-Length"]) > 1000


@pytest.mark.parametrize("method", ["PUT", "DELETE", "TRACE"])
def test_nothing_else_is_understood(ask: Ask, method: str) -> None:
    assert ask("/", method=method).status == 501
