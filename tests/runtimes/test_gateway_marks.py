"""What a client and an operator of the gateway see: marks, health, figures, the line at the start."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from affidavit.cli import main
from affidavit.cli.arguments import parser
from affidavit.evidence import RunEvidence
from affidavit.policy import Policy
from affidavit.report import Attempt, HallucinationReport
from affidavit.runtimes.contract.scenarios import FALSE, TRUE
from affidavit.runtimes.contract.scene import ModelTurn, Outcome, Scene
from affidavit.runtimes.contract.server import ModelServer
from affidavit.runtimes.gateway import Upstreams, gateway
from affidavit.testing import claim_verdict, report_of
from affidavit.trace import RunTrace

httpx2 = pytest.importorskip("httpx2")
pytest.importorskip("starlette")

SERVER = ModelServer()
BODIES: dict[str, dict[str, Any]] = {
    "/v1/messages": {
        "model": "m",
        "max_tokens": 9,
        "messages": [{"role": "user", "content": "?"}],
    },
    "/v1/chat/completions": {"model": "m", "messages": [{"role": "user", "content": "?"}]},
    "/v1/responses": {"model": "m", "input": "?"},
}


class Scripted:
    """Lets out everything but one answer, which it sends back as often as the policy allows."""

    def __init__(self, most: int = 2) -> None:
        self.policy = Policy(on_critical="revise", max_revisions=most)

    async def acheck(
        self,
        trace: RunTrace,
        *,
        revisions_used: int = 0,
        attempts: Sequence[Attempt] = (),
        evidence: RunEvidence | None = None,
        probes: bool = True,
    ) -> HallucinationReport:
        false = FALSE in trace.answer
        claim = claim_verdict(
            trace.answer, 0.1 if false else 0.95, status="contradicted" if false else "supported"
        )
        left = revisions_used < self.policy.max_revisions
        action = "emit" if not false else "revise" if left else "block"
        return report_of(claim, run_id=trace.run_id, action=action, attempts=tuple(attempts))


@pytest.fixture(scope="module", autouse=True)
def _serving() -> Iterator[None]:
    with SERVER:
        yield


def asked(app: Any, ask: Callable[[Any], Any]) -> Any:
    async def run() -> Any:
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://gateway") as client:
            return await ask(client)

    return asyncio.run(run())


def app_for(*turns: str, most: int = 2) -> Any:
    detector = Scripted(most)
    base = SERVER.base(Scene([ModelTurn(turn) for turn in turns], detector), Outcome())
    return gateway(detector, upstreams=Upstreams(base, base))


CASES = [
    ([TRUE], None, 0),
    ([FALSE, TRUE], "revise", 1),
    ([FALSE, FALSE, FALSE], "block", 2),
]


@pytest.mark.parametrize("path", BODIES)
@pytest.mark.parametrize(("turns", "action", "revisions"), CASES)
def test_what_was_held_back_is_marked(
    path: str, turns: list[str], action: str | None, revisions: int
) -> None:
    answer = asked(app_for(*turns), lambda client: client.post(path, json=BODIES[path]))
    assert answer.status_code == 200
    assert answer.headers.get("x-affidavit-action") == action
    mark = answer.json().get("affidavit")
    if action is None:
        assert mark is None
        return
    assert answer.headers["x-affidavit-revisions"] == str(revisions)
    assert (mark["action"], mark["revisions"], mark["rejected_turns"]) == (action, revisions, 0)
    assert mark["run_id"]


@pytest.mark.parametrize("path", BODIES)
@pytest.mark.parametrize(("turns", "action", "revisions"), CASES)
def test_the_last_event_of_a_stream_carries_the_mark(
    path: str, turns: list[str], action: str | None, revisions: int
) -> None:
    body = {**BODIES[path], "stream": True}
    answer = asked(app_for(*turns), lambda client: client.post(path, json=body))
    assert answer.headers.get("x-affidavit-action") == action
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if "data: {" in line]
    events = [json.loads(line) for line in lines]
    marks = [event.get("affidavit") for event in events]
    assert marks[:-1] == [None] * (len(events) - 1)
    assert (marks[-1] or {}).get("action") == action


def test_health_and_figures_are_its_own() -> None:
    app = app_for(FALSE, TRUE)

    async def ask(client: Any) -> tuple[Any, str, Any, str]:
        health = await client.get("/health")
        before = (await client.get("/metrics")).text
        path = "/v1/chat/completions"
        await client.post(path, json=BODIES[path])
        figures = await client.get("/metrics")
        return health, before, figures, figures.text

    health, before, figures, after = asked(app, ask)
    assert (health.status_code, health.json()) == (200, {"status": "ok"})
    assert figures.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'affidavit_answers_total{action="emit"} 0' in before
    for line in (
        'affidavit_answers_total{action="emit"} 1',
        'affidavit_answers_total{action="block"} 0',
        'affidavit_claims_total{status="supported"} 1',
        'affidavit_requests_total{status="200"} 1',
        "affidavit_revisions_total 1",
        "affidavit_check_seconds_count 1",
        "# TYPE affidavit_check_seconds summary",
    ):
        assert line in after.splitlines()


@pytest.mark.parametrize(
    ("policy", "more", "told"),
    [
        (None, [], "policy default: general, emit at 0.85, block below 0.4; a false critical claim is revised first"),
        ('on_critical = "block"', [], "a false critical claim is blocked at once"),
        ('task_type = "high_stakes"', [], "high_stakes, emit at 0.9"),
        (None, ["--shadow"], "shadow: nothing is held back"),
    ],
)  # fmt: skip
def test_the_start_says_address_upstream_and_policy(
    policy: str | None,
    more: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("uvicorn")
    monkeypatch.setattr("uvicorn.run", lambda *_, **__: None)
    if policy is not None:
        (tmp_path / "policy.toml").write_text(f"{policy}\n", encoding="utf-8")
        more = [*more, "--policy", str(tmp_path / "policy.toml")]
    assert main(["gateway", "--openai", "http://models.example", *more]) == 0
    start = capsys.readouterr().err
    assert "http://127.0.0.1:8378" in start
    assert "http://models.example (OpenAI)" in start
    assert told in start


def test_gateway_and_log_do_not_share_a_port() -> None:
    ports = [
        parser().parse_args(words).port for words in (["gateway"], ["log", "serve", "runs.db"])
    ]
    assert len(set(ports)) == 2
