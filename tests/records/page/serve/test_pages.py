"""The pages of a log: filters, the timeline, records, reviews, labelled data."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from affidavit import HallucinationReport
from affidavit.records.page.serve import LogServer
from affidavit.records.page.serve.timeline import MOST_BARS, bars_of
from affidavit.records.runlog import Entry, Facets, ReviewKey, RunLog, agreement

Ask = Callable[..., Any]
SECRET = b"a secret that is long enough to be one"


def runs(text: str) -> list[str]:
    return re.findall(r'<a href="/records/\d+"><bdi>([^<]*)</bdi>', text)


def test_runs_are_listed_newest_first(ask: Ask) -> None:
    answer = ask("/")
    assert answer.status == 200
    assert runs(answer.text) == ["box-office-48213", *(f"run-{n}" for n in range(11, -1, -1))]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("action=block", ["box-office-48213", "run-11", "run-7", "run-3"]),
        ("action=revise&until=2026-03-02", ["run-10", "run-6", "run-2"]),
        ("since=2026-03-03", []),
        ("run=run-4", ["run-4"]),
        ("tool=move_booking", ["box-office-48213"]),
        ("reason=provenance", ["box-office-48213"]),
        ("reason=value_not_in_evidence&action=revise", ["run-10", "run-6", "run-2"]),
        ("text=WINTER%20lighthouse", ["box-office-48213"]),
        ("text=is+7+dollars", ["run-7"]),
        ("text=zebra", []),
    ],
)
def test_runs_are_found_by_each_filter(ask: Ask, query: str, expected: list[str]) -> None:
    assert runs(ask(f"/?{query}").text) == expected


def test_what_was_asked_stays_in_the_form(ask: Ask) -> None:
    text = ask("/?text=%22%3E%3Cscript%3E&action=block&tool=x").text
    assert 'value="&quot;&gt;&lt;script&gt;"' in text
    assert re.search(r'<option value="block" selected>', text)


def test_a_date_that_is_none_is_refused_with_a_reason(ask: Ask) -> None:
    answer = ask("/?since=yesterday")
    assert answer.status == 400
    assert "expected YYYY-MM-DD" in answer.text


def test_many_runs_are_listed_page_by_page(
    ask: Ask, log: RunLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("affidavit.records.page.serve.site.PAGE", 5)
    seen, address = [], "/?text=the+fee+is"
    while address:
        text = ask(address).text
        seen += runs(text)
        older = re.search(r'<a href="([^"]*)" rel="next">', text)
        address = older[1].replace("&amp;", "&") if older else ""
    assert seen == [f"run-{n}" for n in range(11, -1, -1)]


def test_the_page_of_a_run_is_its_report_with_reviews(ask: Ask, log: RunLog) -> None:
    key = ReviewKey(SECRET)
    log.overrule(13, "supported", claim=6, reviewer="Ines", reason="Doors <b>did</b> open", key=key)
    text = ask("/records/13").text
    assert "Exhibit D" in text
    assert "Doors &lt;b&gt;did&lt;/b&gt; open" in text
    assert '<form class="judge" method="post" action="/records/13/claims/6/review">' in text
    assert log.get(13).hash in text


def test_other_records_are_shown_as_they_were_kept(ask: Ask, log: RunLog) -> None:
    log.overrule(3, "supported", claim=0, reviewer="Ines", reason="Seen")
    text = ask("/records/14").text
    assert "Record 14: overrule" in text
    assert "&quot;reviewer&quot;: &quot;Ines&quot;" in text


@pytest.mark.parametrize(
    "path", ["/nothing", "/records/", "/records/1/../2", "//evil.example/", "/records/x"]
)
def test_what_is_not_there_is_404(ask: Ask, path: str) -> None:
    assert ask(path).status == 404


def test_a_record_that_is_not_there_is_refused_with_a_reason(ask: Ask) -> None:
    answer = ask("/records/999")
    assert (answer.status, "no record 999" in answer.text) == (400, True)


def test_a_review_is_kept_signed_and_changes_nothing_else(
    ask: Ask, server: LogServer, log: RunLog
) -> None:
    before = log.get(3)
    form = {
        "token": server.token,
        "verdict": "supported",
        "reviewer": "Ines",
        "reason": "Tariff 3",
        "back": "queue",
    }
    answer = ask("/records/3/claims/0/review", form)
    assert (answer.status, answer.headers["Location"]) == (303, "/review")
    review = log.get(14).review()
    assert (review.record, review.claim, review.verdict) == (3, 0, "supported")
    assert ReviewKey(SECRET).signed(review)
    assert log.get(3) == before
    assert log.verify(keys=[ReviewKey(SECRET)]).ok


def asked(ask: Ask, query: str = "") -> list[str]:
    """The claims that are asked about one after another where each is skipped."""
    found, address = [], f"/review{query}"
    while address:
        text = ask(address).text
        told = re.findall(r'<blockquote dir="auto">(.*?)</blockquote>', text)
        quoted = [html.unescape(re.sub(r"<[^>]*>", "", one)) for one in told]
        assert len(quoted) <= 1, "a question at a time"
        found += quoted
        skip = re.search(r'href="(/review\?[^"]*after=[^"]*)"', text)
        address = skip[1].replace("&amp;", "&") if skip else ""
    return found


def test_one_verdict_that_nobody_has_reviewed_is_asked_about_at_a_time(
    ask: Ask, log: RunLog, report: HallucinationReport
) -> None:
    played = [claim.text for claim in report.claims if claim.is_held_against]
    doubtful = [*played, *(f"The fee is {n} dollars." for n in (11, 10, 7, 6, 3, 2))]
    assert asked(ask) == doubtful
    assert f"{len(doubtful)} verdicts that nobody has reviewed" in ask("/review").text
    assert asked(ask, "?action=block&run=run-7") == ["The fee is 7 dollars."]
    assert asked(ask, "?status=exempt") == ["Hello Mira!", "Enjoy the play!"]
    log.overrule(12, "supported", claim=0, reviewer="Ines", reason="Seen")
    assert asked(ask) == [words for words in doubtful if " 11 " not in words]


def test_after_a_review_the_next_of_the_same_queue_is_asked_about(
    ask: Ask, server: LogServer
) -> None:
    text = ask("/review?action=block").text
    address = re.findall(r'name="address" value="([^"]*)"', text)[0].replace("&amp;", "&")
    form = {"token": server.token, "verdict": "supported", "reviewer": "Ines", "reason": "Seen",
            "back": "queue"}  # fmt: skip
    answer = ask("/records/12/claims/0/review", form | {"address": address})
    assert answer.headers["Location"] == "/review?action=block&status=doubtful"
    hostile = ask("/records/8/claims/0/review", form | {"address": "//evil.example\r\nX: y"})
    assert hostile.headers["Location"] == "/review"


def test_a_second_look_says_how_far_reviewers_agree(ask: Ask, log: RunLog) -> None:
    def review(seq: int, verdict: str, who: str, claim: int | None = 0) -> None:
        log.overrule(seq, verdict, claim=claim, reviewer=who, reason="Seen")

    assert "reviewers" not in ask("/review").text
    review(12, "supported", "Ines")
    review(11, "contradicted", "Ines")
    review(8, "contradicted", "Ines")
    assert asked(ask, "?status=second") == [f"The fee is {n} dollars." for n in (11, 10, 7)]
    review(7, "unsupported", "Bo")
    text = ask("/review").text
    assert "2 reviewers. No verdict has been reviewed by two of them" in text
    review(12, "supported", "Bo")
    review(11, "unsupported", "Bo")
    review(8, "supported", "Bo")
    assert asked(ask, "?status=second") == ["The fee is 6 dollars."]
    found = agreement(log)
    assert (found.reviewed, len(found.shared), found.agreed) == (4, 3, 2)
    # By hand: one of three pairs differs; of 6 verdicts 3 are for a claim: 1 - 5 * 2 / (36 - 18).
    assert found.alpha == pytest.approx(1 - 10 / 18)
    text = html.unescape(ask("/review").text)
    assert "3 verdicts reviewed by several: they agree on 2 (67%, Krippendorff's α 0.44)." in text
    assert '<a href="/records/8#claim-1">record 8, claim 1</a>' in text
    review(8, "unsupported", "Bo")
    assert agreement(log).alpha == 1.0, "the last word of a person counts"
    assert "they agree on 3 (100%" in ask("/review").text


def test_reviews_are_exported_as_labelled_data(ask: Ask, log: RunLog) -> None:
    log.overrule(13, "supported", claim=6, reviewer="Ines", reason="Seen")
    answer = ask("/labels.jsonl")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="labels.jsonl"'
    (label,) = [json.loads(line) for line in answer.text.splitlines()]
    assert (label["text"], label["found"], label["label"]) == (
        "Doors open at 19:00.",
        "unsupported",
        "supported",
    )
    assert label["evidence"] == ["doors open at: 14:00", "doors open at: 18:45"]


def test_reviewed_runs_are_exported_as_cases(ask: Ask, log: RunLog) -> None:
    log.overrule(13, "supported", claim=6, reviewer="Ines", reason="Seen")
    log.overrule(13, "unsupported", claim=1, reviewer="Ines", reason="Not done")
    (case,) = [json.loads(line) for line in ask("/cases.jsonl").text.splitlines()]
    assert case["expect"]["supported"] == ["Doors open at 19:00."]
    assert case["expect"]["unsupported"][0].startswith("I have moved booking")
    assert case["run"]["run_id"] == "box-office-48213"


def test_the_whole_log_is_verified_on_request(ask: Ask) -> None:
    assert "13 records held against their hashes. Nothing is wrong." in ask("/verify").text


def entries(*hours: float) -> list[Entry]:
    start = datetime.fromisoformat("2026-03-02T00:00:00+00:00")
    return [
        Entry(n, (start + timedelta(hours=h)).isoformat(), "report", "run", Facets(action), "", "")
        for n, (h, action) in enumerate(
            zip(hours, ["emit", "revise", "block"] * len(hours), strict=False)
        )
    ]


def test_bars_count_every_answer_without_gaps() -> None:
    bars = bars_of(entries(0.2, 0.9, 5))
    assert [(b.emit, b.revise, b.block) for b in bars] == [(1, 1, 0), *[(0, 0, 0)] * 4, (0, 0, 1)]
    assert [b.held_back for b in bars][:2] == [0.5, None]


@pytest.mark.parametrize(("hours", "width"), [(80, 1), (24 * 80, 24), (24 * 7 * 80, 24 * 7)])
def test_bars_are_as_wide_as_the_time_asks_for(hours: int, width: int) -> None:
    bars = bars_of(entries(0, hours))
    assert len(bars) <= MOST_BARS
    assert {b.start - a.start for a, b in pairwise(bars)} == {timedelta(hours=width)}
    assert sum(bar.total for bar in bars) == 2


def test_the_timeline_is_drawn_of_what_matches(ask: Ask) -> None:
    text = ask("/timeline?action=block").text
    assert "4 answers from Mar 02, 12:00 to Mar 02, 21:00; 4 held back." in text
    assert "No answer was judged" in ask("/timeline?since=2030-01-01").text
