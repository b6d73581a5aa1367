"""A scorer on another machine: a real HTTP server answers, refuses, hangs and talks nonsense."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from affidavit import Detector, Policy, read_run
from affidavit.errors import ScorerError
from affidavit.models.entailment import EntailmentModel, load_entailment_model
from affidavit.models.entailment.remote import KEY_VARIABLE, RemoteModel

Answer = tuple[int, Any]
INFO = {"model_id": "acme/nli-base", "model_sha": "0123456789abcdef", "max_client_batch_size": 32}


class Scorer(ThreadingHTTPServer):
    """Answers ``/predict`` as ``answer`` says; keeps what it was asked and with which headers."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.headers: dict[str, str] = {}
        self.info: Answer = (200, INFO)
        self.answer: Callable[[dict[str, Any]], Answer] = lambda body: (200, predictions(body))

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has stopped waiting is what some tests are about."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Scorer

    def do_GET(self) -> None:
        self._reply(self.server.info if self.path == "/info" else (404, "no such place"))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        self.server.keys.append(self.headers["Authorization"])
        self._reply(self.server.answer(body))

    def _reply(self, answer: Answer) -> None:
        status, content = answer
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        pass


def predictions(body: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """Entailed as far as the claim's words stand in the premise; the likeliest label first."""
    rows = []
    for premise, claim in body["inputs"]:
        words = claim.split()
        share = sum(w in premise for w in words) / len(words)
        scores = {
            "CONTRADICTION": (1 - share) / 4,
            "ENTAILMENT": share,
            "NEUTRAL": (1 - share) * 3 / 4,
        }
        ranked = sorted(scores.items(), key=lambda item: -item[1])
        rows.append([{"label": label, "score": score} for label, score in ranked])
    return rows


@pytest.fixture
def scorer() -> Iterator[Scorer]:
    server = Scorer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_labels_are_read_by_name_in_whatever_order_they_come(scorer: Scorer) -> None:
    model = load_entailment_model(f"remote:{scorer.url}/")
    assert isinstance(model, EntailmentModel)
    yes, no = model.score([("the bridge opened", "bridge opened"), ("the bridge", "it fell")])
    assert (yes.entailment, yes.neutral, yes.contradiction) == pytest.approx((1, 0, 0), abs=1e-6)
    assert (no.entailment, no.neutral, no.contradiction) == pytest.approx((0, 0.75, 0.25), abs=1e-6)
    assert scorer.asked[0]["inputs"] == [
        ["the bridge opened", "bridge opened"],
        ["the bridge", "it fell"],
    ]
    assert scorer.asked[0]["truncate"] is False


def test_many_pairs_go_in_batches_and_come_back_in_order(scorer: Scorer) -> None:
    pairs = [("one two three", "one" if n % 3 else "four") for n in range(70)]
    scores = RemoteModel(scorer.url).score(pairs)
    assert [len(body["inputs"]) for body in scorer.asked] == [32, 32, 6]
    assert [s.entailment > 0.5 for s in scores] == [bool(n % 3) for n in range(70)]


def test_the_name_tells_the_model_once_it_is_known_and_no_password(scorer: Scorer) -> None:
    model = RemoteModel(scorer.url.replace("http://", "http://user:secret@"))
    assert model.name == f"remote:{scorer.url}"
    assert "secret" not in model.name
    plain = RemoteModel(scorer.url)
    plain.score([("a", "a")])
    assert plain.name == f"remote:acme/nli-base/0123456789ab@{scorer.url}"


def test_a_server_without_info_is_known_by_its_address(scorer: Scorer) -> None:
    scorer.info = (404, "not here")
    model = RemoteModel(scorer.url)
    model.score([("a", "a")])
    assert model.name == f"remote:{scorer.url}"


def test_long_texts_are_read_in_windows_never_cut(scorer: Scorer) -> None:
    premise = "filler " * 600 + "the treasure lies here " + "filler " * 600
    assert RemoteModel(scorer.url).score([(premise, "treasure lies")])[0].entailment > 0.9
    sent = [pair for body in scorer.asked for pair in body["inputs"]]
    assert len(sent) > 3
    assert max(len(p.split()) + len(h.split()) for p, h in sent) <= 250
    claim = "filler " * 200 + "dragon"
    assert RemoteModel(scorer.url).score([(premise, claim)])[0].entailment < 0.999


def test_the_key_is_sent_as_a_bearer_token(scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "abc")
    RemoteModel(scorer.url).score([("a", "a")])
    RemoteModel(scorer.url, api_key="xyz").score([("a", "a")])
    assert scorer.keys == ["Bearer abc", "Bearer xyz"]


def test_the_temperature_softens_scores(scorer: Scorer) -> None:
    plain, soft = (
        RemoteModel(scorer.url, temperature=t).score([("a b", "a c d")])[0] for t in (1, 2)
    )
    assert plain.neutral > soft.neutral > 1 / 3


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again(scorer: Scorer, status: int) -> None:
    scorer.answer = lambda body: (
        (200, predictions(body)) if len(scorer.asked) > 2 else (status, "busy")
    )
    scorer.headers = {"Retry-After": "0"}
    assert RemoteModel(scorer.url, backoff=0.001).score([("a", "a")])[0].entailment > 0.9
    assert len(scorer.asked) == 3


def test_a_server_that_stays_busy_is_given_up(scorer: Scorer) -> None:
    scorer.answer = lambda body: (429, {"error": "overloaded"})
    with pytest.raises(ScorerError, match=r"status 429 \(3 attempts\)"):
        RemoteModel(scorer.url, backoff=0.001).score([("a", "a")])
    assert len(scorer.asked) == 3


@pytest.mark.parametrize("status", [400, 401, 413, 422, 424, 500])
def test_a_refusal_is_not_repeated_and_says_why(scorer: Scorer, status: int) -> None:
    scorer.answer = lambda body: (status, {"error": "inputs must have less than 512 tokens"})
    with pytest.raises(ScorerError, match=f"status {status}.*less than 512 tokens"):
        RemoteModel(scorer.url).score([("a", "a")])
    assert len(scorer.asked) == 1


@pytest.mark.parametrize("slow", ["silent", "drip"])
def test_a_server_that_hangs_is_left(scorer: Scorer, slow: str) -> None:
    done = threading.Event()

    def hang(body: dict[str, Any]) -> Answer:
        done.wait(5)
        return 200, predictions(body)

    scorer.answer = hang
    if slow == "drip":
        scorer.answer = lambda body: (200, predictions(body))
        scorer.RequestHandlerClass = _dripping(done)
    with pytest.raises(ScorerError, match=r"no answer within 0\.2 s"):
        RemoteModel(scorer.url, timeout=0.2).score([("a", "a")])
    done.set()


def _dripping(done: threading.Event) -> type[BaseHTTPRequestHandler]:
    class Dripping(_Handler):
        def _reply(self, answer: Answer) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            try:
                while not done.wait(0.02):
                    self.wfile.write(b" ")
            except OSError:  # the client has left
                return

    return Dripping


NONSENSE: dict[str, Any] = {
    "not json": b"<html>welcome</html>",
    "cut short": b'[[{"label": "entailment", "sco',
    "an object": {"scores": []},
    "too few": [],
    "no list": [7],
    "no labels": [[{"score": 1.0}]],
    "words for numbers": [[{"label": "entailment", "score": "high"}]],
    "unnamed labels": [[{"label": f"LABEL_{i}", "score": 1 / 3} for i in range(3)]],
    "two classes": [[{"label": "entailment", "score": 0.5}, {"label": "not_entailment", "score": 0.5}]],
    "logits": [[{"label": label, "score": score} for label, score in
                (("entailment", 4.2), ("neutral", -1.0), ("contradiction", -3.0))]],
    "not a number": b'[[{"label":"entailment","score":NaN},{"label":"neutral","score":0.5},'
                    b'{"label":"contradiction","score":0.5}]]',
}  # fmt: skip


@pytest.mark.parametrize("content", NONSENSE.values(), ids=NONSENSE.keys())
def test_nonsense_is_no_score(scorer: Scorer, content: Any) -> None:
    scorer.answer = lambda body: (200, content)
    with pytest.raises(ScorerError):
        RemoteModel(scorer.url).score([("a", "a")])


def test_a_server_that_is_not_there() -> None:
    began = time.monotonic()
    with pytest.raises(ScorerError, match="not reached"):
        RemoteModel("http://127.0.0.1:9", backoff=0.001).score([("a", "a")])
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("url", ["ftp://host", "host:80", "http://", "file:///etc/passwd"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ScorerError, match="not the address"):
        load_entailment_model(f"remote:{url}")


RUN = {
    "messages": [
        {"role": "user", "content": "What is known of the old clock?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "search", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1",
                                      "content": "The old clock was mended by a local smith."}]},
        {"role": "assistant", "content": "The old clock was mended by somebody who lived nearby."},
    ]
}  # fmt: skip


def test_one_line_of_policy_asks_it_and_a_lost_scorer_never_passes(scorer: Scorer) -> None:
    policy = Policy(entailment=f"remote:{scorer.url}")
    asked = Detector(policy).check(read_run(RUN))
    assert scorer.asked
    assert asked.claims[0].status != "unchecked"
    scorer.answer = lambda body: (500, "out of memory")
    lost = Detector(policy).check(read_run(RUN))
    assert [c.status for c in lost.claims] == ["unchecked"]
    assert lost.coverage.scored == 0
    assert lost.coverage.unchecked == 1
